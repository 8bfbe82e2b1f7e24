/* The row stencil7: a step of diffusion by the six neighbours of each cell, over leaves of 8^3:
 * the generated kernels of stencil7.sn beside C written by hand.  The rows scale_*: the same of
 * 10^4 to 10^8 cells, and by 1 to as many threads as the machine has.
 *
 * By hand: leaves packed one behind the other, x and y apart, each with the numbers of the six
 * beside it (one of zeros where there is none); a row of eight cells is one vector of GNU C.
 * "copy" moves x to y and nothing else: what the memory allows.
 */
#include "stencil7.h"                  /* generated from bench/stencil7.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10 };

/* ---- generated; size: leaves along an axis ---- */

typedef struct generated {
  sn_context *context;
  stencil7_grid *grid;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(stencil7_grid_create(g->context, NULL, &g->grid));
  return stencil7_fill(g->grid, (int32_t)size);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) SN_TRY(stencil7_step(g->grid));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return stencil7_sum_up(g->grid, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef struct leaf { f32x8 row[8][8]; } leaf;

/* Leaf 0 is of zeros; beside[axis * 2 + side]. */
typedef struct by_hand {
  int n;
  int64_t count;
  leaf *x, *y;
  int32_t (*beside)[6];
} by_hand;

static int32_t number_of(const by_hand *h, int i, int j, int k)
{
  const int n = h->n;

  if (i < 0 || j < 0 || k < 0 || i >= n || j >= n || k >= n) return 0;
  return (i * n + j) * n + k + 1;
}

static void hand_fill(by_hand *h, int bi, int bj, int bk)
{
  const int32_t number = number_of(h, bi, bj, bk);
  int32_t *beside = h->beside[number];

  beside[0] = number_of(h, bi - 1, bj, bk);
  beside[1] = number_of(h, bi + 1, bj, bk);
  beside[2] = number_of(h, bi, bj - 1, bk);
  beside[3] = number_of(h, bi, bj + 1, bk);
  beside[4] = number_of(h, bi, bj, bk - 1);
  beside[5] = number_of(h, bi, bj, bk + 1);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++)
        h->x[number].row[i][j][k] =
          (float)(((8 * bi + 8 + i) * 5 + (8 * bj + 8 + j) * 3 + 8 * bk + 8 + k) & 15);
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const int n = (int)size;

  if (!h) return -1;
  *state = h;
  h->n = n;
  h->count = (int64_t)n * n * n;
  h->x = bench_pages((size_t)(h->count + 1) * sizeof *h->x);
  h->y = bench_pages((size_t)(h->count + 1) * sizeof *h->y);
  h->beside = calloc((size_t)(h->count + 1), sizeof *h->beside);
  if (!h->x || !h->y || !h->beside) return -1;
# pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) hand_fill(h, i, j, k);
  return 0;
}

static inline void step_leaf(const by_hand *h, int64_t number)
{
  const int32_t *beside = h->beside[number];
  const leaf *x = &h->x[number], *before = &h->x[beside[4]], *behind = &h->x[beside[5]];
  leaf *y = &h->y[number];

  for (int i = 0; i < 8; i++) {
    const f32x8 *less_i = i > 0 ? x->row[i - 1] : h->x[beside[0]].row[7];
    const f32x8 *more_i = i < 7 ? x->row[i + 1] : h->x[beside[1]].row[0];
    for (int j = 0; j < 8; j++) {
      const f32x8 own = x->row[i][j];
      const f32x8 less_j = j > 0 ? x->row[i][j - 1] : h->x[beside[2]].row[i][7];
      const f32x8 more_j = j < 7 ? x->row[i][j + 1] : h->x[beside[3]].row[i][0];
      const f32x8 less_k =
        __builtin_shufflevector(before->row[i][j], own, 7, 8, 9, 10, 11, 12, 13, 14);
      const f32x8 more_k =
        __builtin_shufflevector(own, behind->row[i][j], 1, 2, 3, 4, 5, 6, 7, 8);
      y->row[i][j] = own + 0.125f * (less_i[j] + more_i[j] + less_j + more_j + less_k + more_k -
                                     6.0f * own);
    }
  }
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t l = 1; l <= h->count; l++) step_leaf(h, l);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int bi = 0; bi < h->n; bi++)
    for (int bj = 0; bj < h->n; bj++)
      for (int bk = 0; bk < h->n; bk++) {
        const leaf *y = &h->y[number_of(h, bi, bj, bk)];
        for (int i = 0; i < 8; i++)
          for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
              *result += (double)y->row[i][j][k] *
                         ((8 * bi + 8 + i + 2 * (8 * bj + 8 + j) + 3 * (8 * bk + 8 + k)) & 7);
      }
  return 0;
}

/* ---- a copy; its result is that of a step, which is made once, outside the clock ---- */

static int copy_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t l = 1; l <= h->count; l++) h->y[l] = h->x[l];
  }
  return 0;
}

static int copy_after(void *state, double *result)
{
  const by_hand *h = state;

  for (int64_t l = 1; l <= h->count; l++) step_leaf(h, l);
  return hand_after(state, result);
}

int main(int argc, char **argv)
{
# define ROW(row) \
    { row, "ours", generated_create, NULL, generated_run, generated_after }, \
    { row, "C", hand_create, NULL, hand_run, hand_after }
  static const contender contenders[] = {
    ROW("stencil7"), { "stencil7", "copy", hand_create, NULL, copy_run, copy_after },
    ROW("scale_1e4"), ROW("scale_1e5"), ROW("scale_1e6"), ROW("scale_1e7"), ROW("scale_1e8"),
    ROW("scale_threads"),
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
