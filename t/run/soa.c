#define _POSIX_C_SOURCE 200809L          /* getpid */
#include "soa.h"
#include "run.h"
#include "soa_plain.h"

#include <unistd.h>

enum { CELLS = 77 };

static const char *path_of(void)
{
  static char path[512];
  const char *folder = getenv("TMPDIR");

  snprintf(path, sizeof path, "%s/snode-soa-%ld", folder && *folder ? folder : "/tmp",
           (long)getpid());
  return path;
}

static int show(sn_context *ctx, soa_grid *g, const char *what)
{
  int64_t leaves, marks, some;
  double sum;

  CHECK(soa_leaf_count(g, &leaves));
  CHECK(soa_mark_count(g, &marks));
  CHECK(soa_some_count(g, &some));
  CHECK(soa_mass(g, &sum));
  printf("%s: %" PRId64 " leaves, %" PRId64 " marks, %" PRId64 " of some; %.3f\n", what, leaves,
         marks, some, sum);
  return 0;
}

/* Values one by one and in boxes. */
static int reach(sn_context *ctx, soa_grid *g)
{
  static double q[CELLS], d[24 * 16];
  static int16_t h[6 * 30];
  soa_spot p;
  float v[3];
  int32_t e;
  double all = 0;

  CHECK(soa_v_get(g, 23, 15, v));
  CHECK(soa_p_get(g, 3, 3, &p));
  CHECK(soa_e_get(g, 99, 6, &e));
  printf("%g %g %g, %g %g %g %d, %d\n", (double)v[0], (double)v[1], (double)v[2], (double)p.a,
         p.b[0], p.b[1], p.n, (int)e);
  p.n = 9;
  p.b[1] = -0.25;
  CHECK(soa_p_set(g, 3, 3, &p));
  CHECK(soa_p_get(g, 3, 3, &p));
  CHECK(soa_q_read(g, NULL, sn_span_host(q, sizeof q), NULL));
  for (int c = 0; c < CELLS; c++) q[c] = -q[c] * c;
  CHECK(soa_q_write(g, NULL, sn_span_host(q, sizeof q), NULL));
  CHECK(soa_d_read(g, NULL, sn_span_host(d, sizeof d), NULL));
  CHECK(soa_h_read(g, NULL, sn_span_host(h, sizeof h), NULL));
  for (int c = 0; c < 24 * 16; c++) all += d[c] * (c % 5);
  for (int c = 0; c < 6 * 30; c++) all += h[c] * (c % 7);
  printf("%d %g, %g\n", p.n, p.b[1], all);
  CHECK(soa_y_fill(g, 0.125f));
  return 0;
}

/* Through files into structs, and from there. */
static int exchange(sn_context *ctx, soa_grid *g)
{
  soa_plain_grid *plain;
  soa_grid *b;
  double sum;

  CHECK(soa_grid_save(g, path_of()));
  CHECK(soa_plain_grid_create(ctx, NULL, CELLS, &plain));
  CHECK(soa_plain_grid_load(plain, path_of()));
  CHECK(soa_plain_mass(plain, &sum));
  printf("structs: %.3f\n", sum);
  CHECK(soa_plain_v_set(plain, 2, 3, (float[]){ 1, 2, 3000 }));
  CHECK(soa_plain_grid_save(plain, path_of()));
  CHECK(soa_grid_create(ctx, NULL, CELLS, &b));
  CHECK(soa_grid_load(b, path_of()));
  if (show(ctx, b, "back")) return 1;
  CHECK(soa_grid_copy(b, g));
  if (show(ctx, b, "copied")) return 1;
  soa_grid_destroy(b);
  soa_plain_grid_destroy(plain);
  remove(path_of());
  return 0;
}

static int fold(sn_context *ctx)
{
  int64_t total;
  soa_lines *lines;
  soa_pairs *pairs;

  CHECK(soa_lines_create(ctx, NULL, &lines));
  CHECK(soa_pairs_create(ctx, NULL, &pairs));
  CHECK(soa_fold(lines, pairs, &total));
  printf("folded: %" PRId64 "\n", total);
  soa_lines_destroy(lines);
  soa_pairs_destroy(pairs);
  return 0;
}

static int shift(sn_context *ctx)
{
  int64_t total;
  soa_runs *runs;
  soa_bands *bands;

  CHECK(soa_runs_create(ctx, NULL, &runs));
  CHECK(soa_bands_create(ctx, NULL, &bands));
  CHECK(soa_shift(runs, bands, 0, &total));
  printf("shifted: %" PRId64 "\n", total);
  soa_runs_destroy(runs);
  soa_bands_destroy(bands);
  return 0;
}

int run_soa(sn_context *ctx)
{
  double total;
  int64_t old;
  soa_sky *sky;
  soa_grid *g;

  CHECK(soa_grid_create(ctx, NULL, CELLS, &g));
  CHECK(soa_sky_create(ctx, NULL, &sky));
  if (show(ctx, g, "new")) return 1;
  CHECK(soa_fill(g, CELLS));
  if (show(ctx, g, "filled")) return 1;
  CHECK(soa_sweep(g, 0.5, &total));
  printf("sweep: %.3f\n", total);
  CHECK(soa_scatter(g, sky, &old));
  printf("scatter: %" PRId64 "\n", old);
  if (reach(ctx, g) || show(ctx, g, "reached") || exchange(ctx, g)) return 1;
  CHECK(soa_tip(g, 2));
  if (show(ctx, g, "tipped")) return 1;
  CHECK(soa_thin(g));
  if (show(ctx, g, "thinned")) return 1;
  CHECK(soa_fill(g, CELLS));
  if (show(ctx, g, "filled again")) return 1;
  CHECK(soa_grid_deactivate_all(g));
  if (show(ctx, g, "emptied")) return 1;
  soa_sky_destroy(sky);
  soa_grid_destroy(g);
  return fold(ctx) || shift(ctx);
}
