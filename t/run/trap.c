#include "trap.h"
#include "run.h"

static void show(sn_context *ctx, const char *what, int code)
{
  printf("%s: %s: %s\n", what, sn_strerror(code), sn_context_error(ctx));
  sn_context_clear(ctx);
}

static int visit_ends(sn_context *ctx)
{
  const int64_t end = INT64_C(1) << 60;
  trap_far *far;
  int64_t most = -99, n;

  CHECK(trap_far_create(ctx, NULL, &far));
  show(ctx, "beyond", trap_visit(far, end, &most));
  show(ctx, "before", trap_visit(far, -end - 1, &most));
  show(ctx, "page", trap_page_activate(far, end));
  CHECK(trap_page_count(far, &n));
  printf("%" PRId64 " cells, %" PRId64 "\n", n, most);
  CHECK(trap_visit(far, -end, &most));
  CHECK(trap_visit(far, end - 1, &most));
  CHECK(trap_page_count(far, &n));
  printf("%" PRId64 " cells, the last index is %" PRId64 "\n", n, most);
  trap_far_destroy(far);
  return 0;
}

int run_trap(sn_context *ctx)
{
  trap_t *t;
  int32_t r = -99, x;
  static const int32_t a[3] = { 1, 2, 3 };

  CHECK(trap_t_create(ctx, NULL, &t));
  show(ctx, "write", trap_write_at(t, 16, 3));
  show(ctx, "read", trap_read_at(t, 3, -1, &r));
  printf("the result is untouched: %d\n", r);
  show(ctx, "wake", trap_wake(t, 4));
  show(ctx, "checked", trap_checked(ctx, -4, &r));
  show(ctx, "checked all", trap_checked_all(ctx));
  show(ctx, "array", trap_array(t, a, 3, 3));
  show(ctx, "later", trap_later(t, &r));
  CHECK(trap_x_get(t, 1, 1, &x));
  printf("later tasks did not run: %d %d\n", x, r);
  CHECK(trap_write_at(t, 15, 7));
  CHECK(trap_read_at(t, 15, 7, &r));
  printf("still usable: %d\n", r);
  show(ctx, "get", trap_x_get(t, 0, 8, &x));
  trap_t_destroy(t);
  return visit_ends(ctx);
}
