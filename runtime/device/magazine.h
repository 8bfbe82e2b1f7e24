/* SPDX-License-Identifier: BSD-3-Clause */
/* Magazines: host threads take and give back cells in batches.
 *
 * A node manager deals out numbers (node.h) and places of its recycled list by one counter
 * each, whose line would travel between threads with every cell.  So a thread gets several at
 * once and keeps them in its magazine, one line for each thread and node manager.
 *
 *   numbers   the next and the one behind the last.  Its thread takes them from the front,
 *             and so do others when the counter has no more of their kind: cells that are
 *             ready, before fresh ones are dealt out; at last any, so that a task gets every
 *             cell that there is memory for, whoever had got its number
 *   places    its thread's alone
 *
 * A batch is twice as large as the last one of the task, so that what is left over at the
 * task's end is no more than what was used.  The task's end puts numbers that are left over
 * into the free list, and closes the gaps in the recycled list (settle.h): between tasks
 * magazines are empty.
 *
 * libsnode opens magazines for tasks whose end is settled; in others, on one thread and on
 * devices there are none, and the counters are used.  docs/sparse.md argues the orders,
 * t/model/magazine.pml checks the protocol.
 *
 * snode: what has a node manager.
 */
#ifndef SNODE_DEVICE_MAGAZINE_H
#define SNODE_DEVICE_MAGAZINE_H

#include <snode/device/alone.h>
#include <snode/device/loop.h>

/* Numbers of a batch at most, and bytes of their cells beyond one. */
enum { SND_BATCH = SND_MAGAZINE_IDS, SND_BATCH_BYTES = 1 << 15 };

#define SND_NO_NUMBER UINT64_MAX
#define SND_REFILLING UINT64_MAX
#define SND_NUMBERS(next, end) ((next) | (end) << 32)

SND_INLINE SND_GLB snd_snode_counters *
snd_counters(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return &SND_POINTER(snd_snode_counters, view->counters)[snode];
}

/* Numbers are below it: the free list's, and those of fresh cells up to the capacity. */
SND_INLINE uint64_t
snd_numbers_end(const SND_GLB snd_snode_view *node, const SND_GLB snd_snode_counters *counters)
{
  return counters->free + (node->capacity - counters->reserved);
}

#if SND_ON_DEVICE

SND_INLINE int snd_has_magazines(const SND_GLB snd_tree_view *view)
{
  (void)view;
  return 0;
}

/* The number of a cell for this thread; SND_NO_NUMBER: there are no more.  Relaxed: numbers
 * are dealt out, and what they stand for was written by an earlier kernel. */
SND_INLINE uint64_t snd_number_take(const SND_GLB snd_tree_view *view, int32_t snode)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const uint64_t end = snd_numbers_end(&view->snode[snode], counters);
  const uint64_t number =
    snd_load_u64(&counters->exhausted) == 0 ? snd_fetch_add_u64(&counters->taken, 1) : end;

  return number < end ? number : SND_NO_NUMBER;
}

/* The place in the recycled list for this thread's next id. */
SND_INLINE uint64_t snd_place_take(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_fetch_add_u64(&snd_counters(view, snode)->recycled, 1);
}

#else

SND_INLINE int snd_has_magazines(const SND_GLB snd_tree_view *view)
{
  return view->magazine_count > 0;
}

SND_INLINE SND_GLB snd_magazine *
snd_magazine_of(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t thread)
{
  const uint64_t managers = (uint64_t)view->snode_count + view->pool_count;
  return &SND_POINTER(snd_magazine, view->magazines)[thread * managers + (uint64_t)snode];
}

/* This thread's; NULL: it has none.  It is told by its number in the region at hand.  A task of
 * one thread opens no region, and may be called in one of the program's: whichever number its
 * thread has there, no other thread of the task has it. */
SND_INLINE SND_GLB snd_magazine *
snd_magazine_own(const SND_GLB snd_tree_view *view, int32_t snode)
{
  uint32_t thread = 0;

  if (!snd_has_magazines(view)) return NULL;
#if SND_HAS_THREADS
  thread = (uint32_t)omp_get_thread_num();
#endif
  return thread < view->magazine_count ? snd_magazine_of(view, snode, thread) : NULL;
}

/* The first of its numbers, where that is below `end`; SND_NO_NUMBER: it is not, or there is none.
 * The swap is relaxed: it deals out a number, and what the number stands for was written before
 * the task. */
SND_INLINE uint64_t snd_magazine_pop(SND_GLB snd_magazine *magazine, uint64_t end)
{
  uint64_t seen = snd_load_u64(&magazine->numbers);

  while ((uint32_t)seen < seen >> 32 && (uint32_t)seen < end) {
    const uint64_t was = snd_compare_exchange_u64(&magazine->numbers, seen, seen + 1);
    if (was == seen) return (uint32_t)seen;
    seen = was;
  }
  return SND_NO_NUMBER;
}

/* Up to count numbers below `end` from the counter: the first; *last: behind the last one.
 * SND_NO_NUMBER: there are no more.  Acquire and release: see snd_magazine_refill. */
SND_INLINE uint64_t
snd_number_deal(const SND_GLB snd_tree_view *view, SND_GLB snd_snode_counters *counters,
                uint64_t end, uint64_t count, uint64_t *last)
{
  uint64_t first = snd_load_acquire_u64(&counters->taken);

  if (first < end && snd_is_alone(view)) {
    *last = snd_min_u64(first + count, end);
    snd_store_u64(&counters->taken, *last);
    return first;
  }
  while (first < end) {
    uint64_t was;
    *last = snd_min_u64(first + count, end);
    was = snd_compare_exchange_acq_rel_u64(&counters->taken, first, *last);
    if (was == first) return first;
    first = was;
  }
  return SND_NO_NUMBER;
}

/* How many numbers a magazine gets next. */
SND_INLINE uint64_t
snd_magazine_batch(const SND_GLB snd_snode_view *node, const SND_GLB snd_magazine *magazine)
{
  const uint64_t twice = snd_min_u64(2 * magazine->batch, SND_BATCH);

  if (magazine->batch == 0) return 1;
  return twice * node->cell_bytes <= SND_BATCH_BYTES ? twice : magazine->batch;
}

/* Gets a batch and gives its first number; SND_NO_NUMBER: there are no more.
 *
 * While its numbers are on their way the magazine says so, for those who look through all
 * magazines because the counter has no more (snd_number_steal): they wait for this thread,
 * which does no more than swap and store.  They see the mark: it stands before the swap, which
 * is release; that the counter has no more was found by a later load of it, which is acquire,
 * or told by a flag (ready_gone, exhausted), whose store is release and load acquire. */
SND_COLD uint64_t
snd_magazine_refill(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t end,
                    SND_GLB snd_magazine *magazine)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  uint64_t first, last = 0;

  snd_raise(&counters->batched);
  magazine->batch = snd_magazine_batch(node, magazine);
  snd_store_u64(&magazine->numbers, SND_REFILLING);
  first = snd_number_deal(view, counters, end, magazine->batch, &last);
  snd_store_u64(&magazine->numbers, first == SND_NO_NUMBER ? 0 : SND_NUMBERS(first + 1, last));
  return first;
}

/* A number that another thread has got and not used, below `end`; SND_NO_NUMBER: there is none.
 * The counter has no more of them, so magazines only get emptier. */
SND_COLD uint64_t
snd_number_steal(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t end)
{
  uint64_t number = SND_NO_NUMBER;

  for (uint32_t thread = 0; thread < view->magazine_count && number == SND_NO_NUMBER; thread++) {
    SND_GLB snd_magazine *magazine = snd_magazine_of(view, snode, thread);
    while (snd_load_u64(&magazine->numbers) == SND_REFILLING) snd_pause();
    number = snd_magazine_pop(magazine, end);
  }
  return number;
}

/* A number below `end`: of a new batch; where the thread has no magazine (NULL) of the counter. */
SND_INLINE uint64_t
snd_number_below(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t end,
                 SND_GLB snd_magazine *own)
{
  uint64_t last;

  return own != NULL ? snd_magazine_refill(view, snode, end, own)
                     : snd_number_deal(view, snd_counters(view, snode), end, 1, &last);
}

/* A number, when the thread's own magazine has none: one of a cell that is ready as long as there
 * is any, wherever it is. */
SND_COLD uint64_t
snd_number_more(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_magazine *own)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const uint64_t ready = counters->ready;
  uint64_t number = SND_NO_NUMBER;

  if (ready > 0 && snd_load_acquire_u64(&counters->ready_gone) == 0) {
    number = snd_number_below(view, snode, ready, own);
    if (number == SND_NO_NUMBER) number = snd_number_steal(view, snode, ready);
    if (number != SND_NO_NUMBER) return number;
    snd_store_release_u64(&counters->ready_gone, 1);
  }
  return snd_number_below(view, snode, snd_numbers_end(node, counters), own);
}

/* The number of a cell for this thread; SND_NO_NUMBER: the counter has no more, or what it has
 * had no memory. */
SND_INLINE uint64_t snd_number_take(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  SND_GLB snd_magazine *own = snd_magazine_own(view, snode);
  const uint64_t number = own != NULL ? snd_magazine_pop(own, SND_NO_NUMBER) : SND_NO_NUMBER;

  if (number != SND_NO_NUMBER || snd_load_acquire_u64(&counters->exhausted) != 0) return number;
  return snd_has_magazines(view)
           ? snd_number_more(view, snode, own)
           : snd_number_below(view, snode, snd_numbers_end(node, counters), NULL);
}

SND_COLD void
snd_magazine_more_places(const SND_GLB snd_tree_view *view, int32_t snode,
                         SND_GLB snd_magazine *magazine)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);

  magazine->place = snd_fetch_add_u64(&counters->recycled, SND_BATCH);
  magazine->places_end = magazine->place + SND_BATCH;
  snd_raise(&counters->batched);
}

SND_INLINE uint64_t snd_place_take(const SND_GLB snd_tree_view *view, int32_t snode)
{
  SND_GLB snd_magazine *own = snd_magazine_own(view, snode);

  if (own == NULL) return snd_count(view, &snd_counters(view, snode)->recycled, 1);
  if (own->place == own->places_end) snd_magazine_more_places(view, snode, own);
  return own->place++;
}

#endif

#endif
