/* The row device_copy: memory of the device copied on the device, by OpenMP's own call. The share
 * of copy bandwidth that the table of t/gpu.sh gives for other rows is of this one, of the bytes
 * read and written. "C" copies on the host. size: bytes.
 */
#include "bench/contender.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
  size_t bytes;
  int device;
  uint32_t *from, *to;          /* of the device; by hand: of the host */
} bench;

static int create(void **state, int64_t size)
{
  bench *b = calloc(1, sizeof *b);
  uint32_t *words;

  if (!b) return -1;
  *state = b;
  b->bytes = (size_t)size;
  b->from = words = omp_target_alloc(b->bytes, b->device);
  b->to = omp_target_alloc(b->bytes, b->device);
  if (!b->from || !b->to) return -1;
# pragma omp target teams distribute parallel for is_device_ptr(words) device(b->device)
  for (int64_t n = 0; n < size / 4; n++) words[n] = scramble((uint32_t)n);
  return 0;
}

static int run(void *state)
{
  bench *b = state;
  return omp_target_memcpy(b->to, b->from, b->bytes, 0, 0, b->device, b->device);
}

/* The last word: every one before it was copied by the same call. */
static int after(void *state, double *result)
{
  bench *b = state;
  uint32_t last;

  if (omp_target_memcpy(&last, b->to, sizeof last, 0, b->bytes - sizeof last,
                        omp_get_initial_device(), b->device))
    return -1;
  *result = last;
  return 0;
}

static int hand_create(void **state, int64_t size)
{
  bench *b = calloc(1, sizeof *b);

  if (!b) return -1;
  *state = b;
  b->bytes = (size_t)size;
  b->from = bench_pages(b->bytes);
  b->to = bench_pages(b->bytes);
  if (!b->from || !b->to) return -1;
  for (int64_t n = 0; n < size / 4; n++) b->from[n] = scramble((uint32_t)n);
  return 0;
}

static int hand_run(void *state)
{
  const bench *b = state;

  memcpy(b->to, b->from, b->bytes);
  return 0;
}

static int hand_after(void *state, double *result)
{
  const bench *b = state;

  *result = b->to[b->bytes / sizeof *b->to - 1];
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "device_copy", "ours", create, NULL, run, after },
    { "device_copy", "C", hand_create, NULL, hand_run, hand_after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
