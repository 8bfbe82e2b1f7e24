/* SPDX-License-Identifier: BSD-3-Clause */
/* Failures inside a task: the first one wins and is kept in the launch record.
 *
 * Nothing is thrown and nobody waits: a function that fails notes it and returns
 * a neutral value; loops may look at snd_stopped between pieces of work.
 */
#ifndef SNODE_DEVICE_TRAP_H
#define SNODE_DEVICE_TRAP_H

#include <snode/device/atomic.h>
#include <snode/device/platform.h>

/* Whether an error has been noted in this launch.  Relaxed: a hint inside the
 * task; the host reads the record after it. */
SND_INLINE int snd_stopped(const SND_GLB snd_launch *launch)
{
  return snd_load_i32(&launch->status.code) != SN_OK;
}

/* The one whose error is kept fills the fields that follow the code.  The swap
 * needs no order: whoever reads those fields does so after the task. */
SND_INLINE int snd_trap_wins(SND_GLB snd_launch *launch, int32_t code)
{
  return !snd_stopped(launch) &&
         snd_compare_exchange_i32(&launch->status.code, SN_OK, code) == SN_OK;
}

/* Whether this error is the one that is kept; then all but its indices are filled, which the
 * caller does: launch->status.index[0..n). */
SND_INLINE int snd_trap_place(SND_GLB snd_launch *launch, int32_t code, int32_t site, int32_t slot,
                              int32_t snode, int32_t n)
{
  if (!snd_trap_wins(launch, code)) return 0;
  launch->status.site = site;
  launch->status.slot = slot;
  launch->status.snode = snode;
  launch->status.index_count = n;
  return 1;
}

SND_INLINE void
snd_trap_index(SND_GLB snd_launch *launch, int32_t code, int32_t site, int32_t slot, int32_t snode,
               int32_t n, const int64_t *index)
{
  if (snd_trap_place(launch, code, site, slot, snode, n))
    for (int32_t k = 0; k < n; k++) launch->status.index[k] = index[k];
}

/* An index outside the extents; n >= 1 indices of type int64_t follow.
 * slot, snode: -1 for an array parameter or a table. */
#define snd_trap_bounds(launch, site, slot, snode, n, ...) \
  snd_trap_index(launch, SN_EBOUNDS, site, slot, snode, n, (const int64_t[]){ __VA_ARGS__ })

SND_INLINE void snd_trap_at(SND_GLB snd_launch *launch, int32_t code, int32_t site)
{
  snd_trap_place(launch, code, site, -1, -1, 0);
}

/* assert(e): the message is the site's. */
SND_INLINE void snd_trap_assert(SND_GLB snd_launch *launch, int32_t site)
{
  snd_trap_at(launch, SN_EASSERT, site);
}

/* Division by zero under --check=div. */
SND_INLINE void snd_trap_arithmetic(SND_GLB snd_launch *launch, int32_t site)
{
  snd_trap_at(launch, SN_EARITHMETIC, site);
}

/* What the site's text tells, with n >= 1 arguments of the text, each as a word (print.h),
 * which stand where other errors have their indices: SN_MAX_AXES of them at most. */
#define snd_trap_with(launch, code, site, n, ...) \
  snd_trap_index(launch, code, site, -1, -1, n, (const int64_t[]){ __VA_ARGS__ })
/* A cell that is read is inactive, under --check=inactive. */
#define snd_trap_state(launch, site, n, ...) \
  snd_trap_with(launch, SN_ESTATE, site, n, __VA_ARGS__)
/* An index of what is stored nowhere is outside the extents. */
#define snd_trap_outside(launch, site, n, ...) \
  snd_trap_with(launch, SN_EBOUNDS, site, n, __VA_ARGS__)
#define snd_trap_assert_with(launch, site, n, ...) \
  snd_trap_with(launch, SN_EASSERT, site, n, __VA_ARGS__)

/* A tree's SNode could not have what it wanted: SN_ENOMEM, SN_ECAPACITY, or SN_EBUG
 * where libsnode had not made room.  have and want count cells, or containers.
 * site: of the append that failed, else -1. */
SND_INLINE void
snd_trap_memory_at(SND_GLB snd_launch *launch, int32_t code, int32_t site, int32_t slot,
                   int32_t snode, uint64_t have, uint64_t want)
{
  if (snd_trap_place(launch, code, site, slot, snode, 0)) {
    launch->status.have = (int64_t)have;
    launch->status.want = (int64_t)want;
  }
}

SND_INLINE void
snd_trap_memory(SND_GLB snd_launch *launch, int32_t code, int32_t slot, int32_t snode,
                uint64_t have, uint64_t want)
{
  snd_trap_memory_at(launch, code, -1, slot, snode, have, want);
}

/* The same of cells: node manager `manager`, the SNode's own or a pool's, had `have` of them and
 * memory for no more. */
SND_INLINE void
snd_trap_cells(SND_GLB snd_launch *launch, int32_t code, int32_t slot, int32_t snode,
               int32_t manager, uint64_t have)
{
  if (snd_trap_place(launch, code, -1, slot, snode, 0)) {
    launch->status.manager = manager;
    launch->status.have = (int64_t)have;
    launch->status.want = (int64_t)have + 1;
  }
}

#endif
