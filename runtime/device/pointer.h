/* pointer: a container is an array of slots; a slot is 0 (inactive), 1 (being
 * built) or the address of its cell.
 *
 * view, snode: the tree and the SNode's id; container: address of the container;
 * l: linear position in it (row-major over its own axes), inside the container.
 */
#ifndef SNODE_DEVICE_POINTER_H
#define SNODE_DEVICE_POINTER_H

#include <snode/device/node.h>

/* The cell to read: the ambient cell where it is inactive; never to be written. */
SND_INLINE sn_addr snd_pointer_read(const SND_GLB sn_snode_view *, sn_addr container, int64_t l);
/* The cell, 0 where it is inactive. */
SND_INLINE sn_addr snd_pointer_peek(const SND_GLB sn_snode_view *, sn_addr container, int64_t l);
SND_INLINE int snd_pointer_is_active(const SND_GLB sn_snode_view *, sn_addr container, int64_t l);
/* The cell, made active; 0 when memory has run out (noted in the launch). */
SND_INLINE sn_addr snd_pointer_activate(const SND_GLB sn_tree_view *, int32_t snode, SND_GLB sn_launch *,
                                        int32_t slot, sn_addr container, int64_t l);
SND_INLINE void snd_pointer_deactivate(const SND_GLB sn_tree_view *, int32_t snode,
                                       sn_addr container, int64_t l);
#endif
