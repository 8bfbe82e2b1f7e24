#include "deep.h"
#include "run.h"

static int show(sn_context *ctx, deep_t *t, const char *when)
{
  int64_t x, ix, y, a, b, c, na, nc, ne;
  CHECK(deep_sum_x(t, &x));
  CHECK(deep_sum_index_x(t, &ix));
  CHECK(deep_sum_y(t, &y));
  CHECK(deep_sum_a(t, &a));
  CHECK(deep_sum_b(t, &b));
  CHECK(deep_sum_c(t, &c));
  CHECK(deep_a_count(t, &na));
  CHECK(deep_c_count(t, &nc));
  CHECK(deep_e_count(t, &ne));
  printf("%s: x %" PRId64 " over %" PRId64 " y %" PRId64 " a %" PRId64 " b %" PRId64 " c %" PRId64
         " counts %" PRId64 " %" PRId64 " %" PRId64 "\n", when, x, ix, y, a, b, c, na, nc, ne);
  return 0;
}

int run_deep(sn_context *ctx)
{
  deep_t *t;
  int32_t x;

  CHECK(deep_t_create(ctx, NULL, &t));
  if (show(ctx, t, "empty")) return 1;
  CHECK(deep_mark(t, 13));
  if (show(ctx, t, "mark 13")) return 1;
  CHECK(deep_mark_y(t));
  if (show(ctx, t, "mark y")) return 1;
  CHECK(deep_drop_a(t, 1));
  if (show(ctx, t, "drop a 1")) return 1;
  CHECK(deep_x_get(t, 91, &x));
  printf("x[91] = %d\n", x);
  CHECK(deep_mark(t, 17));
  if (show(ctx, t, "mark 17")) return 1;
  CHECK(deep_x_get(t, 91, &x));
  printf("x[91] = %d\n", x);
  CHECK(deep_t_deactivate_all(t));
  if (show(ctx, t, "none")) return 1;
  deep_t_destroy(t);
  return 0;
}
