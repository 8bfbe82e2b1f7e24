/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_TRANSFER: cells and values of a tree to and from flat arrays: what saving, loading
 * and copying are made of (abi.h says what a record is).
 *
 *   EXPORT   a record and the cells (snd_cell) for each word, piece or key of the
 *            list that libsnode has selected
 *   IMPORT   the way back: activates the cells of each record
 *   GATHER   elements of one field in those cells, side by side; SCATTER: back
 *
 * Import goes top-down: cells above a record's were imported before it.  Any number of
 * workers; records and elements are independent of each other.
 */
#ifndef SNODE_DEVICE_TRANSFER_H
#define SNODE_DEVICE_TRANSFER_H

#include <snode/device/box.h>

/* What all workers of one transfer share. */
typedef struct snd_transfer {
  const SND_GLB snd_tree_view *view;
  SND_GLB snd_launch *launch;
  const SND_GLB snd_transfer_params *what;
  int32_t slot, snode;
} snd_transfer;

SND_INLINE uint64_t snd_transfer_start(const snd_transfer *t, int64_t r)
{
  return SND_CONST_POINTER(uint64_t, t->what->select)[2 * r + 1];
}

SND_INLINE SND_GLB uint64_t *snd_transfer_record(const snd_transfer *t, int64_t r)
{
  return SND_POINTER(uint64_t, t->what->record) + (uint64_t)r * t->what->record_words;
}

/* ---- cells of a record: those that a mask or two bounds name ---- */

/* Bits: cells first + c of the container; at most 64 of them. */
SND_INLINE void
snd_transfer_masked(const snd_transfer *t, sn_addr container, int64_t first, uint64_t mask,
                    uint64_t at)
{
  const SND_GLB snd_snode_view *node = &t->view->snode[t->snode];
  SND_GLB snd_cell *cells = SND_POINTER(snd_cell, t->what->cell);

  for (; mask != 0; mask &= mask - 1) {
    const int64_t l = first + snd_ctz(mask);
    const sn_addr found = t->what->op == SND_TRANSFER_IMPORT
                            ? snd_activate(t->view, t->snode, t->launch, t->slot, container, l)
                            : snd_lookup(node, container, l, 0);
    cells[at++] = snd_cell_found(node, container, l, found);
  }
}

/* Cells first .. last - 1 of a dynamic container; the last one's activation makes its
 * length, and the cells before it. */
SND_INLINE void
snd_transfer_piece(const snd_transfer *t, sn_addr container, int64_t first, int64_t last,
                   uint64_t at)
{
  const SND_GLB snd_snode_view *node = &t->view->snode[t->snode];
  SND_GLB snd_cell *cells = SND_POINTER(snd_cell, t->what->cell);

  if (t->what->op == SND_TRANSFER_IMPORT)
    (void)snd_activate(t->view, t->snode, t->launch, t->slot, container, last - 1);
  for (int64_t l = first; l < last; l++)
    cells[at++] = snd_cell_found(node, container, l, snd_lookup(node, container, l, 0));
}

/* ---- export: records from the list ---- */

/* The words of entry e that say where its container stands; how many they are. */
SND_INLINE int32_t
snd_transfer_copy_at(const snd_transfer *t, int64_t e, SND_GLB uint64_t *record)
{
  const SND_GLB snd_snode_view *node = &t->view->snode[t->snode];
  const SND_GLB uint64_t *entry = snd_list_entry(node, e);
  const int32_t axes = snd_popcount(t->view->snode[node->parent].path_axes);

  for (int32_t k = 0; k < axes; k++) record[k] = entry[1 + k];
  return axes;
}

SND_INLINE void snd_transfer_export_word(const snd_transfer *t, uint64_t number, int64_t r)
{
  const SND_GLB snd_snode_view *node = &t->view->snode[t->snode];
  const int64_t e = (int64_t)(number / node->mask_words);
  const uint64_t word = number % node->mask_words;
  const uint64_t mask = SND_CONST_POINTER(uint64_t, node->masks)[number];
  SND_GLB uint64_t *record = snd_transfer_record(t, r);
  const int32_t axes = snd_transfer_copy_at(t, e, record);

  record[axes] = word;
  record[axes + 1] = mask;
  snd_transfer_masked(t, snd_list_container(t->view, t->snode, e), (int64_t)word * 64, mask,
                      snd_transfer_start(t, r));
}

SND_INLINE void snd_transfer_export_piece(const snd_transfer *t, uint64_t number, int64_t r)
{
  SND_GLB uint64_t *record = snd_transfer_record(t, r);
  const SND_GLB uint64_t *entry = snd_list_entry(&t->view->snode[t->snode], (int64_t)number);
  const int32_t axes = snd_transfer_copy_at(t, (int64_t)number, record);

  record[axes] = entry[1 + axes];
  record[axes + 1] = entry[2 + axes];
  snd_transfer_piece(t, entry[0], (int64_t)record[axes], (int64_t)record[axes + 1],
                     snd_transfer_start(t, r));
}

/* A hash's coordinates are those of the key at its position. */
SND_INLINE void snd_transfer_export_key(const snd_transfer *t, uint64_t number, int64_t r)
{
  const SND_GLB snd_snode_view *node = &t->view->snode[t->snode];
  SND_GLB uint64_t *record = snd_transfer_record(t, r);
  int32_t k = (int32_t)t->what->record_words;
  int64_t rest = (int64_t)number;

  for (uint32_t axes = node->own_axes; axes != 0;) {
    const int32_t axis = snd_last_axis(axes);
    record[--k] = (uint64_t)snd_list_coordinate(t->view, t->snode, 0, axis, &rest);
    axes = snd_without(axes, axis);
  }
  SND_POINTER(snd_cell, t->what->cell)[snd_transfer_start(t, r)] =
    snd_list_cell(t->view, t->snode, 0, (int64_t)number);
}

SND_COLD void snd_transfer_export(const snd_transfer *t, int64_t r)
{
  const uint64_t number = SND_CONST_POINTER(uint64_t, t->what->select)[2 * r];

  switch (t->view->snode[t->snode].kind) {
  case SND_SNODE_DYNAMIC: snd_transfer_export_piece(t, number, r); break;
  case SND_SNODE_HASH: snd_transfer_export_key(t, number, r); break;
  default: snd_transfer_export_word(t, number, r); break;
  }
}

/* ---- import: the cells that records name ---- */

/* The walk finds the cells above active; where there is no memory it ends, and the
 * launch says so: nothing is scattered then. */
SND_COLD void snd_transfer_import(const snd_transfer *t, int64_t r)
{
  const SND_GLB snd_snode_view *node = &t->view->snode[t->snode];
  const uint32_t depth = node->depth - (node->kind != SND_SNODE_HASH);
  const int32_t target = snd_ancestor(t->view, t->snode, depth);
  const SND_GLB uint64_t *record = snd_transfer_record(t, r);
  const snd_index index =
    snd_index_of_snode(&t->view->snode[target], (const SND_GLB int64_t *)record);
  const uint64_t start = snd_transfer_start(t, r);
  const snd_cell cell = { snd_walk(t->view, target, depth, &index, SND_ACTIVATE, t->launch,
                                   t->slot), 0 };
  const SND_GLB uint64_t *two = record + index.count;

  if (node->kind == SND_SNODE_HASH)
    SND_POINTER(snd_cell, t->what->cell)[start] = cell;
  else if (cell.base != 0 && node->kind == SND_SNODE_DYNAMIC)
    snd_transfer_piece(t, snd_container(node, cell.base), (int64_t)two[0], (int64_t)two[1], start);
  else if (cell.base != 0)
    snd_transfer_masked(t, snd_container(node, cell.base), (int64_t)two[0] * 64, two[1], start);
}

/* ---- values ---- */

/* Element d of the field in a cell of the SNode. */
SND_INLINE snd_cell
snd_transfer_cell(const snd_transfer *t, const SND_GLB snd_field_view *field, snd_cell cell,
                  int64_t d)
{
  const int32_t snode = (int32_t)field->snode;
  const int64_t cells = (int64_t)t->view->snode[snode].cells;
  snd_cell below;

  if (snode == t->snode) return cell;
  /* The SNode holds others: its cells are structs. */
  cell.base += (uint64_t)cell.l * t->view->snode[t->snode].cell_bytes;
  below.base = snd_nth_container(t->view, t->snode, cell.base, snode, d / cells);
  below.l = d % cells;
  return below;
}

/* Elements first .. of the batch, `count` of them at most: those that follow each other
 * in one container, or row.  Gives how many they were. */
SND_INLINE int64_t
snd_transfer_run(const snd_transfer *t, int64_t per_cell, int64_t first, sn_addr value,
                 int64_t count)
{
  const SND_GLB snd_field_view *field = snd_field(t->view, t->what->field);
  const SND_GLB snd_snode_view *node = &t->view->snode[field->snode];
  /* A root without places has no memory: its containers know where they are. */
  const snd_cell root = { snd_max_u64(t->view->root, 1), 0 };
  const snd_cell cell = snd_transfer_cell(
    t, field,
    t->snode == 0 ? root : SND_CONST_POINTER(snd_cell, t->what->cell)[first / per_cell],
    first % per_cell);
  const int64_t together =
    (int32_t)field->snode == t->snode ? 1 : snd_cells_together(node, cell.l);
  const sn_addr at = snd_place(node, field, cell);
  const uint64_t step = snd_place_step(node, field, 1);

  count = snd_min_i64(count, together);
  if (t->what->op == SND_TRANSFER_GATHER)
    snd_move(value, field->bytes, at, step, count, field->bytes);
  else
    snd_move(at, step, value, field->bytes, count, field->bytes);
  return count;
}

/* Elements of the field in one cell of the SNode. */
SND_INLINE int64_t
snd_transfer_per_cell(const SND_GLB snd_tree_view *view, int32_t snode, int32_t holder)
{
  return holder == snode ? 1
         : snd_containers_in(view, snode, holder) * (int64_t)view->snode[holder].cells;
}

SND_COLD void snd_transfer_values(const snd_transfer *t, const snd_worker *worker)
{
  const SND_GLB snd_transfer_params *what = t->what;
  const SND_GLB snd_field_view *field = snd_field(t->view, what->field);
  const int64_t per_cell = snd_transfer_per_cell(t->view, t->snode, (int32_t)field->snode);
  const snd_share share = snd_share_of(worker, (int64_t)what->count);

  for (int64_t k = share.first; k < share.last;) {
    /* Side by side with other lanes: one element at a time. */
    const int64_t most = share.step == 1 ? share.last - k : 1;
    const int64_t done = snd_transfer_run(t, per_cell, (int64_t)what->first + k,
                                          what->value + (uint64_t)k * field->bytes, most);
    k += share.step == 1 ? done : share.step;
  }
}

/* ---- the task ---- */

SND_COLD void snd_transfer_share(const snd_transfer *t, const snd_worker *worker)
{
  const snd_share share = snd_share_of(worker, (int64_t)t->what->records);

  switch (t->what->op) {
  case SND_TRANSFER_EXPORT:
    for (int64_t r = share.first; r < share.last; r += share.step) snd_transfer_export(t, r);
    break;
  case SND_TRANSFER_IMPORT:
    for (int64_t r = share.first; r < share.last; r += share.step) snd_transfer_import(t, r);
    break;
  default:
    snd_transfer_values(t, worker);
    break;
  }
}

/* Threads' worth of work: a record is a walk and up to 64 cells. */
SND_INLINE int64_t snd_transfer_work(const SND_GLB snd_transfer_params *what)
{
  return what->op == SND_TRANSFER_EXPORT || what->op == SND_TRANSFER_IMPORT
           ? snd_work((int64_t)what->records * 64) : snd_work((int64_t)what->count);
}

SND_FUNCTION void snd_transfer_host_share(const snd_transfer *transfer, int number, int threads)
{
  const snd_worker worker = snd_host_worker(number, threads);
  snd_transfer_share(transfer, &worker);
}

SND_FUNCTION int snd_transfer_host(const snd_args *args)
{
  const snd_transfer transfer = { SND_HOST_VIEW(args, args->slot), SND_HOST_LAUNCH(args),
                                  SND_CONST_POINTER(snd_transfer_params, args->params), args->slot,
                                  args->snode };

  SND_HOST_PARALLEL(args, snd_transfer_work(transfer.what), snd_transfer_host_share, &transfer);
  return SN_OK;
}

#if SND_HAS_DEVICES
SND_FUNCTION int snd_transfer_target(const snd_args *args)
{
  void *tree_view = SND_DEVICE_POINTER(args->views[args->slot]);
  void *record = SND_DEVICE_POINTER(args->launch);
  const snd_transfer_params *params = (const snd_transfer_params *)args->params;
  const int32_t slot = args->slot, snode = args->snode;

  if (!snd_target_ready(args)) return SN_EDEVICE;
  SND_TARGET_TEAMS(args, SND_DEVICE_POINTERS(tree_view, record) SND_COPIED_IN(params)
                           firstprivate(slot, snode))
  SND_TARGET_PARALLEL
  {
    const snd_worker worker = SND_TARGET_WORKER;
    const snd_transfer transfer = { (const SND_GLB snd_tree_view *)tree_view,
                                    (SND_GLB snd_launch *)record,
                                    (const SND_GLB snd_transfer_params *)params, slot, snode };
    snd_transfer_share(&transfer, &worker);
  }
  return SN_OK;
}
#endif

#endif
