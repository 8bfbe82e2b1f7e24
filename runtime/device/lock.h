/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock in one word: 0 free, 1 held.
 *
 * Only chunks are made under it (node.h), and nobody waits for anything else while holding one.
 * There is no function that waits for it: who wants it tries in a loop, and does what is to be done
 * in the turn in which it gets it, so that lanes of a warp cannot wait for one another.
 */
#ifndef SNODE_DEVICE_LOCK_H
#define SNODE_DEVICE_LOCK_H

#include <snode/device/atomic.h>

/* 1: it is this thread's now.  Looked at first, so that waiters share the line.  Acquire: sees
 * what the one before did under the lock. */
SND_INLINE int snd_try_lock(SND_GLB uint64_t *lock)
{
  return snd_load_u64(lock) == 0 && snd_compare_exchange_acquire_u64(lock, 0, 1) == 0;
}

SND_INLINE void snd_unlock(SND_GLB uint64_t *lock)
{
  snd_store_release_u64(lock, 0);
}

#endif
