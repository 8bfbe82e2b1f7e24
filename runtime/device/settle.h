/* SN_RT_TASK_END: what follows every task that may change a tree's activity;
 * SN_RT_DEACTIVATE_ALL: empties an SNode.
 */
#ifndef SNODE_DEVICE_SETTLE_H
#define SNODE_DEVICE_SETTLE_H

#include <snode/device/list.h>
#include <snode/device/task.h>

/* Numbers that went past the edge fall back to what exists, so that no id without
 * memory survives its task; a change of activity becomes a new version. */
SND_INLINE void snd_settle(const SND_GLB sn_snode_view *node, SND_GLB sn_counters *counters)
{
  const uint64_t made = snd_min_u64(snd_node_made(node, counters), node->capacity);

  if (node->kind == SN_SNODE_POINTER) {
    counters->reserved = snd_min_u64(counters->reserved, made);
    counters->taken = snd_min_u64(counters->taken, counters->free);
    if (counters->taken == counters->free) counters->taken = counters->free = 0;
  }
  counters->exhausted = 0;
  counters->version += counters->touched;
  counters->touched = 0;
}

SND_INLINE void
snd_task_end(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
             int32_t slot, const snd_worker *worker)
{
  (void)snode;
  (void)launch;
  (void)slot;
  if (snd_is_first(worker))
    for (int32_t s = 0; s < (int32_t)view->snode_count; s++)
      snd_settle(&view->snode[s], snd_counters(view, s));
}

SND_RUNTIME_TASK(task_end, snd_work_single)

/* Every cell of every container in the list of snode. */
SND_INLINE void
snd_deactivate_all(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                   int32_t slot, const snd_worker *worker)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const int64_t runs = snd_list_runs(node);
  const snd_share share = snd_share_of(worker, snd_list_length(view, snode) * runs);

  (void)launch;
  (void)slot;
  for (int64_t r = share.first; r < share.last; r += share.step) {
    const sn_addr container = snd_list_container(view, snode, r / runs);
    const int64_t first = r % runs * SND_RUN;
    const int64_t last = snd_min_i64(first + SND_RUN, snd_capacity(node));
    for (int64_t l = first; l < last; l++) snd_deactivate(view, snode, container, l);
  }
}

SND_INLINE int64_t snd_deactivate_all_work(const SND_GLB sn_tree_view *view, int32_t snode)
{
  return snd_work(snd_list_length(view, snode) * snd_capacity(&view->snode[snode]));
}

SND_RUNTIME_TASK(deactivate_all, snd_deactivate_all_work)

#endif
