/* Garbage collection of a pointer SNode: what a task has recycled becomes free.
 *
 *   expand    everything below a recycled cell goes with it: what its slots hold
 *             joins the recycled lists of the nearest pointer descendants.  Run
 *             top-down over the descendants, before the phases: it meets what others
 *             activated below a cell after it was taken out, too
 *   phase 0   move: the unused ids of the free list close the gap that the taken
 *             ones left at its head
 *   phase 1   account, by one thread: the lists' new lengths
 *   phase 2   refill: the recycled ids join the free list, their cells get their
 *             defaults again
 *
 * Phases are tasks of their own: each sees what the one before wrote.  After
 * them each id below `reserved` is in exactly one slot or once in the free list.
 * Seeds: Taichi's gc_parallel_0 to _2, which have no expand.
 */
#ifndef SNODE_DEVICE_GC_H
#define SNODE_DEVICE_GC_H

#include <snode/device/list.h>
#include <snode/device/task.h>

/* ---- expand ---- */

SND_INLINE int
snd_gc_is_next(const SND_GLB sn_tree_view *view, int32_t snode, int32_t below)
{
  return view->snode[below].kind == SN_SNODE_POINTER &&
         view->snode[below].holder == snode;
}

/* Slots of `below`, in runs, in all recycled cells of snode. */
SND_INLINE int64_t
snd_gc_expand_runs(const SND_GLB sn_tree_view *view, int32_t snode, int32_t below)
{
  return (int64_t)snd_counters(view, snode)->recycled * snd_containers_in(view, snode, below) *
         snd_list_runs(&view->snode[below]);
}

/* Slots keep their values: the cells that hold them are refilled with all they
 * contain.  `touched` stays: whoever recycled the cells above has raised it. */
SND_COLD void
snd_gc_expand_run(const SND_GLB sn_tree_view *view, int32_t snode, int32_t below, int64_t r)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode], *under = &view->snode[below];
  const int64_t runs = snd_list_runs(under);
  const int64_t containers = snd_containers_in(view, snode, below);
  const int64_t number = r / runs / containers;
  const uint32_t id = SND_CONST_POINTER(uint32_t, node->recycled_ids)[number];
  const sn_addr container = snd_nth_container(view, snode, snd_node_cell(node, id), below,
                                              r / runs % containers);
  const int64_t first = r % runs * SND_RUN;
  const int64_t last = snd_min_i64(first + SND_RUN, snd_pointer_capacity(under));

  for (int64_t l = first; l < last; l++) {
    const sn_addr cell = snd_pointer_peek(under, container, l);
    if (cell != 0) snd_node_recycle(view, below, cell);
  }
}

SND_INLINE void
snd_gc_expand(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  (void)launch;
  (void)slot;
  for (int32_t below = snode + 1; below < (int32_t)view->snode_count; below++)
    if (snd_gc_is_next(view, snode, below)) {
      const snd_share share = snd_share_of(worker, snd_gc_expand_runs(view, snode, below));
      for (int64_t r = share.first; r < share.last; r += share.step)
        snd_gc_expand_run(view, snode, below, r);
    }
}

SND_INLINE int64_t snd_gc_expand_work(const SND_GLB sn_tree_view *view, int32_t snode)
{
  int64_t runs = 0;
  for (int32_t below = snode + 1; below < (int32_t)view->snode_count; below++)
    if (snd_gc_is_next(view, snode, below)) runs += snd_gc_expand_runs(view, snode, below);
  return snd_work(runs * SND_RUN);
}

SND_RUNTIME_TASK(gc_expand, snd_gc_expand_work)

/* ---- phase 0: move ---- */

/* Ids that the gap and the rest beyond it have to exchange: where the unused part
 * is longer than the gap its last ids fill it, else all of them move.  Source and
 * destination do not overlap either way. */
SND_INLINE int64_t snd_gc_move_count(const SND_GLB sn_counters *counters)
{
  const uint64_t taken = snd_min_u64(counters->taken, counters->free);
  return (int64_t)snd_min_u64(taken, counters->free - taken);
}

SND_INLINE void
snd_gc_move(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  const SND_GLB sn_counters *counters = snd_counters(view, snode);
  SND_GLB uint32_t *ids = SND_POINTER(uint32_t, view->snode[snode].free_ids);
  const int64_t count = snd_gc_move_count(counters);
  const snd_share share = snd_share_of(worker, count);

  (void)launch;
  (void)slot;
  for (int64_t k = share.first; k < share.last; k += share.step)
    ids[k] = ids[(int64_t)counters->free - count + k];
}

SND_INLINE int64_t snd_gc_move_work(const SND_GLB sn_tree_view *view, int32_t snode)
{
  return snd_work(snd_gc_move_count(snd_counters(view, snode)));
}

SND_RUNTIME_TASK(gc_move, snd_gc_move_work)

/* ---- phase 1: account, one thread ---- */

/* `free` counts the recycled ids in already: phase 2 writes them there. */
SND_INLINE void
snd_gc_account(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
               int32_t slot, const snd_worker *worker)
{
  SND_GLB sn_counters *counters = snd_counters(view, snode);

  (void)launch;
  (void)slot;
  if (snd_is_first(worker)) {
    counters->free -= snd_min_u64(counters->taken, counters->free);
    counters->free += counters->recycled;
    counters->taken = 0;
    counters->recycle_backup = counters->recycled;
    counters->recycled = 0;
  }
}

SND_RUNTIME_TASK(gc_account, snd_work_single)

/* ---- phase 2: refill ---- */

/* A team for a cell, its threads side by side in it. */
SND_INLINE void
snd_gc_refill(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const SND_GLB sn_counters *counters = snd_counters(view, snode);
  const SND_GLB uint32_t *recycled = SND_CONST_POINTER(uint32_t, node->recycled_ids);
  SND_GLB uint32_t *free_ids = SND_POINTER(uint32_t, node->free_ids);
  const int64_t count = (int64_t)counters->recycle_backup;
  const int64_t before = (int64_t)counters->free - count;
  const snd_share share = snd_team_share_of(worker, count);

  (void)launch;
  (void)slot;
  for (int64_t k = share.first; k < share.last; k += share.step) {
    const uint32_t id = recycled[k];
    if (worker->thread == 0) free_ids[before + k] = id;
    snd_node_reset(node, snd_node_cell(node, id), id, worker->thread, worker->threads);
  }
}

SND_INLINE int64_t snd_gc_refill_work(const SND_GLB sn_tree_view *view, int32_t snode)
{
  const int64_t words = (int64_t)view->snode[snode].cell_bytes / 8 + 1;
  return snd_work((int64_t)snd_counters(view, snode)->recycle_backup * words);
}

SND_RUNTIME_TASK(gc_refill, snd_gc_refill_work)

#endif
