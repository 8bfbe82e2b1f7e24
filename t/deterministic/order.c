/* order [FILE]: prints, bit by bit, what order.sn's kernels leave; saves the hash to FILE. */
#include "order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8000

static sn_context *context;

static void need(int code, const char *what)
{
  if (code == SN_OK) return;
  printf("%s: %s: %s\n", what, sn_strerror(code), sn_context_error(context));
  exit(1);
}
#define NEED(call) need(call, #call)

static void show(const char *what, double value)
{
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  printf("%s %016" PRIx64 "\n", what, bits);
}

/* FNV-1a, over bytes. */
static uint64_t hash_of(uint64_t hash, const void *bytes, size_t count)
{
  const unsigned char *at = bytes;

  for (size_t k = 0; k < count; k++) hash = (hash ^ at[k]) * UINT64_C(0x100000001b3);
  return hash;
}

static void show_active(const char *what, int64_t count, const int64_t *index, size_t axes,
                        const void *value, size_t bytes)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  int sorted = 1;

  for (int64_t k = 1; k < count; k++) {
    const int64_t *a = index + (size_t)(k - 1) * axes, *b = a + axes;
    sorted = sorted && (a[0] < b[0] || (a[0] == b[0] && axes == 2 && a[1] < b[1]));
  }
  hash = hash_of(hash, index, (size_t)count * axes * sizeof *index);
  hash = hash_of(hash, value, (size_t)count * bytes);
  printf("%s: %" PRId64 " cells, %ssorted, %016" PRIx64 "\n", what, count, sorted ? "" : "not ",
         hash);
}

static void grids(void)
{
  static int64_t index[MOST];
  static float rho[MOST];
  static int32_t n[MOST];
  order_grid *grid;
  int64_t count;
  double value;

  NEED(order_grid_create(context, NULL, &grid));
  NEED(order_scatter(grid, 200000));
  NEED(order_rho_read_active(grid, index, rho, MOST, &count));
  show_active("scatter", count, index, 1, rho, sizeof *rho);
  NEED(order_boxes(grid, 100000));
  NEED(order_rho_read_active(grid, index, rho, MOST, &count));
  show_active("boxes", count, index, 1, rho, sizeof *rho);
  NEED(order_spread(grid, 100000));
  NEED(order_counts(grid, 100000));
  NEED(order_n_read_active(grid, index, n, MOST, &count));
  show_active("spread", count, index, 1, n, sizeof *n);
  NEED(order_numbers(grid));
  NEED(order_n_read_active(grid, index, n, MOST, &count));
  show_active("numbers", count, index, 1, n, sizeof *n);
  NEED(order_smooth(grid));
  NEED(order_total(grid, &value));
  show("total", value);
  NEED(order_highest(grid, &value));
  show("highest", value);
  order_grid_destroy(grid);
}

static void lists(void)
{
  order_lists *lists;
  float value;

  NEED(order_lists_create(context, NULL, &lists));
  NEED(order_appends(lists, 50000));
  NEED(order_weighed(lists, &value));
  show("appends", (double)value);
  order_lists_destroy(lists);
}

static void hashes(const char *path)
{
  static int64_t index[2 * MOST];
  static double h[MOST];
  order_keys *keys;
  int64_t count;
  double value;

  NEED(order_keys_create(context, NULL, &keys));
  for (int k = 1; k <= 3; k++) {
    NEED(order_makes(keys, 2000 * k));
    NEED(order_sum_keys(keys, &value));
    show("keys", value);
    if (k == 2) NEED(order_takes(keys));
  }
  NEED(order_h_read_active(keys, index, h, MOST, &count));
  show_active("keys", count, index, 2, h, sizeof *h);
  NEED(order_h_get(keys, 9 * 7919 % 1009 - 500, 2, &value));
  show("one of them", value);
  if (path) NEED(order_keys_save(keys, path));
  order_keys_destroy(keys);
}

int main(int argc, char **argv)
{
  int64_t whole;

  if (sn_context_create(NULL, &context) != SN_OK) return 1;
  NEED(order_whole(context, 100000, &whole));
  printf("whole %" PRId64 "\n", whole);
  grids();
  lists();
  hashes(argc > 1 ? argv[1] : NULL);
  fflush(stdout);
  NEED(order_says(context, 5000));
  return sn_context_destroy(context) != SN_OK;
}
