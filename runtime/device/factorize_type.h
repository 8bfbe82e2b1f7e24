/* SPDX-License-Identifier: BSD-3-Clause */
/* factorize.h, for one type: what does not depend on the dimension, then both. */

#define SND_JOIN_(a, b, c) a##b##_##c
#define SND_JOIN(a, b, c) SND_JOIN_(a, b, c)
#define SND_OF_T(name) SND_JOIN(name, , SND_T)
#define SND_CAST_(to, from) snd_bitcast_##to##_##from
#define SND_CAST(to, from) SND_CAST_(to, from)

SND_INLINE SND_C SND_OF_T(snd_epsilon)(void)
{
  return (SND_C)1 / ((SND_UC)1 << SND_MANTISSA);
}

SND_INLINE SND_C SND_OF_T(snd_power_of_two)(int32_t exponent)
{
  return SND_CAST(SND_T, SND_U)((SND_UC)(exponent + SND_BIAS) << SND_MANTISSA);
}

/* e where x >= 0 lies in [2^e, 2^(e + 1)), kept where 2^e and 2^-e are ordinary numbers. */
SND_INLINE int32_t SND_OF_T(snd_exponent)(SND_C x)
{
  const int32_t e = (int32_t)(SND_CAST(SND_U, SND_T)(x) >> SND_MANTISSA) - SND_BIAS;
  return e < 2 - SND_BIAS ? 2 - SND_BIAS : e > SND_BIAS - 1 ? SND_BIAS - 1 : e;
}

/* An angle by its sine, its tangent, and the tangent of its half: columns that are turned
 * by small angles change by little, and lose as little (Rutishauser). */
typedef struct SND_OF_T(snd_angle) {
  SND_C s, t, half;
} SND_OF_T(snd_angle);

/* The smaller of the angles that make the product of two columns vanish, or the element
 * between two of a diagonal; p, q: their squares, or the two. */
SND_INLINE SND_OF_T(snd_angle) SND_OF_T(snd_angle_of)(SND_C p, SND_C q, SND_C product)
{
  const SND_C zeta = (q - p) / (2 * product), size = SND_OF_T(snd_abs)(zeta);
  /* beside a large square 1 is nothing, and the square may be too large */
  const SND_C length =
    size + (size * SND_OF_T(snd_epsilon)() < 1 ? SND_SQRT(1 + zeta * zeta) : size);
  SND_OF_T(snd_angle) angle;
  SND_C c;

  angle.t = (zeta < 0 ? -1 : 1) / length;
  c = 1 / SND_SQRT(1 + angle.t * angle.t);
  angle.s = c * angle.t;
  angle.half = angle.s / (1 + c);
  return angle;
}

#define SND_N 2
#include <snode/device/factorize_size.h>
#define SND_N 3
#include <snode/device/factorize_size.h>

#undef SND_CAST
#undef SND_CAST_
#undef SND_OF_T
#undef SND_JOIN
#undef SND_JOIN_
#undef SND_T
#undef SND_C
#undef SND_U
#undef SND_UC
#undef SND_MANTISSA
#undef SND_BIAS
#undef SND_SQRT
#undef SND_SMALL
