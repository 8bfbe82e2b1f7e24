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

/* ---- the free list that chunks of this task have made longer ---- */

/* Without magazines a chunk is made when the list is used up: there is nothing to copy. */
SND_COLD void
snd_settle_free_ids(const SND_GLB snd_tree_view *view, SND_GLB snd_snode_counters *counters)
{
  const SND_GLB uint32_t *ids = SND_CONST_POINTER(uint32_t, counters->free_ids);
  SND_GLB uint32_t *longer = SND_POINTER(uint32_t, counters->longer_free_ids);
  const uint64_t first = snd_has_magazines(view) ? 0 : counters->taken;

  for (uint64_t k = first; k < counters->free; k++) longer[k] = ids[k];
  counters->free_ids = counters->longer_free_ids;
  counters->longer_free_ids = 0;
}

#if !SND_ON_DEVICE

/* ---- what magazines have left ---- */

/* The ids of numbers first .. last - 1 that were dealt out and not taken, from `list` on; gives how
 * many. */
SND_INLINE uint64_t
snd_settle_left_over(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t first,
                     uint64_t last, SND_GLB uint32_t *list)
{
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const SND_GLB uint32_t *ids = SND_CONST_POINTER(uint32_t, counters->free_ids);
  uint64_t count = 0;

  for (uint32_t thread = 0; thread < view->magazine_count; thread++) {
    const uint64_t numbers = snd_magazine_of(view, snode, thread)->numbers;
    const uint64_t end = snd_min_u64(numbers >> 32, last);
    for (uint64_t n = snd_max_u64((uint32_t)numbers, first); n < end; n++)
      list[count++] = n < counters->free ? ids[n]
                                         : (uint32_t)(counters->reserved + (n - counters->free));
  }
  return count;
}

/* Where the last numbers were left over, the counter has them again. */
SND_INLINE void snd_settle_last(const SND_GLB snd_tree_view *view, int32_t snode)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);

  for (uint32_t thread = 0; thread < view->magazine_count; thread++) {
    SND_GLB snd_magazine *magazine = snd_magazine_of(view, snode, thread);
    const uint64_t first = (uint32_t)magazine->numbers, end = magazine->numbers >> 32;
    if (first < end && end == counters->taken) {
      counters->taken = first;
      magazine->numbers = 0;
    }
  }
}

/* Numbers that are left over stand at the head of the free list again, fresh ones behind the
 * others: before those that were not dealt out, which are the rest of the list, or none.  Of what
 * has no memory nothing is left.  The ids are gathered behind the list, since their places in it
 * are among those that they may come to. */
SND_INLINE void snd_settle_numbers(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  SND_GLB uint32_t *ids = SND_POINTER(uint32_t, counters->free_ids), *left = ids + counters->free;
  const uint64_t made = counters->free + (snd_node_made(node, counters) - counters->reserved);
  uint64_t ready, count, first;
  int is_past_ready;

  snd_settle_last(view, snode);
  is_past_ready = counters->taken >= counters->ready;
  ready = snd_settle_left_over(view, snode, 0, counters->ready, left);
  count = ready + snd_settle_left_over(view, snode, counters->ready, made, left + ready);
  if (counters->taken > counters->free) {
    counters->reserved += counters->taken - counters->free;
    counters->free = counters->taken = count;
  }
  first = counters->taken - count;
  for (uint64_t k = 0; k < count; k++) ids[first + k] = left[k];
  if (is_past_ready) counters->ready = first + ready;
  counters->taken = first;
}

/* The last ids of the recycled list fill the places that magazines have left. */
SND_INLINE void snd_settle_places(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const uint32_t none = UINT32_MAX;              /* no id */
  uint64_t length = counters->recycled;

  for (uint32_t thread = 0; thread < view->magazine_count; thread++) {
    const SND_GLB snd_magazine *magazine = snd_magazine_of(view, snode, thread);
    for (uint64_t k = magazine->place; k < magazine->places_end; k++)
      *snd_recycled_at(node, k) = none;
  }
  for (uint32_t thread = 0; thread < view->magazine_count; thread++) {
    const SND_GLB snd_magazine *magazine = snd_magazine_of(view, snode, thread);
    for (uint64_t k = magazine->place; k < magazine->places_end; k++) {
      while (length > 0 && *snd_recycled_at(node, length - 1) == none) length--;
      if (k >= length) continue;
      *snd_recycled_at(node, k) = *snd_recycled_at(node, --length);
    }
  }
  counters->recycled = length;
}

/* Magazines are empty between tasks. */
SND_COLD void snd_settle_magazines(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const snd_magazine empty = { 0, 0, 0, 0, { 0 } };

  snd_settle_numbers(view, snode);
  snd_settle_places(view, snode);
  for (uint32_t thread = 0; thread < view->magazine_count; thread++)
    *snd_magazine_of(view, snode, thread) = empty;
  snd_counters(view, snode)->batched = snd_counters(view, snode)->ready_gone = 0;
}

#endif

/* ---- the end of a task ---- */

/* Fresh ids are those of the data list from now on, but for ids without memory, which do not
 * survive their task. */
SND_INLINE void
snd_settle_manager(const SND_GLB snd_snode_view *node, SND_GLB snd_snode_counters *counters)
{
  const uint64_t made = snd_min_u64(snd_node_made(node, counters), node->capacity);

  if (counters->taken > counters->free)
    counters->reserved += counters->taken - counters->free;
  counters->reserved = snd_min_u64(counters->reserved, made);
  if (counters->taken >= counters->free) counters->taken = counters->free = 0;
  counters->ready = snd_clamp_u64(counters->ready, counters->taken, counters->free);
}

/* One SNode or pool; a change of activity becomes a new version. */
SND_INLINE void snd_settle(const SND_GLB snd_tree_view *view, int32_t snode)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);

  if (counters->longer_free_ids != 0) snd_settle_free_ids(view, counters);
#if !SND_ON_DEVICE
  if (counters->batched != 0) snd_settle_magazines(view, snode);
#endif
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
