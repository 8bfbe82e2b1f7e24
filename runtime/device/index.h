/* SPDX-License-Identifier: BSD-3-Clause */
/* Indices, as the host and the interpreter give them, and what they come to in an SNode.
 *
 * They come in a field's own order, with its origin in them, or in the order of an
 * SNode's axes: then they count its cells over the whole tree.  On an axis that a hash
 * divides any index goes, and all digits round down.
 */
#ifndef SNODE_DEVICE_INDEX_H
#define SNODE_DEVICE_INDEX_H

#include <snode/device/shape.h>

/* Where an index comes from: count values, or a cell of a box.  No array of its
 * own: a local array indexed at run time lives in memory on a GPU. */
typedef struct snd_index {
  const SND_GLB int64_t *values; /* NULL: cell `number` of the box, row-major */
  const SND_GLB uint8_t *axes;   /* axis of value k; NULL: the axes of path_axes, ascending */
  const SND_GLB int64_t *lo, *hi;
  const SND_GLB int64_t *origin; /* of value k; NULL: 0 */
  int64_t number;
  uint32_t path_axes;
  int32_t count;
} snd_index;

/* Indices in a field's own order; values: NULL to be set, or the box to be. */
SND_INLINE snd_index
snd_index_of_field(const SND_GLB snd_field_view *field, const SND_GLB int64_t *values)
{
  const snd_index index = { values, field->axes, NULL, NULL, field->origin, 0, 0,
                            (int32_t)field->axis_count };
  return index;
}

/* Indices on some axes, in axis order. */
SND_INLINE snd_index snd_index_on_axes(uint32_t axes, const SND_GLB int64_t *values)
{
  const snd_index index = { values, NULL, NULL, NULL, NULL, 0, axes, snd_popcount(axes) };
  return index;
}

/* Indices of an SNode's cells; of its containers: without its own axes. */
SND_INLINE snd_index
snd_index_of_snode(const SND_GLB snd_snode_view *node, const SND_GLB int64_t *values)
{
  return snd_index_on_axes(node->path_axes, values);
}

SND_INLINE snd_index
snd_index_of_container(const SND_GLB snd_snode_view *node, const SND_GLB int64_t *values)
{
  return snd_index_on_axes(node->path_axes & ~node->own_axes, values);
}

/* Value k as it was given. */
SND_INLINE int64_t snd_index_value(const snd_index *index, int32_t k)
{
  int64_t rest = index->number;

  if (index->values != NULL) return index->values[k];
  for (int32_t inner = index->count - 1; inner > k; inner--)
    rest /= index->hi[inner] - index->lo[inner];
  return index->lo[k] + rest % (index->hi[k] - index->lo[k]);
}

/* The coordinate on an axis, in cells; 0 on one that the index does not have. */
SND_INLINE int64_t snd_index_on(const snd_index *index, int32_t axis)
{
  int32_t at = -1;

  if (index->axes == NULL) {
    if (index->path_axes >> axis & 1) at = snd_axis_rank(index->path_axes, axis);
  } else {
    for (int32_t k = 0; k < index->count; k++)
      if (index->axes[k] == axis) at = k;
  }
  if (at < 0) return 0;
  return snd_index_value(index, at) - (index->origin != NULL ? index->origin[at] : 0);
}

/* Whether the index lies inside the extents of the SNode, on the axes that it has. */
SND_COLD int snd_index_inside(const SND_GLB snd_snode_view *node, const snd_index *index)
{
  const uint32_t all = index->axes == NULL ? index->path_axes : node->path_axes;

  for (uint32_t axes = all & ~node->open_axes; axes != 0; axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    const int64_t at = snd_index_on(index, axis);
    if (at < 0 || at >= node->total[axis]) return 0;
  }
  return 1;
}

/* What `node`, on the way to the cell of `target` that the index names, has to do with
 * on an axis: which of its cells over the whole tree. */
SND_INLINE int64_t
snd_cell_on(const SND_GLB snd_snode_view *node, const SND_GLB snd_snode_view *target,
            const snd_index *index, int32_t axis)
{
  return snd_floordiv_i64(snd_index_on(index, axis), target->total[axis] / node->total[axis]);
}

#endif
