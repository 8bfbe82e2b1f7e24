/* Failures inside a task: the first one wins and is kept in the launch record.
 *
 * Nothing is thrown and nobody waits: a function that fails notes it and returns
 * a neutral value; loops look at snd_stopped between pieces of work.
 */
#ifndef SNODE_DEVICE_TRAP_H
#define SNODE_DEVICE_TRAP_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>

/* Whether an error has been noted in this launch. */
SND_INLINE int snd_stopped(const SND_GLB sn_launch *);
/* An index outside the extents: n indices (int64_t) follow. */
#define snd_trap_bounds(launch, site, slot, snode, n, ...) \
  snd_trap_index(launch, SN_EBOUNDS, site, slot, snode, n, (const int64_t[]){ __VA_ARGS__ })
/* assert(e): the message is the site's; its arguments are printed before. */
SND_INLINE void snd_trap_assert(SND_GLB sn_launch *, int32_t site);
/* Division by zero, --check=div. */
SND_INLINE void snd_trap_arithmetic(SND_GLB sn_launch *, int32_t site);
/* Memory of a tree's SNode has run out: SN_ENOMEM or SN_ECAPACITY, in cells. */
SND_INLINE void snd_trap_memory(SND_GLB sn_launch *, int32_t code, int32_t slot, int32_t snode,
                                uint64_t have, uint64_t want);
SND_INLINE void snd_trap_index(SND_GLB sn_launch *, int32_t code, int32_t site, int32_t slot,
                               int32_t snode, int32_t n, const int64_t *index);
#endif
