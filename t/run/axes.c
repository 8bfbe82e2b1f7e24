#include "axes.h"
#include "run.h"

int run_axes(sn_context *ctx)
{
  axes_wide *wide;
  axes_crossed *crossed;
  int64_t n, s;
  int32_t value;

  CHECK(axes_wide_create(ctx, NULL, &wide));
  CHECK(axes_crossed_create(ctx, NULL, &crossed));
  CHECK(axes_fill(wide));
  CHECK(axes_top_count(wide, &n));
  CHECK(axes_sum(wide, &s));
  printf("top %" PRId64 " sum %" PRId64 "\n", n, s);
  CHECK(axes_z_get(wide, 1, 1, 0, 0, 1, 0, 1, 0, 2, 0, 1, 1, &value));
  printf("z = %d\n", value);
  CHECK(axes_z_count(wide, &n));
  printf("cells %" PRId64 "\n", n);
  CHECK_FAILS(SN_EBOUNDS, axes_z_get(wide, 1, 2, 0, 0, 1, 0, 1, 0, 2, 0, 1, 1, &value));

  CHECK(axes_fill_w(crossed));
  CHECK(axes_outer_count(crossed, &n));
  CHECK(axes_sum_w(crossed, &s));
  printf("outer %" PRId64 " sum %" PRId64 "\n", n, s);
  CHECK(axes_w_get(crossed, 4, 9, &value));
  printf("w[4, 9] = %d\n", value);
  axes_wide_destroy(wide);
  axes_crossed_destroy(crossed);
  return 0;
}
