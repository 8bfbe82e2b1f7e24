#include "beside.h"
#include "run.h"

static int stored(sn_context *ctx, int (*store)(beside_grid *), const char *name)
{
  beside_grid *grid;
  int64_t count, index[2 * 288], n, sum = 0;
  int32_t value[288];

  CHECK(beside_grid_create(ctx, NULL, &grid));
  CHECK(beside_begin(grid));
  CHECK(beside_leaf_deactivate_all(grid));
  CHECK(store(grid));
  CHECK(beside_leaf_count(grid, &count));
  CHECK(beside_d_read_active(grid, index, value, 288, &n));
  for (int64_t k = 0; k < n; k++) sum += value[k] * (index[2 * k] + 3 * index[2 * k + 1]);
  printf("%s: %" PRId64 " active, %" PRId64 "\n", name, count, sum);
  beside_grid_destroy(grid);
  return 0;
}

int run_beside(sn_context *ctx)
{
  beside_grid *grid;
  int64_t sum, active;

  for (int32_t m = -5; m < 15; m++) {
    CHECK(beside_grid_create(ctx, NULL, &grid));
    CHECK(beside_begin(grid));
    CHECK(beside_read_row(grid, m, &sum));
    CHECK(beside_ask_row(grid, m < 0 || m > 11 ? 0 : m, &active));
    printf("row %" PRId32 ": %" PRId64 " %" PRId64 "\n", m, sum, active);
    beside_grid_destroy(grid);
  }
  return stored(ctx, beside_store_all, "all") || stored(ctx, beside_store_some, "some");
}
