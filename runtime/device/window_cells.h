/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of a window (window.h): copied from the tree, or added to it.
 *
 * A window has up to 16 parts, which lie in different containers: the block, and its halo on each
 * axis that has one.  A walk leads to the first cell of each.  Cells of a window have their values
 * side by side; where the tree has them so as well, all values of a cell are gone over at once.
 */
#ifndef SNODE_DEVICE_WINDOW_CELLS_H
#define SNODE_DEVICE_WINDOW_CELLS_H

#include <snode/device/loop.h>
#include <snode/device/stage.h>

enum {
  SND_WINDOW_FIELDS = 16,
  SND_WINDOW_PARTS = 16,         /* of a window: two along each axis that has a halo */
  SND_WINDOW_BITS = 8,
  SND_WINDOW_ENTRIES = 1 << SND_WINDOW_BITS        /* blocks that are counted */
};

typedef struct snd_window_shape {
  int32_t snode, slot;           /* the tree's number in the launch */
  sn_type type;                  /* of the fields: 32 or 64 bits */
  int32_t fields, lanes;         /* elements of a cell in a window */
  int32_t axes;                  /* of the SNode's path */
  int is_added_to, is_at_once;
  int leaves_inactive;           /* only cells that are active are added to */
  int32_t field[SND_WINDOW_FIELDS];                /* their numbers in the tree */
  int64_t block[SN_MAX_AXES], extent[SN_MAX_AXES]; /* cells of a block, of a window */
  int64_t blocks[SN_MAX_AXES];                     /* of all cells */
} snd_window_shape;

/* A block that has been asked for. */
typedef struct snd_window {
  int64_t key;                   /* -1: none */
  void *cells;                   /* its window; NULL: it has none */
  int64_t asked, found;          /* before it had one; since */
  uint32_t parts;                /* that were touched before the last look; bit: the part */
  uint8_t touched[SND_WINDOW_PARTS];
} snd_window;

typedef struct snd_windows {
  const snd_window_shape *shape;
  SND_GLB snd_launch *launch;
  snd_way way;                   /* to the cells */
  snd_box box;                   /* how they follow each other in a container and in a window */
  int32_t width;                 /* bytes of an element */
  int32_t together;              /* fields that lie side by side in a cell of the tree: all, or 1 */
  uint8_t *cells;                /* of all windows */
  int64_t bytes;                 /* of one */
  int32_t count, taken;          /* windows; given to a block so far, in order */
  int32_t next;                  /* the one that is looked at next */
  int64_t price;                 /* iterations that are to find one for it to be worth its cost */
  int64_t worth;                 /* how often a block is asked for before it gets one */
  int64_t looks, rest;           /* iterations that have looked; that do not from now on */
  int64_t found_gone;            /* iterations that have found windows which are gone */
  int64_t found_before;          /* that had found one when looks were counted last */
  int is_alone;
  int64_t last;                  /* the key that was asked for last without a window */
  int64_t gang;                  /* the key of the first iteration of a gang */
  snd_window *owner[SND_WINDOW_ENTRIES / 2];
  snd_window entry[SND_WINDOW_ENTRIES];
} snd_windows;

/* ---- how cells follow each other ---- */

SND_INLINE snd_box
snd_window_box(const snd_window_shape *shape, const SND_GLB snd_tree_view *view)
{
  const SND_GLB snd_snode_view *node = &view->snode[shape->snode];
  const SND_GLB snd_field_view *field = snd_field(view, shape->field[0]);
  uint32_t axes = node->path_axes;
  int64_t cells = 1, step = 1;
  snd_box box;

  box.n = shape->axes;
  for (int32_t k = box.n - 1; k >= 0; k--) {
    const int32_t axis = snd_last_axis(axes);
    const int is_own = node->own_axes >> axis & 1;
    axes = snd_without(axes, axis);
    box.place_step[k] = is_own ? (int64_t)snd_place_step(node, field, cells) : 0;
    box.step[k] = step;
    step *= shape->extent[k];
    if (is_own) cells *= node->extent[axis];
  }
  return box;
}

SND_INLINE int32_t snd_window_together(const snd_window_shape *shape,
                                       const SND_GLB snd_tree_view *view, int32_t width)
{
  const uint64_t first = snd_field(view, shape->field[0])->offset;

  if (view->snode[shape->snode].row_cells != 0) return 1;
  for (int32_t f = 1; f < shape->fields; f++)
    if (snd_field(view, shape->field[f])->offset != first + (uint64_t)(f * width)) return 1;
  return shape->fields;
}

/* ---- parts ---- */

/* Coordinates of the block's first cell. */
SND_INLINE void snd_window_origin(const snd_window_shape *shape, int64_t key, int64_t *origin)
{
  for (int32_t k = shape->axes - 1; k >= 0; k--) {
    origin[k] = key % shape->blocks[k] * shape->block[k];
    key /= shape->blocks[k];
  }
}

/* The part with that number: one bit for each axis that has a halo, the last one's the lowest.
 * at: its first cell in the tree; 0: it lies outside the extents. */
SND_INLINE int snd_window_part(const snd_window_shape *shape, const int64_t *origin,
                               uint32_t number, snd_piece *part, int64_t *at)
{
  for (int32_t k = shape->axes - 1; k >= 0; k--) {
    const int has_halo = shape->extent[k] > shape->block[k];
    const int is_halo = has_halo && (number & 1);
    part->at[k] = is_halo ? shape->block[k] : 0;
    part->end[k] = is_halo ? shape->extent[k] : shape->block[k];
    at[k] = origin[k] + part->at[k];
    if (at[k] >= shape->block[k] * shape->blocks[k]) return 0;
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

SND_COLD snd_cell snd_window_walk(const snd_windows *windows, const int64_t *at, snd_mode mode)
{
  const SND_GLB snd_tree_view *view = windows->way.view;
  const int32_t snode = windows->shape->snode;
  const snd_index index = snd_index_of_snode(&view->snode[snode], (const SND_GLB int64_t *)at);

  return snd_walk_cell(view, snode, &index, mode, windows->launch, windows->shape->slot);
}

SND_INLINE snd_cell snd_window_cell(const snd_windows *windows, const int64_t *at)
{
  return windows->way.step_count >= 0 ? snd_way_cell(&windows->way, at)
                                      : snd_window_walk(windows, at, SND_READ);
}

/* The cell that is added to; none where it is inactive and stays so, or memory is out.  Most are
 * active already. */
SND_INLINE snd_cell snd_window_active_cell(const snd_windows *windows, const int64_t *at)
{
  const snd_cell cell =
    windows->way.step_count >= 0 ? snd_way_active_cell(&windows->way, at) : snd_no_cell();

  if (cell.base != 0) return cell;
  return snd_window_walk(windows, at, windows->shape->leaves_inactive ? SND_PEEK : SND_ACTIVATE);
}

/* ---- the values of cells in a row ---- */

/* Cells in a row: `step` bytes apart in the tree, `lanes` elements in the window, with n values. */
typedef struct snd_window_row {
  sn_addr place;
  int64_t step, lanes, cells;
} snd_window_row;

/* Rows side by side. */
typedef struct snd_window_rows {
  snd_window_row row;            /* the first */
  int64_t count, step, lanes;    /* bytes from row to row in the tree, elements in the window */
} snd_window_rows;

/* Once for each number of values that is usual, so that a cell's are moved as one. */
#define SND_WINDOW_EACH(DO, rows, own, n) \
  switch (n) { \
  case 1: DO(rows, own, 1); break; \
  case 2: DO(rows, own, 2); break; \
  case 3: DO(rows, own, 3); break; \
  case 4: DO(rows, own, 4); break; \
  default: DO(rows, own, n); \
  }

#define SND_WINDOW_COPY(W) \
  SND_INLINE void snd_window_copy_cells_##W(snd_window_row row, snd_word_##W *restrict own, \
                                            const int32_t n) \
  { \
    for (int64_t c = 0; c < row.cells; c++, row.place += (uint64_t)row.step, own += row.lanes) { \
      const SND_GLB snd_word_##W *from = SND_CONST_POINTER(snd_word_##W, row.place); \
      for (int32_t k = 0; k < n; k++) own[k] = from[k]; \
    } \
  } \
  SND_INLINE void snd_window_copy_rows_##W(snd_window_rows rows, snd_word_##W *own, \
                                           const int32_t n) \
  { \
    for (int64_t r = 0; r < rows.count; r++) { \
      snd_window_copy_cells_##W(rows.row, own, n); \
      rows.row.place += (uint64_t)rows.step; \
      own += rows.lanes; \
    } \
  } \
  SND_INLINE void snd_window_copy_##W(snd_window_rows rows, snd_word_##W *own, int32_t n) \
  { \
    SND_WINDOW_EACH(snd_window_copy_rows_##W, rows, own, n) \
  }
SND_WINDOW_COPY(u32)
SND_WINDOW_COPY(u64)
#undef SND_WINDOW_COPY

/* For each type of elements: what a sum begins with, and whether one is that.  Signed integers are
 * added as unsigned ones. */
#define SND_WINDOW_TYPE(T, C, NOTHING, IS_SOMETHING) \
  SND_INLINE void snd_window_clear_##T(C *to, int64_t count) \
  { \
    for (int64_t k = 0; k < count; k++) to[k] = NOTHING; \
  } \
  SND_INLINE void snd_window_add_cells_##T(snd_window_row row, const C *restrict own, \
                                           const int32_t n) \
  { \
    for (int64_t c = 0; c < row.cells; c++, row.place += (uint64_t)row.step, own += row.lanes) { \
      SND_GLB C *to = SND_POINTER(C, row.place); \
      for (int32_t k = 0; k < n; k++) to[k] = (C)(to[k] + own[k]); \
    } \
  } \
  SND_INLINE void snd_window_add_rows_##T(snd_window_rows rows, const C *own, const int32_t n) \
  { \
    for (int64_t r = 0; r < rows.count; r++) { \
      snd_window_add_cells_##T(rows.row, own, n); \
      rows.row.place += (uint64_t)rows.step; \
      own += rows.lanes; \
    } \
  } \
  SND_INLINE void snd_window_meet_cells_##T(snd_window_row row, const C *own, int32_t n) \
  { \
    for (int64_t c = 0; c < row.cells; c++, row.place += (uint64_t)row.step, own += row.lanes) \
      for (int32_t k = 0; k < n; k++) { \
        const C value = own[k]; \
        if (IS_SOMETHING) snd_atomic_add_##T(SND_POINTER(C, row.place) + k, value); \
      } \
  } \
  SND_INLINE void snd_window_add_##T(snd_window_rows rows, const C *own, int32_t n, int is_alone) \
  { \
    if (is_alone) { \
      SND_WINDOW_EACH(snd_window_add_rows_##T, rows, own, n) \
      return; \
    } \
    for (int64_t r = 0; r < rows.count; r++) { \
      snd_window_meet_cells_##T(rows.row, own, n); \
      rows.row.place += (uint64_t)rows.step; \
      own += rows.lanes; \
    } \
  }
SND_WINDOW_TYPE(u32, uint32_t, 0, value != 0)
SND_WINDOW_TYPE(u64, uint64_t, 0, value != 0)
SND_WINDOW_TYPE(f32, float, -0.0f, snd_bitcast_u32_f32(value) != UINT32_C(1) << 31)
SND_WINDOW_TYPE(f64, double, -0.0, snd_bitcast_u64_f64(value) != UINT64_C(1) << 63)
#undef SND_WINDOW_TYPE
#undef SND_WINDOW_EACH

SND_INLINE void snd_window_clear(const snd_windows *windows, void *cells)
{
  const int64_t count = windows->bytes / windows->width;

  switch (windows->shape->type) {
  case SN_TYPE_F32: snd_window_clear_f32((float *)cells, count); break;
  case SN_TYPE_F64: snd_window_clear_f64((double *)cells, count); break;
  case SN_TYPE_I32: case SN_TYPE_U32: snd_window_clear_u32((uint32_t *)cells, count); break;
  default: snd_window_clear_u64((uint64_t *)cells, count);
  }
}

SND_INLINE void snd_window_go_rows(const snd_windows *windows, snd_window_rows rows, void *own)
{
  const int32_t n = windows->together;

  if (!windows->shape->is_added_to) {
    if (windows->width == 4) snd_window_copy_u32(rows, (snd_word_u32 *)own, n);
    else snd_window_copy_u64(rows, (snd_word_u64 *)own, n);
    return;
  }
  switch (windows->shape->type) {
  case SN_TYPE_F32: snd_window_add_f32(rows, (float *)own, n, windows->is_alone); break;
  case SN_TYPE_F64: snd_window_add_f64(rows, (double *)own, n, windows->is_alone); break;
  case SN_TYPE_I32: case SN_TYPE_U32:
    snd_window_add_u32(rows, (uint32_t *)own, n, windows->is_alone);
    break;
  default: snd_window_add_u64(rows, (uint64_t *)own, n, windows->is_alone);
  }
}

/* The rows of a part that lie side by side along the last axis but one. */
SND_INLINE snd_window_rows
snd_window_plane(const snd_windows *windows, const snd_piece *part, sn_addr place)
{
  const snd_box *box = &windows->box;
  const int32_t last = box->n - 1, across = last - 1;
  const int64_t lanes = windows->shape->lanes;
  const snd_window_row row = { place, box->place_step[last], lanes,
                               part->end[last] - part->at[last] };

  if (across < 0) return (snd_window_rows){ row, 1, 0, 0 };
  return (snd_window_rows){ row, part->end[across] - part->at[across], box->place_step[across],
                            box->step[across] * lanes };
}

/* Copies a part, or adds it to the tree: `cell` is its first one there. */
SND_COLD void
snd_window_go_over(const snd_windows *windows, const snd_piece *part, snd_cell cell, uint8_t *own)
{
  const snd_window_shape *shape = windows->shape;
  const SND_GLB snd_tree_view *view = windows->way.view;
  const int64_t cell_bytes = shape->lanes * windows->width;
  snd_box planes = windows->box; /* of its axes all but the last: a plane is what a row was */
  int64_t first = 0;

  for (int32_t k = 0; k < planes.n; k++) first += part->at[k] * planes.step[k];
  planes.n--;
  for (int32_t f = 0; f < shape->fields; f += windows->together) {
    const SND_GLB snd_field_view *field = snd_field(view, shape->field[f]);
    snd_window_rows rows =
      snd_window_plane(windows, part, snd_place(&view->snode[shape->snode], field, cell));
    int64_t row[SN_MAX_AXES] = { 0 }, bytes = 0, at = first;
    const sn_addr place = rows.row.place;
    do {
      rows.row.place = place + (uint64_t)bytes;
      snd_window_go_rows(windows, rows, own + at * cell_bytes + f * windows->width);
    } while (snd_piece_next_row(&planes, part, row, &bytes, &at));
  }
}

#endif
