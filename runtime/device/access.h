/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_ACCESS: the host's get, set, read, write, activate, fill, count and list.
 *
 *   listed  GET, SET, SET_CHANGED, ACTIVATE, DEACTIVATE, IS_ACTIVE, LENGTH: n indices
 *   boxed   GET, SET, SET_CHANGED: every cell of a box (box.h on hosts)
 *   over the list of the SNode: FILL, COUNT, LIST
 *
 * libsnode has checked shapes; an index outside the extents is noted here, and its
 * cell left out.  A field's indices have its origin in them, those that come back too.
 */
#ifndef SNODE_DEVICE_ACCESS_H
#define SNODE_DEVICE_ACCESS_H

#include <snode/device/init.h>
#include <snode/device/list.h>
#include <snode/device/task.h>

/* What all workers of one access share. */
typedef struct snd_access {
  const SND_GLB snd_tree_view *view;
  SND_GLB snd_launch *launch;
  const SND_GLB snd_access_params *what;
  const SND_GLB snd_field_view *field;           /* NULL: an SNode is accessed */
  int32_t slot;
  int32_t snode;                                 /* the field's, or the one accessed */
} snd_access;

SND_INLINE snd_access
snd_access_of(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, int32_t slot,
              const SND_GLB snd_access_params *what)
{
  snd_access access;
  access.view = view;
  access.launch = launch;
  access.what = what;
  access.field = what->field < 0 ? NULL : snd_field(view, what->field);
  access.slot = slot;
  access.snode = what->field < 0 ? what->snode : (int32_t)access.field->snode;
  return access;
}

/* ---- one cell ---- */

SND_INLINE int snd_access_is_default(const SND_GLB snd_field_view *field, uint64_t bits)
{
  return ((bits ^ field->default_bits) & (~(uint64_t)0 >> (64 - 8 * field->bytes))) == 0;
}

/* The index is noted as being outside. */
SND_INLINE void snd_access_outside(const snd_access *access, const snd_index *index)
{
  if (snd_trap_wins(access->launch, SN_EBOUNDS)) {
    SND_GLB snd_status *status = &access->launch->status;
    status->site = -1;
    status->slot = access->slot;
    status->snode = access->snode;
    status->index_count = index->count;
    for (int32_t k = 0; k < index->count; k++) status->index[k] = snd_index_value(index, k);
  }
}

/* LENGTH, and DEACTIVATE of a dynamic SNode, are about a container. */
SND_INLINE int snd_access_is_of_container(const snd_access *access)
{
  return access->what->op == SND_ACCESS_LENGTH ||
         (access->what->op == SND_ACCESS_DEACTIVATE &&
          access->view->snode[access->snode].kind == SND_SNODE_DYNAMIC);
}

/* What an index of this access is, its values to be set. */
SND_INLINE snd_index snd_access_index(const snd_access *access)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];

  if (access->field != NULL) return snd_index_of_field(access->field, NULL);
  return snd_access_is_of_container(access) ? snd_index_of_container(node, NULL)
                                            : snd_index_of_snode(node, NULL);
}

/* Bytes of one value. */
SND_INLINE uint32_t snd_access_bytes(const snd_access *access)
{
  if (access->what->op == SND_ACCESS_LENGTH) return sizeof(int64_t);
  return access->field != NULL ? access->field->bytes : 1;
}

/* How an operation walks to its cell.  SET_CHANGED with the default activates
 * nothing, but is written where the cell is active. */
SND_INLINE snd_mode snd_access_mode(const snd_access *access, uint64_t bits)
{
  switch (access->what->op) {
  case SND_ACCESS_GET: return SND_READ;
  case SND_ACCESS_SET:
  case SND_ACCESS_ACTIVATE: return SND_ACTIVATE;
  case SND_ACCESS_SET_CHANGED:
    return snd_access_is_default(access->field, bits) ? SND_PEEK : SND_ACTIVATE;
  case SND_ACCESS_DEACTIVATE: return SND_DEACTIVATE;
  default: return SND_PEEK;
  }
}

/* Length of the dynamic container that the index names; 0: there is none. */
SND_INLINE int64_t snd_access_length(const snd_access *access, const snd_index *index)
{
  const sn_addr container =
    snd_walk_container(access->view, access->snode, index, SND_PEEK, NULL, 0);
  return container != 0 ? snd_dynamic_length(&access->view->snode[access->snode], container) : 0;
}

/* One operation on one cell; value: where its value stands.  The walk stands here
 * once for all of them: it is inlined on GPUs. */
SND_COLD void snd_access_cell(const snd_access *access, const snd_index *index, sn_addr value)
{
  const snd_access_op op = (snd_access_op)access->what->op;
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int sets = op == SND_ACCESS_SET || op == SND_ACCESS_SET_CHANGED;
  const uint32_t bytes = snd_access_bytes(access);
  const uint64_t bits = sets ? snd_value_load(value, bytes) : 0;
  snd_cell cell;

  if (!snd_index_inside(node, index)) {
    snd_access_outside(access, index);
    return;
  }
  if (op == SND_ACCESS_LENGTH) {
    snd_value_store(value, bytes, (uint64_t)snd_access_length(access, index));
    return;
  }
  cell = snd_walk_cell(access->view, access->snode, index, snd_access_mode(access, bits),
                       access->launch, access->slot);
  if (op == SND_ACCESS_IS_ACTIVE) snd_value_store(value, bytes, cell.base != 0);
  else if (cell.base != 0 && op == SND_ACCESS_GET)
    snd_value_store(value, bytes, snd_value_load(snd_place(node, access->field, cell), bytes));
  else if (cell.base != 0 && sets)
    snd_value_store(snd_place(node, access->field, cell), bytes, bits);
}

/* ---- listed, and boxed a cell at a time (devices; hosts go by rows, box.h) ---- */

SND_INLINE int64_t snd_access_box_cells(const snd_access *access)
{
  const SND_GLB snd_access_params *what = access->what;
  int64_t cells = 1;
  for (uint32_t k = 0; k < access->field->axis_count; k++)
    cells *= snd_max_i64(what->hi[k] - what->lo[k], 0);
  return cells;
}

SND_INLINE sn_addr snd_access_box_value(const snd_access *access, const snd_index *index)
{
  int64_t at = 0;
  for (int32_t k = 0; k < index->count; k++)
    at += (snd_index_value(index, k) - access->what->lo[k]) * access->what->stride[k];
  return access->what->value + (uint64_t)at * access->field->bytes;
}

SND_INLINE void snd_access_cells(const snd_access *access, const snd_worker *worker)
{
  const SND_GLB snd_access_params *what = access->what;
  const uint64_t bytes = snd_access_bytes(access);
  const int boxed = what->boxed != 0;
  const snd_share share =
    snd_share_of(worker, boxed ? snd_access_box_cells(access) : (int64_t)what->n);
  snd_index index = snd_access_index(access);

  index.lo = what->lo;
  index.hi = what->hi;
  for (index.number = share.first; index.number < share.last; index.number += share.step) {
    sn_addr value = what->value + (uint64_t)index.number * bytes;
    if (boxed) value = snd_access_box_value(access, &index);
    else index.values = SND_CONST_POINTER(int64_t, what->index) + index.number * index.count;
    snd_access_cell(access, &index, value);
  }
}

/* ---- over the list ---- */

SND_INLINE int64_t snd_access_runs(const snd_access *access)
{
  return snd_list_length(access->view, access->snode) *
         snd_list_runs(&access->view->snode[access->snode]);
}

SND_INLINE uint64_t snd_access_count(const snd_access *access, snd_share share)
{
  const int64_t runs = snd_list_runs(&access->view->snode[access->snode]);
  uint64_t count = 0;

  for (int64_t r = share.first; r < share.last; r += share.step)
    count += (uint64_t)snd_popcount(snd_list_mask(access->view, access->snode, r / runs, r % runs));
  return count;
}

SND_COLD void snd_access_fill_cell(const snd_access *access, int64_t e, int64_t l, uint64_t bits)
{
  const snd_cell cell = snd_list_cell(access->view, access->snode, e, l);
  if (cell.base != 0)
    snd_value_store(snd_place(&access->view->snode[access->snode], access->field, cell),
                    access->field->bytes, bits);
}

SND_INLINE void snd_access_fill(const snd_access *access, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int64_t runs = snd_list_runs(node);
  const uint64_t bits = snd_value_load(access->what->value, access->field->bytes);
  const snd_share share = snd_share_of(worker, snd_access_runs(access));

  for (int64_t r = share.first; r < share.last; r += share.step) {
    uint64_t mask = snd_list_mask(access->view, access->snode, r / runs, r % runs);
    const int64_t first = snd_list_position(node, r / runs, r % runs);
    for (; mask != 0; mask &= mask - 1)
      snd_access_fill_cell(access, r / runs, first + snd_ctz(mask), bits);
  }
}

/* Row `at` of the lists that LIST writes: cell l of entry e. */
SND_COLD void snd_access_list_cell(const snd_access *access, int64_t e, int64_t l, int64_t at)
{
  const SND_GLB snd_field_view *field = access->field;
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int32_t count = (int32_t)field->axis_count;
  const snd_cell found = snd_list_cell(access->view, access->snode, e, l);
  const snd_cell ambient = { node->ambient, 0 };
  SND_GLB int64_t *index = SND_POINTER(int64_t, access->what->index) + at * count;
  int64_t rest = l;

  snd_value_store(access->what->value + (uint64_t)at * field->bytes, field->bytes,
                  snd_value_load(snd_place(node, field, found.base != 0 ? found : ambient),
                                 field->bytes));
  for (uint32_t axes = node->path_axes; axes != 0;) {
    const int32_t axis = snd_last_axis(axes);
    const int64_t x = snd_list_coordinate(access->view, access->snode, e, axis, &rest);
    for (int32_t k = 0; k < count; k++)
      if (field->axes[k] == axis) index[k] = x + field->origin[k];
    axes = snd_without(axes, axis);
  }
}

/* A share of the runs, its rows from `at` on; at most n are written. */
SND_INLINE void snd_access_list(const snd_access *access, snd_share share, uint64_t at)
{
  const SND_GLB snd_snode_view *node = &access->view->snode[access->snode];
  const int64_t runs = snd_list_runs(node);

  for (int64_t r = share.first; r < share.last; r += share.step) {
    uint64_t mask = snd_list_mask(access->view, access->snode, r / runs, r % runs);
    const int64_t first = snd_list_position(node, r / runs, r % runs);
    for (; mask != 0 && at < access->what->n; mask &= mask - 1)
      snd_access_list_cell(access, r / runs, first + snd_ctz(mask), (int64_t)at++);
  }
}

/* ---- one worker's part in any access ----
 * before: rows of LIST that the workers before this one write. */
SND_COLD void
snd_access_share(const snd_access *access, const snd_worker *worker, uint64_t before)
{
  switch (access->what->op) {
  case SND_ACCESS_FILL:
    snd_access_fill(access, worker);
    break;
  case SND_ACCESS_COUNT:
    snd_atomic_add_u64(SND_POINTER(uint64_t, access->what->result),
                       snd_access_count(access, snd_share_of(worker, snd_access_runs(access))));
    break;
  case SND_ACCESS_LIST:
    snd_access_list(access, snd_share_of(worker, snd_access_runs(access)), before);
    break;
  default:
    snd_access_cells(access, worker);
    break;
  }
}

#if SND_HAS_DEVICES

/* LIST on a device: each worker counts its share and draws that many rows at once:
 * workers' shares in any order.  Relaxed: rows are dealt out, read after the task. */
SND_INLINE void snd_access_device(const snd_access *access, const snd_worker *worker)
{
  uint64_t before = 0;

  if (access->what->op == SND_ACCESS_LIST) {
    const uint64_t count =
      snd_access_count(access, snd_share_of(worker, snd_access_runs(access)));
    before = snd_fetch_add_u64(SND_POINTER(uint64_t, access->what->result), count);
  }
  snd_access_share(access, worker, before);
}

SND_FUNCTION int snd_access_target(const snd_args *args)
{
  void *tree_view = SND_DEVICE_POINTER(args->views[args->slot]);
  void *record = SND_DEVICE_POINTER(args->launch);
  const snd_access_params *params = (const snd_access_params *)args->params;
  const int32_t slot = args->slot;

  if (!snd_target_ready(args)) return SN_EDEVICE;
  SND_TARGET_TEAMS(args, SND_DEVICE_POINTERS(tree_view, record) SND_COPIED_IN(params)
                           firstprivate(slot))
  SND_TARGET_PARALLEL
  {
    const snd_worker worker = SND_TARGET_WORKER;
    const snd_access access =
      snd_access_of((const SND_GLB snd_tree_view *)tree_view, (SND_GLB snd_launch *)record, slot,
                    (const SND_GLB snd_access_params *)params);
    snd_access_device(&access, &worker);
  }
  return SN_OK;
}

#endif

#endif
