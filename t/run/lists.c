#include "lists.h"
#include "run.h"

static int show(sn_context *ctx, lists_t *t)
{
  int64_t a, b, c, d;
  CHECK(lists_tops(t, &a));
  CHECK(lists_leaves(t, &b));
  CHECK(lists_cells(t, &c));
  CHECK(lists_ones(t, &d));
  printf("tops %" PRId64 " leaves %" PRId64 " cells %" PRId64 " ones %" PRId64 "\n", a, b, c, d);
  return 0;
}

int run_lists(sn_context *ctx)
{
  lists_t *t;
  int64_t n;

  CHECK(lists_t_create(ctx, NULL, &t));
  if (show(ctx, t)) return 1;
  CHECK(lists_write_some(t, 1, 101));
  if (show(ctx, t)) return 1;
  if (show(ctx, t)) return 1;
  CHECK(lists_grow(t));
  if (show(ctx, t)) return 1;
  CHECK(lists_a_deactivate(t, 2, 1));
  if (show(ctx, t)) return 1;
  CHECK(lists_b_deactivate_all(t));
  if (show(ctx, t)) return 1;
  CHECK(lists_write_some(t, 7, 13));
  CHECK(lists_twice_over(t, &n));
  printf("twice over %" PRId64 "\n", n);
  if (show(ctx, t)) return 1;
  lists_t_destroy(t);
  return 0;
}
