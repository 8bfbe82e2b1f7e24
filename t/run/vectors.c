#include "vectors.h"
#include "run.h"

#include <math.h>

enum { MAX = 8 };

/* Every pair of extreme values stands in some element of a and b. */
static int compare(sn_context *ctx)
{
  static const float floats[] = { 0.0f, -0.0f, 1.0f, -2.5f, 3e38f, -1e-40f, INFINITY, NAN };
  static const int32_t ints[] = { 0, 1, -1, 7, -100, INT32_MAX, INT32_MIN, 65536 };
  static float a[MAX * MAX][3], b[MAX * MAX][3], s[MAX * MAX];
  static int32_t c[MAX * MAX][4], d[MAX * MAX][4];
  int32_t wrong;

  for (int i = 0; i < MAX * MAX; i++) {
    s[i] = floats[(i + 3) % MAX];
    for (int k = 0; k < 4; k++) {
      if (k < 3) a[i][k] = floats[(i / MAX + k) % MAX];
      if (k < 3) b[i][k] = floats[(i + 2 * k) % MAX];
      c[i][k] = ints[(i / MAX + k) % MAX];
      d[i][k] = ints[(i + 3 * k) % MAX];
    }
  }
  CHECK(vectors_floats(ctx, a[0], MAX * MAX, b[0], s, &wrong));
  printf("floats: %" PRId32 " wrong\n", wrong);
  CHECK(vectors_integers(ctx, c[0], MAX * MAX, d[0], &wrong));
  printf("integers: %" PRId32 " wrong\n", wrong);
  return 0;
}

static int values(sn_context *ctx)
{
  static const double m[9] = { 2, 0, 0, 0, 4, 1, 1, 0, 8 };
  static const double b[16] = { 2, 0, 0, 1, 0, 0, 4, 0, 0, 1, 0, 0, 1, 0, 0, 1 };
  float out[2];

  CHECK(vectors_made(ctx, (float[]){ 1.5f, 2.0f }, 1));
  CHECK(vectors_functions(ctx, (float[]){ 1, 2, 3 }, (float[]){ 4, 5, 8 }, m, b,
                          (float[]){ 1, 2, 3, 4, 5, 6 }));
  CHECK(vectors_locals(ctx, (float[]){ 1.0f, 3.0f }, 1, out));
  printf("locals %g %g\n", out[0], out[1]);
  return 0;
}

static int fields(sn_context *ctx, vectors_cells *t)
{
  static const int32_t at[4][2] = { { 1, 1 }, { 2, 2 }, { 2, 3 }, { 13, 14 } };
  static const float value[4][2] = { { 1, 2 }, { 4, 8 }, { 16, 32 }, { 0.5f, 0.25f } };
  static float box[6][6][2], matrices[64][4];
  static int64_t index[64][2];
  const sn_box corner = { { 0, 0 }, { 4, 4 } };
  const int64_t stride[] = { 6, 1 };
  float x[2], m[4];
  double sums[2];
  int32_t total[3], at_last[2];
  int flags[3];
  int64_t n, shape[4], seen = 0;

  CHECK(vectors_scatter(t, at[0], 4, value[0]));
  CHECK(vectors_total_get(t, total));
  printf("total %d %d %d\n", (int)total[0], (int)total[1], (int)total[2]);
  CHECK(vectors_x_get(t, 2, 2, x));
  CHECK(vectors_A_get(t, 2, 2, m));
  printf("x %g %g, A %g %g %g %g\n", x[0], x[1], m[0], m[1], m[2], m[3]);
  CHECK(vectors_A_get(t, 8, 1, m));
  printf("inactive A %g %g %g %g\n", m[0], m[1], m[2], m[3]);
  CHECK(vectors_gathered(t, sums));
  printf("gathered %g %g\n", sums[0], sums[1]);
  CHECK(vectors_rounds(t, (int32_t[]){ 2, 3 }, at_last));
  printf("rounds %d %d\n", (int)at_last[0], (int)at_last[1]);
  CHECK(vectors_flags(t, (int32_t[]){ 2, 3 }, flags));
  printf("flags %d %d %d\n", flags[0], flags[1], flags[2]);
  CHECK(vectors_x_read(t, &corner, sn_span_host(box, sizeof box), stride));
  for (int i = 0; i < 4; i++)
    printf("row %g %g, %g %g, %g %g, %g %g; %g\n", box[i][0][0], box[i][0][1], box[i][1][0],
           box[i][1][1], box[i][2][0], box[i][2][1], box[i][3][0], box[i][3][1], box[i][4][0]);
  CHECK_FAILS(SN_EINVAL, vectors_x_read(t, &corner, sn_span_host(box, 2 * sizeof(float) * 21),
                                        stride));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK(vectors_x_set(t, 5, 6, (float[]){ 0.125f, 0.25f }));
  CHECK(vectors_x_count(t, &n));
  printf("count %" PRId64 "\n", n);
  CHECK(vectors_x_shape(t, shape, shape + 2));
  printf("shape %" PRId64 " %" PRId64 "\n", shape[2], shape[3]);
  CHECK(vectors_A_read_active(t, index[0], matrices[0], 64, &n));
  for (int64_t k = 0; k < n && k < 64; k++)
    seen += index[k][0] == 2 && index[k][1] == 3 && matrices[k][1] == 2.0f && matrices[k][3] == 4;
  printf("listed %" PRId64 ", the one looked for %" PRId64 " times\n", n, seen);
  return 0;
}

/* Values through every call, and through a copy of the tree and a file. */
static int transfers(sn_context *ctx, vectors_cells *t)
{
  static const int64_t at[2][2] = { { 0, 15 }, { 15, 0 } };
  static const float written[2][4] = { { 1, -1, 2, -2 }, { 3, -3, 4, -4 } };
  static float x[16][16][2], again[16][16][2];
  static const char file[] = "vectors.snode";
  vectors_cells *other;
  float m[4];
  int flags[3];
  int64_t n[3];

  for (int k = 0; k < 16 * 16; k++) {
    x[k / 16][k % 16][0] = k % 5 ? 0 : (float)k;
    x[k / 16][k % 16][1] = k % 7 ? 0 : (float)-k;
  }
  CHECK(vectors_x_write(t, NULL, sn_span_host(x, sizeof x), NULL));
  CHECK(vectors_A_write_active(t, at[0], written[0], 2));
  CHECK(vectors_bits_fill(t, (int[]){ 1, 0, 1 }));
  CHECK(vectors_cells_create(ctx, NULL, &other));
  CHECK(vectors_counted(other, t, n));
  printf("counted %" PRId64 " %" PRId64 " %" PRId64 "\n", n[0], n[1], n[2]);
  CHECK(vectors_cells_copy(other, t));
  CHECK(vectors_x_read(other, NULL, sn_span_host(again, sizeof again), NULL));
  printf("copied %s\n", memcmp(x, again, sizeof x) ? "other values" : "as it was");
  CHECK(vectors_cells_save(other, file));
  CHECK(vectors_cells_deactivate_all(other));
  CHECK(vectors_A_get(other, 15, 0, m));
  printf("emptied %g %g %g %g\n", m[0], m[1], m[2], m[3]);
  CHECK(vectors_cells_load(other, file));
  remove(file);
  CHECK(vectors_A_get(other, 15, 0, m));
  CHECK(vectors_bits_get(other, 15, 0, flags));
  printf("loaded %g %g %g %g, %d %d %d\n", m[0], m[1], m[2], m[3], flags[0], flags[1], flags[2]);
  vectors_cells_destroy(other);
  return 0;
}

static int arrays(sn_context *ctx)
{
  static const float m[3][4] = { { 1, 2, 3, 4 }, { 0, 1, -1, 0 }, { 2, 0, 0, 2 } };
  float v[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
  uint8_t big[3][2];

  CHECK(vectors_arrays(ctx, m[0], 3, v[0], big[0]));
  for (int k = 0; k < 3; k++)
    printf("array %g %g %d %d\n", v[k][0], v[k][1], big[k][0], big[k][1]);
  return 0;
}

static int far(sn_context *ctx)
{
  vectors_wide *w;
  double v[5];

  CHECK(vectors_wide_create(ctx, NULL, &w));
  CHECK(vectors_spread(w));
  for (int64_t i = -8; i < 8; i += 2) {
    CHECK(vectors_far_get(w, i, v));
    printf("far %" PRId64 ": %g %g %g %g %g\n", i, v[0], v[1], v[2], v[3], v[4]);
  }
  CHECK_FAILS(SN_EBOUNDS, vectors_far_get(w, 8, v));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  vectors_wide_destroy(w);
  return 0;
}

static int effects(sn_context *ctx)
{
  vectors_few *few;
  float last[3] = { 0, 5, 0 };

  CHECK(vectors_few_create(ctx, NULL, &few));
  CHECK(vectors_effects(few));
  CHECK(vectors_k_set(few, 0));
  CHECK(vectors_named(few, last, 1));
  printf("in an array %g %g %g\n", (double)last[0], (double)last[1], (double)last[2]);
  vectors_few_destroy(few);
  return 0;
}

static int traps(sn_context *ctx, vectors_cells *t)
{
  CHECK(vectors_outside(t, 2, 1));
  CHECK_FAILS(SN_EBOUNDS, vectors_outside(t, 3, 0));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK_FAILS(SN_EBOUNDS, vectors_outside(t, 0, -1));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  return 0;
}

int run_vectors(sn_context *ctx)
{
  vectors_cells *t;

  if (compare(ctx) || values(ctx) || arrays(ctx) || effects(ctx) || far(ctx)) return 1;
  CHECK(vectors_cells_create(ctx, NULL, &t));
  if (fields(ctx, t) || transfers(ctx, t) || traps(ctx, t)) return 1;
  vectors_cells_destroy(t);
  return 0;
}
