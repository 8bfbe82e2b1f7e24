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
#include "runtime/host/base/type.h"
#include "runtime/host/tree/slices.h"

/* What belongs to one SNode, or to one pool: a node manager that serves a dynamic or hash
 * SNode and is none of the program's.  The view of a pool names its owner as parent. */
typedef struct sni_snode {
  sni_block container;           /* under the root */
  /* the node manager's memory (snode_memory.c): of a pointer, a hash, a pool */
  sni_block ambient;
  sni_block chunks, free_ids;    /* devices: the table of them, the free list, which grow */
  sni_slice cut_free_ids;        /* the free list, where a task has cut it off the pool */
  uint64_t cells_at_most;        /* that can be active at once */
  uint64_t cell_limit;           /* cells there may ever be: ids are 32 bits */
  uint64_t chunk_bytes;
  uint64_t cells_seen, chunks_seen;      /* in use, and made, when they were last counted */
  sni_block *segments;           /* devices: several chunks each, or one of the recycled list */
  size_t segment_count, segment_capacity;
  uint64_t recycled_made;        /* chunks of the recycled list; devices */
  /* the list of its containers (list.c) */
  sni_block entries, masks;
  int list_is_made;
  uint64_t entries_stamp, masks_stamp;   /* of the versions that each stands on */
  int listed_are_known;
  uint64_t listed;               /* cells of the list, where they were counted */
} sni_snode;

struct sn_tree {
  sn_context *context;
  const sn_module *module;
  const sn_tree_info *info;
  snd_tree_view *view;
  size_t view_bytes;
  int view_is_stale;             /* the device's copy is older than this one */
  snd_snode_counters *counters;
  uint32_t node_count;           /* SNodes, and pools behind them */
  int32_t hash;                  /* the SNode that is one; -1: none */
  sni_snode *snodes;             /* by id, as view->snode */
  sni_block view_block, counters_block, fields_block, root_block;
  sni_block arena_block;         /* host: snd_arena */
  sni_block *stretches;          /* and the address space that it deals out: arena.c */
  size_t stretch_count, stretch_capacity;
  uint64_t stretch_used;         /* bytes, of the last one */
  uint64_t stretch_bytes;        /* of all */
  uint64_t arena_most;           /* bytes that there can ever be of them */
  sni_block tables_block;        /* where chunks of cells (host) and of recycled lists are */
  sni_block magazines_block;     /* host: magazines.c */
  sni_slices slices;             /* devices: what it has of the context's pool (chunk_pool.h) */
  sni_budget budget;             /* what its cells take, below the context's */
  uint64_t reserve;
  uint64_t draws;                /* calls that drew random numbers, as their first tree */
  struct sn_call *loops;         /* of loops of the program's own (loops.c); NULL: none yet */
  uint32_t loops_uses;           /* what those that are open do; 0: none are */
  int is_borrowed;               /* its containers are the caller's memory, if there are any */
};

static inline const snd_snode_view *sni_view_of(const sn_tree *tree, int32_t snode)
{
  return &tree->view->snode[snode];
}

/* Of what has a node manager: a cell, all its parts. */
static inline uint64_t sni_cell_bytes(const snd_snode_view *node)
{
  return node->cell_bytes * node->parts;
}

static inline int sni_is_kind(const sn_tree *tree, int32_t snode, snd_snode_kind kind)
{
  return tree->view->snode[snode].kind == (uint32_t)kind;
}

static inline int sni_is_dynamic(const sn_tree *tree, int32_t snode)
{
  return sni_is_kind(tree, snode, SND_SNODE_DYNAMIC);
}

static inline int sni_is_pool(const sn_tree *tree, int32_t snode)
{
  return sni_is_kind(tree, snode, SND_SNODE_POOL);
}

/* Whether its cells come one by one from a node manager of its own. */
static inline int sni_is_allocated(const sn_tree *tree, int32_t snode)
{
  return sni_is_kind(tree, snode, SND_SNODE_POINTER) || sni_is_kind(tree, snode, SND_SNODE_HASH);
}

static inline int sni_has_manager(const sn_tree *tree, int32_t snode)
{
  return sni_is_allocated(tree, snode) || sni_is_pool(tree, snode);
}

/* Whether its cells can be inactive below an active one. */
static inline int sni_is_sparse(const sn_tree *tree, int32_t snode)
{
  return sni_is_allocated(tree, snode) || sni_is_dynamic(tree, snode) ||
         sni_is_kind(tree, snode, SND_SNODE_BITMASKED);
}

/* The SNode that a pool serves; of an SNode: itself. */
static inline int32_t sni_owner_of(const sn_tree *tree, int32_t snode)
{
  return sni_is_pool(tree, snode) ? tree->view->snode[snode].parent : snode;
}

/* Whether the SNode is `above` or below it. */
static inline int sni_is_below(const sn_tree *tree, int32_t snode, int32_t above)
{
  while (snode > above)
    snode = tree->view->snode[snode].parent;
  return snode == above;
}

/* Whether the SNode is `to` or above it; to 0: all are. */
static inline int sni_is_on_path(const sn_tree *tree, int32_t snode, int32_t to)
{
  return to == 0 || sni_is_below(tree, to, snode);
}

/* Those that outlive a kernel call: the first of the table. */
static inline uint32_t sni_lasting_fields(const sn_tree *tree)
{
  return tree->info->field_count - tree->info->local_count;
}

/* Keys of a hash that were ever made. */
static inline uint64_t sni_keys_made(const sn_tree *tree, int32_t hash)
{
  return tree->counters[tree->view->snode[hash].pool].reserved;
}

static inline int sni_on_host(const sn_tree *tree)
{
  return tree->context->memory.device == SNI_HOST;
}

/* instance.c: memory of the tree's device that is used as the container of an SNode under the root
 * or, of SNode 0, as the root's places. */
typedef struct sni_placement {
  int32_t snode;
  sn_addr address;
} sni_placement;

/* As sn_tree_create, of a tree without extents, with the caller's memory: it is used as it is, and
 * outlives the instance.  Containers that no placement names do not exist: nobody may touch
 * them. */
int sni_tree_create_over(sn_context *, const sn_module *, const sn_tree_info *,
                         const sni_placement *, int count, sn_tree **out);

/* view.c.  Brings the device's copy of the view up to date. */
int sni_tree_send_view(sn_tree *);
int sni_tree_fetch_counters(sn_tree *);
/* A tree with a hash: as many cells as keys were made by the last task. */
void sni_hash_resize(sn_tree *);

/* module.c: SN_EABI for a module of another ABI. */
int sni_check_module(sn_context *, const sn_module *);
/* Whether trees that the kernel needs apart are not one. */
int sni_check_apart(sn_context *, const sn_kernel_info *, sn_tree *const *trees);

#endif
