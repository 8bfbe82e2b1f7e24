/* SPDX-License-Identifier: BSD-3-Clause */
/* SND_RT_LISTGEN: the list of an SNode's containers, from the list of its parent.
 *
 * A container is there for each cell of the parent's that was active when the
 * parent's list was made; of a dynamic SNode a piece for each SND_PIECE_CELLS cells.
 * Then, where cells have an activity of their own (bitmasked, pointer, hash), the masks of
 * the containers found.  Work is cut into runs (list.h) of the parent's cells.
 *
 *   host     each thread counts its share; after a barrier it knows where
 *            its entries begin, and writes them: memory order, whatever the threads
 *   devices  an atomic append per cell: any order
 *
 * SND_RT_LISTMASKS: the masks alone, of a list whose entries stand.
 *
 * More entries than list_capacity: SN_EBUG (libsnode makes room before), the
 * list holds what went in.
 */
#ifndef SNODE_DEVICE_LISTGEN_H
#define SNODE_DEVICE_LISTGEN_H

#include <snode/device/list.h>
#include <snode/device/task.h>

/* Runs of cells in the parent's list. */
SND_INLINE int64_t snd_listgen_runs(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const int32_t parent = view->snode[snode].parent;
  return snd_list_length(view, parent) * snd_list_runs(&view->snode[parent]);
}

SND_INLINE void
snd_listgen_overflow(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                     int32_t slot, uint64_t want)
{
  snd_trap_memory(launch, SN_EBUG, slot, snode, view->snode[snode].list_capacity, want);
}

/* ---- pieces of dynamic containers ---- */

/* The body and how many cells it has; plain loads, between tasks. */
typedef struct snd_pieces {
  sn_addr body;
  int64_t cells, count;
} snd_pieces;

SND_INLINE snd_pieces snd_pieces_of(const SND_GLB snd_snode_view *node, sn_addr container)
{
  const uint64_t word = *SND_CONST_POINTER(uint64_t, container);
  snd_pieces pieces;
  pieces.body = snd_dynamic_has_body(node, word) ? snd_dynamic_body(node, word) : 0;
  pieces.cells = snd_dynamic_length_in(node, word);
  pieces.count = snd_ceil_div(pieces.cells, SND_PIECE_CELLS);
  return pieces;
}

/* Piece number k, into the words of entry `at`. */
SND_INLINE void
snd_pieces_write(const SND_GLB snd_snode_view *node, const snd_pieces *pieces, int64_t k,
                 int64_t at)
{
  SND_GLB uint64_t *piece = snd_list_piece(node, at);
  piece[SND_PIECE_FIRST] = (uint64_t)(k * SND_PIECE_CELLS);
  piece[SND_PIECE_LAST] = (uint64_t)snd_min_i64((k + 1) * SND_PIECE_CELLS, pieces->cells);
  piece[SND_PIECE_BODY] = pieces->body;
}

/* ---- masks ---- */

/* This worker's share of the list's masks. */
SND_INLINE void
snd_listmasks(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t words = node->mask_words;
  SND_GLB uint64_t *masks = SND_POINTER(uint64_t, node->masks);
  const snd_share share = snd_share_of(worker, snd_list_length(view, snode) * words);

  (void)launch;
  (void)slot;
  for (int64_t w = share.first; w < share.last; w += share.step) {
    int64_t e = w;
    const int64_t word = snd_list_digit(&e, words);
    const sn_addr container = snd_list_container(view, snode, e);
    masks[w] = node->kind == SND_SNODE_BITMASKED ? snd_bitmasked_words(node, container)[word]
                                                : snd_list_scan(node, container, word);
  }
}

/* A slot or key is looked at as a cell is; a bitmasked container has its words. */
SND_INLINE int64_t snd_listmasks_work(const SND_GLB snd_tree_view *view, int32_t snode)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  return snd_work(snd_list_length(view, snode) * (int64_t)node->mask_words *
                  (node->kind == SND_SNODE_BITMASKED ? 4 : 64));
}

SND_RUNTIME_TASK(listmasks, snd_listmasks_work)

/* ---- host: the parent's cells, row by row ----
 * Cells along the last own axis of the parent are neighbours: coordinates are worked
 * out once a row, and extents that are powers of two need no division. */

typedef struct snd_cells {
  const SND_GLB snd_tree_view *view;
  const SND_GLB snd_snode_view *node;            /* the parent */
  int32_t axes;                                  /* of a cell: coordinates in an entry */
  int32_t own;                                   /* of them the SNode's own */
  int32_t place[SN_MAX_AXES];                    /* own axis k among a cell's axes */
  int64_t extent[SN_MAX_AXES];                   /* of own axis k */
  int shift[SN_MAX_AXES];                        /* its logarithm; -1: no power of two */
  sn_addr container;                             /* of the entry */
  int64_t base[SN_MAX_AXES];                     /* coordinates of its first cell */
  int64_t row_first, row_end;                    /* positions */
  int64_t at[SN_MAX_AXES];                       /* coordinates of the row's first cell */
} snd_cells;

SND_FUNCTION void
snd_cells_open(snd_cells *c, const SND_GLB snd_tree_view *view, int32_t snode)
{
  c->view = view;
  c->node = &view->snode[snode];
  c->axes = snd_popcount(c->node->path_axes);
  c->own = 0;
  c->row_first = c->row_end = 0;
  for (uint32_t axes = c->node->own_axes; axes != 0; axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes);
    const int64_t extent = c->node->extent[axis];
    c->place[c->own] = snd_axis_rank(c->node->path_axes, axis);
    c->extent[c->own] = extent;
    c->shift[c->own++] = (extent & (extent - 1)) == 0 ? snd_ctz((uint64_t)extent) : -1;
  }
}

/* To entry e of the list.  What stands under the root is not in a cell of its: the only
 * container takes the place of the root's, with an offset of 0. */
SND_FUNCTION void
snd_cells_enter(snd_cells *c, int64_t e, const SND_GLB snd_snode_view *below)
{
  const SND_GLB uint64_t *entry;
  int32_t k = 0, rank = 0;

  c->row_end = 0;
  c->container =
    below->parent == 0 ? below->container : snd_list_container(c->view, c->node->id, e);
  if (c->node->kind == SND_SNODE_ROOT || c->node->kind == SND_SNODE_HASH) return;
  entry = snd_list_entry(c->node, e) + 1;
  for (uint32_t axes = c->node->path_axes; axes != 0; axes &= axes - 1, k++) {
    const int32_t axis = snd_ctz(axes);
    const int above = (int)(c->view->snode[c->node->parent].path_axes >> axis & 1);
    c->base[k] = above ? (int64_t)entry[rank++] * c->node->extent[axis] : 0;
    c->at[k] = c->base[k];
  }
}

SND_INLINE int64_t snd_cells_digit(const snd_cells *c, int32_t k, int64_t *rest)
{
  if (c->shift[k] >= 0) {
    const int64_t digit = *rest & (c->extent[k] - 1);
    *rest >>= c->shift[k];
    return digit;
  }
  return snd_list_digit(rest, c->extent[k]);
}

/* To the row that cell l stands in.  A hash's cells are rows of their own. */
SND_FUNCTION void snd_cells_row(snd_cells *c, int64_t l)
{
  const int32_t last = c->own - 1;
  int64_t rest = l;

  c->row_first = l;
  c->row_end = l + 1;
  if (c->node->kind == SND_SNODE_HASH) {
    for (int32_t k = 0; k < c->axes; k++) c->at[k] = snd_hash_key(c->view, c->node->id, l, k);
  } else if (last >= 0) {
    c->row_first -= snd_cells_digit(c, last, &rest);
    c->row_end = c->row_first + c->extent[last];
    for (int32_t k = last - 1; k >= 0; k--)
      c->at[c->place[k]] = c->base[c->place[k]] + snd_cells_digit(c, k, &rest);
  }
}

SND_INLINE sn_addr snd_cells_address(const snd_cells *c, int64_t l)
{
  switch (c->node->kind) {
  case SND_SNODE_POINTER: return *snd_pointer_slot(c->container, l);
  case SND_SNODE_HASH: return *snd_hash_slot(snd_hash_entry(c->node, l));
  default: return c->container + (uint64_t)l * c->node->cell_bytes;
  }
}

/* The coordinates of cell l, which is in the row. */
SND_INLINE void
snd_cells_write(const snd_cells *c, int64_t l, int32_t axes, int32_t last,
                SND_GLB uint64_t *coordinate)
{
  for (int32_t k = 0; k < axes; k++) coordinate[k] = (uint64_t)c->at[k];
  if (last >= 0) coordinate[last] += (uint64_t)(l - c->row_first);
}

/* Which of a cell's axes runs along a row; -1: none. */
SND_INLINE int32_t snd_cells_last(const snd_cells *c)
{
  return c->own > 0 ? c->place[c->own - 1] : -1;
}

/* ---- host: entries ---- */

enum { SND_LISTGEN_THREADS = 256 };   /* more would not have enough to do */

/* A run's entries from number `at` on, one for each cell of the mask, no more than
 * there is room for. */
SND_FUNCTION void
snd_listgen_entries(const SND_GLB snd_snode_view *node, snd_cells *c, int64_t first, uint64_t mask,
                    int64_t at)
{
  const int32_t axes = c->axes, last = snd_cells_last(c);
  const uint32_t words = node->entry_words;
  const int in_place = c->node->kind != SND_SNODE_POINTER && c->node->kind != SND_SNODE_HASH;
  const sn_addr base = c->container + node->container_offset;
  const uint64_t stride = c->node->cell_bytes;
  int64_t room = (int64_t)node->list_capacity - at;
  SND_GLB uint64_t *entry;

  if (mask == 0 || room <= 0) return;            /* there may be no entries at all */
  entry = snd_list_entry(node, at);
  for (; mask != 0 && room > 0; mask &= mask - 1, room--, entry += words) {
    const int64_t l = first + snd_ctz(mask);
    if (l >= c->row_end) snd_cells_row(c, l);
    snd_cells_write(c, l, axes, last, entry + 1);
    entry[0] = in_place ? base + (uint64_t)l * stride
                        : snd_cells_address(c, l) + node->container_offset;
  }
}

/* The same of a dynamic SNode: as many as there are pieces; at < 0: they are only
 * counted.  Gives their number. */
SND_FUNCTION int64_t
snd_listgen_pieces(const SND_GLB snd_snode_view *node, snd_cells *c, int64_t first, uint64_t mask,
                   int64_t at)
{
  const int64_t room = (int64_t)node->list_capacity;
  int64_t count = 0;

  for (; mask != 0; mask &= mask - 1) {
    const int64_t l = first + snd_ctz(mask);
    const sn_addr container = snd_container(node, snd_cells_address(c, l));
    const snd_pieces pieces = snd_pieces_of(node, container);

    if (at >= 0 && l >= c->row_end) snd_cells_row(c, l);
    for (int64_t k = 0; at >= 0 && k < pieces.count && at + count + k < room; k++) {
      SND_GLB uint64_t *entry = snd_list_entry(node, at + count + k);
      entry[0] = container;
      snd_cells_write(c, l, c->axes, snd_cells_last(c), entry + 1);
      snd_pieces_write(node, &pieces, k, at + count + k);
    }
    count += pieces.count;
  }
  return count;
}

/* The entries of a share of the runs from number `at` on; at < 0 (dynamic): they are
 * only counted.  Gives their number. */
SND_FUNCTION int64_t
snd_listgen_share(const SND_GLB snd_tree_view *view, int32_t snode, snd_share share, int64_t at)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t runs = snd_list_runs(&view->snode[node->parent]);
  int64_t count = 0, e, run;
  snd_cells cells;

  /* A hash without keys has no runs. */
  if (share.first >= share.last) return 0;
  e = share.first / runs;
  run = share.first % runs;
  snd_cells_open(&cells, view, node->parent);
  for (int64_t r = share.first; r < share.last; r++, run++) {
    uint64_t mask;
    if (run == runs) {
      run = 0;
      e++;
    }
    if (run == 0 || r == share.first) snd_cells_enter(&cells, e, node);
    mask = snd_list_mask(view, node->parent, e, run);
    if (node->kind == SND_SNODE_DYNAMIC) {
      count += snd_listgen_pieces(node, &cells, run * SND_RUN, mask, at < 0 ? at : at + count);
    } else {
      snd_listgen_entries(node, &cells, run * SND_RUN, mask, at + count);
      count += snd_popcount(mask);
    }
  }
  return count;
}

/* How many there are: of the masks where they tell. */
SND_FUNCTION int64_t
snd_listgen_count(const SND_GLB snd_tree_view *view, int32_t snode, snd_share share)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode], *parent = &view->snode[node->parent];
  int64_t count = 0;

  if (share.first >= share.last) return 0;
  if (node->kind == SND_SNODE_DYNAMIC) return snd_listgen_share(view, snode, share, -1);
  if (parent->mask_words == 0) {
    const int64_t cells = snd_capacity(parent);
    /* A hash without keys has neither masks nor cells. */
    const int64_t runs = snd_max_i64(snd_list_runs(parent), 1);
    const int64_t before = share.first / runs * cells +
                           snd_min_i64(share.first % runs * SND_RUN, cells);
    return share.last / runs * cells + snd_min_i64(share.last % runs * SND_RUN, cells) - before;
  }
  /* A run is a mask word. */
  for (int64_t r = share.first; r < share.last; r++)
    count += snd_popcount(SND_CONST_POINTER(uint64_t, parent->masks)[r]);
  return count;
}

/* counts: a number for each of the threads. */
SND_FUNCTION void
snd_listgen_host_share(const SND_GLB snd_tree_view *view, const snd_args *args, int64_t *counts,
                       int number, int threads)
{
  const int32_t snode = args->snode, slot = args->slot;
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  SND_GLB snd_launch *launch = SND_HOST_LAUNCH(args);
  const snd_worker worker = snd_host_worker(number, threads);
  const snd_share share = snd_share_of(&worker, snd_listgen_runs(view, snode));
  const int64_t count = snd_listgen_count(view, snode, share);
  int64_t before = 0;

  counts[number] = count;
  SND_HOST_BARRIER(threads);
  for (int t = 0; t < number; t++) before += counts[t];
  (void)snd_listgen_share(view, snode, share, before);
  if (number == threads - 1) {
    const uint64_t all = (uint64_t)(before + count), capacity = node->list_capacity;
    snd_counters(view, snode)->list_length = snd_min_u64(all, capacity);
    if (all > capacity) snd_listgen_overflow(view, snode, launch, slot, all);
  }
  SND_HOST_BARRIER(threads);
  if (node->mask_words != 0) snd_listmasks(view, snode, launch, slot, &worker);
}

SND_FUNCTION int snd_listgen_host(const snd_args *args)
{
  const SND_GLB snd_tree_view *view = SND_HOST_VIEW(args, args->slot);
  const SND_GLB snd_snode_view *node = &view->snode[args->snode];
  const int64_t each = node->mask_words == 0 ? 1 : (int64_t)node->cells + 1;
  const int64_t work = snd_work(snd_listgen_runs(view, args->snode) * SND_RUN * each);
  int64_t counts[SND_LISTGEN_THREADS];

  SND_HOST_PARALLEL(args, snd_min_i64(work, SND_LISTGEN_THREADS), snd_listgen_host_share, view,
                    args, counts);
  return SN_OK;
}

/* ---- devices ---- */

#if SND_HAS_DEVICES

/* Writes entry `at`, piece k of a dynamic container: the container in cell l of the
 * parent's entry e. */
SND_COLD void
snd_listgen_write(const SND_GLB snd_tree_view *view, int32_t snode, int64_t e, int64_t l,
                  int64_t at, sn_addr container)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const SND_GLB snd_snode_view *parent = &view->snode[node->parent];
  SND_GLB uint64_t *entry = snd_list_entry(node, at);
  int32_t k = 1 + snd_popcount(parent->path_axes);
  int64_t rest = l;

  entry[0] = container;
  for (uint32_t axes = parent->path_axes; axes != 0;) {
    const int32_t axis = snd_last_axis(axes);
    entry[--k] = (uint64_t)snd_list_coordinate(view, node->parent, e, axis, &rest);
    axes = snd_without(axes, axis);
  }
}

SND_INLINE void snd_listgen_clear(const SND_GLB snd_tree_view *view, int32_t snode)
{
  snd_counters(view, snode)->list_length = 0;
}

/* Cell l of the parent's entry e: an entry, or one for each piece. */
SND_COLD void
snd_listgen_append_cell(const SND_GLB snd_tree_view *view, int32_t snode,
                        SND_GLB snd_launch *launch, int32_t slot, int64_t e, int64_t l)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const sn_addr container = snd_container(node, snd_list_lookup(view, node->parent, e, l));
  snd_pieces pieces = { 0, 0, 1 };
  uint64_t at;

  if (node->kind == SND_SNODE_DYNAMIC) pieces = snd_pieces_of(node, container);
  if (pieces.count == 0) return;
  /* Relaxed: deals out places; the entries are read by later tasks.  A place for which
   * there is no room is given back: the length ends at the capacity. */
  at = snd_fetch_add_u64(&snd_counters(view, snode)->list_length, (uint64_t)pieces.count);
  for (int64_t k = 0; k < pieces.count; k++, at++)
    if (at < node->list_capacity) {
      snd_listgen_write(view, snode, e, l, (int64_t)at, container);
      if (node->kind == SND_SNODE_DYNAMIC) snd_pieces_write(node, &pieces, k, (int64_t)at);
    } else {
      snd_atomic_sub_u64(&snd_counters(view, snode)->list_length, 1);
      snd_listgen_overflow(view, snode, launch, slot, at + 1);
    }
}

/* A share of the runs: an entry for each active cell, in any order. */
SND_INLINE void
snd_listgen_append(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                   int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *parent = &view->snode[view->snode[snode].parent];
  const int64_t runs = snd_list_runs(parent);
  const snd_share share = snd_share_of(worker, snd_listgen_runs(view, snode));

  for (int64_t r = share.first; r < share.last; r += share.step) {
    int64_t run = r;
    const int64_t at = snd_list_digit(&run, runs), e = run;
    uint64_t mask = snd_list_mask(view, view->snode[snode].parent, e, at);
    for (; mask != 0; mask &= mask - 1)
      snd_listgen_append_cell(view, snode, launch, slot, e, at * SND_RUN + snd_ctz(mask));
  }
}

SND_FUNCTION int snd_listgen_target(const snd_args *args)
{
  void *tree_view = SND_DEVICE_POINTER(args->views[args->slot]);
  void *record = SND_DEVICE_POINTER(args->launch);
  const int32_t snode = args->snode, slot = args->slot;

  if (!snd_target_ready(args)) return SN_EDEVICE;
  SND_TARGET_SINGLE(args, SND_DEVICE_POINTERS(tree_view) firstprivate(snode))
  {
    const SND_GLB snd_tree_view *view = (const SND_GLB snd_tree_view *)tree_view;
    snd_listgen_clear(view, snode);
  }
  SND_TARGET_TEAMS(args, SND_DEVICE_POINTERS(tree_view, record) firstprivate(snode, slot))
  SND_TARGET_PARALLEL
  {
    const SND_GLB snd_tree_view *view = (const SND_GLB snd_tree_view *)tree_view;
    const snd_worker worker = SND_TARGET_WORKER;
    snd_listgen_append(view, snode, (SND_GLB snd_launch *)record, slot, &worker);
  }
  /* Masks when all containers are known; of a dense or dynamic SNode there are none. */
  return snd_listmasks_target(args);
}

#endif

#endif
