/* Arithmetic: all pairs of 8-bit values against wider integers, and the edges of
 * the other types.
 */
#include "tree.h"

static int64_t floored(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

static int64_t int_power(int64_t base, int64_t exponent)
{
  uint64_t product = 1;
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  while (exponent-- > 0) product *= (uint64_t)base;
  return (int64_t)product;
}

/* All pairs (x, y) of an 8-bit type, as 64-bit values. */
#define DEFINE_PAIRS(T, C) \
  static void test_pairs_##T(int low, int high) \
  { \
    int64_t wrong = 0; \
    for (int64_t x = low; x <= high; x++) \
      for (int64_t y = low; y <= high; y++) { \
        const C a = (C)x, b = (C)y; \
        wrong += snd_add_##T(a, b) != (C)(x + y); \
        wrong += snd_sub_##T(a, b) != (C)(x - y); \
        wrong += snd_mul_##T(a, b) != (C)(x * y); \
        wrong += snd_div_##T(a, b) != (C)(y == 0 ? 0 : x / y); \
        wrong += snd_mod_##T(a, b) != (C)(y == 0 ? 0 : x % y); \
        wrong += snd_floordiv_##T(a, b) != (C)(y == 0 ? 0 : floored(x, y)); \
        wrong += snd_floormod_##T(a, b) != (C)(y == 0 ? 0 : x - floored(x, y) * y); \
        wrong += snd_and_##T(a, b) != (C)(x & y); \
        wrong += snd_or_##T(a, b) != (C)(x | y); \
        wrong += snd_xor_##T(a, b) != (C)(x ^ y); \
        wrong += snd_min_##T(a, b) != (C)(x < y ? x : y); \
        wrong += snd_max_##T(a, b) != (C)(x > y ? x : y); \
        wrong += snd_shl_##T(a, y) != (C)((uint64_t)x << (y & 7)); \
        wrong += snd_shr_##T(a, y) != (C)floored(x, (int64_t)1 << (y & 7)); \
        wrong += snd_pow_##T(a, b) != (C)int_power(x, y); \
        wrong += snd_clamp_##T(a, (C)3, b) != (C)(y < 3 ? y : x < 3 ? 3 : x > y ? y : x); \
      } \
    is_int(wrong, 0, #T ": all pairs"); \
    wrong = 0; \
    for (int64_t x = low; x <= high; x++) { \
      const C a = (C)x; \
      int ones = 0, leading = 0, trailing = 0; \
      for (int k = 0; k < 8; k++) ones += (int)((uint64_t)x >> k & 1); \
      while (leading < 8 && !((uint64_t)x >> (7 - leading) & 1)) leading++; \
      while (trailing < 8 && !((uint64_t)x >> trailing & 1)) trailing++; \
      wrong += snd_popcount_##T(a) != ones || snd_clz_##T(a) != leading || \
               snd_ctz_##T(a) != trailing; \
      wrong += snd_neg_##T(a) != (C)-x || snd_not_##T(a) != (C)~x || snd_sqr_##T(a) != (C)(x * x); \
      wrong += snd_abs_##T(a) != (C)(x < 0 ? -x : x) || snd_sign_##T(a) != (C)((x > 0) - (x < 0)); \
    } \
    is_int(wrong, 0, #T ": all values"); \
  }
DEFINE_PAIRS(i8, int8_t)
DEFINE_PAIRS(u8, uint8_t)

/* What the widths have in common, at their edges. */
#define DEFINE_EDGES(T, C, bits, least, greatest) \
  static void test_edges_##T(void) \
  { \
    ok(snd_add_##T(greatest, 1) == least && snd_sub_##T(least, 1) == greatest, #T " wraps"); \
    ok(snd_mul_##T(greatest, 2) == (C)-2 && snd_sqr_##T(greatest) == 1, #T " products wrap"); \
    ok(snd_div_##T(least, -1) == least && snd_mod_##T(least, -1) == 0, #T " least / -1"); \
    ok(snd_div_##T(5, 0) == 0 && snd_mod_##T(5, 0) == 0 && snd_floordiv_##T(5, 0) == 0, \
       #T " / 0 is 0"); \
    ok(snd_neg_##T(least) == least && snd_abs_##T(least) == least, #T " least negated"); \
    ok(snd_floordiv_##T(-7, 2) == -4 && snd_floormod_##T(-7, 2) == 1 && \
       snd_floordiv_##T(7, -2) == -4 && snd_floormod_##T(7, -2) == -1 && \
       snd_floormod_##T(-8, 2) == 0, #T " rounds down"); \
    ok(snd_shl_##T(1, bits - 1) == least && snd_shl_##T(1, bits) == 1 && \
       snd_shr_##T(least, bits - 1) == -1 && snd_shr_##T(-8, bits + 1) == -4, #T " shifts"); \
    ok(snd_clz_##T(0) == bits && snd_ctz_##T(0) == bits && snd_popcount_##T(-1) == bits && \
       snd_ctz_##T(least) == bits - 1 && snd_clz_##T(1) == bits - 1, #T " bits"); \
    ok(snd_pow_##T(3, 5) == 243 || bits == 8, #T " pow"); \
    ok(snd_cast_##T##_f64(1e30) == greatest && snd_cast_##T##_f64(-1e30) == least && \
       snd_cast_##T##_f32((float)NAN) == 0 && snd_cast_##T##_f32((float)INFINITY) == greatest && \
       snd_cast_##T##_f64(-2.9) == -2 && snd_cast_##T##_f32(2.9f) == 2, #T " casts saturate"); \
  }
DEFINE_EDGES(i16, int16_t, 16, INT16_MIN, INT16_MAX)
DEFINE_EDGES(i32, int32_t, 32, INT32_MIN, INT32_MAX)
DEFINE_EDGES(i64, int64_t, 64, INT64_MIN, INT64_MAX)

#define DEFINE_UNSIGNED(T, C, bits, greatest) \
  static void test_unsigned_##T(void) \
  { \
    ok(snd_add_##T(greatest, 1) == 0 && snd_sub_##T(0, 1) == greatest && \
       snd_mul_##T(greatest, greatest) == 1, #T " wraps"); \
    ok(snd_div_##T(greatest, 0) == 0 && snd_floormod_##T(7, 4) == 3, #T " divides"); \
    ok(snd_shr_##T(greatest, bits - 1) == 1 && \
       snd_shl_##T(greatest, bits + 4) == (C)(greatest << 4), \
       #T " shifts"); \
    ok(snd_clz_##T(1) == bits - 1 && snd_ctz_##T(0) == bits, #T " bits"); \
    ok(snd_cast_##T##_f64(1e30) == greatest && snd_cast_##T##_f64(-0.5) == 0 && \
       snd_cast_##T##_f32(-5) == 0 && snd_cast_##T##_f64(NAN) == 0 && \
       snd_cast_##T##_f32(200.7f) == 200, #T " casts saturate"); \
  }
DEFINE_UNSIGNED(u16, uint16_t, 16, UINT16_MAX)
DEFINE_UNSIGNED(u32, uint32_t, 32, UINT32_MAX)
DEFINE_UNSIGNED(u64, uint64_t, 64, UINT64_MAX)

/* Casts at the bounds, where a float of less precision rounds over them. */
static void test_casts(void)
{
  is_int(snd_cast_i32_f64(2147483647.0), INT32_MAX, "the greatest i32");
  is_int(snd_cast_i32_f64(2147483646.9), 2147483646, "just below it");
  is_int(snd_cast_i32_f32(2147483520.0f), 2147483520, "the greatest f32 below it");
  is_int(snd_cast_i32_f64(-2147483648.9), INT32_MIN, "just below the least i32");
  is_int(snd_cast_i64_f64(9223372036854774784.0), 9223372036854774784, "the greatest f64 in i64");
  is_int(snd_cast_i64_f64(9223372036854775808.0), INT64_MAX, "one beyond");
  ok(snd_cast_u64_f64(18446744073709549568.0) == 18446744073709549568u, "the greatest f64 in u64");
  ok(snd_cast_u64_f32(18446744073709551616.0f) == UINT64_MAX, "one beyond");
  is_int(snd_cast_i8_f32(127.9f), 127, "127.9");
  is_int(snd_cast_i8_f32(-128.9f), -128, "-128.9");
  is_int(snd_cast_u8_f64(255.99), 255, "255.99");
  is_int(snd_cast_u8_f64(0.0), 0, "zero");
  is_int(snd_cast_u8_f32(-0.0f), 0, "negative zero");
  is_int(snd_cast_u8_f64(-1e30), 0, "far below");
}

#define DEFINE_FLOATS(T, C, B) \
  static void test_floats_##T(void) \
  { \
    const C nan = (C)NAN, big = (C)1e30; \
    ok(snd_min_##T(nan, 1) == 1 && snd_min_##T(1, nan) == 1 && snd_max_##T(nan, 1) == 1 && \
       snd_max_##T(1, nan) == 1 && isnan(snd_min_##T(nan, nan)), #T " min and max with a NaN"); \
    ok(snd_min_##T(-1, 2) == -1 && snd_max_##T(-1, 2) == 2 && snd_clamp_##T(5, 0, 2) == 2 && \
       snd_clamp_##T(-5, 0, 2) == 0, #T " min, max, clamp"); \
    ok(snd_sign_##T(-big) == -1 && snd_sign_##T(0) == 0 && snd_sign_##T(big) == 1, #T " sign"); \
    ok(snd_abs_##T(-2) == 2 && !signbit(snd_abs_##T((C)-0.0)) && snd_sqr_##T(3) == 9, \
       #T " abs, sqr"); \
    ok(snd_rsqrt_##T(16) == (C)0.25 && snd_mix_##T(2, 6, (C)0.25) == 3, #T " rsqrt, mix"); \
    ok(snd_floordiv_##T(-7, 2) == -4 && snd_floormod_##T(-7, 2) == 1 && \
       snd_floormod_##T(7, -2) == -1 && snd_mod_##T(-7, 2) == -1, #T " rounds down"); \
    ok(snd_bitcast_##T##_##B(snd_bitcast_##B##_##T((C)-1.5)) == (C)-1.5, #T " bits and back"); \
  }
DEFINE_FLOATS(f32, float, i32)
DEFINE_FLOATS(f64, double, u64)

/* ---- random.h ---- */

/* The vectors that the paper's own code is published with. */
static void test_philox(void)
{
  static const struct { uint32_t counter[4], key[2], word[4]; } rows[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX }, { UINT32_MAX, UINT32_MAX },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
  };

  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    snd_random_words words;
    memcpy(words.word, rows[k].counter, sizeof words.word);
    words = snd_philox(words, rows[k].key[0], rows[k].key[1]);
    ok(memcmp(words.word, rows[k].word, sizeof words.word) == 0, "Philox4x32-10, vector %d",
       (int)k);
  }
}

/* The places of the normal distribution, to the last bits of f64. */
static void test_normal(void)
{
  static const struct { double part, want; } rows[] = {
    { 1e-16, -8.222082216130435 }, { 1e-10, -6.361340902404056 }, { 1e-5, -4.2648907939228256 },
    { 0.001, -3.090232306167813 }, { 0.05, -1.6448536269514726 },
    { 0.0749999, -1.4395321773759004 }, { 0.0750001, -1.4395307645017297 },
    { 0.2, -0.8416212335729142 }, { 0.5, 0 },
  };

  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const double below = snd_random_normal(rows[k].part - 0.5, rows[k].part);
    const double above = snd_random_normal(0.5 - rows[k].part, rows[k].part);
    ok(fabs(below - rows[k].want) <= 1e-15 * fabs(rows[k].want) && above == -below,
       "%g of normal numbers lie below %.16g: %.16g", rows[k].part, rows[k].want, below);
  }
}

int main(void)
{
  test_philox();
  test_normal();
  test_pairs_i8(INT8_MIN, INT8_MAX);
  test_pairs_u8(0, UINT8_MAX);
  test_edges_i16();
  test_edges_i32();
  test_edges_i64();
  test_unsigned_u16();
  test_unsigned_u32();
  test_unsigned_u64();
  test_casts();
  test_floats_f32();
  test_floats_f64();
  ok(snd_bitcast_i32_f32(1.0f) == 0x3f800000 && snd_bitcast_u64_i64(-1) == UINT64_MAX, "bits");
  is_int(snd_ceil_div(9, 4), 3, "ceil_div");
  return done_testing();
}
