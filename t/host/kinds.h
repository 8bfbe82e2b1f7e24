/* A module with every kind of SNode, by hand as module.h is.
 *
 *   tree zoo(n) {
 *     bitmasked spot[i: n, j: 5] {
 *       place m = 2.5;
 *       pointer deep[k: 4] { place d = -1.0; }
 *       dynamic trail[l: 1000] chunk 16 { place t = 9; }
 *     }
 *     pointer tile[i: 6, j: 4] {
 *       bitmasked cell[i: 3, j: 5] { place c (j, i) = 1.5 offset (-10, 4); }
 *       bitmasked alive[k: 70];
 *       dynamic list[l: 1 << 22] { place x = 0.5, y; }
 *     }
 *     hash far[i, j] {
 *       dense node[i: 4, j: 4] { place f = 3.0 offset (100, 0); }
 *       pointer sub[k: 2] { place s; }
 *     }
 *     dynamic log[q: 40] { place g = 4; }
 *   }
 */
#ifndef SNODE_TEST_KINDS_H
#define SNODE_TEST_KINDS_H

#include "t/host/task.h"

enum { ZOO_ROOT, ZOO_SPOT, ZOO_DEEP, ZOO_TRAIL, ZOO_TILE, ZOO_CELL, ZOO_ALIVE, ZOO_LIST, ZOO_FAR,
       ZOO_NODE, ZOO_SUB, ZOO_LOG, ZOO_SNODES };
enum { ZOO_M, ZOO_D, ZOO_T, ZOO_C, ZOO_X, ZOO_Y, ZOO_F, ZOO_S, ZOO_G, ZOO_FIELDS };

typedef struct zoo_deep { double d; uint32_t id; } zoo_deep;
typedef struct zoo_trail { int32_t t; } zoo_trail;
typedef struct zoo_spot { float m; uint64_t deep[4]; uint64_t trail; } zoo_spot;
typedef struct zoo_cell { float c; } zoo_cell;
typedef struct zoo_cells { zoo_cell cell[15]; uint64_t mask[1], out[1]; } zoo_cells;
typedef struct zoo_alives { uint64_t mask[2], out[2]; } zoo_alives;
typedef struct zoo_list { float x; int32_t y; } zoo_list;
typedef struct zoo_tile { zoo_cells cells; zoo_alives alive; uint64_t list; uint32_t id; } zoo_tile;
typedef struct zoo_node { double f; } zoo_node;
typedef struct zoo_sub { int64_t s; uint32_t id; } zoo_sub;
typedef struct zoo_far { zoo_node node[16]; uint64_t sub[2]; uint32_t id; } zoo_far;
typedef struct zoo_log { uint8_t g; } zoo_log;

static int64_t zoo_spot_extent_i(const int64_t *params) { return params[0]; }

static const snd_axis_info zoo_spot_axes[] = { { 0, 0, zoo_spot_extent_i }, { 1, 5, NULL } };
static const snd_axis_info zoo_deep_axes[] = { { 2, 4, NULL } };
static const snd_axis_info zoo_trail_axes[] = { { 3, 1000, NULL } };
static const snd_axis_info zoo_tile_axes[] = { { 0, 6, NULL }, { 1, 4, NULL } };
static const snd_axis_info zoo_cell_axes[] = { { 0, 3, NULL }, { 1, 5, NULL } };
static const snd_axis_info zoo_alive_axes[] = { { 2, 70, NULL } };
static const snd_axis_info zoo_list_axes[] = { { 3, 1 << 22, NULL } };
static const snd_axis_info zoo_far_axes[] = { { 0, 1, NULL }, { 1, 1, NULL } };
static const snd_axis_info zoo_node_axes[] = { { 0, 4, NULL }, { 1, 4, NULL } };
static const snd_axis_info zoo_sub_axes[] = { { 2, 2, NULL } };
static const snd_axis_info zoo_log_axes[] = { { 8, 40, NULL } };

static const snd_snode_info zoo_snodes[] = {
  { "root", "S0root", SND_SNODE_ROOT, -1, 0, 0, 0, 0, 0, NULL, 0, 0, 0 },
  { "spot", "S1bitmasked", SND_SNODE_BITMASKED, ZOO_ROOT, 0, sizeof(zoo_spot), 0, 0, 2,
    zoo_spot_axes, 0, 0, 0 },
  { "deep", "S2pointer", SND_SNODE_POINTER, ZOO_SPOT, 0, sizeof(zoo_deep), offsetof(zoo_spot, deep),
    offsetof(zoo_deep, id), 1, zoo_deep_axes, 0, 0, 0 },
  { "trail", "S3dynamic", SND_SNODE_DYNAMIC, ZOO_SPOT, 0, sizeof(zoo_trail),
    offsetof(zoo_spot, trail), 0, 1, zoo_trail_axes, 16, 0, 0 },
  { "tile", "S4pointer", SND_SNODE_POINTER, ZOO_ROOT, 0, sizeof(zoo_tile), 0,
    offsetof(zoo_tile, id), 2, zoo_tile_axes, 0, 0, 0 },
  { "cell", "S5bitmasked", SND_SNODE_BITMASKED, ZOO_TILE, 0, sizeof(zoo_cell),
    offsetof(zoo_tile, cells), 0, 2, zoo_cell_axes, 0, 0, 0 },
  { "alive", "S6bitmasked", SND_SNODE_BITMASKED, ZOO_TILE, 0, 0, offsetof(zoo_tile, alive), 0, 1,
    zoo_alive_axes, 0, 0, 0 },
  { "list", "S7dynamic", SND_SNODE_DYNAMIC, ZOO_TILE, 0, sizeof(zoo_list),
    offsetof(zoo_tile, list), 0, 1, zoo_list_axes, 0, 0, 0 },
  { "far", "S8hash", SND_SNODE_HASH, ZOO_ROOT, 0, sizeof(zoo_far), 0, offsetof(zoo_far, id), 2,
    zoo_far_axes, 0, 0, 0 },
  { "node", "S9dense", SND_SNODE_DENSE, ZOO_FAR, 0, sizeof(zoo_node), offsetof(zoo_far, node), 0, 2,
    zoo_node_axes, 0, 0, 0 },
  { "sub", "S10pointer", SND_SNODE_POINTER, ZOO_FAR, 0, sizeof(zoo_sub), offsetof(zoo_far, sub),
    offsetof(zoo_sub, id), 1, zoo_sub_axes, 0, 0, 0 },
  { "log", "S11dynamic", SND_SNODE_DYNAMIC, ZOO_ROOT, 0, sizeof(zoo_log), 0, 0, 1,
    zoo_log_axes, 0, 0, 0 },
};

static const snd_field_info zoo_fields[] = {
  { "m", SN_TYPE_F32, ZOO_SPOT, offsetof(zoo_spot, m), 0, 0x40200000, 2, { 0, 1 }, { 0 } },
  { "d", SN_TYPE_F64, ZOO_DEEP, offsetof(zoo_deep, d), 0, UINT64_C(0xbff0000000000000), 3,
    { 0, 1, 2 }, { 0 } },
  { "t", SN_TYPE_I32, ZOO_TRAIL, offsetof(zoo_trail, t), 0, 9, 3, { 0, 1, 3 }, { 0 } },
  { "c", SN_TYPE_F32, ZOO_CELL, offsetof(zoo_cell, c), 0, 0x3fc00000, 2, { 1, 0 }, { -10, 4 } },
  { "x", SN_TYPE_F32, ZOO_LIST, offsetof(zoo_list, x), 0, 0x3f000000, 3, { 0, 1, 3 }, { 0 } },
  { "y", SN_TYPE_I32, ZOO_LIST, offsetof(zoo_list, y), 0, 0, 3, { 0, 1, 3 }, { 0 } },
  { "f", SN_TYPE_F64, ZOO_NODE, offsetof(zoo_node, f), 0, UINT64_C(0x4008000000000000), 2, { 0, 1 },
    { 100, 0 } },
  { "s", SN_TYPE_I64, ZOO_SUB, offsetof(zoo_sub, s), 0, 0, 3, { 0, 1, 2 }, { 0 } },
  { "g", SN_TYPE_U8, ZOO_LOG, offsetof(zoo_log, g), 0, 4, 1, { 8 }, { 0 } },
};

static const char *const zoo_params[] = { "n" };

static const sn_tree_info zoo_info = {
  "zoo", "kinds_zoo", 3, 0, ZOO_SNODES, ZOO_FIELDS, 1, 0, zoo_snodes, zoo_fields, zoo_params
};

/* tree book { hash word[i] { place w = -1; } } */
enum { BOOK_ROOT, BOOK_WORD };

typedef struct book_word { int32_t w; uint32_t id; } book_word;

static const snd_axis_info book_word_axes[] = { { 0, 1, NULL } };
static const snd_snode_info book_snodes[] = {
  { "root", "S0root", SND_SNODE_ROOT, -1, 0, 0, 0, 0, 0, NULL, 0, 0, 0 },
  { "word", "S1hash", SND_SNODE_HASH, BOOK_ROOT, 0, sizeof(book_word), 0, offsetof(book_word, id),
    1, book_word_axes, 0, 0, 0 },
};
static const snd_field_info book_fields[] = {
  { "w", SN_TYPE_I32, BOOK_WORD, offsetof(book_word, w), 0, 0xffffffff, 1, { 0 }, { 0 } },
};
static const sn_tree_info book_info = {
  "book", "kinds_book", 4, 0, 2, 1, 0, 0, book_snodes, book_fields, NULL
};

static const sn_tree_info *const kinds_trees[] = { &zoo_info, &book_info };

/* ---- kernels: one task each, run by one thread ---- */

typedef struct zoo_of { int64_t i, j, n; } zoo_of;
typedef struct zoo_vars { int64_t result; } zoo_vars;

SND_INLINE void zoo_give(SND_GLB snd_launch *launch, int64_t result)
{
  SND_POINTER(zoo_vars, (sn_addr)(uintptr_t)launch->vars)->result = result;
}

/* for n: append(log) */
SND_INLINE void
grow_log_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const zoo_of *of)
{
  snd_dynamic_hint hint = SND_NO_HINT;
  int64_t last = -1;

  for (int64_t k = 0; k < of->n && !snd_stopped(launch); k++)
    last = snd_dynamic_append(view, ZOO_LOG, launch, 0, view->snode[ZOO_LOG].container, 0, &hint);
  zoo_give(launch, last);
}
TASK(grow_log, zoo_of)

/* for n: append(log); deactivate(log) */
SND_INLINE void
spend_log_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const zoo_of *of)
{
  const sn_addr log = view->snode[ZOO_LOG].container;
  int64_t last = -1;

  for (int64_t k = 0; k < of->n && !snd_stopped(launch); k++) {
    snd_dynamic_hint hint = SND_NO_HINT;
    last = snd_dynamic_append(view, ZOO_LOG, launch, 0, log, 0, &hint);
    snd_dynamic_deactivate(view, ZOO_LOG, log, 0);
  }
  zoo_give(launch, last);
}
TASK(spend_log, zoo_of)

/* for n: append(list, i, j) */
SND_INLINE void
grow_list_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const zoo_of *of)
{
  const int64_t at[] = { of->i, of->j };
  const snd_index index =
    snd_index_of_container(&view->snode[ZOO_LIST], SND_CONST_POINTER(int64_t, at));
  const sn_addr list = snd_walk_container(view, ZOO_LIST, &index, SND_ACTIVATE, launch, 0);
  snd_dynamic_hint hint = SND_NO_HINT;
  int64_t last = -1;

  for (int64_t k = 0; k < of->n && list != 0 && !snd_stopped(launch); k++)
    last = snd_dynamic_append(view, ZOO_LIST, launch, 0, list, 0, &hint);
  zoo_give(launch, last);
}
TASK(grow_list, zoo_of)

/* deactivates spot (i, j), tile (i, j), then asserts n > 0 */
SND_INLINE void
empty_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const zoo_of *of)
{
  const int64_t at[] = { of->i, of->j };
  const snd_index spot =
    snd_index_of_snode(&view->snode[ZOO_SPOT], SND_CONST_POINTER(int64_t, at));
  const snd_index tile =
    snd_index_of_snode(&view->snode[ZOO_TILE], SND_CONST_POINTER(int64_t, at));

  snd_walk_deactivate(view, ZOO_SPOT, &spot);
  snd_walk_deactivate(view, ZOO_TILE, &tile);
  if (of->n <= 0) snd_trap_assert(launch, 1);
}
TASK(empty, zoo_of)

/* how many things of the layout are not as they should be */
SND_INLINE void
shape_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const zoo_of *of)
{
  const SND_GLB snd_snode_view *s = view->snode;
  const SND_GLB snd_snode_view *pool = s + s[ZOO_LIST].pool;
  int64_t bad = 0;

  (void)of;
  bad += s[ZOO_SPOT].mask_words != 1 || s[ZOO_SPOT].mask_offset != 10 * sizeof(zoo_spot);
  bad += s[ZOO_CELL].mask_offset != offsetof(zoo_cells, mask) || s[ZOO_CELL].mask_words != 1;
  bad += s[ZOO_ALIVE].mask_offset != 0 || s[ZOO_ALIVE].mask_words != 2;
  bad += s[ZOO_DEEP].holder != -1 || s[ZOO_CELL].holder != ZOO_TILE;
  bad += s[ZOO_LIST].holder != ZOO_TILE;
  bad += s[ZOO_NODE].holder != ZOO_FAR || s[ZOO_SUB].holder != ZOO_FAR;
  bad += s[ZOO_FAR].open_axes != 3 || s[ZOO_NODE].open_axes != 3 || s[ZOO_TILE].open_axes != 0;
  bad += s[ZOO_NODE].total[0] != 4 || s[ZOO_SUB].total[2] != 2 || s[ZOO_FAR].cells != 0;
  /* chunk 16: heads of 16, 62 tail chunks */
  bad += s[ZOO_TRAIL].log2_first != 4 || s[ZOO_TRAIL].heads != 1 || s[ZOO_TRAIL].log2_tail != 4;
  bad += s[ZOO_TRAIL].tail_slots != 62 || s[ZOO_TRAIL].pool_count != 3;
  /* growing: 256 bytes of 8, up to 1 MiB, then tails of that */
  bad += s[ZOO_LIST].log2_first != 5 || s[ZOO_LIST].heads != 14 || s[ZOO_LIST].log2_tail != 17;
  bad += s[ZOO_LIST].tail_slots != 30 || s[ZOO_LIST].pool_count != 16;
  bad += s[ZOO_LIST].entry_words != 6 || s[ZOO_LOG].entry_words != 4;
  bad += s[ZOO_LOG].log2_first != 6 || s[ZOO_LOG].heads != 1 || s[ZOO_LOG].pool_count != 1;
  for (int32_t k = 0; k < s[ZOO_LIST].pool_count; k++) {
    bad += pool[k].kind != SND_SNODE_POOL || pool[k].id != s[ZOO_LIST].pool + k;
    bad += pool[k].id_offset + 4 > pool[k].cell_bytes;
  }
  bad += s[ZOO_FAR].pool_count != 1 || s[s[ZOO_FAR].pool].id_offset != 32;
  bad += view->pool_count != 3 + 16 + 1 + 1;
  bad += snd_field(view, ZOO_C)->origin[0] != -10 || snd_field(view, ZOO_C)->origin[1] != 4;
  zoo_give(launch, bad);
}
TASK(shape, zoo_of)

static const snd_task grow_log_tasks[] = {
  { "serial", grow_log_host, SND_TARGET(grow_log_target), SND_TASK_ACTIVATES, 1 } };
static const snd_task grow_list_tasks[] = {
  { "serial", grow_list_host, SND_TARGET(grow_list_target), SND_TASK_ACTIVATES, 2 } };
static const snd_task spend_log_tasks[] = {
  { "serial", spend_log_host, SND_TARGET(spend_log_target),
    SND_TASK_ACTIVATES | SND_TASK_DEACTIVATES, 5 } };
static const snd_task empty_tasks[] = {
  { "serial", empty_host, SND_TARGET(empty_target), SND_TASK_DEACTIVATES, 3 } };
static const snd_task shape_tasks[] = {
  { "serial", shape_host, SND_TARGET(shape_target), 0, 4 } };

/* The parameters of the task, and what the steps do: gc: what the kernel takes out; 0: nothing */
typedef struct zoo_call_params {
  zoo_of task;
  int gc;
} zoo_call_params;

static void zoo_steps(sn_call *call)
{
  const zoo_call_params *p = sn_call_params(call);

  sn_call_task(call, 0);
  if (p->gc) {
    sn_call_gc(call, 0, ZOO_SPOT);
    sn_call_gc(call, 0, ZOO_TILE);
    sn_call_gc(call, 0, ZOO_LOG);
  }
}

static const sn_module kinds;

#define ZOO_KERNEL(kernel) \
  { .name = #kernel, .c_name = "kinds_" #kernel, .module = &kinds, .steps = zoo_steps, \
    .slot_count = 1, .slots = kinds_trees, .task_count = 1, .tasks = kernel##_tasks, \
    .vars_bytes = sizeof(zoo_vars), .result = SN_TYPE_I64, .result_count = 1 }
static const sn_kernel_info kinds_grow_log = ZOO_KERNEL(grow_log);
static const sn_kernel_info kinds_grow_list = ZOO_KERNEL(grow_list);
static const sn_kernel_info kinds_spend_log = ZOO_KERNEL(spend_log);
static const sn_kernel_info kinds_empty = ZOO_KERNEL(empty);
static const sn_kernel_info kinds_shape = ZOO_KERNEL(shape);

static const sn_kernel_info *const kinds_kernels[] = {
  &kinds_grow_log, &kinds_grow_list, &kinds_empty, &kinds_shape, &kinds_spend_log };
static const snd_site kinds_sites[] = {
  { SND_SITE_APPEND, 31, 3, "log", NULL, NULL, NULL },
  { SND_SITE_ASSERT, 32, 3, NULL, "n > 0", NULL, NULL },
};

static const sn_module kinds = {
  SNODE_ABI, sizeof(sn_module), "kinds", "kinds.sn", "by hand", &snd_backend, 2, 5, 2, 0,
  kinds_trees, kinds_kernels, kinds_sites
};

SND_INLINE int
zoo_call(const sn_kernel_info *kernel, sn_tree *zoo, int64_t i, int64_t j, int64_t n, int gc,
         int64_t *result)
{
  zoo_call_params params = { { i, j, n }, gc };

  return sn_kernel_call(kernel, NULL, SN_TREES(zoo), &params, result);
}

SND_INLINE int new_zoo(sn_context *context, int64_t n, const sn_tree_options *options,
                       sn_tree **out)
{
  return sn_tree_create(context, &kinds, &zoo_info, &n, options, out);
}

#endif
