/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_INIT: defaults, and ids, into fresh memory.
 *
 * What has a node manager: cells first .. last - 1, by id, as libsnode makes chunks on
 * a device.  SNode 0: what no allocated cell holds: the root's places, those of the
 * cells that stand in place under it, their masks, and the slots of the topmost pointer
 * and dynamic containers.
 */
#ifndef SNODE_DEVICE_INIT_H
#define SNODE_DEVICE_INIT_H

#include <snode/device/list.h>
#include <snode/device/reset.h>
#include <snode/device/task.h>

/* Whether cells of snode, and all above them, stand in place. */
SND_INLINE int snd_init_is_fixed(const SND_GLB snd_snode_view *node)
{
  return node->holder < 0 && (node->kind == SND_SNODE_ROOT || snd_is_in_place(node));
}

/* Containers of snode in the root cell. */
SND_INLINE int64_t snd_init_containers(const SND_GLB snd_tree_view *view, int32_t snode)
{
  return snode == 0 ? 1 : snd_containers_in(view, 0, snode);
}

/* The default into cells first .. last - 1 of a container, every step-th.  Where that is
 * zero it is looked for first: fresh pages of a host are zero, and stay untouched. */
SND_INLINE void
snd_init_run(const SND_GLB snd_snode_view *node, sn_addr container,
             const SND_GLB snd_field_view *field, int64_t first, int64_t last, int64_t step)
{
  for (snd_cell cell = { container, first }; cell.l < last; cell.l += step) {
    const sn_addr at = snd_place(node, field, cell);
    if (field->default_bits != 0 || snd_value_load(at, field->bytes) != 0)
      snd_value_store(at, field->bytes, field->default_bits);
  }
}

SND_INLINE void
snd_init_field(const SND_GLB snd_tree_view *view, const SND_GLB snd_field_view *field,
               const snd_worker *worker)
{
  const int32_t snode = (int32_t)field->snode;
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t cells = snd_capacity(node);
  const snd_share share = snd_share_of(worker, snd_init_containers(view, snode) * cells);

  for (int64_t k = share.first; k < share.last;) {
    const int64_t m = k / cells, first = k - m * cells;
    const int64_t last = snd_min_i64(cells, share.last - m * cells);
    const sn_addr container =
      snode == 0 ? view->root : snd_nth_container(view, 0, view->root, snode, m);
    snd_init_run(node, container, field, first, last, share.step);
    k += snd_ceil_div(last - first, share.step) * share.step;
  }
}

/* Words of a container that say what is active: all 0, nothing is. */
SND_INLINE int64_t snd_init_words(const SND_GLB snd_snode_view *node)
{
  return node->kind == SND_SNODE_BITMASKED ? 2 * (int64_t)node->mask_words : snd_slots(node);
}

/* Looked at first, too. */
SND_INLINE void
snd_init_empty(const SND_GLB snd_tree_view *view, int32_t snode, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const uint64_t offset = node->kind == SND_SNODE_BITMASKED ? node->mask_offset : 0;
  const int64_t words = snd_init_words(node);
  const snd_share share = snd_share_of(worker, snd_init_containers(view, snode) * words);

  for (int64_t k = share.first; k < share.last;) {
    const int64_t m = k / words, first = k - m * words;
    const int64_t last = snd_min_i64(words, share.last - m * words);
    SND_GLB uint64_t *word =
      SND_POINTER(uint64_t, snd_nth_container(view, 0, view->root, snode, m) + offset);
    for (int64_t w = first; w < last; w += share.step)
      if (word[w] != 0) word[w] = 0;
    k += snd_ceil_div(last - first, share.step) * share.step;
  }
}

SND_INLINE void snd_init_fixed(const SND_GLB snd_tree_view *view, const snd_worker *worker)
{
  for (int32_t f = 0; f < (int32_t)view->field_count; f++)
    if (snd_init_is_fixed(&view->snode[snd_field(view, f)->snode]))
      snd_init_field(view, snd_field(view, f), worker);
  for (int32_t s = 1; s < (int32_t)view->snode_count; s++)
    if (view->snode[s].holder < 0 && snd_init_words(&view->snode[s]) > 0)
      snd_init_empty(view, s, worker);
}

/* A cell of so many bytes or less is one thread's: in larger ones the threads of a team, of a GPU a
 * word each, have enough to do. */
enum { SND_INIT_ALONE = SND_LIBRARY_FILLS ? 65536 : 64 };

SND_INLINE void
snd_init_cells(const SND_GLB snd_tree_view *view, int32_t snode, int64_t first, int64_t last,
               const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int alone = snd_node_bytes(node) <= SND_INIT_ALONE;
  const snd_share share =
    alone ? snd_share_of(worker, last - first) : snd_team_share_of(worker, last - first);
  const int64_t part = alone ? 0 : worker->thread, parts = alone ? 1 : worker->threads;

  for (int64_t k = share.first; k < share.last; k += share.step) {
    const uint64_t id = (uint64_t)(first + k);
    snd_node_reset(node, snd_node_cell(node, id), (uint32_t)id, part, parts);
  }
}

SND_INLINE void
snd_init_share(const SND_GLB snd_tree_view *view, int32_t snode, int64_t first, int64_t last,
               const snd_worker *worker)
{
  if (snode == 0) snd_init_fixed(view, worker);
  else snd_init_cells(view, snode, first, last, worker);
}

/* Bytes to be written, roughly. */
SND_INLINE int64_t
snd_init_work(const SND_GLB snd_tree_view *view, int32_t snode, int64_t cells)
{
  int64_t all = 0;

  if (snode != 0) return snd_work(cells * ((int64_t)snd_node_bytes(&view->snode[snode]) / 8 + 1));
  for (int32_t s = 1; s < (int32_t)view->snode_count; s++)
    if (view->snode[s].holder < 0)
      all += snd_init_containers(view, s) * (snd_is_in_place(&view->snode[s])
                                               ? (int64_t)view->snode[s].cells
                                               : snd_init_words(&view->snode[s]));
  return snd_work(all);
}

SND_FUNCTION void
snd_init_host_share(const SND_GLB snd_tree_view *view, int32_t snode, int64_t first, int64_t last,
                    int number, int threads)
{
  const snd_worker worker = snd_host_worker(number, threads);
  snd_init_share(view, snode, first, last, &worker);
}

SND_FUNCTION int snd_init_host(const snd_args *args)
{
  const SND_GLB snd_tree_view *view = SND_HOST_VIEW(args, args->slot);
  const snd_init_params *init = (const snd_init_params *)args->params;
  const int64_t first = (int64_t)init->first, last = (int64_t)init->last;

  SND_HOST_PARALLEL(args, snd_init_work(view, args->snode, last - first), snd_init_host_share, view,
                    args->snode, first, last);
  return SN_OK;
}

#if SND_HAS_DEVICES
SND_FUNCTION int snd_init_target(const snd_args *args)
{
  void *tree_view = SND_DEVICE_POINTER(args->views[args->slot]);
  const snd_init_params *init = (const snd_init_params *)args->params;
  const int64_t first = (int64_t)init->first, last = (int64_t)init->last;
  const int32_t snode = args->snode;

  if (!snd_target_ready(args)) return SN_EDEVICE;
  SND_TARGET_TEAMS(args, SND_DEVICE_POINTERS(tree_view) firstprivate(first, last, snode))
  SND_TARGET_PARALLEL
  {
    const snd_worker worker = SND_TARGET_WORKER;
    snd_init_share((const SND_GLB snd_tree_view *)tree_view, snode, first, last, &worker);
  }
  return SN_OK;
}
#endif

#endif
