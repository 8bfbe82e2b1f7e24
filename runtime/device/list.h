/* The list of an SNode's containers, as list generation leaves it, and what one
 * reads from an entry.
 */
#ifndef SNODE_DEVICE_LIST_H
#define SNODE_DEVICE_LIST_H

#include <snode/device/node.h>
#include <snode/device/walk.h>

/* Containers in the list.  The root's is implied: itself. */
SND_INLINE int64_t snd_list_length(const SND_GLB sn_tree_view *view, int32_t snode)
{
  return snode == 0 ? 1 : (int64_t)snd_counters(view, snode)->list_length;
}

SND_INLINE SND_GLB uint64_t *snd_list_entry(const SND_GLB sn_snode_view *node, int64_t e)
{
  return SND_POINTER(uint64_t, node->entries) + e * node->entry_words;
}

SND_INLINE sn_addr
snd_list_container(const SND_GLB sn_tree_view *view, int32_t snode, int64_t e)
{
  return snode == 0 ? view->root : snd_list_entry(&view->snode[snode], e)[0];
}

/* Cells are looked at in runs: a mask word on hosts, a cell a lane on GPUs. */
enum { SND_RUN = SND_ON_DEVICE ? 1 : 64 };

/* Runs in one container. */
SND_INLINE int64_t snd_list_runs(const SND_GLB sn_snode_view *node)
{
  return snd_ceil_div(snd_capacity(node), SND_RUN);
}

/* Bit c: cell first + c of the container is active now, for `cells` <= 64 of them. */
SND_COLD uint64_t
snd_list_scan(const SND_GLB sn_snode_view *node, sn_addr container, int64_t first, int64_t cells)
{
  uint64_t mask = 0;

  cells = snd_min_i64(cells, snd_capacity(node) - first);
  if (node->kind == SN_SNODE_BITMASKED)
    return snd_load_u64(snd_bitmasked_word(node, container, first)) >> (first & 63) &
           ~(uint64_t)0 >> (64 - cells);
  if (node->kind != SN_SNODE_POINTER) return ~(uint64_t)0 >> (64 - cells);
  for (int64_t c = 0; c < cells; c++)
    mask |= (uint64_t)snd_pointer_is_active(node, container, first + c) << c;
  return mask;
}

/* Bit c: cell SND_RUN * run + c of entry e was active when the list was made. */
SND_COLD uint64_t
snd_list_mask(const SND_GLB sn_tree_view *view, int32_t snode, int64_t e, int64_t run)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const int64_t first = run * SND_RUN;

  if (node->kind == SN_SNODE_POINTER && node->masks != 0) {
    const uint64_t word =
      SND_CONST_POINTER(uint64_t, node->masks)[e * node->mask_words + (first >> 6)];
    return SND_RUN == 64 ? word : word >> (first & 63) & 1;
  }
  return snd_list_scan(node, snd_list_container(view, snode, e), first, SND_RUN);
}

/* The coordinate, on an axis, of cell l of the container in entry e: that of the
 * containing cell times the own extent, plus the own digit.  rest: l, from which
 * the axes behind this one have been divided out; is divided by this one. */
SND_INLINE int64_t
snd_list_coordinate(const SND_GLB sn_tree_view *view, int32_t snode, int64_t e, int32_t axis,
                    int64_t *rest)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  int64_t at = 0;

  if (snode == 0) return 0;
  if (view->snode[node->parent].path_axes >> axis & 1) {
    const int32_t rank = snd_axis_rank(view->snode[node->parent].path_axes, axis);
    at = (int64_t)snd_list_entry(node, e)[1 + rank];
  }
  if (node->own_axes >> axis & 1) {
    at = at * node->extent[axis] + *rest % node->extent[axis];
    *rest /= node->extent[axis];
  }
  return at;
}

#endif
