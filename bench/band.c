/* The row band: the distance to a surface is restored in the cells near it: the generated kernels
 * of band.sn beside C written by hand.
 *
 * By hand: leaves packed one behind the other, each quantity apart, each with the numbers of the
 * six beside it (one without active cells where there is none) and a byte of bits for each row of
 * eight cells; a row is one vector of GNU C.
 */
#include "band.h"                      /* generated from bench/band.sn */
#include "bench/contender.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#ifdef __AVX__
# include <immintrin.h>
#endif

enum { SIDE = 66, STEPS = 10 };        /* an even number: the two states change places */

/* ---- generated; size: leaves along an axis ---- */

typedef struct generated {
  sn_context *context;
  band_grid *grid;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(band_grid_create(g->context, NULL, &g->grid));
  return band_fill(g->grid, (int32_t)size);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s += 2) {
    SN_TRY(band_forth(g->grid));
    SN_TRY(band_back(g->grid));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return band_sum_up(g->grid, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef struct leaf { f32x8 row[8][8]; } leaf;
typedef struct bits { uint8_t row[8][8]; } bits;

/* Leaf 0 has no active cell; beside[axis * 2 + side]. */
typedef struct by_hand {
  int n;
  int64_t count;
  leaf *phi[2], *first;
  bits *active;
  int32_t (*beside)[6];
  int32_t number[SIDE][SIDE][SIDE];
} by_hand;

/* Whether the cell is in the band, and what it holds then. */
static int value_at(int n, int i, int j, int k, float *value)
{
  const int di = i - (4 * n + 8), dj = j - (4 * n + 8), dk = k - (4 * n + 8);
  const float r = sqrtf((float)(di * di + dj * dj + dk * dk)) - (float)(3 * n);

  *value = r * (1.5f + 0.03125f * (float)((i * 5 + j * 3 + k) & 15));
  return fabsf(r) <= 3;
}

static int is_there(int n, int bi, int bj, int bk)
{
  float value;

  for (int i = 8 * bi; i < 8 * bi + 8; i++)
    for (int j = 8 * bj; j < 8 * bj + 8; j++)
      for (int k = 8 * bk; k < 8 * bk + 8; k++)
        if (value_at(n, i, j, k, &value)) return 1;
  return 0;
}

static void fill_leaf(by_hand *h, int bi, int bj, int bk)
{
  const int32_t number = h->number[bi][bj][bk];
  int32_t *beside = h->beside[number];

  beside[0] = h->number[bi - 1][bj][bk];
  beside[1] = h->number[bi + 1][bj][bk];
  beside[2] = h->number[bi][bj - 1][bk];
  beside[3] = h->number[bi][bj + 1][bk];
  beside[4] = h->number[bi][bj][bk - 1];
  beside[5] = h->number[bi][bj][bk + 1];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++) {
        float value;
        if (!value_at(h->n, 8 * bi + i, 8 * bj + j, 8 * bk + k, &value)) continue;
        h->phi[0][number].row[i][j][k] = h->first[number].row[i][j][k] = value;
        h->active[number].row[i][j] |= (uint8_t)(1 << k);
      }
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const int n = (int)size;
  size_t leaves;

  if (!h) return -1;
  *state = h;
  h->n = n;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if (is_there(n, i, j, k)) h->number[i][j][k] = (int32_t)++h->count;
  leaves = (size_t)(h->count + 1);
  h->phi[0] = bench_pages(leaves * sizeof(leaf));
  h->phi[1] = bench_pages(leaves * sizeof(leaf));
  h->first = bench_pages(leaves * sizeof(leaf));
  h->active = calloc(leaves, sizeof *h->active);
  h->beside = calloc(leaves, sizeof *h->beside);
  if (!h->phi[0] || !h->phi[1] || !h->first || !h->active || !h->beside) return -1;
# pragma omp parallel for schedule(static)
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if (h->number[i][j][k]) fill_leaf(h, i, j, k);
  return 0;
}

static inline i32x8 mask_of(unsigned row)
{
  const i32x8 bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
  return ((int32_t)row & bit) != 0;
}

static inline f32x8 where(i32x8 mask, f32x8 then, f32x8 other)
{
  return (f32x8)((mask & (i32x8)then) | (~mask & (i32x8)other));
}

static inline f32x8 root(f32x8 x)
{
#ifdef __AVX__
  return (f32x8)_mm256_sqrt_ps((__m256)x);
#else
  for (int k = 0; k < 8; k++) x[k] = sqrtf(x[k]);
  return x;
#endif
}

static inline f32x8 greater(f32x8 a, f32x8 b) { return where(a > b, a, b); }
static inline f32x8 least(f32x8 a, f32x8 b) { return where(a < b, a, b); }

static inline f32x8 slope(i32x8 is_outside, f32x8 behind, f32x8 ahead)
{
  const f32x8 zero = { 0 };
  const f32x8 a = greater(behind, zero), b = least(ahead, zero);
  const f32x8 c = least(behind, zero), d = greater(ahead, zero);

  return where(is_outside, greater(a * a, b * b), greater(c * c, d * d));
}

static inline void step_row(const by_hand *h, int from, int64_t number, int i, int j)
{
  const int32_t *beside = h->beside[number];
  const leaf *a = h->phi[from];
  const bits *active = h->active;
  const f32x8 zero = { 0 }, c = a[number].row[i][j], first = h->first[number].row[i][j];
  const unsigned own = active[number].row[i][j];
  const unsigned lower = active[beside[4]].row[i][j], upper = active[beside[5]].row[i][j];
  const int64_t i1 = i > 0 ? number : beside[0], i2 = i < 7 ? number : beside[1];
  const int64_t j1 = j > 0 ? number : beside[2], j2 = j < 7 ? number : beside[3];
  const f32x8 s = first / root(first * first + 1.0f);
  const f32x8 k1 = __builtin_shufflevector(a[beside[4]].row[i][j], c, 7, 8, 9, 10, 11, 12, 13, 14);
  const f32x8 k2 = __builtin_shufflevector(c, a[beside[5]].row[i][j], 1, 2, 3, 4, 5, 6, 7, 8);
  const f32x8 west = where(mask_of(active[i1].row[(i + 7) & 7][j]),
                           c - a[i1].row[(i + 7) & 7][j], zero);
  const f32x8 east = where(mask_of(active[i2].row[(i + 1) & 7][j]),
                           a[i2].row[(i + 1) & 7][j] - c, zero);
  const f32x8 south = where(mask_of(active[j1].row[i][(j + 7) & 7]),
                            c - a[j1].row[i][(j + 7) & 7], zero);
  const f32x8 north = where(mask_of(active[j2].row[i][(j + 1) & 7]),
                            a[j2].row[i][(j + 1) & 7] - c, zero);
  const f32x8 below = where(mask_of(own << 1 | lower >> 7), c - k1, zero);
  const f32x8 above = where(mask_of(own >> 1 | upper << 7), k2 - c, zero);
  const i32x8 is_outside = s > 0.0f;
  const f32x8 steep = root(slope(is_outside, west, east) + slope(is_outside, south, north) +
                           slope(is_outside, below, above));
  f32x8 *b = &h->phi[1 - from][number].row[i][j];

  *b = where(mask_of(own), c - 0.3f * s * (steep - 1.0f), *b);
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t l = 1; l <= h->count; l++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          if (h->active[l].row[i][j]) step_row(h, s & 1, l, i, j);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int i = 8; i < 8 * h->n + 8; i++)
    for (int j = 8; j < 8 * h->n + 8; j++)
      for (int k = 8; k < 8 * h->n + 8; k++) {
        const int32_t number = h->number[i >> 3][j >> 3][k >> 3];
        if (h->active[number].row[i & 7][j & 7] >> (k & 7) & 1)
          *result += (double)h->phi[0][number].row[i & 7][j & 7][k & 7] * ((i + 2 * j + 3 * k) & 7);
      }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "band", "ours", generated_create, NULL, generated_run, generated_after },
    { "band", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
