/* The row lbm: a fluid between grains, by the lattice Boltzmann method with nineteen velocities,
 * over parts of 8^3 cells, three quarters of them there: the generated kernels of lbm.sn beside C
 * written by hand.
 *
 * By hand: parts packed one behind the other, each population of a part apart; each part with the
 * numbers of the 26 around it (one without fluid where there is none); a row of eight cells is one
 * vector of GNU C, its fluid cells a byte of bits.
 */
#include "lbm.h"                       /* generated from bench/lbm.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>

enum { SIDE = 26, STEPS = 6 };         /* an even number: the two states change places */
static const float omega = 1.2f;

/* ---- generated; size: parts along an axis ---- */

typedef struct generated {
  sn_context *context;
  lbm_porous *porous;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(lbm_porous_create(g->context, NULL, &g->porous));
  return lbm_fill(g->porous, (int32_t)size);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s += 2) {
    SN_TRY(lbm_forth(g->porous, omega));
    SN_TRY(lbm_back(g->porous, omega));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return lbm_sum_up(g->porous, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));
typedef struct part { f32x8 row[19][8][8]; } part;
typedef struct bits { uint8_t row[8][8]; } bits;

static const int8_t to[19][3] = {
  { 0, 0, 0 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 },
  { 1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 }, { -1, 1, 0 }, { 1, 0, 1 }, { -1, 0, -1 },
  { 1, 0, -1 }, { -1, 0, 1 }, { 0, 1, 1 }, { 0, -1, -1 }, { 0, 1, -1 }, { 0, -1, 1 }
};
static const float weight[19] = {
  (float)(1.0 / 3), (float)(1.0 / 18), (float)(1.0 / 18), (float)(1.0 / 18), (float)(1.0 / 18),
  (float)(1.0 / 18), (float)(1.0 / 18), (float)(1.0 / 36), (float)(1.0 / 36), (float)(1.0 / 36),
  (float)(1.0 / 36), (float)(1.0 / 36), (float)(1.0 / 36), (float)(1.0 / 36), (float)(1.0 / 36),
  (float)(1.0 / 36), (float)(1.0 / 36), (float)(1.0 / 36), (float)(1.0 / 36)
};

/* Part 0 has no fluid; around[di + 1][dj + 1][dk + 1]. */
typedef struct by_hand {
  int n;
  int64_t count;
  part *state[2];
  bits *fluid;
  int32_t (*around)[3][3][3];
  int32_t number[SIDE][SIDE][SIDE];
} by_hand;

static uint32_t hash_of(int bi, int bj, int bk)
{
  return scramble((uint32_t)((bi * SIDE + bj) * SIDE + bk));
}

static void fill_part(by_hand *h, int bi, int bj, int bk)
{
  const int64_t number = h->number[bi][bj][bk];
  const uint32_t hash = hash_of(bi, bj, bk);
  const int ci = (int)(hash >> 2 & 7), cj = (int)(hash >> 5 & 7), ck = (int)(hash >> 8 & 7);

  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++)
      for (int dk = -1; dk <= 1; dk++)
        h->around[number][di + 1][dj + 1][dk + 1] = h->number[bi + di][bj + dj][bk + dk];
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++) {
        const int distance = (i - ci) * (i - ci) + (j - cj) * (j - cj) + (k - ck) * (k - ck);
        const int at = (8 * bi + i) * 5 + (8 * bj + j) * 3 + 8 * bk + k;
        const float rho = 1 + 0.001f * (float)(at & 15);
        if (distance > 9) h->fluid[number].row[i][j] |= (uint8_t)(1 << k);
        for (int q = 0; q < 19; q++) h->state[0][number].row[q][i][j][k] = weight[q] * rho;
      }
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const int n = (int)size;
  size_t parts;

  if (!h) return -1;
  *state = h;
  h->n = n;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if ((hash_of(i, j, k) & 3) != 0) h->number[i][j][k] = (int32_t)++h->count;
  parts = (size_t)(h->count + 1);
  h->state[0] = bench_pages(parts * sizeof(part));
  h->state[1] = bench_pages(parts * sizeof(part));
  h->fluid = calloc(parts, sizeof *h->fluid);
  h->around = calloc(parts, sizeof *h->around);
  if (!h->state[0] || !h->state[1] || !h->fluid || !h->around) return -1;
# pragma omp parallel for schedule(static)
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if (h->number[i][j][k]) fill_part(h, i, j, k);
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

/* The population q of a row as it comes from the cells behind its velocity, or from walls. */
static inline f32x8 coming(const by_hand *h, const part *a, int64_t number, int q, int i, int j)
{
  const int opposite = q == 0 ? 0 : (q & 1) ? q + 1 : q - 1;
  const int fi = i - to[q][0], fj = j - to[q][1], dk = -to[q][2];
  const int ai = fi < 0 ? 0 : fi > 7 ? 2 : 1, aj = fj < 0 ? 0 : fj > 7 ? 2 : 1;
  const int32_t *around = h->around[number][ai][aj];
  const int64_t own = around[1], other = around[1 + dk];
  const unsigned own_bits = h->fluid[own].row[fi & 7][fj & 7];
  const unsigned other_bits = h->fluid[other].row[fi & 7][fj & 7];
  f32x8 come = a[own].row[q][fi & 7][fj & 7];
  unsigned fluid = own_bits;

  if (dk < 0) {
    come = __builtin_shufflevector(a[other].row[q][fi & 7][fj & 7], come, 7, 8, 9, 10, 11, 12, 13,
                                   14);
    fluid = own_bits << 1 | other_bits >> 7;
  } else if (dk > 0) {
    come = __builtin_shufflevector(come, a[other].row[q][fi & 7][fj & 7], 1, 2, 3, 4, 5, 6, 7, 8);
    fluid = own_bits >> 1 | other_bits << 7;
  }
  return q == 0 ? come : where(mask_of(fluid), come, a[number].row[opposite][i][j]);
}

static inline void step_row(const by_hand *h, int from, int64_t number, int i, int j)
{
  const part *a = h->state[from];
  const i32x8 fluid = mask_of(h->fluid[number].row[i][j]);
  f32x8 come[19], rho = { 0 }, flow[3] = { { 0 }, { 0 }, { 0 } }, u[3], level;
  part *b = &h->state[1 - from][number];

# pragma GCC unroll 19
  for (int q = 0; q < 19; q++) {
    come[q] = coming(h, a, number, q, i, j);
    rho += come[q];
    for (int d = 0; d < 3; d++)
      if (to[q][d]) flow[d] += come[q] * (float)to[q][d];
  }
  for (int d = 0; d < 3; d++) u[d] = flow[d] / rho;
  level = 1.0f - 1.5f * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
# pragma GCC unroll 19
  for (int q = 0; q < 19; q++) {
    const f32x8 along = (float)to[q][0] * u[0] + (float)to[q][1] * u[1] + (float)to[q][2] * u[2];
    const f32x8 rest = weight[q] * rho * (level + 3.0f * along + 4.5f * along * along);
    b->row[q][i][j] = where(fluid, come[q] + omega * (rest - come[q]), b->row[q][i][j]);
  }
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t l = 1; l <= h->count; l++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
          if (h->fluid[l].row[i][j]) step_row(h, s & 1, l, i, j);
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
        if (h->fluid[number].row[i & 7][j & 7] >> (k & 7) & 1)
          for (int q = 0; q < 19; q++)
            *result += (double)h->state[0][number].row[q][i & 7][j & 7][k & 7] *
                       ((i + 2 * j + 3 * k + q) & 7);
      }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "lbm", "ours", generated_create, NULL, generated_run, generated_after },
    { "lbm", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
