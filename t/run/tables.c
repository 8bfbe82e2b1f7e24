#include "run.h"
#include "tables.h"

int run_tables(sn_context *ctx)
{
  tables_t *t;
  tables_rod *rod;
  float x;
  double d;
  int64_t n;
  int32_t k;

  CHECK(tables_t_create(ctx, NULL, &t));
  CHECK(tables_smooth(t, &x));
  printf("smooth %g\n", (double)x);
  CHECK(tables_walk(ctx, 16, &d));
  printf("walk %g\n", d);
  CHECK(tables_sorted(ctx, 3, &n));
  printf("sorted %" PRId64 "\n", n);
  CHECK(tables_counted(ctx, 30, &k));
  printf("counted %" PRId32 "\n", k);
  CHECK(tables_functions(ctx, &x));
  printf("functions %g\n", (double)x);
  CHECK(tables_outside(t, 2, 1, &d));
  printf("inside %g\n", d);
  CHECK_FAILS(SN_EBOUNDS, tables_outside(t, 2, 3, &d));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK(tables_chosen(ctx, 30, &d));
  printf("chosen %.1f\n", d);
  CHECK(tables_ramped(t, &d));
  printf("ramped %g\n", d);
  CHECK(tables_rod_create(ctx, NULL, &rod));
  CHECK(tables_bent(rod, 3, &d));
  printf("bent %g\n", d);
  CHECK(tables_bent_grad(rod, 3, 0.5));
  CHECK(tables_z_grad_get(rod, 13, &d));
  printf("its derivative %g\n", d);
  tables_rod_destroy(rod);
  tables_t_destroy(t);
  return 0;
}
