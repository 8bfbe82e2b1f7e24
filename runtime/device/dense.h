/* SPDX-License-Identifier: BSD-3-Clause */
/* dense: all cells of a container stand in place, each as active as what holds
 * the container.
 *
 * The six functions that every kind has; view, snode: tree and id; container: its
 * address; l: linear position in it (row-major over its own axes), inside it.
 */
#ifndef SNODE_DEVICE_DENSE_H
#define SNODE_DEVICE_DENSE_H

#include <snode/device/platform.h>

/* Cells of one container. */
SND_INLINE int64_t snd_dense_capacity(const SND_GLB snd_snode_view *node)
{
  return (int64_t)node->cells;
}

/* The address of cell l, where it is a struct, else of the container; `absent`, what an inactive
 * cell gives, is never needed. */
SND_INLINE sn_addr
snd_dense_lookup(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l, sn_addr absent)
{
  (void)absent;
  return container + (uint64_t)l * node->cell_bytes;
}

SND_INLINE int snd_dense_is_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  (void)node;
  (void)container;
  (void)l;
  return 1;
}

/* Nothing to do: the caller has activated what holds the container. */
SND_INLINE sn_addr
snd_dense_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                   int32_t slot, sn_addr container, int64_t l)
{
  (void)launch;
  (void)slot;
  return snd_dense_lookup(&view->snode[snode], container, l, 0);
}

/* A dense cell cannot be deactivated alone: the compiler refuses it, the host's
 * calls too. */
SND_INLINE void
snd_dense_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t l)
{
  (void)view;
  (void)snode;
  (void)container;
  (void)l;
}

/* The first active cell >= l; the capacity: none. */
SND_INLINE int64_t
snd_dense_iterate(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  (void)container;
  return l < (int64_t)node->cells ? l : (int64_t)node->cells;
}

#endif
