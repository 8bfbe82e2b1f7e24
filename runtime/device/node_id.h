/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells and their ids: which cell an id is of, and which id a cell has.
 *
 * An id is a number of a chunk and a place in it.  Most cells have their id in them.  Between
 * containers that fill lines of a cache it would be a gap, for which a stencil over them takes a
 * third longer: of a cell that is split, or holds one such container and nothing else, the chunk is
 * looked for in which the cell stands.
 *
 * snode: any id that has a node manager.
 */
#ifndef SNODE_DEVICE_NODE_ID_H
#define SNODE_DEVICE_NODE_ID_H

#include <snode/device/magazine.h>
#include <snode/device/recycled.h>

/* Cells that have memory. */
SND_INLINE uint64_t
snd_node_made(const SND_GLB snd_snode_view *node, const SND_GLB snd_snode_counters *counters)
{
  return snd_load_u64(&counters->chunks_made) << node->log2_chunk;
}

/* The cell of an id.  Its chunk may have been made in this task, by another thread: whoever told
 * the id had seen the address, so it is seen here. */
SND_INLINE sn_addr snd_node_cell(const SND_GLB snd_snode_view *node, uint64_t id)
{
  const uint64_t in_chunk = ((uint64_t)1 << node->log2_chunk) - 1;
  const SND_GLB uint64_t *chunk =
    &SND_CONST_POINTER(uint64_t, node->chunks)[id >> node->log2_chunk];

  return snd_chunk_seen(chunk) + (id & in_chunk) * node->cell_bytes;
}

SND_INLINE int snd_node_has_id(const SND_GLB snd_snode_view *node)
{
  return node->id_offset != SND_ID_NOWHERE;
}

/* Where the id stands in a cell that has one. */
SND_INLINE SND_GLB uint32_t *snd_node_id(const SND_GLB snd_snode_view *node, sn_addr cell)
{
  return SND_POINTER(uint32_t, cell + node->id_offset);
}

/* From one part of a split cell to the next. */
SND_INLINE uint64_t snd_node_apart(const SND_GLB snd_snode_view *node)
{
  return node->cell_bytes << node->log2_chunk;
}

/* Bytes of a cell, all its parts. */
SND_INLINE uint64_t snd_node_bytes(const SND_GLB snd_snode_view *node)
{
  return node->cell_bytes * node->parts;
}

/* ---- the chunk of a cell without an id ---- */

SND_INLINE SND_GLB snd_arena *snd_arena_of(const SND_GLB snd_tree_view *view)
{
  return SND_POINTER(snd_arena, view->arena);
}

/* The stretch that the address stands in; -1: none.  Most memory is in the latest. */
SND_INLINE int64_t snd_stretch_of(const SND_GLB snd_arena *arena, sn_addr at)
{
  int64_t s = (int64_t)snd_load_acquire_u64(&arena->stretch_count) - 1;

  while (s >= 0 && at - arena->stretch[s].first >= arena->stretch[s].bytes) s--;
  return s;
}

/* Where the chunk would be that the cell stands in, if all chunks were in order.
 *
 * On hosts they are: a stretch's are cut off one behind the other, and stretches one after the
 * other, so chunk k was made before chunk k + 1 and is in an earlier stretch, or earlier in the
 * same one.  So it is found by bisection.  What this thread has not seen yet is 0, and is taken to
 * be behind the cell: whoever told the cell had seen its chunk (snd_node_cell), and what was noted
 * before that.  On devices memory comes as it comes. */
SND_INLINE uint64_t
snd_chunk_guess(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr cell)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const SND_GLB uint64_t *chunks = SND_CONST_POINTER(uint64_t, node->chunks);
  const SND_GLB snd_arena *arena = snd_arena_of(view);
  uint64_t low = 0, high = snd_load_u64(&snd_counters(view, snode)->chunks_made);
  const int64_t stretch =
    !SND_ON_DEVICE && view->arena != 0 && high > 0 ? snd_stretch_of(arena, cell) : -1;

  if (stretch < 0)
    return snd_min_u64((cell - snd_chunk_seen(&chunks[0])) /
                         (snd_node_bytes(node) << node->log2_chunk), high > 0 ? high - 1 : 0);
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    const sn_addr chunk = snd_chunk_seen(&chunks[middle]);
    const int64_t of = chunk == 0 ? INT64_MAX : snd_stretch_of(arena, chunk);
    if (of < stretch || (of == stretch && chunk <= cell)) low = middle;
    else high = middle;
  }
  return low;
}

/* The id of a cell that has none in it: its chunk is looked for where it should be, and then ever
 * further from there, to both sides.  It is found: see snd_chunk_guess. */
SND_COLD uint32_t
snd_node_find_id(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr cell)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const SND_GLB uint64_t *chunks = SND_CONST_POINTER(uint64_t, node->chunks);
  const uint64_t apart = snd_node_apart(node);
  const uint64_t count = ((node->capacity - 1) >> node->log2_chunk) + 1;
  const uint64_t guess = snd_chunk_guess(view, snode, cell);
  uint64_t k = guess;

  for (uint64_t away = 0; away < count; away++) {
    k = guess - away;                  /* wraps around below 0 */
    if (k < count && cell - snd_chunk_seen(&chunks[k]) < apart) break;
    k = guess + away;
    if (k < count && cell - snd_chunk_seen(&chunks[k]) < apart) break;
  }
  return (uint32_t)((k << node->log2_chunk) +
                    (cell - snd_chunk_seen(&chunks[k])) / node->cell_bytes);
}

SND_INLINE uint32_t
snd_node_id_of(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr cell)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  return snd_node_has_id(node) ? *snd_node_id(node, cell)
                               : snd_node_find_id(view, snode, cell);
}

#endif
