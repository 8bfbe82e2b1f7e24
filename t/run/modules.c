#include "modules.h"
#include "modules_b.h"
#include "run.h"
#include <snode/module.h>

int run_modules(sn_context *ctx)
{
  modules_grid *a;
  modules_b_grid *b;
  int64_t s;
  double t;

  CHECK(modules_grid_create(ctx, NULL, &a));
  CHECK(modules_b_grid_create(ctx, NULL, &b));
  CHECK(modules_b_sum(b, &t));
  printf("b starts at %g\n", t);
  CHECK(modules_fill(a, 100));
  CHECK(modules_b_fill(b, 0.5));
  CHECK(modules_sum(a, &s));
  CHECK(modules_b_sum(b, &t));
  printf("a %" PRId64 " b %g\n", s, t);
  printf("names %s %s\n", modules_module()->name, modules_b_module()->name);
  CHECK_FAILS(SN_EINVAL, modules_fill((modules_grid *)b, 1));
  CHECK(modules_sum(a, &s));
  printf("a still %" PRId64 "\n", s);
  modules_grid_destroy(a);
  modules_b_grid_destroy(b);
  return 0;
}
