/* The row conv27: a convolution with 27 weights over leaves of 8^3, half of them there: the
 * generated kernels of conv.sn beside C written by hand.
 *
 * By hand: a table of leaves, x and y of a leaf apart; for each leaf its 10^3 values with the
 * halo are copied into an array of the thread (zeros where there is no leaf), which the 27
 * sums then go over in rows.
 */
#include "conv.h"                      /* generated from bench/conv.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, LEAF = 8, HALO = LEAF + 2, STEPS = 10 };

static const float weight[3][3][3] = {
  { { 1, 2, 1 }, { 2, 5, 3 }, { 1, 3, 2 } },
  { { 2, 6, 3 }, { 7, -64, 8 }, { 4, 9, 5 } },
  { { 1, 3, 2 }, { 4, 7, 5 }, { 2, 6, 3 } }
};

/* ---- generated; size: leaves along an axis ---- */

typedef struct generated {
  sn_context *context;
  conv_grid *grid;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(conv_grid_create(g->context, NULL, &g->grid));
  return conv_fill(g->grid, (int32_t)size);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) SN_TRY(conv_convolve(g->grid));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return conv_sum_up(g->grid, result);
}

/* ---- by hand ---- */

typedef struct leaf {
  float x[LEAF][LEAF][LEAF], y[LEAF][LEAF][LEAF];
} leaf;

typedef struct by_hand {
  leaf *table[SIDE][SIDE][SIDE];       /* NULL: not there */
  int32_t (*list)[3];                  /* where those are that are */
  int64_t length;
} by_hand;

static void hand_fill(leaf *l, int bi, int bj, int bk)
{
  for (int i = 0; i < LEAF; i++)
    for (int j = 0; j < LEAF; j++)
      for (int k = 0; k < LEAF; k++)
        l->x[i][j][k] =
          (float)(((8 * bi + i) * 5 + (8 * bj + j) * 3 + 8 * bk + k) & 15);
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const int n = (int)size;
  leaf *pool = bench_pages((size_t)(n * n * n) * sizeof *pool);

  if (!h || !pool) return -1;
  *state = h;
  h->list = calloc((size_t)(n * n * n), sizeof *h->list);
  if (!h->list) return -1;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++)
        if ((scramble((uint32_t)((i * SIDE + j) * SIDE + k)) & 1) == 0) {
          const int32_t at[3] = { i, j, k };
          leaf *l = h->table[i][j][k] = &pool[h->length];
          memcpy(h->list[h->length++], at, sizeof at);
          hand_fill(l, i, j, k);
        }
  return 0;
}

/* The leaf's values with those around it. */
static void stage(const by_hand *h, const int32_t at[3], float in[HALO][HALO][HALO])
{
  for (int i = -1; i <= LEAF; i++)
    for (int j = -1; j <= LEAF; j++) {
      const int bi = at[0] + (i < 0 ? -1 : i / LEAF), bj = at[1] + (j < 0 ? -1 : j / LEAF);
      leaf *const *row = &h->table[bi][bj][at[2]];
      const int li = i & (LEAF - 1), lj = j & (LEAF - 1);
      float *to = in[i + 1][j + 1];

      to[0] = row[-1] ? row[-1]->x[li][lj][LEAF - 1] : 0;
      if (row[0]) memcpy(to + 1, row[0]->x[li][lj], LEAF * sizeof *to);
      else memset(to + 1, 0, LEAF * sizeof *to);
      to[LEAF + 1] = row[1] ? row[1]->x[li][lj][0] : 0;
    }
}

static void convolve_leaf(const float in[HALO][HALO][HALO], leaf *l)
{
  for (int i = 0; i < LEAF; i++)
    for (int j = 0; j < LEAF; j++) {
      float sum[LEAF] = { 0 };
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          for (int c = 0; c < 3; c++)
            for (int k = 0; k < LEAF; k++) sum[k] += weight[a][b][c] * in[i + a][j + b][k + c];
      memcpy(l->y[i][j], sum, sizeof sum);
    }
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t e = 0; e < h->length; e++) {
      const int32_t *at = h->list[e];
      float in[HALO][HALO][HALO];
      stage(h, at, in);
      convolve_leaf((const float (*)[HALO][HALO])in, h->table[at[0]][at[1]][at[2]]);
    }
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int64_t e = 0; e < h->length; e++) {
    const int32_t *at = h->list[e];
    const leaf *l = h->table[at[0]][at[1]][at[2]];
    for (int i = 0; i < LEAF; i++)
      for (int j = 0; j < LEAF; j++)
        for (int k = 0; k < LEAF; k++)
          *result += (double)l->y[i][j][k] *
                     ((8 * at[0] + i + 2 * (8 * at[1] + j) + 3 * (8 * at[2] + k)) & 7);
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "conv27", "ours", generated_create, NULL, generated_run, generated_after },
    { "conv27", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
