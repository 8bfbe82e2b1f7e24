/* Staging: a box of a field's cells, copied into an array of the thread.
 *
 *   const snd_way way = snd_way_to(view, SNODE);
 *   float near_x[10 * 10];
 *   snd_stage(&way, offset of x in a cell, sizeof(float), 2, first, extents, near_x);
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
  const SND_GLB sn_tree_view *view;
  int32_t snode;
  int32_t step_count;            /* -1: more than there is room for */
  int32_t node[SN_MAX_DEPTH];    /* by depth, from 1 on */
  int32_t end[SN_MAX_DEPTH];     /* of the steps of each */
  snd_way_step step[SND_WAY_STEPS];
} snd_way;

SND_INLINE int32_t snd_log2_exact(int64_t n)
{
  return n > 0 && (n & (n - 1)) == 0 ? snd_ctz((uint64_t)n) : -1;
}

SND_COLD void snd_way_add(snd_way *way, const SND_GLB sn_snode_view *node, int32_t axis)
{
  const SND_GLB sn_snode_view *target = &way->view->snode[way->snode];
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

SND_COLD snd_way snd_way_to(const SND_GLB sn_tree_view *view, int32_t snode)
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

/* The cell at these coordinates, inside the extents: the ambient one where it is inactive. */
SND_INLINE sn_addr snd_way_cell(const snd_way *way, const int64_t *at)
{
  const uint32_t depth = way->view->snode[way->snode].depth;
  sn_addr cell = way->view->root;
  int32_t n = 0;

  for (uint32_t d = 0; d < depth; d++) {
    const SND_GLB sn_snode_view *node = &way->view->snode[way->node[d]];
    int64_t l = 0;
    for (; n < way->end[d]; n++) {
      const snd_way_step *step = &way->step[n];
      const int64_t digit = step->shift >= 0
                              ? (at[step->k] >> step->shift) & (step->extent - 1)
                              : at[step->k] / step->below % step->extent;
      l = l * step->extent + digit;
    }
    cell = snd_is_in_place(node)
             ? snd_dense_lookup(node, snd_container(node, cell), l, 0)
             : snd_pointer_read(node, snd_container(node, cell), l);
  }
  return cell;
}

/* ---- boxes ---- */

/* The part of a box in one container: cells at[k] .. end[k] - 1. */
typedef struct snd_piece {
  int64_t at[SN_MAX_AXES], end[SN_MAX_AXES];
} snd_piece;

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

/* from: the field in the piece's first cell; to: its place in the array. */
SND_INLINE void
snd_stage_piece(const snd_piece *piece, int32_t n, const SND_GLB uint8_t *from,
                const int64_t *from_step, uint8_t *to, const int64_t *to_step, int bytes)
{
  int64_t at[SN_MAX_AXES] = { 0 };
  const int64_t row = piece->end[n - 1] - piece->at[n - 1];

  for (;;) {
    int32_t k = n - 2;
    for (int64_t c = 0; c < row; c++)
      snd_stage_value(from + c * from_step[n - 1], to + c * bytes, bytes);
    for (; k >= 0; k--) {
      from += from_step[k];
      to += to_step[k];
      if (++at[k] < piece->end[k] - piece->at[k]) break;
      from -= at[k] * from_step[k];
      to -= at[k] * to_step[k];
      at[k] = 0;
    }
    if (k < 0) return;
  }
}

SND_INLINE sn_addr snd_stage_cell(const snd_way *way, const int64_t *at)
{
  const SND_GLB sn_snode_view *node = &way->view->snode[way->snode];
  snd_index index;

  if (way->step_count >= 0) return snd_way_cell(way, at);
  index = snd_index_of_snode(node, (const SND_GLB int64_t *)at);
  return snd_walk_cell(way->view, way->snode, &index, SND_READ, NULL, 0);
}

SND_INLINE void
snd_stage(const snd_way *way, uint64_t offset, int bytes, int32_t n, const int64_t *first,
          const int64_t *extent, void *buffer)
{
  const SND_GLB sn_snode_view *node = &way->view->snode[way->snode];
  int64_t own[SN_MAX_AXES], lo[SN_MAX_AXES], hi[SN_MAX_AXES];
  int64_t from_step[SN_MAX_AXES], to_step[SN_MAX_AXES], cells = 1, values = 1;
  snd_piece piece;
  uint32_t axes = node->path_axes;

  for (int32_t k = 0; k < n; k++, axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    own[k] = node->own_axes >> axis & 1 ? node->extent[axis] : 1;
    lo[k] = snd_max_i64(first[k], 0);
    hi[k] = snd_min_i64(first[k] + extent[k], node->total[axis]);
    if (lo[k] >= hi[k]) return;
    piece.at[k] = lo[k];
  }
  for (int32_t k = n - 1; k >= 0; k--) {
    from_step[k] = own[k] > 1 ? cells * (int64_t)node->cell_bytes : 0;
    to_step[k] = values * bytes;
    cells *= own[k];
    values *= extent[k];
  }
  for (;;) {
    const SND_GLB uint8_t *from =
      SND_CONST_POINTER(uint8_t, snd_stage_cell(way, piece.at) + offset);
    uint8_t *to = buffer;
    int32_t k;
    for (k = 0; k < n; k++) {
      piece.end[k] = snd_min_i64((piece.at[k] / own[k] + 1) * own[k], hi[k]);
      to += (piece.at[k] - first[k]) * to_step[k];
    }
    snd_stage_piece(&piece, n, from, from_step, to, to_step, bytes);
    for (k = n - 1; k >= 0; k--) {
      piece.at[k] = piece.end[k];
      if (piece.at[k] < hi[k]) break;
      piece.at[k] = lo[k];
    }
    if (k < 0) return;
  }
}

#endif
