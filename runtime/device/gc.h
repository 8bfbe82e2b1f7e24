/* SPDX-License-Identifier: BSD-3-Clause */
/* Garbage collection: what a task has recycled becomes free.
 *
 *   sweep     of bitmasked SNodes, before all else (sweep.h)
 *   expand    everything below a recycled cell goes with it: what the slots that lie in
 *             it hold joins the recycled lists it came from.  Run top-down over the
 *             descendants, before the phases: it meets what others activated below a
 *             cell after it was taken out, too.  Of a dynamic SNode: the chunks
 *             of its recycled bodies
 *   phase 0   move: the unused ids of the free list close the gap that the taken
 *             ones left at its head
 *   phase 1   account, by one thread: the lists' new lengths
 *   phase 2   refill: the recycled ids join the free list, their cells get their
 *             defaults again
 *
 * Expand is told an SNode that is allocated or dynamic, the phases a node manager
 * (pointer, hash, pool).  Phases are tasks of their own: each sees what the one
 * before wrote.  After them each id below `reserved` is in exactly one slot or once in
 * the free list.  Seeds: Taichi's gc_parallel_0 to _2, which have no expand.
 */
#ifndef SNODE_DEVICE_GC_H
#define SNODE_DEVICE_GC_H

#include <snode/device/list.h>
#include <snode/device/task.h>

/* ---- expand ---- */

/* Whether slots of `below` lie in place in the cells of snode. */
SND_INLINE int
snd_gc_is_next(const SND_GLB snd_tree_view *view, int32_t snode, int32_t below)
{
  return snd_slots(&view->snode[below]) > 0 && view->snode[below].holder == snode;
}

/* Slots of `below`, in runs, in one cell of snode. */
SND_INLINE int64_t
snd_gc_expand_runs(const SND_GLB snd_tree_view *view, int32_t snode, int32_t below)
{
  return snd_containers_in(view, snode, below) *
         snd_ceil_div(snd_slots(&view->snode[below]), SND_RUN);
}

/* A recycled cell, by its place in the list. */
SND_INLINE sn_addr snd_gc_recycled(const SND_GLB snd_tree_view *view, int32_t manager, int64_t k)
{
  const SND_GLB snd_snode_view *node = &view->snode[manager];
  return snd_node_cell(node, *snd_recycled_at(node, (uint64_t)k));
}

/* Slots keep their values: the cells that hold them are refilled with all they
 * contain.  `touched` stays: whoever recycled the cells above has raised it. */
SND_INLINE void
snd_gc_expand_slots(const SND_GLB snd_tree_view *view, int32_t manager, sn_addr slots,
                    int64_t first, int64_t last)
{
  (void)snd_node_recycle_all(view, manager, SND_POINTER(uint64_t, slots) + first, last - first, 0);
}

/* Run r of the slots of `below` in the recycled cells of snode. */
SND_COLD void
snd_gc_expand_run(const SND_GLB snd_tree_view *view, int32_t snode, int32_t below, int64_t r)
{
  const int64_t slots = snd_slots(&view->snode[below]), runs = snd_ceil_div(slots, SND_RUN);
  const int64_t containers = snd_containers_in(view, snode, below);
  const sn_addr cell = snd_gc_recycled(view, snode, r / runs / containers);
  const sn_addr container = snd_nth_container(view, snode, cell, below, r / runs % containers);
  const int64_t first = r % runs * SND_RUN;

  if (view->snode[below].kind == SND_SNODE_DYNAMIC)
    (void)snd_dynamic_recycle(view, below, container, 0);
  else snd_gc_expand_slots(view, below, container, first, snd_min_i64(first + SND_RUN, slots));
}

/* Runs of the slots in a body of a dynamic SNode: its own, then its tail directory's. */
SND_INLINE int64_t snd_gc_body_runs(const SND_GLB snd_snode_view *node)
{
  return 1 + snd_ceil_div((int64_t)node->tail_slots, SND_RUN);
}

/* The slots of a body's head chunks and directory: each from a pool of its own. */
SND_INLINE void
snd_gc_expand_body(const SND_GLB snd_tree_view *view, const SND_GLB snd_snode_view *node,
                   sn_addr body)
{
  const int64_t parts = (int64_t)node->heads - 1 + (node->tail_slots > 0);

  for (int64_t part = 1; part <= parts; part++)
    snd_gc_expand_slots(view, node->pool + (int32_t)part, body, part - 1, part);
}

/* Run r of the recycled bodies of a dynamic SNode. */
SND_COLD void snd_gc_expand_body_run(const SND_GLB snd_tree_view *view, int32_t snode, int64_t r)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t runs = snd_gc_body_runs(node), heads = (int64_t)node->heads;
  const sn_addr body = snd_gc_recycled(view, node->pool, r / runs);
  const int64_t first = (r % runs - 1) * SND_RUN;

  if (r % runs == 0) {
    snd_gc_expand_body(view, node, body);
  } else {
    const sn_addr directory = SND_CONST_POINTER(uint64_t, body)[heads - 1];
    if (directory != SND_INACTIVE)
      snd_gc_expand_slots(view, node->pool + (int32_t)heads + 1, directory, first,
                          snd_min_i64(first + SND_RUN, (int64_t)node->tail_slots));
  }
}

SND_INLINE void
snd_gc_expand(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int32_t manager = snd_slot_manager(view, snode);
  const int64_t recycled = (int64_t)snd_counters(view, manager)->recycled;

  (void)launch;
  (void)slot;
  if (node->kind == SND_SNODE_DYNAMIC) {
    const snd_share share = snd_share_of(worker, recycled * snd_gc_body_runs(node));
    for (int64_t r = share.first; r < share.last; r += share.step)
      snd_gc_expand_body_run(view, snode, r);
    return;
  }
  for (int32_t below = snode + 1; below < (int32_t)view->snode_count; below++)
    if (snd_gc_is_next(view, snode, below)) {
      const snd_share share =
        snd_share_of(worker, recycled * snd_gc_expand_runs(view, snode, below));
      for (int64_t r = share.first; r < share.last; r += share.step)
        snd_gc_expand_run(view, snode, below, r);
    }
}

SND_INLINE int64_t snd_gc_expand_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  int64_t runs = node->kind == SND_SNODE_DYNAMIC ? snd_gc_body_runs(node) : 0;

  for (int32_t below = snode + 1; below < (int32_t)view->snode_count; below++)
    if (snd_gc_is_next(view, snode, below)) runs += snd_gc_expand_runs(view, snode, below);
  return snd_work((int64_t)snd_counters(view, snd_slot_manager(view, snode))->recycled * runs *
                  SND_RUN);
}

SND_RUNTIME_TASK(gc_expand, snd_gc_expand_work)

/* ---- phase 0: move ---- */

/* Ids that the gap and the rest beyond it have to exchange: where the unused part
 * is longer than the gap its last ids fill it, else all of them move.  Source and
 * destination do not overlap either way.  Fresh ones, the last, stay behind: phase 1. */
SND_INLINE int64_t snd_gc_move_count(const SND_GLB snd_snode_counters *counters)
{
  const uint64_t taken = snd_min_u64(counters->taken, counters->ready);
  return (int64_t)snd_min_u64(taken, counters->ready - taken);
}

SND_INLINE void
snd_gc_move(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  SND_GLB uint32_t *ids = SND_POINTER(uint32_t, counters->free_ids);
  const int64_t count = snd_gc_move_count(counters);
  const snd_share share = snd_share_of(worker, count);

  (void)launch;
  (void)slot;
  for (int64_t k = share.first; k < share.last; k += share.step)
    ids[k] = ids[(int64_t)counters->ready - count + k];
}

SND_INLINE int64_t snd_gc_move_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_work(snd_gc_move_count(snd_counters(view, snode)));
}

SND_RUNTIME_TASK(gc_move, snd_gc_move_work)

/* ---- phase 1: account, one thread ---- */

/* The fresh ids of the free list move behind the others, which are as many as `ready` says. */
SND_INLINE void
snd_gc_move_fresh(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t ready)
{
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  SND_GLB uint32_t *ids = SND_POINTER(uint32_t, counters->free_ids);
  const uint64_t from = counters->ready, count = counters->free - from;

  if (ready < from)
    for (uint64_t k = 0; k < count; k++) ids[ready + k] = ids[from + k];
  else
    for (uint64_t k = count; k-- > 0;) ids[ready + k] = ids[from + k];
}

/* `ready` counts the recycled ids in already: phase 2 writes them there. */
SND_INLINE void
snd_gc_account(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
               int32_t slot, const snd_worker *worker)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);

  (void)launch;
  (void)slot;
  if (snd_is_first(worker)) {
    const uint64_t ready =
      counters->ready - snd_min_u64(counters->taken, counters->ready) + counters->recycled;
    snd_gc_move_fresh(view, snode, ready);
    counters->free = ready + (counters->free - counters->ready);
    counters->ready = ready;
    counters->taken = 0;
    counters->recycle_backup = counters->recycled;
    counters->recycled = 0;
  }
}

SND_RUNTIME_TASK(gc_account, snd_work_single)

/* ---- phase 2: refill ---- */

/* Where the recycled ids join the free list. */
SND_INLINE SND_GLB uint32_t *snd_gc_places(const SND_GLB snd_snode_counters *counters)
{
  return SND_POINTER(uint32_t, counters->free_ids) + counters->ready - counters->recycle_backup;
}

/* One id joins the free list, at its place; its cell is shared by the threads of a team. */
SND_INLINE void
snd_gc_refill_one(const SND_GLB snd_snode_view *node, SND_GLB uint32_t *place, uint32_t id,
                  const snd_worker *worker)
{
  if (worker->thread == 0) *place = id;
  snd_node_reset(node, snd_node_cell(node, id), id, worker->thread, worker->threads);
}

/* A team for a cell, in the order of the recycled list. */
SND_INLINE void
snd_gc_refill(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const int64_t count = (int64_t)counters->recycle_backup;
  SND_GLB uint32_t *places = snd_gc_places(counters);
  const snd_share share = snd_team_share_of(worker, count);

  (void)launch;
  (void)slot;
  for (int64_t k = share.first; k < share.last; k += share.step)
    snd_gc_refill_one(node, places + k, *snd_recycled_at(node, (uint64_t)k), worker);
}

SND_INLINE int64_t snd_gc_refill_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const int64_t words = (int64_t)snd_node_bytes(&view->snode[snode]) / 8 + 1;
  return snd_work((int64_t)snd_counters(view, snode)->recycle_backup * words);
}

/* ---- host: in the order of ids ----
 * Threads that take cells next, in batches, get neighbours in memory, and no line of cells is
 * shared by two of them; taken out in any order, cells would be scattered more with each task.
 * Ids are sorted by a bit for each (snd_recycled_bits, 0 between tasks), where there are as many as
 * there are words to go through. */

enum { SND_REFILL_THREADS = 256 };   /* more would not have enough to do */

SND_INLINE int64_t snd_gc_words(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_ceil_div((int64_t)snd_counters(view, snode)->reserved, 64);
}

/* The bits of some ids.  Relaxed: read behind a barrier. */
SND_INLINE void
snd_gc_mark_ids(const SND_GLB snd_snode_view *node, const SND_GLB uint32_t *ids, int64_t count)
{
  uint64_t word = 0;

  for (int64_t k = 0; k < count; k++) {
    const uint32_t id = ids[k];
    word |= (uint64_t)1 << (id & 63);
    /* Neighbours mostly follow each other. */
    if (k + 1 < count && ids[k + 1] >> 6 == id >> 6) continue;
    (void)snd_fetch_or_u64(snd_recycled_bits(node, id >> 6), word);
    word = 0;
  }
}

/* Those of a share of the recycled list. */
SND_FUNCTION void
snd_gc_mark(const SND_GLB snd_snode_view *node, snd_share share)
{
  int64_t some;

  for (int64_t k = share.first; k < share.last; k += some) {
    some = snd_recycled_together(k, share.last - k);
    snd_gc_mark_ids(node, snd_recycled_at(node, (uint64_t)k), some);
  }
}

SND_INLINE int64_t snd_gc_count_bits(const SND_GLB snd_snode_view *node, snd_share share)
{
  int64_t count = 0;

  for (int64_t w = share.first; w < share.last; w++)
    count += snd_popcount(*snd_recycled_bits(node, w));
  return count;
}

/* Whether the cells are a few whole words, all of them zero when they are handed out, and 64 of
 * them stand in one chunk, which begins on a page. */
SND_INLINE int snd_gc_is_small(const SND_GLB snd_snode_view *node)
{
  return node->ambient_is_zero && snd_node_has_id(node) && node->cell_bytes <= SND_SMALL_CELL &&
         (node->cell_bytes & 7) == 0 && node->log2_chunk >= 6;
}

/* The ids of word w, of small cells, to `places`. */
SND_INLINE void
snd_gc_refill_small(const SND_GLB snd_snode_view *node, int64_t w, uint64_t word,
                    SND_GLB uint32_t *places)
{
  const sn_addr cells = snd_node_cell(node, (uint64_t)w * 64);
  const uint64_t bytes = node->cell_bytes, id_offset = node->id_offset;

  /* Run by run of neighbours; the addition carries over the lowest one. */
  for (; word != 0; word &= word + (word & (0 - word))) {
    const uint64_t first = (uint64_t)snd_ctz(word);
    const uint64_t end = first + (uint64_t)snd_ctz(~(word >> first));
    sn_addr cell = cells + first * bytes;
    for (uint64_t n = first; n < end; n++, cell += bytes) {
      for (uint64_t b = 0; b < bytes; b += 8) *SND_POINTER(snd_word_u64, cell + b) = 0;
      *SND_POINTER(uint32_t, cell + id_offset) = *places++ = (uint32_t)((uint64_t)w * 64 + n);
    }
  }
}

SND_INLINE void
snd_gc_refill_word(const SND_GLB snd_snode_view *node, int64_t w, uint64_t word,
                   SND_GLB uint32_t *places, const snd_worker *worker)
{
  if (snd_gc_is_small(node)) snd_gc_refill_small(node, w, word, places);
  else
    for (; word != 0; word &= word - 1)
      snd_gc_refill_one(node, places++, (uint32_t)(w * 64 + snd_ctz(word)), worker);
}

/* word without the first `skip` of its bits, and without those behind the next `count`. */
SND_INLINE uint64_t snd_gc_cut(uint64_t word, int64_t skip, int64_t count)
{
  int64_t have = snd_popcount(word) - skip;

  for (; skip > 0; skip--) word &= word - 1;
  for (; have > count; have--) word &= ~((uint64_t)1 << (63 - snd_clz(word)));
  return word;
}

/* `count` bits of the words first .. last - 1 but for the first `skip`: their ids to `places`. */
SND_FUNCTION void
snd_gc_refill_bits(const SND_GLB snd_snode_view *node, int64_t first, int64_t last, int64_t skip,
                   SND_GLB uint32_t *places, int64_t count, const snd_worker *worker)
{
  for (int64_t w = first; w < last && count > 0; w++) {
    const uint64_t word = *snd_recycled_bits(node, w);
    const int64_t have = snd_popcount(word), some = snd_min_i64(have - skip, count);
    if (some <= 0) {
      skip -= have;
      continue;
    }
    snd_gc_refill_word(node, w, snd_gc_cut(word, skip, count), places, worker);
    places += some;
    count -= some;
    skip = 0;
  }
}

/* A share of all bits, wherever they are: counts says how many each thread found in its share
 * of the words. */
SND_FUNCTION void
snd_gc_refill_share(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *counts,
                    const snd_worker *worker)
{
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const int64_t all = (int64_t)counters->recycle_backup, words = snd_gc_words(view, snode);
  const snd_share share = snd_share_of(worker, all);
  snd_worker owner = *worker;
  int64_t skip = share.first;

  for (owner.team = 0; owner.team < worker->teams - 1 && skip >= counts[owner.team]; owner.team++)
    skip -= counts[owner.team];
  snd_gc_refill_bits(&view->snode[snode], snd_share_of(&owner, words).first, words, skip,
                     snd_gc_places(counters) + share.first, share.last - share.first, worker);
}

/* counts: a number for each of the threads. */
SND_FUNCTION void
snd_gc_sorted_host_share(const SND_GLB snd_tree_view *view, int32_t snode, int64_t *counts,
                         int number, int threads)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const snd_worker worker = snd_host_worker(number, threads);
  const snd_share words = snd_share_of(&worker, snd_gc_words(view, snode));

  snd_gc_mark(node, snd_share_of(&worker, (int64_t)snd_counters(view, snode)->recycle_backup));
  SND_HOST_BARRIER(threads);
  counts[number] = snd_gc_count_bits(node, words);
  SND_HOST_BARRIER(threads);
  snd_gc_refill_share(view, snode, counts, &worker);
  SND_HOST_BARRIER(threads);
  for (int64_t w = words.first; w < words.last; w++) *snd_recycled_bits(node, w) = 0;
}

SND_RUNTIME_SHARE(gc_refill)

SND_FUNCTION int snd_gc_refill_host(const snd_args *args)
{
  const SND_GLB snd_tree_view *view = SND_HOST_VIEW(args, args->slot);
  const int32_t snode = args->snode;
  const int64_t count = (int64_t)snd_counters(view, snode)->recycle_backup;
  const int64_t work = snd_gc_refill_work(view, snode);
  int64_t counts[SND_REFILL_THREADS];

  if (snd_gc_words(view, snode) <= count)
    SND_HOST_PARALLEL(args, snd_min_i64(work, SND_REFILL_THREADS), snd_gc_sorted_host_share, view,
                      snode, counts);
  else SND_HOST_PARALLEL(args, work, snd_gc_refill_host_share, view, args);
  return SN_OK;
}

SND_RUNTIME_TASK_TARGET(gc_refill)

#endif
