/* SPDX-License-Identifier: BSD-3-Clause */
/* pointer: a container is an array of slots, one 64-bit word a cell: 0 (inactive),
 * 1 (being built) or the address of its cell.  The word is its own lock.
 *
 * Who swaps 0 for 1 builds, publishes the cell, and is the only one who may write
 * the slot meanwhile.  Readers take 1 as inactive and never wait.  A writer that
 * meets 1 waits, holding nothing: the builder inside takes an id and at most the
 * chunk lock, under which nothing waits, so every wait ends.  t/model/pointer.pml
 * checks the protocol exhaustively; docs/sparse.md argues it.
 *
 * The six functions that every kind has, and the two forms of lookup by name.
 * view, snode: tree and id; container: its address; l: linear position in it
 * (row-major over its own axes), inside it.
 */
#ifndef SNODE_DEVICE_POINTER_H
#define SNODE_DEVICE_POINTER_H

#include <snode/device/lanes.h>
#include <snode/device/node.h>

enum { SND_INACTIVE = 0, SND_BUILDING = 1 };   /* else the cell's address */

SND_INLINE SND_GLB uint64_t *snd_pointer_slot(sn_addr container, int64_t l)
{
  return &SND_POINTER(uint64_t, container)[l];
}

/* Acquire on hosts: the cell's taker may have written it in this task.  Relaxed on GPUs:
 * a cell of a chunk that was made ahead was last written by an earlier kernel, whose
 * end orders it, or by whoever stored into it since, whom the language does not order;
 * of one that was made in this task no multiprocessor has kept an older state than that
 * which its maker has left, but for the id (snd_node_fresh_id). */
SND_INLINE uint64_t snd_pointer_load(const SND_GLB uint64_t *slot)
{
#if SND_ON_DEVICE
  return snd_load_u64(slot);
#else
  return snd_load_acquire_u64(slot);
#endif
}

/* Cells of one container. */
SND_INLINE int64_t snd_pointer_capacity(const SND_GLB snd_snode_view *node)
{
  return (int64_t)node->cells;
}

/* The cell, `absent` where it is inactive. */
SND_INLINE sn_addr
snd_pointer_lookup(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l, sn_addr absent)
{
  (void)node;
  const uint64_t cell = snd_pointer_load(snd_pointer_slot(container, l));
  return cell > SND_BUILDING ? cell : absent;
}

/* The cell to read: the ambient cell where it is inactive; never to be written. */
SND_INLINE sn_addr
snd_pointer_read(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return snd_pointer_lookup(node, container, l, node->ambient);
}

/* The cell, 0 where it is inactive. */
SND_INLINE sn_addr
snd_pointer_peek(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return snd_pointer_lookup(node, container, l, 0);
}

/* value, and where that is SND_INACTIVE *other.  On a host both are loaded before one is chosen.
 * Else gcc makes a branch, which is guessed wrong at the border of what is active (conv27: 48 ns a
 * cell for 25), and clang chooses between addresses, so that a load waits for the choice. */
SND_INLINE uint64_t snd_or_else(uint64_t value, const SND_GLB uint64_t *other)
{
#if SND_ON_DEVICE
  return value != SND_INACTIVE ? value : *other;
#else
  const uint64_t loaded = *other;
  return value != SND_INACTIVE ? value : loaded;
#endif
}

/* The same two in a task that neither activates nor deactivates in any tree of this
 * type: its slots are constants then, which compilers may keep in registers, move
 * out of loops and, on a GPU, cache. */
SND_INLINE sn_addr
snd_pointer_read_settled(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return snd_or_else(*snd_pointer_slot(container, l), &node->ambient);
}

SND_INLINE sn_addr
snd_pointer_peek_settled(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  (void)node;
  return *snd_pointer_slot(container, l);
}

SND_INLINE int
snd_pointer_is_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  return snd_pointer_peek(node, container, l) != 0;
}

/* ---- slots: of pointer containers, and wherever else a word is a cell's address: the
 * chunks in a dynamic container's body, the cell of a hash's key ----
 * manager: whose node manager the cell comes from and goes to (a pool's, or snode's
 * own); snode: whose activity it is. */

/* The cell, made active by this thread or another; 0: no memory.
 *
 * The swap is relaxed: it takes a right and publishes nothing, and the order of
 * the writes to one word is total.  The store is release, for the sake of what its taker
 * has written into a fresh cell, and publishes 0 where there is no memory.  Nobody
 * tries twice for memory: one's own failure ends the loop. */
SND_APART sn_addr
snd_slot_build(const SND_GLB snd_tree_view *view, int32_t manager, int32_t snode,
               SND_GLB snd_launch *launch, int32_t tree_slot, SND_GLB uint64_t *slot)
{
  sn_addr cell = 0;
  int done = 0;

  while (!done) {
    const uint64_t seen = snd_pointer_load(slot);
    if (seen > SND_BUILDING) {
      cell = seen;
      done = 1;
    } else if (seen == SND_INACTIVE && snd_replace(view, slot, SND_INACTIVE, SND_BUILDING)) {
      cell = snd_node_take(view, manager, launch, tree_slot);
      snd_store_release_u64(slot, cell);
      if (cell != 0) snd_raise(&snd_counters(view, snode)->touched);
      done = 1;
    } else {
      snd_pause();
    }
    SND_OPAQUE(done);
  }
  return cell;
}

SND_INLINE sn_addr
snd_slot_activate(const SND_GLB snd_tree_view *view, int32_t manager, int32_t snode,
                  SND_GLB snd_launch *launch, int32_t tree_slot, SND_GLB uint64_t *slot)
{
  sn_addr cell = snd_pointer_load(slot);

  if (SND_UNLIKELY(cell <= SND_BUILDING)) {
#if SND_HAS_LANES
    /* One lane for each cell that is wanted: no lane waits for a sibling. */
    const uint32_t lanes = snd_lanes_alike((uint64_t)slot);
    const uint32_t leader = (uint32_t)snd_ctz(lanes);
    if (snd_lane() == leader)
      cell = snd_slot_build(view, manager, snode, launch, tree_slot, slot);
    cell = snd_lane_value(lanes, leader, cell);
#else
    cell = snd_slot_build(view, manager, snode, launch, tree_slot, slot);
#endif
  }
  return cell;
}

/* Takes the cell out; its memory waits for GC.  Of several exactly one swaps; one
 * that fails was overtaken by another deactivation, as if it had come just after
 * it.  A cell being built counts as not yet active.  The load is what acquires the
 * id that stands in the cell, on GPUs too; the swap publishes nothing. */
SND_INLINE void
snd_slot_deactivate(const SND_GLB snd_tree_view *view, int32_t manager, int32_t snode,
                    SND_GLB uint64_t *slot)
{
  const uint64_t cell = snd_load_acquire_u64(slot);

  if (cell > SND_BUILDING && snd_replace(view, slot, cell, SND_INACTIVE)) {
    snd_node_recycle(view, manager, cell);
    snd_raise(&snd_counters(view, snode)->touched);
  }
}

/* ---- pointer ---- */

/* The cell, made active; 0 when memory has run out (noted in the launch).
 * slot: the tree's number in the launch, for the error. */
SND_INLINE sn_addr
snd_pointer_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                     int32_t slot, sn_addr container, int64_t l)
{
  return snd_slot_activate(view, snode, snode, launch, slot, snd_pointer_slot(container, l));
}

SND_INLINE void
snd_pointer_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container,
                       int64_t l)
{
  snd_slot_deactivate(view, snode, snode, snd_pointer_slot(container, l));
}

/* The first active cell >= l; the capacity: none. */
SND_INLINE int64_t
snd_pointer_iterate(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  while (l < (int64_t)node->cells && !snd_pointer_is_active(node, container, l)) l++;
  return l;
}

#endif
