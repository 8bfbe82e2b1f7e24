/* Unsigned numbers: sizes, whose sums and products stop at the largest number instead of wrapping,
 * and their bits.
 */
#ifndef SNI_BASE_NUMBERS_H
#define SNI_BASE_NUMBERS_H

#include <stdint.h>

static inline uint64_t sni_least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline uint64_t sni_most(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static inline uint64_t sni_times(uint64_t a, uint64_t b)
{
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static inline uint64_t sni_plus(uint64_t a, uint64_t b)
{
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* How many bits are set. */
static inline uint32_t sni_count_bits(uint64_t word)
{
  uint32_t count = 0;

  for (; word; word &= word - 1)
    count++;
  return count;
}

/* The least k, at most 63, for which 2^k is n or more: so many bits hold 0 .. n - 1. */
static inline uint32_t sni_log2(uint64_t n)
{
  uint32_t log2 = 0;

  while (log2 < 63 && UINT64_C(1) << log2 < n)
    log2++;
  return log2;
}

#endif
