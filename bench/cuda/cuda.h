/* What the rows written in CUDA share: bench/cuda/NAME.cu has the contenders of some rows, by hand,
 * as bench/contender.h wants them; the file rows.cu is their main.
 *
 * They do the work of the rows of the same names and leave the same results. A call of run ends
 * when the device has done its work, as a call of a generated kernel does.
 */
#ifndef BENCH_CUDA_H
#define BENCH_CUDA_H

#include <cstdio>
#include <cstdint>
#include <cuda_runtime.h>

extern "C" {
#include "bench/contender.h"
}

/* Of a file: its contenders. */
struct contenders_of_file {
  const contender *contenders;
  int count;
};
contenders_of_file stream_rows(), stencil_rows(), sparse_rows(), particle_rows(), bus_rows();
#define ROWS_OF_FILE(name, array) \
  contenders_of_file name() { return { array, (int)(sizeof array / sizeof *array) }; }

/* 0, or -1 and a line to stderr. */
inline int cuda_checked(cudaError_t error, const char *what)
{
  if (error == cudaSuccess) return 0;
  fprintf(stderr, "bench: CUDA: %s: %s\n", what, cudaGetErrorString(error));
  return -1;
}
#define CUDA_TRY(call) \
  do { if (cuda_checked(call, #call)) return -1; } while (0)

/* The end of run: launches that were refused, kernels that failed. */
inline int cuda_done()
{
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaDeviceSynchronize());
  return 0;
}

/* Zeroed memory of the device. */
template <typename T> int cuda_zeroed(T **to, size_t count)
{
  CUDA_TRY(cudaMalloc((void **)to, count * sizeof(T)));
  CUDA_TRY(cudaMemset(*to, 0, count * sizeof(T)));
  return 0;
}

enum { BLOCK = 256 };

inline unsigned blocks_for(int64_t items) { return (unsigned)((items + BLOCK - 1) / BLOCK); }

/* Index of this thread among all of the launch. */
__device__ inline int64_t cuda_index() { return (int64_t)blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline uint32_t cuda_scramble(uint32_t h)
{
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  return h;
}

/* Adds the values of all threads of the launch to *total: shuffles, then one atomic a warp.
 * All threads of a block come here. */
__device__ inline void cuda_add(double value, double *total)
{
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, value);
}

/* A double on the device that kernels add to. */
struct cuda_total {
  double *at;
  int create() { return cuda_zeroed(&at, 1); }
  int clear() { CUDA_TRY(cudaMemset(at, 0, sizeof *at)); return 0; }
  int read(double *value)
  {
    CUDA_TRY(cudaMemcpy(value, at, sizeof *at, cudaMemcpyDeviceToHost));
    return 0;
  }
};

#endif
