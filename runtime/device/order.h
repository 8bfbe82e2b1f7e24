/* SPDX-License-Identifier: BSD-3-Clause */
/* The active cells of a list in ascending order of their indices, for one thread.
 *
 *   snd_order order = snd_order_begin(view, SNODE, n, (const int32_t[]){ axes });
 *   snd_block block = SND_NO_BLOCK;
 *   while (snd_next_in_order(&order, &block)) ... the cell block.first of block ...
 *
 * axes: the SNode's path axes, in the order of the indices; the last one runs fastest.
 *
 * The list's entries are sorted where they are, by their first cells' coordinates in that
 * order; what else reads a list asks for no order.  Entries that agree in the coordinates
 * of the first k axes are a run of level k: of such a run each digit of the next axis is
 * taken in turn, and the runs within it again for each.  So every cell is looked at once,
 * and nothing is stored but a run for each axis.  The cells of a hash lie in no order: each
 * next one is looked for among all, n^2 steps.
 */
#ifndef SNODE_DEVICE_ORDER_H
#define SNODE_DEVICE_ORDER_H

#include <snode/device/list.h>
#include <snode/device/loop.h>

typedef struct snd_order {
  const SND_GLB snd_tree_view *view;
  int32_t snode;
  int32_t axis_count;
  int32_t axis[SN_MAX_AXES];     /* of each level */
  int64_t first[SN_MAX_AXES], last[SN_MAX_AXES];  /* the run of entries at hand */
  int64_t digit[SN_MAX_AXES];    /* own, of the cell given last; of a hash: its coordinate */
  int is_begun;
} snd_order;

/* ---- entries ---- */

/* What entry e is sorted by on an axis: its first cell's coordinate, less the SNode's own
 * extent; of a piece of a dynamic container where it begins. */
SND_INLINE int64_t snd_order_key(const snd_order *order, int64_t e, int32_t axis)
{
  const SND_GLB snd_snode_view *node = &order->view->snode[order->snode];
  const uint32_t above = order->view->snode[node->parent].path_axes;

  if (above >> axis & 1) return (int64_t)snd_list_entry(node, e)[1 + snd_axis_rank(above, axis)];
  return node->kind == SND_SNODE_DYNAMIC ? (int64_t)snd_list_piece(node, e)[SND_PIECE_FIRST] : 0;
}

SND_INLINE int snd_order_less(const snd_order *order, int64_t a, int64_t b)
{
  for (int32_t k = 0; k < order->axis_count; k++) {
    const int64_t x = snd_order_key(order, a, order->axis[k]);
    const int64_t y = snd_order_key(order, b, order->axis[k]);
    if (x != y) return x < y;
  }
  return 0;
}

SND_INLINE void snd_order_swap_words(SND_GLB uint64_t *words, int64_t a, int64_t b, int64_t n)
{
  for (int64_t k = 0; k < n; k++) {
    const uint64_t word = words[a * n + k];
    words[a * n + k] = words[b * n + k];
    words[b * n + k] = word;
  }
}

SND_INLINE void snd_order_swap(const snd_order *order, int64_t a, int64_t b)
{
  const SND_GLB snd_snode_view *node = &order->view->snode[order->snode];

  snd_order_swap_words(SND_POINTER(uint64_t, node->entries), a, b, node->entry_words);
  if (node->mask_words > 0)
    snd_order_swap_words(SND_POINTER(uint64_t, node->masks), a, b, node->mask_words);
}

/* Shell's sort: in place, and quick where the list is sorted already. */
SND_COLD void snd_order_sort(const snd_order *order, int64_t length)
{
  for (int64_t gap = length / 2; gap > 0; gap /= 2)
    for (int64_t e = gap; e < length; e++)
      for (int64_t k = e; k >= gap && snd_order_less(order, k, k - gap); k -= gap)
        snd_order_swap(order, k - gap, k);
}

SND_INLINE snd_order
snd_order_begin(const SND_GLB snd_tree_view *view, int32_t snode, int32_t axis_count,
                const int32_t *axes)
{
  snd_order order;

  order.view = view;
  order.snode = snode;
  order.axis_count = axis_count;
  order.is_begun = 0;
  for (int32_t k = 0; k < SN_MAX_AXES; k++) {
    order.axis[k] = k < axis_count ? axes[k] : 0;
    order.first[k] = order.last[k] = order.digit[k] = 0;
  }
  if (view->snode[snode].kind != SND_SNODE_HASH)
    snd_order_sort(&order, snd_list_length(view, snode));
  return order;
}

/* ---- from cell to cell ---- */

/* Own digits that the axis has; those of a piece are tested when all are known. */
SND_INLINE int64_t snd_order_digits(const snd_order *order, int32_t level)
{
  const SND_GLB snd_snode_view *node = &order->view->snode[order->snode];
  const int32_t axis = order->axis[level];

  if (!(node->own_axes >> axis & 1)) return 1;
  return node->kind == SND_SNODE_DYNAMIC ? SND_PIECE_CELLS : node->extent[axis];
}

/* The run of the level that begins at its entry `first`. */
SND_INLINE void snd_order_open(snd_order *order, int32_t level, int64_t first, int64_t end)
{
  const int64_t key = snd_order_key(order, first, order->axis[level]);
  int64_t last = first + 1;

  while (last < end && snd_order_key(order, last, order->axis[level]) == key) last++;
  order->first[level] = first;
  order->last[level] = last;
  order->digit[level] = 0;
}

/* The next digits and entries, whether a cell is active there or not; 0: none are left. */
SND_INLINE int snd_order_step(snd_order *order, int64_t length)
{
  int32_t level = order->is_begun ? order->axis_count - 1 : -1;

  if (length == 0) return 0;
  while (level >= 0 && ++order->digit[level] >= snd_order_digits(order, level)) {
    const int64_t end = level > 0 ? order->last[level - 1] : length;
    if (order->last[level] < end) {
      snd_order_open(order, level, order->last[level], end);
      break;
    }
    level--;
  }
  if (level < 0 && order->is_begun) return 0;
  order->is_begun = 1;
  while (++level < order->axis_count)
    snd_order_open(order, level, level > 0 ? order->first[level - 1] : 0,
                   level > 0 ? order->last[level - 1] : length);
  return 1;
}

/* The place in entry e of the cell with the digits at hand; -1: none is active there. */
SND_INLINE int64_t snd_order_position(const snd_order *order, int64_t e)
{
  const SND_GLB snd_snode_view *node = &order->view->snode[order->snode];
  int64_t position = 0;

  for (int32_t axis = 0; axis < SN_MAX_AXES; axis++)
    for (int32_t k = 0; k < order->axis_count; k++)
      if (order->axis[k] == axis && (node->own_axes >> axis & 1))
        position = position * node->extent[axis] + order->digit[k];
  if (node->kind == SND_SNODE_DYNAMIC) {
    const SND_GLB uint64_t *piece = snd_list_piece(node, e);
    position += (int64_t)piece[SND_PIECE_FIRST];
    return position < (int64_t)piece[SND_PIECE_LAST] ? position : -1;
  }
  if (node->mask_words == 0) return position;
  return SND_CONST_POINTER(uint64_t, node->masks)[e * node->mask_words + (position >> 6)] >>
           (position & 63) & 1
             ? position : -1;
}

SND_INLINE void
snd_order_give(const snd_order *order, int64_t e, int64_t position, snd_block *block)
{
  const SND_GLB snd_snode_view *node = &order->view->snode[order->snode];
  const SND_GLB uint64_t *words = snd_list_entry(node, e);

  block->container = words[0];
  block->origin = (const SND_GLB int64_t *)(words + 1);
  block->masks = NULL;
  block->body =
    node->kind == SND_SNODE_DYNAMIC ? snd_list_piece(node, e)[SND_PIECE_BODY] : 0;
  block->first = position;
  block->last = position + 1;
}

/* ---- the cells of a hash ---- */

/* How the key of cell l stands to the coordinates at hand, or to those of cell `other`
 * where that is not -1: less than 0, 0, more than 0. */
SND_INLINE int snd_order_compare(const snd_order *order, int64_t l, int64_t other)
{
  const uint32_t axes = order->view->snode[order->snode].own_axes;

  for (int32_t k = 0; k < order->axis_count; k++) {
    const int32_t rank = snd_axis_rank(axes, order->axis[k]);
    const int64_t x = snd_hash_key(order->view, order->snode, l, rank);
    const int64_t y =
      other < 0 ? order->digit[k] : snd_hash_key(order->view, order->snode, other, rank);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/* The active cell with the least key behind the one given last; -1: none. */
SND_COLD int64_t snd_order_next_key(snd_order *order)
{
  const SND_GLB snd_snode_view *node = &order->view->snode[order->snode];
  const SND_GLB uint64_t *masks = SND_CONST_POINTER(uint64_t, node->masks);
  int64_t next = -1;

  for (int64_t l = 0; l < (int64_t)node->cells; l++)
    if ((masks[l >> 6] >> (l & 63) & 1) &&
        (!order->is_begun || snd_order_compare(order, l, -1) > 0) &&
        (next < 0 || snd_order_compare(order, l, next) < 0))
      next = l;
  order->is_begun = 1;
  for (int32_t k = 0; next >= 0 && k < order->axis_count; k++)
    order->digit[k] = snd_hash_key(order->view, order->snode, next,
                                   snd_axis_rank(node->own_axes, order->axis[k]));
  return next;
}

/* ---- both ---- */

/* The next active cell, as a block of one; 0: there is none. */
SND_INLINE int snd_next_in_order(snd_order *order, snd_block *block)
{
  const int64_t length = snd_list_length(order->view, order->snode);

  if (order->view->snode[order->snode].kind == SND_SNODE_HASH) {
    const int64_t next = snd_order_next_key(order);
    if (next >= 0) snd_order_give(order, 0, next, block);
    return next >= 0;
  }
  while (snd_order_step(order, length)) {
    const int64_t e = order->first[order->axis_count - 1];
    const int64_t position = snd_order_position(order, e);
    if (position >= 0) {
      snd_order_give(order, e, position, block);
      return 1;
    }
  }
  return 0;
}

#endif
