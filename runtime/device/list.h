/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of an SNode's containers, as list generation leaves it, and what one
 * reads from an entry.
 *
 * Who goes over all cells of a list takes its entries run by run:
 *
 *   runs = snd_list_runs(node), r = 0 .. snd_list_length * runs - 1:
 *   mask = snd_list_mask(view, snode, r / runs, r % runs), and for each bit b of it
 *   l = snd_list_position(node, r / runs, r % runs) + b, the cell snd_list_cell(.., l)
 *
 * An entry of a dynamic SNode is a piece of a container; of the others all of it.
 */
#ifndef SNODE_DEVICE_LIST_H
#define SNODE_DEVICE_LIST_H

#include <snode/device/node.h>
#include <snode/device/walk.h>

/* Entries of the list.  The root's is implied: itself. */
SND_INLINE int64_t snd_list_length(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snode == 0 ? 1 : (int64_t)snd_counters(view, snode)->list_length;
}

SND_INLINE SND_GLB uint64_t *snd_list_entry(const SND_GLB snd_snode_view *node, int64_t e)
{
  return SND_POINTER(uint64_t, node->entries) + e * node->entry_words;
}

SND_INLINE sn_addr
snd_list_container(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e)
{
  return snode == 0 ? view->root : snd_list_entry(&view->snode[snode], e)[0];
}

/* ---- dynamic: pieces ---- */

enum { SND_PIECE_FIRST, SND_PIECE_LAST, SND_PIECE_BODY, SND_PIECE_WORDS };

/* The three words of a piece, behind the coordinates. */
SND_INLINE SND_GLB uint64_t *snd_list_piece(const SND_GLB snd_snode_view *node, int64_t e)
{
  return snd_list_entry(node, e) + node->entry_words - SND_PIECE_WORDS;
}

/* ---- runs ---- */

/* Cells are looked at in runs: a mask word on hosts, a cell a lane on GPUs. */
enum { SND_RUN = SND_ON_DEVICE ? 1 : 64 };

/* Runs in one entry: one too of a hash that has no keys yet. */
SND_INLINE int64_t snd_list_runs(const SND_GLB snd_snode_view *node)
{
  return node->kind == SND_SNODE_DYNAMIC ? SND_PIECE_CELLS / SND_RUN
                                        : snd_max_i64(snd_ceil_div(snd_capacity(node), SND_RUN), 1);
}

/* Position in its container of the run's first cell. */
SND_INLINE int64_t
snd_list_position(const SND_GLB snd_snode_view *node, int64_t e, int64_t run)
{
  return run * SND_RUN +
         (node->kind == SND_SNODE_DYNAMIC ? (int64_t)snd_list_piece(node, e)[SND_PIECE_FIRST] : 0);
}

/* The low bits, for `cells` of them; none for 0 or less. */
SND_INLINE uint64_t snd_list_bits(int64_t cells)
{
  return cells <= 0 ? 0 : ~(uint64_t)0 >> (64 - snd_min_i64(cells, SND_RUN));
}

/* The mask word that a pointer or hash container would have now, between tasks: bit c:
 * cell 64 w + c is active.  Plain loads: nobody changes it. */
SND_COLD uint64_t snd_list_scan(const SND_GLB snd_snode_view *node, sn_addr container, int64_t w)
{
  const int64_t first = w * 64, cells = snd_min_i64((int64_t)node->cells - first, 64);
  uint64_t mask = 0;

  if (node->kind == SND_SNODE_HASH)
    for (int64_t c = 0; c < cells; c++)
      mask |= (uint64_t)snd_hash_nth_is_active(node, container, first + c) << c;
  else
    for (int64_t c = 0; c < cells; c++)
      mask |= (uint64_t)(*snd_pointer_slot(container, first + c) != SND_INACTIVE) << c;
  return mask;
}

/* Bit c: cell c of the run was active when the list was made. */
SND_COLD uint64_t
snd_list_mask(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e, int64_t run)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t first = run * SND_RUN;

  if (node->mask_words != 0) {
    const uint64_t word =
      SND_CONST_POINTER(uint64_t, node->masks)[e * node->mask_words + (first >> 6)];
    return SND_RUN == 64 ? word : word >> (first & 63) & 1;
  }
  if (node->kind == SND_SNODE_DYNAMIC) {
    const SND_GLB uint64_t *piece = snd_list_piece(node, e);
    return snd_list_bits((int64_t)(piece[SND_PIECE_LAST] - piece[SND_PIECE_FIRST]) - first);
  }
  return snd_list_bits(snd_capacity(node) - first);
}

/* ---- cells ---- */

/* The address of the cell at position l of entry e, as snd_lookup has it; 0: it was taken out since
 * the list was made. */
SND_INLINE sn_addr
snd_list_lookup(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e, int64_t l)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  if (node->kind == SND_SNODE_DYNAMIC)
    return snd_dynamic_at(node, snd_list_piece(node, e)[SND_PIECE_BODY], l);
  return snd_lookup(node, snd_list_container(view, snode, e), l, 0);
}

/* The same for its fields. */
SND_INLINE snd_cell
snd_list_cell(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e, int64_t l)
{
  return snd_cell_found(&view->snode[snode], snd_list_container(view, snode, e), l,
                        snd_list_lookup(view, snode, e, l));
}

/* *rest divided by n; gives the remainder.  A 64-bit division costs a GPU 160
 * instructions, and hosts a few times what a 32-bit one does. */
SND_INLINE int64_t snd_list_digit(int64_t *rest, int64_t n)
{
  const int64_t whole = *rest;

  if (((uint64_t)(whole | n) >> 32) == 0) {
    *rest = (int64_t)((uint32_t)whole / (uint32_t)n);
    return (int64_t)((uint32_t)whole % (uint32_t)n);
  }
  *rest = whole / n;
  return whole % n;
}

/* The coordinate, on an axis, of cell l of the container in entry e: that of the
 * containing cell times the own extent, plus the own digit.  rest: l, from which
 * the axes behind this one have been divided out; is divided by this one.  A hash's
 * cells have their coordinates in their keys: rest stays l. */
SND_INLINE int64_t
snd_list_coordinate(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e, int32_t axis,
                    int64_t *rest)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  int64_t at = 0;

  if (snode == 0) return 0;
  if (node->kind == SND_SNODE_HASH)
    return snd_hash_key(view, snode, *rest, snd_axis_rank(node->own_axes, axis));
  if (view->snode[node->parent].path_axes >> axis & 1) {
    const int32_t rank = snd_axis_rank(view->snode[node->parent].path_axes, axis);
    at = (int64_t)snd_list_entry(node, e)[1 + rank];
  }
  if (node->own_axes >> axis & 1)
    at = at * node->extent[axis] + snd_list_digit(rest, node->extent[axis]);
  return at;
}

#endif
