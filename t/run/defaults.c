#include "defaults.h"
#include "run.h"

int run_defaults(sn_context *ctx)
{
  defaults_all *all;
  double s, q;
  int64_t n;
  int32_t e;
  int t;

  CHECK(defaults_all_create(ctx, NULL, &all));
  CHECK(defaults_sum_inactive(all, &s));
  CHECK(defaults_slab_count(all, &n));
  printf("inactive %.2f slabs %" PRId64 "\n", s, n);
  CHECK(defaults_touch(all));
  CHECK(defaults_slab_count(all, &n));
  CHECK(defaults_e_get(all, 7, &e));
  CHECK(defaults_q_get(all, 7, &q));
  printf("touched: slabs %" PRId64 " e %d q %g\n", n, e, q);
  CHECK(defaults_sum_inactive(all, &s));
  printf("sum %.2f\n", s);
  CHECK(defaults_flip(all));
  CHECK(defaults_t_get(all, 7, &t));
  printf("t[7] %d", t);
  CHECK(defaults_t_get(all, 3, &t));
  printf(" t[3] %d\n", t);
  for (int round = 0; round < 5; round++) {
    CHECK(defaults_untouch(all));
    CHECK(defaults_touch(all));
  }
  CHECK(defaults_sum_inactive(all, &s));
  printf("after 5 rounds %.2f\n", s);
  CHECK(defaults_e_set(all, 11, -7));   /* the default: _set activates */
  CHECK(defaults_slab_is_active(all, 3, &t));
  printf("slab 3 active %d\n", t);
  defaults_all_destroy(all);
  return 0;
}
