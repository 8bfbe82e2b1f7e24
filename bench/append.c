/* The rows append_one, append_many and append_scattered: appends into one list, and into
 * 10^5 of them in turn or in no order, by the generated kernels of append.sn beside C
 * written by hand.
 *
 *   one list   an array of the greatest length, and a counter that all share
 *   many       a list is 128 bytes: its length, its first 27 values, and the addresses of two
 *              further chunks, swapped in by whoever needs them first
 */
#include "append.h"                    /* generated from bench/append.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ONE = 1 << 24, LISTS = 100000 };

/* ---- generated ---- */

typedef struct generated {
  sn_context *context;
  append_one *one;
  append_many *many;
  int32_t size;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  g->size = (int32_t)size;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(append_one_create(g->context, NULL, &g->one));
  return append_many_create(g->context, NULL, &g->many);
}

static int generated_clear_one(void *state)
{
  return append_clear_one(((generated *)state)->one);
}

static int generated_clear_many(void *state)
{
  return append_clear_many(((generated *)state)->many);
}

static int generated_one(void *state)
{
  generated *g = state;
  return append_to_one(g->one, g->size);
}

static int generated_many(void *state)
{
  generated *g = state;
  return append_to_many(g->many, g->size);
}

static int generated_scattered(void *state)
{
  generated *g = state;
  return append_to_scattered(g->many, g->size);
}

static int generated_sum_one(void *state, double *result)
{
  return append_sum_one(((generated *)state)->one, result);
}

static int generated_sum_many(void *state, double *result)
{
  return append_sum_many(((generated *)state)->many, result);
}

/* ---- by hand, one list ---- */

typedef struct hand_one {
  int32_t *values;
  int64_t size;
  _Alignas(64) atomic_llong length;
} hand_one;

static int one_create(void **state, int64_t size)
{
  hand_one *h = aligned_alloc(64, sizeof *h);

  if (!h) return -1;
  memset(h, 0, sizeof *h);
  h->size = size;
  h->values = bench_pages(ONE * sizeof *h->values);
  *state = h;
  return h->values ? 0 : -1;
}

static int one_clear(void *state)
{
  atomic_store(&((hand_one *)state)->length, 0);
  return 0;
}

static int one_run(void *state)
{
  hand_one *h = state;

# pragma omp parallel for schedule(static)
  for (int64_t q = 0; q < h->size; q++) {
    const int64_t at = atomic_fetch_add_explicit(&h->length, 1, memory_order_relaxed);
    if (at < ONE) h->values[at] = (int32_t)q;
  }
  return 0;
}

static int one_sum(void *state, double *result)
{
  const hand_one *h = state;
  const int64_t length = h->length;

  *result = 0;
  for (int64_t at = 0; at < length; at++) *result += (double)h->values[at];
  return 0;
}

/* ---- by hand, many lists ---- */

enum { FIRST = 27, SECOND = 128, THIRD = 1024 };

typedef _Atomic(int32_t *) chunk;

typedef struct part {
  atomic_int length;
  int32_t first[FIRST];
  chunk more[2];
} part;

typedef struct hand_many {
  part *parts;
  int32_t *pool;                /* of chunks; [0 .. used) are taken */
  int64_t size;
  _Alignas(64) atomic_llong used;
} hand_many;

enum { POOL = LISTS * (SECOND + THIRD) };

static int many_create(void **state, int64_t size)
{
  hand_many *h = aligned_alloc(64, sizeof *h);

  if (!h) return -1;
  memset(h, 0, sizeof *h);
  h->size = size;
  h->parts = bench_pages(LISTS * sizeof *h->parts);
  h->pool = bench_pages(2 * (size_t)POOL * sizeof *h->pool);
  *state = h;
  return h->parts && h->pool ? 0 : -1;
}

static int many_clear(void *state)
{
  hand_many *h = state;

# pragma omp parallel for schedule(static)
  for (int l = 0; l < LISTS; l++) {
    atomic_store_explicit(&h->parts[l].length, 0, memory_order_relaxed);
    for (int m = 0; m < 2; m++)
      atomic_store_explicit(&h->parts[l].more[m], NULL, memory_order_relaxed);
  }
  atomic_store(&h->used, 0);
  return 0;
}

/* Of two that come at once one takes memory for nothing: there is twice as much. */
static int32_t *many_chunk(hand_many *h, chunk *c, int count)
{
  int32_t *there = atomic_load_explicit(c, memory_order_acquire), *mine;

  if (there) return there;
  mine = h->pool + atomic_fetch_add_explicit(&h->used, count, memory_order_relaxed);
  return atomic_compare_exchange_strong(c, &there, mine) ? mine : there;
}

static inline int32_t *many_place(hand_many *h, part *p, int at)
{
  if (at < FIRST) return &p->first[at];
  if (at < FIRST + SECOND) return many_chunk(h, &p->more[0], SECOND) + (at - FIRST);
  return many_chunk(h, &p->more[1], THIRD) + (at - FIRST - SECOND);
}

static inline void many_append(hand_many *h, uint32_t l, int32_t value)
{
  part *p = &h->parts[l];
  const int at = atomic_fetch_add_explicit(&p->length, 1, memory_order_relaxed);
  if (at < FIRST + SECOND + THIRD) *many_place(h, p, at) = value;
}

static int many_run(void *state)
{
  hand_many *h = state;

# pragma omp parallel for schedule(static)
  for (int64_t q = 0; q < h->size; q++) many_append(h, (uint32_t)q % LISTS, (int32_t)q);
  return 0;
}

static int many_scattered(void *state)
{
  hand_many *h = state;

# pragma omp parallel for schedule(static)
  for (int64_t q = 0; q < h->size; q++)
    many_append(h, scramble((uint32_t)q) % LISTS, (int32_t)q);
  return 0;
}

static int many_sum(void *state, double *result)
{
  hand_many *h = state;

  *result = 0;
  for (int l = 0; l < LISTS; l++) {
    const int length = atomic_load(&h->parts[l].length);
    for (int at = 0; at < length; at++) *result += (double)*many_place(h, &h->parts[l], at);
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "append_one", "ours", generated_create, generated_clear_one, generated_one,
      generated_sum_one },
    { "append_one", "C", one_create, one_clear, one_run, one_sum },
    { "append_many", "ours", generated_create, generated_clear_many, generated_many,
      generated_sum_many },
    { "append_many", "C", many_create, many_clear, many_run, many_sum },
    { "append_scattered", "ours", generated_create, generated_clear_many, generated_scattered,
      generated_sum_many },
    { "append_scattered", "C", many_create, many_clear, many_scattered, many_sum },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
