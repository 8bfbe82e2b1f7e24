/* The row multires: three resolutions of one shell of 8^3 leaves exchange values, averages on the
 * way up and corrections on the way down: the generated kernels of multires.sn beside C written by
 * hand.
 *
 * By hand: leaves packed one behind the other, each with the numbers of those below it; a row of
 * eight cells is a vector of GNU C.  "C" takes a coarse leaf with all that is below it at once, so
 * that the cells are read and written once a step; "C-levels" goes level by level, as the program
 * says.
 */
#include "multires.h"                  /* generated from bench/multires.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4, LEAVES = 64 };

/* ---- generated; size: the shell's radius in leaves ---- */

typedef struct generated {
  sn_context *context;
  multires_grids *grids;
  int32_t radius;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  g->radius = (int32_t)size;
  SN_TRY(sn_context_create(NULL, &g->context));
  return multires_grids_create(g->context, NULL, &g->grids);
}

static int generated_before(void *state)
{
  generated *g = state;
  return multires_fill(g->grids, g->radius);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) SN_TRY(multires_exchange(g->grids));
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return multires_sum_up(g->grids, result);
}

/* ---- by hand ---- */

typedef float f32x8 __attribute__((vector_size(32)));
typedef struct leaf { f32x8 row[8][8]; } leaf;

/* A level: leaf 0 is of zeros, for those that are not there.  below: the eight leaves of the next
 * finer level, as bits of i, j, k. */
typedef struct level {
  int n, count;                 /* leaves along an axis; leaves, the one of zeros not counted */
  leaf *leaves;
  int32_t *number;              /* by place: 0: none */
  int32_t (*below)[8];
} level;

typedef struct by_hand {
  int radius;
  level fine, mid, coarse;
} by_hand;

static int is_in_shell(int radius, int i, int j, int k)
{
  const int x = 2 * i + 1 - LEAVES, y = 2 * j + 1 - LEAVES, z = 2 * k + 1 - LEAVES;
  const int far = x * x + y * y + z * z, less = 2 * radius - 2, more = 2 * radius + 2;

  return far >= less * less && far <= more * more;
}

static int32_t *place_of(const level *l, int i, int j, int k)
{
  return &l->number[(i * l->n + j) * l->n + k];
}

static int open_level(level *l, int n)
{
  l->n = n;
  l->number = calloc((size_t)n * (size_t)n * (size_t)n, sizeof *l->number);
  return l->number ? 0 : -1;
}

/* Numbers in the order of places. */
static int number_level(level *l)
{
  for (int p = 0; p < l->n * l->n * l->n; p++)
    if (l->number[p]) l->number[p] = ++l->count;
  l->leaves = bench_pages(((size_t)l->count + 1) * sizeof *l->leaves);
  l->below = calloc((size_t)l->count + 1, sizeof *l->below);
  return l->leaves && l->below ? 0 : -1;
}

static void link_levels(level *above, const level *below)
{
  for (int i = 0; i < below->n; i++)
    for (int j = 0; j < below->n; j++)
      for (int k = 0; k < below->n; k++)
        above->below[*place_of(above, i / 2, j / 2, k / 2)][(i & 1) * 4 + (j & 1) * 2 + (k & 1)] =
          *place_of(below, i, j, k);
  memset(above->below[0], 0, sizeof *above->below);
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);

  if (!h) return -1;
  *state = h;
  h->radius = (int)size;
  if (open_level(&h->fine, LEAVES) || open_level(&h->mid, LEAVES / 2) ||
      open_level(&h->coarse, LEAVES / 4))
    return -1;
  for (int i = 0; i < LEAVES; i++)
    for (int j = 0; j < LEAVES; j++)
      for (int k = 0; k < LEAVES; k++)
        if (is_in_shell(h->radius, i, j, k))
          *place_of(&h->fine, i, j, k) = *place_of(&h->mid, i / 2, j / 2, k / 2) =
            *place_of(&h->coarse, i / 4, j / 4, k / 4) = 1;
  if (number_level(&h->fine) || number_level(&h->mid) || number_level(&h->coarse)) return -1;
  link_levels(&h->mid, &h->fine);
  link_levels(&h->coarse, &h->mid);
  return 0;
}

static void fill_leaf(leaf *l, int bi, int bj, int bk)
{
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++)
        l->row[i][j][k] = (float)(((8 * bi + i) * 5 + (8 * bj + j) * 3 + 8 * bk + k) & 15);
}

static int hand_before(void *state)
{
  const by_hand *h = state;

# pragma omp parallel for schedule(static)
  for (int i = 0; i < LEAVES; i++)
    for (int j = 0; j < LEAVES; j++)
      for (int k = 0; k < LEAVES; k++) {
        const int32_t number = *place_of(&h->fine, i, j, k);
        if (number) fill_leaf(&h->fine.leaves[number], i, j, k);
      }
  return 0;
}

/* Four rows that one row of the coarser level stands over, added up. */
static inline f32x8 four_rows(const leaf *x, int i, int j)
{
  return (x->row[i][j] + x->row[i][j + 1]) + (x->row[i + 1][j] + x->row[i + 1][j + 1]);
}

/* The averages of what is below. */
static inline void up(const level *finer, leaf *own, const int32_t *below)
{
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      const int32_t *pair = &below[(i >> 2) * 4 + (j >> 2) * 2];
      const f32x8 first = four_rows(&finer->leaves[pair[0]], 2 * i & 7, 2 * j & 7);
      const f32x8 second = four_rows(&finer->leaves[pair[1]], 2 * i & 7, 2 * j & 7);
      own->row[i][j] = 0.125f * (__builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14) +
                                 __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15));
    }
}

/* What a leaf gets of the one above it, in which it stands at bits i, j, k of `octant`. */
static inline void down(leaf *own, const leaf *above, int octant, float share)
{
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      const f32x8 row = above->row[(octant >> 2) * 4 + i / 2][(octant >> 1 & 1) * 4 + j / 2];
      const f32x8 twice = octant & 1 ? __builtin_shufflevector(row, row, 4, 4, 5, 5, 6, 6, 7, 7)
                                     : __builtin_shufflevector(row, row, 0, 0, 1, 1, 2, 2, 3, 3);
      own->row[i][j] = own->row[i][j] + share * (twice - own->row[i][j]);
    }
}

static inline void all_down(const level *finer, const leaf *own, const int32_t *below, float share)
{
  for (int octant = 0; octant < 8; octant++)
    if (below[octant]) down(&finer->leaves[below[octant]], own, octant, share);
}

/* A coarse leaf and all below it. */
static void exchange_at(const by_hand *h, int number)
{
  const int32_t *mids = h->coarse.below[number];
  leaf *own = &h->coarse.leaves[number];

  for (int m = 0; m < 8; m++)
    if (mids[m]) up(&h->fine, &h->mid.leaves[mids[m]], h->mid.below[mids[m]]);
  up(&h->mid, own, mids);
  for (int m = 0; m < 8; m++)
    if (mids[m]) {
      leaf *mid = &h->mid.leaves[mids[m]];
      down(mid, own, m, 0.5f);
      all_down(&h->fine, mid, h->mid.below[mids[m]], 0.25f);
    }
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
#   pragma omp parallel for schedule(dynamic, 4)
    for (int l = 1; l <= h->coarse.count; l++) exchange_at(h, l);
  }
  return 0;
}

static void exchange_by_levels(const by_hand *h)
{
# pragma omp parallel for schedule(static)
  for (int l = 1; l <= h->mid.count; l++) up(&h->fine, &h->mid.leaves[l], h->mid.below[l]);
# pragma omp parallel for schedule(static)
  for (int l = 1; l <= h->coarse.count; l++)
    up(&h->mid, &h->coarse.leaves[l], h->coarse.below[l]);
# pragma omp parallel for schedule(static)
  for (int l = 1; l <= h->coarse.count; l++)
    all_down(&h->mid, &h->coarse.leaves[l], h->coarse.below[l], 0.5f);
# pragma omp parallel for schedule(static)
  for (int l = 1; l <= h->mid.count; l++)
    all_down(&h->fine, &h->mid.leaves[l], h->mid.below[l], 0.25f);
}

static int levels_run(void *state)
{
  for (int s = 0; s < STEPS; s++) exchange_by_levels(state);
  return 0;
}

static double sum_of(const leaf *l, int bi, int bj, int bk)
{
  double total = 0;

  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      for (int k = 0; k < 8; k++)
        total += (double)l->row[i][j][k] * ((8 * bi + i + 2 * (8 * bj + j) + 3 * (8 * bk + k)) & 7);
  return total;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int i = 0; i < LEAVES; i++)
    for (int j = 0; j < LEAVES; j++)
      for (int k = 0; k < LEAVES; k++) {
        const int32_t number = *place_of(&h->fine, i, j, k);
        if (number) *result += sum_of(&h->fine.leaves[number], i, j, k);
      }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "multires", "ours", generated_create, generated_before, generated_run, generated_after },
    { "multires", "C", hand_create, hand_before, hand_run, hand_after },
    { "multires", "C-levels", hand_create, hand_before, levels_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
