/* The rows that memory bounds, in CUDA: device_copy, saxpy, fill_*, read_*.
 *
 *   device_copy   cudaMemcpyAsync from device to device: what the others' bytes are compared with
 *   saxpy         leaves one behind the other, so two plain arrays; four values a thread
 *   fill_*        a dense grid, which has no leaves to make: what ours takes longer a sparse one costs
 *   read_*        the same dense grid
 */
#include "cuda.h"

#include <cstdlib>
#include <vector>

/* ---- device_copy; size: bytes ---- */

struct copying {
  int64_t bytes;
  uint32_t *from, *to;
};

__global__ static void number(uint32_t *at, int64_t count)
{
  const int64_t n = cuda_index();
  if (n < count) at[n] = cuda_scramble((uint32_t)n);
}

static int copy_create(void **state, int64_t size)
{
  copying *c = new copying();

  *state = c;
  c->bytes = size;
  if (cuda_zeroed(&c->from, (size_t)size / 4) || cuda_zeroed(&c->to, (size_t)size / 4)) return -1;
  number<<<blocks_for(size / 4), BLOCK>>>(c->from, size / 4);
  return cuda_done();
}

static int copy_run(void *state)
{
  copying *c = (copying *)state;

  CUDA_TRY(cudaMemcpyAsync(c->to, c->from, (size_t)c->bytes, cudaMemcpyDeviceToDevice));
  return cuda_done();
}

/* The last word: every one before it was copied by the same call. */
static int copy_after(void *state, double *result)
{
  copying *c = (copying *)state;
  uint32_t last;

  CUDA_TRY(cudaMemcpy(&last, c->to + c->bytes / 4 - 1, sizeof last, cudaMemcpyDeviceToHost));
  *result = last;
  return 0;
}

/* ---- saxpy; size: steps ---- */

enum { SAXPY_SIDE = 64, LEAF = 512 };

struct two_arrays {
  int64_t steps, count;
  float *x, *y;
  cuda_total total;
};

__global__ static void saxpy(float4 *__restrict__ y, const float4 *__restrict__ x, float a,
                             int64_t count)
{
  const int64_t n = cuda_index();
  if (n >= count) return;
  float4 v = y[n];
  const float4 u = __ldg(&x[n]);
  v.x += a * u.x;
  v.y += a * u.y;
  v.z += a * u.z;
  v.w += a * u.w;
  y[n] = v;
}

__global__ static void sum(const float *y, int64_t count, double *total)
{
  double own = 0;
  for (int64_t n = cuda_index(); n < count; n += (int64_t)gridDim.x * blockDim.x) own += y[n];
  cuda_add(own, total);
}

static int saxpy_create(void **state, int64_t size)
{
  two_arrays *s = new two_arrays();
  std::vector<float> x, y;

  *state = s;
  s->steps = size;
  for (int block = 0; block < SAXPY_SIDE * SAXPY_SIDE * SAXPY_SIDE; block++) {
    const int bi = block / (SAXPY_SIDE * SAXPY_SIDE), bj = block / SAXPY_SIDE % SAXPY_SIDE;
    if (scramble((uint32_t)block) & 1) continue;
    for (int c = 0; c < LEAF; c++) {
      x.push_back((float)(8 * bi + c / 64));
      y.push_back((float)(8 * bj + c / 8 % 8 + 8 * (block % SAXPY_SIDE) + c % 8));
    }
  }
  s->count = (int64_t)x.size();
  if (cuda_zeroed(&s->x, x.size()) || cuda_zeroed(&s->y, y.size()) || s->total.create()) return -1;
  CUDA_TRY(cudaMemcpy(s->x, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(s->y, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice));
  return cuda_done();
}

static int saxpy_run(void *state)
{
  two_arrays *s = (two_arrays *)state;

  for (int64_t step = 0; step < s->steps; step++)
    saxpy<<<blocks_for(s->count / 4), BLOCK>>>((float4 *)s->y, (const float4 *)s->x, 0.5f,
                                               s->count / 4);
  return cuda_done();
}

static int saxpy_after(void *state, double *result)
{
  two_arrays *s = (two_arrays *)state;

  if (s->total.clear()) return -1;
  sum<<<1024, BLOCK>>>(s->y, s->count, s->total.at);
  return cuda_done() ? -1 : s->total.read(result);
}

/* ---- the dense grid of 2^BITS cells along an axis; size: cells along it, writes or reads ---- */

enum { BITS = 9, LAST = (1 << BITS) - 1 };
static const int64_t CELLS = (int64_t)1 << 3 * BITS;

struct dense_grid {
  int64_t size;
  float *x;
  double sum;
  cuda_total total;
};

__device__ static int64_t place(int i, int j, int k)
{
  return ((int64_t)i << 2 * BITS) + (j << BITS) + k;
}

/* four cells a thread: n is a multiple of four */
__global__ static void sweep(float *x, int n)
{
  const int64_t q = cuda_index(), rows = n / 4;
  if (q >= (int64_t)n * n * rows) return;
  const int k = (int)(q % rows) * 4, j = (int)(q / rows % n), i = (int)(q / rows / n);
  const float at = (float)(i + 2 * j + 3 * k);
  *(float4 *)&x[place(i, j, k)] = make_float4(at, at + 3, at + 6, at + 9);
}

__global__ static void scatter(float *x, int64_t n)
{
  const int64_t q = cuda_index();
  if (q >= n) return;
  const int at = (int)(cuda_scramble((uint32_t)q) & (CELLS - 1));
  x[at] = (float)((at >> 2 * BITS) + 2 * (at >> BITS & LAST) + 3 * (at & LAST));
}

__global__ static void far(const float *__restrict__ x, int64_t n, double *total)
{
  double own = 0;
  for (int64_t q = cuda_index(); q < n; q += (int64_t)gridDim.x * blockDim.x)
    own += __ldg(&x[cuda_scramble((uint32_t)q) & (CELLS - 1)]);
  cuda_add(own, total);
}

__global__ static void near(const float *__restrict__ x, int64_t n, double *total)
{
  double own = 0;
  for (int64_t q = cuda_index(); q < n; q += (int64_t)gridDim.x * blockDim.x) {
    const int p = (int)q, h = (int)(cuda_scramble((uint32_t)q) & 63);
    const int i = ((p >> 2 * BITS) + (h & 1) - (h >> 1 & 1)) & LAST;
    const int j = ((p >> BITS) + (h >> 2 & 1) - (h >> 3 & 1)) & LAST;
    const int k = (p + (h >> 4 & 1) - (h >> 5 & 1)) & LAST;
    own += __ldg(&x[place(i, j, k)]);
  }
  cuda_add(own, total);
}

static int grid_create(void **state, int64_t size)
{
  dense_grid *g = new dense_grid();

  *state = g;
  g->size = size;
  return cuda_zeroed(&g->x, (size_t)CELLS) || g->total.create();
}

static int grid_clear(void *state)
{
  dense_grid *g = (dense_grid *)state;

  CUDA_TRY(cudaMemset(g->x, 0, (size_t)CELLS * sizeof *g->x));
  return cuda_done();
}

static void sweep_to(dense_grid *g, int n)
{
  sweep<<<blocks_for((int64_t)n * n * (n / 4)), BLOCK>>>(g->x, n);
}

static int grid_sweep(void *state)
{
  dense_grid *g = (dense_grid *)state;

  if (g->size % 4 != 0) return -1;
  sweep_to(g, (int)g->size);
  return cuda_done();
}

static int grid_scatter(void *state)
{
  dense_grid *g = (dense_grid *)state;

  scatter<<<blocks_for(g->size), BLOCK>>>(g->x, g->size);
  return cuda_done();
}

static int grid_fill_clear(void *state)
{
  dense_grid *g = (dense_grid *)state;

  if (g->size % 4 != 0) return -1;
  for (int round = 0; round < 20; round++) {
    CUDA_TRY(cudaMemsetAsync(g->x, 0, (size_t)CELLS * sizeof *g->x));
    sweep_to(g, (int)g->size);
  }
  return cuda_done();
}

static int grid_full(void **state, int64_t size)
{
  if (grid_create(state, size)) return -1;
  sweep_to((dense_grid *)*state, LAST + 1);
  return cuda_done();
}

template <void (*KERNEL)(const float *, int64_t, double *)> static int grid_read(void *state)
{
  dense_grid *g = (dense_grid *)state;

  if (g->total.clear()) return -1;
  KERNEL<<<2048, BLOCK>>>(g->x, g->size, g->total.at);
  return cuda_done() ? -1 : g->total.read(&g->sum);
}

static int grid_sum(void *state, double *result)
{
  *result = ((dense_grid *)state)->sum;
  return 0;
}

static int grid_stored(void *state, double *result)
{
  dense_grid *g = (dense_grid *)state;

  if (g->total.clear()) return -1;
  sum<<<2048, BLOCK>>>(g->x, CELLS, g->total.at);
  return cuda_done() ? -1 : g->total.read(result);
}

static const contender rows[] = {
  { "device_copy", "CUDA", copy_create, NULL, copy_run, copy_after },
  { "saxpy", "CUDA", saxpy_create, NULL, saxpy_run, saxpy_after },
  { "fill_sweeping", "CUDA", grid_create, grid_clear, grid_sweep, grid_stored },
  { "fill_random", "CUDA", grid_create, grid_clear, grid_scatter, grid_stored },
  { "fill_clear", "CUDA", grid_create, NULL, grid_fill_clear, grid_stored },
  { "read_far", "CUDA", grid_full, NULL, grid_read<far>, grid_sum },
  { "read_near", "CUDA", grid_full, NULL, grid_read<near>, grid_sum },
};
ROWS_OF_FILE(stream_rows, rows)
