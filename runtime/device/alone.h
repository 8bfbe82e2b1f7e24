/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that threads of one task change together, where the task has one thread.
 *
 * An atomic operation that reads and writes costs a barrier on most processors: some twenty
 * cycles, over which later loads wait. A task of one thread (view->is_alone, which libsnode
 * sets before each task) does the same by a load and a store. Both are
 * relaxed atomics: a program may look at the words from another thread meanwhile.
 *
 * On devices, and in loops that a program writes itself, whose threads libsnode does not know,
 * no task counts as one of one thread.
 */
#ifndef SNODE_DEVICE_ALONE_H
#define SNODE_DEVICE_ALONE_H

#include <snode/device/atomic.h>

SND_INLINE int snd_is_alone(const SND_GLB snd_tree_view *view)
{
  return !SND_ON_DEVICE && view->is_alone;
}

/* Whether the word held `from` and holds `to` now.  Relaxed. */
SND_INLINE int
snd_replace(const SND_GLB snd_tree_view *view, SND_GLB uint64_t *word, uint64_t from, uint64_t to)
{
  if (!snd_is_alone(view)) return snd_compare_exchange_u64(word, from, to) == from;
  if (snd_load_u64(word) != from) return 0;
  snd_store_u64(word, to);
  return 1;
}

/* Adds to a word; gives what it held.  Relaxed. */
SND_INLINE uint64_t
snd_count(const SND_GLB snd_tree_view *view, SND_GLB uint64_t *word, uint64_t more)
{
  uint64_t held;

  if (!snd_is_alone(view)) return snd_fetch_add_u64(word, more);
  held = snd_load_u64(word);
  snd_store_u64(word, held + more);
  return held;
}

/* Sets bits of a word; gives what it held.  Relaxed. */
SND_INLINE uint64_t
snd_set_bits(const SND_GLB snd_tree_view *view, SND_GLB uint64_t *word, uint64_t bits)
{
  uint64_t held;

  if (!snd_is_alone(view)) return snd_fetch_or_u64(word, bits);
  held = snd_load_u64(word);
  snd_store_u64(word, held | bits);
  return held;
}

/* Clears bits of a word; gives what it held.  Release, where another thread may look. */
SND_INLINE uint64_t
snd_clear_bits(const SND_GLB snd_tree_view *view, SND_GLB uint64_t *word, uint64_t bits)
{
  uint64_t held;

  if (!snd_is_alone(view)) return snd_fetch_and_release_u64(word, ~bits);
  held = snd_load_u64(word);
  snd_store_release_u64(word, held & ~bits);
  return held;
}

#endif
