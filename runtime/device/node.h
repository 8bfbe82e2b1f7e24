/* SPDX-License-Identifier: BSD-3-Clause */
/* The node manager: where the cells of a pointer or hash SNode, or of a pool, come
 * from and go to.
 *
 * Three lists, as in Taichi's NodeManager: data (chunks of cells, ids 0 ..
 * reserved - 1), free (ids ready for use, taken from its head), recycled (ids
 * given back in this task; the free list again only after GC).
 *
 *   - Cells are dealt out by numbers: first the places of the free list, then ids from
 *     reserved on, one after the other (magazine.h).
 *   - A cell's id stands in the cell (id_offset, a multiple of 4 as cell_bytes is), or is found
 *     by its chunk (node_id.h).
 *   - A cell of the free list holds its id and its defaults: taking it writes nothing.
 *     Those at its end may be fresh, ids that a magazine had got and not used.
 *     A fresh cell is as its chunk was made: on hosts chunks are zero and making one
 *     writes nothing, so who takes a fresh id writes id and defaults, the first to
 *     touch them; on devices libsnode has written the whole chunk (SND_RT_INIT) where it
 *     made it, and where a task has made it see snd_node_fresh_id.
 *   - Chunks exist as a prefix: chunk k is made before k + 1, and before it the memory that the
 *     lists need for its ids, so that giving cells back and GC need none.  Host tasks make
 *     them in the tree's arena; device tasks find what libsnode made ahead, and make more out
 *     of the context's pool.
 *   - When memory runs out, `exhausted` says so until the task's end: an id that
 *     got no chunk is past all that did, so nobody who comes to the counter after it
 *     can have one either; what magazines still have is then for all.
 *
 * snode: any id that has a node manager.
 */
#ifndef SNODE_DEVICE_NODE_H
#define SNODE_DEVICE_NODE_H

#include <snode/device/fill.h>
#include <snode/device/lock.h>
#include <snode/device/magazine.h>
#include <snode/device/node_id.h>
#include <snode/device/recycled.h>
#include <snode/device/trap.h>

#define SND_NO_ID UINT64_MAX

/* Most cells are a few words: that many bytes are not worth a call. */
enum { SND_SMALL_CELL = 64 };

/* A cell that one thread zeroes. */
SND_INLINE void snd_node_zero(const SND_GLB snd_snode_view *node, sn_addr cell)
{
  const uint64_t bytes = node->cell_bytes;

  if (bytes > SND_SMALL_CELL || ((cell | bytes) & 7) != 0) snd_fill(cell, 0, bytes, 0, 1);
  else
    for (uint64_t at = 0; at < bytes; at += 8)
      snd_store_u64(SND_POINTER(snd_word_u64, cell + at), 0);
}

/* A cell without an id, split or not. */
SND_INLINE void
snd_node_reset_parts(const SND_GLB snd_snode_view *node, sn_addr cell, sn_addr from, int64_t part,
                     int64_t parts)
{
  for (uint32_t p = 0; p < node->parts; p++) {
    const uint64_t apart = p * snd_node_apart(node);
    snd_fill(cell + apart, from == 0 ? 0 : from + apart, node->cell_bytes, part, parts);
  }
}

/* A cell as it is handed out, whatever was in it; part of parts: see fill.h. */
SND_COLD void
snd_node_reset(const SND_GLB snd_snode_view *node, sn_addr cell, uint32_t id, int64_t part,
               int64_t parts)
{
  const uint64_t after = node->id_offset + sizeof id;
  const sn_addr from = node->ambient_is_zero ? 0 : node->ambient;

  if (!snd_node_has_id(node)) {
    snd_node_reset_parts(node, cell, from, part, parts);
    return;
  }
  if (!SND_ON_DEVICE && parts == 1 && from == 0) {
    snd_node_zero(node, cell);
    *snd_node_id(node, cell) = id;
    return;
  }
  /* Around the id: another thread of the team may have written it. */
  snd_fill(cell, from, node->id_offset, part, parts);
  snd_fill(cell + after, from == 0 ? 0 : from + after, node->cell_bytes - after, part, parts);
  if (part == 0) *snd_node_id(node, cell) = id;
}

/* ---- making chunks ---- */

#if !SND_ON_DEVICE
typedef sn_addr (*snd_take_fn)(void *user, uint64_t bytes, int is_cells);
#endif

/* Cuts bytes off the pool; 0: it has not so many.  Who is overtaken looks again, and each time
 * another one has got something: nobody waits.  It is a swap and no add, so that what is refused
 * takes nothing, and smaller chunks can still be had.  Relaxed: it deals out memory, which was
 * written before the task, or is not read before its taker has written it. */
SND_INLINE sn_addr snd_arena_cut(SND_GLB snd_arena *arena, uint64_t bytes)
{
  const uint64_t whole = (bytes + SND_ARENA_ALIGN - 1) & ~(uint64_t)(SND_ARENA_ALIGN - 1);
  const uint64_t end = arena->end;
  uint64_t next = snd_load_u64(&arena->next);

  while (next < end && whole <= end - next) {
    const uint64_t seen = snd_compare_exchange_u64(&arena->next, next, next + whole);
    if (seen == next) return next;
    next = seen;
  }
  return 0;
}

/* Bytes of the arena, 0 when it has none left.  SNodes of a tree share it and hold
 * different locks: its owner, or the swap above, keeps them apart. */
SND_INLINE sn_addr snd_arena_take(SND_GLB snd_arena *arena, uint64_t bytes, int is_cells)
{
#if !SND_ON_DEVICE
  const snd_take_fn take = (snd_take_fn)(uintptr_t)arena->take;

  if (take != 0) return take((void *)(uintptr_t)arena->user, bytes, is_cells);
#endif
  (void)is_cells;
  return snd_arena_cut(arena, bytes);
}

/* Whether tasks cut chunks off a pool, which need not be zero. */
SND_INLINE int snd_arena_is_pool(const SND_GLB snd_tree_view *view)
{
  return view->arena != 0 && snd_arena_of(view)->take == 0;
}

/* Places of the lists beyond the cells that have memory: for what magazines have got. */
SND_INLINE uint64_t snd_node_spare_ids(const SND_GLB snd_tree_view *view)
{
  return snd_arena_is_pool(view) ? 0 : SND_SPARE_IDS;
}

/* Makes the chunks of the recycled list that have places first .. last - 1, under the lock; 0: no
 * memory. */
SND_INLINE int
snd_node_make_recycled(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t first,
                       uint64_t last)
{
  for (uint64_t k = first - first % SND_RECYCLED_PLACES; k < last; k += SND_RECYCLED_PLACES) {
    SND_GLB uint64_t *chunk = snd_recycled_chunk(&view->snode[snode], k);
    sn_addr memory = snd_load_u64(chunk);
    if (memory != 0) continue;
    memory = snd_arena_take(snd_arena_of(view), SND_RECYCLED_BYTES, 0);
    if (memory == 0) return 0;
    snd_store_u64(chunk, memory);
  }
  return 1;
}

/* Makes a free list of so many places, under the lock; 0: no memory.  Threads are reading the one
 * there is, so it is the task's end that goes on with the longer one. */
SND_INLINE int
snd_node_make_free(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t places)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const uint64_t longer = snd_max_u64(2 * counters->free_places, places);
  sn_addr memory;

  if (counters->free_places >= places) return 1;
  memory = snd_arena_take(snd_arena_of(view), longer * sizeof(uint32_t), 0);
  if (memory == 0) return 0;
  counters->longer_free_ids = memory;
  counters->free_places = longer;
  return 1;
}

#if SND_ON_DEVICE
/* A chunk's cells get their defaults, by whoever makes it: see snd_node_fresh_id.  Cells are whole
 * words; of split ones the first parts of all come first. */
SND_INLINE void snd_node_fill_chunk(const SND_GLB snd_snode_view *node, sn_addr chunk)
{
  const uint64_t words = node->cell_bytes / sizeof(uint64_t);
  SND_GLB uint64_t *to = SND_POINTER(uint64_t, chunk);

  for (uint32_t p = 0; p < node->parts; p++) {
    const SND_GLB uint64_t *from =
      SND_CONST_POINTER(uint64_t, node->ambient + p * snd_node_apart(node));
    for (uint64_t cells = (uint64_t)1 << node->log2_chunk; cells > 0; cells--)
      for (uint64_t k = 0; k < words; k++) *to++ = from[k];
  }
}
#endif

/* Makes the next chunk, under the lock; 0: no memory.  Its memory stays untouched, but where
 * whoever takes a cell of it cannot write the cell's defaults. */
SND_INLINE int snd_node_make_chunk(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const uint64_t chunk = snd_load_u64(&counters->chunks_made);
  const uint64_t bytes = snd_node_bytes(node) << node->log2_chunk;
  const uint64_t first = chunk << node->log2_chunk;
  const uint64_t places = first + ((uint64_t)1 << node->log2_chunk) + snd_node_spare_ids(view);
  sn_addr memory;

  if (!snd_node_make_recycled(view, snode, first, places) ||
      !snd_node_make_free(view, snode, places))
    return 0;
  memory = snd_arena_take(snd_arena_of(view), bytes, 1);
  if (memory == 0) return 0;
#if SND_ON_DEVICE
  if (!node->ambient_is_zero) snd_node_fill_chunk(node, memory);
#endif
  /* Release on GPUs: who sees the address sees the defaults that stand behind it, too.  On
   * hosts, and in a processor's image, where nothing stands there yet, relaxed would do.  A
   * chunk is there before it is counted for those who hold the lock; others only look at
   * their own chunk's address. */
  snd_store_release_u64(&SND_POINTER(uint64_t, node->chunks)[chunk], memory);
  snd_store_u64(&counters->chunks_made, chunk + 1);
  return 1;
}

/* Chunk number chunk, made with all before it where it did not exist; 0: no memory.
 * Look, lock, look again, make.  The look is acquire: see snd_node_make_chunk.
 *
 * Lanes of a warp, of different slots, may want the lock of one SNode.  What is done under it
 * stands inside the loop: who gets the lock gives it back within the same turn, so a lane waits
 * for no sibling that waits for it, however lanes are scheduled. */
SND_COLD sn_addr
snd_node_touch_chunk(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t chunk)
{
  SND_GLB uint64_t *place = &SND_POINTER(uint64_t, view->snode[snode].chunks)[chunk];
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const int is_ahead = chunk < view->snode[snode].chunks_ahead;
  sn_addr memory = is_ahead ? snd_load_u64(place) : snd_load_acquire_u64(place);
  int done = memory != 0 || view->arena == 0;

  while (!done) {
    if (snd_try_lock(&counters->chunk_lock)) {
      int more = 1;
      while (more && snd_load_u64(&counters->chunks_made) <= chunk)
        more = snd_node_make_chunk(view, snode);
      memory = snd_load_u64(place);  /* ordered by the lock */
      snd_unlock(&counters->chunk_lock);
      done = 1;
    } else {
      snd_pause();
    }
    SND_OPAQUE(done);
  }
  return memory;
}

/* The chunk of place k of the recycled list, where this thread has not seen it yet: another has
 * made it in this task.  It is there, since the list is no longer than the ids that were handed
 * out and what magazines have; and whoever made it had the lock before this thread.  Else this
 * thread's release of the lock would come before the making, and so its place before those of
 * the ids that the chunk was made for. */
SND_COLD sn_addr
snd_node_find_recycled(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t k)
{
  SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  sn_addr chunk = 0;
  int done = 0;

  while (!done) {
    if (snd_try_lock(&counters->chunk_lock)) {
      chunk = snd_load_u64(snd_recycled_chunk(&view->snode[snode], k));
      snd_unlock(&counters->chunk_lock);
      done = 1;
    } else {
      snd_pause();
    }
    SND_OPAQUE(done);
  }
  return chunk;
}

/* Notes that the SNode could have no more cells.  At its limit it is a matter of
 * capacity, below that of memory: which one is known once the last chunk that was
 * dealt out has been tried for; others may still be about to make it. */
SND_COLD void
snd_node_exhausted(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                   int32_t slot)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const uint64_t dealt = snd_max_u64(snd_load_u64(&counters->taken), counters->free);
  const uint64_t wanted = snd_min_u64(counters->reserved + (dealt - counters->free),
                                      node->capacity);
  uint64_t made, have;
  int at_limit;

  if (snd_stopped(launch)) return;
  if (wanted > 0) (void)snd_node_touch_chunk(view, snode, (wanted - 1) >> node->log2_chunk);
  made = snd_node_made(node, counters);
  have = snd_min_u64(made, node->capacity);
  at_limit = node->capacity < made || (view->arena != 0 && node->capacity == made);
  /* A pool's parent is the SNode it serves. */
  snd_trap_cells(launch, at_limit ? SN_ECAPACITY : SN_ENOMEM, slot,
                 node->kind == SND_SNODE_POOL ? node->parent : snode, snode, have);
}

/* A cell that was never handed out, by its id; SND_NO_ID: no memory.  Its
 * taker alone knows it: plain stores, which the release of the word that publishes the
 * cell (or the end of the task) orders.
 *
 * Of chunks that libsnode made ahead nothing is to be written.  On GPUs, whose readers load words
 * relaxed, the defaults of others stand there before anybody knows of a cell: the pool is zero,
 * and who makes a chunk writes what is not; its taker writes the id alone, which only whoever
 * takes the cell out reads, by acquire (snd_slot_deactivate).  A line of a neighbour's that a
 * multiprocessor has kept may so hold an old id, but no old value. */
SND_INLINE uint64_t
snd_node_fresh_id(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t id)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const uint64_t in_chunk = ((uint64_t)1 << node->log2_chunk) - 1;
  const sn_addr chunk = snd_node_touch_chunk(view, snode, id >> node->log2_chunk);
  const sn_addr cell = chunk + (id & in_chunk) * node->cell_bytes;

  if (chunk == 0) return SND_NO_ID;
  if (view->arena != 0 && id >> node->log2_chunk >= node->chunks_ahead) {
    if (!SND_ON_DEVICE && (!node->ambient_is_zero || snd_arena_is_pool(view)))
      snd_node_reset(node, cell, (uint32_t)id, 0, 1);
    else if (snd_node_has_id(node)) *snd_node_id(node, cell) = (uint32_t)id;
  }
  return id;
}

/* What a number stands for: the id of a cell that can be handed out; SND_NO_ID: there is no
 * memory for it, or no number. */
SND_INLINE uint64_t
snd_node_id_of_number(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t number)
{
  const SND_GLB snd_snode_counters *counters = snd_counters(view, snode);
  const SND_GLB uint32_t *free_ids = SND_CONST_POINTER(uint32_t, counters->free_ids);
  const uint64_t free = counters->free;

  if (number < counters->ready) return free_ids[number];
  if (number == SND_NO_NUMBER) return SND_NO_ID;
  return snd_node_fresh_id(view, snode,
                           number < free ? free_ids[number] : counters->reserved + (number - free));
}

/* The counter has no more numbers, or what it has has no memory: what is left is what other threads
 * have got and not used.  The store is release: see snd_magazine_refill. */
SND_COLD uint64_t snd_node_take_left_over(const SND_GLB snd_tree_view *view, int32_t snode)
{
#if SND_ON_DEVICE
  snd_raise(&snd_counters(view, snode)->exhausted);
  return SND_NO_ID;
#else
  uint64_t number, id = SND_NO_ID;

  snd_store_release_u64(&snd_counters(view, snode)->exhausted, 1);
  do {
    number = snd_number_steal(view, snode, SND_NO_NUMBER);
    id = snd_node_id_of_number(view, snode, number);
  } while (number != SND_NO_NUMBER && id == SND_NO_ID);
  return id;
#endif
}

/* Takes a cell out of the free list or, when that is empty, the data list: its id;
 * SND_NO_ID and a noted error when there is none. */
SND_INLINE uint64_t
snd_node_take_id(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                 int32_t slot)
{
  uint64_t id = snd_node_id_of_number(view, snode, snd_number_take(view, snode));

  if (SND_UNLIKELY(id == SND_NO_ID)) {
    id = snd_node_take_left_over(view, snode);
    if (id == SND_NO_ID) snd_node_exhausted(view, snode, launch, slot);
    if (id == SND_NO_ID && snd_arena_is_pool(view))
      snd_atomic_add_u64(&snd_arena_of(view)->missed, snd_node_bytes(&view->snode[snode]));
  }
  return id;
}

/* The same: the cell, 0 when there is none. */
SND_INLINE sn_addr
snd_node_take(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot)
{
  const uint64_t id = snd_node_take_id(view, snode, launch, slot);
  return id != SND_NO_ID ? snd_node_cell(&view->snode[snode], id) : 0;
}

/* Gives a cell back, in the name of the one who took it out of its slot.  An id is active at
 * most once, so the recycled list is no longer than the ids that were handed out, and what
 * magazines have of it. */
SND_INLINE void snd_node_recycle_id(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t id)
{
  const uint64_t k = snd_place_take(view, snode);
  sn_addr chunk = snd_chunk_address(snd_recycled_chunk(&view->snode[snode], k));

  if (SND_UNLIKELY(chunk == 0)) chunk = snd_node_find_recycled(view, snode, k);
  SND_POINTER(uint32_t, chunk)[k % SND_RECYCLED_PLACES] = (uint32_t)id;
}

SND_INLINE void snd_node_recycle(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr cell)
{
  snd_node_recycle_id(view, snode, snd_node_id_of(view, snode, cell));
}

/* The same, between tasks, for all cells that a row of slots holds: one add for them
 * together.  empty: the slots are set to 0.  Gives how many cells there were. */
SND_INLINE int64_t
snd_node_recycle_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB uint64_t *slots,
                     int64_t count, int empty)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  int64_t cells = 0;
  uint64_t place;

  for (int64_t k = 0; k < count; k++) cells += slots[k] != 0;
  if (cells == 0) return 0;
  place = snd_fetch_add_u64(&snd_counters(view, snode)->recycled, (uint64_t)cells);
  for (int64_t k = 0; k < count; k++)
    if (slots[k] != 0) {
      *snd_recycled_at(node, place++) = snd_node_id_of(view, snode, slots[k]);
      if (empty) slots[k] = 0;
    }
  return cells;
}

#endif
