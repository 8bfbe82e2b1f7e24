#include "imports.h"
#include "run.h"
#include "shared.h"
#include "shared_more.h"

int run_imports(sn_context *ctx)
{
  shared_plate *a, *b;
  shared_more_sums *sums;
  imports_own *own;
  double mass;
  float x[8];
  int32_t n;

  CHECK(shared_plate_create(ctx, NULL, 3, &a));
  CHECK(shared_plate_create(ctx, NULL, 3, &b));
  CHECK(shared_more_sums_create(ctx, NULL, &sums));
  CHECK(imports_own_create(ctx, NULL, &own));
  CHECK(shared_light(a, 5, 5));
  CHECK(shared_warm(a, 0.25f));
  CHECK(shared_more_count_up(a, sums));
  CHECK(shared_both(sums, a, &mass));
  printf("both %g\n", mass);
  CHECK(imports_mass(sums, a, own, 0.5f, &mass));
  CHECK(imports_copy_read(own, NULL, sn_span_host(x, sizeof x), NULL));
  printf("mass %g, %g %g, side %d\n", mass, (double)x[0], (double)x[5], SHARED_SIDE);
  CHECK(imports_exchange(a, a, b, 7, &n));
  CHECK(shared_heat_get(b, 5, 5, x));
  CHECK(shared_heat_get(a, 5, 5, x + 1));
  printf("exchange %" PRId32 ", %g %g\n", n, (double)x[0], (double)x[1]);
  CHECK(shared_light(a, 1, 1));
  CHECK_FAILS(SN_EASSERT, imports_mass(sums, a, own, 1.0e6f, &mass));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK_FAILS(SN_EINVAL, imports_mass((shared_more_sums *)own, a, own, 0.5f, &mass));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  shared_plate_destroy(a);
  shared_plate_destroy(b);
  shared_more_sums_destroy(sums);
  imports_own_destroy(own);
  return 0;
}
