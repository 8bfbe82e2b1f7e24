/* The row deep_hierarchy: a gather of two neighbours below five sparse levels, and the
 * first touch of such a tree: the generated kernels of deep.sn beside C written by hand.
 *
 * By hand: the five levels of tables; for the gather a list of the leaves, each
 * with the addresses of its two neighbours (a leaf of zeros where there is none).
 */
#include "deep.h"                      /* generated from bench/deep.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FAN = 8, LEVELS = 5, LEAVES = FAN * FAN * FAN * FAN * FAN, CELLS = 64, STEPS = 20 };

static int is_there(int32_t b)
{
  return (scramble((uint32_t)b) & 3) != 0;
}

/* ---- generated; size: cells ---- */

typedef struct generated {
  sn_context *context;
  deep_deep *tree;
  int32_t size;
} generated;

/* Nothing is touched yet, but the threads are there. */
static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  g->size = (int32_t)size;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(deep_deep_create(g->context, NULL, &g->tree));
  return deep_fill(g->tree, 64);
}

static int generated_filled(void **state, int64_t size)
{
  SN_TRY(generated_create(state, size));
  return deep_fill(((generated *)*state)->tree, (int32_t)size);
}

static int generated_touch(void *state)
{
  generated *g = state;
  return deep_fill(g->tree, g->size);
}

static int generated_gather(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) SN_TRY(deep_gather(g->tree, g->size));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return deep_sum_up(g->tree, result);
}

/* ---- by hand ---- */

typedef struct leaf {
  float x[CELLS], y[CELLS];
} leaf;

typedef _Atomic(void *) slot;

typedef struct entry {
  int32_t first;                /* index of its first cell */
  leaf *own;
  const leaf *before, *behind;
} entry;

typedef struct by_hand {
  slot root[FAN];
  char *pool;                   /* tables and leaves, from one end to the other */
  atomic_size_t used;
  entry *list;
  int64_t length;
  leaf zero;
  int32_t size;
} by_hand;

/* Before a loop of many: a run of memory that is this thread's own. */
typedef struct worker {
  char *at, *end;
} worker;

enum { RUN = 1 << 16 };

static void *hand_take(by_hand *h, worker *w, size_t bytes)
{
  void *taken;

  if (w->at + bytes > w->end || !w->at) {
    w->at = h->pool + atomic_fetch_add_explicit(&h->used, RUN, memory_order_relaxed);
    w->end = w->at + RUN;
  }
  taken = w->at;
  w->at += bytes;
  return taken;
}

/* What the slot holds, put there by whoever comes first: of two that come at once one
 * has taken memory for nothing. */
static void *hand_below(by_hand *h, worker *w, slot *s, size_t bytes)
{
  void *p = atomic_load_explicit(s, memory_order_acquire), *mine;

  if (p) return p;
  mine = hand_take(h, w, bytes);
  return atomic_compare_exchange_strong(s, &p, mine) ? mine : p;
}

static leaf *hand_activate(by_hand *h, worker *w, int32_t b)
{
  slot *table = h->root;

  for (int level = LEVELS - 1; level > 0; level--)
    table = hand_below(h, w, &table[b >> (3 * level) & (FAN - 1)], FAN * sizeof *table);
  return hand_below(h, w, &table[b & (FAN - 1)], sizeof(leaf));
}

static const leaf *hand_look(by_hand *h, int32_t b)
{
  slot *table = h->root;

  if (b < 0 || b >= h->size / CELLS) return &h->zero;
  for (int level = LEVELS - 1; level > 0 && table; level--)
    table = atomic_load_explicit(&table[b >> (3 * level) & (FAN - 1)], memory_order_relaxed);
  table = table ? atomic_load_explicit(&table[b & (FAN - 1)], memory_order_relaxed) : NULL;
  return table ? (const leaf *)table : &h->zero;
}

static void hand_fill(by_hand *h, int32_t n)
{
# pragma omp parallel
  {
    worker w = { NULL, NULL };
#   pragma omp for schedule(static)
    for (int32_t b = 0; b < n / CELLS; b++)
      if (is_there(b)) {
        leaf *l = hand_activate(h, &w, b);
        for (int c = 0; c < CELLS; c++) l->x[c] = (float)((b * CELLS + c) & 255);
      }
  }
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);

  if (!h) return -1;
  h->size = (int32_t)size;
  h->pool = bench_pages(2 * (size_t)LEAVES * (sizeof(leaf) + FAN * sizeof(slot)));
  *state = h;
  if (!h->pool) return -1;
  hand_fill(h, CELLS);
  return 0;
}

static int hand_filled(void **state, int64_t size)
{
  by_hand *h;

  if (hand_create(state, size)) return -1;
  h = *state;
  hand_fill(h, h->size);
  h->list = calloc(LEAVES, sizeof *h->list);
  if (!h->list) return -1;
  for (int32_t b = 0; b < h->size / CELLS; b++)
    if (hand_look(h, b) != &h->zero) {
      const entry e = { b * CELLS, (leaf *)hand_look(h, b), hand_look(h, b - 1),
                        hand_look(h, b + 1) };
      h->list[h->length++] = e;
    }
  return 0;
}

static int hand_touch(void *state)
{
  by_hand *h = state;

  hand_fill(h, h->size);
  return 0;
}

static void gather_leaf(const entry *e, int32_t n)
{
  const float *restrict x = e->own->x;
  float *restrict y = e->own->y;

  if (e->first > 0) y[0] += e->before->x[CELLS - 1] + x[1];
  for (int c = 1; c < CELLS - 1; c++) y[c] += x[c - 1] + x[c + 1];
  if (e->first + CELLS < n) y[CELLS - 1] += x[CELLS - 2] + e->behind->x[0];
}

static int hand_gather(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int64_t e = 0; e < h->length; e++) gather_leaf(&h->list[e], h->size);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  by_hand *h = state;

  *result = 0;
  for (int32_t b = 0; b < h->size / CELLS; b++) {
    const leaf *l = hand_look(h, b);
    for (int c = 0; c < CELLS; c++) *result += (double)l->x[c] + (double)l->y[c];
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "deep_touch", "ours", generated_create, NULL, generated_touch, generated_after },
    { "deep_touch", "C", hand_create, NULL, hand_touch, hand_after },
    { "deep_gather", "ours", generated_filled, NULL, generated_gather, generated_after },
    { "deep_gather", "C", hand_filled, NULL, hand_gather, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
