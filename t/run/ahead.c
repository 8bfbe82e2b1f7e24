#include "ahead.h"
#include "run.h"

int run_ahead(sn_context *ctx)
{
  ahead_grid *grid;
  ahead_points *points;
  ahead_orders *orders;
  int64_t all;

  CHECK(ahead_grid_create(ctx, NULL, &grid));
  CHECK(ahead_points_create(ctx, NULL, &points));
  CHECK(ahead_orders_create(ctx, NULL, &orders));
  CHECK(ahead_begin(grid, points, orders, 3000));
  CHECK(ahead_by_list(grid, points));
  CHECK(ahead_sum_up(points, &all));
  printf("by lists %" PRId64 "\n", all);
  CHECK(ahead_by_array(grid, points, orders));
  CHECK(ahead_sum_up(points, &all));
  printf("by lists and an array %" PRId64 "\n", all);
  ahead_grid_destroy(grid);
  ahead_points_destroy(points);
  ahead_orders_destroy(orders);
  return 0;
}
