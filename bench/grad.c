/* The row grad: the adjoint of twenty steps of diffusion over leaves of 8^3, beside C by hand, and
 * beside the steps themselves ("primal": its result is that of the adjoint, which runs outside
 * the clock).
 *
 * By hand: leaves packed one behind the other, an array for each of the two adjoints, each leaf
 * with the numbers of the six beside it; a row of eight cells is a vector of GNU C.  "C" does what
 * an adjoint does: it adds to the adjoint of what was read, and sets that of what was assigned to
 * zero, in one pass behind the other.  "C-chain" knows that the step before has left zeros, and
 * stores instead.
 */
#include "grad.h"                      /* generated from bench/grad.sn */
#include "bench/contender.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 10 };                   /* there and back */

/* ---- generated; size: leaves along an axis ---- */

typedef struct generated {
  sn_context *context;
  grad_grid *grid;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(grad_grid_create(g->context, NULL, &g->grid));
  return grad_fill(g->grid, (int32_t)size);
}

static int generated_before(void *state)
{
  generated *g = state;
  return grad_seed(g->grid);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) {
    SN_TRY(grad_back_grad(g->grid));
    SN_TRY(grad_there_grad(g->grid));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return grad_sum_up(g->grid, result);
}

/* ---- the steps themselves ---- */

static int primal_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) {
    SN_TRY(grad_there(g->grid));
    SN_TRY(grad_back(g->grid));
  }
  return SN_OK;
}

static int primal_after(void *state, double *result)
{
  SN_TRY(generated_before(state));
  SN_TRY(generated_run(state));
  return generated_after(state, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef struct leaf { f32x8 row[8][8]; } leaf;

/* Leaf 0 is of zeros; beside[axis * 2 + side]. */
typedef struct by_hand {
  int n;
  int64_t count;
  leaf *x, *y;                         /* the adjoints */
  int32_t (*beside)[6];
} by_hand;

static int32_t number_of(const by_hand *h, int i, int j, int k)
{
  const int n = h->n;

  if (i < 0 || j < 0 || k < 0 || i >= n || j >= n || k >= n) return 0;
  return (i * n + j) * n + k + 1;
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
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        int32_t *beside = h->beside[number_of(h, i, j, k)];
        beside[0] = number_of(h, i - 1, j, k);
        beside[1] = number_of(h, i + 1, j, k);
        beside[2] = number_of(h, i, j - 1, k);
        beside[3] = number_of(h, i, j + 1, k);
        beside[4] = number_of(h, i, j, k - 1);
        beside[5] = number_of(h, i, j, k + 1);
      }
  return 0;
}

static float seed_of(int i, int j, int k) { return (float)((i + 2 * j + 3 * k) & 7); }

static int hand_before(void *state)
{
  const by_hand *h = state;

# pragma omp parallel for schedule(static)
  for (int bi = 0; bi < h->n; bi++)
    for (int bj = 0; bj < h->n; bj++)
      for (int bk = 0; bk < h->n; bk++) {
        const int32_t l = number_of(h, bi, bj, bk);
        memset(&h->y[l], 0, sizeof h->y[l]);
        for (int i = 0; i < 8; i++)
          for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
              h->x[l].row[i][j][k] = seed_of(8 * bi + 8 + i, 8 * bj + 8 + j, 8 * bk + 8 + k);
      }
  return 0;
}

/* Row j of plane i of the stencil, which is its own mirror. */
static inline f32x8 gather(const leaf *from, const int32_t *beside, int64_t number, int i, int j)
{
  const leaf *own_leaf = &from[number];
  const f32x8 own = own_leaf->row[i][j];
  const f32x8 less_i = i > 0 ? own_leaf->row[i - 1][j] : from[beside[0]].row[7][j];
  const f32x8 more_i = i < 7 ? own_leaf->row[i + 1][j] : from[beside[1]].row[0][j];
  const f32x8 less_j = j > 0 ? own_leaf->row[i][j - 1] : from[beside[2]].row[i][7];
  const f32x8 more_j = j < 7 ? own_leaf->row[i][j + 1] : from[beside[3]].row[i][0];
  const f32x8 less_k = __builtin_shufflevector(from[beside[4]].row[i][j], own, 7, 8, 9, 10, 11, 12,
                                               13, 14);
  const f32x8 more_k = __builtin_shufflevector(own, from[beside[5]].row[i][j], 1, 2, 3, 4, 5, 6, 7,
                                               8);

  return own + 0.125f * (less_i + more_i + less_j + more_j + less_k + more_k - 6.0f * own);
}

static void add_adjoint(const by_hand *h, leaf *to, leaf *from)
{
# pragma omp parallel for schedule(static)
  for (int64_t l = 1; l <= h->count; l++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        to[l].row[i][j] += gather(from, h->beside[l], l, i, j);
# pragma omp parallel for schedule(static)
  for (int64_t l = 1; l <= h->count; l++)
    memset(&from[l], 0, sizeof from[l]);
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
    add_adjoint(h, h->y, h->x);
    add_adjoint(h, h->x, h->y);
  }
  return 0;
}

static void store_adjoint(const by_hand *h, leaf *to, const leaf *from)
{
# pragma omp parallel for schedule(static)
  for (int64_t l = 1; l <= h->count; l++)
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        to[l].row[i][j] = gather(from, h->beside[l], l, i, j);
}

static int chain_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
    store_adjoint(h, h->y, h->x);
    store_adjoint(h, h->x, h->y);
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
        const leaf *x = &h->x[number_of(h, bi, bj, bk)];
        for (int i = 0; i < 8; i++)
          for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
              *result += (double)x->row[i][j][k] *
                         ((8 * bi + 8 + i + 3 * (8 * bj + 8 + j) + 2 * (8 * bk + 8 + k)) & 7);
      }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "grad", "ours", generated_create, generated_before, generated_run, generated_after },
    { "grad", "primal", generated_create, NULL, primal_run, primal_after },
    { "grad", "C", hand_create, hand_before, hand_run, hand_after },
    { "grad", "C-chain", hand_create, hand_before, chain_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
