/* Walks from the root to a cell, over the view alone: what the host's access and
 * the interpreter use.  Generated code has a walk of its own for each SNode.
 *
 * Indices count the cells of the SNode where the walk is to end over the whole
 * tree; they come in the order of a field, or of the SNode's axes.
 */
#ifndef SNODE_DEVICE_WALK_H
#define SNODE_DEVICE_WALK_H

#include <snode/device/kinds.h>
#include <snode/device/shape.h>

typedef enum snd_mode {
  SND_READ,                      /* the ambient cell where it is inactive */
  SND_PEEK,                      /* 0 where it is inactive */
  SND_ACTIVATE                   /* 0 where there is no memory */
} snd_mode;

/* Where an index comes from: count values, or a cell of a box.  No array of its
 * own: a local array indexed at run time lives in memory on a GPU. */
typedef struct snd_index {
  const SND_GLB int64_t *values; /* NULL: cell `number` of the box, row-major */
  const SND_GLB uint8_t *axes;   /* axis of value k; NULL: the axes of path_axes, ascending */
  const SND_GLB int64_t *lo, *hi;
  int64_t number;
  uint32_t path_axes;
  int32_t count;
} snd_index;

/* Indices in a field's own order; values: NULL to be set, or the box to be. */
SND_INLINE snd_index
snd_index_of_field(const SND_GLB sn_field_view *field, const SND_GLB int64_t *values)
{
  const snd_index index = { values, field->axes, NULL, NULL, 0, 0, (int32_t)field->axis_count };
  return index;
}

/* Indices of an SNode's cells, in axis order. */
SND_INLINE snd_index
snd_index_of_snode(const SND_GLB sn_snode_view *node, const SND_GLB int64_t *values)
{
  const snd_index index = { values, NULL, NULL, NULL, 0, node->path_axes,
                            snd_popcount(node->path_axes) };
  return index;
}

SND_INLINE int64_t snd_index_value(const snd_index *index, int32_t k)
{
  int64_t rest = index->number;

  if (index->values != NULL) return index->values[k];
  for (int32_t inner = index->count - 1; inner > k; inner--)
    rest /= index->hi[inner] - index->lo[inner];
  return index->lo[k] + rest % (index->hi[k] - index->lo[k]);
}

/* The coordinate on an axis; 0 on one that the index does not have. */
SND_INLINE int64_t snd_index_on(const snd_index *index, int32_t axis)
{
  if (index->axes == NULL) return snd_index_value(index, snd_axis_rank(index->path_axes, axis));
  for (int32_t k = 0; k < index->count; k++)
    if (index->axes[k] == axis) return snd_index_value(index, k);
  return 0;
}

/* Whether the index lies inside the extents of the SNode. */
SND_COLD int snd_index_inside(const SND_GLB sn_snode_view *node, const snd_index *index)
{
  for (uint32_t axes = node->path_axes; axes != 0; axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    const int64_t at = snd_index_on(index, axis);
    if (at < 0 || at >= node->total[axis]) return 0;
  }
  return 1;
}

/* Linear position, in its container, of the cell of `node` on the way to the cell
 * of `target` that the index names. */
SND_INLINE int64_t
snd_position(const SND_GLB sn_snode_view *node, const SND_GLB sn_snode_view *target,
             const snd_index *index)
{
  int64_t l = 0;
  for (uint32_t axes = node->own_axes; axes != 0; axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    const int64_t below = target->total[axis] / node->total[axis];
    const int64_t digit = snd_index_on(index, axis) / below % node->extent[axis];
    l = l * node->extent[axis] + digit;
  }
  return l;
}

/* The cell, at `depth` on the path to `target`, that holds the target's cell at
 * index (which lies inside); depth 0: the root's. */
SND_COLD sn_addr
snd_walk(const SND_GLB sn_tree_view *view, int32_t target, uint32_t depth, const snd_index *index,
         snd_mode mode, SND_GLB sn_launch *launch, int32_t slot)
{
  /* A root without places has no memory: any address but 0 says that it is there. */
  sn_addr cell = view->root != 0 ? view->root : 1;

  for (uint32_t d = 1; d <= depth; d++) {
    const int32_t snode = snd_ancestor(view, target, d);
    const SND_GLB sn_snode_view *node = &view->snode[snode];
    const sn_addr container = snd_container(node, cell);
    const int64_t l = snd_position(node, &view->snode[target], index);

    if (mode == SND_ACTIVATE) cell = snd_activate(view, snode, launch, slot, container, l);
    else cell = snd_lookup(node, container, l, mode == SND_READ ? node->ambient : 0);
    if (cell == 0) return 0;
  }
  return cell;
}

/* The cell of `snode` itself. */
SND_INLINE sn_addr
snd_walk_cell(const SND_GLB sn_tree_view *view, int32_t snode, const snd_index *index,
              snd_mode mode, SND_GLB sn_launch *launch, int32_t slot)
{
  return snd_walk(view, snode, view->snode[snode].depth, index, mode, launch, slot);
}

SND_INLINE int
snd_walk_is_active(const SND_GLB sn_tree_view *view, int32_t snode, const snd_index *index)
{
  return snd_walk_cell(view, snode, index, SND_PEEK, NULL, 0) != 0;
}

/* Below an inactive ancestor there is nothing to deactivate. */
SND_INLINE void
snd_walk_deactivate(const SND_GLB sn_tree_view *view, int32_t snode, const snd_index *index)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  sn_addr above;

  if (node->depth == 0) return;
  above = snd_walk(view, snode, node->depth - 1, index, SND_PEEK, NULL, 0);
  if (above != 0)
    snd_deactivate(view, snode, snd_container(node, above), snd_position(node, node, index));
}

#endif
