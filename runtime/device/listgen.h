/* SN_RT_LISTGEN: the list of an SNode's containers, from the list of its parent.
 *
 * A container is there for each cell of the parent's that was active when the
 * parent's list was made.  Then, for a pointer SNode, the masks of the containers
 * found.  Work is cut into runs (list.h) of the parent's cells.
 *
 *   host     each thread counts its share; after a barrier it knows where
 *            its entries begin, and writes them: memory order, whatever the threads
 *   devices  an atomic append per cell: any order
 *
 * More containers than list_capacity: SN_EBUG (libsnode makes room before), the
 * list holds what went in.
 */
#ifndef SNODE_DEVICE_LISTGEN_H
#define SNODE_DEVICE_LISTGEN_H

#include <snode/device/list.h>
#include <snode/device/worker.h>

/* Writes entry `at`: the container in cell l of the parent's entry e. */
SND_COLD void
snd_listgen_write(const SND_GLB sn_tree_view *view, int32_t snode, int64_t e, int64_t l, int64_t at)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const SND_GLB sn_snode_view *parent = &view->snode[node->parent];
  const sn_addr cell = snd_lookup(parent, snd_list_container(view, node->parent, e), l, 0);
  SND_GLB uint64_t *entry = snd_list_entry(node, at);
  int32_t k = (int32_t)node->entry_words;
  int64_t rest = l;

  entry[0] = snd_container(node, cell);
  for (uint32_t axes = parent->path_axes; axes != 0;) {
    const int32_t axis = snd_last_axis(axes);
    entry[--k] = (uint64_t)snd_list_coordinate(view, node->parent, e, axis, &rest);
    axes = snd_without(axes, axis);
  }
}

/* Runs of cells in the parent's list. */
SND_INLINE int64_t snd_listgen_runs(const SND_GLB sn_tree_view *view, int32_t snode)
{
  const int32_t parent = view->snode[snode].parent;
  return snd_list_length(view, parent) * snd_list_runs(&view->snode[parent]);
}

/* The masks of the new list's containers, this worker's share of them. */
SND_INLINE void
snd_listgen_masks(const SND_GLB sn_tree_view *view, int32_t snode, const snd_worker *worker)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const int64_t words = node->mask_words;
  SND_GLB uint64_t *masks = SND_POINTER(uint64_t, node->masks);
  snd_share share;

  if (node->kind != SN_SNODE_POINTER || node->masks == 0) return;
  share = snd_share_of(worker, snd_list_length(view, snode) * words);
  for (int64_t w = share.first; w < share.last; w += share.step) {
    const sn_addr container = snd_list_container(view, snode, w / words);
    masks[w] = snd_list_scan(node, container, w % words * 64, 64);
  }
}

SND_INLINE void
snd_listgen_overflow(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                     int32_t slot, uint64_t want)
{
  snd_trap_memory(launch, SN_EBUG, slot, snode, view->snode[snode].list_capacity, want);
}

/* ---- host ---- */

enum { SND_LISTGEN_THREADS = 256 };   /* more would not have enough to do */

/* Containers in a share of the runs. */
SND_INLINE uint64_t
snd_listgen_count(const SND_GLB sn_tree_view *view, int32_t snode, snd_share share)
{
  const int32_t parent = view->snode[snode].parent;
  const int64_t runs = snd_list_runs(&view->snode[parent]);
  uint64_t count = 0;

  for (int64_t r = share.first; r < share.last; r++)
    count += (uint64_t)snd_popcount(snd_list_mask(view, parent, r / runs, r % runs));
  return count;
}

/* Writes their entries from number `at` on, as far as there is room. */
SND_INLINE void
snd_listgen_place(const SND_GLB sn_tree_view *view, int32_t snode, snd_share share, uint64_t at)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const int64_t runs = snd_list_runs(&view->snode[node->parent]);

  for (int64_t r = share.first; r < share.last; r++) {
    uint64_t mask = snd_list_mask(view, node->parent, r / runs, r % runs);
    for (; mask != 0 && at < node->list_capacity; mask &= mask - 1) {
      const int64_t l = r % runs * SND_RUN + snd_ctz(mask);
      snd_listgen_write(view, snode, r / runs, l, (int64_t)at++);
    }
  }
}

SND_FUNCTION int snd_listgen_host(const sn_args *args)
{
  const SND_GLB sn_tree_view *view = SND_HOST_VIEW(args, args->slot);
  SND_GLB sn_launch *launch = SND_HOST_LAUNCH(args);
  const int32_t snode = args->snode;
  const int64_t runs = snd_listgen_runs(view, snode);
  const int64_t work = snd_work(runs * SND_RUN * (1 + view->snode[snode].mask_words));
  uint64_t counts[SND_LISTGEN_THREADS];

  SND_HOST_PARALLEL(args, snd_min_i64(work, SND_LISTGEN_THREADS))
  {
    const snd_worker worker = snd_host_worker();
    const snd_share share = snd_share_of(&worker, runs);
    uint64_t before = 0, count = snd_listgen_count(view, snode, share);

    counts[worker.team] = count;
    SND_PRAGMA(omp barrier)
    for (int64_t t = 0; t < worker.team; t++) before += counts[t];
    snd_listgen_place(view, snode, share, before);
    if (worker.team == worker.teams - 1) {
      const uint64_t all = before + count, capacity = view->snode[snode].list_capacity;
      snd_counters(view, snode)->list_length = snd_min_u64(all, capacity);
      if (all > capacity) snd_listgen_overflow(view, snode, launch, args->slot, all);
    }
    SND_PRAGMA(omp barrier)
    snd_listgen_masks(view, snode, &worker);
  }
  return SN_OK;
}

/* ---- devices ---- */

#ifdef SN_OFFLOAD

SND_INLINE void snd_listgen_clear(const SND_GLB sn_tree_view *view, int32_t snode)
{
  snd_counters(view, snode)->list_length = 0;
}

/* A share of the runs: an entry for each active cell, in any order. */
SND_INLINE void
snd_listgen_append(const SND_GLB sn_tree_view *view, int32_t snode, SND_GLB sn_launch *launch,
                   int32_t slot, const snd_worker *worker)
{
  const SND_GLB sn_snode_view *node = &view->snode[snode];
  const int64_t runs = snd_list_runs(&view->snode[node->parent]);
  const snd_share share = snd_share_of(worker, snd_listgen_runs(view, snode));

  for (int64_t r = share.first; r < share.last; r += share.step) {
    uint64_t mask = snd_list_mask(view, node->parent, r / runs, r % runs);
    for (; mask != 0; mask &= mask - 1) {
      /* Relaxed: deals out places; the entries are read by later tasks. */
      const uint64_t at = snd_fetch_add_u64(&snd_counters(view, snode)->list_length, 1);
      const int64_t l = r % runs * SND_RUN + snd_ctz(mask);
      if (at < node->list_capacity) snd_listgen_write(view, snode, r / runs, l, (int64_t)at);
      else snd_listgen_overflow(view, snode, launch, slot, at + 1);
    }
  }
}

SND_FUNCTION int snd_listgen_target(const sn_args *args)
{
  void *tree = SND_DEVICE_POINTER(args->views[args->slot]);
  void *record = SND_DEVICE_POINTER(args->launch);
  const int32_t snode = args->snode, slot = args->slot;

  if (!snd_target_ready(args)) return SN_EDEVICE;
  SND_TARGET_SINGLE(args, is_device_ptr(tree) firstprivate(snode))
  {
    const SND_GLB sn_tree_view *view = (const SND_GLB sn_tree_view *)tree;
    snd_listgen_clear(view, snode);
  }
  SND_TARGET_TEAMS(args, is_device_ptr(tree, record) firstprivate(snode, slot))
  SND_TARGET_PARALLEL
  {
    const SND_GLB sn_tree_view *view = (const SND_GLB sn_tree_view *)tree;
    const snd_worker worker = snd_target_worker();
    snd_listgen_append(view, snode, (SND_GLB sn_launch *)record, slot, &worker);
  }
  /* Masks when all containers are known; of a dense SNode there are none. */
  SND_TARGET_TEAMS(args, is_device_ptr(tree) firstprivate(snode))
  SND_TARGET_PARALLEL
  {
    const SND_GLB sn_tree_view *view = (const SND_GLB sn_tree_view *)tree;
    const snd_worker worker = snd_target_worker();
    snd_listgen_masks(view, snode, &worker);
  }
  return SN_OK;
}

#endif

#endif
