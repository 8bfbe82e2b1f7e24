#include "exchange.h"
#include "run.h"

#include <math.h>

int run_exchange(sn_context *ctx)
{
  exchange_cells *t;
  int16_t own[3] = { 1, 2, 3 };
  int64_t n;
  int32_t k;

  CHECK(exchange_cells_create(ctx, NULL, &t));
  CHECK(exchange_passed(t, 120, &n));
  printf("passed %" PRId64 " of %d\n", n, 10 * (119 * 120 / 2));
  CHECK(exchange_filled(t, 100, &k));
  printf("filled %" PRId32 "\n", k);
  CHECK(exchange_shared(ctx, 100, &k));
  printf("shared %" PRId32 "\n", k);
  CHECK(exchange_floats(t, 0.0f, NAN, &k));
  printf("floats %" PRId32 "\n", k);
  CHECK(exchange_plain(t, own, 3, 8, &n));
  printf("plain %" PRId64 " %d %d %d\n", n, own[0], own[1], own[2]);
  exchange_cells_destroy(t);
  return 0;
}
