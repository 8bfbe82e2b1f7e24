/* slopes: fields that hold derivatives, from kernels and from C. */
#include "run.h"
#include "slopes.h"

static int print_cells(sn_context *ctx, slopes_grid *g)
{
  double u, du, ddu;
  float v[2];

  for (int64_t i = -1; i < 15; i += 4) {
    CHECK(slopes_u_grad_get(g, i, &u));
    CHECK(slopes_u_dual_get(g, i, &du));
    CHECK(slopes_u_grad_dual_get(g, i, &ddu));
    CHECK(slopes_v_grad_get(g, i + 1, v));
    printf("%d: %g %g %g, %g %g\n", (int)i, u, du, ddu, (double)v[0], (double)v[1]);
  }
  return 0;
}

int run_slopes(sn_context *ctx)
{
  slopes_grid *g;
  slopes_spot p;
  double s, t, before, after;
  int64_t n, m;

  CHECK(slopes_grid_create(ctx, NULL, 3, &g));
  CHECK(slopes_fill(g, &s));
  CHECK(slopes_u_grad_count(g, &n));
  CHECK(slopes_plain_count(g, &m));
  printf("%g: %d cells, %d\n", s, (int)n, (int)m);
  if (print_cells(ctx, g))
    return 1;
  CHECK(slopes_p_grad_get(g, 2, &p));
  printf("%g %g %g\n", p.a, (double)p.b[0], (double)p.b[1]);
  CHECK(slopes_total_u(g, 1.0, &s));
  CHECK(slopes_total_plain(g, 0.5, &t));
  printf("totals %g %g\n", s, t);

  CHECK(slopes_u_grad_fill(g, 0.0));
  CHECK(slopes_energy(g, 0.5, &before));
  CHECK(slopes_energy_grad(g, 0.5, 2.0));
  CHECK(slopes_u_grad_get(g, 5, &t));
  CHECK(slopes_energy(g, 0.5, &after));
  CHECK(slopes_u_grad_count(g, &n));
  printf("energy %g, its slope at 5 %g; %s, %d cells\n", before, t,
         before == after ? "unchanged" : "changed", (int)n);
  slopes_grid_destroy(g);
  return 0;
}
