#include "ranges.h"
#include "run.h"

/* What of the tree is active and what its cells hold. */
static int tell(sn_context *ctx, ranges_t *t, const char *what)
{
  int64_t leaves, masks, lines, y;
  double x, far;

  CHECK(ranges_leaf_count(t, &leaves));
  CHECK(ranges_mask_count(t, &masks));
  CHECK(ranges_line_count(t, &lines));
  CHECK(ranges_read(t, &x));
  CHECK(ranges_read_y(t, &y));
  CHECK(ranges_read_far(t, &far));
  printf("%s: %" PRId64 " leaves, %" PRId64 " marks", what, leaves, masks);
  printf(", %" PRId64 " lines; %.0f %" PRId64 " %.0f\n", lines, x, y, far);
  return 0;
}

/* One iteration is outside: the message names it, and where. */
#define REFUSED(call) \
  do { \
    CHECK_FAILS(SN_EBOUNDS, call); \
    printf("%s\n", sn_context_error(ctx)); \
    sn_context_clear(ctx); \
  } while (0)

static int dense(sn_context *ctx)
{
  ranges_odd_tree *odd;
  ranges_flat_tree *flat;
  int64_t sum;

  CHECK(ranges_odd_tree_create(ctx, NULL, &odd));
  CHECK(ranges_ordered(odd, 7));
  CHECK(ranges_read_odd(odd, &sum));
  printf("in order %" PRId64 "\n", sum);
  CHECK(ranges_flat_tree_create(ctx, NULL, &flat));
  CHECK(ranges_sums(flat, 13, 997, &sum));
  printf("sums %" PRId64 "\n", sum);
  CHECK(ranges_sums(flat, 0, 1000, &sum));
  printf("sums %" PRId64 "\n", sum);
  REFUSED(ranges_sums(flat, 1000, 1001, &sum));
  REFUSED(ranges_sums(flat, -1, 0, &sum));
  ranges_odd_tree_destroy(odd);
  ranges_flat_tree_destroy(flat);
  return 0;
}

int run_ranges(sn_context *ctx)
{
  ranges_t *t;

  CHECK(ranges_t_create(ctx, NULL, 5, &t));
  CHECK(ranges_box(t, 3, 21, 7, 33));
  CHECK(tell(ctx, t, "a box"));
  CHECK(ranges_box(t, 9, 9, 0, 40));
  CHECK(ranges_box(t, 12, 4, 100, 200));
  CHECK(tell(ctx, t, "no box"));
  CHECK(ranges_serial(t, 30, 41, 16));
  CHECK(tell(ctx, t, "serial loops"));
  CHECK(ranges_turned(t, -4, 72));
  CHECK(tell(ctx, t, "another order"));
  CHECK(ranges_ends(t, 20, 100));
  CHECK(ranges_ends(t, 23, 24));
  CHECK(tell(ctx, t, "leaves of 24"));
  CHECK(ranges_marks(t, 20));
  CHECK(tell(ctx, t, "marks"));
  CHECK(ranges_leaf_deactivate_all(t));
  CHECK(ranges_sometimes(t, 24));
  CHECK(tell(ctx, t, "sometimes"));
  CHECK(ranges_early(t, 32));
  CHECK(tell(ctx, t, "early"));
  CHECK(ranges_both(t, 11));
  CHECK(tell(ctx, t, "both"));
  REFUSED(ranges_box(t, 64, 65, 0, 1));
  REFUSED(ranges_box(t, 3, 4, -1, 0));
  ranges_t_destroy(t);
  return dense(ctx);
}
