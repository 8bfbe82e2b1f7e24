/* SPDX-License-Identifier: BSD-3-Clause */
/* The shape of a tree: what follows from the view's description alone, without a
 * look at any cell: axes, ancestors, where containers that stand in place lie.
 *
 * In place are the cells of dense and bitmasked SNodes.
 */
#ifndef SNODE_DEVICE_SHAPE_H
#define SNODE_DEVICE_SHAPE_H

#include <snode/device/arith.h>
#include <snode/device/platform.h>

/* Loops over a set of axes: ascending by ctz and axes & (axes - 1), descending by
 * this and snd_without. */
SND_INLINE int32_t snd_last_axis(uint32_t axes) { return 63 - snd_clz(axes); }
SND_INLINE uint32_t snd_without(uint32_t axes, int32_t axis)
{
  return axes & ~((uint32_t)1 << axis);
}

SND_INLINE int32_t snd_axis_rank(uint32_t axes, int32_t axis)
{
  return snd_popcount(axes & (((uint32_t)1 << axis) - 1));
}

SND_INLINE const SND_GLB snd_field_view *snd_field(const SND_GLB snd_tree_view *view, int32_t field)
{
  return &SND_CONST_POINTER(snd_field_view, view->fields)[field];
}

/* The container of snode in a cell of its parent. */
SND_INLINE sn_addr snd_container(const SND_GLB snd_snode_view *node, sn_addr parent_cell)
{
  return node->parent == 0 ? node->container : parent_cell + node->container_offset;
}

/* Containers of snode in one cell of `top`, an ancestor with only SNodes in between
 * whose cells stand in place; and the m-th of them in the cell at top_cell. */
SND_INLINE int64_t
snd_containers_in(const SND_GLB snd_tree_view *view, int32_t top, int32_t snode)
{
  int64_t count = 1;
  while ((snode = view->snode[snode].parent) != top) count *= (int64_t)view->snode[snode].cells;
  return count;
}

SND_COLD sn_addr
snd_nth_container(const SND_GLB snd_tree_view *view, int32_t top, sn_addr top_cell, int32_t snode,
                  int64_t m)
{
  sn_addr offset = 0;

  while (view->snode[snode].parent != top) {
    const SND_GLB snd_snode_view *parent = &view->snode[view->snode[snode].parent];
    const int64_t cells = (int64_t)parent->cells;
    offset += view->snode[snode].container_offset + (uint64_t)(m % cells) * parent->cell_bytes;
    m /= cells;
    snode = view->snode[snode].parent;
  }
  return snd_container(&view->snode[snode], top_cell) + offset;
}

SND_INLINE int32_t snd_ancestor(const SND_GLB snd_tree_view *view, int32_t snode, uint32_t depth)
{
  while (view->snode[snode].depth > depth) snode = view->snode[snode].parent;
  return snode;
}

SND_INLINE int snd_is_in_place(const SND_GLB snd_snode_view *node)
{
  return node->kind == SND_SNODE_DENSE || node->kind == SND_SNODE_BITMASKED;
}

/* ---- where a cell's fields stand ---- */

/* A cell, by what its fields are reached from: in place its container and the position in it, else
 * its own address and 0.  base 0: there is none. */
typedef struct snd_cell {
  sn_addr base;
  int64_t l;
} snd_cell;

SND_INLINE snd_cell snd_no_cell(void)
{
  const snd_cell none = { 0, 0 };
  return none;
}

SND_INLINE sn_addr
snd_place(const SND_GLB snd_snode_view *node, const SND_GLB snd_field_view *field, snd_cell cell)
{
  const uint64_t l = (uint64_t)cell.l, row = node->row_cells;

  if (row == 0) return cell.base + field->offset + l * node->cell_bytes;
  return cell.base + field->offset + l / row * node->row_bytes + l % row * field->bytes;
}

/* Under the root: the array of a field, before which so many bytes of each cell stand in others. */
SND_INLINE sn_addr snd_array(const SND_GLB snd_snode_view *node, uint64_t bytes_before)
{
  return node->container + node->row_cells * bytes_before;
}

/* From a cell's place to that of the one `step` positions on, which is in the same row or, where
 * step is a number of rows, anywhere in the container. */
SND_INLINE uint64_t snd_place_step(const SND_GLB snd_snode_view *node,
                                   const SND_GLB snd_field_view *field, int64_t step)
{
  const uint64_t cells = (uint64_t)step, row = node->row_cells;

  if (row == 0) return cells * node->cell_bytes;
  return cells % row == 0 ? cells / row * node->row_bytes : cells * field->bytes;
}

/* How many cells of a container, from l on, stand so that snd_place_step(.., 1) leads from one to
 * the next. */
SND_INLINE int64_t snd_cells_together(const SND_GLB snd_snode_view *node, int64_t l)
{
  const int64_t left = (int64_t)node->cells - l, row = (int64_t)node->row_cells;
  return row == 0 ? left : snd_min_i64(left, row - l % row);
}

#endif
