/* A module as snodegen would write it, by hand and small: for tests of libsnode
 * that should not wait for a compiler.
 *
 *   tree grid(n) {
 *     place level = 3.5, on;
 *     pointer tile[i: n, j: 4] {
 *       dense node[i: 4, j: 8] { place u = 1.5, v (j, i); }
 *       pointer sub[k: 3] { place w = -2.0; }
 *     }
 *     dense mark[i: 10] { place flag = 7; }
 *   }
 */
#ifndef SNODE_TEST_MODULE_H
#define SNODE_TEST_MODULE_H

#include <snode/snode.h>
#include <snode/module.h>
#include <snode/device/runtime.h>

#include "t/host/task.h"

enum { GRID_ROOT, GRID_TILE, GRID_NODE, GRID_SUB, GRID_MARK };
enum { GRID_LEVEL, GRID_ON, GRID_U, GRID_V, GRID_W, GRID_FLAG };

typedef struct grid_root { float level; uint8_t on; } grid_root;
typedef struct grid_node { float u; int32_t v; } grid_node;
typedef struct grid_sub { double w; uint32_t id; } grid_sub;
typedef struct grid_tile { grid_node node[32]; uint64_t sub[3]; uint32_t id; } grid_tile;
typedef struct grid_mark { int64_t flag; } grid_mark;

static int64_t grid_tile_extent_i(const int64_t *params) { return params[0]; }

static const snd_axis_info grid_tile_axes[] = { { 0, 0, grid_tile_extent_i }, { 1, 4, NULL } };
static const snd_axis_info grid_node_axes[] = { { 0, 4, NULL }, { 1, 8, NULL } };
static const snd_axis_info grid_sub_axes[] = { { 2, 3, NULL } };
static const snd_axis_info grid_mark_axes[] = { { 0, 10, NULL } };

static const snd_snode_info grid_snodes[] = {
  { "root", "S0root", SND_SNODE_ROOT, -1, 0, sizeof(grid_root), 0, 0, 0, NULL, 0, 0, 0 },
  { "tile", "S1pointer", SND_SNODE_POINTER, 0, 0, sizeof(grid_tile), 0, offsetof(grid_tile, id), 2,
    grid_tile_axes, 0, 0, 0 },
  { "node", "S2dense", SND_SNODE_DENSE, 1, 0, sizeof(grid_node), offsetof(grid_tile, node), 0, 2,
    grid_node_axes, 0, 0, 0 },
  { "sub", "S3pointer", SND_SNODE_POINTER, 1, 0, sizeof(grid_sub), offsetof(grid_tile, sub),
    offsetof(grid_sub, id), 1, grid_sub_axes, 0, 0, 0 },
  { "mark", "S4dense", SND_SNODE_DENSE, 0, 0, sizeof(grid_mark), 0, 0, 1, grid_mark_axes, 0, 0, 0 },
};

static const snd_field_info grid_fields[] = {
  { "level", SN_TYPE_F32, GRID_ROOT, offsetof(grid_root, level), 0, 0x40600000, 0, { 0 }, { 0 } },
  { "on", SN_TYPE_BOOL, GRID_ROOT, offsetof(grid_root, on), 0, 0, 0, { 0 }, { 0 } },
  { "u", SN_TYPE_F32, GRID_NODE, offsetof(grid_node, u), 0, 0x3fc00000, 2, { 0, 1 }, { 0 } },
  { "v", SN_TYPE_I32, GRID_NODE, offsetof(grid_node, v), 0, 0, 2, { 1, 0 }, { 0 } },
  { "w", SN_TYPE_F64, GRID_SUB, offsetof(grid_sub, w), 0, UINT64_C(0xc000000000000000), 3,
    { 0, 1, 2 }, { 0 } },
  { "flag", SN_TYPE_I64, GRID_MARK, offsetof(grid_mark, flag), 0, 7, 1, { 0 }, { 0 } },
};

static const char *const grid_params[] = { "n" };

static const sn_tree_info grid_info = {
  "grid", "hand_grid", 1, sizeof(grid_root), 5, 6, 1, 0, grid_snodes, grid_fields, grid_params
};
/* Another type of the same shape: a foreign tree. */
static const sn_tree_info other_info = {
  "other", "hand_other", 2, sizeof(grid_root), 5, 6, 1, 0, grid_snodes, grid_fields, grid_params
};

/* ---- kernels: one task each, run by one thread ---- */

typedef struct touch_params { sn_addr at; int64_t at_n; float value; } touch_params;
typedef struct sum_vars { double sum; uint8_t flag; } sum_vars;

/* for k: u[at[k, 0], at[k, 1]] = value */
SND_INLINE void
touch_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch,
           const touch_params *params)
{
  const SND_GLB int64_t *at = SND_CONST_POINTER(int64_t, params->at);

  for (int64_t k = 0; k < params->at_n && !snd_stopped(launch); k++) {
    const int64_t i = at[2 * k], j = at[2 * k + 1];
    snd_index index = snd_index_of_field(snd_field(view, GRID_U), at + 2 * k);
    snd_cell cell;
    if (!snd_index_inside(&view->snode[GRID_NODE], &index)) {
      snd_trap_bounds(launch, 0, 0, GRID_NODE, 2, i, j);
      return;
    }
    cell = snd_walk_cell(view, GRID_NODE, &index, SND_ACTIVATE, launch, 0);
    if (cell.base != 0) SND_POINTER(grid_node, cell.base)[cell.l].u = params->value;
  }
}
TASK(touch, touch_params)

/* the sum of u over the active cells, and whether it is positive */
SND_INLINE void
sum_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const touch_params *params)
{
  SND_GLB sum_vars *vars = SND_POINTER(sum_vars, (sn_addr)(uintptr_t)launch->vars);
  const snd_blocks blocks = snd_blocks_of(view, GRID_NODE);
  double sum = 0;

  (void)params;
  for (int64_t b = 0; b < blocks.count; b++) {
    snd_block block = SND_NO_BLOCK;
    snd_block_at(&blocks, b, &block);
    for (int64_t c = block.first; c < block.last; c++)
      sum += (double)SND_POINTER(grid_node, block.container)[c].u;
  }
  vars->sum = sum;
  vars->flag = sum > 0;
}
TASK(sum, touch_params)

/* deactivates tile (at[0], at[1]) */
SND_INLINE void
drop_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch, const touch_params *params)
{
  const SND_GLB int64_t *at = SND_CONST_POINTER(int64_t, params->at);
  const snd_index index = snd_index_of_snode(&view->snode[GRID_TILE], at);

  (void)launch;
  snd_walk_deactivate(view, GRID_TILE, &index);
}
TASK(drop, touch_params)

/* prints, once and for each k, then asserts value > 0 */
SND_INLINE void
complain_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch,
              const touch_params *params)
{
  (void)view;
  snd_print(launch, 1, 3, snd_word_i(-5), snd_word_f((double)params->value), snd_word_u(1));
  for (int64_t k = 0; k < params->at_n; k++) snd_print(launch, 4, 1, snd_word_i(k));
  snd_print_text(launch, 2);
  if (!(params->value > 0)) snd_trap_assert(launch, 3);
}
TASK(complain, touch_params)

/* doubles the numbers of an inout array */
SND_INLINE void
twice_body(const SND_GLB snd_tree_view *view, SND_GLB snd_launch *launch,
           const touch_params *params)
{
  SND_GLB int64_t *at = SND_POINTER(int64_t, params->at);

  (void)view;
  (void)launch;
  for (int64_t k = 0; k < params->at_n; k++) at[k] *= 2;
}
TASK(twice, touch_params)

static const snd_task touch_tasks[] = {
  { "range_for", touch_host, SND_TARGET(touch_target), SND_TASK_ACTIVATES, 11 } };
static const snd_task sum_tasks[] = {
  { "struct_for(S2dense)", sum_host, SND_TARGET(sum_target), 0, 12 } };
static const snd_task drop_tasks[] = {
  { "serial", drop_host, SND_TARGET(drop_target), SND_TASK_DEACTIVATES, 13 } };
static const snd_task complain_tasks[] = {
  { "serial", complain_host, SND_TARGET(complain_target), 0, 14 } };
static const snd_task twice_tasks[] = {
  { "range_for", twice_host, SND_TARGET(twice_target), 0, 15 } };

static const sn_tree_info *const one_grid[] = { &grid_info, &grid_info };

/* ---- the kernels ---- */

/* The parameters of the task, and what the steps do. */
typedef struct hand_params {
  touch_params task;
  int64_t values;
  snd_array_mode mode;                   /* 0: no array */
  int list, gc;
} hand_params;

static void hand_steps(sn_call *call)
{
  hand_params *p = sn_call_params(call);

  if (p->mode)
    sn_call_array(call, &p->task.at, 1, &p->values, sizeof(int64_t), p->mode);
  if (p->list) sn_call_list(call, 0, GRID_NODE);
  sn_call_task(call, 0);
  if (p->gc) sn_call_gc(call, 0, GRID_TILE);
}

static const sn_module hand;

#define HAND_KERNEL(kernel, takes, its, ...) { \
  .name = #kernel, .c_name = "hand_" #kernel, .module = &hand, .steps = hand_steps, \
  .slot_count = takes, .slots = one_grid, .task_count = 1, .tasks = its, __VA_ARGS__ }
#define SUM_RESULT(type, of) \
  .vars_bytes = sizeof(sum_vars), .result = type, .result_offset = offsetof(sum_vars, of), \
  .result_count = 1

static const sn_kernel_info hand_touch = HAND_KERNEL(touch, 1, touch_tasks, .result = -1);
static const sn_kernel_info hand_sum =
  HAND_KERNEL(sum, 1, sum_tasks, SUM_RESULT(SN_TYPE_F64, sum));
static const sn_kernel_info hand_positive =
  HAND_KERNEL(positive, 1, sum_tasks, SUM_RESULT(SN_TYPE_BOOL, flag));
static const sn_kernel_info hand_drop = HAND_KERNEL(drop, 1, drop_tasks, .result = -1);
static const sn_kernel_info hand_two =
  HAND_KERNEL(two, 2, sum_tasks, .vars_bytes = sizeof(sum_vars), .result = -1);
static const sn_kernel_info hand_complain = HAND_KERNEL(complain, 1, complain_tasks, .result = -1);
static const sn_kernel_info hand_twice = HAND_KERNEL(twice, 1, twice_tasks, .result = -1);

static const snd_site hand_sites[] = {
  { SND_SITE_BOUNDS, 21, 5, "u", NULL, NULL, NULL },
  { SND_SITE_PRINT, 22, 3, NULL, "%3d|%6.2f|%d|%%", "ifb", NULL },
  { SND_SITE_PRINT, 23, 3, NULL, "done\n", "", NULL },
  { SND_SITE_ASSERT, 24, 3, NULL, "value > 0", NULL, NULL },
  { SND_SITE_PRINT, 25, 3, NULL, "%d\n", "i", NULL },
};

static const sn_tree_info *const hand_trees[] = { &grid_info, &other_info };
static const sn_kernel_info *const hand_kernels[] = {
  &hand_touch, &hand_sum, &hand_positive, &hand_drop, &hand_two, &hand_complain, &hand_twice };

static const sn_module hand = {
  SNODE_ABI, sizeof(sn_module), "hand", "hand.sn", "by hand", &snd_backend, 2, 7, 5, 0, hand_trees,
  hand_kernels, hand_sites
};

/* ---- the calls that a generated file would have ---- */

SND_INLINE int
hand_call(const sn_kernel_info *kernel, sn_tree *grid, const int64_t *at, int64_t n,
          snd_array_mode mode, float value, int list, int gc, void *result)
{
  hand_params params = { { SN_HOST_ARRAY(at), n, value }, n, mode, list, gc };

  return sn_kernel_call(kernel, NULL, SN_TREES(grid), &params, result);
}

/* cells: pairs (i, j) */
SND_INLINE int touch(sn_tree *grid, const int64_t *at, int64_t cells, float value)
{
  hand_params params = { { SN_HOST_ARRAY(at), cells, value }, 2 * cells, SND_ARRAY_IN, 0, 0 };

  return sn_kernel_call(&hand_touch, NULL, SN_TREES(grid), &params, NULL);
}

SND_INLINE int sum(sn_tree *grid, double *out)
{
  return hand_call(&hand_sum, grid, NULL, 0, 0, 0, 1, 0, out);
}

SND_INLINE int positive(sn_tree *grid, int *out)
{
  return hand_call(&hand_positive, grid, NULL, 0, 0, 0, 1, 0, out);
}

SND_INLINE int drop(sn_tree *grid, int64_t i, int64_t j)
{
  const int64_t at[] = { i, j };
  return hand_call(&hand_drop, grid, at, 2, SND_ARRAY_IN, 0, 0, 1, NULL);
}

SND_INLINE int complain(sn_tree *grid, float value)
{
  return hand_call(&hand_complain, grid, NULL, 0, 0, value, 0, 0, NULL);
}

/* lines + 2 prints */
SND_INLINE int chatter(sn_tree *grid, int64_t lines)
{
  return hand_call(&hand_complain, grid, NULL, lines, 0, 1, 0, 0, NULL);
}

SND_INLINE int twice(sn_tree *grid, int64_t *at, int64_t n)
{
  return hand_call(&hand_twice, grid, at, n, SND_ARRAY_INOUT, 0, 0, 0, NULL);
}

SND_INLINE int new_grid(sn_context *context, int64_t n, sn_tree **out)
{
  return sn_tree_create(context, &hand, &grid_info, &n, NULL, out);
}

#endif
