/* dynamic: a container is one slot that leads to its body: the length, and a
 * directory of chunks in which the cells stand in order (layout: sn_snode_view).
 *
 * The slot, the chunks' slots and the tail directory's follow the protocol of
 * pointer.h, one word each: who takes it builds, who needs it waits for that one.
 *
 *   - An append takes its position from the length, then finds or builds its chunk:
 *     appenders meet at one counter, and wait only where a chunk is being built.
 *   - Parts of a body are built in ascending order: one that is there has all before
 *     it, and what runs out of memory leaves no hole.
 *   - Emptying exchanges the slot; the body with all its chunks waits for GC.  Who
 *     still holds the body writes where nobody looks.
 *   - The length may pass the extent, and for a while the chunks: a position is
 *     active below the length, and reads as the default while its chunk is missing.
 *     The end of a task that ran out of memory cuts the length to the chunks.
 *
 * t/model/dynamic.pml checks this exhaustively.
 *
 * The six functions that every kind has, and length, append, at, run.  container: the
 * slot's address; p: position, inside the extent.
 */
#ifndef SNODE_DEVICE_DYNAMIC_H
#define SNODE_DEVICE_DYNAMIC_H

#include <snode/device/pointer.h>

SND_INLINE SND_GLB uint64_t *snd_dynamic_length_word(sn_addr body)
{
  return SND_POINTER(uint64_t, body);
}

/* ---- where a position stands ----
 * The parts of a body, in the order in which they are built: 0: its own cells; 1 ..
 * heads - 1: head chunks; heads: the tail directory; heads + 1 + t: tail chunk t. */
typedef struct snd_dynamic_place {
  int64_t part;
  int64_t first;                 /* position of the part's first cell */
} snd_dynamic_place;

SND_INLINE snd_dynamic_place snd_dynamic_place_of(const SND_GLB sn_snode_view *node, int64_t p)
{
  const int64_t head = 64 - snd_clz((uint64_t)p >> node->log2_first);
  snd_dynamic_place place = { head, 0 };

  if (head >= (int64_t)node->heads) {
    const int64_t tail = (int64_t)1 << (node->log2_first + node->heads - 1);
    const int64_t number = (p - tail) >> node->log2_tail;
    place.part = (int64_t)node->heads + 1 + number;
    place.first = tail + (number << node->log2_tail);
  } else if (head > 0) {
    place.first = (int64_t)1 << (node->log2_first + (uint32_t)head - 1);
  }
  return place;
}

/* Cells of a part; head chunk k >= 1 has as many as there are before it. */
SND_INLINE int64_t
snd_dynamic_part_cells(const SND_GLB sn_snode_view *node, const snd_dynamic_place *place)
{
  if (place->part > (int64_t)node->heads) return (int64_t)1 << node->log2_tail;
  return place->part > 0 ? place->first : (int64_t)1 << node->log2_first;
}

/* How many positions from p on, below last, are in one part. */
SND_INLINE int64_t
snd_dynamic_together(const SND_GLB sn_snode_view *node, int64_t p, int64_t last)
{
  const snd_dynamic_place place = snd_dynamic_place_of(node, p);
  return snd_min_i64(last, place.first + snd_dynamic_part_cells(node, &place)) - p;
}

/* settled: plain loads, of slots that are constants in this task. */
SND_INLINE uint64_t snd_dynamic_load(const SND_GLB uint64_t *slot, int settled)
{
  return settled ? *slot : snd_pointer_load(slot);
}

/* The slot of part >= 1; NULL: it stands in a tail directory that is not there. */
SND_INLINE SND_GLB uint64_t *
snd_dynamic_slot(const SND_GLB sn_snode_view *node, sn_addr body, int64_t part, int settled)
{
  const int64_t heads = (int64_t)node->heads;
  sn_addr directory;

  if (part <= heads) return SND_POINTER(uint64_t, body) + part;
  directory = snd_dynamic_load(SND_POINTER(uint64_t, body) + heads, settled);
  return directory > SND_BUILDING ? SND_POINTER(uint64_t, directory) + (part - heads - 1) : NULL;
}

/* The address of a part's first cell; <= SND_BUILDING: it is not there. */
SND_INLINE sn_addr
snd_dynamic_cells(const SND_GLB sn_snode_view *node, sn_addr body, int64_t part, int settled)
{
  const SND_GLB uint64_t *slot;

  if (part == 0) return body + node->first_offset;
  slot = snd_dynamic_slot(node, body, part, settled);
  return slot != NULL ? snd_dynamic_load(slot, settled) : SND_INACTIVE;
}

/* ---- looking ---- */

/* What is there, as `settled` allows to look; `absent` where there is nothing. */
SND_INLINE sn_addr
snd_dynamic_find_in(const SND_GLB sn_snode_view *node, sn_addr body, int64_t p, sn_addr absent,
                    int settled)
{
  snd_dynamic_place place;
  sn_addr cells;

  if ((uint64_t)p >= snd_dynamic_load(snd_dynamic_length_word(body), settled)) return absent;
  place = snd_dynamic_place_of(node, p);
  cells = snd_dynamic_cells(node, body, place.part, settled);
  return cells > SND_BUILDING ? cells + (uint64_t)(p - place.first) * node->cell_bytes : absent;
}

SND_INLINE sn_addr
snd_dynamic_find(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p, sn_addr absent,
                 int settled)
{
  const sn_addr body = snd_dynamic_load(SND_CONST_POINTER(uint64_t, container), settled);
  return body > SND_BUILDING ? snd_dynamic_find_in(node, body, p, absent, settled) : absent;
}

/* Positions of one container. */
SND_INLINE int64_t snd_dynamic_capacity(const SND_GLB sn_snode_view *node)
{
  return (int64_t)node->cells;
}

/* Cells; in a task that appends, those reserved so far. */
SND_INLINE int64_t snd_dynamic_length(const SND_GLB sn_snode_view *node, sn_addr container)
{
  const sn_addr body = snd_pointer_load(SND_CONST_POINTER(uint64_t, container));

  if (body <= SND_BUILDING) return 0;
  return (int64_t)snd_min_u64(snd_load_u64(snd_dynamic_length_word(body)), node->cells);
}

SND_INLINE sn_addr
snd_dynamic_lookup(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p, sn_addr absent)
{
  return snd_dynamic_find(node, container, p, absent, 0);
}

/* The cell to read: the ambient cell where it is inactive; never to be written. */
SND_INLINE sn_addr snd_dynamic_read(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, node->ambient, 0);
}

/* The cell, 0 where it is inactive. */
SND_INLINE sn_addr snd_dynamic_peek(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, 0, 0);
}

/* The same in a task that neither activates nor deactivates (pointer.h). */
SND_INLINE sn_addr
snd_dynamic_read_settled(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, node->ambient, 1);
}

SND_INLINE sn_addr
snd_dynamic_peek_settled(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, 0, 1);
}

SND_INLINE int64_t
snd_dynamic_length_settled(const SND_GLB sn_snode_view *node, sn_addr container)
{
  const sn_addr body = *SND_CONST_POINTER(uint64_t, container);
  return body != SND_INACTIVE
           ? (int64_t)snd_min_u64(*snd_dynamic_length_word(body), node->cells) : 0;
}

SND_INLINE int
snd_dynamic_is_active(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p)
{
  return p >= 0 && p < snd_dynamic_length(node, container);
}

/* The first active cell >= p; the capacity: none. */
SND_INLINE int64_t
snd_dynamic_iterate(const SND_GLB sn_snode_view *node, sn_addr container, int64_t p)
{
  return p < snd_dynamic_length(node, container) ? p : snd_dynamic_capacity(node);
}

/* ---- cells that are known to be there: a list's pieces, one's own appends ----
 * Plain loads: whoever knows has acquired the chunk, or is ordered behind a task that
 * made it; its slot is not written again. */

/* How many cells from p on, below last, stand side by side; the first of them. */
SND_INLINE int64_t
snd_dynamic_run(const SND_GLB sn_snode_view *node, sn_addr body, int64_t p, int64_t last,
                sn_addr *first)
{
  const snd_dynamic_place place = snd_dynamic_place_of(node, p);

  *first = snd_dynamic_cells(node, body, place.part, 1) +
           (uint64_t)(p - place.first) * node->cell_bytes;
  return snd_dynamic_together(node, p, last);
}

SND_INLINE sn_addr snd_dynamic_at(const SND_GLB sn_snode_view *node, sn_addr body, int64_t p)
{
  sn_addr cell;
  (void)snd_dynamic_run(node, body, p, p + 1, &cell);
  return cell;
}

/* ---- making ---- */

SND_INLINE int
snd_dynamic_has(const SND_GLB sn_snode_view *node, sn_addr body, int64_t part)
{
  return snd_dynamic_cells(node, body, part, 0) > SND_BUILDING;
}

/* Builds what is missing up to a part; its address; 0: no memory.  Others build here
 * too, and may be waited for: who builds holds one slot and waits for nobody. */
SND_COLD sn_addr
snd_dynamic_grow(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                 int32_t slot, sn_addr body, int64_t part)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const int64_t heads = (int64_t)node->heads;
  int64_t next = part;
  sn_addr cells;

  while (next > 1 && !snd_dynamic_has(node, body, next - 1)) next--;
  do {
    const int32_t manager = node->pool + (int32_t)snd_min_i64(next, heads + 1);
    /* The directory is part `heads`: before whatever stands in it. */
    cells = snd_slot_build(view, manager, snode, launch, slot,
                           snd_dynamic_slot(node, body, next, 0));
  } while (cells != 0 && next++ < part);
  return cells;
}

#if SND_HAS_LANES
/* One lane at a time for each body: no lane waits for a sibling.  A leader that
 * failed fails for all: parts are built in order, so theirs cannot be had either,
 * or are there. */
SND_INLINE sn_addr
snd_dynamic_grow_lanes(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                       int32_t slot, sn_addr body, int64_t part)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  sn_addr cells = 0;
  int done = 0;

  while (!done) {
    const uint32_t lanes = snd_lanes_alike(body);
    const uint32_t leader = (uint32_t)snd_ctz(lanes);
    const int leads = snd_lane() == leader;
    if (leads) cells = snd_dynamic_grow(view, snode, launch, slot, body, part);
    done = snd_lane_value(lanes, leader, cells) == 0;
    if (!leads) cells = snd_dynamic_cells(node, body, part, 0);
    done |= cells > SND_BUILDING;
    SND_OPAQUE(done);
  }
  return cells > SND_BUILDING ? cells : 0;
}
#endif

/* The cell at position p of a body, its chunk made; 0: no memory. */
SND_INLINE sn_addr
snd_dynamic_reach(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                  int32_t slot, sn_addr body, int64_t p)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const snd_dynamic_place place = snd_dynamic_place_of(node, p);
  sn_addr cells = snd_dynamic_cells(node, body, place.part, 0);

  if (SND_UNLIKELY(cells <= SND_BUILDING)) {
#if SND_HAS_LANES
    cells = snd_dynamic_grow_lanes(view, snode, launch, slot, body, place.part);
#else
    cells = snd_dynamic_grow(view, snode, launch, slot, body, place.part);
#endif
    if (cells == 0) return 0;
  }
  return cells + (uint64_t)(p - place.first) * node->cell_bytes;
}

SND_INLINE sn_addr
snd_dynamic_body(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                 int32_t slot, sn_addr container)
{
  return snd_slot_activate(view, view->snode[snode].pool, snode, launch, slot,
                           SND_POINTER(uint64_t, container));
}

/* The cell, made active with all before it; 0: no memory.  The length grows once the
 * chunk is there; relaxed: readers look at the chunk's slot themselves. */
SND_INLINE sn_addr
snd_dynamic_activate_in(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                        int32_t slot, sn_addr body, int64_t p)
{
  const sn_addr cell = snd_dynamic_reach(view, snode, launch, slot, body, p);

  if (cell != 0 && snd_load_u64(snd_dynamic_length_word(body)) <= (uint64_t)p) {
    snd_atomic_max_u64(snd_dynamic_length_word(body), (uint64_t)p + 1);
    snd_raise(&snd_counters(view, snode)->touched);
  }
  return cell;
}

SND_INLINE sn_addr
snd_dynamic_activate(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                     int32_t slot, sn_addr container, int64_t p)
{
  const sn_addr body = snd_dynamic_body(view, snode, launch, slot, container);
  return body != 0 ? snd_dynamic_activate_in(view, snode, launch, slot, body, p) : 0;
}

SND_COLD int64_t
snd_dynamic_full(SND_GLB sn_launch *launch, int32_t site, int32_t slot, int32_t snode,
                 uint64_t have, uint64_t want)
{
  snd_trap_memory_at(launch, SN_ECAPACITY, site, slot, snode, have, want);
  return -1;
}

/* A new last cell: its position; -1: it cannot be had, which is noted.  container 0:
 * what should hold it could not be had.  The add is relaxed: it deals out positions,
 * each to one; who is dealt one past the extent writes nothing.  *cell: the cell, where
 * there is one. */
SND_INLINE int64_t
snd_dynamic_append_cell(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                        int32_t slot, sn_addr container, int32_t site, sn_addr *cell)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const sn_addr body =
    container != 0 ? snd_dynamic_body(view, snode, launch, slot, container) : 0;
  uint64_t p;

  if (SND_UNLIKELY(body == 0)) return -1;
  /* An atomic add alone does not teach a processor's prefetcher that lists are taken in
   * turn: three times as slow. */
  SND_WILL_WRITE(body);
  p = snd_fetch_add_u64(snd_dynamic_length_word(body), 1);
  if (SND_UNLIKELY(p >= node->cells))
    return snd_dynamic_full(launch, site, slot, snode, node->cells, p + 1);
  *cell = snd_dynamic_reach(view, snode, launch, slot, body, (int64_t)p);
  if (SND_UNLIKELY(*cell == 0)) return -1;
  snd_raise(&snd_counters(view, snode)->touched);
  return (int64_t)p;
}

/* The same where the cell itself is not wanted. */
SND_INLINE int64_t
snd_dynamic_append(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                   int32_t slot, sn_addr container, int32_t site)
{
  sn_addr cell = 0;
  return snd_dynamic_append_cell(view, snode, launch, slot, container, site, &cell);
}

/* Empties the container: l does not matter. */
SND_INLINE void
snd_dynamic_deactivate(const SND_GLB sn_tree_view *view, int32_t snode, sn_addr container,
                       int64_t l)
{
  (void)l;
  snd_slot_deactivate(view, view->snode[snode].pool, snode, SND_POINTER(uint64_t, container));
}

#endif
