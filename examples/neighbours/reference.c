/* The pairs by loops over plain arrays. */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mark(uint64_t less, uint64_t more)
{
  const uint64_t h = (less << 32 | more) * UINT64_C(0x9e3779b97f4a7c15);

  return (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

/* Compares particle p with particle q, which comes behind it. */
static void compare(const float *at, int64_t p, int64_t q, float radius, int32_t *near,
                    pairs_found *out)
{
  const float x = at[3 * p] - at[3 * q], y = at[3 * p + 1] - at[3 * q + 1],
              z = at[3 * p + 2] - at[3 * q + 2];

  if (x * x + y * y + z * z > radius * radius) return;
  near[p]++;
  near[q]++;
  out->total += 2;
  out->marks += mark((uint64_t)p, (uint64_t)q);
}

static void each_with_each(const float *at, int64_t n, float radius, int32_t *near,
                           pairs_found *out)
{
  for (int64_t p = 0; p < n; p++)
    for (int64_t q = p + 1; q < n; q++) compare(at, p, q, radius, near, out);
}

static int64_t cell_of(const float *at, int side)
{
  return ((int64_t)at[0] * side + (int64_t)at[1]) * side + (int64_t)at[2];
}

/* first[c], next[p]: the particles of a cell, as a list that ends with -1. */
static void by_cells(const float *at, int64_t n, int side, float radius, int64_t *first,
                     int64_t *next, int32_t *near, pairs_found *out)
{
  for (int64_t c = 0; c < (int64_t)side * side * side; c++) first[c] = -1;
  for (int64_t p = 0; p < n; p++) {
    const int64_t c = cell_of(at + 3 * p, side);
    next[p] = first[c];
    first[c] = p;
  }
  for (int64_t p = 0; p < n; p++)
    for (int d = 0; d < 27; d++) {
      const int64_t aside = ((d / 9 - 1) * (int64_t)side + d / 3 % 3 - 1) * side + d % 3 - 1;
      for (int64_t q = first[cell_of(at + 3 * p, side) + aside]; q >= 0; q = next[q])
        if (q > p) compare(at, p, q, radius, near, out);
    }
}

int reference_agrees(const float *at, int64_t n, int side, float radius, const int32_t *near,
                     pairs_found found)
{
  const size_t cells = (size_t)side * (size_t)side * (size_t)side;
  int64_t *first = malloc((cells + 1) * sizeof *first), *next = malloc((size_t)n * sizeof *next);
  int32_t *expected = calloc((size_t)n, sizeof *expected);
  pairs_found other = { 0, 0 };
  const int memory = first && next && expected;

  if (memory && side) by_cells(at, n, side, radius, first, next, expected, &other);
  else if (memory) each_with_each(at, n, radius, expected, &other);
  const int same = memory && other.marks == found.marks && other.total == found.total &&
                   memcmp(near, expected, (size_t)n * sizeof *near) == 0;
  free(expected);
  free(next);
  free(first);
  return same;
}
