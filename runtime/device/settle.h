/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_TASK_END: what follows every task that may change a tree's activity: what
 * went past the edge falls back to what exists, changes become versions.
 * SND_RT_DEACTIVATE_ALL: empties an SNode, over its list.
 */
#ifndef SNODE_DEVICE_SETTLE_H
#define SNODE_DEVICE_SETTLE_H

#include <snode/device/list.h>
#include <snode/device/task.h>

SND_INLINE int snd_has_manager(const SND_GLB snd_snode_view *node)
{
  return node->kind == SND_SNODE_POINTER || node->kind == SND_SNODE_HASH ||
         node->kind == SND_SNODE_POOL;
}

/* ---- dynamic containers whose chunks could not all be had ---- */

SND_INLINE int snd_settle_is_short(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  int is_short = 0;

  if (node->kind == SND_SNODE_DYNAMIC)
    for (int32_t p = node->pool; p < node->pool + node->pool_count; p++)
      is_short |= snd_counters(view, p)->exhausted != 0;
  return is_short;
}

/* Cells of a body that have memory: its parts are there up to the first that is not. */
SND_INLINE uint64_t snd_settle_cells(const SND_GLB snd_snode_view *node, sn_addr body)
{
  const int64_t cells = (int64_t)node->cells;
  int64_t p = 0;

  while (p < cells) {
    const snd_dynamic_place place = snd_dynamic_place_of(node, p);
    sn_addr first;
    if (snd_dynamic_cells(node, body, place.part, 1) == 0) break;
    p += snd_dynamic_run(node, body, p, cells, &first);
  }
  return (uint64_t)p;
}

SND_INLINE void snd_settle_length(const SND_GLB snd_snode_view *node, sn_addr container)
{
  SND_GLB uint64_t *word = SND_POINTER(uint64_t, container);
  uint64_t counted, cells;

  if (!snd_dynamic_has_body(node, *word)) return;
  counted = snd_dynamic_counted(node, *word);
  cells = snd_settle_cells(node, snd_dynamic_body(node, *word));
  if (counted > cells) *word -= counted - cells;
}

/* The containers in a cell of the holder, or under the root. */
SND_INLINE void
snd_settle_lengths_in(const SND_GLB snd_tree_view *view, int32_t holder, sn_addr cell,
                      int32_t snode)
{
  const int64_t containers = snd_containers_in(view, holder, snode);

  for (int64_t m = 0; m < containers; m++)
    snd_settle_length(&view->snode[snode], snd_nth_container(view, holder, cell, snode, m));
}

/* Those in every cell that was ever handed out: free ones are empty, in recycled ones it
 * does not matter. */
SND_INLINE void snd_settle_lengths(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const int32_t holder = view->snode[snode].holder;
  const uint64_t cells = holder >= 0 ? snd_counters(view, holder)->reserved : 0;

  if (holder < 0) snd_settle_lengths_in(view, 0, view->root, snode);
  for (uint64_t id = 0; id < cells; id++)
    snd_settle_lengths_in(view, holder, snd_node_cell(&view->snode[holder], id), snode);
}

/* ---- the end of a task ---- */

/* Numbers that went past the edge fall back to what exists, so that no id without
 * memory survives its task. */
SND_INLINE void
snd_settle_manager(const SND_GLB snd_snode_view *node, SND_GLB snd_snode_counters *counters)
{
  const uint64_t made = snd_min_u64(snd_node_made(node, counters), node->capacity);

  counters->reserved = snd_min_u64(counters->reserved, made);
  counters->taken = snd_min_u64(counters->taken, counters->free);
  if (counters->taken == counters->free) counters->taken = counters->free = 0;
}

/* One SNode or pool; a change of activity becomes a new version. */
SND_INLINE void snd_settle(const SND_GLB snd_tree_view *view, int32_t snode)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);

  if (snd_has_manager(&view->snode[snode])) snd_settle_manager(&view->snode[snode], counters);
  counters->version += counters->touched;
  counters->touched = 0;
}

/* `exhausted` is looked at before it falls, and cells are gone through once their number
 * is settled. */
SND_INLINE void snd_settle_all(const SND_GLB snd_tree_view *view)
{
  const int32_t all = (int32_t)(view->snode_count + view->pool_count);

  for (int32_t s = 0; s < all; s++) snd_settle(view, s);
  for (int32_t s = 0; s < (int32_t)view->snode_count; s++)
    if (snd_settle_is_short(view, s)) snd_settle_lengths(view, s);
  for (int32_t s = 0; s < all; s++) snd_counters(view, s)->exhausted = 0;
}

SND_INLINE void
snd_task_end(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
             int32_t slot, const snd_worker *worker)
{
  (void)snode;
  (void)launch;
  (void)slot;
  if (snd_is_first(worker)) snd_settle_all(view);
}

SND_RUNTIME_TASK(task_end, snd_work_single)

/* ---- every cell of every container in the list of snode ---- */

/* Those of a word of a bitmasked container.  A task of its own: no other thread is at
 * them, so that nothing is left for the sweep. */
SND_INLINE void
snd_deactivate_word(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t w)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *mask = snd_bitmasked_words(node, container) + w;
  uint64_t active = *mask;

  if (active == 0) return;
  *mask = 0;
  snd_raise(&snd_counters(view, snode)->touched);
  for (; active != 0; active &= active - 1)
    snd_reset_in_place(view, snode, container, w * 64 + snd_ctz(active), 1);
}

/* Run r of the list; a bitmasked word is one. */
SND_INLINE int64_t snd_deactivate_runs(const SND_GLB snd_snode_view *node)
{
  switch (node->kind) {
  case SND_SNODE_BITMASKED: return node->mask_words;
  case SND_SNODE_DYNAMIC: return 1;
  default: return snd_list_runs(node);
  }
}

SND_INLINE void
snd_deactivate_slots(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container,
                     int64_t first, int64_t last)
{
  if (snd_node_recycle_all(view, snode, snd_pointer_slot(container, first), last - first, 1) > 0)
    snd_raise(&snd_counters(view, snode)->touched);
}

SND_INLINE void
snd_deactivate_run(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e, int64_t run)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const sn_addr container = snd_list_container(view, snode, e);
  const int64_t first = run * SND_RUN;
  const int64_t last = snd_min_i64(first + SND_RUN, snd_capacity(node));

  switch (node->kind) {
  case SND_SNODE_BITMASKED: snd_deactivate_word(view, snode, container, run); break;
  case SND_SNODE_POINTER: snd_deactivate_slots(view, snode, container, first, last); break;
  case SND_SNODE_DYNAMIC:        /* its first piece empties it */
    if (snd_list_piece(node, e)[SND_PIECE_FIRST] == 0 &&
        snd_dynamic_recycle(view, snode, container, 1))
      snd_raise(&snd_counters(view, snode)->touched);
    break;
  default:
    for (int64_t l = first; l < last; l++) snd_deactivate(view, snode, container, l);
    break;
  }
}

SND_INLINE void
snd_deactivate_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                   int32_t slot, const snd_worker *worker)
{
  const int64_t runs = snd_deactivate_runs(&view->snode[snode]);
  const snd_share share = snd_share_of(worker, snd_list_length(view, snode) * runs);

  (void)launch;
  (void)slot;
  for (int64_t r = share.first; r < share.last; r += share.step)
    snd_deactivate_run(view, snode, r / runs, r % runs);
}

SND_INLINE int64_t snd_deactivate_all_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_work(snd_list_length(view, snode) * snd_deactivate_runs(&view->snode[snode]) * 64);
}

SND_RUNTIME_TASK(deactivate_all, snd_deactivate_all_work)

#endif
