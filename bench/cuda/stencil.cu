/* The rows heat, stencil7, conv27 and life, in CUDA.
 *
 *   heat       four cells of a row a thread, rows above and below by the read-only cache
 *   stencil7   a dense grid with a border of zeros; a thread goes along the first axis with three
 *              values of its column in registers, the other four by the read-only cache
 *   conv27     a block of threads a leaf: its 10^3 values in shared memory, weights in constant
 *              memory, four cells of a row a thread
 *   life       a row of 16 cells a thread, four cells a word
 */
#include "cuda.h"

#include <cstdlib>
#include <cstring>
#include <vector>

/* ---- heat; size: steps ---- */

enum { HEAT_N = 16384 };

struct plane {
  int64_t steps;
  float *x, *y;
  cuda_total total;
};

__global__ static void heat_fill(float *x)
{
  const int64_t n = cuda_index();
  if (n < (int64_t)HEAT_N * HEAT_N)
    x[n] = (float)((n / HEAT_N * 5 + n % HEAT_N * 3) & 15);
}

__global__ static void heat_step(float *__restrict__ y, const float *__restrict__ x)
{
  const int j = 4 * (int)(blockIdx.x * blockDim.x + threadIdx.x);
  const int i = (int)(blockIdx.y * blockDim.y + threadIdx.y) + 1;
  if (i >= HEAT_N - 1 || j >= HEAT_N) return;
  const int64_t at = (int64_t)i * HEAT_N + j;
  const float4 own = __ldg((const float4 *)&x[at]);
  const float4 less = __ldg((const float4 *)&x[at - HEAT_N]);
  const float4 more = __ldg((const float4 *)&x[at + HEAT_N]);
  const float left = j > 0 ? __ldg(&x[at - 1]) : 0, right = j + 4 < HEAT_N ? __ldg(&x[at + 4]) : 0;
  float4 v;
  v.x = own.x + 0.125f * (less.x + more.x + left + own.y - 4 * own.x);
  v.y = own.y + 0.125f * (less.y + more.y + own.x + own.z - 4 * own.y);
  v.z = own.z + 0.125f * (less.z + more.z + own.y + own.w - 4 * own.z);
  v.w = own.w + 0.125f * (less.w + more.w + own.z + right - 4 * own.w);
  if (j == 0) v.x = 0;                  /* the border keeps what it has */
  if (j + 4 == HEAT_N) v.w = 0;
  *(float4 *)&y[at] = v;
}

__global__ static void heat_sum(const float *y, double *total)
{
  double own = 0;
  for (int64_t n = cuda_index(); n < (int64_t)HEAT_N * HEAT_N; n += (int64_t)gridDim.x * blockDim.x)
    own += (double)y[n] * (double)((n / HEAT_N + 2 * (n % HEAT_N)) & 7);
  cuda_add(own, total);
}

static int heat_create(void **state, int64_t size)
{
  plane *p = new plane();
  const int64_t cells = (int64_t)HEAT_N * HEAT_N;

  *state = p;
  p->steps = size;
  if (cuda_zeroed(&p->x, (size_t)cells) || cuda_zeroed(&p->y, (size_t)cells)) return -1;
  heat_fill<<<blocks_for(cells), BLOCK>>>(p->x);
  return cuda_done() || p->total.create();
}

static int heat_run(void *state)
{
  plane *p = (plane *)state;
  const dim3 threads(64, 4), blocks(HEAT_N / 4 / 64, (HEAT_N + 3) / 4);

  for (int64_t s = 0; s < p->steps; s++) heat_step<<<blocks, threads>>>(p->y, p->x);
  return cuda_done();
}

static int heat_after(void *state, double *result)
{
  plane *p = (plane *)state;

  if (p->total.clear()) return -1;
  heat_sum<<<2048, BLOCK>>>(p->y, p->total.at);
  return cuda_done() ? -1 : p->total.read(result);
}

/* ---- stencil7; size: leaves along an axis ---- */

enum { STEPS = 10, BEFORE = 32, SLAB = 32 };       /* floats in front of a row; cells a thread */

struct box {
  int n;                                           /* cells along an axis */
  int64_t row, layer;                              /* from one to the next */
  float *x, *y;
  cuda_total total;
};

__device__ static int64_t box_place(box b, int i, int j, int k)
{
  return (i + 1) * b.layer + (j + 1) * b.row + BEFORE + k;
}

__global__ static void box_fill(box b)
{
  const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x), j = (int)blockIdx.y;
  const int i = (int)blockIdx.z;
  if (k < b.n) b.x[box_place(b, i, j, k)] = (float)(((8 + i) * 5 + (8 + j) * 3 + 8 + k) & 15);
}

__global__ static void box_step(box b, const float *__restrict__ x, float *__restrict__ y)
{
  const int k = (int)(blockIdx.x * 32 + threadIdx.x), j = (int)(blockIdx.y * 8 + threadIdx.y);
  const int first = (int)blockIdx.z * SLAB, last = min(first + SLAB, b.n);
  if (k >= b.n || j >= b.n) return;
  int64_t at = box_place(b, first, j, k);
  float less = __ldg(&x[at - b.layer]), own = __ldg(&x[at]);
# pragma unroll 4
  for (int i = first; i < last; i++, at += b.layer) {
    const float more = __ldg(&x[at + b.layer]);
    y[at] = own + 0.125f * (less + more + __ldg(&x[at - b.row]) + __ldg(&x[at + b.row]) +
                            __ldg(&x[at - 1]) + __ldg(&x[at + 1]) - 6 * own);
    less = own;
    own = more;
  }
}

__global__ static void box_sum(box b, const float *y, double *total)
{
  const int64_t count = (int64_t)b.n * b.n * b.n;
  double own = 0;
  for (int64_t q = cuda_index(); q < count; q += (int64_t)gridDim.x * blockDim.x) {
    const int k = (int)(q % b.n), j = (int)(q / b.n % b.n), i = (int)(q / b.n / b.n);
    own += (double)y[box_place(b, i, j, k)] * ((8 + i + 2 * (8 + j) + 3 * (8 + k)) & 7);
  }
  cuda_add(own, total);
}

static int box_create(void **state, int64_t size)
{
  box *b = new box();
  const int n = 8 * (int)size;

  *state = b;
  b->n = n;
  b->row = (n + 2 * BEFORE + 31) / 32 * 32;
  b->layer = b->row * (n + 2);
  const size_t cells = (size_t)b->layer * (size_t)(n + 2);
  if (cuda_zeroed(&b->x, cells) || cuda_zeroed(&b->y, cells) || b->total.create()) return -1;
  box_fill<<<dim3(blocks_for(n), n, n), BLOCK>>>(*b);
  return cuda_done();
}

static int box_run(void *state)
{
  box *b = (box *)state;
  const dim3 blocks((b->n + 31) / 32, (b->n + 7) / 8, (b->n + SLAB - 1) / SLAB);

  for (int s = 0; s < STEPS; s++) box_step<<<blocks, dim3(32, 8)>>>(*b, b->x, b->y);
  return cuda_done();
}

static int box_after(void *state, double *result)
{
  box *b = (box *)state;

  if (b->total.clear()) return -1;
  box_sum<<<2048, BLOCK>>>(*b, b->y, b->total.at);
  return cuda_done() ? -1 : b->total.read(result);
}

/* ---- conv27; size: leaves along an axis ---- */

enum { CONV_SIDE = 32, HALO = 10, HALO_ROW = 12, CONV_THREADS = 128 };

static const float conv_weight[27] = { 1, 2, 1, 2, 5, 3, 1, 3, 2, 2, 6, 3, 7, -64,
                                       8, 4, 9, 5, 1, 3, 2, 4, 7, 5, 2, 6, 3 };
__constant__ float weight[27];

struct conv {
  int64_t count;                       /* of leaves; leaf 0 is of zeros, and there is no other */
  float *x, *y;                        /* 512 for each */
  int32_t *beside, *where;             /* 27 numbers each; a leaf's indices, 3 each */
  cuda_total total;
};

__global__ static void __launch_bounds__(CONV_THREADS)
convolve(const float *__restrict__ x, float *__restrict__ y, const int32_t *__restrict__ beside)
{
  __shared__ float in[HALO][HALO][HALO_ROW];
  const int leaf = (int)blockIdx.x + 1;
  for (int c = (int)threadIdx.x; c < HALO * HALO * HALO; c += CONV_THREADS) {
    const int i = c / (HALO * HALO) - 1, j = c / HALO % HALO - 1, k = c % HALO - 1;
    const int which = ((i + 8) / 8 * 3 + (j + 8) / 8) * 3 + (k + 8) / 8;
    const int64_t from = __ldg(&beside[27 * leaf + which]);
    in[i + 1][j + 1][k + 1] = __ldg(&x[from * 512 + ((i & 7) * 8 + (j & 7)) * 8 + (k & 7)]);
  }
  __syncthreads();
  const int k = (int)(threadIdx.x & 1) * 4, j = (int)(threadIdx.x >> 1 & 7);
  const int i = (int)(threadIdx.x >> 4);
  float sum[4] = { 0, 0, 0, 0 };
# pragma unroll
  for (int a = 0; a < 3; a++)
#   pragma unroll
    for (int b = 0; b < 3; b++) {
      float row[6];
#     pragma unroll
      for (int c = 0; c < 6; c++) row[c] = in[i + a][j + b][k + c];
#     pragma unroll
      for (int c = 0; c < 3; c++)
#       pragma unroll
        for (int q = 0; q < 4; q++) sum[q] += weight[(a * 3 + b) * 3 + c] * row[q + c];
    }
  *(float4 *)&y[(int64_t)leaf * 512 + (i * 8 + j) * 8 + k] =
    make_float4(sum[0], sum[1], sum[2], sum[3]);
}

__global__ static void conv_sum(const float *y, const int32_t *where, int64_t cells, double *total)
{
  double own = 0;
  for (int64_t q = cuda_index(); q < cells; q += (int64_t)gridDim.x * blockDim.x) {
    const int64_t leaf = q / 512 + 1;
    const int32_t *at = &where[3 * leaf];
    const int i = 8 * at[0] + (int)(q / 64 % 8), j = 8 * at[1] + (int)(q / 8 % 8);
    const int k = 8 * at[2] + (int)(q % 8);
    own += (double)y[leaf * 512 + q % 512] * ((i + 2 * j + 3 * k) & 7);
  }
  cuda_add(own, total);
}

/* On the host: which leaves are there, and who is beside whom. */
static int conv_upload(conv *c, int n)
{
  std::vector<int32_t> table(CONV_SIDE * CONV_SIDE * CONV_SIDE), where(3), beside(27);
  std::vector<float> x(512);
  const auto number = [](int i, int j, int k) { return (i * CONV_SIDE + j) * CONV_SIDE + k; };

  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      for (int k = 1; k <= n; k++) {
        if (scramble((uint32_t)number(i, j, k)) & 1) continue;
        table[number(i, j, k)] = (int32_t)++c->count;
        where.insert(where.end(), { i, j, k });
        for (int q = 0; q < 512; q++) {
          const int at = (8 * i + q / 64) * 5 + (8 * j + q / 8 % 8) * 3 + 8 * k + q % 8;
          x.push_back((float)(at & 15));
        }
      }
  for (int64_t leaf = 1; leaf <= c->count; leaf++)
    for (int o = 0; o < 27; o++) {
      const int32_t *at = &where[3 * leaf];
      beside.push_back(table[number(at[0] + o / 9 - 1, at[1] + o / 3 % 3 - 1, at[2] + o % 3 - 1)]);
    }
  if (cuda_zeroed(&c->x, x.size()) || cuda_zeroed(&c->y, x.size()) ||
      cuda_zeroed(&c->where, where.size()) || cuda_zeroed(&c->beside, beside.size()))
    return -1;
  CUDA_TRY(cudaMemcpy(c->x, x.data(), x.size() * sizeof x[0], cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(c->where, where.data(), where.size() * 4, cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(c->beside, beside.data(), beside.size() * 4, cudaMemcpyHostToDevice));
  return cuda_done();
}

static int conv_create(void **state, int64_t size)
{
  conv *c = new conv();

  *state = c;
  if (size > CONV_SIDE - 2) return -1;
  CUDA_TRY(cudaMemcpyToSymbol(weight, conv_weight, sizeof conv_weight));
  return conv_upload(c, (int)size) || c->total.create();
}

static int conv_run(void *state)
{
  conv *c = (conv *)state;

  for (int s = 0; s < STEPS; s++)
    convolve<<<(unsigned)c->count, CONV_THREADS>>>(c->x, c->y, c->beside);
  return cuda_done();
}

static int conv_after(void *state, double *result)
{
  conv *c = (conv *)state;

  if (c->total.clear()) return -1;
  conv_sum<<<1024, BLOCK>>>(c->y, c->where, c->count * 512, c->total.at);
  return cuda_done() ? -1 : c->total.read(result);
}

/* ---- life; size: tiles along an axis ---- */

enum { LIFE_SIDE = 1026, TILE = 16 };

struct tile { uint4 row[TILE]; };

struct life {
  int64_t count;                       /* of tiles; tile 0 is of dead cells */
  tile *generation[2];
  int32_t *beside, *where;             /* 9 numbers each; a tile's indices, 2 each */
  cuda_total total;
};

/* Sums of three cells side by side, for the four cells of each word of a row. */
struct threes { uint32_t word[4]; };

__device__ static threes three(const tile *left, const tile *own, const tile *right, int i)
{
  const uint4 o = own->row[i];
  const uint32_t before = left->row[i].w, behind = right->row[i].x;
  const uint32_t word[6] = { before, o.x, o.y, o.z, o.w, behind };
  threes sums;
# pragma unroll
  for (int w = 1; w <= 4; w++)          /* the lowest byte is the cell with the least index */
    sums.word[w - 1] = word[w] + __funnelshift_l(word[w - 1], word[w], 8) +
                       __funnelshift_r(word[w], word[w + 1], 8);
  return sums;
}

__global__ static void life_step(const tile *__restrict__ from, tile *__restrict__ to,
                                 const int32_t *__restrict__ beside, int64_t count)
{
  const int64_t q = cuda_index(), number = q / TILE + 1;
  const int i = (int)(q % TILE);
  if (number > count) return;
  const int32_t *b = &beside[9 * number];
  const int above = i == 0 ? 0 : 3, below = i == TILE - 1 ? 6 : 3;
  const threes a = three(&from[b[above]], &from[b[above + 1]], &from[b[above + 2]], (i - 1) & 15);
  const threes h = three(&from[b[3]], &from[b[4]], &from[b[5]], i);
  const threes c = three(&from[b[below]], &from[b[below + 1]], &from[b[below + 2]], (i + 1) & 15);
  const uint4 own = from[number].row[i];
  const uint32_t alive[4] = { own.x, own.y, own.z, own.w };
  uint32_t next[4];
# pragma unroll
  for (int w = 0; w < 4; w++) {
    const uint32_t all = a.word[w] + h.word[w] + c.word[w];
    next[w] = (__vcmpeq4(all, 0x03030303u) |
               (__vcmpeq4(all, 0x04040404u) & __vcmpeq4(alive[w], 0x01010101u))) & 0x01010101u;
  }
  to[number].row[i] = make_uint4(next[0], next[1], next[2], next[3]);
}

__global__ static void life_sum(const uint8_t *cells, const int32_t *where, int64_t count,
                                double *total)
{
  double own = 0;
  for (int64_t q = cuda_index(); q < count * 256; q += (int64_t)gridDim.x * blockDim.x) {
    const int64_t t = q / 256 + 1;
    const int i = where[2 * t] * TILE + (int)(q / 16 % 16);
    const int j = where[2 * t + 1] * TILE + (int)(q % 16);
    own += (double)(cells[t * 256 + q % 256] * ((i + 2 * j) & 7));
  }
  cuda_add(own, total);
}

static int life_upload(life *l, int n)
{
  std::vector<int32_t> table(LIFE_SIDE * LIFE_SIDE), where(2), beside(9);
  std::vector<uint8_t> cells(256);

  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++) {
      if ((scramble((uint32_t)(i * LIFE_SIDE + j)) & 3) == 0) continue;
      table[i * LIFE_SIDE + j] = (int32_t)++l->count;
      where.insert(where.end(), { i, j });
      for (int q = 0; q < 256; q++) {
        const uint32_t at = (uint32_t)((i * TILE + q / 16) * LIFE_SIDE * TILE + j * TILE + q % 16);
        cells.push_back(scramble(at) >> 5 & 1);
      }
    }
  for (int64_t t = 1; t <= l->count; t++)
    for (int o = 0; o < 9; o++) {
      const int i = where[2 * t] + o / 3 - 1, j = where[2 * t + 1] + o % 3 - 1;
      beside.push_back(table[i * LIFE_SIDE + j]);
    }
  if (cuda_zeroed(&l->generation[0], (size_t)l->count + 1) ||
      cuda_zeroed(&l->generation[1], (size_t)l->count + 1) ||
      cuda_zeroed(&l->where, where.size()) || cuda_zeroed(&l->beside, beside.size()))
    return -1;
  CUDA_TRY(cudaMemcpy(l->generation[0], cells.data(), cells.size(), cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(l->where, where.data(), where.size() * 4, cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(l->beside, beside.data(), beside.size() * 4, cudaMemcpyHostToDevice));
  return cuda_done();
}

static int life_create(void **state, int64_t size)
{
  life *l = new life();

  *state = l;
  if (size > LIFE_SIDE - 2) return -1;
  return life_upload(l, (int)size) || l->total.create();
}

static int life_run(void *state)
{
  life *l = (life *)state;

  for (int s = 0; s < STEPS; s++)
    life_step<<<blocks_for(l->count * TILE), BLOCK>>>(l->generation[s & 1], l->generation[~s & 1],
                                                      l->beside, l->count);
  return cuda_done();
}

static int life_after(void *state, double *result)
{
  life *l = (life *)state;

  if (l->total.clear()) return -1;
  life_sum<<<2048, BLOCK>>>((const uint8_t *)l->generation[0], l->where, l->count, l->total.at);
  return cuda_done() ? -1 : l->total.read(result);
}

static const contender rows[] = {
  { "heat", "CUDA", heat_create, NULL, heat_run, heat_after },
  { "stencil7", "CUDA", box_create, NULL, box_run, box_after },
  { "conv27", "CUDA", conv_create, NULL, conv_run, conv_after },
  { "life", "CUDA", life_create, NULL, life_run, life_after },
};
ROWS_OF_FILE(stencil_rows, rows)
