/* An instance of a tree, as libsnode keeps it.
 *
 * The view and the counters are what tasks see (snode/device/abi.h); they lie in
 * the unit's memory.  `view` and `counters` here can be read by the host: on the
 * host they are the very structs, on a device copies, which are kept true by
 *   view      written here, sent before the next task (view_is_stale)
 *   counters  fetched after every task that changes them
 */
#ifndef SNI_TREE_TREE_H
#define SNI_TREE_TREE_H

#include <snode/module.h>

#include "runtime/host/base/context.h"

/* What belongs to one SNode. */
typedef struct sni_node {
  sni_block container;           /* under the root */
  /* pointer: the node manager's memory (node_memory.c) */
  sni_block ambient, chunks, free_ids, recycled_ids;
  uint64_t cell_limit;           /* cells there may ever be: ids are 32 bits */
  uint64_t table_cells;          /* that free_ids and recycled_ids have room for */
  uint64_t chunk_bytes;
  sni_block *segments;           /* devices: several chunks each */
  size_t segment_count, segment_capacity;
  /* the list of its containers (list.c) */
  sni_block entries, masks;
  int list_is_made;
  uint64_t list_stamp;           /* of the versions that the list stands on */
} sni_node;

struct sn_tree {
  sn_context *context;
  const sn_module *module;
  const sn_tree_info *info;
  sn_tree_view *view;
  size_t view_bytes;
  int view_is_stale;             /* the device's copy is older than this one */
  sn_counters *counters;
  sni_node *nodes;               /* by id, as view->snode */
  sni_block view_block, counters_block, fields_block, root_block;
  sni_block arena_block;         /* host: sn_arena, and the address space it deals out */
  sni_block arena_pages;
  uint64_t memory_limit;         /* bytes of cells; UINT64_MAX: none */
  uint64_t chunk_bytes;          /* devices: bytes of all chunks */
  uint64_t reserve;
};

static inline const sn_snode_view *sni_view_of(const sn_tree *tree, int32_t snode)
{
  return &tree->view->snode[snode];
}

static inline int sni_is_pointer(const sn_tree *tree, int32_t snode)
{
  return tree->view->snode[snode].kind == SN_SNODE_POINTER;
}

/* Whether the SNode is `to` or above it; to 0: all are. */
static inline int sni_is_on_path(const sn_tree *tree, int32_t snode, int32_t to)
{
  int32_t at = to;

  while (at > snode)
    at = tree->view->snode[at].parent;
  return to == 0 || at == snode;
}

static inline int sni_on_host(const sn_tree *tree)
{
  return tree->context->unit.device == SNI_HOST;
}

/* Bytes of a value of the type, in a tree. */
uint32_t sni_type_bytes(sn_type);

/* module.c: SN_EABI for a module of another ABI. */
int sni_check_module(sn_context *, const sn_module *);

/* ---- layout.c: the shape of the tree from its tables and extents ---- */

/* Fills the view's shape; addresses stay 0.  SN_EINVAL: an extent below 1, more
 * than 2^62 cells. */
int sni_layout(sn_tree *, const int64_t *params);
void sni_layout_fields(const sn_tree *, sn_field_view *);
/* Whether all defaults in a cell of the SNode, down to the pointer SNodes below,
 * are zero bytes. */
int sni_defaults_are_zero(const sn_tree *, int32_t snode);
/* Writes them into a cell that is zero; host memory. */
void sni_write_defaults(const sn_tree *, int32_t snode, char *cell);

/* ---- node_memory.c ---- */

/* For all pointer SNodes of a new tree. */
int sni_node_memory_create(sn_tree *);
void sni_node_memory_destroy(sn_tree *);
/* Cells that a slot may hold now or that GC will have put back. */
uint64_t sni_cells_in_use(const sn_tree *, int32_t snode);
uint64_t sni_cells_made(const sn_tree *, int32_t snode);

#endif
