/* SPDX-License-Identifier: BSD-3-Clause */
/* dynamic: a container is one word, the number of its body above the length: what an
 * append takes, and what emptying takes away, is one word.  The body holds the first
 * chunk of cells and a directory of further ones (layout: snd_snode_view).
 *
 *   word >> length_bits   0: empty, 1: the body is being built, else its id + 2
 *   the bits below        the length, where there is a body; without one nothing
 *
 * The word, the chunks' slots and the tail directory's follow the protocol of
 * pointer.h, one word each: who takes it builds, who needs it waits for that one.
 *
 *   - An append is an add to the word: it gives the position, and the body to which that
 *     belongs.  Then it finds or builds the chunk: appenders wait only where one is
 *     being built.  An add that meets no body was overtaken by an emptying, counts
 *     nothing (who builds the next body stores the whole word) and is done again.
 *   - Parts of a body are built in ascending order: one that is there has all before
 *     it, and what runs out of memory leaves no hole.
 *   - Emptying exchanges the word; the body with all its chunks waits for GC.  Who
 *     still holds the body writes where nobody looks.
 *   - The length may pass the extent, and for a while the chunks: a position is
 *     active below the length, and reads as the default while its chunk is missing.
 *     The end of a task that ran out of memory cuts the length to the chunks.  It never
 *     reaches the body's number: a full container is not added to by who looks first,
 *     and who does not look (snd_dynamic_hint) does so once.
 *
 * t/model/dynamic.pml checks this exhaustively.
 *
 * The six functions that every kind has, and length, append, at, run.  container: the
 * word's address; p: position, inside the extent.
 */
#ifndef SNODE_DEVICE_DYNAMIC_H
#define SNODE_DEVICE_DYNAMIC_H

#include <snode/device/pointer.h>

/* ---- the word ---- */

/* SND_INACTIVE, SND_BUILDING, or a body's id + SND_FIRST_BODY. */
SND_INLINE uint64_t snd_dynamic_number(const SND_GLB snd_snode_view *node, uint64_t word)
{
  return word >> node->length_bits;
}

SND_INLINE int snd_dynamic_has_body(const SND_GLB snd_snode_view *node, uint64_t word)
{
  return snd_dynamic_number(node, word) >= SND_FIRST_BODY;
}

/* As it stands in the word; it may have passed the extent. */
SND_INLINE uint64_t snd_dynamic_counted(const SND_GLB snd_snode_view *node, uint64_t word)
{
  return word & (((uint64_t)1 << node->length_bits) - 1);
}

SND_INLINE int64_t snd_dynamic_length_in(const SND_GLB snd_snode_view *node, uint64_t word)
{
  return snd_dynamic_has_body(node, word)
           ? (int64_t)snd_min_u64(snd_dynamic_counted(node, word), node->cells) : 0;
}

/* The pool of its bodies: it stands so many views further on. */
SND_INLINE const SND_GLB snd_snode_view *snd_dynamic_bodies(const SND_GLB snd_snode_view *node)
{
  return node + (node->pool - node->id);
}

/* The body of a word that has one. */
SND_INLINE sn_addr snd_dynamic_body(const SND_GLB snd_snode_view *node, uint64_t word)
{
  return snd_node_cell(snd_dynamic_bodies(node), snd_dynamic_number(node, word) - SND_FIRST_BODY);
}

/* ---- where a position stands ----
 * The parts of a body, in the order in which they are built: 0: its own cells; 1 ..
 * heads - 1: head chunks; heads: the tail directory; heads + 1 + t: tail chunk t. */
typedef struct snd_dynamic_place {
  int64_t part;
  int64_t first;                 /* position of the part's first cell */
} snd_dynamic_place;

SND_INLINE snd_dynamic_place snd_dynamic_place_of(const SND_GLB snd_snode_view *node, int64_t p)
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
snd_dynamic_part_cells(const SND_GLB snd_snode_view *node, const snd_dynamic_place *place)
{
  if (place->part > (int64_t)node->heads) return (int64_t)1 << node->log2_tail;
  return place->part > 0 ? place->first : (int64_t)1 << node->log2_first;
}

/* How many positions from p on, below last, are in one part. */
SND_INLINE int64_t
snd_dynamic_together(const SND_GLB snd_snode_view *node, int64_t p, int64_t last)
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
snd_dynamic_slot(const SND_GLB snd_snode_view *node, sn_addr body, int64_t part, int settled)
{
  const int64_t heads = (int64_t)node->heads;
  sn_addr directory;

  if (part <= heads) return SND_POINTER(uint64_t, body) + (part - 1);
  directory = snd_dynamic_load(SND_POINTER(uint64_t, body) + (heads - 1), settled);
  return directory > SND_BUILDING ? SND_POINTER(uint64_t, directory) + (part - heads - 1) : NULL;
}

/* The address of a part's first cell; <= SND_BUILDING: it is not there. */
SND_INLINE sn_addr
snd_dynamic_cells(const SND_GLB snd_snode_view *node, sn_addr body, int64_t part, int settled)
{
  const SND_GLB uint64_t *slot;

  if (part == 0) return body + node->first_offset;
  slot = snd_dynamic_slot(node, body, part, settled);
  return slot != NULL ? snd_dynamic_load(slot, settled) : (sn_addr)SND_INACTIVE;
}

/* ---- looking ---- */

/* What is there, as `settled` allows to look; `absent` where there is nothing. */
SND_INLINE sn_addr
snd_dynamic_find(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p, sn_addr absent,
                 int settled)
{
  const uint64_t word = snd_dynamic_load(SND_CONST_POINTER(uint64_t, container), settled);
  snd_dynamic_place place;
  sn_addr cells;

  if (p >= snd_dynamic_length_in(node, word)) return absent;
  place = snd_dynamic_place_of(node, p);
  cells = snd_dynamic_cells(node, snd_dynamic_body(node, word), place.part, settled);
  return cells > SND_BUILDING ? cells + (uint64_t)(p - place.first) * node->cell_bytes : absent;
}

/* Positions of one container. */
SND_INLINE int64_t snd_dynamic_capacity(const SND_GLB snd_snode_view *node)
{
  return (int64_t)node->cells;
}

/* Cells; in a task that appends, those reserved so far.  Relaxed: a number. */
SND_INLINE int64_t snd_dynamic_length(const SND_GLB snd_snode_view *node, sn_addr container)
{
  return snd_dynamic_length_in(node, snd_load_u64(SND_CONST_POINTER(uint64_t, container)));
}

SND_INLINE sn_addr
snd_dynamic_lookup(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p, sn_addr absent)
{
  return snd_dynamic_find(node, container, p, absent, 0);
}

/* The cell to read: the ambient cell where it is inactive; never to be written. */
SND_INLINE sn_addr
snd_dynamic_read(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, node->ambient, 0);
}

/* Whether what a walk has read is a cell of the list itself: then one that activates it would find
 * that cell, as long as none is taken out. */
#define SND_IS_FOUND(cell, node) ((sn_addr)(uintptr_t)(cell) != (node)->ambient)

/* The cell, 0 where it is inactive. */
SND_INLINE sn_addr
snd_dynamic_peek(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, 0, 0);
}

/* The same in a task that neither activates nor deactivates (pointer.h). */
SND_INLINE sn_addr
snd_dynamic_read_settled(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, node->ambient, 1);
}

SND_INLINE sn_addr
snd_dynamic_peek_settled(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p)
{
  return snd_dynamic_find(node, container, p, 0, 1);
}

SND_INLINE int64_t
snd_dynamic_length_settled(const SND_GLB snd_snode_view *node, sn_addr container)
{
  return snd_dynamic_length_in(node, *SND_CONST_POINTER(uint64_t, container));
}

SND_INLINE int
snd_dynamic_is_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p)
{
  return p >= 0 && p < snd_dynamic_length(node, container);
}

/* The first active cell >= p; the capacity: none. */
SND_INLINE int64_t
snd_dynamic_iterate(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p)
{
  return p < snd_dynamic_length(node, container) ? p : snd_dynamic_capacity(node);
}

/* ---- cells that are known to be there: a list's pieces, one's own appends ----
 * Plain loads: whoever knows has acquired the chunk, or is ordered behind a task that
 * made it; its slot is not written again. */

/* How many cells from p on, below last, stand side by side; the first of them. */
SND_INLINE int64_t
snd_dynamic_run(const SND_GLB snd_snode_view *node, sn_addr body, int64_t p, int64_t last,
                sn_addr *first)
{
  const snd_dynamic_place place = snd_dynamic_place_of(node, p);

  *first = snd_dynamic_cells(node, body, place.part, 1) +
           (uint64_t)(p - place.first) * node->cell_bytes;
  return snd_dynamic_together(node, p, last);
}

SND_INLINE sn_addr snd_dynamic_at(const SND_GLB snd_snode_view *node, sn_addr body, int64_t p)
{
  sn_addr cell;
  (void)snd_dynamic_run(node, body, p, p + 1, &cell);
  return cell;
}

/* ---- making ---- */

SND_INLINE int
snd_dynamic_has(const SND_GLB snd_snode_view *node, sn_addr body, int64_t part)
{
  return snd_dynamic_cells(node, body, part, 0) > SND_BUILDING;
}

/* Builds what is missing up to a part; its address; 0: no memory.  Others build here
 * too, and may be waited for: who builds holds one slot and waits for nobody. */
SND_COLD sn_addr
snd_dynamic_grow(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                 int32_t slot, sn_addr body, int64_t part)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
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
snd_dynamic_grow_lanes(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                       int32_t slot, sn_addr body, int64_t part)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
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
snd_dynamic_reach(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                  int32_t slot, sn_addr body, int64_t p)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
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

/* ---- the word, with a body ---- */

/* Builds the body: the word then, with this one or another's; 0: no memory.  The orders
 * are those of snd_slot_build.  The store forgets what late adds have counted. */
SND_APART uint64_t
snd_dynamic_build(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                  int32_t slot, SND_GLB uint64_t *container)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  uint64_t word = 0;
  int done = 0;

  while (!done) {
    const uint64_t seen = snd_pointer_load(container);
    if (snd_dynamic_has_body(node, seen)) {
      word = seen;
      done = 1;
    } else if (snd_dynamic_number(node, seen) == SND_INACTIVE &&
               snd_compare_exchange_u64(container, seen, (uint64_t)SND_BUILDING
                                                           << node->length_bits) == seen) {
      const uint64_t id = snd_node_take_id(view, node->pool, launch, slot);
      if (id != SND_NO_ID) word = (id + SND_FIRST_BODY) << node->length_bits;
      snd_store_release_u64(container, word);
      if (word != 0) snd_raise(&snd_counters(view, snode)->touched);
      done = 1;
    } else {
      snd_pause();
    }
    SND_OPAQUE(done);
  }
  return word;
}

/* The word, its body built where there was none; 0: no memory. */
SND_INLINE uint64_t
snd_dynamic_open(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                 int32_t slot, SND_GLB uint64_t *container)
{
  uint64_t word = snd_pointer_load(container);

  if (SND_UNLIKELY(!snd_dynamic_has_body(&view->snode[snode], word))) {
#if SND_HAS_LANES
    /* One lane for each body that is wanted: no lane waits for a sibling. */
    const uint32_t lanes = snd_lanes_alike((uint64_t)container);
    const uint32_t leader = (uint32_t)snd_ctz(lanes);
    if (snd_lane() == leader)
      word = snd_dynamic_build(view, snode, launch, slot, container);
    word = snd_lane_value(lanes, leader, word);
#else
    word = snd_dynamic_build(view, snode, launch, slot, container);
#endif
  }
  return word;
}

/* ---- a cell made active by its position ---- */

/* Raises the length of this very body above p; overtaken by an emptying, it is as if that
 * had come after it.  Relaxed: readers look at the chunk's slot themselves. */
SND_INLINE void
snd_dynamic_lengthen(const SND_GLB snd_tree_view *view, int32_t snode,
                     SND_GLB uint64_t *container, uint64_t word, int64_t p)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const uint64_t number = snd_dynamic_number(node, word);
  const uint64_t wanted = number << node->length_bits | ((uint64_t)p + 1);

  while (snd_dynamic_number(node, word) == number && word < wanted) {
    const uint64_t seen = snd_compare_exchange_u64(container, word, wanted);
    if (seen == word) snd_raise(&snd_counters(view, snode)->touched);
    word = seen == word ? wanted : seen;
  }
}

/* The cell, made active with all before it; 0: no memory.  The length grows once the
 * chunk is there. */
SND_INLINE sn_addr
snd_dynamic_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                     int32_t slot, sn_addr container, int64_t p)
{
  SND_GLB uint64_t *place = SND_POINTER(uint64_t, container);
  const uint64_t word = snd_dynamic_open(view, snode, launch, slot, place);
  sn_addr cell;

  if (word == 0) return 0;
  cell = snd_dynamic_reach(view, snode, launch, slot, snd_dynamic_body(&view->snode[snode], word),
                           p);
  if (cell != 0) snd_dynamic_lengthen(view, snode, place, word, p);
  return cell;
}

/* ---- a new last cell ---- */

typedef struct snd_dynamic_end {
  int64_t position;              /* -1: there is none */
  sn_addr cell;
} snd_dynamic_end;

/* Where the appends of a thread at one place of the program go: to the cells of one chunk,
 * for those that find a word from `first` on, less than `count` further.  The body's
 * number is in the word: it cannot be another one, as none comes back in a task.  A
 * loop keeps it in registers. */
typedef struct snd_dynamic_hint {
  sn_addr container;
  uint64_t first;                /* the word that gives the first of the cells */
  uint64_t count;                /* 0: nothing is known */
  sn_addr origin;                /* where a cell would stand that word 0 gives: what separates
                                    an add from its cell is one addition */
} snd_dynamic_hint;

#define SND_NO_HINT { 0, 0, 0, 0 }

/* What the next append to a container would find, as it stands now; nothing, where it has no
 * body or no chunk for it, or is full.  The line of the cell is asked for: it comes while
 * the add waits for its own. */
SND_INLINE snd_dynamic_hint
snd_dynamic_look(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container,
                 uint64_t cell_bytes)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const uint64_t word =
    container != 0 ? snd_pointer_load(SND_CONST_POINTER(uint64_t, container)) : 0;
  const int64_t p = (int64_t)snd_dynamic_counted(node, word);
  snd_dynamic_hint hint = SND_NO_HINT;
  snd_dynamic_place place;
  sn_addr cells;

  if (SND_UNLIKELY(!snd_dynamic_has_body(node, word) || p >= (int64_t)node->cells)) return hint;
  place = snd_dynamic_place_of(node, p);
  cells = snd_dynamic_cells(node, snd_dynamic_body(node, word), place.part, 0);
  if (SND_UNLIKELY(cells <= SND_BUILDING)) return hint;
  hint.container = container;
  hint.first = word - (uint64_t)(p - place.first);
  hint.count = (uint64_t)snd_min_i64((int64_t)node->cells - place.first,
                                     snd_dynamic_part_cells(node, &place));
  hint.origin = cells - hint.first * cell_bytes;
  SND_WILL_WRITE(hint.origin + word * cell_bytes);
  snd_raise(&snd_counters(view, snode)->touched);
  return hint;
}

/* Deals out a position of the body that is in the word.  Acquire on hosts: that need not be
 * the body that was looked at; devices as in snd_pointer_load. */
SND_INLINE uint64_t
snd_dynamic_add(const SND_GLB snd_tree_view *view, SND_GLB uint64_t *container)
{
#if SND_ON_DEVICE
  (void)view;
  return snd_fetch_add_u64(container, 1);
#else
  return snd_is_alone(view) ? snd_count(view, container, 1)
                            : snd_fetch_add_acquire_u64(container, 1);
#endif
}

SND_COLD int64_t
snd_dynamic_full(SND_GLB snd_launch *launch, int32_t site, int32_t slot, int32_t snode,
                 uint64_t have, uint64_t want)
{
  snd_trap_memory_at(launch, SN_ECAPACITY, site, slot, snode, have, want);
  return -1;
}

/* The append where there was nothing to look at, or what was there has changed.  word: what
 * an add has given, which counts where it met a body; 0: none was done. */
SND_COLD snd_dynamic_end
snd_dynamic_append_far(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                       int32_t slot, sn_addr container, int32_t site, uint64_t word)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *place = SND_POINTER(uint64_t, container);
  snd_dynamic_end end = { -1, 0 };
  int64_t p;

  if (container == 0) return end;
  while (!snd_dynamic_has_body(node, word)) {
    word = snd_dynamic_open(view, snode, launch, slot, place);
    if (word == 0) return end;
    if (snd_dynamic_counted(node, word) < node->cells) word = snd_dynamic_add(view, place);
  }
  p = (int64_t)snd_dynamic_counted(node, word);
  if (p >= (int64_t)node->cells) {
    (void)snd_dynamic_full(launch, site, slot, snode, node->cells, node->cells + 1);
    return end;
  }
  end.cell = snd_dynamic_reach(view, snode, launch, slot, snd_dynamic_body(node, word), p);
  if (end.cell != 0) {
    end.position = p;
    snd_raise(&snd_counters(view, snode)->touched);
  }
  return end;
}

/* A new last cell; one that cannot be had is noted.  container 0: what should hold it
 * could not be had.  hint: the thread's, of this place of the program and this task.
 * cell_bytes: the SNode's, which the caller may know as a constant. */
SND_INLINE snd_dynamic_end
snd_dynamic_append_cell(const SND_GLB snd_tree_view *view, int32_t snode,
                        SND_GLB snd_launch *launch, int32_t slot, sn_addr container, int32_t site,
                        uint64_t cell_bytes, snd_dynamic_hint *hint)
{
  snd_dynamic_end end;
  uint64_t word = 0;

  if (hint->count == 0 || container != hint->container)
    *hint = snd_dynamic_look(view, snode, container, cell_bytes);
  if (hint->count != 0) {
    word = snd_dynamic_add(view, SND_POINTER(uint64_t, container));
    if (word - hint->first < hint->count) {
      end.position = (int64_t)snd_dynamic_counted(&view->snode[snode], word);
      end.cell = hint->origin + word * cell_bytes;
      return end;
    }
    hint->count = 0;
  }
  return snd_dynamic_append_far(view, snode, launch, slot, container, site, word);
}

/* The position alone, -1: it cannot be had. */
SND_INLINE int64_t
snd_dynamic_append(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                   int32_t slot, sn_addr container, int32_t site, snd_dynamic_hint *hint)
{
  const uint64_t cell_bytes = view->snode[snode].cell_bytes;
  return snd_dynamic_append_cell(view, snode, launch, slot, container, site, cell_bytes, hint)
    .position;
}

/* ---- emptying ---- */

/* Takes the body out; its memory waits for GC.  Of several exactly one does.  A swap that
 * fails met an append, and is tried again, or another emptying, which is as if it had
 * come just after this.  A body being built counts as not yet there.  Relaxed: the
 * swap publishes nothing, and the id is in the word.  Gives whether it was this thread. */
SND_INLINE int
snd_dynamic_empty(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *place = SND_POINTER(uint64_t, container);
  uint64_t word = snd_load_u64(place), seen = word;
  const uint64_t number = snd_dynamic_number(node, word);

  if (number < SND_FIRST_BODY) return 0;
  do {
    word = seen;
    seen = snd_compare_exchange_u64(place, word, SND_INACTIVE);
  } while (seen != word && snd_dynamic_number(node, seen) == number);
  if (seen != word) return 0;
  snd_node_recycle_id(view, node->pool, number - SND_FIRST_BODY);
  return 1;
}

/* Empties the container: l does not matter. */
SND_INLINE void
snd_dynamic_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container,
                       int64_t l)
{
  (void)l;
  if (snd_dynamic_empty(view, snode, container)) snd_raise(&snd_counters(view, snode)->touched);
}

/* The same between tasks; empty: the word is set to 0, too.  Gives whether there was a body. */
SND_INLINE int
snd_dynamic_recycle(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int empty)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB uint64_t *place = SND_POINTER(uint64_t, container);

  if (!snd_dynamic_has_body(node, *place)) return 0;
  snd_node_recycle_id(view, node->pool, snd_dynamic_number(node, *place) - SND_FIRST_BODY);
  if (empty) *place = SND_INACTIVE;
  return 1;
}

#endif
