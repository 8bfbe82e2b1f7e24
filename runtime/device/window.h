/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: what a host thread has of its own of blocks of cells, in loops that read or add to boxes
 * of cells whose places are computed.
 *
 *   static const snd_window_shape shape = { ... };           what all windows have in common
 *   float cells[64 * 324 * 4];
 *   snd_windows windows;
 *   snd_windows_begin(&windows, thread, &shape, cells, sizeof cells);
 *   ...
 *   float (*near)[4] = snd_window_at(&windows, key, part);   for each iteration; NULL: it goes to
 *   ...                                                      the tree
 *   snd_windows_end(&windows);
 *
 * An SNode's cells are cut into blocks, whose number in row-major order is the key.  A window has
 * the cells of a block and its halo, the cells behind it on each axis that a box may reach which
 * begins in the block.  So a box lies in one window, at constant distances from its first cell.
 *
 * A window that is read is a copy, made when a block gets it: nobody stores to the fields during
 * the task.  One that is added to begins with what every sum may begin with; its sums go to the
 * cells, which are activated, when another block gets it or at the end.  What is active then is
 * what would be without it: of the window's parts, which lie in different containers, those are
 * activated that a box has touched.  When memory is out what could not be had is left out, as a
 * write is.
 *
 * A block gets a window when it has been asked for a few times (at once where the program says
 * [[cache]]), and keeps it while it is asked for: then the iterations of a few blocks that are
 * gone on with are served.  When windows go to other blocks before they were worth what they cost,
 * more is asked of a block, and less again when they were.  Iterations that lie anywhere in a large
 * tree cost a look each, until so many have looked as it takes to give all windows away, and few
 * have found one: then a thread looks no more for some time.
 *
 * Additions are relaxed, as those of the body would be, and plain where the thread is alone.
 */
#ifndef SNODE_DEVICE_WINDOW_H
#define SNODE_DEVICE_WINDOW_H

#include <snode/device/window_cells.h>

enum {
  SND_WINDOW_PROBES = 4,         /* entries that a block may stand in */
  SND_WINDOW_WORTH = 8,          /* how often at least a block is asked for before it has one */
  SND_WINDOW_IN_TURN = 3,        /* what it counts to be asked for twice in turn */
  SND_WINDOW_PRICES = 4,         /* at most as often as it takes to pay for so many windows */
  SND_WINDOW_FEW = 4,            /* looks for one that finds a window: more are in vain */
  SND_WINDOW_REST = 8,           /* iterations that do not look then, for each that has looked */
  SND_WINDOW_LOOKS = 4           /* windows that are looked at for one to give away */
};

/* ---- what comes later ---- */

enum {
  SND_AHEAD = 8,                 /* iterations: what one reads is asked for before so many others */
  SND_AHEAD_LINES = 4,           /* of a cell, at most */
  SND_LINE = 64                  /* bytes: a smaller line is not asked for in all of a cell */
};

/* The memory of a cell is asked for, which may begin within a line. */
SND_INLINE void snd_prefetch(sn_addr cell, uint64_t bytes)
{
  for (uint64_t at = 0; at < bytes && at < SND_AHEAD_LINES * SND_LINE; at += SND_LINE)
    SND_WILL_READ(cell + at);
  SND_WILL_READ(cell + bytes - 1);
}

#define SND_PREFETCH(cell) snd_prefetch((sn_addr)(uintptr_t)(cell), sizeof *(cell))

/* ---- a window's cells ---- */

SND_COLD void snd_window_copy(const snd_windows *windows, const snd_window *window)
{
  const snd_window_shape *shape = windows->shape;
  const uint32_t parts = snd_window_parts(shape);
  int64_t origin[SN_MAX_AXES], at[SN_MAX_AXES];
  snd_piece part;

  snd_window_origin(shape, window->key, origin);
  for (uint32_t p = 0; p < parts; p++)
    if (snd_window_part(shape, origin, p, &part, at))
      snd_window_go_over(windows, &part, snd_window_cell(windows, at), window->cells);
}

/* Notes which parts boxes have touched; whether there was one since the last look. */
SND_INLINE int snd_window_look(snd_window *window)
{
  int was_asked = 0;

  for (uint32_t p = 0; p < SND_WINDOW_PARTS; p++) {
    window->parts |= (uint32_t)window->touched[p] << p;
    was_asked |= window->touched[p];
    window->touched[p] = 0;
  }
  return was_asked;
}

/* A box that reaches into the halo on some axes lies in that part, and in all that do so on fewer
 * of these axes: no box gets here that reaches beyond its block and is not added to at all of its
 * corners (gen/passes/window_check.c). */
SND_INLINE int snd_window_is_touched(const snd_window *window, uint32_t part)
{
  for (uint32_t p = part; p < SND_WINDOW_PARTS; p++)
    if ((p & part) == part && (window->parts >> p & 1)) return 1;
  return 0;
}

SND_COLD void snd_window_give_back(const snd_windows *windows, snd_window *window)
{
  const snd_window_shape *shape = windows->shape;
  const uint32_t parts = shape->is_added_to ? snd_window_parts(shape) : 0;
  int64_t origin[SN_MAX_AXES], at[SN_MAX_AXES];
  snd_piece part;

  (void)snd_window_look(window);
  snd_window_origin(shape, window->key, origin);
  for (uint32_t p = 0; p < parts; p++) {
    snd_cell cell = snd_no_cell();
    if (snd_window_is_touched(window, p) && snd_window_part(shape, origin, p, &part, at))
      cell = snd_window_active_cell(windows, at);
    if (cell.base != 0) snd_window_go_over(windows, &part, cell, window->cells);
  }
}

/* ---- which blocks have a window ---- */

/* The first of the entries in which a block may stand. */
SND_INLINE uint32_t snd_window_hash(int64_t key)
{
  return (uint32_t)((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SND_WINDOW_BITS));
}

SND_INLINE snd_window *snd_window_probe(snd_windows *windows, int64_t key, int probe)
{
  return &windows->entry[(snd_window_hash(key) + (uint32_t)probe) & (SND_WINDOW_ENTRIES - 1)];
}

/* A window goes to another block, which so many iterations have found.  If they were too few to pay
 * for it, the next block is asked for more often before it gets one, else less often. */
SND_INLINE void snd_window_learn(snd_windows *windows, int64_t found)
{
  const int64_t most = windows->price * SND_WINDOW_PRICES;

  windows->found_gone += found;
  if (windows->shape->is_at_once) return;
  if (found < windows->price) windows->worth = snd_min_i64(windows->worth * 2, most);
  else windows->worth = snd_max_i64(windows->worth / 2, SND_WINDOW_WORTH);
}

/* The cells of a window that no block has, or that its block has not asked for since the last
 * look; NULL: there is none. */
SND_INLINE void *snd_window_take(snd_windows *windows, snd_window *to)
{
  if (windows->taken < windows->count) {
    windows->owner[windows->taken] = to;
    return windows->cells + windows->bytes * windows->taken++;
  }
  for (int look = 1; look <= SND_WINDOW_LOOKS; look++) {
    snd_window **owner = &windows->owner[windows->next], *from = *owner;
    windows->next = windows->next + 1 < windows->count ? windows->next + 1 : 0;
    if (!snd_window_look(from) || (windows->shape->is_at_once && look == SND_WINDOW_LOOKS)) {
      void *cells = from->cells;
      snd_window_give_back(windows, from);
      snd_window_learn(windows, from->found);
      from->key = -1;
      from->cells = NULL;
      *owner = to;
      return cells;
    }
  }
  return NULL;
}

/* Gives the block a window, where it has been asked for often enough. */
SND_INLINE void snd_window_ask(snd_windows *windows, snd_window *window)
{
  window->asked += windows->last == window->key ? SND_WINDOW_IN_TURN : 1;
  windows->last = window->key;
  if (window->asked < windows->worth) return;
  window->cells = snd_window_take(windows, window);
  window->parts = 0;
  window->found = 0;
  if (window->cells == NULL) window->asked = windows->worth / 2;
  else if (windows->shape->is_added_to) snd_window_clear(windows, window->cells);
  else snd_window_copy(windows, window);
}

/* Where the block stands, or from now on stands; NULL: all places are taken by blocks that have
 * windows.  Of the others the one that was asked for least makes room. */
SND_INLINE snd_window *snd_window_entry(snd_windows *windows, int64_t key)
{
  snd_window *least = NULL;

  for (int k = 0; k < SND_WINDOW_PROBES; k++) {
    snd_window *window = snd_window_probe(windows, key, k);
    if (window->key == key) return window;
    if (window->cells == NULL && (least == NULL || window->asked < least->asked)) least = window;
  }
  if (least != NULL) {
    least->key = key;
    least->asked = 0;
  }
  return least;
}

/* Iterations that have found a window so far. */
SND_INLINE int64_t snd_window_found(const snd_windows *windows)
{
  int64_t found = windows->found_gone;

  for (int32_t k = 0; k < windows->taken; k++) found += windows->owner[k]->found;
  return found;
}

/* Notes that an iteration has looked beyond its block's first entry.  When as many have as it takes
 * to give all windows away, and few iterations have found one meanwhile, they go to more blocks
 * than there are windows for. */
SND_INLINE void snd_window_note_look(snd_windows *windows)
{
  const int64_t looks = ++windows->looks;
  int64_t found;

  if (looks < windows->count * windows->worth || windows->shape->is_at_once) return;
  found = snd_window_found(windows);
  if ((found - windows->found_before) * SND_WINDOW_FEW < looks)
    windows->rest = looks * SND_WINDOW_REST;
  windows->found_before = found;
  windows->looks = 0;
}

/* Of a block that does not stand in its first entry with a window. */
SND_COLD void *snd_window_find(snd_windows *windows, int64_t key, int part)
{
  snd_window *window = NULL;

  if (windows->rest > 0) {
    windows->rest--;
    return NULL;
  }
  if (windows->count > 0) window = snd_window_entry(windows, key);
  if (window != NULL && window->cells == NULL) snd_window_ask(windows, window);
  snd_window_note_look(windows);
  if (window == NULL || window->cells == NULL) return NULL;
  window->touched[part] = 1;
  window->found++;
  return window->cells;
}

/* ---- what generated code calls ---- */

/* The cells of the block's window, for a box that reaches into `part`; NULL: it has none. */
SND_INLINE void *snd_window_at(snd_windows *windows, int64_t key, int part)
{
  snd_window *window = snd_window_probe(windows, key, 0);

  if (SND_UNLIKELY(window->key != key || window->cells == NULL))
    return snd_window_find(windows, key, part);
  window->touched[part] = 1;
  window->found++;
  return window->cells;
}

/* The same for the iterations of a gang, one after the other, which are to lie in one block; NULL
 * also for one that does not. */
SND_INLINE void *snd_window_of_gang(snd_windows *windows, int32_t lane, int64_t key, int part)
{
  if (lane == 0) windows->gang = key;
  return key == windows->gang ? snd_window_at(windows, key, part) : NULL;
}

/* Memory of a thread for windows: so many elements; next to none where what generated code does
 * with windows is not compiled. */
#if SND_ROWS
# define SND_WINDOW_CELLS(C, name, elements) \
    __attribute__((aligned(64))) C name[elements]
#else
# define SND_WINDOW_CELLS(C, name, elements) C name[1]
#endif

/* How many iterations are to find a window for it to be worth what it costs: it is filled from, or
 * added to, as many cells as the boxes of so many have, which lie anywhere in memory. */
SND_INLINE int64_t snd_window_price(const snd_window_shape *shape)
{
  int64_t cells = 1, box = 1;

  for (int32_t k = 0; k < shape->axes; k++) {
    cells *= shape->extent[k];
    box *= shape->extent[k] - shape->block[k] + 1;
  }
  return SND_WINDOW_WORTH + cells / box;
}

/* cells: for the windows of a thread.  There is none where iterations are to run in their order. */
SND_INLINE void
snd_windows_begin(snd_windows *windows, const snd_thread *thread, const snd_window_shape *shape,
                  void *cells, size_t bytes)
{
  const SND_GLB snd_tree_view *view = SND_VIEW(thread, shape->slot);
  const int is_wide = shape->type == SN_TYPE_I64 || shape->type == SN_TYPE_U64 ||
                      shape->type == SN_TYPE_F64;

  windows->shape = shape;
  windows->launch = thread->launch;
  windows->way = snd_way_to(view, shape->snode);
  windows->box = snd_window_box(shape, view);
  windows->width = is_wide ? 8 : 4;
  windows->together = snd_window_together(shape, view, windows->width);
  windows->cells = cells;
  windows->bytes = shape->lanes * windows->width;
  for (int32_t k = 0; k < shape->axes; k++) windows->bytes *= shape->extent[k];
  windows->count = thread->is_ordered ? 0 : (int32_t)((int64_t)bytes / windows->bytes);
  windows->taken = windows->next = 0;
  windows->price = snd_window_price(shape);
  windows->worth = shape->is_at_once ? 0 : SND_WINDOW_WORTH;
  windows->looks = windows->rest = windows->found_gone = windows->found_before = 0;
  windows->is_alone = thread->threads == 1;
  windows->last = -1;
  for (int k = 0; k < SND_WINDOW_ENTRIES; k++)
    windows->entry[k] = (snd_window){ .key = -1 };
}

/* What was added goes to the tree. */
SND_INLINE void snd_windows_end(snd_windows *windows)
{
  for (int32_t k = 0; k < windows->taken; k++)
    snd_window_give_back(windows, windows->owner[k]);
}

#endif
