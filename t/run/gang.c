#include "gang.h"
#include "run.h"

int run_gang(sn_context *ctx)
{
  gang_grid *grid;
  gang_points *points;
  gang_spots *spots;
  gang_strip *strip;
  int64_t several, alone, wrong;
  double sum;

  CHECK(gang_grid_create(ctx, NULL, &grid));
  CHECK(gang_points_create(ctx, NULL, &points));
  CHECK(gang_begin(points, grid, 1500));
  CHECK(gang_gather(points, grid, &several));
  CHECK(gang_gather_alone(points, grid, &alone));
  CHECK(gang_scatter(points, grid));
  CHECK(gang_scatter_alone(points, grid));
  CHECK(gang_differ(points, grid, &wrong));
  CHECK(gang_sum_up(points, grid, &sum));
  printf("sums of points %" PRId64 " %" PRId64 "\n", several, alone);
  printf("values that differ %" PRId64 "\n", wrong);
  printf("all %.2f\n", sum);
  CHECK(gang_spots_create(ctx, NULL, &spots));
  CHECK(gang_strip_create(ctx, NULL, &strip));
  CHECK(gang_begin_strip(spots, strip));
  CHECK_FAILS(SN_EBOUNDS, gang_mark_all(spots, strip));
  CHECK(gang_parts(strip, &several));
  printf("parts %" PRId64 "\n", several);
  gang_spots_destroy(spots);
  gang_strip_destroy(strip);
  gang_grid_destroy(grid);
  gang_points_destroy(points);
  return 0;
}
