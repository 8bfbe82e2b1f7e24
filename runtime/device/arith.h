/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of the language where it is not C's: integers that wrap, division
 * that cannot trap, shifts modulo the width, casts that saturate.
 *
 * Names: snd_OP_T, T of i8 i16 i32 i64 u8 u16 u32 u64 f32 f64.
 *
 *   integers  T(T, T): add sub mul div mod min max floordiv floormod pow and or xor
 *             T(T, int64_t): shl shr;   T(T): neg not abs sign sqr popcount clz ctz
 *             T(x, lo, hi): clamp
 *   floats    T(T, T): min max mod floordiv floormod;   T(T): sign abs sqr rsqrt
 *             T(x, lo, hi): clamp;   T(a, b, t): mix;   + - * / are C's
 *   casts     TO snd_cast_TO_FROM(x), FROM f32 f64, TO an integer, and snd_cast_u32_i64; all
 *             others are C's
 *   bits      TO snd_bitcast_TO_FROM(x): i32 u32 f32 among each other, i64 u64 f64, u16 f16
 *   f16       an sn_f16, computed in f32: snd_cast_f32_f16, snd_cast_f16_f32, snd_cast_f16_f64;
 *             what updates in place need, each rounded: add sub mul div min max
 *
 * Works on any C11 compiler with two's complement (checked below); in device code
 * it calls nothing but math.h.
 */
#ifndef SNODE_DEVICE_ARITH_H
#define SNODE_DEVICE_ARITH_H

#include <snode/device/f16.h>
#include <snode/device/platform.h>

/* The conversions of out-of-range values to signed types that follow are
 * implementation-defined; every compiler we know keeps the low bits. */
typedef char snd_conversions_wrap[(int8_t)(uint8_t)200 == -56 ? 1 : -1];

/* The integer types: T, C type, unsigned of its width, unsigned to compute in
 * (uint16_t * uint16_t would be a product of ints), width. */
#define SND_SIGNED_TYPES(X) \
  X(i8, int8_t, uint8_t, uint32_t, 8) \
  X(i16, int16_t, uint16_t, uint32_t, 16) \
  X(i32, int32_t, uint32_t, uint32_t, 32) \
  X(i64, int64_t, uint64_t, uint64_t, 64)
#define SND_UNSIGNED_TYPES(X) \
  X(u8, uint8_t, uint8_t, uint32_t, 8) \
  X(u16, uint16_t, uint16_t, uint32_t, 16) \
  X(u32, uint32_t, uint32_t, uint32_t, 32) \
  X(u64, uint64_t, uint64_t, uint64_t, 64)
#define SND_INTEGER_TYPES(X) SND_SIGNED_TYPES(X) SND_UNSIGNED_TYPES(X)
/* T, C type, the suffix of its math.h functions, the bits' T, the bits' C type. */
#define SND_FLOAT_TYPES(X) \
  X(f32, float, f, u32, uint32_t) \
  X(f64, double, , u64, uint64_t)

/* ---- all integers: computed in unsigned, cut to the width ---- */

#define SND_DEFINE_INTEGER(T, C, U, W, bits) \
  SND_INLINE C snd_add_##T(C a, C b) { return (C)(U)((W)(U)a + (W)(U)b); } \
  SND_INLINE C snd_sub_##T(C a, C b) { return (C)(U)((W)(U)a - (W)(U)b); } \
  SND_INLINE C snd_mul_##T(C a, C b) { return (C)(U)((W)(U)a * (W)(U)b); } \
  SND_INLINE C snd_neg_##T(C a) { return (C)(U)((W)0 - (W)(U)a); } \
  SND_INLINE C snd_and_##T(C a, C b) { return (C)(U)((W)(U)a & (W)(U)b); } \
  SND_INLINE C snd_or_##T(C a, C b) { return (C)(U)((W)(U)a | (W)(U)b); } \
  SND_INLINE C snd_xor_##T(C a, C b) { return (C)(U)((W)(U)a ^ (W)(U)b); } \
  SND_INLINE C snd_not_##T(C a) { return (C)(U)~(W)(U)a; } \
  SND_INLINE C snd_sqr_##T(C a) { return snd_mul_##T(a, a); } \
  SND_INLINE C snd_shl_##T(C a, int64_t n) \
  { \
    return (C)(U)((W)(U)a << ((uint64_t)n & ((bits) - 1))); \
  } \
  SND_INLINE C snd_min_##T(C a, C b) { return b < a ? b : a; } \
  SND_INLINE C snd_max_##T(C a, C b) { return b > a ? b : a; } \
  SND_INLINE C snd_clamp_##T(C x, C lo, C hi) \
  { \
    return snd_min_##T(snd_max_##T(x, lo), hi); \
  } \
  /* by squaring; what the exponent's sign means is decided below */ \
  SND_INLINE C snd_power_##T(C base, uint64_t exponent) \
  { \
    C product = 1; \
    for (; exponent != 0; exponent >>= 1) { \
      if (exponent & 1) product = snd_mul_##T(product, base); \
      base = snd_mul_##T(base, base); \
    } \
    return product; \
  }

SND_INTEGER_TYPES(SND_DEFINE_INTEGER)
#undef SND_DEFINE_INTEGER

/* ---- signed: x / 0 is 0, x % 0 is 0, least / -1 wraps, its % is 0 ---- */

#define SND_DEFINE_SIGNED(T, C, U, W, bits) \
  SND_INLINE C snd_shr_##T(C a, int64_t n) \
  { \
    const uint64_t count = (uint64_t)n & ((bits) - 1); \
    /* >> of a negative value is not portable; ~(~a >> n) is, and is one shift */ \
    return a < 0 ? (C)~((C)~a >> count) : (C)(a >> count); \
  } \
  SND_INLINE C snd_div_##T(C a, C b) \
  { \
    return b == 0 ? (C)0 : b == -1 ? snd_neg_##T(a) : (C)(a / b); \
  } \
  SND_INLINE C snd_mod_##T(C a, C b) \
  { \
    return b == 0 || b == -1 ? (C)0 : (C)(a % b); \
  } \
  SND_INLINE C snd_floordiv_##T(C a, C b) \
  { \
    const C quotient = snd_div_##T(a, b); \
    return snd_mod_##T(a, b) != 0 && (a < 0) != (b < 0) ? (C)(quotient - 1) : quotient; \
  } \
  SND_INLINE C snd_floormod_##T(C a, C b) \
  { \
    const C rest = snd_mod_##T(a, b); \
    return rest != 0 && (rest < 0) != (b < 0) ? (C)(rest + b) : rest; \
  } \
  SND_INLINE C snd_abs_##T(C a) { return a < 0 ? snd_neg_##T(a) : a; } \
  SND_INLINE C snd_sign_##T(C a) { return (C)((a > 0) - (a < 0)); } \
  /* a negative exponent: 0, but for the bases 1 and -1 */ \
  SND_INLINE C snd_pow_##T(C base, C exponent) \
  { \
    if (exponent >= 0) return snd_power_##T(base, (uint64_t)exponent); \
    if (base == 1) return 1; \
    if (base == -1) return exponent & 1 ? (C)-1 : (C)1; \
    return 0; \
  }

SND_SIGNED_TYPES(SND_DEFINE_SIGNED)
#undef SND_DEFINE_SIGNED

#define SND_DEFINE_UNSIGNED(T, C, U, W, bits) \
  SND_INLINE C snd_shr_##T(C a, int64_t n) { return (C)(a >> ((uint64_t)n & ((bits) - 1))); } \
  SND_INLINE C snd_div_##T(C a, C b) { return b == 0 ? (C)0 : (C)(a / b); } \
  SND_INLINE C snd_mod_##T(C a, C b) { return b == 0 ? (C)0 : (C)(a % b); } \
  SND_INLINE C snd_floordiv_##T(C a, C b) { return snd_div_##T(a, b); } \
  SND_INLINE C snd_floormod_##T(C a, C b) { return snd_mod_##T(a, b); } \
  SND_INLINE C snd_abs_##T(C a) { return a; } \
  SND_INLINE C snd_sign_##T(C a) { return (C)(a != 0); } \
  SND_INLINE C snd_pow_##T(C base, C exponent) { return snd_power_##T(base, exponent); }

SND_UNSIGNED_TYPES(SND_DEFINE_UNSIGNED)
#undef SND_DEFINE_UNSIGNED

/* Of the runtime's own counts and of iterations: a >= 0, b > 0. */
SND_INLINE int64_t snd_ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/* ---- bits ---- */

#if SND_HAS_BUILTINS
SND_INLINE int snd_popcount(uint64_t x) { return __builtin_popcountll(x); }
SND_INLINE int snd_clz(uint64_t x) { return x == 0 ? 64 : __builtin_clzll(x); }
SND_INLINE int snd_ctz(uint64_t x) { return x == 0 ? 64 : __builtin_ctzll(x); }
#else
SND_INLINE int snd_popcount(uint64_t x)
{
  int n = 0;
  for (; x != 0; x &= x - 1) n++;
  return n;
}
SND_INLINE int snd_clz(uint64_t x)
{
  int n = 64;
  for (; x != 0; x >>= 1) n--;
  return n;
}
SND_INLINE int snd_ctz(uint64_t x) { return x == 0 ? 64 : snd_popcount((x & (0 - x)) - 1); }
#endif

#define SND_DEFINE_BITS(T, C, U, W, bits) \
  SND_INLINE C snd_popcount_##T(C x) { return (C)snd_popcount((U)x); } \
  SND_INLINE C snd_clz_##T(C x) { return (C)(snd_clz((U)x) - (64 - (bits))); } \
  SND_INLINE C snd_ctz_##T(C x) { return (C)((U)x == 0 ? (bits) : snd_ctz((U)x)); }

SND_INTEGER_TYPES(SND_DEFINE_BITS)
#undef SND_DEFINE_BITS

#define SND_DEFINE_BITCAST(TO, TO_C, FROM, FROM_C) \
  SND_INLINE TO_C snd_bitcast_##TO##_##FROM(FROM_C x) \
  { \
    union { FROM_C from; TO_C to; } bits; \
    bits.from = x; \
    return bits.to; \
  }

SND_DEFINE_BITCAST(i32, int32_t, f32, float)
SND_DEFINE_BITCAST(u32, uint32_t, f32, float)
SND_DEFINE_BITCAST(f32, float, i32, int32_t)
SND_DEFINE_BITCAST(f32, float, u32, uint32_t)
SND_DEFINE_BITCAST(i32, int32_t, u32, uint32_t)
SND_DEFINE_BITCAST(u32, uint32_t, i32, int32_t)
SND_DEFINE_BITCAST(i64, int64_t, f64, double)
SND_DEFINE_BITCAST(u64, uint64_t, f64, double)
SND_DEFINE_BITCAST(f64, double, i64, int64_t)
SND_DEFINE_BITCAST(f64, double, u64, uint64_t)
SND_DEFINE_BITCAST(i64, int64_t, u64, uint64_t)
SND_DEFINE_BITCAST(u64, uint64_t, i64, int64_t)
#undef SND_DEFINE_BITCAST

/* ---- floats ---- */

#define SND_DEFINE_FLOAT(T, C, suffix, B, BC) \
  /* a NaN gives the other operand: the comparison with it is false; -0 and +0 \
   * count as equal */ \
  SND_INLINE C snd_min_##T(C a, C b) { return b < a || a != a ? b : a; } \
  SND_INLINE C snd_max_##T(C a, C b) { return b > a || a != a ? b : a; } \
  SND_INLINE C snd_clamp_##T(C x, C lo, C hi) \
  { \
    return snd_min_##T(snd_max_##T(x, lo), hi); \
  } \
  SND_INLINE C snd_mod_##T(C a, C b) { return fmod##suffix(a, b); } \
  SND_INLINE C snd_floordiv_##T(C a, C b) { return floor##suffix(a / b); } \
  SND_INLINE C snd_floormod_##T(C a, C b) \
  { \
    const C rest = fmod##suffix(a, b); \
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest; \
  } \
  SND_INLINE C snd_abs_##T(C a) { return fabs##suffix(a); } \
  SND_INLINE C snd_sign_##T(C a) { return (C)((a > 0) - (a < 0)); } \
  SND_INLINE C snd_sqr_##T(C a) { return a * a; } \
  SND_INLINE C snd_rsqrt_##T(C a) { return 1 / sqrt##suffix(a); } \
  SND_INLINE C snd_mix_##T(C a, C b, C t) { return a + (b - a) * t; } \
  SND_INLINE C snd_add_##T(C a, C b) { return a + b; } \
  SND_INLINE C snd_sub_##T(C a, C b) { return a - b; } \
  SND_INLINE C snd_mul_##T(C a, C b) { return a * b; } \
  SND_INLINE C snd_div_##T(C a, C b) { return a / b; }

SND_FLOAT_TYPES(SND_DEFINE_FLOAT)
#undef SND_DEFINE_FLOAT

/* Of an i8 or i16: gcc warns of a sum whose right side is such a cast in C. */
SND_INLINE uint32_t snd_cast_u32_i64(int64_t x) { return (uint32_t)x; }

/* ---- f16: f32 holds more than twice its bits, so that rounding twice is rounding once ---- */

SND_INLINE float snd_cast_f32_f16(sn_f16 x) { return sn_f16_float(x); }
SND_INLINE sn_f16 snd_cast_f16_f32(float x) { return sn_f16_of(x); }
SND_INLINE sn_f16 snd_cast_f16_f64(double x) { return sn_f16_of_double(x); }
SND_INLINE sn_f16 snd_bitcast_f16_u16(uint16_t x) { return x; }
SND_INLINE uint16_t snd_bitcast_u16_f16(sn_f16 x) { return x; }
SND_INLINE sn_f16 snd_bitcast_f16_i16(int16_t x) { return (sn_f16)x; }
SND_INLINE int16_t snd_bitcast_i16_f16(sn_f16 x) { return (int16_t)x; }

#define SND_DEFINE_HALF(OP) \
  SND_INLINE sn_f16 snd_##OP##_f16(sn_f16 a, sn_f16 b) \
  { \
    return sn_f16_of(snd_##OP##_f32(sn_f16_float(a), sn_f16_float(b))); \
  }
SND_DEFINE_HALF(add)
SND_DEFINE_HALF(sub)
SND_DEFINE_HALF(mul)
SND_DEFINE_HALF(div)
SND_DEFINE_HALF(min)
SND_DEFINE_HALF(max)
#undef SND_DEFINE_HALF

/* ---- float to integer: saturates, NaN gives 0 ----
 * The bounds are powers of two, exact in every float type: `over` is the first value beyond the
 * greatest one.  A value inside takes one comparison, of a signed type, or two: NaN fails them. */

#define SND_DEFINE_CAST(TO, TO_C, FROM, FROM_C, is_inside, least, greatest) \
  SND_INLINE TO_C snd_cast_##TO##_##FROM(FROM_C x) \
  { \
    if (is_inside) return (TO_C)x; \
    return x != x ? 0 : x < 0 ? (least) : (greatest); \
  }
#define SND_DEFINE_CASTS(FROM, FROM_C, abs) \
  SND_DEFINE_CAST(i8, int8_t, FROM, FROM_C, abs(x) < (FROM_C)128.0, INT8_MIN, INT8_MAX) \
  SND_DEFINE_CAST(i16, int16_t, FROM, FROM_C, abs(x) < (FROM_C)32768.0, INT16_MIN, INT16_MAX) \
  SND_DEFINE_CAST(i32, int32_t, FROM, FROM_C, abs(x) < (FROM_C)2147483648.0, INT32_MIN, INT32_MAX) \
  SND_DEFINE_CAST(i64, int64_t, FROM, FROM_C, abs(x) < (FROM_C)9223372036854775808.0, INT64_MIN, \
                  INT64_MAX) \
  SND_DEFINE_CAST(u8, uint8_t, FROM, FROM_C, x >= 0 && x < (FROM_C)256.0, 0, UINT8_MAX) \
  SND_DEFINE_CAST(u16, uint16_t, FROM, FROM_C, x >= 0 && x < (FROM_C)65536.0, 0, UINT16_MAX) \
  SND_DEFINE_CAST(u32, uint32_t, FROM, FROM_C, x >= 0 && x < (FROM_C)4294967296.0, 0, UINT32_MAX) \
  SND_DEFINE_CAST(u64, uint64_t, FROM, FROM_C, x >= 0 && x < (FROM_C)18446744073709551616.0, 0, \
                  UINT64_MAX)

SND_DEFINE_CASTS(f32, float, fabsf)
SND_DEFINE_CASTS(f64, double, fabs)
#undef SND_DEFINE_CASTS
#undef SND_DEFINE_CAST

#endif
