#include "activity.h"
#include "run.h"

static int show(sn_context *ctx, activity_t *t, const char *when)
{
  int32_t mid, top;
  int64_t sum, all, n;
  CHECK(activity_awake(t, &mid));
  CHECK(activity_awake_top(t, &top));
  CHECK(activity_sum(t, &sum));
  CHECK(activity_sum_everywhere(t, &all));
  CHECK(activity_mid_count(t, &n));
  printf("%s: mid %d (%" PRId64 ") top %d sum %" PRId64 " everywhere %" PRId64 "\n", when, mid, n,
         top, sum, all);
  return 0;
}

int run_activity(sn_context *ctx)
{
  activity_t *t;
  int64_t s, n;
  int32_t r;
  int active;

  CHECK(activity_t_create(ctx, NULL, &t));
  if (show(ctx, t, "new")) return 1;
  CHECK(activity_wake(t, 9));
  if (show(ctx, t, "wake 9")) return 1;
  CHECK(activity_write_all(t));
  if (show(ctx, t, "write all")) return 1;
  CHECK(activity_drop_odd(t));
  if (show(ctx, t, "drop odd")) return 1;
  CHECK(activity_renew(t, &s));
  printf("renew %" PRId64 "\n", s);
  if (show(ctx, t, "renewed")) return 1;
  CHECK(activity_visit(t, &s));
  printf("visited %" PRId64 "\n", s);
  if (show(ctx, t, "visited")) return 1;
  CHECK(activity_empty_then_fill(t));
  if (show(ctx, t, "empty then fill")) return 1;
  CHECK(activity_t_deactivate_all(t));
  CHECK(activity_touch(t, &r));
  printf("touch %d\n", r);
  if (show(ctx, t, "touch")) return 1;

  CHECK(activity_mid_deactivate(t, 5));
  CHECK(activity_mid_is_active(t, 5, &active));
  printf("mid 5 %d", active);
  CHECK(activity_mid_activate(t, 5));
  CHECK(activity_mid_is_active(t, 5, &active));
  printf(" %d", active);
  CHECK(activity_top_deactivate(t, 1));
  CHECK(activity_mid_is_active(t, 5, &active));
  printf(" %d\n", active);
  CHECK(activity_mid_capacity(t, &n));
  printf("capacity %" PRId64 "\n", n);
  CHECK_FAILS(SN_EBOUNDS, activity_mid_activate(t, 16));
  CHECK_FAILS(SN_EBOUNDS, activity_mid_is_active(t, -1, &active));
  if (show(ctx, t, "end")) return 1;
  activity_t_destroy(t);
  return 0;
}
