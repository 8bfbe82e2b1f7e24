#include "generics.h"
#include "run.h"

static int lines(sn_context *ctx, generics_line *a, generics_line *b)
{
  int64_t blocks, cells;
  float x, y;
  double s;

  CHECK(generics_ramp_x(a, 2, 11));
  CHECK(generics_ramp_wide(b, 0, 16));
  CHECK(generics_blocks(a, &blocks));
  CHECK(generics_cells(a, &cells));
  printf("blocks %" PRId64 ", cells %" PRId64 "\n", blocks, cells);
  CHECK(generics_smooth_xy(a));
  CHECK(generics_smooth_yx(a));
  CHECK(generics_smooth_wide(b));
  CHECK(generics_x_get(a, 5, &x));
  CHECK(generics_y_get(b, 9, &y));
  printf("smoothed %g, wide %g\n", (double)x, (double)y);
  CHECK(generics_ramp_x(b, 0, 3));
  CHECK(generics_sum_x(a, b, &s));
  printf("sum %.4f\n", s);
  CHECK(generics_lib_twice(a));
  CHECK(generics_lib_call(a, 5, &x));
  printf("of the library %g\n", (double)x);
  CHECK(generics_keep_blocks(a));
  CHECK(generics_blocks(a, &blocks));
  CHECK(generics_clear_blocks(a));
  CHECK(generics_cells(a, &cells));
  printf("kept %" PRId64 ", left %" PRId64 "\n", blocks, cells);
  return 0;
}

static int planes(sn_context *ctx, generics_plane *p)
{
  int64_t nodes;
  int32_t near, own;
  float y;
  double s;

  CHECK(generics_nodes(p, &nodes));
  CHECK(generics_marks_near(p));
  CHECK(generics_mark_get(p, 0, 4, &near));
  CHECK(generics_mark_get(p, 1, 3, &own));
  printf("nodes %" PRId64 ", marks %d %d\n", nodes, near, own);
  CHECK(generics_put(p, 2, 3));
  CHECK(generics_whole_y(p, 2, 3, &y));
  printf("whole %g\n", (double)y);
  CHECK(generics_extents_two(p, 2, 3, &s));
  printf("extents %g\n", s);
  return 0;
}

int run_generics(sn_context *ctx)
{
  generics_line *a, *b;
  generics_plane *p;
  int32_t n;
  double s;

  CHECK(generics_line_create(ctx, NULL, &a));
  CHECK(generics_line_create(ctx, NULL, &b));
  CHECK(generics_plane_create(ctx, NULL, &p));
  if (lines(ctx, a, b) || planes(ctx, p))
    return 1;
  CHECK(generics_constants(ctx, 3, &s));
  printf("constants %g\n", s);
  for (int32_t k = 1; k < 6; k += 2) {
    CHECK(generics_compared(ctx, k, &n));
    printf("compared %d\n", n);
  }
  generics_line_destroy(a);
  generics_line_destroy(b);
  generics_plane_destroy(p);
  return 0;
}
