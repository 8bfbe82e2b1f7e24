/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock in one word, for host threads: 0 free, 1 held.
 *
 * Only chunks are made under it (node.h).  Device tasks never wait for a lock, and
 * nobody waits for anything else while holding one.
 */
#ifndef SNODE_DEVICE_LOCK_H
#define SNODE_DEVICE_LOCK_H

#include <snode/device/atomic.h>

#if !SND_ON_DEVICE
SND_INLINE void snd_lock(uint64_t *lock)
{
  int done = 0;
  while (!done) {
    /* Looked at first, so that waiters share the line.  Acquire: sees what the
     * one before did under the lock. */
    if (snd_load_u64(lock) == 0 && snd_compare_exchange_acquire_u64(lock, 0, 1) == 0) done = 1;
    else snd_pause();
    SND_OPAQUE(done);
  }
}

SND_INLINE void snd_unlock(uint64_t *lock)
{
  snd_store_release_u64(lock, 0);
}
#endif

#endif
