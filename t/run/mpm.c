/* The material point method against the same in plain C over a dense grid, from the
 * same particles: sums of floats come in another order, so within a tolerance. */
#include "mpm.h"
#include "run.h"

#include <math.h>

enum { COUNT = 2000, STEPS = 10, WIDTH = MPM_N };

typedef struct Particle {
  float x[2], v[2], C[2][2], J;
} Particle;

static Particle particles[COUNT];
static float node_v[WIDTH][WIDTH][2], node_m[WIDTH][WIDTH];

static void weigh(const Particle *p, int base[2], float fx[2], float w[2][3])
{
  for (int k = 0; k < 2; k++) {
    base[k] = (int)floorf(p->x[k] / MPM_DX - 0.5f);
    fx[k] = p->x[k] / MPM_DX - (float)base[k];
    w[k][0] = 0.5f * (1.5f - fx[k]) * (1.5f - fx[k]);
    w[k][1] = 0.75f - (fx[k] - 1.0f) * (fx[k] - 1.0f);
    w[k][2] = 0.5f * (fx[k] - 0.5f) * (fx[k] - 0.5f);
  }
}

static void scatter(const Particle *p, float dt)
{
  const float pressure = -dt * 4.0e2f * (p->J - 1.0f) * 4.0f / (MPM_DX * MPM_DX);
  float fx[2], w[2][3];
  int base[2];

  weigh(p, base, fx, w);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const float d[2] = { ((float)i - fx[0]) * MPM_DX, ((float)j - fx[1]) * MPM_DX };
      const float weight = w[0][i] * w[1][j];
      float *v = node_v[base[0] + i][base[1] + j];
      for (int k = 0; k < 2; k++)
        v[k] += weight * (p->v[k] + p->C[k][0] * d[0] + p->C[k][1] * d[1] + pressure * d[k]);
      node_m[base[0] + i][base[1] + j] += weight;
    }
}

static void move(float dt)
{
  for (int i = 0; i < WIDTH; i++)
    for (int j = 0; j < WIDTH; j++) {
      const int at[2] = { i, j };
      if (!(node_m[i][j] > 0)) continue;
      for (int k = 0; k < 2; k++) {
        float u = node_v[i][j][k] / node_m[i][j] - (k ? dt * 9.8f : 0.0f);
        if ((at[k] < 3 && u < 0) || (at[k] > WIDTH - 3 && u > 0)) u = 0;
        node_v[i][j][k] = u;
      }
    }
}

static void gather(Particle *p, float dt)
{
  float fx[2], w[2][3];
  int base[2];

  weigh(p, base, fx, w);
  memset(p->v, 0, sizeof p->v);
  memset(p->C, 0, sizeof p->C);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 2; k++) {
        const float g = w[0][i] * w[1][j] * node_v[base[0] + i][base[1] + j][k];
        p->v[k] += g;
        p->C[k][0] += g * ((float)i - fx[0]) * (4.0f / MPM_DX);
        p->C[k][1] += g * ((float)j - fx[1]) * (4.0f / MPM_DX);
      }
  p->J *= 1.0f + dt * (p->C[0][0] + p->C[1][1]);
  for (int k = 0; k < 2; k++) p->x[k] += dt * p->v[k];
}

static void step(float dt)
{
  memset(node_v, 0, sizeof node_v);
  memset(node_m, 0, sizeof node_m);
  for (int p = 0; p < COUNT; p++) scatter(&particles[p], dt);
  move(dt);
  for (int p = 0; p < COUNT; p++) gather(&particles[p], dt);
}

static int seed(sn_context *ctx, mpm_particles *parts)
{
  static float x[COUNT][2], v[COUNT][2];
  const sn_box all = { { 0 }, { COUNT } };
  int64_t n;
  int inside = 0;

  CHECK(mpm_seed(parts, (float[]){ 0.3f, 0.3f }, (float[]){ 0.5f, 0.5f }, COUNT, &n));
  for (int p = 0; p < COUNT; p++) {
    v[p][0] = (float)(p % 7) * 0.25f;
    v[p][1] = (float)(p % 5) * -0.5f;
  }
  CHECK(mpm_v_write(parts, &all, sn_span_host(v, sizeof v), NULL));
  CHECK(mpm_x_read(parts, &all, sn_span_host(x, sizeof x), NULL));
  for (int p = 0; p < COUNT; p++) {
    particles[p] = (Particle){ .J = 1.0f };
    memcpy(particles[p].x, x[p], sizeof x[p]);
    memcpy(particles[p].v, v[p], sizeof v[p]);
    inside += x[p][0] >= 0.3f && x[p][0] < 0.5f && x[p][1] >= 0.3f && x[p][1] < 0.5f;
  }
  printf("%" PRId64 " particles, %d where they should be\n", n, inside);
  return 0;
}

static int is_near(double a, double b, double tolerance)
{
  return fabs(a - b) <= tolerance * (1 + fabs(b));
}

static int compare(sn_context *ctx, mpm_particles *parts)
{
  static float x[COUNT][2], v[COUNT][2], C[COUNT][4], J[COUNT];
  const sn_box all = { { 0 }, { COUNT } };
  int near = 0;

  CHECK(mpm_x_read(parts, &all, sn_span_host(x, sizeof x), NULL));
  CHECK(mpm_v_read(parts, &all, sn_span_host(v, sizeof v), NULL));
  CHECK(mpm_C_read(parts, &all, sn_span_host(C, sizeof C), NULL));
  CHECK(mpm_J_read(parts, &all, sn_span_host(J, sizeof J), NULL));
  for (int p = 0; p < COUNT; p++) {
    const Particle *q = &particles[p];
    int good = is_near(J[p], q->J, 1e-4);
    for (int k = 0; k < 2; k++)
      good &= is_near(x[p][k], q->x[k], 1e-5) && is_near(v[p][k], q->v[k], 1e-3) &&
              is_near(C[p][2 * k], q->C[k][0], 2e-2) && is_near(C[p][2 * k + 1], q->C[k][1], 2e-2);
    near += good;
  }
  printf("%d as in plain C\n", near);
  return 0;
}

int run_mpm(sn_context *ctx)
{
  mpm_particles *parts;
  mpm_grid *grid;
  double before[2] = { 0, 0 }, sums[3];

  CHECK(mpm_particles_create(ctx, NULL, &parts));
  CHECK(mpm_grid_create(ctx, NULL, &grid));
  if (seed(ctx, parts)) return 1;
  for (int p = 0; p < COUNT; p++)
    for (int k = 0; k < 2; k++) before[k] += particles[p].v[k];
  CHECK(mpm_p2g(parts, grid, 1e-4f));
  CHECK(mpm_totals(grid, sums));
  printf("mass %d momentum %d %d\n", is_near(sums[2], COUNT, 1e-5),
         is_near(sums[0], before[0], 1e-5), is_near(sums[1], before[1], 1e-5));
  for (int s = 0; s < STEPS; s++) {
    CHECK(mpm_p2g(parts, grid, 1e-4f));
    CHECK(mpm_move(grid, 1e-4f));
    CHECK(mpm_g2p(parts, grid, 1e-4f));
    step(1e-4f);
  }
  if (compare(ctx, parts)) return 1;
  mpm_particles_destroy(parts);
  mpm_grid_destroy(grid);
  return 0;
}
