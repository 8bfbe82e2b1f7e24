/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the recycled list of a node manager stands, and a bit for each id to sort it by (gc.h).
 *
 * In chunks, like cells: while a task takes cells out nothing moves, and address space is taken for
 * what is used.  Whoever makes a chunk of cells makes those of the list first (node.h; on devices
 * libsnode): there is a place for every cell that has memory, and SND_SPARE_IDS more for what
 * magazines have got.
 *
 * snode: what has a node manager.
 */
#ifndef SNODE_DEVICE_RECYCLED_H
#define SNODE_DEVICE_RECYCLED_H

#include <snode/device/atomic.h>
#include <snode/device/index.h>

/* The address of a chunk.  Relaxed on hosts, where another thread may make it in this task: its
 * memory is zero, so that the address is all that is told. */
SND_INLINE sn_addr snd_chunk_address(const SND_GLB uint64_t *chunk)
{
#if SND_ON_DEVICE
  return *chunk;
#else
  return snd_load_u64(chunk);
#endif
}

/* The address of a chunk that is there, maybe since a moment ago.  On GPUs a multiprocessor may
 * have kept an older state of the line: then it is looked at again, where all of them look.  That
 * look depends on the word that has told this thread of the chunk, and the word was stored by
 * release behind the address: the hardware does not turn that round. */
SND_INLINE sn_addr snd_chunk_seen(const SND_GLB uint64_t *chunk)
{
  const sn_addr address = snd_chunk_address(chunk);
#if SND_ON_DEVICE
  return address != 0 ? address : snd_load_u64(chunk);
#else
  return address;
#endif
}

/* Where the address of the chunk that has place k stands. */
SND_INLINE SND_GLB uint64_t *
snd_recycled_chunk(const SND_GLB snd_snode_view *node, uint64_t k)
{
  return &SND_POINTER(uint64_t, node->recycled_chunks)[k / SND_RECYCLED_PLACES];
}

/* Place k of the list; its chunk was there when the task began. */
SND_INLINE SND_GLB uint32_t *snd_recycled_at(const SND_GLB snd_snode_view *node, uint64_t k)
{
  const sn_addr chunk = snd_chunk_address(snd_recycled_chunk(node, k));
  return &SND_POINTER(uint32_t, chunk)[k % SND_RECYCLED_PLACES];
}

/* Of count places from k on: how many stand in one chunk with it. */
SND_INLINE int64_t snd_recycled_together(int64_t k, int64_t count)
{
  return snd_min_i64(count, SND_RECYCLED_PLACES - k % SND_RECYCLED_PLACES);
}

/* The bits of ids 64 w .. 64 w + 63. */
SND_INLINE SND_GLB uint64_t *snd_recycled_bits(const SND_GLB snd_snode_view *node, int64_t w)
{
  const sn_addr chunk = snd_chunk_address(snd_recycled_chunk(node, (uint64_t)w * 64));
  const sn_addr bits = chunk + SND_RECYCLED_PLACES * sizeof(uint32_t);

  return &SND_POINTER(uint64_t, bits)[w % (SND_RECYCLED_PLACES / 64)];
}

#endif
