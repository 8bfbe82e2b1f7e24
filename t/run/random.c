#include "random.h"
#include "run.h"

#include <math.h>

enum { N = RANDOM_N };

static uint64_t hash(const void *data, size_t bytes)
{
  const unsigned char *at = data;
  uint64_t h = 0xCBF29CE484222325u;

  for (size_t k = 0; k < bytes; k++)
    h = (h ^ at[k]) * 0x100000001B3u;
  return h;
}

/* ---- statistics: a right generator fails each bound for one seed in a million ---- */

static void within(const char *what, double value, double low, double high)
{
  if (value >= low && value <= high)
    printf("%s: good\n", what);
  else
    printf("%s: %g is not in %g .. %g\n", what, value, low, high);
}

static double chi_square(const int64_t *count, int cells, double expected)
{
  double sum = 0;

  for (int k = 0; k < cells; k++)
    sum += ((double)count[k] - expected) * ((double)count[k] - expected) / expected;
  return sum;
}

static void test_bits(const uint64_t *bits)
{
  static int64_t ones[64], bytes[256], pairs[256];
  double sum = 0;

  for (int i = 0; i < N; i++) {
    for (int k = 0; k < 64; k++)
      ones[k] += (int64_t)(bits[i] >> k & 1);
    for (int k = 0; k < 64; k += 8)
      bytes[bits[i] >> k & 255]++;
    pairs[(bits[i] & 15) << 4 | (bits[(i + 1) % N] & 15)]++;
  }
  for (int k = 0; k < 64; k++)
    sum += 4 * ((double)ones[k] - N / 2.0) * ((double)ones[k] - N / 2.0) / N;
  within("bits, chi-square of 64", sum, 20, 135);
  within("bytes, chi-square of 255", chi_square(bytes, 256, 8.0 * N / 256), 160, 375);
  within("neighbours, chi-square of 255", chi_square(pairs, 256, N / 256.0), 160, 375);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double normal_part(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }
static double uniform_part(double x) { return x; }

/* Kolmogorov and Smirnov: the greatest distance, times sqrt n. */
static double distance(const double *value, double (*part)(double))
{
  static double sorted[N];
  double most = 0;

  memcpy(sorted, value, sizeof sorted);
  qsort(sorted, N, sizeof *sorted, ascending);
  for (int i = 0; i < N; i++) {
    const double p = part(sorted[i]);
    most = fmax(most, fmax(p - (double)i / N, (double)(i + 1) / N - p));
  }
  return most * sqrt(N);
}

static double correlation(const double *value, double middle, double variance)
{
  double sum = 0;

  for (int i = 0; i < N; i++)
    sum += (value[i] - middle) * (value[(i + 1) % N] - middle);
  return sum / variance / sqrt(N);
}

static void test_uniform(const char *name, const double *u)
{
  static int64_t cells[100];

  memset(cells, 0, sizeof cells);
  for (int i = 0; i < N; i++)
    if (u[i] >= 0 && u[i] < 1)
      cells[(int)(100 * u[i])]++;
  printf("%s: ", name);
  within("chi-square of 99", chi_square(cells, 100, N / 100.0), 42, 182);
  within("  Kolmogorov-Smirnov", distance(u, uniform_part), 0.25, 2.7);
  within("  correlation", correlation(u, 0.5, 1 / 12.0), -5, 5);
}

static void test_normal(const char *name, const double *z)
{
  double moment[5] = { 0 };

  for (int i = 0; i < N; i++)
    for (int k = 1; k < 5; k++)
      moment[k] += pow(z[i], k) / N;
  printf("%s: ", name);
  within("mean", moment[1] * sqrt(N), -5, 5);
  within("  variance", (moment[2] - 1) * sqrt(N / 2.0), -5, 5);
  within("  third moment", moment[3] * sqrt(N / 15.0), -5, 5);
  within("  fourth moment", (moment[4] - 3) * sqrt(N / 96.0), -5, 5);
  within("  Kolmogorov-Smirnov", distance(z, normal_part), 0.25, 2.7);
  within("  correlation", correlation(z, 0, 1), -5, 5);
}

static int run_many(sn_context *ctx)
{
  static uint64_t bits[N];
  static double u[N], z[N], wide[N];
  static float v[N], y[N];
  random_many *t;

  CHECK(random_many_create(ctx, NULL, &t));
  CHECK(random_fill(t));
  CHECK(random_bits_read(t, NULL, sn_span_host(bits, sizeof bits), NULL));
  CHECK(random_u_read(t, NULL, sn_span_host(u, sizeof u), NULL));
  CHECK(random_z_read(t, NULL, sn_span_host(z, sizeof z), NULL));
  CHECK(random_v_read(t, NULL, sn_span_host(v, sizeof v), NULL));
  CHECK(random_y_read(t, NULL, sn_span_host(y, sizeof y), NULL));
  printf("first %016" PRIx64 " %.17g %.17g\n", bits[0], u[0], z[0]);
  printf("all of them %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", hash(bits, sizeof bits),
         hash(z, sizeof z), hash(y, sizeof y));
  test_bits(bits);
  test_uniform("f64", u);
  for (int i = 0; i < N; i++)
    wide[i] = (double)v[i];
  test_uniform("f32", wide);
  test_normal("f64", z);
  for (int i = 0; i < N; i++)
    wide[i] = (double)y[i];
  test_normal("f32", wide);
  random_many_destroy(t);
  return 0;
}

/* ---- what a number depends on ---- */

static float plane[64][64], other[64][64];

static int scatter(sn_context *ctx, random_grid *g, int step, float into[64][64])
{
  CHECK(random_plant(g, step));
  CHECK(random_scatter(g));
  CHECK(random_x_read(g, NULL, sn_span_host(into, sizeof plane), NULL));
  return 0;
}

static int differing(void)
{
  int count = 0;

  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      count += other[i][j] < 0 || other[i][j] > 0 ? plane[i][j] < other[i][j] ||
                                                    plane[i][j] > other[i][j] : 0;
  return count;
}

/* Kernels that draw nothing are not counted; the count is the tree's, and of its file. */
static int run_grid(sn_context *ctx)
{
  const char *path = "random.checkpoint";
  random_grid *a, *b;

  CHECK(random_grid_create(ctx, NULL, &a));
  CHECK(random_grid_create(ctx, NULL, &b));
  if (scatter(ctx, a, 1, plane) || scatter(ctx, b, 9, other))
    return 1;
  printf("fewer cells, the same numbers: %d differ\n", differing());
  CHECK(random_swapped(b));
  CHECK(random_x_read(b, NULL, sn_span_host(other, sizeof other), NULL));
  printf("swapped %016" PRIx64 "\n", hash(other, sizeof other));
  if (scatter(ctx, a, 1, other))
    return 1;
  printf("the second call: %d differ\n", differing() > 500);
  CHECK(random_grid_save(a, path));
  if (scatter(ctx, a, 1, plane))
    return 1;
  CHECK(random_grid_load(b, path));
  if (scatter(ctx, b, 1, other))
    return 1;
  printf("after the file: %d differ\n", differing());
  CHECK(random_grid_copy(a, b));
  if (scatter(ctx, a, 1, plane) || scatter(ctx, b, 1, other))
    return 1;
  printf("after the copy: %d differ\n", differing());
  remove(path);
  random_grid_destroy(a);
  random_grid_destroy(b);
  return 0;
}

static int run_program(sn_context *ctx)
{
  random_grid *g;
  uint64_t h;
  int32_t least_most;

  CHECK(random_grid_create(ctx, NULL, &g));
  for (int32_t n = 0; n < 3; n++) {
    CHECK(random_program(g, n, &h));
    printf("program %016" PRIx64 "\n", h);
  }
  CHECK(random_types(ctx, 400, &least_most));
  printf("types %" PRId32 "\n", least_most);
  CHECK(random_types(ctx, 400, &least_most));
  printf("types %" PRId32 "\n", least_most);
  random_grid_destroy(g);
  return 0;
}

/* Another seed: another context, which counts for itself. */
static int run_seeded(void)
{
  sn_config *config = NULL;
  sn_context *ctx;
  int32_t n;
  const int is_made = sn_config_create(&config) == SN_OK &&
                       sn_config_set(config, "seed", "42") == SN_OK &&
                       sn_context_create(config, &ctx) == SN_OK;

  sn_config_destroy(config);
  if (!is_made)
    return 1;
  CHECK(random_types(ctx, 400, &n));
  printf("seed 42: types %" PRId32 "\n", n);
  return sn_context_destroy(ctx) != SN_OK;
}

int run_random(sn_context *ctx)
{
  return run_many(ctx) || run_grid(ctx) || run_program(ctx) || run_seeded();
}
