#include "twice.h"
#include "run.h"

int run_twice(sn_context *ctx)
{
  twice_grid *a, *b;
  double s;
  int64_t n;
  float v;

  CHECK(twice_grid_create(ctx, NULL, &a));
  CHECK(twice_grid_create(ctx, NULL, &b));
  CHECK(twice_set(a, 0, 20, 1.5f));
  CHECK(twice_set(b, 10, 40, 2.0f));
  CHECK(twice_dot(a, b, &s));
  printf("dot %g\n", s);
  CHECK(twice_add(a, b));
  CHECK(twice_dot(a, a, &s));
  CHECK(twice_tile_count(a, &n));
  printf("sum of squares %g tiles %" PRId64 "\n", s, n);
  CHECK(twice_add(a, a));
  CHECK(twice_dot(a, b, &s));
  printf("doubled dot %g\n", s);
  CHECK(twice_pull(b, a));
  CHECK(twice_u_get(b, 15, &v));
  printf("pulled %g\n", (double)v);
  CHECK(twice_doubled(a, a));
  CHECK(twice_u_get(a, 15, &v));
  printf("twice %g\n", (double)v);
  CHECK(twice_clear(a, b));
  CHECK(twice_tile_count(b, &n));
  printf("b has %" PRId64 " tiles\n", n);
  CHECK(twice_clear(a, a));
  CHECK(twice_tile_count(a, &n));
  printf("a has %" PRId64 " tiles\n", n);
  CHECK_FAILS(SN_EINVAL, twice_add(a, NULL));
  CHECK_FAILS(SN_EINVAL, twice_dot(a, b, NULL));
  twice_grid_destroy(a);
  twice_grid_destroy(b);
  return 0;
}
