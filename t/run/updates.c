#include "updates.h"
#include "run.h"

int run_updates(sn_context *ctx)
{
  updates_t *t;
  double x, y, h, z;
  int64_t m, b, g, w, other;

  CHECK(updates_t_create(ctx, NULL, &t));
  CHECK(updates_fill(t));
  for (int turn = 0; turn < 2; turn++) {
    CHECK(updates_sweep(t));
    CHECK(updates_sum_x(t, &x));
    CHECK(updates_sum_y(t, &y));
    CHECK(updates_sum_m(t, &m));
    CHECK(updates_sum_b(t, &b));
    CHECK(updates_sum_h(t, &h));
    CHECK(updates_sum_g(t, &g));
    CHECK(updates_sum_w(t, &w));
    CHECK(updates_sum_z(t, &z));
    CHECK(updates_sum_other(t, &other));
    printf("%.0f %.2f %.2f %.2f; %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", x,
           y, h, z, m, b, g, w, other);
  }
  updates_t_destroy(t);
  return 0;
}
