#include "borders.h"
#include "run.h"

static int line(sn_context *ctx, borders_line *t)
{
  int64_t n;
  int32_t i;

  CHECK(borders_fill(t));
  CHECK(borders_read(t, &n));
  printf("read: %" PRId64 " wrong\n", n);
  CHECK(borders_neighbours(t, &n));
  printf("neighbours: %" PRId64 " wrong\n", n);
  CHECK(borders_write(t, &n));
  printf("old %" PRId64, n);
  CHECK(borders_total_get(t, &n));
  printf(", default %" PRId64 "\n", n);
  CHECK(borders_totals(t, &n));
  printf("totals %" PRId64 "\n", n);
  CHECK(borders_rescaled(t, &n));
  printf("rescaled: %" PRId64 " wrong\n", n);
  CHECK(borders_named(t, &i));
  printf("named %d\n", i);
  return 0;
}

int run_borders(sn_context *ctx)
{
  borders_line *t;
  borders_plane *p;
  borders_given *g;
  borders_lists *l;
  borders_open *o;
  int64_t n;
  double s;
  int32_t i;

  CHECK(borders_line_create(ctx, NULL, &t));
  if (line(ctx, t))
    return 1;
  CHECK(borders_plane_create(ctx, NULL, &p));
  CHECK(borders_vectors(p, &s));
  CHECK(borders_twofold(p, 3, &i));
  printf("vectors %g, rescaled %d\n", s, i);
  for (int32_t k = 1; k < 6; k += 4) {
    CHECK(borders_given_create(ctx, NULL, k, &g));
    CHECK(borders_atrun(g, k, &n));
    printf("given at creation: %" PRId64, n);
    CHECK(borders_created(g, k, &n));
    printf(" and %" PRId64 " wrong\n", n);
    borders_given_destroy(g);
  }
  CHECK(borders_lists_create(ctx, NULL, &l));
  CHECK(borders_listed(l, &i));
  printf("lists %d\n", i);
  borders_line_destroy(t);
  borders_plane_destroy(p);
  CHECK(borders_open_create(ctx, NULL, &o));
  CHECK(borders_floors(o, &n));
  printf("floors %" PRId64 "\n", n);
  borders_open_destroy(o);
  borders_lists_destroy(l);
  return 0;
}
