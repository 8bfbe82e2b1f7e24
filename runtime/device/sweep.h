/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_SWEEP: part of garbage collection: cells of a bitmasked SNode that were taken
 * out and end the task inactive get their defaults once more.
 *
 * Who takes a cell out resets it at once (bitmasked.h), but writers whom the language
 * does not order with that may store into it afterwards, activate below it, or both.
 * A cell that is active again keeps what it has.  Runs over the SNode's list, made after
 * the task, for SNodes whose counter taken_out is up, before GC's expand of what is
 * below: containers in cells that are inactive are not in the list, and are swept with
 * the cell that holds them.
 */
#ifndef SNODE_DEVICE_SWEEP_H
#define SNODE_DEVICE_SWEEP_H

#include <snode/device/list.h>
#include <snode/device/task.h>

/* The cells of word w that `which` names get their defaults, what is below them goes. */
SND_COLD void
snd_sweep_cells(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, int64_t w,
                uint64_t which)
{
  for (; which != 0; which &= which - 1)
    snd_reset_in_place(view, snode, container, w * 64 + snd_ctz(which), 1);
}

/* Words of masks in all containers of the list. */
SND_INLINE int64_t snd_sweep_words(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_list_length(view, snode) * (int64_t)view->snode[snode].mask_words;
}

SND_INLINE void
snd_sweep(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
          int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t words = node->mask_words;
  const snd_share share = snd_share_of(worker, snd_sweep_words(view, snode));

  (void)launch;
  (void)slot;
  for (int64_t r = share.first; r < share.last; r += share.step) {
    const sn_addr container = snd_list_container(view, snode, r / words);
    const SND_GLB uint64_t *mask = snd_bitmasked_words(node, container) + r % words;
    SND_GLB uint64_t *out = snd_bitmasked_words(node, container) + words + r % words;
    if (*out != 0) {
      snd_sweep_cells(view, snode, container, r % words, *out & ~*mask);
      *out = 0;
    }
  }
  if (snd_is_first(worker)) snd_counters(view, snode)->taken_out = 0;
}

SND_INLINE int64_t snd_sweep_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snd_work(snd_sweep_words(view, snode) * 8);
}

SND_RUNTIME_TASK(sweep, snd_sweep_work)

#endif
