#include "run.h"
#include "short.h"

int run_short(sn_context *ctx)
{
  short_a_tree *a;
  short_b_tree *b;
  short_c_tree *c, *d;
  short_t *t;
  int64_t lo[2], hi[2], single;
  float sum, corner;
  double product, last[2];

  CHECK(short_a_tree_create(ctx, NULL, &a));
  CHECK(short_b_tree_create(ctx, NULL, &b));
  CHECK(short_c_tree_create(ctx, NULL, &c));
  CHECK(short_c_tree_create(ctx, NULL, &d));
  CHECK(short_t_create(ctx, NULL, &t));
  CHECK(short_fill(a, b, c, t, &sum));
  CHECK(short_fill(a, b, d, t, &sum));
  CHECK(short_a_get(a, 5, 11, &corner));
  CHECK(short_single_get(t, &single));
  printf("sum %g, corner %g, %" PRId64 " calls\n", (double)sum, (double)corner, single);
  CHECK(short_c_shape(c, lo, hi));
  CHECK(short_c_get(c, 1, 14, last));
  printf("c is %" PRId64 " .. %" PRId64 ", %" PRId64 " .. %" PRId64 "; its last %g %g\n", lo[0],
         hi[0], lo[1], hi[1], last[0], last[1]);
  CHECK(short_both(c, d, &product));
  printf("both %g\n", product);
  short_a_tree_destroy(a);
  short_b_tree_destroy(b);
  short_c_tree_destroy(c);
  short_c_tree_destroy(d);
  short_t_destroy(t);
  return 0;
}
