/* The rows upload and download, in CUDA: cudaMemcpy from and to pinned memory of the host. */
#include "cuda.h"

enum { N = 1 << 26 };

struct bus {
  int64_t turns;
  float *values, *there;
  cuda_total total;
};

__global__ static void sum(const float *x, int64_t count, double *total)
{
  double own = 0;
  for (int64_t n = cuda_index(); n < count; n += (int64_t)gridDim.x * blockDim.x) own += x[n];
  cuda_add(own, total);
}

static int create(void **state, int64_t size)
{
  bus *b = new bus();

  *state = b;
  b->turns = size;
  CUDA_TRY(cudaMallocHost((void **)&b->values, N * sizeof(float)));
  for (int64_t i = 0; i < N; i++) b->values[i] = (float)(i & 1023);
  if (cuda_zeroed(&b->there, N) || b->total.create()) return -1;
  CUDA_TRY(cudaMemcpy(b->there, b->values, N * sizeof(float), cudaMemcpyHostToDevice));
  return cuda_done();
}

static int upload(void *state)
{
  bus *b = (bus *)state;

  for (int64_t t = 0; t < b->turns; t++)
    CUDA_TRY(cudaMemcpyAsync(b->there, b->values, N * sizeof(float), cudaMemcpyHostToDevice));
  return cuda_done();
}

static int download(void *state)
{
  bus *b = (bus *)state;

  for (int64_t t = 0; t < b->turns; t++)
    CUDA_TRY(cudaMemcpyAsync(b->values, b->there, N * sizeof(float), cudaMemcpyDeviceToHost));
  return cuda_done();
}

static int uploaded(void *state, double *result)
{
  bus *b = (bus *)state;

  if (b->total.clear()) return -1;
  sum<<<2048, BLOCK>>>(b->there, N, b->total.at);
  return cuda_done() ? -1 : b->total.read(result);
}

static int downloaded(void *state, double *result)
{
  bus *b = (bus *)state;

  *result = 0;
  for (int64_t i = 0; i < N; i++) *result += b->values[i];
  return 0;
}

static const contender rows[] = {
  { "upload", "CUDA", create, NULL, upload, uploaded },
  { "download", "CUDA", create, NULL, download, downloaded },
};
ROWS_OF_FILE(bus_rows, rows)
