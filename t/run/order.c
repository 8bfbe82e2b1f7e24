#include "order.h"
#include "run.h"

/* The values were worked out by hand from the source. */
int run_order(sn_context *ctx)
{
  order_t *t;
  int32_t r;
  int64_t s;

  CHECK(order_t_create(ctx, NULL, &t));
  CHECK(order_before(t, 3, &r));
  printf("before %d\n", r);
  CHECK(order_sides(t, 1, &r));
  printf("sides %d\n", r);
  CHECK(order_old_values(t, 2, &r));
  printf("old values %d\n", r);
  for (int n = 1; n < 6; n++) {
    CHECK(order_branches(ctx, n, &r));
    printf("branches %d: %d\n", n, r);
  }
  CHECK(order_loops(t, 4, &r));
  printf("loops %d\n", r);
  CHECK(order_lazy(t, &s));
  printf("lazy %" PRId64 "\n", s);
  CHECK(order_places(t, 1, &r));
  printf("places %d\n", r);
  order_t_destroy(t);
  return 0;
}
