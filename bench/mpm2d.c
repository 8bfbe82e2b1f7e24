/* The row mpm2d: a weakly compressible fluid by the material point method (MLS-MPM), on a grid of
 * 256^2 nodes: the generated kernels of mpm2d.sn beside C written by hand.
 *
 * By hand: the particles in arrays, a dense grid whose nodes are vectors of GNU C (momentum, mass),
 * one for each thread, so that nothing is atomic; the loop over the nodes adds them up and clears
 * them.  What a particle gives to its nine nodes is linear in the node's offset, so it is a sum of
 * three vectors, and what it takes is a row of three nodes at a time.
 *
 * The sums are taken in another order by all, so results agree to 1e-4; each round begins anew.
 */
#include "mpm2d.h"                     /* generated from bench/mpm2d.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, STEPS = 5 };

#define DX (1.0f / N)
#define DT 1e-4f

/* ---- generated; size: particles ---- */

typedef struct generated {
  sn_context *context;
  mpm2d_particles *particles;
  mpm2d_grid *grid;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(mpm2d_particles_create(g->context, NULL, &g->particles));
  SN_TRY(mpm2d_grid_create(g->context, NULL, &g->grid));
  return mpm2d_seed(g->particles, (int32_t)size);
}

static int generated_before(void *state)
{
  generated *g = state;
  return mpm2d_begin(g->particles);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) {
    SN_TRY(mpm2d_p2g(g->particles, g->grid));
    SN_TRY(mpm2d_move(g->grid));
    SN_TRY(mpm2d_g2p(g->particles, g->grid));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return mpm2d_sum_up(g->particles, result);
}

/* ---- by hand ---- */

typedef float f32x4 __attribute__((vector_size(16)));
typedef f32x4 nodes[N][N];             /* momentum, then velocity: x, y; mass */

typedef struct by_hand {
  int64_t count;
  int threads;
  f32x4 *xv, *c;                       /* of a particle: place and velocity; C, by columns */
  float *j;
  nodes *momentum;                     /* one for each thread */
  nodes *velocity;
} by_hand;

typedef struct place {                 /* of a particle on the grid */
  int i, j;
  float fx, fy, wx[3], wy[3];
} place;

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);

  if (!h) return -1;
  *state = h;
  h->count = size;
  h->threads = omp_get_max_threads();
  h->xv = bench_pages((size_t)size * sizeof *h->xv);
  h->c = bench_pages((size_t)size * sizeof *h->c);
  h->j = bench_pages((size_t)size * sizeof *h->j);
  h->momentum = bench_pages((size_t)h->threads * sizeof *h->momentum);
  h->velocity = bench_pages(sizeof *h->velocity);
  return h->xv && h->c && h->j && h->momentum && h->velocity ? 0 : -1;
}

static int hand_before(void *state)
{
  const by_hand *h = state;

# pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < h->count; p++) {
    const uint32_t q = scramble((uint32_t)p);
    h->xv[p] = (f32x4){ 0.25f + (float)(0.4 / 65536) * (float)(q & 0xffff),
                        0.25f + (float)(0.4 / 65536) * (float)(q >> 16), 0, -3 };
    h->c[p] = (f32x4){ 0 };
    h->j[p] = 1;
  }
  return 0;
}

static inline void weigh(float f, float w[3])
{
  w[0] = 0.5f * (1.5f - f) * (1.5f - f);
  w[1] = 0.75f - (f - 1) * (f - 1);
  w[2] = 0.5f * (f - 0.5f) * (f - 0.5f);
}

static inline place place_of(f32x4 xv)
{
  const float x = xv[0] * N, y = xv[1] * N;
  place at = { .i = (int)(x - 0.5f), .j = (int)(y - 0.5f) };

  at.fx = x - (float)at.i;
  at.fy = y - (float)at.j;
  weigh(at.fx, at.wx);
  weigh(at.fy, at.wy);
  return at;
}

static inline void give(nodes *grid, f32x4 xv, f32x4 c, float j)
{
  const place at = place_of(xv);
  const float stress = -DT * 4.0e2f * (j - 1) * 4.0f / (DX * DX);
  const f32x4 by_x = { DX * (c[0] + stress), DX * c[1], 0, 0 };
  const f32x4 by_y = { DX * c[2], DX * (c[3] + stress), 0, 0 };
  const f32x4 own = (f32x4){ xv[2], xv[3], 1, 0 } - at.fx * by_x - at.fy * by_y;

  for (int a = 0; a < 3; a++) {
    const f32x4 row = at.wx[a] * (own + (float)a * by_x), along = at.wx[a] * by_y;
    f32x4 *to = &(*grid)[at.i + a][at.j];
    to[0] += at.wy[0] * row;
    to[1] += at.wy[1] * (row + along);
    to[2] += at.wy[2] * (row + 2.0f * along);
  }
}

static inline void take(nodes *grid, f32x4 *xv, f32x4 *c, float *j)
{
  const place at = place_of(*xv);
  const float middle = at.wy[1], twice = 2 * at.wy[2], by = 4.0f * N;
  f32x4 all = { 0 }, by_x = { 0 }, by_y = { 0 };

  for (int a = 0; a < 3; a++) {
    const f32x4 *from = &(*grid)[at.i + a][at.j];
    const f32x4 row = at.wx[a] * (at.wy[0] * from[0] + at.wy[1] * from[1] + at.wy[2] * from[2]);
    all += row;
    by_x += (float)a * row;
    by_y += at.wx[a] * (middle * from[1] + twice * from[2]);
  }
  by_x = by * (by_x - at.fx * all);
  by_y = by * (by_y - at.fy * all);
  *c = __builtin_shufflevector(by_x, by_y, 0, 1, 4, 5);
  *j *= 1 + DT * (by_x[0] + by_y[1]);
  *xv = (f32x4){ (*xv)[0] + DT * all[0], (*xv)[1] + DT * all[1], all[0], all[1] };
}

/* The velocity of a node, which is left without momentum. */
static inline f32x4 move(const by_hand *h, int i, int j)
{
  f32x4 all = { 0 }, u;

  for (int t = 0; t < h->threads; t++) {
    all += h->momentum[t][i][j];
    h->momentum[t][i][j] = (f32x4){ 0 };
  }
  if (all[2] <= 0) return all;
  u = all / all[2] - (f32x4){ 0, DT * 9.8f, 0, 0 };
  if ((i < 3 && u[0] < 0) || (i > N - 3 && u[0] > 0)) u[0] = 0;
  if ((j < 3 && u[1] < 0) || (j > N - 3 && u[1] > 0)) u[1] = 0;
  return u;
}

static void step(const by_hand *h)
{
  nodes *own = &h->momentum[omp_get_thread_num()];

# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) give(own, h->xv[p], h->c[p], h->j[p]);
# pragma omp for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) (*h->velocity)[i][j] = move(h, i, j);
# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) take(h->velocity, &h->xv[p], &h->c[p], &h->j[p]);
}

static int hand_run(void *state)
{
  const by_hand *h = state;

# pragma omp parallel num_threads(h->threads)
  for (int s = 0; s < STEPS; s++) step(h);
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int64_t p = 0; p < h->count; p++)
    *result += (double)h->xv[p][0] * (int)(p & 3) + (double)h->xv[p][1] * (int)(p & 1) +
               (double)h->j[p];
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "mpm2d", "ours", generated_create, generated_before, generated_run, generated_after },
    { "mpm2d", "C", hand_create, hand_before, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
