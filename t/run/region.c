/* Kernels that are called in a parallel region of the program: which thread of it calls is nothing
 * to them.  Some of the contexts have one thread, whose tasks open no region of their own, the
 * others as many as there are.
 */
#include "region.h"
#include "run.h"

enum { CALLERS = 5, CELLS = 500, ROUNDS = 3 };

typedef struct outcome {
  int code;                      /* of the first call that failed */
  int64_t total, count, listed;
} outcome;

static int fill_and_thin(region_grid *grid, region_bins *bins, outcome *found)
{
  int64_t index[CELLS];
  int32_t value[CELLS];

  for (int round = 0; round < ROUNDS; round++) {
    SN_TRY(region_grid_deactivate_all(grid));
    SN_TRY(region_bins_deactivate_all(bins));
    SN_TRY(region_fill(grid, bins, CELLS));
    SN_TRY(region_thin(grid));
  }
  SN_TRY(region_total(grid, bins, &found->total));
  SN_TRY(region_leaf_count(grid, &found->count));
  return region_x_read_active(grid, index, value, CELLS, &found->listed);
}

static int in_trees(sn_context *ctx, region_grid **grid, region_bins **bins, outcome *found)
{
  SN_TRY(region_grid_create(ctx, NULL, grid));
  SN_TRY(region_bins_create(ctx, NULL, bins));
  return fill_and_thin(*grid, *bins, found);
}

static int create_context(int caller, sn_context **ctx)
{
  sn_config *config;
  int code;

  SN_TRY(sn_config_create(&config));
  code = sn_config_set(config, "threads", caller % 2 ? "1" : "0");
  if (code == SN_OK) code = sn_context_create(config, ctx);
  sn_config_destroy(config);
  return code;
}

/* Whatever a call comes to, nothing is left of it. */
static int in_context(int caller, outcome *found)
{
  sn_context *ctx;
  region_grid *grid = NULL;
  region_bins *bins = NULL;
  int code, end;

  SN_TRY(create_context(caller, &ctx));
  code = in_trees(ctx, &grid, &bins, found);
  region_grid_destroy(grid);
  region_bins_destroy(bins);
  end = sn_context_destroy(ctx);
  return code == SN_OK ? end : code;
}

int run_region(sn_context *ctx)
{
  outcome found[CALLERS] = { { 0 } }, alone = { 0 };
  const char *device = getenv("SNODE_DEVICE");
  const int callers = device && strncmp(device, "gpu", 3) == 0 ? 1 : CALLERS;

  (void)ctx;
#ifdef _OPENMP
# pragma omp parallel for num_threads(callers) schedule(static, 1)
#endif
  for (int c = 0; c < callers; c++) found[c].code = in_context(c, &found[c]);
  alone.code = in_context(0, &alone);
  if (alone.code != SN_OK) printf("alone: %s\n", sn_strerror(alone.code));
  for (int c = 0; c < callers; c++) {
    if (found[c].code != SN_OK) printf("caller %d: %s\n", c, sn_strerror(found[c].code));
    else if (found[c].total != alone.total || found[c].count != alone.count ||
             found[c].listed != alone.listed)
      printf("caller %d: %" PRId64 ", %" PRId64 " cells, %" PRId64 " listed\n", c, found[c].total,
             found[c].count, found[c].listed);
  }
  printf("%" PRId64 ", %" PRId64 " cells, %" PRId64 " listed\n", alone.total, alone.count,
         alone.listed);
  return 0;
}
