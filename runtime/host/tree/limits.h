/* Arithmetic on sizes that stops at the largest number instead of wrapping. */
#ifndef SNI_TREE_LIMITS_H
#define SNI_TREE_LIMITS_H

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

#endif
