/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of SNode, and the functions that all of them have, chosen at run time.
 *
 * Generated code knows its kinds and calls snd_pointer_read and the like; what is
 * written once for all trees (walks, lists, GC, the host's access) comes here.
 */
#ifndef SNODE_DEVICE_KINDS_H
#define SNODE_DEVICE_KINDS_H

#include <snode/device/bitmasked.h>
#include <snode/device/dense.h>
#include <snode/device/dynamic.h>
#include <snode/device/hash.h>
#include <snode/device/pointer.h>

/* X(snd_snode_kind, the name in its functions); of a hash l is a cell's position. */
#define SND_KINDS(X) \
  X(SND_SNODE_DENSE, dense) \
  X(SND_SNODE_BITMASKED, bitmasked) \
  X(SND_SNODE_POINTER, pointer) \
  X(SND_SNODE_DYNAMIC, dynamic) \
  X(SND_SNODE_HASH, hash_nth)

SND_INLINE int64_t snd_capacity(const SND_GLB snd_snode_view *node)
{
  switch (node->kind) {
#define X(KIND, name) case KIND: return snd_##name##_capacity(node);
    SND_KINDS(X)
#undef X
  default: return 1;             /* the root has one cell */
  }
}

/* The cell's address (in place, of a row: the container's), `absent` where it is inactive. */
SND_INLINE sn_addr
snd_lookup(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l, sn_addr absent)
{
  switch (node->kind) {
#define X(KIND, name) case KIND: return snd_##name##_lookup(node, container, l, absent);
    SND_KINDS(X)
#undef X
  default: return container;
  }
}

SND_INLINE int snd_is_active(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  switch (node->kind) {
#define X(KIND, name) case KIND: return snd_##name##_is_active(node, container, l);
    SND_KINDS(X)
#undef X
  default: return 1;
  }
}

/* As snd_lookup; 0: no memory, noted in the launch. */
SND_INLINE sn_addr
snd_activate(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
             int32_t slot, sn_addr container, int64_t l)
{
  switch (view->snode[snode].kind) {
#define X(KIND, name) \
  case KIND: return snd_##name##_activate(view, snode, launch, slot, container, l);
    SND_KINDS(X)
#undef X
  default: return container;
  }
}

/* What a cell's fields are reached from, given what snd_lookup or snd_activate has found. */
SND_INLINE snd_cell
snd_cell_found(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l, sn_addr found)
{
  const snd_cell in_place = { container, l }, alone = { found, 0 };
  return found != 0 && snd_is_in_place(node) ? in_place : alone;
}

SND_INLINE void
snd_deactivate(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t l)
{
  switch (view->snode[snode].kind) {
#define X(KIND, name) case KIND: snd_##name##_deactivate(view, snode, container, l); break;
    SND_KINDS(X)
#undef X
  default: break;
  }
}

/* The first active cell >= l of the container; its capacity: none. */
SND_INLINE int64_t snd_iterate(const SND_GLB snd_snode_view *node, sn_addr container, int64_t l)
{
  switch (node->kind) {
#define X(KIND, name) case KIND: return snd_##name##_iterate(node, container, l);
    SND_KINDS(X)
#undef X
  default: return l;
  }
}

#endif
