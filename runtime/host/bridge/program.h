/* A program: what of a module can be nodes, and its kernels as entries. */
#ifndef SNI_BRIDGE_PROGRAM_H
#define SNI_BRIDGE_PROGRAM_H

#include <snode/program.h>

#include "runtime/host/exec/code.h"
#include "runtime/host/tree/tree.h"

typedef struct sni_field_node {
  sn_node *node;                 /* NULL: it is none */
  const char *why;               /* then: why */
  const sn_tree_info *tree;
  int32_t first, count;          /* its elements among the tree's fields */
  int32_t container;             /* the SNode under the root that holds it; 0: the root does */
} sni_field_node;

typedef struct sni_binding {     /* a use of an entry, and where its array stands */
  int32_t slot, container;
  int32_t outputs;               /* of the node's elements those that are taken over from nobody */
} sni_binding;

typedef struct sni_program_kernel {
  sn_program *program;
  const sn_kernel_entry *entry;
  char why[160];                 /* it is none; "": it is one */
  sn_node_use *uses;
  sni_binding *bindings;         /* one for each use */
  sn_static_index *indices;
  uint32_t param_count;
  int use_count, room;
} sni_program_kernel;

struct sn_program {
  sn_engine *engine;
  const sn_routines *routines;
  sni_field_node *fields;
  int field_count, field_room;
  sni_program_kernel *kernels;
  int kernel_count;
  sn_code *code;
  void *library;                 /* that the table lies in; NULL: in the program itself */
};

/* ---- program_node.c ---- */

/* Makes the nodes of the module's fields; what was made is the program's after an error too. */
int sni_program_make_nodes(sn_program *);
/* The field that the element belongs to; NULL: its tree is another module's. */
sni_field_node *sni_program_field(const sn_program *, const sn_tree_info *, int32_t element);

#endif
