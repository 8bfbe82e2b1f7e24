#include "pulled.h"
#include "run.h"

int run_pulled(sn_context *ctx)
{
  pulled_points *points;
  pulled_grid *grid;
  int64_t before, after, wrong;
  double sum;

  CHECK(pulled_points_create(ctx, NULL, &points));
  CHECK(pulled_grid_create(ctx, NULL, &grid));
  CHECK(pulled_begin(points, grid, 300));
  CHECK(pulled_active(grid, &before));
  CHECK(pulled_gather(points, grid));
  CHECK(pulled_seed(points));
  CHECK(pulled_gather_grad(points, grid));
  CHECK(pulled_active(grid, &after));
  CHECK(pulled_differ(points, grid, &wrong));
  CHECK(pulled_sum_up(points, grid, &sum));
  printf("active cells %" PRId64 ", %" PRId64 "\n", before, after);
  printf("adjoints that differ %" PRId64 "\n", wrong);
  printf("sum %.4f\n", sum);
  pulled_grid_destroy(grid);
  pulled_points_destroy(points);
  return 0;
}
