/* The row wave: the wave equation by leapfrog, of fourth order in space, with a border that
 * absorbs, over blocks of 8^3 cells, seven eighths of them there: the generated kernels of wave.sn
 * beside C written by hand.
 *
 * By hand: blocks packed one behind the other, each quantity apart, each block with the numbers of
 * the six beside it (one of silence where there is none); a row of eight cells is one vector of
 * GNU C.
 */
#include "wave.h"                      /* generated from bench/wave.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>

enum { SIDE = 34, STEPS = 10 };        /* an even number: the two times change places */

/* ---- generated; size: blocks along an axis ---- */

typedef struct generated {
  sn_context *context;
  wave_air *air;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(wave_air_create(g->context, NULL, &g->air));
  return wave_fill(g->air, (int32_t)size);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s += 2) {
    SN_TRY(wave_forth(g->air));
    SN_TRY(wave_back(g->air));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return wave_sum_up(g->air, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef struct block { f32x8 row[8][8]; } block;

/* Block 0 is of silence; beside[axis * 2 + side]. */
typedef struct by_hand {
  int n;
  int64_t count;
  block *pressure[2], *speed, *sponge;
  int32_t (*beside)[6];
  int32_t number[SIDE][SIDE][SIDE];
} by_hand;

static int is_there(int bi, int bj, int bk)
{
  return (scramble((uint32_t)((bi * SIDE + bj) * SIDE + bk)) & 7) != 0;
}

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static void fill_cell(by_hand *h, int64_t number, int i, int j, int k)
{
  const int low = min(i, min(j, k)) - 8, high = 8 * h->n + 7 - max(i, max(j, k));
  const int depth = max(12 - min(low, high), 0);

  h->pressure[0][number].row[i & 7][j & 7][k & 7] = (float)((i * 5 + j * 3 + k) & 15);
  h->pressure[1][number].row[i & 7][j & 7][k & 7] = (float)((i * 5 + j * 3 + k + 1) & 15);
  h->speed[number].row[i & 7][j & 7][k & 7] = (k & 16) != 0 ? 0.16f : 0.09f;
  h->sponge[number].row[i & 7][j & 7][k & 7] = 0.001f * (float)(depth * depth);
}

static void fill_block(by_hand *h, int bi, int bj, int bk)
{
  const int32_t number = h->number[bi][bj][bk];
  int32_t *beside = h->beside[number];

  beside[0] = h->number[bi - 1][bj][bk];
  beside[1] = h->number[bi + 1][bj][bk];
  beside[2] = h->number[bi][bj - 1][bk];
  beside[3] = h->number[bi][bj + 1][bk];
  beside[4] = h->number[bi][bj][bk - 1];
  beside[5] = h->number[bi][bj][bk + 1];
  for (int i = 8 * bi; i < 8 * bi + 8; i++)
    for (int j = 8 * bj; j < 8 * bj + 8; j++)
      for (int k = 8 * bk; k < 8 * bk + 8; k++) fill_cell(h, number, i, j, k);
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const int n = (int)size;
  size_t bytes;

  if (!h) return -1;
  *state = h;
  h->n = n;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if (is_there(i, j, k)) h->number[i][j][k] = (int32_t)++h->count;
  bytes = (size_t)(h->count + 1) * sizeof(block);
  h->pressure[0] = bench_pages(bytes);
  h->pressure[1] = bench_pages(bytes);
  h->speed = bench_pages(bytes);
  h->sponge = bench_pages(bytes);
  h->beside = calloc((size_t)(h->count + 1), sizeof *h->beside);
  if (!h->pressure[0] || !h->pressure[1] || !h->speed || !h->sponge || !h->beside) return -1;
# pragma omp parallel for schedule(static)
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if (h->number[i][j][k]) fill_block(h, i, j, k);
  return 0;
}

/* Row i + by of the blocks below, at hand and above. */
static inline const f32x8 *plane_at(const block *less, const block *own, const block *more, int i)
{
  return i < 0 ? less->row[i + 8] : i > 7 ? more->row[i - 8] : own->row[i];
}

static inline f32x8 row_at(const block *less, const block *own, const block *more, int i, int j)
{
  return j < 0 ? less->row[i][j + 8] : j > 7 ? more->row[i][j - 8] : own->row[i][j];
}

static inline void step_block(const by_hand *h, int from, int64_t number)
{
  const int32_t *beside = h->beside[number];
  const block *a = h->pressure[from], *x = &a[number];
  const block *speed = &h->speed[number], *sponge = &h->sponge[number];
  block *b = &h->pressure[1 - from][number];

  for (int i = 0; i < 8; i++) {
    const f32x8 *i1 = plane_at(&a[beside[0]], x, &a[beside[1]], i - 1);
    const f32x8 *i2 = plane_at(&a[beside[0]], x, &a[beside[1]], i + 1);
    const f32x8 *i3 = plane_at(&a[beside[0]], x, &a[beside[1]], i - 2);
    const f32x8 *i4 = plane_at(&a[beside[0]], x, &a[beside[1]], i + 2);
    for (int j = 0; j < 8; j++) {
      const f32x8 own = x->row[i][j], s = sponge->row[i][j];
      const f32x8 before = a[beside[4]].row[i][j], behind = a[beside[5]].row[i][j];
      const f32x8 k1 = __builtin_shufflevector(before, own, 7, 8, 9, 10, 11, 12, 13, 14);
      const f32x8 k2 = __builtin_shufflevector(own, behind, 1, 2, 3, 4, 5, 6, 7, 8);
      const f32x8 k3 = __builtin_shufflevector(before, own, 6, 7, 8, 9, 10, 11, 12, 13);
      const f32x8 k4 = __builtin_shufflevector(own, behind, 2, 3, 4, 5, 6, 7, 8, 9);
      const f32x8 near = i1[j] + i2[j] + row_at(&a[beside[2]], x, &a[beside[3]], i, j - 1) +
                         row_at(&a[beside[2]], x, &a[beside[3]], i, j + 1) + k1 + k2;
      const f32x8 far = i3[j] + i4[j] + row_at(&a[beside[2]], x, &a[beside[3]], i, j - 2) +
                        row_at(&a[beside[2]], x, &a[beside[3]], i, j + 2) + k3 + k4;
      const f32x8 bend = 1.3333334f * near - 0.083333336f * far - 7.5f * own;
      b->row[i][j] =
        (2.0f * own - (1.0f - s) * b->row[i][j] + speed->row[i][j] * bend) / (1.0f + s);
    }
  }
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t l = 1; l <= h->count; l++) step_block(h, s & 1, l);
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
        if (number)
          *result += (double)h->pressure[0][number].row[i & 7][j & 7][k & 7] *
                     ((i + 2 * j + 3 * k) & 7);
      }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "wave", "ours", generated_create, NULL, generated_run, generated_after },
    { "wave", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
