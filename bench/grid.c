/* The rows fill, fill_clear and random_read on pointer.dense(8^3): the generated kernels
 * of grid.sn beside C written by hand.
 *
 * By hand: a table of leaves, each taken from a pool that is zero, so that what is not
 * written reads as 0; who finds no leaf swaps one in, and keeps the one that came too
 * late for the next time.  The sweep goes leaf by leaf, a row of eight cells at a time.
 */
#include "grid.h"                      /* generated from bench/grid.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = GRID_BITS, ALL = 1 << BITS, LAST = ALL - 1, SIDE = ALL / 8, ROUNDS = 20 };

/* ---- generated ---- */

typedef struct generated {
  sn_context *context;
  grid_grid *tree;
  int32_t size;
  double sum;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  g->size = (int32_t)size;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  return grid_grid_create(g->context, NULL, &g->tree);
}

static int generated_full(void **state, int64_t size)
{
  SN_TRY(generated_create(state, size));
  return grid_sweep(((generated *)*state)->tree, ALL);
}

static int generated_clear(void *state)
{
  generated *g = state;
  return grid_clear(g->tree);
}

static int generated_sweep(void *state)
{
  generated *g = state;
  return grid_sweep(g->tree, g->size);
}

static int generated_scatter(void *state)
{
  generated *g = state;
  return grid_scatter(g->tree, g->size);
}

static int generated_fill_clear(void *state)
{
  generated *g = state;

  for (int round = 0; round < ROUNDS; round++) {
    SN_TRY(grid_clear(g->tree));
    SN_TRY(grid_sweep(g->tree, g->size));
  }
  return SN_OK;
}

static int generated_far(void *state)
{
  generated *g = state;
  return grid_far(g->tree, g->size, &g->sum);
}

static int generated_near(void *state)
{
  generated *g = state;
  return grid_near(g->tree, g->size, &g->sum);
}

static int generated_stored(void *state, double *result)
{
  generated *g = state;
  return grid_sum_up(g->tree, result);
}

static int generated_read(void *state, double *result)
{
  generated *g = state;

  *result = g->sum;
  return 0;
}

/* ---- by hand ---- */

typedef struct leaf {
  float x[512];
} leaf;

typedef struct by_hand {
  _Atomic(leaf *) leaves[SIDE * SIDE * SIDE];
  leaf *pool;                   /* [0 .. used) are taken; all behind are zero */
  atomic_int used;
  int32_t size;
  double sum;
} by_hand;

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const size_t most = SIDE * SIDE * SIDE + (size_t)omp_get_max_threads();

  if (!h) return -1;
  h->pool = bench_pages(most * sizeof *h->pool);
  h->size = (int32_t)size;
  *state = h;
  return h->pool ? 0 : -1;
}

static inline int table_place(int32_t i, int32_t j, int32_t k)
{
  return ((i >> 3) * SIDE + (j >> 3)) * SIDE + (k >> 3);
}

static inline int leaf_place(int32_t i, int32_t j, int32_t k)
{
  return ((i & 7) * 8 + (j & 7)) * 8 + (k & 7);
}

/* Acquire and release: whoever sees a leaf's address sees the leaf. */
static inline leaf *leaf_at(by_hand *h, int place, leaf **spare)
{
  leaf *l = atomic_load_explicit(&h->leaves[place], memory_order_acquire);

  if (l) return l;
  if (!*spare) *spare = &h->pool[atomic_fetch_add_explicit(&h->used, 1, memory_order_relaxed)];
  if (!atomic_compare_exchange_strong_explicit(&h->leaves[place], &l, *spare,
                                               memory_order_acq_rel, memory_order_acquire))
    return l;
  l = *spare;
  *spare = NULL;
  return l;
}

static inline int32_t least(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

/* The part of block (bi, bj, bk) that lies in n^3. */
static void sweep_leaf(by_hand *h, int32_t n, int32_t bi, int32_t bj, int32_t bk, leaf **spare)
{
  leaf *l = leaf_at(h, table_place(bi, bj, bk), spare);
  const int32_t k_last = least(bk + 8, n);

  for (int32_t i = bi; i < least(bi + 8, n); i++)
    for (int32_t j = bj; j < least(bj + 8, n); j++) {
      float *row = &l->x[leaf_place(i, j, 0)];
      if (k_last == bk + 8)
        for (int32_t k = 0; k < 8; k++) row[k] = (float)(i + 2 * j + 3 * (bk + k));
      else
        for (int32_t k = bk; k < k_last; k++) row[k - bk] = (float)(i + 2 * j + 3 * k);
    }
}

static void hand_sweep_to(by_hand *h, int32_t n)
{
# pragma omp parallel
  {
    leaf *spare = NULL;
#   pragma omp for collapse(2) schedule(static)
    for (int32_t bi = 0; bi < n; bi += 8)
      for (int32_t bj = 0; bj < n; bj += 8)
        for (int32_t bk = 0; bk < n; bk += 8) sweep_leaf(h, n, bi, bj, bk, &spare);
  }
}

static int hand_full(void **state, int64_t size)
{
  if (hand_create(state, size)) return -1;
  hand_sweep_to(*state, ALL);
  return 0;
}

static int hand_sweep(void *state)
{
  by_hand *h = state;

  hand_sweep_to(h, h->size);
  return 0;
}

static int hand_scatter(void *state)
{
  by_hand *h = state;

# pragma omp parallel
  {
    leaf *spare = NULL;
#   pragma omp for schedule(static)
    for (int32_t q = 0; q < h->size; q++) {
      const int32_t at = (int32_t)(scramble((uint32_t)q) & ((1u << 3 * BITS) - 1));
      const int32_t i = at >> 2 * BITS, j = at >> BITS & LAST, k = at & LAST;
      leaf_at(h, table_place(i, j, k), &spare)->x[leaf_place(i, j, k)] =
        (float)(i + 2 * j + 3 * k);
    }
  }
  return 0;
}

static int hand_clear(void *state)
{
  by_hand *h = state;
  const int used = atomic_load(&h->used);

# pragma omp parallel for schedule(static)
  for (int l = 0; l < used; l++) memset(&h->pool[l], 0, sizeof h->pool[l]);
  memset(h->leaves, 0, sizeof h->leaves);
  atomic_store(&h->used, 0);
  return 0;
}

static int hand_fill_clear(void *state)
{
  by_hand *h = state;

  for (int round = 0; round < ROUNDS; round++) {
    hand_clear(h);
    hand_sweep_to(h, h->size);
  }
  return 0;
}

static inline float value_at(by_hand *h, int32_t i, int32_t j, int32_t k)
{
  const leaf *l = atomic_load_explicit(&h->leaves[table_place(i, j, k)], memory_order_relaxed);
  return l ? l->x[leaf_place(i, j, k)] : 0;
}

static int hand_far(void *state)
{
  by_hand *h = state;
  double sum = 0;

# pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int32_t q = 0; q < h->size; q++) {
    const int32_t at = (int32_t)(scramble((uint32_t)q) & ((1u << 3 * BITS) - 1));
    sum += (double)value_at(h, at >> 2 * BITS, at >> BITS & LAST, at & LAST);
  }
  h->sum = sum;
  return 0;
}

static int hand_near(void *state)
{
  by_hand *h = state;
  double sum = 0;

# pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int32_t q = 0; q < h->size; q++) {
    const int32_t b = (int32_t)(scramble((uint32_t)q) & 63);
    const int32_t i = ((q >> 2 * BITS) + (b & 1) - (b >> 1 & 1)) & LAST;
    const int32_t j = ((q >> BITS) + (b >> 2 & 1) - (b >> 3 & 1)) & LAST;
    const int32_t k = (q + (b >> 4 & 1) - (b >> 5 & 1)) & LAST;
    sum += (double)value_at(h, i, j, k);
  }
  h->sum = sum;
  return 0;
}

static int hand_stored(void *state, double *result)
{
  by_hand *h = state;
  double sum = 0;

# pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int p = 0; p < SIDE * SIDE * SIDE; p++) {
    const leaf *l = atomic_load_explicit(&h->leaves[p], memory_order_relaxed);
    for (int c = 0; l && c < 512; c++) sum += (double)l->x[c];
  }
  *result = sum;
  return 0;
}

static int hand_read(void *state, double *result)
{
  by_hand *h = state;

  *result = h->sum;
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "fill_sweeping", "ours", generated_create, generated_clear, generated_sweep,
      generated_stored },
    { "fill_sweeping", "C", hand_create, hand_clear, hand_sweep, hand_stored },
    { "fill_random", "ours", generated_create, generated_clear, generated_scatter,
      generated_stored },
    { "fill_random", "C", hand_create, hand_clear, hand_scatter, hand_stored },
    { "fill_clear", "ours", generated_create, NULL, generated_fill_clear, generated_stored },
    { "fill_clear", "C", hand_create, NULL, hand_fill_clear, hand_stored },
    { "read_far", "ours", generated_full, NULL, generated_far, generated_read },
    { "read_far", "C", hand_full, NULL, hand_far, hand_read },
    { "read_near", "ours", generated_full, NULL, generated_near, generated_read },
    { "read_near", "C", hand_full, NULL, hand_near, hand_read },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
