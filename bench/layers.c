/* The row listgen: a loop over the leaves of a tree of three levels that does next to
 * nothing, so that what is measured is finding them: by the generated kernels of layers.sn and
 * in C written by hand, each time after one leaf has gone and another has come
 * (listgen_changed), and with nothing changed (listgen_unchanged).
 *
 * By hand: a table of blocks, in each a bit and an address for each of its 512 leaves. Each
 * thread counts the bits of its blocks, then writes its part of the list; a list is
 * kept until the next change.
 */
#include "layers.h"                    /* generated from bench/layers.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4096, LEAVES = 512, CELLS = 8, STEPS = 10 };

/* The leaf that goes in step s of all steps, and comes back in the next. */
static int32_t moving(int64_t step, int64_t size)
{
  uint32_t b = (uint32_t)(step * 7919 % size);

  while (scramble(b) & 1) b = (uint32_t)((b + 1) % size);
  return (int32_t)b;
}

/* ---- generated ---- */

typedef struct generated {
  sn_context *context;
  layers_layers *tree;
  int64_t size, step;
  double total;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  g->size = size;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(layers_layers_create(g->context, NULL, &g->tree));
  return layers_fill(g->tree, (int32_t)size);
}

static int generated_changed(void *state)
{
  generated *g = state;
  double once;

  g->total = 0;
  for (int s = 0; s < STEPS; s++) {
    SN_TRY(layers_change(g->tree, moving(g->step + 1, g->size), moving(g->step, g->size)));
    SN_TRY(layers_visit(g->tree, &once));
    g->total += once;
    g->step++;
  }
  return SN_OK;
}

/* That a list is kept is asked of the library's own count, each round. */
static int generated_unchanged(void *state)
{
  generated *g = state;
  double once, before, behind;

  g->total = 0;
  SN_TRY(layers_visit(g->tree, &once));
  SN_TRY(sn_stat_get(g->context, "listgen", &before));
  for (int s = 0; s < STEPS; s++) {
    SN_TRY(layers_visit(g->tree, &once));
    g->total += once;
  }
  SN_TRY(sn_stat_get(g->context, "listgen", &behind));
  if (behind != before) fprintf(stderr, "bench: an unchanged list was made again\n");
  return behind != before;
}

static int generated_after(void *state, double *result)
{
  *result = ((const generated *)state)->total;
  return 0;
}

/* ---- by hand ---- */

typedef struct leaf {
  float x[CELLS];
} leaf;

typedef struct block {
  uint64_t there[LEAVES / 64];
  leaf *leaves[LEAVES];
} block;

typedef struct by_hand {
  block *blocks[BLOCKS];
  leaf *pool, **free_leaves;
  int64_t used, free_count;
  leaf **list;
  int64_t length, size, step;
  double total;
} by_hand;

static int hand_put(by_hand *h, int32_t b)
{
  block **at = &h->blocks[b / LEAVES];
  const int l = b % LEAVES;

  if (!*at && !(*at = calloc(1, sizeof **at))) return -1;
  if ((*at)->there[l / 64] >> (l % 64) & 1) return 0;
  (*at)->there[l / 64] |= (uint64_t)1 << (l % 64);
  (*at)->leaves[l] = h->free_count ? h->free_leaves[--h->free_count] : &h->pool[h->used++];
  return 0;
}

static void hand_take_out(by_hand *h, int32_t b)
{
  block *at = h->blocks[b / LEAVES];
  const int l = b % LEAVES;

  if (!at || !(at->there[l / 64] >> (l % 64) & 1)) return;
  at->there[l / 64] &= ~((uint64_t)1 << (l % 64));
  memset(at->leaves[l], 0, sizeof *at->leaves[l]);
  h->free_leaves[h->free_count++] = at->leaves[l];
}

static int64_t hand_count(const by_hand *h, int first, int last)
{
  int64_t count = 0;

  for (int b = first; b < last; b++)
    for (int w = 0; h->blocks[b] && w < LEAVES / 64; w++)
      count += __builtin_popcountll(h->blocks[b]->there[w]);
  return count;
}

static void hand_place(const by_hand *h, int first, int last, leaf **at)
{
  for (int b = first; b < last; b++)
    for (int w = 0; h->blocks[b] && w < LEAVES / 64; w++)
      for (uint64_t rest = h->blocks[b]->there[w]; rest; rest &= rest - 1)
        *at++ = h->blocks[b]->leaves[64 * w + __builtin_ctzll(rest)];
}

static void hand_list(by_hand *h)
{
  int64_t counts[256];

# pragma omp parallel num_threads(omp_get_max_threads() < 256 ? omp_get_max_threads() : 256)
  {
    const int t = omp_get_thread_num(), threads = omp_get_num_threads();
    const int first = BLOCKS * t / threads, last = BLOCKS * (t + 1) / threads;
    int64_t before = 0;
    counts[t] = hand_count(h, first, last);
#   pragma omp barrier
    for (int before_t = 0; before_t < t; before_t++) before += counts[before_t];
    if (t == threads - 1) h->length = before + counts[t];
    hand_place(h, first, last, h->list + before);
  }
}

static double hand_visit(const by_hand *h)
{
  double total = 0;

# pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t e = 0; e < h->length; e++)
    for (int c = 0; c < CELLS; c++) total += (double)h->list[e]->x[c];
  return total;
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  const size_t most = (size_t)BLOCKS * LEAVES;

  if (!h) return -1;
  h->size = size;
  h->pool = bench_pages(most * sizeof *h->pool);
  h->list = bench_pages(most * sizeof *h->list);
  h->free_leaves = calloc(most, sizeof *h->free_leaves);
  if (!h->pool || !h->list || !h->free_leaves) return -1;
  for (int32_t b = 0; b < size; b++)
    if ((scramble((uint32_t)b) & 1) == 0) {
      if (hand_put(h, b)) return -1;
      for (int c = 0; c < CELLS; c++)
        h->blocks[b / LEAVES]->leaves[b % LEAVES]->x[c] = (float)(b & 15);
    }
  hand_list(h);
  *state = h;
  return 0;
}

static int hand_changed(void *state)
{
  by_hand *h = state;

  h->total = 0;
  for (int s = 0; s < STEPS; s++) {
    const int32_t back = moving(h->step, h->size);
    hand_take_out(h, moving(h->step + 1, h->size));
    if (hand_put(h, back)) return -1;
    h->blocks[back / LEAVES]->leaves[back % LEAVES]->x[0] = 1;
    hand_list(h);
    h->total += hand_visit(h);
    h->step++;
  }
  return 0;
}

static int hand_unchanged(void *state)
{
  by_hand *h = state;

  h->total = 0;
  for (int s = 0; s < STEPS; s++) h->total += hand_visit(h);
  return 0;
}

static int hand_after(void *state, double *result)
{
  *result = ((const by_hand *)state)->total;
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "listgen_changed", "ours", generated_create, NULL, generated_changed, generated_after },
    { "listgen_changed", "C", hand_create, NULL, hand_changed, hand_after },
    { "listgen_unchanged", "ours", generated_create, NULL, generated_unchanged,
      generated_after },
    { "listgen_unchanged", "C", hand_create, NULL, hand_unchanged, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
