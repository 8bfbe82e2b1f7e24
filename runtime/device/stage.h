/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging: a box of a field's cells, copied into an array of the thread (deposit.h: added
 * to the cells from there).
 *
 *   const snd_way way = snd_way_to(view, SNODE);
 *   float near_x[10 * 10];
 *   snd_stage(&way, FIELD, sizeof(float), 2, first, extents, near_x);
 *
 * The SNode's cells stand in place (dense, bitmasked).  The box has extents[k] cells from
 * first[k] on, on the k-th of the SNode's path axes, ascending; its last axis runs fastest in
 * the array.  What lies outside the extents is left as it was.  Inactive cells give
 * their defaults; nothing is activated.  One walk for each container that the box meets, by
 * a way whose divisors are looked up once for a task: divisions are what walks cost.
 */
#ifndef SNODE_DEVICE_STAGE_H
#define SNODE_DEVICE_STAGE_H

#include <snode/device/walk.h>

/* ---- the way down ---- */

enum { SND_WAY_STEPS = 64 };

/* One digit of a position: (at[k] / below) % extent, by shift and mask where they are
 * powers of two. */
typedef struct snd_way_step {
  int64_t below, extent;
  int32_t k;                     /* the path axis, by rank */
  int32_t shift;                 /* -1: below or extent is no power of two */
} snd_way_step;

typedef struct snd_way {
  const SND_GLB snd_tree_view *view;
  int32_t snode;
  int32_t step_count;            /* -1: more than there is room for */
  int32_t node[SND_MAX_DEPTH];   /* by depth, from 1 on */
  int32_t end[SND_MAX_DEPTH];    /* of the steps of each */
  snd_way_step step[SND_WAY_STEPS];
} snd_way;

SND_INLINE int32_t snd_log2_exact(int64_t n)
{
  return n > 0 && (n & (n - 1)) == 0 ? snd_ctz((uint64_t)n) : -1;
}

SND_COLD void snd_way_add(snd_way *way, const SND_GLB snd_snode_view *node, int32_t axis)
{
  const SND_GLB snd_snode_view *target = &way->view->snode[way->snode];
  snd_way_step *step;

  if (way->step_count < 0 || way->step_count == SND_WAY_STEPS) {
    way->step_count = -1;
    return;
  }
  step = &way->step[way->step_count++];
  step->k = snd_axis_rank(target->path_axes, axis);
  step->below = target->total[axis] / node->total[axis];
  step->extent = node->extent[axis];
  step->shift = snd_log2_exact(step->extent) < 0 ? -1 : snd_log2_exact(step->below);
}

SND_COLD snd_way snd_way_to(const SND_GLB snd_tree_view *view, int32_t snode)
{
  snd_way way;

  way.view = view;
  way.snode = snode;
  way.step_count = 0;
  for (uint32_t d = 1; d <= view->snode[snode].depth; d++) {
    const int32_t id = snd_ancestor(view, snode, d);
    for (uint32_t axes = view->snode[id].own_axes; axes != 0; axes &= axes - 1)
      snd_way_add(&way, &view->snode[id], snd_ctz(axes));
    way.node[d - 1] = id;
    way.end[d - 1] = way.step_count;
  }
  return way;
}

/* is_active: no cell where one above the cell is inactive, or may be; else it is in the ambient
 * one then. */
SND_INLINE snd_cell snd_way_go(const snd_way *way, const int64_t *at, int is_active)
{
  const uint32_t depth = way->view->snode[way->snode].depth;
  sn_addr cell = way->view->root;
  snd_cell last = snd_no_cell();
  int32_t n = 0;

  for (uint32_t d = 0; d < depth; d++) {
    const SND_GLB snd_snode_view *node = &way->view->snode[way->node[d]];
    int64_t l = 0;
    for (; n < way->end[d]; n++) {
      const snd_way_step *step = &way->step[n];
      const int64_t digit = step->shift >= 0
                              ? (at[step->k] >> step->shift) & (step->extent - 1)
                              : at[step->k] / step->below % step->extent;
      l = l * step->extent + digit;
    }
    last.base = snd_container(node, cell);
    last.l = l;
    cell = snd_is_in_place(node) ? snd_dense_lookup(node, last.base, l, 0)
                                 : snd_pointer_read(node, last.base, l);
    if (is_active && (node->kind == SND_SNODE_BITMASKED || cell == node->ambient))
      return snd_no_cell();
  }
  return last;
}

/* The cell at these coordinates, inside the extents: in the ambient one where one above it is
 * inactive.  The SNode's cells stand in place. */
SND_INLINE snd_cell snd_way_cell(const snd_way *way, const int64_t *at)
{
  return snd_way_go(way, at, 0);
}

/* The same where it is active for certain; else none. */
SND_INLINE snd_cell snd_way_active_cell(const snd_way *way, const int64_t *at)
{
  return snd_way_go(way, at, 1);
}

/* ---- boxes ---- */

/* A box clipped at the extents, cut at the SNode's containers: cells lo[k] .. hi[k] - 1. */
typedef struct snd_box {
  int32_t n;
  int64_t first[SN_MAX_AXES], lo[SN_MAX_AXES], hi[SN_MAX_AXES];
  int64_t own[SN_MAX_AXES];      /* of a container, 1 where it has none */
  /* from one cell to the next on an axis: bytes in a container, elements of the array */
  int64_t place_step[SN_MAX_AXES], step[SN_MAX_AXES];
} snd_box;

/* The part of a box in one container: cells at[k] .. end[k] - 1. */
typedef struct snd_piece {
  int64_t at[SN_MAX_AXES], end[SN_MAX_AXES];
} snd_piece;

SND_INLINE void snd_piece_end(const snd_box *box, snd_piece *piece)
{
  for (int32_t k = 0; k < box->n; k++)
    piece->end[k] = snd_min_i64((piece->at[k] / box->own[k] + 1) * box->own[k], box->hi[k]);
}

/* The box and its first piece; 0: nothing of it lies inside the extents. */
SND_INLINE int
snd_box_begin(snd_box *box, const SND_GLB snd_snode_view *node, const SND_GLB snd_field_view *field,
              int32_t n, const int64_t *first, const int64_t *extent, snd_piece *piece)
{
  int64_t cells = 1, elements = 1;
  uint32_t axes = node->path_axes;

  box->n = n;
  for (int32_t k = 0; k < n; k++, axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    box->own[k] = node->own_axes >> axis & 1 ? node->extent[axis] : 1;
    box->first[k] = first[k];
    box->lo[k] = snd_max_i64(first[k], 0);
    box->hi[k] = snd_min_i64(first[k] + extent[k], node->total[axis]);
    if (box->lo[k] >= box->hi[k]) return 0;
    piece->at[k] = box->lo[k];
  }
  for (int32_t k = n - 1; k >= 0; k--) {
    box->place_step[k] = box->own[k] > 1 ? (int64_t)snd_place_step(node, field, cells) : 0;
    box->step[k] = elements;
    cells *= box->own[k];
    elements *= extent[k];
  }
  snd_piece_end(box, piece);
  return 1;
}

/* The next piece; 0: there is none. */
SND_INLINE int snd_box_next(const snd_box *box, snd_piece *piece)
{
  for (int32_t k = box->n - 1; k >= 0; k--) {
    piece->at[k] = piece->end[k];
    if (piece->at[k] < box->hi[k]) {
      snd_piece_end(box, piece);
      return 1;
    }
    piece->at[k] = box->lo[k];
  }
  return 0;
}

/* Where the piece's first cell stands in the array. */
SND_INLINE int64_t snd_piece_element(const snd_box *box, const snd_piece *piece)
{
  int64_t element = 0;

  for (int32_t k = 0; k < box->n; k++) element += (piece->at[k] - box->first[k]) * box->step[k];
  return element;
}

/* The next row of a piece, rows before it counted in row[]; 0: there is none. */
SND_INLINE int
snd_piece_next_row(const snd_box *box, const snd_piece *piece, int64_t *row, int64_t *bytes,
                   int64_t *element)
{
  for (int32_t k = box->n - 2; k >= 0; k--) {
    *bytes += box->place_step[k];
    *element += box->step[k];
    if (++row[k] < piece->end[k] - piece->at[k]) return 1;
    *bytes -= row[k] * box->place_step[k];
    *element -= row[k] * box->step[k];
    row[k] = 0;
  }
  return 0;
}

/* Floats too are copied as words, which may alias them: the body reads floats. */
SND_INLINE void snd_stage_value(SND_GLB const uint8_t *from, uint8_t *to, int bytes)
{
  switch (bytes) {
  case 1: *to = *from; break;
  case 2: *(snd_word_u16 *)to = *(const SND_GLB snd_word_u16 *)from; break;
  case 4: *(snd_word_u32 *)to = *(const SND_GLB snd_word_u32 *)from; break;
  default: *(snd_word_u64 *)to = *(const SND_GLB snd_word_u64 *)from;
  }
}

/* from: the field in the piece's first cell. */
SND_INLINE void
snd_stage_piece(const snd_box *box, const snd_piece *piece, const SND_GLB uint8_t *from,
                uint8_t *buffer, int bytes)
{
  const int32_t last = box->n - 1;
  const int64_t cells = piece->end[last] - piece->at[last];
  int64_t row[SN_MAX_AXES] = { 0 }, at = 0, element = snd_piece_element(box, piece);

  do
    for (int64_t c = 0; c < cells; c++)
      snd_stage_value(from + at + c * box->place_step[last], buffer + (element + c) * bytes, bytes);
  while (snd_piece_next_row(box, piece, row, &at, &element));
}

SND_INLINE snd_cell snd_stage_cell(const snd_way *way, const int64_t *at)
{
  const SND_GLB snd_snode_view *node = &way->view->snode[way->snode];
  snd_index index;

  if (way->step_count >= 0) return snd_way_cell(way, at);
  index = snd_index_of_snode(node, (const SND_GLB int64_t *)at);
  return snd_walk_cell(way->view, way->snode, &index, SND_READ, NULL, 0);
}

SND_INLINE void
snd_stage(const snd_way *way, int32_t field, int bytes, int32_t n, const int64_t *first,
          const int64_t *extent, void *buffer)
{
  const SND_GLB snd_snode_view *node = &way->view->snode[way->snode];
  const SND_GLB snd_field_view *staged = snd_field(way->view, field);
  snd_box box;
  snd_piece piece;

  if (!snd_box_begin(&box, node, staged, n, first, extent, &piece)) return;
  do
    snd_stage_piece(&box, &piece,
                    SND_CONST_POINTER(uint8_t,
                                      snd_place(node, staged, snd_stage_cell(way, piece.at))),
                    buffer, bytes);
  while (snd_box_next(&box, &piece));
}

#endif
