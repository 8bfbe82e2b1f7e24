/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that a person writes: what the functions of a generated foo_device.h are made of.
 *
 * A generated file's tasks know the structs of its cells.  These functions know the view alone, as
 * walk.h does; what the header knows, kinds, ids and extents, they are given as constants, and of
 * each walk there is left what the kinds on its path need.  So the header stands beside any C file
 * of the tree, and is valid C++ too.
 *
 * A cell is told by its coordinates in the tree, in axis order, without a field's origin.  Every
 * function takes a `hand`: the tree, the launch record that keeps the first error, and what the
 * loops may do (snode/loops.h).  What they may not do is noted as SN_EPERMISSION, an index outside
 * the extents as SN_EBOUNDS, and nothing is done.
 */
#ifndef SNODE_DEVICE_HAND_H
#define SNODE_DEVICE_HAND_H

#include <snode/device/list.h>
#include <snode/device/loop.h>
#include <snode/loops.h>

typedef struct snd_hand {
  const SND_GLB snd_tree_view *view;
  SND_GLB snd_launch *launch;
  uint32_t uses;
} snd_hand;

/* Of a foo_grid_view. */
#define SND_HAND(v) snd_hand_of((v).tree, (v).launch, (v).uses)

SND_INLINE snd_hand snd_hand_of(sn_addr tree, sn_addr launch, uint32_t uses)
{
  snd_hand hand;
  hand.view = SND_CONST_POINTER(snd_tree_view, tree);
  hand.launch = SND_POINTER(snd_launch, launch);
  hand.uses = uses;
  return hand;
}

/* ---- begin ---- */

/* What a pragma's clause device takes: -1 is the host. */
SND_INLINE int32_t snd_hand_device(int32_t device)
{
#if SND_HAS_THREADS
  return device < 0 ? omp_get_initial_device() : device;
#else
  return device;
#endif
}

/* Blocks of a list. */
SND_INLINE int64_t snd_hand_blocks(const sn_loops_list *list)
{
  return snd_blocks_cut(list->is_pieces, list->cells, list->containers).count;
}

/* ---- errors ----
 * A field's number, plus 1, stands in the status where an error of memory has its counts; 0: it is
 * about the SNode itself.  index: as the caller has given them. */

SND_COLD void
snd_hand_note(snd_hand hand, int32_t code, int32_t needs, int32_t field, int32_t snode, int32_t n,
              const int64_t *index)
{
  if (!snd_trap_place(hand.launch, code, -1, 0, snode, n)) return;
  for (int32_t k = 0; k < n; k++) hand.launch->status.index[k] = index[k];
  hand.launch->status.have = field + 1;
  hand.launch->status.want = needs;
}

SND_INLINE int snd_hand_may(snd_hand hand, uint32_t needs) { return (hand.uses & needs) != 0; }

/* What a walk of the mode is allowed by; 0: by anything. */
SND_INLINE uint32_t snd_hand_needs(snd_mode mode)
{
  return mode == SND_ACTIVATE ? (uint32_t)SN_ACTIVATE
                              : mode == SND_DEACTIVATE ? (uint32_t)SN_DEACTIVATE : 0;
}

/* How it is done then: what may not be changed is looked at alone, */
SND_INLINE snd_mode snd_hand_mode(snd_hand hand, snd_mode mode)
{
  const uint32_t needs = snd_hand_needs(mode);
  return needs == 0 || snd_hand_may(hand, needs) ? mode : SND_PEEK;
}

/* and whether that was not enough: an active cell needs no activation, nor an inactive one to be
 * taken out. */
SND_INLINE int snd_hand_lacks(snd_mode mode, snd_cell cell)
{
  return (cell.base == 0) == (mode == SND_ACTIVATE);
}

/* An index without the origin; what is beyond any extent stays so. */
SND_INLINE int64_t snd_hand_from(int64_t at, int64_t origin)
{
  return (int64_t)((uint64_t)at - (uint64_t)origin);
}

/* Whether coordinate x is one of an axis of n cells. */
SND_INLINE int snd_hand_is_in(int64_t x, int64_t n) { return (uint64_t)x < (uint64_t)n; }

SND_INLINE int64_t snd_hand_total(snd_hand hand, int32_t snode, int32_t axis)
{
  return hand.view->snode[snode].total[axis];
}

SND_INLINE int64_t snd_hand_extent(snd_hand hand, int32_t snode, int32_t axis)
{
  return hand.view->snode[snode].extent[axis];
}

/* ---- walks: from the cell above to that of one SNode ----
 * container: of the SNode, in the cell above; 0: that is not there, nor is this one then.  l: the
 * position in it; a hash has its coordinates. */

/* How the cells above are walked to. */
SND_INLINE snd_mode snd_hand_above(snd_mode mode)
{
  return mode == SND_DEACTIVATE ? SND_PEEK : mode;
}

SND_INLINE snd_cell snd_hand_root(snd_hand hand)
{
  const snd_cell cell = { hand.view->root != 0 ? hand.view->root : 1, 0 };
  return cell;
}

/* The only container of an SNode under the root. */
SND_INLINE sn_addr snd_hand_top(snd_hand hand, int32_t snode)
{
  return hand.view->snode[snode].container;
}

/* That of any other. */
SND_INLINE sn_addr snd_hand_container(snd_hand hand, int32_t snode, snd_cell above)
{
  const SND_GLB snd_snode_view *node = &hand.view->snode[snode];
  const SND_GLB snd_snode_view *parent = &hand.view->snode[node->parent];

  if (above.base == 0) return 0;
  if (above.l != 0) above.base += (uint64_t)above.l * parent->cell_bytes;
  return above.base + node->container_offset;
}

SND_INLINE snd_cell
snd_hand_dense(snd_hand hand, int32_t snode, sn_addr container, snd_mode mode, int64_t l)
{
  const snd_cell cell = { container, l };
  (void)hand;
  (void)snode;
  (void)mode;
  return container != 0 ? cell : snd_no_cell();
}

SND_INLINE snd_cell
snd_hand_bitmasked(snd_hand hand, int32_t snode, sn_addr container, snd_mode mode, int64_t l)
{
  const snd_cell cell = { container, l };

  if (container == 0 || !snd_step_in_place(hand.view, snode, container, l, mode))
    return snd_no_cell();
  return cell;
}

SND_INLINE snd_cell
snd_hand_pointer(snd_hand hand, int32_t snode, sn_addr container, snd_mode mode, int64_t l)
{
  snd_cell cell = { 0, 0 };

  if (container != 0)
    cell.base = snd_step_slot(hand.view, snode, snd_pointer_slot(container, l), mode, hand.launch,
                              0);
  return cell;
}

/* Of a deactivation l does not matter: it empties the container. */
SND_INLINE snd_cell
snd_hand_dynamic(snd_hand hand, int32_t snode, sn_addr container, snd_mode mode, int64_t l)
{
  snd_cell cell = { 0, 0 };

  if (container != 0)
    cell.base = snd_step_dynamic(hand.view, snode, container, l, mode, hand.launch, 0);
  return cell;
}

SND_INLINE snd_cell
snd_hand_hash(snd_hand hand, int32_t snode, snd_mode mode, const int64_t *at, int32_t axes)
{
  const snd_key key = snd_key_of(hand.view, snode, at, axes);
  const sn_addr entry = mode == SND_ACTIVATE ? snd_hash_entry_made(hand.view, hand.launch, 0, &key)
                                             : snd_hash_entry_of(&key);
  snd_cell cell = { 0, 0 };

  cell.base = snd_step_slot(hand.view, snode, entry != 0 ? snd_hash_slot(entry) : NULL, mode,
                            hand.launch, 0);
  return cell;
}

/* ---- dynamic containers ---- */

SND_INLINE int64_t snd_hand_length(snd_hand hand, int32_t snode, sn_addr container)
{
  return container != 0 ? snd_dynamic_length(&hand.view->snode[snode], container) : 0;
}

/* The position of a new last cell; -1: it cannot be had, which is noted. */
SND_INLINE int64_t snd_hand_append(snd_hand hand, int32_t snode, sn_addr container)
{
  snd_dynamic_hint hint = SND_NO_HINT;
  return snd_dynamic_append(hand.view, snode, hand.launch, 0, container, -1, &hint);
}

/* ---- elements ---- */

/* Of a cell that is a struct. */
SND_INLINE sn_addr snd_hand_in_struct(snd_hand hand, int32_t snode, int32_t field, snd_cell cell)
{
  return cell.base + (uint64_t)cell.l * hand.view->snode[snode].cell_bytes +
         snd_field(hand.view, field)->offset;
}

/* Of one in an array for each field. */
SND_INLINE sn_addr snd_hand_in_row(snd_hand hand, int32_t snode, int32_t field, snd_cell cell)
{
  return snd_place(&hand.view->snode[snode], snd_field(hand.view, field), cell);
}

/* The element of a field in a cell that is there; where: struct, row. */
#define SND_HAND_PLACE(T, hand, where, n, f, cell) \
  SND_POINTER(T, snd_hand_in_##where(hand, n, f, cell))

/* ---- blocks ---- */

SND_INLINE snd_block snd_hand_block(snd_hand hand, int32_t snode, int64_t b)
{
  const snd_blocks blocks = snd_blocks_of(hand.view, snode);
  snd_block block;

  snd_block_at(&blocks, b, &block);
  return block;
}

/* Cell c of a block; none where it was inactive at the beginning, or has been taken out since. */
SND_INLINE snd_cell
snd_hand_in(snd_hand hand, int32_t snode, snd_snode_kind kind, const snd_block *block, int64_t c)
{
  const SND_GLB snd_snode_view *node = &hand.view->snode[snode];
  snd_cell cell = { block->container, c };

  if (!snd_block_is_active(block, c)) return snd_no_cell();
  switch (kind) {
  case SND_SNODE_DENSE: return cell;
  case SND_SNODE_BITMASKED:
    return snd_bitmasked_is_active(node, block->container, c) ? cell : snd_no_cell();
  case SND_SNODE_DYNAMIC: cell.base = snd_dynamic_at(node, block->body, c); break;
  case SND_SNODE_HASH: cell.base = snd_hash_nth_lookup(node, block->container, c, 0); break;
  default: cell.base = snd_pointer_peek(node, block->container, c); break;
  }
  cell.l = 0;
  return cell;
}

#endif
