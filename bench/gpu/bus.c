/* The rows upload and download: all values of a dense field from host memory to where its context
 * computes, and back, by one call; "C" copies them on the host. size: how often.
 *
 * On a device the memory of the host is locked (pinned), as that of bench/cuda/bus.cu is: the
 * device reads and writes it itself, where other memory goes through buffers of the driver.
 */
#include "bus.h"                       /* generated from bench/gpu/bus.sn */
#include "bench/contender.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = BUS_N };

typedef struct bench {
  sn_context *context;                 /* NULL: by hand */
  bus_x_tree *tree;
  int64_t turns;
  float *values, *copy;
} bench;

/* Of libomptarget, where the program is linked with it. */
extern void *llvm_omp_target_alloc_host(size_t bytes, int device) __attribute__((weak));

static void *host_pages(size_t bytes, bool is_locked)
{
  void *at = is_locked && llvm_omp_target_alloc_host ? llvm_omp_target_alloc_host(bytes, 0) : NULL;

  return at ? at : bench_pages(bytes);
}

static int create_in(void **state, int64_t size, bool is_locked)
{
  bench *b = calloc(1, sizeof *b);

  if (!b) return -1;
  *state = b;
  b->turns = size;
  b->values = host_pages(N * sizeof *b->values, is_locked);
  b->copy = host_pages(N * sizeof *b->copy, is_locked);
  if (!b->values || !b->copy) return -1;
  for (int64_t i = 0; i < N; i++) b->values[i] = (float)(i & 1023);
  return 0;
}

static int create(void **state, int64_t size)
{
  return create_in(state, size, false);
}

static int generated_create(void **state, int64_t size)
{
  const char *device = getenv("SNODE_DEVICE");
  sn_context *context;
  bench *b;

  SN_TRY(sn_context_create(NULL, &context));     /* the device is there */
  if (create_in(state, size, device && strncmp(device, "gpu", 3) == 0)) return -1;
  b = *state;
  b->context = context;
  SN_TRY(bus_x_tree_create(b->context, NULL, &b->tree));
  return bus_begin(b->tree);
}

static int generated_upload(void *state)
{
  bench *b = state;

  for (int64_t t = 0; t < b->turns; t++)
    SN_TRY(bus_x_write(b->tree, NULL, sn_span_host(b->values, N * sizeof *b->values), NULL));
  return SN_OK;
}

static int generated_download(void *state)
{
  bench *b = state;

  for (int64_t t = 0; t < b->turns; t++)
    SN_TRY(bus_x_read(b->tree, NULL, sn_span_host(b->copy, N * sizeof *b->copy), NULL));
  return SN_OK;
}

static int hand_run(void *state)
{
  const bench *b = state;

  for (int64_t t = 0; t < b->turns; t++) memcpy(b->copy, b->values, N * sizeof *b->copy);
  return 0;
}

static int uploaded(void *state, double *result)
{
  return bus_sum_up(((bench *)state)->tree, result);
}

static int downloaded(void *state, double *result)
{
  const bench *b = state;

  *result = 0;
  for (int64_t i = 0; i < N; i++) *result += (double)b->copy[i];
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "upload", "ours", generated_create, NULL, generated_upload, uploaded },
    { "upload", "C", create, NULL, hand_run, downloaded },
    { "download", "ours", generated_create, NULL, generated_download, downloaded },
    { "download", "C", create, NULL, hand_run, downloaded },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
