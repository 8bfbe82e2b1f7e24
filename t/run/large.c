#include "large.h"
#include "run.h"

int run_large(sn_context *ctx)
{
  large_m_tree *m;
  large_w_tree *w;
  double by[81], total[81], checksum = 0;
  float plus[72], greatest[72];

  for (int k = 0; k < 81; k++) by[k] = 1 + k % 3;
  for (int k = 0; k < 72; k++) plus[k] = 0.25f * (float)k;
  CHECK(large_m_tree_create(ctx, NULL, &m));
  CHECK(large_w_tree_create(ctx, NULL, &w));
  CHECK(large_fill(m, w));
  CHECK(large_scale(m, w, by, plus));
  CHECK(large_total(m, total));
  CHECK(large_greatest(w, greatest));
  for (int k = 0; k < 81; k++) checksum += k * total[k];
  printf("%g %g %g, %g\n", total[0], total[1], total[80], checksum);
  printf("%g %g %g\n", (double)greatest[0], (double)greatest[1], (double)greatest[71]);
  large_m_tree_destroy(m);
  large_w_tree_destroy(w);
  return 0;
}
