/* What generate.pl's tables and nest.c share. */
#ifndef SN_T_NEST_H
#define SN_T_NEST_H

#include <snode/module.h>
#include <snode/snode.h>

/* A kernel that visits all active cells of an SNode, adds 1 to the field `note` in each
 * and gives how many they were. */
typedef struct nest_visit {
  int (*run)(sn_tree *, int64_t *n);
  const char *note;
} nest_visit;

typedef struct nest_tree {
  const char *kinds;             /* of its SNodes, from the top */
  int (*create)(sn_context *, int64_t n, sn_tree **);
  nest_visit visits[4];
} nest_tree;

extern const nest_tree nest_trees[];
extern const int nest_count;
const sn_module *nest_module(void);

#endif
