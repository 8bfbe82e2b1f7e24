/* The row heat: a step of diffusion by the four neighbours of each cell of a dense field: the
 * generated kernels of heat.sn beside the two nested loops that C has for it, which gcc and clang
 * turn into vectors by themselves. size: how many steps.
 */
#include "heat.h"                      /* generated from bench/heat.sn */
#include "bench/contender.h"

#include <stdlib.h>

enum { N = HEAT_N };

/* ---- generated ---- */

typedef struct generated {
  sn_context *context;
  heat_x_tree *x;
  heat_y_tree *y;
  int64_t steps;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  g->steps = size;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(heat_x_tree_create(g->context, NULL, &g->x));
  SN_TRY(heat_y_tree_create(g->context, NULL, &g->y));
  return heat_fill(g->x, g->y);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int64_t s = 0; s < g->steps; s++) SN_TRY(heat_step(g->x, g->y));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return heat_sum_up(g->y, result);
}

/* ---- by hand ---- */

typedef struct by_hand {
  float (*x)[N], (*y)[N];
  int64_t steps;
} by_hand;

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);

  if (!h) return -1;
  *state = h;
  h->steps = size;
  h->x = bench_pages(sizeof(float) * N * N);
  h->y = bench_pages(sizeof(float) * N * N);
  if (!h->x || !h->y) return -1;
# pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      h->x[i][j] = (float)((i * 5 + j * 3) & 15);
      h->y[i][j] = 0;
    }
  return 0;
}

static void hand_step(float (*restrict y)[N], float (*restrict x)[N])
{
# pragma omp parallel for schedule(static)
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      y[i][j] = x[i][j] + 0.125f * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1] -
                                    4.0f * x[i][j]);
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int64_t s = 0; s < h->steps; s++) hand_step(h->y, h->x);
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) *result += (double)h->y[i][j] * ((i + 2 * j) & 7);
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "heat", "ours", generated_create, NULL, generated_run, generated_after },
    { "heat", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
