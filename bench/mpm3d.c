/* The row mpm3d: a weakly compressible fluid by the material point method (MLS-MPM), on a grid of
 * 64^3 nodes: the generated kernels of mpm3d.sn, whose leaves list their particles, beside C
 * written by hand.
 *
 * By hand: the particles in an array, which is put in the order of the grid's blocks of 4^3 once a
 * round, so that the nodes of one particle are in the cache for the next; a dense grid whose nodes
 * are vectors of GNU C (momentum, mass), one for each thread, so that nothing is atomic; the loop
 * over the nodes adds up, and clears, those of blocks where a particle was.  What a particle gives
 * to its 27 nodes is linear in the node's offset, so it is a sum of four vectors, and what it takes
 * is a row of three nodes at a time.
 *
 * The sums are taken in another order by all, so results agree to 1e-4; each round begins anew.
 */
#include "mpm3d.h"                     /* generated from bench/mpm3d.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, BLOCKS = N / 4, STEPS = 3 };

#define DX (1.0f / N)
#define DT 1e-4f

/* ---- generated; size: particles ---- */

typedef struct generated {
  sn_context *context;
  mpm3d_particles *particles;
  mpm3d_grid *grid;
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  SN_TRY(mpm3d_particles_create(g->context, NULL, &g->particles));
  SN_TRY(mpm3d_grid_create(g->context, NULL, &g->grid));
  return mpm3d_seed(g->particles, (int32_t)size);
}

static int generated_before(void *state)
{
  generated *g = state;
  return mpm3d_begin(g->particles);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) {
    SN_TRY(mpm3d_sort(g->particles, g->grid));
    SN_TRY(mpm3d_p2g(g->particles, g->grid));
    SN_TRY(mpm3d_move(g->grid));
    SN_TRY(mpm3d_g2p(g->particles, g->grid));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return mpm3d_sum_up(g->particles, result);
}

/* ---- by hand ---- */

typedef float f32x4 __attribute__((vector_size(16)));
typedef f32x4 nodes[N][N][N];          /* momentum, then velocity: x, y, z; mass */
typedef uint8_t marks[BLOCKS + 1][BLOCKS + 1][BLOCKS + 1];

typedef struct particle {              /* c: C by columns; the last of x is J */
  f32x4 x, v, c[3];
} particle;

typedef int64_t starts[BLOCKS * BLOCKS * BLOCKS];

typedef struct by_hand {
  int64_t count;
  int threads;
  particle *particles, *sorted;        /* change places when they are sorted, as the numbers do */
  int32_t *number, *sorted_number;
  starts *starts;                      /* one for each thread: where a block's next particle goes */
  nodes *momentum;                     /* one for each thread */
  nodes *velocity;
  marks *marked;                       /* one for each thread: blocks that it has given to */
} by_hand;

typedef struct place {                 /* of a particle on the grid */
  int i, j, k;
  f32x4 f, w[3];
} place;

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);

  if (!h) return -1;
  *state = h;
  h->count = size;
  h->threads = omp_get_max_threads();
  h->particles = bench_pages((size_t)size * sizeof *h->particles);
  h->sorted = bench_pages((size_t)size * sizeof *h->sorted);
  h->number = bench_pages((size_t)size * sizeof *h->number);
  h->sorted_number = bench_pages((size_t)size * sizeof *h->sorted_number);
  h->starts = bench_pages((size_t)h->threads * sizeof *h->starts);
  h->momentum = bench_pages((size_t)h->threads * sizeof *h->momentum);
  h->velocity = bench_pages(sizeof *h->velocity);
  h->marked = bench_pages((size_t)h->threads * sizeof *h->marked);
  return h->particles && h->sorted && h->number && h->sorted_number && h->starts && h->momentum &&
         h->velocity && h->marked ? 0 : -1;
}

static int hand_before(void *state)
{
  const by_hand *h = state;
  const float part = (float)(0.45 / 1024);

# pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < h->count; p++) {
    const uint32_t q = scramble((uint32_t)p);
    h->number[p] = (int32_t)p;
    h->particles[p] = (particle){
      .x = { 0.25f + part * (float)(q & 1023), 0.25f + part * (float)(q >> 10 & 1023),
             0.25f + part * (float)(q >> 20 & 1023), 1 },
      .v = { 0, -3, 0, 1 },
    };
  }
  return 0;
}

static inline place place_of(f32x4 x)
{
  const f32x4 at = x * (float)N;
  place on = { .i = (int)(at[0] - 0.5f), .j = (int)(at[1] - 0.5f), .k = (int)(at[2] - 0.5f) };

  on.f = at - (f32x4){ (float)on.i, (float)on.j, (float)on.k, 0 };
  on.w[0] = 0.5f * (1.5f - on.f) * (1.5f - on.f);
  on.w[1] = 0.75f - (on.f - 1.0f) * (on.f - 1.0f);
  on.w[2] = 0.5f * (on.f - 0.5f) * (on.f - 0.5f);
  return on;
}

/* ---- by hand: order ---- */

static inline int block_of(const particle *p)
{
  const place on = place_of(p->x);
  return ((on.i >> 2) * BLOCKS + (on.j >> 2)) * BLOCKS + (on.k >> 2);
}

/* From how many particles of each block a thread has to where they go. */
static void find_starts(const by_hand *h)
{
  int64_t all = 0;

  for (int b = 0; b < BLOCKS * BLOCKS * BLOCKS; b++)
    for (int t = 0; t < h->threads; t++) {
      const int64_t count = h->starts[t][b];
      h->starts[t][b] = all;
      all += count;
    }
}

static void change_places(by_hand *h)
{
  particle *const particles = h->particles;
  int32_t *const number = h->number;

  h->particles = h->sorted;
  h->sorted = particles;
  h->number = h->sorted_number;
  h->sorted_number = number;
}

/* Two loops of one schedule: a thread moves the particles that it has counted. */
static void sort(by_hand *h)
{
  int64_t *to = h->starts[omp_get_thread_num()];

  memset(to, 0, sizeof *h->starts);
# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) to[block_of(&h->particles[p])]++;
# pragma omp single
  find_starts(h);
# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) {
    const int64_t at = to[block_of(&h->particles[p])]++;
    h->sorted[at] = h->particles[p];
    h->sorted_number[at] = h->number[p];
  }
# pragma omp single
  change_places(h);
}

/* ---- by hand: steps ---- */

static inline void mark(marks *m, const place *on)
{
  for (int o = 0; o < 8; o++)
    (*m)[(on->i + (o >> 2) * 2) >> 2][(on->j + (o >> 1 & 1) * 2) >> 2][(on->k + (o & 1) * 2) >> 2] =
      1;
}

static inline void give(nodes *grid, marks *m, const particle *p)
{
  const place on = place_of(p->x);
  const float stress = DX * (-DT * 4.0e2f * (p->x[3] - 1) * 4.0f / (DX * DX));
  const f32x4 by_x = DX * p->c[0] + (f32x4){ stress, 0, 0, 0 };
  const f32x4 by_y = DX * p->c[1] + (f32x4){ 0, stress, 0, 0 };
  const f32x4 by_z = DX * p->c[2] + (f32x4){ 0, 0, stress, 0 };
  const f32x4 own = p->v - on.f[0] * by_x - on.f[1] * by_y - on.f[2] * by_z;

  mark(m, &on);
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const float w = on.w[a][0] * on.w[b][1];
      const f32x4 row = w * (own + (float)a * by_x + (float)b * by_y), along = w * by_z;
      f32x4 *to = &(*grid)[on.i + a][on.j + b][on.k];
      to[0] += on.w[0][2] * row;
      to[1] += on.w[1][2] * (row + along);
      to[2] += on.w[2][2] * (row + 2.0f * along);
    }
}

/* The first three of a vector, and what stands fourth. */
static inline f32x4 with_fourth(f32x4 v, float fourth)
{
  v[3] = fourth;
  return v;
}

static inline void take(nodes *grid, particle *p)
{
  const place on = place_of(p->x);
  const float first = on.w[0][2], middle = on.w[1][2], last = on.w[2][2], by = 4.0f * N;
  f32x4 all = { 0 }, by_x = { 0 }, by_y = { 0 }, by_z = { 0 };

  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const f32x4 *from = &(*grid)[on.i + a][on.j + b][on.k];
      const float w = on.w[a][0] * on.w[b][1];
      const f32x4 one = middle * from[1], two = last * from[2];
      const f32x4 row = w * (first * from[0] + one + two);
      all += row;
      by_x += (float)a * row;
      by_y += (float)b * row;
      by_z += w * (one + 2.0f * two);
    }
  p->v = with_fourth(all, 1);
  p->c[0] = with_fourth(by * (by_x - on.f[0] * all), 0);
  p->c[1] = with_fourth(by * (by_y - on.f[1] * all), 0);
  p->c[2] = with_fourth(by * (by_z - on.f[2] * all), 0);
  p->x = with_fourth(p->x + DT * all,
                     p->x[3] * (1 + DT * (p->c[0][0] + p->c[1][1] + p->c[2][2])));
}

static inline float at_wall(float u, int i)
{
  return (i < 3 && u < 0) || (i > N - 3 && u > 0) ? 0 : u;
}

/* The velocity of a node, which is left without momentum. */
static inline f32x4 move(const by_hand *h, int i, int j, int k)
{
  f32x4 all = { 0 }, u;

  for (int t = 0; t < h->threads; t++) {
    all += h->momentum[t][i][j][k];
    h->momentum[t][i][j][k] = (f32x4){ 0 };
  }
  if (all[3] <= 0) return all;
  u = all / all[3] - (f32x4){ 0, DT * 9.8f, 0, 0 };
  return (f32x4){ at_wall(u[0], i), at_wall(u[1], j), at_wall(u[2], k), 0 };
}

static void move_block(const by_hand *h, int bi, int bj, int bk)
{
  int any = 0;

  for (int t = 0; t < h->threads; t++) {
    any |= h->marked[t][bi][bj][bk];
    h->marked[t][bi][bj][bk] = 0;
  }
  for (int n = 0; any && n < 64; n++) {
    const int i = 4 * bi + n / 16, j = 4 * bj + n / 4 % 4, k = 4 * bk + n % 4;
    (*h->velocity)[i][j][k] = move(h, i, j, k);
  }
}

static void step(const by_hand *h)
{
  const int t = omp_get_thread_num();

# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++)
    give(&h->momentum[t], &h->marked[t], &h->particles[p]);
# pragma omp for schedule(static)
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < BLOCKS; j++)
      for (int k = 0; k < BLOCKS; k++) move_block(h, i, j, k);
# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) take(h->velocity, &h->particles[p]);
}

static int hand_run(void *state)
{
  by_hand *h = state;

# pragma omp parallel num_threads(h->threads)
  {
    sort(h);
    for (int s = 0; s < STEPS; s++) step(h);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int64_t p = 0; p < h->count; p++) {
    const f32x4 x = h->particles[p].x;
    const int n = h->number[p];
    *result += (double)x[0] * (n & 3) + (double)x[1] * (n & 1) + (double)x[2] +
               (double)x[3];
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "mpm3d", "ours", generated_create, generated_before, generated_run, generated_after },
    { "mpm3d", "C", hand_create, hand_before, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
