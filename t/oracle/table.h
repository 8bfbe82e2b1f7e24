/* What generate.pl says of its tree: the model's, the steps' and the kernels' common ground. */
#ifndef SN_T_ORACLE_TABLE_H
#define SN_T_ORACLE_TABLE_H

#include <snode/module.h>
#include <snode/snode.h>

typedef struct oracle_axis {
  int node;                      /* whose digit it is a part of */
  int axis;
  int64_t extent;
  int64_t below;                 /* of a hash: what is taken off */
} oracle_axis;

typedef struct oracle_node {
  const char *name;
  snd_snode_kind kind;
  int parent;                    /* -1: the root */
  int top;                       /* the SNode under the root above it, or itself */
  int children;
  int64_t local, cells;          /* of a container; in all */
  int bits;                      /* of its field; 0: it has none */
  int is_signed;
  int64_t standard;              /* the field's default */
  int axis_count;
  const oracle_axis *axes;       /* from the top; a container's cells row by row over its own */
  int (*flags)(sn_tree *, uint8_t *, int64_t);           /* which cells are active */
  int (*values)(sn_tree *, int64_t *, int64_t);          /* of all cells; NULL: it has no field */
  int (*lengths)(sn_tree *, int64_t *, int64_t);         /* of containers; NULL: not dynamic */
  int (*visit)(sn_tree *, int64_t *);    /* a sum over a loop's cells, their count */
  /* NULL: not at the top. */
  int (*own)(sn_tree *, uint64_t seed, int64_t turns, int64_t *, int64_t);
} oracle_node;

extern const oracle_node oracle_nodes[];
extern const int oracle_count;
const sn_module *oracle_module(void);
int oracle_churn(sn_tree *, uint64_t seed, int64_t n, int32_t mode, int32_t lists);
int oracle_look(sn_tree *, uint64_t seed, int64_t n, int64_t *sum);

#endif
