/* The rows mpm2d and mpm3d, in CUDA: a thread a particle, a dense grid whose nodes are four floats
 * (momentum or velocity, mass), to which particles add by one atomic of 16 bytes where the device
 * has it (sm_90), else by four. Results agree with the others' as far as sums in another order do.
 */
#include "cuda.h"

#include <cstdlib>

#define DT 1e-4f

__device__ static void add_node(float4 *node, float x, float y, float z, float mass)
{
#if __CUDA_ARCH__ >= 900
  atomicAdd(node, make_float4(x, y, z, mass));
#else
  atomicAdd(&node->x, x);
  atomicAdd(&node->y, y);
  atomicAdd(&node->z, z);
  atomicAdd(&node->w, mass);
#endif
}

__device__ static void weigh(float f, float w[3])
{
  w[0] = 0.5f * (1.5f - f) * (1.5f - f);
  w[1] = 0.75f - (f - 1) * (f - 1);
  w[2] = 0.5f * (f - 0.5f) * (f - 0.5f);
}

/* ---- both; D axes of N nodes; size: particles ---- */

template <int D> struct sizes;
template <> struct sizes<2> { enum { N = 256, NODES = N * N, AROUND = 9, STEPS = 5 }; };
template <> struct sizes<3> { enum { N = 64, NODES = N * N * N, AROUND = 27, STEPS = 3 }; };

/* By component: component c of particle p is [c * count + p]. */
template <int D> struct fluid {
  int64_t count;
  float *x, *v, *c, *j;         /* c: rows of D */
  float4 *grid;
  cuda_total total;
};

/* Where a particle is on the grid: its first node, and the weights of three on each axis. */
template <int D> struct place {
  int first[D];
  float f[D], w[D][3];
};

template <int D> __device__ static place<D> place_of(const fluid<D> &s, int64_t p)
{
  place<D> at;
# pragma unroll
  for (int a = 0; a < D; a++) {
    const float x = s.x[a * s.count + p] * sizes<D>::N;
    at.first[a] = (int)(x - 0.5f);
    at.f[a] = x - (float)at.first[a];
    weigh(at.f[a], at.w[a]);
  }
  return at;
}

/* Node o of those around: its number, its weight, its distance to the particle in nodes. */
template <int D>
__device__ static int node_of(const place<D> &at, int o, float *weight, float *away)
{
  int node = 0;
  *weight = 1;
# pragma unroll
  for (int a = 0; a < D; a++) {
    const int step = a == D - 1 ? o % 3 : a == D - 2 ? o / 3 % 3 : o / 9;
    node = node * sizes<D>::N + at.first[a] + step;
    *weight *= at.w[a][step];
    away[a] = (float)step - at.f[a];
  }
  return node;
}

template <int D> __global__ static void give(fluid<D> s)
{
  const int64_t p = cuda_index();
  if (p >= s.count) return;
  const float dx = 1.0f / sizes<D>::N;
  const place<D> at = place_of(s, p);
  const float stress = -DT * 4.0e2f * (s.j[p] - 1) * 4.0f / (dx * dx);
  float affine[D][D], v[D];
# pragma unroll
  for (int a = 0; a < D; a++) {
    v[a] = s.v[a * s.count + p];
#   pragma unroll
    for (int b = 0; b < D; b++)
      affine[a][b] = dx * (s.c[(a * D + b) * s.count + p] + (a == b ? stress : 0));
  }
# pragma unroll
  for (int o = 0; o < sizes<D>::AROUND; o++) {
    float weight, away[D], momentum[3] = { 0, 0, 0 };
    const int node = node_of(at, o, &weight, away);
#   pragma unroll
    for (int a = 0; a < D; a++) {
      float sum = v[a];
#     pragma unroll
      for (int b = 0; b < D; b++) sum += affine[a][b] * away[b];
      momentum[a] = weight * sum;
    }
    add_node(&s.grid[node], momentum[0], momentum[1], momentum[2], weight);
  }
}

template <int D> __global__ static void move(fluid<D> s)
{
  const int64_t n = cuda_index();
  if (n >= sizes<D>::NODES) return;
  float4 own = s.grid[n];
  float *u = &own.x;
  if (own.w <= 0) return;
  int64_t rest = n;
# pragma unroll
  for (int a = D - 1; a >= 0; a--) {
    const int at = (int)(rest % sizes<D>::N);
    rest /= sizes<D>::N;
    u[a] = u[a] / own.w - (a == 1 ? DT * 9.8f : 0);
    if ((at < 3 && u[a] < 0) || (at > sizes<D>::N - 3 && u[a] > 0)) u[a] = 0;
  }
  s.grid[n] = own;
}

template <int D> __global__ static void take(fluid<D> s)
{
  const int64_t p = cuda_index();
  if (p >= s.count) return;
  const place<D> at = place_of(s, p);
  float u[D] = {}, b[D][D] = {}, trace = 0;
# pragma unroll
  for (int o = 0; o < sizes<D>::AROUND; o++) {
    float weight, away[D];
    const int node = node_of(at, o, &weight, away);
    const float4 there = s.grid[node];
    const float g[3] = { weight * there.x, weight * there.y, weight * there.z };
#   pragma unroll
    for (int a = 0; a < D; a++) {
      u[a] += g[a];
#     pragma unroll
      for (int c = 0; c < D; c++) b[a][c] += g[a] * away[c] * (4.0f * sizes<D>::N);
    }
  }
# pragma unroll
  for (int a = 0; a < D; a++) {
    trace += b[a][a];
    s.v[a * s.count + p] = u[a];
    s.x[a * s.count + p] += DT * u[a];
#   pragma unroll
    for (int c = 0; c < D; c++) s.c[(a * D + c) * s.count + p] = b[a][c];
  }
  s.j[p] *= 1 + DT * trace;
}

template <int D> __global__ static void begin(fluid<D> s)
{
  const int64_t p = cuda_index();
  if (p >= s.count) return;
  const uint32_t h = cuda_scramble((uint32_t)p);
  for (int a = 0; a < D; a++) {
    s.x[a * s.count + p] = D == 2
      ? 0.25f + (float)(0.4 / 65536) * (float)(a == 0 ? h & 0xffff : h >> 16)
      : 0.25f + (float)(0.45 / 1024) * (float)(h >> 10 * a & 1023);
    s.v[a * s.count + p] = a == 1 ? -3.0f : 0.0f;
    for (int b = 0; b < D; b++) s.c[(a * D + b) * s.count + p] = 0;
  }
  s.j[p] = 1;
}

template <int D> __global__ static void sum(fluid<D> s, double *total)
{
  double own = 0;
  for (int64_t p = cuda_index(); p < s.count; p += (int64_t)gridDim.x * blockDim.x) {
    own += (double)s.x[p] * (int)(p & 3) + (double)s.x[s.count + p] * (int)(p & 1) + (double)s.j[p];
    if (D == 3) own += (double)s.x[2 * s.count + p];
  }
  cuda_add(own, total);
}

template <int D> static int fluid_create(void **state, int64_t size)
{
  fluid<D> *s = new fluid<D>();
  const size_t count = (size_t)size;

  *state = s;
  s->count = size;
  return cuda_zeroed(&s->x, D * count) || cuda_zeroed(&s->v, D * count) ||
         cuda_zeroed(&s->c, D * D * count) || cuda_zeroed(&s->j, count) ||
         cuda_zeroed(&s->grid, (size_t)sizes<D>::NODES) || s->total.create();
}

template <int D> static int fluid_before(void *state)
{
  fluid<D> *s = (fluid<D> *)state;

  begin<D><<<blocks_for(s->count), BLOCK>>>(*s);
  return cuda_done();
}

template <int D> static int fluid_run(void *state)
{
  fluid<D> *s = (fluid<D> *)state;

  for (int step = 0; step < sizes<D>::STEPS; step++) {
    CUDA_TRY(cudaMemsetAsync(s->grid, 0, sizes<D>::NODES * sizeof *s->grid));
    give<D><<<blocks_for(s->count), BLOCK>>>(*s);
    move<D><<<blocks_for(sizes<D>::NODES), BLOCK>>>(*s);
    take<D><<<blocks_for(s->count), BLOCK>>>(*s);
  }
  return cuda_done();
}

template <int D> static int fluid_after(void *state, double *result)
{
  fluid<D> *s = (fluid<D> *)state;

  if (s->total.clear()) return -1;
  sum<D><<<1024, BLOCK>>>(*s, s->total.at);
  return cuda_done() ? -1 : s->total.read(result);
}

static const contender rows[] = {
  { "mpm2d", "CUDA", fluid_create<2>, fluid_before<2>, fluid_run<2>, fluid_after<2> },
  { "mpm3d", "CUDA", fluid_create<3>, fluid_before<3>, fluid_run<3>, fluid_after<3> },
};
ROWS_OF_FILE(particle_rows, rows)
