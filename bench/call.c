/* The rows call_*: what a call costs: a kernel that does nothing, one of a serial task, one over 1,
 * 10 and 100 leaves of 64 cells, and one of 60 sweeps over the coarsest level of a multigrid, 8^3
 * cells: the generated kernels of call.sn beside C written by hand.
 *
 * "C" is a function that is not inlined, of one thread.  "region" does the same in a parallel
 * region of OpenMP: what a thread's share of so little work costs.
 */
#include "call.h"                      /* generated from bench/call.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 64, LEAVES_MOST = 100, SIDE = 8, SWEEPS = 60 };

#define NOT_INLINED __attribute__((noinline))

/* ---- generated; size: calls ---- */

typedef struct generated {
  sn_context *context;
  call_line *line;
  call_coarsest *coarsest;
  int64_t calls;
} generated;

static int generated_create(void **state, int64_t size, int32_t leaves)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  g->calls = size;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(call_line_create(g->context, NULL, &g->line));
  SN_TRY(call_coarsest_create(g->context, NULL, &g->coarsest));
  SN_TRY(call_start(g->coarsest));
  return call_fill(g->line, leaves);
}

static int generated_1(void **state, int64_t size)
{
  return generated_create(state, size, 1);
}

static int generated_10(void **state, int64_t size)
{
  return generated_create(state, size, 10);
}

static int generated_100(void **state, int64_t size)
{
  return generated_create(state, size, 100);
}

static int generated_nothing(void *state)
{
  generated *g = state;

  for (int64_t c = 0; c < g->calls; c++) SN_TRY(call_nothing(g->context));
  return SN_OK;
}

static int generated_count(void *state)
{
  generated *g = state;

  for (int64_t c = 0; c < g->calls; c++) SN_TRY(call_count(g->line));
  return SN_OK;
}

static int generated_add(void *state)
{
  generated *g = state;

  for (int64_t c = 0; c < g->calls; c++) SN_TRY(call_add(g->line));
  return SN_OK;
}

static int generated_relax(void *state)
{
  generated *g = state;

  for (int64_t c = 0; c < g->calls; c++) SN_TRY(call_relax(g->coarsest));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return call_sum_line(g->line, result);
}

static int generated_after_relax(void *state, double *result)
{
  generated *g = state;
  return call_sum_coarsest(g->coarsest, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef int32_t i32x8 __attribute__((vector_size(32)));

/* r and z have a border of zeros: plane, row; a row has one vector in front and one behind. */
typedef struct by_hand {
  int64_t calls;
  int32_t leaves, count;
  float x[LEAVES_MOST][LEAF];
  f32x8 r[SIDE + 2][SIDE + 2], z[SIDE + 2][SIDE + 2];
} by_hand;

static int hand_create(void **state, int64_t size, int32_t leaves)
{
  by_hand *h = bench_pages(sizeof *h);

  if (!h) return -1;
  *state = h;
  h->calls = size;
  h->leaves = leaves;
  for (int l = 0; l < leaves; l++)
    for (int c = 0; c < LEAF; c++) h->x[l][c] = (float)(c & 7);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      for (int k = 0; k < SIDE; k++)
        h->r[i + 1][j + 1][k] = (float)(((i * 5 + j * 3 + k * 7) & 15) - 8);
  return 0;
}

static int hand_1(void **state, int64_t size)
{
  return hand_create(state, size, 1);
}

static int hand_10(void **state, int64_t size)
{
  return hand_create(state, size, 10);
}

static int hand_100(void **state, int64_t size)
{
  return hand_create(state, size, 100);
}

NOT_INLINED static void nothing(by_hand *h)
{
  __asm__ volatile("" : : "r"(h) : "memory");
}

NOT_INLINED static void count(by_hand *h)
{
  h->count++;
}

static inline void add_leaf(float *x)
{
  for (int c = 0; c < LEAF; c++) x[c] += 1;
}

NOT_INLINED static void add(by_hand *h)
{
  for (int l = 0; l < h->leaves; l++) add_leaf(h->x[l]);
}

NOT_INLINED static void add_in_region(by_hand *h)
{
# pragma omp parallel for schedule(static)
  for (int l = 0; l < h->leaves; l++) add_leaf(h->x[l]);
}

/* The row's even cells, or its odd ones. */
static inline void relax_row(by_hand *h, int i, int j, i32x8 lanes)
{
  const f32x8 own = h->z[i][j], none = { 0 };
  const f32x8 less_k = __builtin_shufflevector(none, own, 7, 8, 9, 10, 11, 12, 13, 14);
  const f32x8 more_k = __builtin_shufflevector(own, none, 1, 2, 3, 4, 5, 6, 7, 8);
  const f32x8 all = (h->r[i][j] + h->z[i - 1][j] + h->z[i + 1][j] + h->z[i][j - 1] +
                     h->z[i][j + 1] + less_k + more_k) * (float)(1.0 / 6);

  h->z[i][j] = (f32x8)(((i32x8)all & lanes) | ((i32x8)own & ~lanes));
}

static inline void relax_plane(by_hand *h, int i, int sweep)
{
  static const i32x8 even = { -1, 0, -1, 0, -1, 0, -1, 0 };

  for (int j = 1; j <= SIDE; j++) relax_row(h, i, j, (i + j + sweep) & 1 ? ~even : even);
}

NOT_INLINED static void relax(by_hand *h)
{
  for (int s = 0; s < SWEEPS; s++)
    for (int i = 1; i <= SIDE; i++) relax_plane(h, i, s);
}

NOT_INLINED static void relax_in_regions(by_hand *h)
{
  for (int s = 0; s < SWEEPS; s++) {
#   pragma omp parallel for schedule(static)
    for (int i = 1; i <= SIDE; i++) relax_plane(h, i, s);
  }
}

static inline int hand_calls(by_hand *h, void (*function)(by_hand *))
{
  for (int64_t c = 0; c < h->calls; c++) function(h);
  return 0;
}

static int hand_nothing(void *h) { return hand_calls(h, nothing); }
static int hand_count(void *h) { return hand_calls(h, count); }
static int hand_add(void *h) { return hand_calls(h, add); }
static int region_add(void *h) { return hand_calls(h, add_in_region); }
static int hand_relax(void *h) { return hand_calls(h, relax); }
static int region_relax(void *h) { return hand_calls(h, relax_in_regions); }

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = h->count;
  for (int l = 0; l < h->leaves; l++)
    for (int c = 0; c < LEAF; c++) *result += (double)h->x[l][c] * (c & 7);
  return 0;
}

static int hand_after_relax(void *state, double *result)
{
  const by_hand *h = state;
  int64_t total = 0;

  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      for (int k = 0; k < SIDE; k++)
        total += (int64_t)(h->z[i + 1][j + 1][k] * 65536) * ((i + 2 * j + 3 * k) & 7);
  *result = (double)total;
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "call_nothing", "ours", generated_1, NULL, generated_nothing, generated_after },
    { "call_nothing", "C", hand_1, NULL, hand_nothing, hand_after },
    { "call_serial", "ours", generated_1, NULL, generated_count, generated_after },
    { "call_serial", "C", hand_1, NULL, hand_count, hand_after },
    { "call_1", "ours", generated_1, NULL, generated_add, generated_after },
    { "call_1", "C", hand_1, NULL, hand_add, hand_after },
    { "call_1", "region", hand_1, NULL, region_add, hand_after },
    { "call_10", "ours", generated_10, NULL, generated_add, generated_after },
    { "call_10", "C", hand_10, NULL, hand_add, hand_after },
    { "call_10", "region", hand_10, NULL, region_add, hand_after },
    { "call_100", "ours", generated_100, NULL, generated_add, generated_after },
    { "call_100", "C", hand_100, NULL, hand_add, hand_after },
    { "call_100", "region", hand_100, NULL, region_add, hand_after },
    { "call_sweeps", "ours", generated_1, NULL, generated_relax, generated_after_relax },
    { "call_sweeps", "C", hand_1, NULL, hand_relax, hand_after_relax },
    { "call_sweeps", "region", hand_1, NULL, region_relax, hand_after_relax },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
