#include "pointer.h"
#include "run.h"

int run_pointer(sn_context *ctx)
{
  pointer_grid *grid;
  int64_t tiles, cells, n, m;
  double s, t;
  float value;
  int64_t *index;
  float *values;

  CHECK(pointer_grid_create(ctx, NULL, &grid));
  CHECK(pointer_u_get(grid, 100, 100, &value));
  CHECK(pointer_tile_count(grid, &tiles));
  printf("before: u %g tiles %" PRId64 "\n", (double)value, tiles);

  CHECK(pointer_ring(grid, 100));
  CHECK(pointer_tile_count(grid, &tiles));
  CHECK(pointer_u_count(grid, &cells));
  printf("ring: tiles %" PRId64 " cells %" PRId64 "\n", tiles, cells);

  CHECK(pointer_laplace(grid));
  CHECK(pointer_sum_v(grid, &s));
  CHECK(pointer_sum_abs_v(grid, &t));
  printf("laplace: sum %g abs %g\n", s, t);

  CHECK(pointer_v_fill(grid, 0));
  CHECK(pointer_spread(grid));
  CHECK(pointer_sum_v(grid, &s));
  CHECK(pointer_tile_count(grid, &n));
  printf("spread: sum %g tiles %" PRId64 "\n", s, n);

  CHECK(pointer_u_read_active(grid, NULL, NULL, 0, &n));
  index = malloc((size_t)n * 2 * sizeof *index);
  values = malloc((size_t)n * sizeof *values);
  CHECK(pointer_u_read_active(grid, index, values, n, &m));
  s = 0;
  for (int64_t k = 0; k < n; k++)
    s += (double)values[k] * (double)(index[2 * k] * 3 + index[2 * k + 1]);
  printf("read_active: %d sum %g\n", n == m, s);
  free(index);
  free(values);

  pointer_grid_destroy(grid);
  return 0;
}
