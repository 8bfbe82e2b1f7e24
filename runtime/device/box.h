/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_ACCESS on hosts: boxes by rows, lists in memory order.
 *
 * A row of a box runs along the field's last index.  Inside one container whose cells
 * stand in place (and one of its rows, where it has such), or one chunk of a dynamic one,
 * they are a constant step apart, so the walk is made once for each such run (8 cells of an
 * 8 x 8 leaf), not once a cell.
 *
 *   dense       the cells of a run are equally active
 *   bitmasked   a bit for each: what is written is activated cell by cell
 *   dynamic     active below the length, which writing extends
 *   others      runs of one cell
 */
#ifndef SNODE_DEVICE_BOX_H
#define SNODE_DEVICE_BOX_H

#include <snode/device/access.h>

/* ---- boxes ---- */

enum { SND_ROW_CELLS = 4096 };   /* a longer row is cut into segments of this */

/* How the elements of a run lie in its container. */
typedef struct snd_run {
  int64_t cells;                 /* that follow along the last index, this one counted */
  int64_t step;                  /* positions from one to the next */
} snd_run;

/* at: coordinate of the first cell on the last index's axis. */
SND_INLINE snd_run snd_run_at(const snd_access *access, int64_t at)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int32_t axis = access->field->axes[access->field->axis_count - 1];
  snd_run run = { 1, 1 };

  if (!(node->own_axes >> axis & 1)) return run;
  if (node->kind == SND_SNODE_DENSE || node->kind == SND_SNODE_BITMASKED) {
    run.cells = node->extent[axis] - snd_floormod_i64(at, node->extent[axis]);
    for (int32_t inner = axis + 1; inner < SN_MAX_AXES; inner++) run.step *= node->extent[inner];
  } else if (node->kind == SND_SNODE_DYNAMIC) {
    run.cells = snd_dynamic_together(node, at, (int64_t)node->cells);
  }
  return run;
}

/* Elements of one width, from one regular place to another. */
#define SND_DEFINE_MOVE(T, C) \
  SND_INLINE void snd_move_##T(sn_addr to, uint64_t to_step, sn_addr from, uint64_t from_step, \
                               int64_t count) \
  { \
    for (int64_t k = 0; k < count; k++, to += to_step, from += from_step) \
      *SND_POINTER(snd_word_##T, to) = *SND_CONST_POINTER(snd_word_##T, from); \
  }
SND_DEFINE_MOVE(u8, uint8_t)
SND_DEFINE_MOVE(u16, uint16_t)
SND_DEFINE_MOVE(u32, uint32_t)
SND_DEFINE_MOVE(u64, uint64_t)
#undef SND_DEFINE_MOVE

SND_INLINE void
snd_move(sn_addr to, uint64_t to_step, sn_addr from, uint64_t from_step, int64_t count,
         uint32_t bytes)
{
  switch (bytes) {
  case 1: snd_move_u8(to, to_step, from, from_step, count); break;
  case 2: snd_move_u16(to, to_step, from, from_step, count); break;
  case 4: snd_move_u32(to, to_step, from, from_step, count); break;
  default: snd_move_u64(to, to_step, from, from_step, count); break;
  }
}

/* ---- a run: `count` elements from index on, values value_step bytes apart ---- */

/* How many of the values have to be active: up to the last that is not the default. */
SND_INLINE int64_t
snd_box_needed(const snd_access *access, sn_addr value, uint64_t value_step, int64_t count)
{
  const uint32_t bytes = access->field->bytes;

  if (access->what->op == SND_ACCESS_SET) return count;
  while (count > 0 &&
         snd_access_is_default(
           access->field, snd_value_load(value + (uint64_t)(count - 1) * value_step, bytes)))
    count--;
  return count;
}

/* The container of the run, for writing: activated if anything is needed; 0: nothing is to
 * be written, or no memory. */
SND_INLINE sn_addr
snd_box_container(const snd_access *access, const snd_index *index, int needed)
{
  return snd_walk_container(access->view, access->snode, index, needed ? SND_ACTIVATE : SND_PEEK,
                            access->launch, access->slot);
}

/* Cells that stand in place are read where they are, inactive ones too. */
SND_INLINE void
snd_box_read(const snd_access *access, const snd_index *index, snd_run run, sn_addr value,
             uint64_t value_step, int64_t count)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const snd_cell cell = snd_walk_cell(access->view, access->snode, index, SND_READ, access->launch,
                                      access->slot);

  snd_move(value, value_step, snd_place(node, access->field, cell),
           snd_place_step(node, access->field, run.step), count, access->field->bytes);
}

/* Where the cells are equally active, as in a dense container. */
SND_INLINE void
snd_box_write(const snd_access *access, const snd_index *index, snd_run run, sn_addr value,
              uint64_t value_step, int64_t count)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int needed = snd_box_needed(access, value, value_step, count) > 0;
  const snd_cell cell =
    snd_walk_cell(access->view, access->snode, index, needed ? SND_ACTIVATE : SND_PEEK,
                  access->launch, access->slot);

  if (cell.base != 0)
    snd_move(snd_place(node, access->field, cell), snd_place_step(node, access->field, run.step),
             value, value_step, count, access->field->bytes);
}

SND_INLINE void
snd_box_write_bitmasked(const snd_access *access, const snd_index *index, snd_run run,
                        sn_addr value, uint64_t value_step, int64_t count)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const sn_addr container =
    snd_box_container(access, index, snd_box_needed(access, value, value_step, count) > 0);
  const uint32_t bytes = access->field->bytes;
  snd_cell cell = { container, snd_position(node, node, index) };

  if (container == 0) return;
  for (int64_t k = 0; k < count; k++, cell.l += run.step, value += value_step) {
    const uint64_t bits = snd_value_load(value, bytes);
    if (snd_step_in_place(access->view, access->snode, container, cell.l,
                          snd_access_mode(access, bits)))
      snd_value_store(snd_place(node, access->field, cell), bytes, bits);
  }
}

/* How many of the cells from p on are active; the first of them. */
SND_INLINE int64_t
snd_box_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t p, int64_t count,
               sn_addr *first)
{
  *first = container != 0 ? snd_dynamic_peek(node, container, p) : 0;
  return *first != 0 ? snd_min_i64(snd_dynamic_length(node, container) - p, count) : 0;
}

SND_INLINE void
snd_box_read_dynamic(const snd_access *access, const snd_index *index, int64_t p, sn_addr value,
                     uint64_t value_step, int64_t count)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const uint64_t offset = access->field->offset;
  const uint32_t bytes = access->field->bytes;
  sn_addr first;
  const int64_t active =
    snd_box_active(node, snd_walk_container(access->view, access->snode, index, SND_PEEK, NULL, 0),
                   p, count, &first);

  snd_move(value, value_step, first + offset, node->cell_bytes, active, bytes);
  snd_move(value + (uint64_t)active * value_step, value_step, node->ambient + offset, 0,
           count - active, bytes);
}

/* Activation of the last cell that needs it makes the others active.  Where the chunk
 * cannot be had, none of them is. */
SND_INLINE void
snd_box_write_dynamic(const snd_access *access, const snd_index *index, int64_t p, sn_addr value,
                      uint64_t value_step, int64_t count)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int64_t needed = snd_box_needed(access, value, value_step, count);
  const sn_addr container = snd_box_container(access, index, needed > 0);
  sn_addr first;
  int64_t active;

  if (container != 0 && needed > 0)
    (void)snd_dynamic_activate(access->view, access->snode, access->launch, access->slot,
                               container, p + needed - 1);
  active = snd_box_active(node, container, p, count, &first);
  snd_move(first + access->field->offset, node->cell_bytes, value, value_step, active,
           access->field->bytes);
}

SND_INLINE void
snd_box_run(const snd_access *access, const snd_index *index, snd_run run, sn_addr value,
            uint64_t value_step, int64_t count)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int reads = access->what->op == SND_ACCESS_GET;

  if (node->kind == SND_SNODE_DYNAMIC) {
    const int64_t p = snd_index_on(index, snd_last_axis(node->own_axes));
    if (reads) snd_box_read_dynamic(access, index, p, value, value_step, count);
    else snd_box_write_dynamic(access, index, p, value, value_step, count);
  } else if (reads) {
    snd_box_read(access, index, run, value, value_step, count);
  } else if (node->kind == SND_SNODE_BITMASKED) {
    snd_box_write_bitmasked(access, index, run, value, value_step, count);
  } else {
    snd_box_write(access, index, run, value, value_step, count);
  }
}

/* ---- rows ---- */

/* Elements at .. end - 1 of the row that `values` (the last one aside) names. */
SND_FUNCTION void
snd_box_row(const snd_access *access, int64_t *values, int64_t at, int64_t end)
{
  const SND_GLB snd_access_params *what = access->what;
  const int32_t last = (int32_t)access->field->axis_count - 1;
  const snd_index index = snd_index_of_field(access->field, SND_CONST_POINTER(int64_t, values));

  while (at < end) {
    const snd_run run = snd_run_at(access, at - access->field->origin[last]);
    const int64_t count = snd_min_i64(run.cells, end - at);
    int64_t place = 0;

    values[last] = at;
    for (int32_t k = 0; k <= last; k++) place += (values[k] - what->lo[k]) * what->stride[k];
    snd_box_run(access, &index, run, what->value + (uint64_t)place * access->field->bytes,
                (uint64_t)what->stride[last] * access->field->bytes, count);
    at += count;
  }
}

/* Segments: pieces of rows, numbered row by row. */
SND_INLINE int64_t snd_box_segments(const snd_access *access)
{
  const int32_t last = (int32_t)access->field->axis_count - 1;
  const int64_t row = access->what->hi[last] - access->what->lo[last];

  return row < 1 ? 0 : snd_access_box_cells(access) / row * snd_ceil_div(row, SND_ROW_CELLS);
}

SND_FUNCTION void snd_box_segment(const snd_access *access, int64_t number)
{
  const SND_GLB snd_access_params *what = access->what;
  const int32_t last = (int32_t)access->field->axis_count - 1;
  const int64_t row = what->hi[last] - what->lo[last];
  const int64_t segments = snd_ceil_div(row, SND_ROW_CELLS);
  const int64_t first = what->lo[last] + number % segments * SND_ROW_CELLS;
  int64_t values[SN_MAX_AXES], rest = number / segments;

  for (int32_t k = last - 1; k >= 0; k--) {
    values[k] = what->lo[k] + rest % (what->hi[k] - what->lo[k]);
    rest /= what->hi[k] - what->lo[k];
  }
  snd_box_row(access, values, first, snd_min_i64(first + SND_ROW_CELLS, what->hi[last]));
}

SND_FUNCTION void snd_box_share(const snd_access *access, const snd_worker *worker)
{
  const snd_share share = snd_share_of(worker, snd_box_segments(access));
  for (int64_t s = share.first; s < share.last; s++) snd_box_segment(access, s);
}

/* Whether the box lies inside the extents; else its first index outside is noted. */
SND_FUNCTION int snd_box_is_inside(const snd_access *access)
{
  const SND_GLB snd_access_params *what = access->what;
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];

  for (uint32_t k = 0; k < access->field->axis_count; k++) {
    const int32_t axis = access->field->axes[k];
    const int64_t origin = access->field->origin[k];
    const int below = what->lo[k] < origin;
    if (node->open_axes >> axis & 1) continue;
    if (below || what->hi[k] - origin > node->total[axis]) {
      int64_t values[SN_MAX_AXES];
      snd_index index;
      for (uint32_t j = 0; j < access->field->axis_count; j++) values[j] = what->lo[j];
      values[k] = below ? what->lo[k] : what->hi[k] - 1;
      index = snd_index_of_field(access->field, SND_CONST_POINTER(int64_t, values));
      snd_access_outside(access, &index);
      return 0;
    }
  }
  return 1;
}

/* ---- the task ---- */

/* Threads' worth of work; a listed cell is a walk of some 50 ns. */
SND_INLINE int64_t snd_access_work(const snd_access *access)
{
  switch (access->what->op) {
  case SND_ACCESS_FILL:
  case SND_ACCESS_COUNT:
  case SND_ACCESS_LIST: return snd_work(snd_access_runs(access) * SND_RUN);
  default:
    return access->what->boxed ? snd_work(snd_access_box_cells(access))
                               : snd_work((int64_t)access->what->n * 16);
  }
}

enum { SND_ACCESS_THREADS = 256 };

/* LIST: each thread counts its share, and after a barrier knows its first row:
 * memory order, whatever the threads. */
SND_FUNCTION void
snd_access_list_host_share(const snd_access *access, uint64_t *counts, int number, int threads)
{
  const snd_worker worker = snd_host_worker(number, threads);
  const uint64_t count = snd_access_count(access, snd_share_of(&worker, snd_access_runs(access)));
  uint64_t before = 0;

  counts[number] = count;
  SND_HOST_BARRIER(threads);
  for (int t = 0; t < number; t++) before += counts[t];
  if (number == threads - 1) *SND_POINTER(uint64_t, access->what->result) = before + count;
  snd_access_share(access, &worker, before);
}

SND_FUNCTION void
snd_access_host_share(const snd_access *access, int boxed, int number, int threads)
{
  const snd_worker worker = snd_host_worker(number, threads);

  if (boxed) snd_box_share(access, &worker);
  else snd_access_share(access, &worker, 0);
}

SND_FUNCTION int snd_access_host(const snd_args *args)
{
  const snd_access access =
    snd_access_of(SND_HOST_VIEW(args, args->slot), SND_HOST_LAUNCH(args), args->slot,
                  SND_CONST_POINTER(snd_access_params, args->params));
  const int boxed = access.what->boxed && access.field != NULL && access.field->axis_count > 0;
  const int64_t work = snd_access_work(&access);
  uint64_t counts[SND_ACCESS_THREADS];

  if (boxed && !snd_box_is_inside(&access)) return SN_OK;
  if (access.what->op == SND_ACCESS_LIST)
    SND_HOST_PARALLEL(args, snd_min_i64(work, SND_ACCESS_THREADS), snd_access_list_host_share,
                      &access, counts);
  else SND_HOST_PARALLEL(args, work, snd_access_host_share, &access, boxed);
  return SN_OK;
}

#endif
