/* The row gc_churn: cells come and go, a window of them that wanders: the generated
 * kernels of churn.sn beside C written by hand. The row activate: they come, the clock stands while
 * they go.
 *
 * By hand: a table of blocks of addresses; each thread keeps a magazine of free cells,
 * and exchanges half a magazine at a time with a stack that all share; to take all
 * out each walks its share of the blocks.
 */
#include "churn.h"                     /* generated from bench/churn.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = CHURN_PARTS, CELLS = 1024, ALL = BLOCKS * CELLS, STEPS = 5, WANDER = 700001 };

/* ---- generated ---- */

typedef struct generated {
  sn_context *context;
  churn_churn *tree;
  int32_t size;
  int64_t step;
  double total;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  g->size = (int32_t)size;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  return churn_churn_create(g->context, NULL, &g->tree);
}

static int generated_run(void *state)
{
  generated *g = state;
  double once;

  g->total = 0;
  for (int s = 0; s < STEPS; s++, g->step++) {
    SN_TRY(churn_come(g->tree, (int32_t)(g->step * WANDER % ALL), g->size));
    SN_TRY(churn_go(g->tree, &once));
    g->total += once;
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  *result = ((const generated *)state)->total;
  return 0;
}

static int generated_before(void *state)
{
  generated *g = state;
  return churn_go(g->tree, &g->total);
}

static int generated_activate(void *state)
{
  generated *g = state;
  return churn_come(g->tree, 0, g->size);
}

static int generated_came(void *state, double *result)
{
  return churn_go(((generated *)state)->tree, result);
}

/* ---- by hand ---- */

typedef struct cell {
  float x;
} cell;

enum { HALF = 256, THREADS = 256, MOST = ALL + 2 * HALF * THREADS };

typedef struct worker {         /* lines of its own each */
  _Alignas(64) int count;
  cell *magazine[2 * HALF];
} worker;

typedef _Atomic(cell *) slot;

typedef struct by_hand {
  _Atomic(slot *) blocks[BLOCKS];
  cell *pool, **stack;          /* pool[used ..] was never taken */
  int64_t used, stacked;
  int64_t size, step;
  double total;
  worker workers[THREADS];
} by_hand;

static int hand_create(void **state, int64_t size)
{
  by_hand *h = aligned_alloc(64, sizeof *h);

  if (!h) return -1;
  memset(h, 0, sizeof *h);
  h->size = size;
  h->pool = bench_pages((size_t)MOST * sizeof *h->pool);
  h->stack = bench_pages((size_t)MOST * sizeof *h->stack);
  *state = h;
  return h->pool && h->stack ? 0 : -1;
}

/* The block, made by whoever comes first. */
static slot *hand_block(by_hand *h, int64_t b)
{
  slot *s = atomic_load_explicit(&h->blocks[b], memory_order_acquire), *mine;

  if (s) return s;
  mine = calloc(CELLS, sizeof *mine);
  if (atomic_compare_exchange_strong(&h->blocks[b], &s, mine)) return mine;
  free(mine);
  return s;
}

static void hand_refill(by_hand *h, worker *w)
{
# pragma omp critical
  for (; w->count < HALF; w->count++)
    w->magazine[w->count] = h->stacked ? h->stack[--h->stacked] : &h->pool[h->used++];
}

static void hand_unload(by_hand *h, worker *w)
{
# pragma omp critical
  for (; w->count > HALF; w->count--) h->stack[h->stacked++] = w->magazine[w->count - 1];
}

static inline cell *hand_take(by_hand *h, worker *w)
{
  if (w->count == 0) hand_refill(h, w);
  return w->magazine[--w->count];
}

static inline void hand_give_back(by_hand *h, worker *w, cell *c)
{
  c->x = 0;
  if (w->count == 2 * HALF) hand_unload(h, w);
  w->magazine[w->count++] = c;
}

static cell *hand_activate(by_hand *h, worker *w, int64_t i)
{
  slot *s = hand_block(h, i / CELLS) + i % CELLS;
  cell *c = atomic_load_explicit(s, memory_order_acquire), *mine;

  if (c) return c;
  mine = hand_take(h, w);
  if (atomic_compare_exchange_strong_explicit(s, &c, mine, memory_order_acq_rel,
                                              memory_order_acquire))
    return mine;
  hand_give_back(h, w, mine);
  return c;
}

static void hand_come(by_hand *h, int64_t first)
{
# pragma omp parallel
  {
    worker *w = &h->workers[omp_get_thread_num()];
#   pragma omp for schedule(static)
    for (int64_t q = 0; q < h->size; q++)
      hand_activate(h, w, (first + q) % ALL)->x = (float)(q & 255);
  }
}

static double hand_go(by_hand *h)
{
  double total = 0;

# pragma omp parallel reduction(+ : total)
  {
    worker *w = &h->workers[omp_get_thread_num()];
#   pragma omp for schedule(dynamic, 16)
    for (int b = 0; b < BLOCKS; b++) {
      slot *s = atomic_load_explicit(&h->blocks[b], memory_order_relaxed);
      for (int l = 0; s && l < CELLS; l++) {
        cell *c = atomic_load_explicit(&s[l], memory_order_relaxed);
        if (!c) continue;
        total += (double)c->x;
        atomic_store_explicit(&s[l], NULL, memory_order_relaxed);
        hand_give_back(h, w, c);
      }
    }
  }
  return total;
}

static int hand_run(void *state)
{
  by_hand *h = state;

  if (omp_get_max_threads() > THREADS) return -1;
  h->total = 0;
  for (int s = 0; s < STEPS; s++, h->step++) {
    hand_come(h, h->step * WANDER % ALL);
    h->total += hand_go(h);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  *result = ((const by_hand *)state)->total;
  return 0;
}

static int hand_before(void *state)
{
  by_hand *h = state;

  h->total = hand_go(h);
  return 0;
}

static int hand_activate_all(void *state)
{
  by_hand *h = state;

  if (omp_get_max_threads() > THREADS) return -1;
  hand_come(h, 0);
  return 0;
}

static int hand_came(void *state, double *result)
{
  *result = hand_go(state);
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "gc_churn", "ours", generated_create, NULL, generated_run, generated_after },
    { "gc_churn", "C", hand_create, NULL, hand_run, hand_after },
    { "activate", "ours", generated_create, generated_before, generated_activate, generated_came },
    { "activate", "C", hand_create, hand_before, hand_activate_all, hand_came },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
