/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: what a host thread has of its own of blocks of cells, in loops that read or add to boxes
 * of cells whose places are computed.
 *
 *   static const snd_window_shape shape = { ... };           what all windows have in common
 *   float cells[64 * 324 * 4];
 *   snd_windows windows;
 *   snd_windows_begin(&windows, thread, &shape, cells, sizeof cells);
 *   ...
 *   float (*near)[4] = snd_window_at(&windows, key, part);   for each iteration; NULL: it goes to
 *   ...                                                      the tree
 *   snd_windows_end(&windows);
 *
 * An SNode's cells are cut into blocks, whose number in row-major order is the key.  A window has
 * the cells of a block and its halo, the cells behind it on each axis that a box may reach which
 * begins in the block.  So a box lies in one window, at constant distances from its first cell.
 *
 * A window that is read is a copy, made when a block gets it: nobody stores to the fields during
 * the task.  One that is added to begins with what every sum may begin with; its sums go to the
 * cells, which are activated, when another block gets it or at the end.  What is active then is
 * what would be without it: of the window's parts, which lie in different containers, those are
 * activated that a box has touched.  When memory is out what could not be had is left out, as a
 * write is.
 *
 * A block gets a window when it has been asked for a few times (at once where the program says
 * [[cache]]), and keeps it while it is asked for: then the iterations of a few blocks that are
 * gone on with are served, and those that lie anywhere in a large tree cost a look each.
 *
 * Additions are relaxed, as those of the body would be, and plain where the thread is alone.
 */
#ifndef SNODE_DEVICE_WINDOW_H
#define SNODE_DEVICE_WINDOW_H

#include <snode/device/loop.h>
#include <snode/device/stage.h>

enum {
  SND_WINDOW_FIELDS = 16,
  SND_WINDOW_PARTS = 16,         /* of a window: two along each axis that has a halo */
  SND_WINDOW_BITS = 8,
  SND_WINDOW_ENTRIES = 1 << SND_WINDOW_BITS,       /* blocks that are counted */
  SND_WINDOW_PROBES = 4,         /* entries that a block may stand in */
  SND_WINDOW_WORTH = 8,          /* how often a block is asked for before it gets a window */
  SND_WINDOW_IN_TURN = 3,        /* and what it counts to be asked for twice in turn */
  SND_WINDOW_LOOKS = 4           /* windows that are looked at for one to give away */
};

/* ---- what comes later ---- */

enum {
  SND_AHEAD = 8,                 /* iterations: what one reads is asked for before so many others */
  SND_AHEAD_LINES = 4,           /* of a cell, at most */
  SND_LINE = 64                  /* bytes: a smaller line is not asked for in all of a cell */
};

/* The memory of a cell is asked for, which may begin within a line. */
SND_INLINE void snd_prefetch(sn_addr cell, uint64_t bytes)
{
  for (uint64_t at = 0; at < bytes && at < SND_AHEAD_LINES * SND_LINE; at += SND_LINE)
    SND_WILL_READ(cell + at);
  SND_WILL_READ(cell + bytes - 1);
}

#define SND_PREFETCH(cell) snd_prefetch((sn_addr)(uintptr_t)(cell), sizeof *(cell))

typedef struct snd_window_shape {
  int32_t snode, slot;           /* the tree's number in the launch */
  sn_type type;                  /* of the fields: 32 or 64 bits */
  int32_t fields, lanes;         /* elements of a cell in a window */
  int32_t axes;                  /* of the SNode's path */
  int is_added_to, is_at_once;
  int32_t field[SND_WINDOW_FIELDS];                /* their numbers in the tree */
  int64_t block[SN_MAX_AXES], extent[SN_MAX_AXES]; /* cells of a block, of a window */
  int64_t blocks[SN_MAX_AXES];                     /* of all cells */
} snd_window_shape;

/* A block that has been asked for. */
typedef struct snd_window {
  int64_t key;                   /* -1: none */
  void *cells;                   /* its window; NULL: it has none */
  int32_t asked;
  uint32_t parts;                /* that were touched before the last look; bit: the part */
  uint8_t touched[SND_WINDOW_PARTS];
} snd_window;

typedef struct snd_windows {
  const snd_window_shape *shape;
  const SND_GLB snd_tree_view *view;
  SND_GLB snd_launch *launch;
  int64_t step[SN_MAX_AXES];     /* from one cell of a window to the next on an axis */
  uint8_t *cells;                /* of all windows */
  int64_t bytes;                 /* of one */
  int32_t count, taken;          /* windows; given to a block so far, in order */
  int32_t next;                  /* the one that is looked at next */
  int is_alone;
  int64_t last;                  /* the key that was asked for last without a window */
  snd_window *owner[SND_WINDOW_ENTRIES / 2];
  snd_window entry[SND_WINDOW_ENTRIES];
} snd_windows;

/* ---- the cells of a window ---- */

/* The part with that number: one bit for each axis that has a halo, the last one's the lowest.
 * at: its first cell in the tree; 0: it lies outside the extents. */
SND_INLINE int snd_window_part(const snd_windows *windows, int64_t key, uint32_t number,
                               snd_piece *part, int64_t *at)
{
  const snd_window_shape *shape = windows->shape;

  for (int32_t k = shape->axes - 1; k >= 0; k--) {
    const int has_halo = shape->extent[k] > shape->block[k];
    const int is_halo = has_halo && (number & 1);
    part->at[k] = is_halo ? shape->block[k] : 0;
    part->end[k] = is_halo ? shape->extent[k] : shape->block[k];
    at[k] = key % shape->blocks[k] * shape->block[k] + part->at[k];
    if (at[k] >= shape->block[k] * shape->blocks[k]) return 0;
    key /= shape->blocks[k];
    number >>= has_halo;
  }
  return 1;
}

SND_INLINE uint32_t snd_window_parts(const snd_window_shape *shape)
{
  uint32_t parts = 1;

  for (int32_t k = 0; k < shape->axes; k++) parts <<= shape->extent[k] > shape->block[k];
  return parts;
}

SND_INLINE snd_cell snd_window_cell(const snd_windows *windows, const int64_t *at, snd_mode mode)
{
  const SND_GLB snd_tree_view *view = windows->view;
  const int32_t snode = windows->shape->snode;
  const snd_index index = snd_index_of_snode(&view->snode[snode], (const SND_GLB int64_t *)at);

  return snd_walk_cell(view, snode, &index, mode, windows->launch, windows->shape->slot);
}

/* How a field's places follow each other in the tree, beside the cells of a window. */
SND_INLINE snd_box snd_window_box(const snd_windows *windows, const SND_GLB snd_field_view *field)
{
  const SND_GLB snd_snode_view *node = &windows->view->snode[windows->shape->snode];
  uint32_t axes = node->path_axes;
  int64_t cells = 1;
  snd_box box;

  box.n = windows->shape->axes;
  for (int32_t k = box.n - 1; k >= 0; k--) {
    const int32_t axis = snd_last_axis(axes);
    const int is_own = node->own_axes >> axis & 1;
    axes = snd_without(axes, axis);
    box.place_step[k] = is_own ? (int64_t)snd_place_step(node, field, cells) : 0;
    box.step[k] = windows->step[k];
    if (is_own) cells *= node->extent[axis];
  }
  return box;
}

/* For each type of elements: what a sum begins with, whether one is that, and the loop over a
 * field of a part's cells.  place: of the part's first cell in the tree; own: in the window. */
#define SND_WINDOW_TYPE(T, C, NOTHING, IS_SOMETHING) \
  SND_INLINE void snd_window_clear_##T(C *to, int64_t count) \
  { \
    for (int64_t k = 0; k < count; k++) to[k] = NOTHING; \
  } \
  SND_INLINE void snd_window_add_##T(SND_GLB C *place, C value, int is_alone) \
  { \
    if (is_alone) *place = (C)snd_add_##T(*place, value); \
    else if (IS_SOMETHING) snd_atomic_add_##T(place, value); \
  } \
  SND_COLD void snd_window_part_##T(const snd_windows *windows, const snd_box *box, \
                                    const snd_piece *part, sn_addr place, C *own) \
  { \
    const int32_t last = box->n - 1, lanes = windows->shape->lanes; \
    const int64_t count = part->end[last] - part->at[last], step = box->place_step[last]; \
    int64_t row[SN_MAX_AXES] = { 0 }, bytes = 0, cell = 0; \
    do { \
      sn_addr to = place + (uint64_t)bytes; \
      C *value = own + cell * lanes; \
      for (int64_t c = 0; c < count; c++, to += (uint64_t)step, value += lanes) \
        if (!windows->shape->is_added_to) *value = *SND_CONST_POINTER(C, to); \
        else snd_window_add_##T(SND_POINTER(C, to), *value, windows->is_alone); \
    } while (snd_piece_next_row(box, part, row, &bytes, &cell)); \
  }

SND_WINDOW_TYPE(i32, int32_t, 0, value != 0)
SND_WINDOW_TYPE(u32, uint32_t, 0, value != 0)
SND_WINDOW_TYPE(i64, int64_t, 0, value != 0)
SND_WINDOW_TYPE(u64, uint64_t, 0, value != 0)
SND_WINDOW_TYPE(f32, float, -0.0f, snd_bitcast_u32_f32(value) != UINT32_C(1) << 31)
SND_WINDOW_TYPE(f64, double, -0.0, snd_bitcast_u64_f64(value) != UINT64_C(1) << 63)
#undef SND_WINDOW_TYPE

SND_INLINE void snd_window_clear(const snd_windows *windows, void *cells)
{
  const int64_t bits = windows->bytes * 8;

  switch (windows->shape->type) {
  case SN_TYPE_I32: snd_window_clear_i32((int32_t *)cells, bits / 32); break;
  case SN_TYPE_U32: snd_window_clear_u32((uint32_t *)cells, bits / 32); break;
  case SN_TYPE_F32: snd_window_clear_f32((float *)cells, bits / 32); break;
  case SN_TYPE_I64: snd_window_clear_i64((int64_t *)cells, bits / 64); break;
  case SN_TYPE_U64: snd_window_clear_u64((uint64_t *)cells, bits / 64); break;
  default: snd_window_clear_f64((double *)cells, bits / 64);
  }
}

/* Copies a part, or adds it to the tree: `cell` is its first one there. */
SND_INLINE void
snd_window_go_over(const snd_windows *windows, const snd_piece *part, snd_cell cell, void *own)
{
  const snd_window_shape *shape = windows->shape;
  const SND_GLB snd_snode_view *node = &windows->view->snode[shape->snode];
  int64_t first = 0;

  for (int32_t k = 0; k < shape->axes; k++) first += part->at[k] * windows->step[k];
  for (int32_t f = 0; f < shape->fields; f++) {
    const SND_GLB snd_field_view *field = snd_field(windows->view, shape->field[f]);
    const sn_addr place = snd_place(node, field, cell);
    const snd_box box = snd_window_box(windows, field);
    const int64_t at = first * shape->lanes + f;
    switch (shape->type) {
    case SN_TYPE_I32: snd_window_part_i32(windows, &box, part, place, (int32_t *)own + at); break;
    case SN_TYPE_U32: snd_window_part_u32(windows, &box, part, place, (uint32_t *)own + at); break;
    case SN_TYPE_F32: snd_window_part_f32(windows, &box, part, place, (float *)own + at); break;
    case SN_TYPE_I64: snd_window_part_i64(windows, &box, part, place, (int64_t *)own + at); break;
    case SN_TYPE_U64: snd_window_part_u64(windows, &box, part, place, (uint64_t *)own + at); break;
    default: snd_window_part_f64(windows, &box, part, place, (double *)own + at);
    }
  }
}

SND_COLD void snd_window_copy(const snd_windows *windows, const snd_window *window)
{
  const uint32_t parts = snd_window_parts(windows->shape);
  int64_t at[SN_MAX_AXES];
  snd_piece part;

  for (uint32_t p = 0; p < parts; p++)
    if (snd_window_part(windows, window->key, p, &part, at))
      snd_window_go_over(windows, &part, snd_window_cell(windows, at, SND_READ), window->cells);
}

/* Notes which parts boxes have touched; whether there was one since the last look. */
SND_INLINE int snd_window_look(snd_window *window)
{
  int was_asked = 0;

  for (uint32_t p = 0; p < SND_WINDOW_PARTS; p++) {
    window->parts |= (uint32_t)window->touched[p] << p;
    was_asked |= window->touched[p];
    window->touched[p] = 0;
  }
  return was_asked;
}

/* A box that reaches into the halo on some axes lies in that part, and in all that do so on fewer
 * of these axes. */
SND_INLINE int snd_window_is_touched(const snd_window *window, uint32_t part)
{
  for (uint32_t p = part; p < SND_WINDOW_PARTS; p++)
    if ((p & part) == part && (window->parts >> p & 1)) return 1;
  return 0;
}

SND_COLD void snd_window_give_back(const snd_windows *windows, snd_window *window)
{
  const uint32_t parts = windows->shape->is_added_to ? snd_window_parts(windows->shape) : 0;
  int64_t at[SN_MAX_AXES];
  snd_piece part;

  (void)snd_window_look(window);
  for (uint32_t p = 0; p < parts; p++) {
    snd_cell cell = SND_NO_CELL;
    if (snd_window_is_touched(window, p) && snd_window_part(windows, window->key, p, &part, at))
      cell = snd_window_cell(windows, at, SND_ACTIVATE);
    if (cell.base != 0) snd_window_go_over(windows, &part, cell, window->cells);
  }
}

/* ---- which blocks have a window ---- */

/* The first of the entries in which a block may stand. */
SND_INLINE uint32_t snd_window_hash(int64_t key)
{
  return (uint32_t)((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SND_WINDOW_BITS));
}

SND_INLINE snd_window *snd_window_probe(snd_windows *windows, int64_t key, int probe)
{
  return &windows->entry[(snd_window_hash(key) + (uint32_t)probe) & (SND_WINDOW_ENTRIES - 1)];
}

/* The cells of a window that no block has, or that its block has not asked for since the last
 * look; NULL: there is none. */
SND_INLINE void *snd_window_take(snd_windows *windows, snd_window *to)
{
  if (windows->taken < windows->count) {
    windows->owner[windows->taken] = to;
    return windows->cells + windows->bytes * windows->taken++;
  }
  for (int look = 1; look <= SND_WINDOW_LOOKS; look++) {
    snd_window **owner = &windows->owner[windows->next], *from = *owner;
    windows->next = windows->next + 1 < windows->count ? windows->next + 1 : 0;
    if (!snd_window_look(from) || (windows->shape->is_at_once && look == SND_WINDOW_LOOKS)) {
      void *cells = from->cells;
      snd_window_give_back(windows, from);
      from->key = -1;
      from->cells = NULL;
      *owner = to;
      return cells;
    }
  }
  return NULL;
}

/* Gives the block a window, where it has been asked for often enough. */
SND_INLINE void snd_window_ask(snd_windows *windows, snd_window *window)
{
  window->asked += windows->last == window->key ? SND_WINDOW_IN_TURN : 1;
  windows->last = window->key;
  if (window->asked < SND_WINDOW_WORTH && !windows->shape->is_at_once) return;
  window->cells = snd_window_take(windows, window);
  window->parts = 0;
  if (window->cells == NULL) window->asked = SND_WINDOW_WORTH / 2;
  else if (windows->shape->is_added_to) snd_window_clear(windows, window->cells);
  else snd_window_copy(windows, window);
}

/* Where the block stands, or from now on stands; NULL: all places are taken by blocks that have
 * windows.  Of the others the one that was asked for least makes room. */
SND_INLINE snd_window *snd_window_entry(snd_windows *windows, int64_t key)
{
  snd_window *least = NULL;

  for (int k = 0; k < SND_WINDOW_PROBES; k++) {
    snd_window *window = snd_window_probe(windows, key, k);
    if (window->key == key) return window;
    if (window->cells == NULL && (least == NULL || window->asked < least->asked)) least = window;
  }
  if (least != NULL) {
    least->key = key;
    least->asked = 0;
  }
  return least;
}

/* Of a block that does not stand in its first entry with a window. */
SND_COLD void *snd_window_find(snd_windows *windows, int64_t key, int part)
{
  snd_window *window = windows->count > 0 ? snd_window_entry(windows, key) : NULL;

  if (window == NULL) return NULL;
  if (window->cells == NULL) snd_window_ask(windows, window);
  window->touched[part] = window->cells != NULL;
  return window->cells;
}

/* ---- what generated code calls ---- */

/* The cells of the block's window, for a box that reaches into `part`; NULL: it has none. */
SND_INLINE void *snd_window_at(snd_windows *windows, int64_t key, int part)
{
  snd_window *window = snd_window_probe(windows, key, 0);

  if (SND_UNLIKELY(window->key != key || window->cells == NULL))
    return snd_window_find(windows, key, part);
  window->touched[part] = 1;
  return window->cells;
}

/* Memory of a thread for windows: so many elements; next to none where what generated code does
 * with windows is not compiled. */
#if SND_ROWS
# define SND_WINDOW_CELLS(C, name, elements) \
    __attribute__((aligned(64))) C name[elements]
#else
# define SND_WINDOW_CELLS(C, name, elements) C name[1]
#endif

/* cells: for the windows of a thread.  There is none where iterations are to run in their order. */
SND_INLINE void
snd_windows_begin(snd_windows *windows, const snd_thread *thread, const snd_window_shape *shape,
                  void *cells, size_t bytes)
{
  const int64_t width = shape->type == SN_TYPE_I64 || shape->type == SN_TYPE_U64 ||
                        shape->type == SN_TYPE_F64 ? 8 : 4;
  int64_t step = 1;

  windows->shape = shape;
  windows->view = SND_VIEW(thread, shape->slot);
  windows->launch = thread->launch;
  for (int32_t k = shape->axes - 1; k >= 0; k--) {
    windows->step[k] = step;
    step *= shape->extent[k];
  }
  windows->cells = cells;
  windows->bytes = step * shape->lanes * width;
  windows->count = thread->is_ordered ? 0 : (int32_t)((int64_t)bytes / windows->bytes);
  windows->taken = windows->next = 0;
  windows->is_alone = thread->threads == 1;
  windows->last = -1;
  for (int k = 0; k < SND_WINDOW_ENTRIES; k++)
    windows->entry[k] = (snd_window){ .key = -1 };
}

/* What was added goes to the tree. */
SND_INLINE void snd_windows_end(snd_windows *windows)
{
  for (int32_t k = 0; k < windows->taken; k++)
    snd_window_give_back(windows, windows->owner[k]);
}

#endif
