#include "extents.h"
#include "run.h"

int run_extents(sn_context *ctx)
{
  static const int sizes[][2] = { { 1, 1 }, { 5, 2 }, { 17, 31 } };
  extents_line *line;
  extents_lists *lists;
  int64_t s, n, lo[2], hi[2];

  for (int k = 0; k < 3; k++) {
    extents_terrain *t;
    double sum;
    CHECK(extents_terrain_create(ctx, NULL, sizes[k][0], sizes[k][1], &t));
    CHECK(extents_fill(t));
    CHECK(extents_sum(t, &sum));
    CHECK(extents_tile_count(t, &n));
    CHECK(extents_u_shape(t, lo, hi));
    printf("%d x %d: sum %g tiles %" PRId64 " shape %" PRId64 " %" PRId64 "\n", sizes[k][0],
           sizes[k][1], sum, n, hi[0], hi[1]);
    extents_terrain_destroy(t);
  }
  for (int64_t size = 1; size <= 1000000; size = size * 10 + 7) {
    CHECK(extents_line_create(ctx, NULL, size, &line));
    CHECK(extents_ramp(line, &s));
    printf("line %" PRId64 ": %d\n", size, s == size * (size + 1) / 2);
    extents_line_destroy(line);
  }
  CHECK(extents_lists_create(ctx, NULL, &lists));
  CHECK(extents_append_all(lists, 3000, &s));
  CHECK(extents_anew(lists, &n));
  printf("lists: %" PRId64 ", anew %" PRId64 "\n", s, n);
  extents_lists_destroy(lists);
  CHECK_FAILS(SN_EINVAL, extents_line_create(ctx, NULL, 0, &line));
  CHECK_FAILS(SN_EINVAL, extents_line_create(ctx, NULL, -3, &line));
  printf("extents below 1 are refused\n");
  return 0;
}
