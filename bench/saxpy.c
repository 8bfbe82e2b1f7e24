/* The row saxpy: y += a x on a sparse tree of 8^3 leaves, half of them there: the generated
 * kernel of saxpy.sn beside C written by hand.
 *
 *   C        leaf by leaf, the leaves of each field in an array of their own (with x and
 *            y of a leaf beside each other it took 2.5 times as long)
 *   C, flat  two plain arrays of as many values: what the memory gives
 */
#include "saxpy.h"                     /* generated from bench/saxpy.sn */
#include "bench/contender.h"

#include <stdlib.h>

enum { SIDE = SAXPY_SIDE, CELLS = 512 };

static const float a = 0.5f;           /* exact: all contenders agree bit for bit */

/* ---- generated: size is the number of steps a run ---- */

typedef struct generated {
  sn_context *context;
  saxpy_grid *tree;
  int64_t steps;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  g->steps = size;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(saxpy_grid_create(g->context, NULL, &g->tree));
  return saxpy_fill(g->tree);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int64_t s = 0; s < g->steps; s++) SN_TRY(saxpy_saxpy(g->tree, a));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return saxpy_sum_up(g->tree, result);
}

/* ---- by hand ---- */

typedef struct leaf {
  float cell[CELLS];
} leaf;

typedef struct blocked {
  int64_t steps, count;
  leaf *x, *y;
} blocked;

static void fill_leaf(int block, float *x, float *y)
{
  const int bi = block / (SIDE * SIDE), bj = block / SIDE % SIDE, bk = block % SIDE;

  for (int c = 0; c < CELLS; c++) {
    x[c] = (float)(8 * bi + c / 64);
    y[c] = (float)(8 * bj + c / 8 % 8 + 8 * bk + c % 8);
  }
}

static int64_t leaves_there(void)
{
  int64_t count = 0;

  for (uint32_t block = 0; block < SIDE * SIDE * SIDE; block++)
    count += (scramble(block) & 1) == 0;
  return count;
}

static int blocked_create(void **state, int64_t size)
{
  blocked *b = calloc(1, sizeof *b);
  int64_t at = 0;

  if (!b) return -1;
  b->steps = size;
  b->count = leaves_there();
  b->x = bench_pages((size_t)b->count * sizeof *b->x);
  b->y = bench_pages((size_t)b->count * sizeof *b->y);
  if (!b->x || !b->y) return -1;
  for (int block = 0; block < SIDE * SIDE * SIDE; block++)
    if ((scramble((uint32_t)block) & 1) == 0) {
      fill_leaf(block, b->x[at].cell, b->y[at].cell);
      at++;
    }
  *state = b;
  return 0;
}

static int blocked_run(void *state)
{
  const blocked *b = state;

  for (int64_t s = 0; s < b->steps; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t l = 0; l < b->count; l++) {
      const float *restrict x = b->x[l].cell;
      float *restrict y = b->y[l].cell;
      for (int c = 0; c < CELLS; c++) y[c] += a * x[c];
    }
  }
  return 0;
}

static int blocked_after(void *state, double *result)
{
  const blocked *b = state;

  *result = 0;
  for (int64_t l = 0; l < b->count; l++)
    for (int c = 0; c < CELLS; c++) *result += (double)b->y[l].cell[c];
  return 0;
}

/* ---- flat ---- */

typedef struct flat {
  int64_t steps, count;
  float *x, *y;
} flat;

static int flat_create(void **state, int64_t size)
{
  flat *f = calloc(1, sizeof *f);
  int64_t at = 0;

  if (!f) return -1;
  f->steps = size;
  f->count = leaves_there() * CELLS;
  f->x = bench_pages((size_t)f->count * sizeof *f->x);
  f->y = bench_pages((size_t)f->count * sizeof *f->y);
  if (!f->x || !f->y) return -1;
  for (int block = 0; block < SIDE * SIDE * SIDE; block++)
    if ((scramble((uint32_t)block) & 1) == 0) {
      fill_leaf(block, &f->x[at], &f->y[at]);
      at += CELLS;
    }
  *state = f;
  return 0;
}

static int flat_run(void *state)
{
  const flat *f = state;
  const float *restrict x = f->x;
  float *restrict y = f->y;

  for (int64_t s = 0; s < f->steps; s++) {
#   pragma omp parallel for simd schedule(static)
    for (int64_t c = 0; c < f->count; c++) y[c] += a * x[c];
  }
  return 0;
}

static int flat_after(void *state, double *result)
{
  const flat *f = state;

  *result = 0;
  for (int64_t c = 0; c < f->count; c++) *result += (double)f->y[c];
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "saxpy", "ours", generated_create, NULL, generated_run, generated_after },
    { "saxpy", "C", blocked_create, NULL, blocked_run, blocked_after },
    { "saxpy", "C-flat", flat_create, NULL, flat_run, flat_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
