/* What snodegen should write for heat.sn, by hand: the form, not the letter.
 * Shown: two of the three kernels.  Sections in this order. */
#include "heat.h"
#include <snode/device/runtime.h>     /* all device headers: atomics, pointer, loops, trap ... */

/* ---- tree grid ---- */

enum { GRID_ROOT, GRID_TILE, GRID_NODE, GRID_MARK };     /* ids of its SNodes */
enum { GRID_U, GRID_V, GRID_FLAG };                      /* and of its fields */

typedef struct grid_node {          /* a cell of node */
  float u, v;
} grid_node;

typedef struct grid_tile {          /* a cell of tile */
  grid_node node[64];               /* 8 x 8 */
  uint32_t id;                      /* sn_ where it could collide: see names */
} grid_tile;

typedef struct grid_mark {          /* a cell of mark */
  int32_t flag;
} grid_mark;

/* The cell of tile at position l: its defaults where it is inactive. */
SND_INLINE const SND_GLB grid_tile *
grid_tile_read(const SND_GLB sn_tree_view *grid, int64_t l)
{
  return SND_CELL(grid_tile, snd_pointer_read(&grid->snode[GRID_TILE],
                                              grid->snode[GRID_TILE].container, l));
}
/* ... _peek: null where inactive; _activate: made active, null when memory is out:
 * snd_pointer_activate(grid, GRID_TILE, launch, slot, container, l) */

static const sn_axis_info grid_tile_axes[] = { { 0, 0, grid_tile_extent_i }, { 1, 16, NULL } };
/* sn_snode_info grid_snodes[], sn_field_info grid_fields[], sn_tree_info grid_info ... with sizeof and offsetof */

/* ---- functions ---- */

SND_INLINE float flux(float a, float b)
{
  return 0.1f * (b - a);
}

/* ---- kernel step (heat.sn:17) ---- */

typedef struct step_params {
  float dt;
} step_params;

SND_INLINE void
step_body_0(const SND_GLB sn_tree_view *grid, SND_GLB sn_launch *launch, float dt,
            SND_GLB grid_node *cell, int32_t i, int32_t j)
{
  if (i > 0) {
    if (!snd_inside(i - 1, ...)) { snd_trap_bounds(launch, SITE, slot, snode, 2, i - 1, j); return; }
    const SND_GLB grid_tile *tile = grid_tile_read(grid, ((i - 1) >> 3) * 16 + (j >> 3));
    cell->v = cell->u + dt * flux(cell->u, tile->node[((i - 1) & 7) * 8 + (j & 7)].u);
  }
}

static int step_task_0_host(const sn_args *args)
{
  const sn_tree_view *grid = SND_HOST_VIEW(args, 0);
  sn_launch *launch = SND_HOST_LAUNCH(args);
  const float dt = ((const step_params *)args->params)->dt;
  const snd_blocks blocks = snd_blocks_of(grid, GRID_NODE);  /* entries x blocks of at most SND_BLOCK_CELLS cells */

  launch->next_block = 0;
  SND_HOST_PARALLEL(args, blocks.count)                      /* omp parallel num_threads(..) */
  {
    snd_block block;
    while (snd_next_block(launch, &blocks, &block)) {        /* chunk counter; fills container, first, last, origin[] */
      grid_node *container = SND_POINTER(grid_node, block.container);
      /* rows of the last axis, odometer over the others */
      int32_t i = ..., j = ...;
      for (int64_t c = block.first; c < block.last; ) { ... step_body_0(grid, launch, dt, &container[c], i, j); ... }
    }
  }
  return SN_OK;
}

#ifdef SN_OFFLOAD
static int step_task_0_target(const sn_args *args)
{
  void *view_0 = SND_DEVICE_POINTER(args->views[0]);         /* plain pointers are captured, qualified inside */
  void *record = SND_DEVICE_POINTER(args->launch);
  const float dt = ((const step_params *)args->params)->dt;

  SND_TARGET_TEAMS(args, is_device_ptr(view_0, record) firstprivate(dt))
  SND_TARGET_PARALLEL
  {
    const SND_GLB sn_tree_view *grid = (const SND_GLB sn_tree_view *)view_0;
    SND_GLB sn_launch *launch = (SND_GLB sn_launch *)record;
    const snd_blocks blocks = snd_blocks_of(grid, GRID_NODE);
    for (int64_t b = snd_team(); b < blocks.count; b += snd_teams()) {
      snd_block block; snd_block_at(&blocks, b, &block);
      for (int64_t c = block.first + snd_thread(); c < block.last; c += snd_threads()) { coordinates by div and mod; step_body_0(...); }
    }
  }
  return snd_target_status();
}
#endif

static const sn_task step_tasks[] = {
  { "struct_for(S2dense)", step_task_0_host, SND_TARGET(step_task_0_target), SN_TASK_PARALLEL, 18 },
};

int heat_step(heat_grid *grid, float dt)
{
  sn_tree *const trees[] = { (sn_tree *)grid };
  step_params params = { dt };
  sn_call *call;

  SN_TRY(sn_call_begin(&heat_table, &step_info, NULL, trees, &params, NULL, &call));
  sn_call_list(call, 0, GRID_NODE);
  sn_call_task(call, 0);
  return sn_call_end(call, NULL);
}

/* ---- kernel mass: a kernel-level variable that is a reduction ---- */

typedef struct mass_vars {
  double sum;
  double result;
} mass_vars;

/* host: in the parallel region, before the blocks:   double sum = 0;
 * the body takes  double *sum  (SND_INLINE: stays in a register);
 * after the blocks: snd_reduce_add_f64(&vars->sum, sum): one atomic a thread (a warp on NVPTX). */

/* ---- names: everything in this file but the functions of heat.h is static; internal names come from the source; those that C reserves
 * (keywords, macros of the included headers) get a trailing underscore. ---- */
