/* The rows upload and download: all values of a dense field from host memory to where its context
 * computes, and back, by one call; "C" copies them on the host. size: how often.
 */
#include "bus.h"                       /* generated from bench/gpu/bus.sn */
#include "bench/contender.h"

#include <stdlib.h>
#include <string.h>

enum { N = BUS_N };

typedef struct bench {
  sn_context *context;                 /* NULL: by hand */
  bus_x_tree *tree;
  int64_t turns;
  float *values, *copy;
} bench;

static int create(void **state, int64_t size)
{
  bench *b = calloc(1, sizeof *b);

  if (!b) return -1;
  *state = b;
  b->turns = size;
  b->values = bench_pages(N * sizeof *b->values);
  b->copy = bench_pages(N * sizeof *b->copy);
  if (!b->values || !b->copy) return -1;
  for (int64_t i = 0; i < N; i++) b->values[i] = (float)(i & 1023);
  return 0;
}

static int generated_create(void **state, int64_t size)
{
  bench *b;

  if (create(state, size)) return -1;
  b = *state;
  SN_TRY(sn_context_create(NULL, &b->context));
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
