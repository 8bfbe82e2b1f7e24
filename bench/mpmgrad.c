/* The row mpmgrad: the adjoint of five steps of the material point method (MLS-MPM, the fluid of
 * the row mpm2d), beside C by hand, and beside the steps themselves ("primal": its result is that
 * of the adjoint, which runs outside the clock).
 *
 * Ours keeps a tree of particles and one of nodes for each step; the adjoint begins with setting
 * all adjoints to zero.  By hand: arrays of particles and dense grids for each step, whose nodes
 * are vectors of GNU C; what a particle gives to the adjoints of its nine nodes goes to a grid of
 * its thread, so that nothing is atomic; an adjoint is stored, not added, where it is the only one.
 *
 * The sums are taken in another order by all, so results agree to 1e-3.
 */
#include "mpmgrad.h"                   /* generated from bench/mpmgrad.sn */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, STEPS = 5 };

#define DX (1.0f / N)
#define DT 1e-4f
#define STIFF (-DT * 4.0e2f * 4.0f / (DX * DX))

/* ---- generated; size: particles ---- */

typedef struct generated {
  sn_context *context;
  mpmgrad_particles *at[STEPS + 1];
  mpmgrad_grid *grid[STEPS];
} generated;

static int generated_create(void **state, int64_t size)
{
  generated *g = calloc(1, sizeof *g);

  if (!g) return -1;
  *state = g;
  SN_TRY(sn_context_create(NULL, &g->context));
  for (int s = 0; s <= STEPS; s++) {
    SN_TRY(mpmgrad_particles_create(g->context, NULL, &g->at[s]));
    SN_TRY(mpmgrad_reserve(g->at[s], (int32_t)size));
  }
  for (int s = 0; s < STEPS; s++) SN_TRY(mpmgrad_grid_create(g->context, NULL, &g->grid[s]));
  return SN_OK;
}

static int steps(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) {
    SN_TRY(mpmgrad_empty(g->grid[s]));
    SN_TRY(mpmgrad_p2g(g->at[s], g->grid[s]));
    SN_TRY(mpmgrad_move(g->grid[s]));
    SN_TRY(mpmgrad_g2p(g->at[s], g->grid[s], g->at[s + 1]));
  }
  return SN_OK;
}

static int generated_before(void *state)
{
  generated *g = state;

  SN_TRY(mpmgrad_begin(g->at[0]));
  return steps(state);
}

static int generated_run(void *state)
{
  generated *g = state;

  for (int s = 0; s < STEPS; s++) {
    SN_TRY(mpmgrad_clear(g->at[s]));
    SN_TRY(mpmgrad_clear_grid(g->grid[s]));
  }
  SN_TRY(mpmgrad_seed(g->at[STEPS]));
  for (int s = STEPS - 1; s >= 0; s--) {
    SN_TRY(mpmgrad_g2p_grad(g->at[s], g->grid[s], g->at[s + 1]));
    SN_TRY(mpmgrad_move_grad(g->grid[s]));
    SN_TRY(mpmgrad_p2g_grad(g->at[s], g->grid[s]));
  }
  return SN_OK;
}

static int generated_after(void *state, double *result)
{
  generated *g = state;
  return mpmgrad_sum_up(g->at[0], result);
}

/* ---- the steps themselves ---- */

static int primal_before(void *state)
{
  generated *g = state;
  return mpmgrad_begin(g->at[0]);
}

static int primal_after(void *state, double *result)
{
  SN_TRY(generated_run(state));
  return generated_after(state, result);
}

/* ---- by hand ---- */

typedef float f32x4 __attribute__((vector_size(16)));
typedef f32x4 nodes[N][N];             /* x, y, and of momentum the mass */

typedef struct particles {             /* of all the same: values, or adjoints of them */
  f32x4 *xv, *c;                       /* place and velocity; C, by columns */
  float *j;
} particles;

typedef struct by_hand {
  int64_t count;
  int threads;
  particles at[STEPS + 1];
  nodes *momentum[STEPS], *velocity[STEPS];
  particles bar;                       /* of the step that was reached */
  nodes *own_bar;                      /* of velocities, one for each thread */
  nodes *momentum_bar;
} by_hand;

typedef struct place {                 /* of a particle on the grid, with the slopes of weights */
  int i, j;
  float fx, fy, wx[3], wy[3], dx[3], dy[3];
} place;

static int create_particles(particles *p, int64_t size)
{
  p->xv = bench_pages((size_t)size * sizeof *p->xv);
  p->c = bench_pages((size_t)size * sizeof *p->c);
  p->j = bench_pages((size_t)size * sizeof *p->j);
  return p->xv && p->c && p->j;
}

static int hand_create(void **state, int64_t size)
{
  by_hand *h = calloc(1, sizeof *h);
  int ok = h != NULL;

  if (!h) return -1;
  *state = h;
  h->count = size;
  h->threads = omp_get_max_threads();
  for (int s = 0; s <= STEPS; s++) ok &= create_particles(&h->at[s], size);
  for (int s = 0; s < STEPS; s++) {
    h->momentum[s] = bench_pages(sizeof(nodes));
    h->velocity[s] = bench_pages(sizeof(nodes));
    ok &= h->momentum[s] && h->velocity[s];
  }
  ok &= create_particles(&h->bar, size);
  h->own_bar = bench_pages((size_t)h->threads * sizeof(nodes));
  h->momentum_bar = bench_pages(sizeof(nodes));
  return ok && h->own_bar && h->momentum_bar ? 0 : -1;
}

static inline void weigh(float f, float w[3], float slope[3])
{
  w[0] = 0.5f * (1.5f - f) * (1.5f - f);
  w[1] = 0.75f - (f - 1) * (f - 1);
  w[2] = 0.5f * (f - 0.5f) * (f - 0.5f);
  slope[0] = f - 1.5f;
  slope[1] = -2 * (f - 1);
  slope[2] = f - 0.5f;
}

static inline place place_of(f32x4 xv)
{
  const float x = xv[0] * N, y = xv[1] * N;
  place at = { .i = (int)(x - 0.5f), .j = (int)(y - 0.5f) };

  at.fx = x - (float)at.i;
  at.fy = y - (float)at.j;
  weigh(at.fx, at.wx, at.dx);
  weigh(at.fy, at.wy, at.dy);
  return at;
}

/* ---- by hand, the steps: not measured, the row mpm2d does that ---- */

static inline f32x4 stress(f32x4 c, float j)
{
  return c + (f32x4){ STIFF * (j - 1), 0, 0, STIFF * (j - 1) };
}

/* A times (x, y), both columns of A one behind the other. */
static inline f32x4 times(f32x4 a, float x, float y)
{
  return (f32x4){ a[0] * x + a[2] * y, a[1] * x + a[3] * y, 0, 0 };
}

/* The transposed of A times (x, y). */
static inline f32x4 transposed_times(f32x4 a, float x, float y)
{
  return (f32x4){ a[0] * x + a[1] * y, a[2] * x + a[3] * y, 0, 0 };
}

static void give(const by_hand *h, int s)
{
  nodes *to = h->momentum[s];

  memset(to, 0, sizeof *to);
  for (int64_t p = 0; p < h->count; p++) {
    const f32x4 xv = h->at[s].xv[p], own = { xv[2], xv[3], 1, 0 };
    const f32x4 A = DX * stress(h->at[s].c[p], h->at[s].j[p]);
    const place at = place_of(xv);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        (*to)[at.i + a][at.j + b] +=
            at.wx[a] * at.wy[b] * (own + times(A, (float)a - at.fx, (float)b - at.fy));
  }
}

/* Which components a wall has stopped. */
static inline f32x4 moving(int i, int j, f32x4 u)
{
  return (f32x4){ !((i < 3 && u[0] < 0) || (i > N - 3 && u[0] > 0)),
                  !((j < 3 && u[1] < 0) || (j > N - 3 && u[1] > 0)), 0, 0 };
}

static inline f32x4 free_velocity(f32x4 momentum)
{
  return momentum / momentum[2] - (f32x4){ 0, DT * 9.8f, 0, 0 };
}

static void move(const by_hand *h, int s)
{
# pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      const f32x4 momentum = (*h->momentum[s])[i][j], u = free_velocity(momentum);
      (*h->velocity[s])[i][j] = momentum[2] > 0 ? u * moving(i, j, u) : (f32x4){ 0 };
    }
}

static void take(const by_hand *h, int s)
{
  const particles *from = &h->at[s], *to = &h->at[s + 1];

# pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < h->count; p++) {
    const f32x4 xv = from->xv[p];
    const place at = place_of(xv);
    f32x4 u = { 0 }, by_x = { 0 }, by_y = { 0 };
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const f32x4 part = at.wx[a] * at.wy[b] * (*h->velocity[s])[at.i + a][at.j + b];
        u += part;
        by_x += 4.0f * N * ((float)a - at.fx) * part;
        by_y += 4.0f * N * ((float)b - at.fy) * part;
      }
    to->c[p] = __builtin_shufflevector(by_x, by_y, 0, 1, 4, 5);
    to->j[p] = from->j[p] * (1 + DT * (by_x[0] + by_y[1]));
    to->xv[p] = (f32x4){ xv[0] + DT * u[0], xv[1] + DT * u[1], u[0], u[1] };
  }
}

static int hand_before(void *state)
{
  const by_hand *h = state;

# pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < h->count; p++) {
    const uint32_t q = scramble((uint32_t)p);
    h->at[0].xv[p] = (f32x4){ 0.25f + (float)(0.4 / 65536) * (float)(q & 0xffff),
                              0.25f + (float)(0.4 / 65536) * (float)(q >> 16), 0, -3 };
    h->at[0].c[p] = (f32x4){ 0 };
    h->at[0].j[p] = 1;
  }
  for (int s = 0; s < STEPS; s++) {
    give(h, s);
    move(h, s);
    take(h, s);
  }
  return 0;
}

/* ---- by hand, the adjoint ---- */

/* From the adjoint of a particle of the next step, in place, to that of this one as far as the
 * velocities go, and to the adjoints of these. */
static inline void take_back(const by_hand *h, int s, int64_t p, nodes *velocity_bar)
{
  const f32x4 next = h->bar.xv[p], xv = h->at[s].xv[p];
  const float j = h->at[s].j[p], j_bar = h->bar.j[p];
  const f32x4 u_bar = { next[2] + DT * next[0], next[3] + DT * next[1], 0, 0 };
  const f32x4 B_bar = 4.0f * N * (h->bar.c[p] + (f32x4){ j_bar * j * DT, 0, 0, j_bar * j * DT });
  const place at = place_of(xv);
  float fx_bar = 0, fy_bar = 0;

  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const f32x4 u = (*h->velocity[s])[at.i + a][at.j + b];
      const f32x4 sum_bar = u_bar + times(B_bar, (float)a - at.fx, (float)b - at.fy);
      const f32x4 d_bar = transposed_times(B_bar, u[0], u[1]);
      const float w = at.wx[a] * at.wy[b], w_bar = u[0] * sum_bar[0] + u[1] * sum_bar[1];
      (*velocity_bar)[at.i + a][at.j + b] += w * sum_bar;
      fx_bar += w_bar * at.dx[a] * at.wy[b] - w * d_bar[0];
      fy_bar += w_bar * at.wx[a] * at.dy[b] - w * d_bar[1];
    }
  h->bar.xv[p] = (f32x4){ next[0] + N * fx_bar, next[1] + N * fy_bar, 0, 0 };
  h->bar.j[p] = j_bar * h->at[s + 1].j[p] / j;
}

static inline void give_back(const by_hand *h, int s, int64_t p)
{
  const f32x4 xv = h->at[s].xv[p], own = { xv[2], xv[3], 1, 0 };
  const f32x4 A = DX * stress(h->at[s].c[p], h->at[s].j[p]);
  const place at = place_of(xv);
  float fx_bar = 0, fy_bar = 0;
  f32x4 v_bar = { 0 }, by_x = { 0 }, by_y = { 0 };

  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      const f32x4 bar = (*h->momentum_bar)[at.i + a][at.j + b];
      const float x = (float)a - at.fx, y = (float)b - at.fy, w = at.wx[a] * at.wy[b];
      const f32x4 value = own + times(A, x, y), d_bar = transposed_times(A, bar[0], bar[1]);
      const float w_bar = bar[0] * value[0] + bar[1] * value[1] + bar[2] * value[2];
      v_bar += w * bar;
      by_x += DX * w * x * bar;
      by_y += DX * w * y * bar;
      fx_bar += w_bar * at.dx[a] * at.wy[b] - w * d_bar[0];
      fy_bar += w_bar * at.wx[a] * at.dy[b] - w * d_bar[1];
    }
  h->bar.xv[p] += (f32x4){ N * fx_bar, N * fy_bar, v_bar[0], v_bar[1] };
  h->bar.c[p] = __builtin_shufflevector(by_x, by_y, 0, 1, 4, 5);
  h->bar.j[p] += STIFF * (by_x[0] + by_y[1]);
}

/* The adjoint of a node's momentum and mass; those of its velocity are left zero. */
static inline f32x4 move_back(const by_hand *h, int s, int i, int j)
{
  const f32x4 momentum = (*h->momentum[s])[i][j];
  f32x4 bar = { 0 };

  for (int t = 0; t < h->threads; t++) {
    bar += h->own_bar[t][i][j];
    h->own_bar[t][i][j] = (f32x4){ 0 };
  }
  if (momentum[2] <= 0) return (f32x4){ 0 };
  bar *= moving(i, j, free_velocity(momentum)) / momentum[2];
  bar[2] = -(bar[0] * momentum[0] + bar[1] * momentum[1]) / momentum[2];
  return bar;
}

static void step_back(const by_hand *h, int s)
{
  nodes *own = &h->own_bar[omp_get_thread_num()];

# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) take_back(h, s, p, own);
# pragma omp for schedule(static)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) (*h->momentum_bar)[i][j] = move_back(h, s, i, j);
# pragma omp for schedule(static)
  for (int64_t p = 0; p < h->count; p++) give_back(h, s, p);
}

static int hand_run(void *state)
{
  const by_hand *h = state;

# pragma omp parallel num_threads(h->threads)
  {
#   pragma omp for schedule(static)
    for (int64_t p = 0; p < h->count; p++) {
      h->bar.xv[p] = (f32x4){ (float)(p & 3), (float)(p & 1), 0, 0 };
      h->bar.c[p] = (f32x4){ 0 };
      h->bar.j[p] = 1;
    }
    for (int s = STEPS - 1; s >= 0; s--) step_back(h, s);
  }
  return 0;
}

static int hand_after(void *state, double *result)
{
  const by_hand *h = state;

  *result = 0;
  for (int64_t p = 0; p < h->count; p++) {
    const f32x4 xv = h->bar.xv[p], c = h->bar.c[p];
    *result += (double)xv[0] * (int)(p & 3) + (double)xv[1] * (int)(p & 1) +
               1e-4 * (double)(xv[2] * (float)(p & 3) + xv[3]) + 1e-2 * (double)h->bar.j[p] +
               (double)(c[0] + c[3]);
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "mpmgrad", "ours", generated_create, generated_before, generated_run, generated_after },
    { "mpmgrad", "primal", generated_create, primal_before, steps, primal_after },
    { "mpmgrad", "C", hand_create, hand_before, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
