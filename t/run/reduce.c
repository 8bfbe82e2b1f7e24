#include "reduce.h"
#include "run.h"

int run_reduce(sn_context *ctx)
{
  reduce_t *t;
  int64_t s;
  double d;
  float f;
  uint32_t u;
  uint64_t bits;
  int32_t x;
  int16_t narrow;

  CHECK(reduce_t_create(ctx, NULL, &t));
  CHECK(reduce_fill(t, 1000));
  CHECK(reduce_sum(t, &s));
  printf("sum %" PRId64, s);
  CHECK(reduce_sum_f(t, &d));
  printf(" of f %g", d);
  CHECK(reduce_minimum(t, &s));
  printf(" min %" PRId64, s);
  CHECK(reduce_maximum(t, &f));
  printf(" max %g\n", (double)f);
  CHECK(reduce_masks(t, &u));
  printf("masks %08x", (unsigned)u);
  CHECK(reduce_parity(t, &u));
  printf(" parity %08x", (unsigned)u);
  CHECK(reduce_difference(t, &s));
  printf(" difference %" PRId64, s);
  CHECK(reduce_two(t, &s));
  printf(" two %" PRId64 "\n", s);
  CHECK(reduce_t_deactivate_all(t));
  CHECK(reduce_collide(t));
  for (int i = 0; i < 3; i++) {
    CHECK(reduce_x_get(t, i, &x));
    printf("%d ", x);
  }
  for (int i = 0; i < 5; i++) {
    CHECK(reduce_f_get(t, i, &f));
    printf("%g ", (double)f);
  }
  for (int i = 0; i < 2; i++) {
    CHECK(reduce_bits_get(t, i, &bits));
    printf("%016" PRIx64 " ", bits);
  }
  for (int i = 0; i < 7; i++) {
    CHECK(reduce_narrow_get(t, i, &narrow));
    printf("%d ", narrow);
  }
  for (int i = 0; i < 2; i++) {
    CHECK(reduce_extreme_get(t, i, &d));
    printf("%g ", d);
  }
  CHECK(reduce_x_get(t, 100, &x));
  CHECK(reduce_f_get(t, 200, &f));
  printf("%d %g\n", x, (double)f);
  CHECK(reduce_tickets(t, 10000, &s));
  printf("tickets %" PRId64 "\n", s);
  reduce_t_destroy(t);
  return 0;
}
