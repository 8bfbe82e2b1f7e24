/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_REHASH: the keys of a hash into its buckets, which are all 0: after GC, so that
 * keys without a cell go, or into more buckets than before.
 *
 * A key keeps its id, so positions stay what they are.  A key without a cell is
 * recycled; the next GC of the pool makes it blank.
 */
#ifndef SNODE_DEVICE_REHASH_H
#define SNODE_DEVICE_REHASH_H

#include <snode/device/hash.h>
#include <snode/device/task.h>

/* The bucket of a key that is there. */
SND_INLINE SND_GLB uint64_t *
snd_rehash_bucket(const SND_GLB snd_snode_view *node, sn_addr entry)
{
  const SND_GLB int64_t *at = snd_hash_at(entry);
  const int32_t axes = snd_popcount(node->own_axes);
  uint64_t h = 0;

  for (int32_t k = 0; k < axes; k++) h = snd_hash_mix(h, at[k]);
  return snd_hash_bucket_of(node, h);
}

/* Relaxed: chains are read by later tasks. */
SND_INLINE void snd_rehash_push(SND_GLB uint64_t *bucket, sn_addr entry)
{
  uint64_t head = snd_load_u64(bucket), seen;

  for (;;) {
    *SND_POINTER(uint64_t, entry) = head != 0 ? head : SND_CHAIN_END;
    seen = snd_compare_exchange_u64(bucket, head, entry);
    if (seen == head) break;
    head = seen;
  }
}

SND_INLINE void
snd_rehash(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
           int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const snd_share share =
    snd_share_of(worker, (int64_t)snd_counters(view, node->pool)->reserved);

  (void)launch;
  (void)slot;
  for (int64_t l = share.first; l < share.last; l += share.step) {
    const sn_addr entry = snd_hash_entry(node, l);
    SND_GLB uint64_t *next = SND_POINTER(uint64_t, entry);
    if (*next == 0) continue;
    if (*snd_hash_slot(entry) != SND_INACTIVE) {
      snd_rehash_push(snd_rehash_bucket(node, entry), entry);
    } else {
      /* Said before anybody else looks: it is in no chain, and is recycled once. */
      *next = 0;
      snd_node_recycle(view, node->pool, entry);
    }
  }
}

SND_INLINE int64_t snd_rehash_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_work(8 * (int64_t)snd_counters(view, view->snode[snode].pool)->reserved);
}

SND_RUNTIME_TASK(rehash, snd_rehash_work)

#endif
