#include "run.h"
#include "stacks.h"

/* The derivatives of bent by differences, which are exact enough for two digits. */
static int derivatives(sn_context *ctx)
{
  stacks_rod *rod;
  double value, above, beneath, slope, tangent;

  CHECK(stacks_rod_create(ctx, NULL, &rod));
  CHECK(stacks_bent(rod, 3, &value));
  printf("bent %g\n", value);
  CHECK(stacks_z_set(rod, 7, 1.5 + 1e-4));
  CHECK(stacks_bent(rod, 3, &above));
  CHECK(stacks_z_set(rod, 7, 1.5 - 1e-4));
  CHECK(stacks_bent(rod, 3, &beneath));
  CHECK(stacks_z_set(rod, 7, 1.5));
  CHECK(stacks_bent_grad(rod, 3, 1));
  CHECK(stacks_z_grad_get(rod, 7, &slope));
  printf("its derivative %.2f, by differences %.2f\n", slope, (above - beneath) / 2e-4);
  CHECK(stacks_z_dual_set(rod, 7, 1));
  CHECK(stacks_bent_dual(rod, 3, &value, &tangent));
  printf("its tangent %.2f\n", tangent);
  CHECK(stacks_weighed(rod, 0.5f, &value));
  printf("weighed %g\n", value);
  stacks_rod_destroy(rod);
  return 0;
}

int run_stacks(sn_context *ctx)
{
  stacks_nodes *nodes;
  double d;
  int64_t n;

  CHECK(stacks_nodes_create(ctx, NULL, &nodes));
  CHECK(stacks_grow(nodes, 40));
  CHECK(stacks_hang(nodes, &d));
  printf("hang %g\n", d);
  stacks_nodes_destroy(nodes);
  CHECK(stacks_overflow(ctx, 6, &d));
  printf("full %g\n", d);
  CHECK_FAILS(SN_EBOUNDS, stacks_overflow(ctx, 7, &d));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK(stacks_sort_all(ctx, 9, &n));
  printf("sorted %" PRId64 "\n", n);
  CHECK(stacks_elements(ctx, 30, &d));
  printf("elements %.2f\n", d);
  CHECK(stacks_matrix(ctx, 12, &d));
  printf("matrix %.2f\n", d);
  return derivatives(ctx);
}
