/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks from the root to a cell, over the view alone: what the host's access and
 * the interpreter use.  Generated code has a walk of its own for each SNode.
 *
 * index.h says how indices come.
 */
#ifndef SNODE_DEVICE_WALK_H
#define SNODE_DEVICE_WALK_H

#include <snode/device/index.h>
#include <snode/device/kinds.h>
#include <snode/device/reset.h>

typedef enum snd_mode {
  SND_READ,                      /* the ambient cell where it is inactive */
  SND_PEEK,                      /* 0 where it is inactive */
  SND_ACTIVATE,                  /* 0 where there is no memory */
  SND_DEACTIVATE                 /* as SND_PEEK, but the walk's last cell is taken out: 0 */
} snd_mode;

/* Linear position of that cell in its container; not of a hash. */
SND_INLINE int64_t
snd_position(const SND_GLB snd_snode_view *node, const SND_GLB snd_snode_view *target,
             const snd_index *index)
{
  int64_t l = 0;
  for (uint32_t axes = node->own_axes; axes != 0; axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    const int64_t extent = node->extent[axis];
    l = l * extent + snd_floormod_i64(snd_cell_on(node, target, index, axis), extent);
  }
  return l;
}

/* ---- one step down, in one container ----
 * Each way to go on stands here once for all kinds: GPUs inline it. */

/* Where the cells stand in place, they are read where they are, inactive ones too: those
 * hold their defaults.  0: what is peeked at is inactive, or has become so. */
SND_INLINE int
snd_step_in_place(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t l,
                  snd_mode mode)
{
  if (view->snode[snode].kind != SND_SNODE_BITMASKED || mode == SND_READ) return 1;
  if (mode == SND_PEEK) return snd_bitmasked_is_active(&view->snode[snode], container, l);
  if (mode == SND_ACTIVATE) (void)snd_bitmasked_activate(view, snode, NULL, 0, container, l);
  else snd_bitmasked_deactivate(view, snode, container, l);
  return mode == SND_ACTIVATE;
}

/* The slot of the key that the index comes to; NULL: it is not there, or (when it is to
 * be made) no memory. */
SND_INLINE SND_GLB uint64_t *
snd_step_key(const SND_GLB snd_tree_view *view, const SND_GLB snd_snode_view *node,
             const SND_GLB snd_snode_view *target, const snd_index *index, snd_mode mode,
             SND_GLB snd_launch *launch, int32_t slot)
{
  const snd_key key = snd_key_of_index(node, target, index);
  const sn_addr entry =
    mode == SND_ACTIVATE ? snd_hash_entry_made(view, launch, slot, &key) : snd_hash_entry_of(&key);

  return entry != 0 ? snd_hash_slot(entry) : NULL;
}

/* What a slot leads to. */
SND_INLINE sn_addr
snd_step_slot(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB uint64_t *word,
              snd_mode mode, SND_GLB snd_launch *launch, int32_t slot)
{
  const sn_addr absent = mode == SND_READ ? view->snode[snode].ambient : 0;
  sn_addr cell;

  if (word == NULL) return absent;
  if (mode == SND_DEACTIVATE) {
    snd_slot_deactivate(view, snode, snode, word);
    return 0;
  }
  if (mode == SND_ACTIVATE) cell = snd_slot_activate(view, snode, snode, launch, slot, word);
  else cell = snd_pointer_load(word);
  return cell > SND_BUILDING ? cell : absent;
}

SND_INLINE sn_addr
snd_step_dynamic(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t l,
                 snd_mode mode, SND_GLB snd_launch *launch, int32_t slot)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  if (mode == SND_ACTIVATE) return snd_dynamic_activate(view, snode, launch, slot, container, l);
  if (mode != SND_DEACTIVATE)
    return snd_dynamic_find(node, container, l, mode == SND_READ ? node->ambient : 0, 0);
  snd_dynamic_deactivate(view, snode, container, l);
  return 0;
}

/* mode is SND_DEACTIVATE only where the cell itself is to be taken out. */
SND_INLINE sn_addr
snd_step(const SND_GLB snd_tree_view *view, int32_t snode, const SND_GLB snd_snode_view *target,
         const snd_index *index, sn_addr container, snd_mode mode, SND_GLB snd_launch *launch,
         int32_t slot)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t l = node->kind != SND_SNODE_HASH ? snd_position(node, target, index) : 0;
  SND_GLB uint64_t *word;

  if (snd_is_in_place(node))
    return snd_step_in_place(view, snode, container, l, mode)
             ? snd_dense_lookup(node, container, l, 0) : 0;
  if (node->kind == SND_SNODE_DYNAMIC)
    return snd_step_dynamic(view, snode, container, l, mode, launch, slot);
  if (node->kind == SND_SNODE_HASH)
    word = snd_step_key(view, node, target, index, mode, launch, slot);
  else word = snd_pointer_slot(container, l);
  return snd_step_slot(view, snode, word, mode, launch, slot);
}

/* The cell, at `depth` on the path to `target`, that holds the target's cell at
 * index (which lies inside); depth 0: the root's. */
SND_COLD sn_addr
snd_walk(const SND_GLB snd_tree_view *view, int32_t target, uint32_t depth, const snd_index *index,
         snd_mode mode, SND_GLB snd_launch *launch, int32_t slot)
{
  /* A root without places has no memory: any address but 0 says that it is there. */
  sn_addr cell = view->root != 0 ? view->root : 1;

  for (uint32_t d = 1; d <= depth && cell != 0; d++) {
    const int32_t snode = snd_ancestor(view, target, d);
    const snd_mode here = mode == SND_DEACTIVATE && d < depth ? SND_PEEK : mode;
    cell = snd_step(view, snode, &view->snode[target], index,
                    snd_container(&view->snode[snode], cell), here, launch, slot);
  }
  return cell;
}

/* The cell of `snode` itself.  Of one in place the walk ends at its container. */
SND_INLINE snd_cell
snd_walk_cell(const SND_GLB snd_tree_view *view, int32_t snode, const snd_index *index,
              snd_mode mode, SND_GLB snd_launch *launch, int32_t slot)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int in_place = snd_is_in_place(node);
  const snd_mode above = in_place && mode == SND_DEACTIVATE ? SND_PEEK : mode;
  snd_cell cell = { snd_walk(view, snode, node->depth - (uint32_t)in_place, index, above, launch,
                             slot), 0 };

  if (!in_place || cell.base == 0) return cell;
  cell.base = snd_container(node, cell.base);
  cell.l = snd_position(node, node, index);
  return snd_step_in_place(view, snode, cell.base, cell.l, mode) ? cell : snd_no_cell();
}

/* The container that the index names, of a dynamic SNode without its own axis; 0: what holds it is
 * inactive, or could not be made active. */
SND_INLINE sn_addr
snd_walk_container(const SND_GLB snd_tree_view *view, int32_t snode, const snd_index *index,
                   snd_mode mode, SND_GLB snd_launch *launch, int32_t slot)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const sn_addr above = snd_walk(view, snode, node->depth - 1, index, mode, launch, slot);
  return above != 0 ? snd_container(node, above) : 0;
}

SND_INLINE int
snd_walk_is_active(const SND_GLB snd_tree_view *view, int32_t snode, const snd_index *index)
{
  return snd_walk_cell(view, snode, index, SND_PEEK, NULL, 0).base != 0;
}

/* Below an inactive ancestor there is nothing to deactivate.  Of a dynamic SNode the
 * index is its container's. */
SND_INLINE void
snd_walk_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, const snd_index *index)
{
  if (view->snode[snode].depth > 0)
    (void)snd_walk_cell(view, snode, index, SND_DEACTIVATE, NULL, 0);
}

#endif
