/* SPDX-License-Identifier: BSD-3-Clause */
/* Depositing: what a thread has added up in an array goes to a box of a field's cells.
 *
 *   float near_x[10 * 10];       each -0.0, which every sum may begin with
 *   uint8_t wrote_x[10 * 10];    which elements have been added to
 *   snd_deposit(&way, launch, slot, FIELD, SN_TYPE_F32, 2, first, extents, near_x, wrote_x);
 *
 * The box is that of snd_stage.  Elements that were added to are added to their cells, which
 * are activated, and begin anew; no other cell is touched, nor what lies outside the
 * extents.  When memory is out what could not be had is left out, as a write is.
 *
 * The additions are relaxed, as those of the body would be: a sum does not say who came
 * first, and it is read after the task.
 */
#ifndef SNODE_DEVICE_DEPOSIT_H
#define SNODE_DEVICE_DEPOSIT_H

#include <snode/device/stage.h>

typedef struct snd_deposits {
  const snd_way *way;
  SND_GLB snd_launch *launch;
  int32_t slot;
  sn_type type;
  const SND_GLB snd_field_view *field;
  void *sums;
  uint8_t *wrote;
} snd_deposits;

#define SND_DEPOSIT(T, C, NOTHING) \
  do { \
    C *const sum = (C *)d->sums + element; \
    if (place != 0) snd_atomic_add_##T(SND_POINTER(C, place), *sum); \
    *sum = NOTHING; \
  } while (0)

/* place: the field in the cell; 0: there is none, and the sum is lost. */
SND_INLINE void snd_deposit_value(const snd_deposits *d, sn_addr place, int64_t element)
{
  switch (d->type) {
  case SN_TYPE_I8: SND_DEPOSIT(i8, int8_t, 0); break;
  case SN_TYPE_I16: SND_DEPOSIT(i16, int16_t, 0); break;
  case SN_TYPE_I32: SND_DEPOSIT(i32, int32_t, 0); break;
  case SN_TYPE_I64: SND_DEPOSIT(i64, int64_t, 0); break;
  case SN_TYPE_U8: SND_DEPOSIT(u8, uint8_t, 0); break;
  case SN_TYPE_U16: SND_DEPOSIT(u16, uint16_t, 0); break;
  case SN_TYPE_U32: SND_DEPOSIT(u32, uint32_t, 0); break;
  case SN_TYPE_U64: SND_DEPOSIT(u64, uint64_t, 0); break;
  case SN_TYPE_F32: SND_DEPOSIT(f32, float, -0.0f); break;
  case SN_TYPE_F64: SND_DEPOSIT(f64, double, -0.0); break;
  case SN_TYPE_BOOL: case SN_TYPE_F16: break;      /* are not added to */
  }
}
#undef SND_DEPOSIT

/* The field in the cell in that row of the piece, `c` cells on, which is activated; 0: it could not
 * be had. */
SND_COLD sn_addr
snd_deposit_place(const snd_deposits *d, const snd_box *box, const snd_piece *piece,
                 const int64_t *row, int64_t c)
{
  const SND_GLB snd_tree_view *view = d->way->view;
  const SND_GLB snd_snode_view *node = &view->snode[d->way->snode];
  int64_t at[SN_MAX_AXES];
  snd_index index;
  snd_cell cell;

  for (int32_t k = 0; k < box->n; k++) at[k] = piece->at[k] + (k == box->n - 1 ? c : row[k]);
  index = snd_index_of_snode(node, (const SND_GLB int64_t *)at);
  cell = snd_walk_cell(view, d->way->snode, &index, SND_ACTIVATE, d->launch, d->slot);
  return cell.base == 0 ? 0 : snd_place(node, d->field, cell);
}

/* In a dense container all cells are active where one is: the first walk serves all of
 * them.  Of a bitmasked one each cell has its bit. */
SND_INLINE void
snd_deposit_piece(const snd_deposits *d, const snd_box *box, const snd_piece *piece, int is_dense)
{
  const int32_t last = box->n - 1;
  const int64_t cells = piece->end[last] - piece->at[last];
  int64_t row[SN_MAX_AXES] = { 0 }, at = 0, element = snd_piece_element(box, piece);
  sn_addr base = 0;              /* the field in the piece's first cell */

  do
    for (int64_t c = 0; c < cells; c++) {
      const int64_t bytes = at + c * box->place_step[last];
      if (!d->wrote[element + c]) continue;
      d->wrote[element + c] = 0;
      if (base == 0 || !is_dense) {
        const sn_addr place = snd_deposit_place(d, box, piece, row, c);
        base = place == 0 ? 0 : place - (uint64_t)bytes;
      }
      snd_deposit_value(d, base == 0 ? 0 : base + (uint64_t)bytes, element + c);
    }
  while (snd_piece_next_row(box, piece, row, &at, &element));
}

SND_INLINE void
snd_deposit(const snd_way *way, SND_GLB snd_launch *launch, int32_t slot, int32_t field,
            sn_type type, int32_t n, const int64_t *first, const int64_t *extent, void *sums,
            uint8_t *wrote)
{
  const snd_deposits d = { way, launch, slot, type, snd_field(way->view, field), sums, wrote };
  const SND_GLB snd_snode_view *node = &way->view->snode[way->snode];
  snd_box box;
  snd_piece piece;

  if (!snd_box_begin(&box, node, d.field, n, first, extent, &piece)) return;
  do snd_deposit_piece(&d, &box, &piece, node->kind == SND_SNODE_DENSE);
  while (snd_box_next(&box, &piece));
}

#endif
