/* The pool of a context on a device: memory out of which tasks make chunks (snode/device/node.h).
 *
 * Tasks cut bytes off one slice of it, whose ends stand in a record in the device's memory
 * (snd_arena).  Here is what memory the pool has; task_chunks.c has what is done around a task.
 */
#ifndef SNI_TREE_CHUNK_POOL_H
#define SNI_TREE_CHUNK_POOL_H

#include "runtime/host/tree/tree.h"

typedef struct sni_chunk_pool sni_chunk_pool;

struct sni_chunk_pool {
  sni_block record;              /* snd_arena, in the device's memory */
  snd_arena arena;               /* as it stands there, or will */
  int is_stale;                  /* it does not yet */
  sn_addr end;                   /* of the current slice; a memory limit may end it before */
  sni_block *segments;
  size_t segment_count, segment_capacity;
  sni_slices free;               /* the current slice is not in it */
  sni_slices cut;                /* while a task is accounted for: whose nobody has been found */
  uint64_t wanted;               /* to which it is refilled; 0: not known yet */
};

/* The record of the tree's context, for its view: 0 where the option pool says that there is none.
 * SN_ENOMEM, SN_EDEVICE. */
int sni_chunk_pool_open(sn_tree *, sn_addr *record);
/* Before a task: half of what is wanted at least, or of what a memory limit leaves, in one slice,
 * as far as it can be had; of that no more than the limit.  SN_EDEVICE: it could not be zeroed. */
int sni_chunk_pool_refill(sn_context *, uint64_t limit);
/* The record as it is here to the device; as it is there to *arena.  SN_EDEVICE. */
int sni_chunk_pool_send(sn_context *);
int sni_chunk_pool_fetch(sn_context *, snd_arena *arena);
/* What the tree had of it is free again; the context keeps a segment at most for that. */
void sni_chunk_pool_give(sn_tree *);
/* The same of one slice; no bytes: nothing. */
void sni_chunk_pool_give_slice(sn_tree *, sni_slice);

/* What an error tells, before the task is accounted for. */
typedef struct sni_chunk_pool_state {
  uint64_t size, left;           /* bytes: to which it is refilled; that tasks can still have */
  uint64_t cut;                  /* by the last task */
} sni_chunk_pool_state;

sni_chunk_pool_state sni_chunk_pool_look(sn_context *);

#endif
