/* SN_RT_ACCESS on hosts: boxes by rows, lists in memory order.
 *
 * A row of a box runs along the field's last index.  Inside one dense container
 * its cells are a constant step apart and equally active, so the walk is made once
 * for each such run (8 cells of an 8 x 8 leaf), not once a cell.
 */
#ifndef SNODE_DEVICE_BOX_H
#define SNODE_DEVICE_BOX_H

#include <snode/device/access.h>

/* ---- boxes ---- */

enum { SND_ROW_CELLS = 4096 };   /* a longer row is cut into segments of this */

/* How the elements of a run lie in its container. */
typedef struct snd_run {
  int64_t cells;                 /* that follow along the last index, this one counted */
  uint64_t step;                 /* bytes from one to the next */
} snd_run;

SND_INLINE snd_run snd_run_at(const snd_access *access, int64_t last_index)
{
  const SND_GLB sn_snode_view *node = &access->view->snode[access->snode];
  const int32_t axis = access->field->axes[access->field->axis_count - 1];
  snd_run run = { 1, node->cell_bytes };

  if (node->kind == SN_SNODE_DENSE && (node->own_axes >> axis & 1)) {
    run.cells = node->extent[axis] - last_index % node->extent[axis];
    for (int32_t inner = axis + 1; inner < SN_MAX_AXES; inner++)
      run.step *= (uint64_t)node->extent[inner];
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

/* The cell at the head of a run that is to be written; 0: nothing is to be. */
SND_INLINE sn_addr
snd_box_written(const snd_access *access, const snd_index *index, sn_addr value, uint64_t step,
                int64_t count)
{
  const uint32_t bytes = access->field->bytes;
  snd_mode mode = SND_ACTIVATE;

  if (access->what->op == SN_ACCESS_SET_CHANGED) {
    mode = SND_PEEK;
    for (int64_t k = 0; k < count && mode == SND_PEEK; k++)
      if (!snd_access_is_default(access->field, snd_value_load(value + (uint64_t)k * step, bytes)))
        mode = SND_ACTIVATE;
  }
  return snd_walk_cell(access->view, access->snode, index, mode, access->launch, access->slot);
}

/* `count` elements from index on, all in one run. */
SND_INLINE void
snd_box_run(const snd_access *access, const snd_index *index, sn_addr value, uint64_t value_step,
            snd_run run, int64_t count)
{
  const uint64_t offset = access->field->offset;
  const uint32_t bytes = access->field->bytes;
  sn_addr cell;

  if (access->what->op == SN_ACCESS_GET) {
    cell = snd_walk_cell(access->view, access->snode, index, SND_READ, access->launch,
                         access->slot);
    snd_move(value, value_step, cell + offset, run.step, count, bytes);
  } else {
    cell = snd_box_written(access, index, value, value_step, count);
    if (cell != 0) snd_move(cell + offset, run.step, value, value_step, count, bytes);
  }
}

/* Elements at .. end - 1 of the row that `values` (the last one aside) names. */
SND_FUNCTION void
snd_box_row(const snd_access *access, int64_t *values, int64_t at, int64_t end)
{
  const SND_GLB sn_access *what = access->what;
  const int32_t last = (int32_t)access->field->axis_count - 1;
  const snd_index index = snd_index_of_field(access->field, SND_CONST_POINTER(int64_t, values));

  while (at < end) {
    const snd_run run = snd_run_at(access, at);
    const int64_t count = snd_min_i64(run.cells, end - at);
    int64_t place = 0;

    values[last] = at;
    for (int32_t k = 0; k <= last; k++) place += (values[k] - what->lo[k]) * what->stride[k];
    snd_box_run(access, &index, what->value + (uint64_t)place * access->field->bytes,
                (uint64_t)what->stride[last] * access->field->bytes, run, count);
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
  const SND_GLB sn_access *what = access->what;
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
  const SND_GLB sn_access *what = access->what;
  const SND_GLB sn_snode_view *node = &access->view->snode[access->snode];

  for (uint32_t k = 0; k < access->field->axis_count; k++) {
    const int below = what->lo[k] < 0;
    if (below || what->hi[k] > node->total[access->field->axes[k]]) {
      int64_t values[SN_MAX_AXES];
      const snd_index index =
        snd_index_of_field(access->field, SND_CONST_POINTER(int64_t, values));
      for (int32_t j = 0; j < index.count; j++) values[j] = what->lo[j];
      values[k] = below ? what->lo[k] : what->hi[k] - 1;
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
  case SN_ACCESS_FILL:
  case SN_ACCESS_COUNT:
  case SN_ACCESS_LIST: return snd_work(snd_access_runs(access) * SND_RUN);
  default:
    return access->what->boxed ? snd_work(snd_access_box_cells(access))
                               : snd_work((int64_t)access->what->n * 16);
  }
}

enum { SND_ACCESS_THREADS = 256 };

/* LIST: each thread counts its share, and after a barrier knows its first row:
 * memory order, whatever the threads. */
SND_FUNCTION void snd_access_list_host(const sn_args *args, const snd_access *access)
{
  uint64_t counts[SND_ACCESS_THREADS];

  SND_HOST_PARALLEL(args, snd_min_i64(snd_access_work(access), SND_ACCESS_THREADS))
  {
    const snd_worker worker = snd_host_worker();
    const uint64_t count =
      snd_access_count(access, snd_share_of(&worker, snd_access_runs(access)));
    uint64_t before = 0;

    counts[worker.team] = count;
    SND_PRAGMA(omp barrier)
    for (int64_t t = 0; t < worker.team; t++) before += counts[t];
    if (worker.team == worker.teams - 1)
      *SND_POINTER(uint64_t, access->what->result) = before + count;
    snd_access_share(access, &worker, before);
  }
}

SND_FUNCTION int snd_access_host(const sn_args *args)
{
  const snd_access access =
    snd_access_of(SND_HOST_VIEW(args, args->slot), SND_HOST_LAUNCH(args), args->slot,
                  SND_CONST_POINTER(sn_access, args->params));
  const int boxed = access.what->boxed && access.field != NULL && access.field->axis_count > 0;

  if (boxed && !snd_box_is_inside(&access)) return SN_OK;
  if (access.what->op == SN_ACCESS_LIST) {
    snd_access_list_host(args, &access);
    return SN_OK;
  }
  SND_HOST_PARALLEL(args, snd_access_work(&access))
  {
    const snd_worker worker = snd_host_worker();
    if (boxed) snd_box_share(&access, &worker);
    else snd_access_share(&access, &worker, 0);
  }
  return SN_OK;
}

#endif
