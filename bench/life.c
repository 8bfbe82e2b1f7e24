/* The row life: Conway's Game of Life, a byte a cell, in tiles of 16^2, three quarters of them
 * there: the generated kernels of life.sn beside C written by hand.
 *
 * By hand: tiles packed one behind the other, both generations apart, each with the numbers of the
 * eight beside it (one of dead cells where there is none); a row of sixteen cells is one vector of
 * GNU C.  The sum of three cells side by side is made once for each row, and serves three rows.
 * (With a bit for each cell it would be another algorithm.)
 */
#include "life.h"                      /* generated from bench/life.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = LIFE_SIDE, TILE = 16, STEPS = 10 };      /* even: the generations change places */

/* ---- generated; size: tiles along an axis ---- */

typedef struct generated {
  sn_context *context;
  life_plane *plane;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(life_plane_create(g->context, NULL, &g->plane));
  return life_fill(g->plane, (int32_t)size);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s += 2) {
    SN_TRY(life_forth(g->plane));
    SN_TRY(life_back(g->plane));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return life_sum_up(g->plane, result);
}

/* ---- by hand ---- */

typedef uint8_t u8x16 __attribute__((vector_size(16)));
typedef struct tile { u8x16 row[TILE]; } tile;

/* Tile 0 is of dead cells; beside[3 * (di + 1) + dj + 1]. */
typedef struct by_hand {
  tile *generation[2];
  int32_t (*beside)[9], (*at)[2];
  int64_t count;
} by_hand;

static void hand_fill(by_hand *h, int64_t number, const int32_t table[SIDE][SIDE])
{
  const int32_t *at = h->at[number];

  for (int o = 0; o < 9; o++)
    h->beside[number][o] = table[at[0] + o / 3 - 1][at[1] + o % 3 - 1];
  for (int i = 0; i < TILE; i++)
    for (int j = 0; j < TILE; j++) {
      const uint32_t q = (uint32_t)((at[0] * TILE + i) * SIDE * TILE + at[1] * TILE + j);
      h->generation[0][number].row[i][j] = scramble(q) >> 5 & 1;
    }
}

static int hand_create(void **state, int64_t size)
{
  static int32_t table[SIDE][SIDE];
  by_hand *h = calloc(1, sizeof *h);
  const size_t most = (size_t)(size * size + 1);

  if (!h) return -1;
  *state = h;
  h->generation[0] = bench_pages(most * sizeof(tile));
  h->generation[1] = bench_pages(most * sizeof(tile));
  h->beside = calloc(most, sizeof *h->beside);
  h->at = calloc(most, sizeof *h->at);
  if (!h->generation[0] || !h->generation[1] || !h->beside || !h->at) return -1;
  for (int i = 1; i <= size; i++)
    for (int j = 1; j <= size; j++)
      if ((scramble((uint32_t)(i * SIDE + j)) & 3) != 0) {
        const int32_t at[2] = { i, j };
        table[i][j] = (int32_t)++h->count;
        memcpy(h->at[h->count], at, sizeof at);
      }
# pragma omp parallel for schedule(static)
  for (int64_t t = 1; t <= h->count; t++) hand_fill(h, t, (const int32_t (*)[SIDE])table);
  return 0;
}

/* Each cell of a row with the one on its left and on its right. */
static inline u8x16 three(const tile *left, const tile *own, const tile *right, int row)
{
  const u8x16 o = own->row[row];

  return o + __builtin_shufflevector(left->row[row], o, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                     26, 27, 28, 29, 30) +
         __builtin_shufflevector(o, right->row[row], 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                 15, 16);
}

static inline u8x16 lives(u8x16 alive, u8x16 all)
{
  return (u8x16)((all == 3) | ((all == 4) & (u8x16)(alive == 1))) & 1;
}

static inline void step_tile(const tile *from, tile *to, const int32_t beside[9], int64_t number)
{
  const tile *left = &from[beside[3]], *own = &from[number], *right = &from[beside[5]];
  u8x16 above = three(&from[beside[0]], &from[beside[1]], &from[beside[2]], TILE - 1);
  u8x16 here = three(left, own, right, 0), below;

  for (int i = 0; i < TILE - 1; i++) {
    below = three(left, own, right, i + 1);
    to[number].row[i] = lives(own->row[i], above + here + below);
    above = here;
    here = below;
  }
  below = three(&from[beside[6]], &from[beside[7]], &from[beside[8]], 0);
  to[number].row[TILE - 1] = lives(own->row[TILE - 1], above + here + below);
}

static int hand_run(void *state)
{
  const by_hand *h = state;

  for (int s = 0; s < STEPS; s++) {
    const tile *from = h->generation[s & 1];
    tile *to = h->generation[~s & 1];
#   pragma omp parallel for schedule(static)
    for (int64_t t = 1; t <= h->count; t++) step_tile(from, to, h->beside[t], t);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;
  int64_t total = 0;

  for (int64_t t = 1; t <= h->count; t++)
    for (int i = 0; i < TILE; i++)
      for (int j = 0; j < TILE; j++)
        total += h->generation[0][t].row[i][j] *
                 ((h->at[t][0] * TILE + i + 2 * (h->at[t][1] * TILE + j)) & 7);
  *result = (double)total;
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "life", "ours", generated_create, NULL, generated_run, generated_after },
    { "life", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
