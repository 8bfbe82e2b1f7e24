/* SPDX-License-Identifier: BSD-3-Clause */
/* IEEE 754 binary16: what number the bits are, and the bits nearest to a number.
 *
 *   float  sn_f16_float(h)        exact
 *   sn_f16 sn_f16_of(x)           the nearest, of a float; to even where two are
 *   sn_f16 sn_f16_of_double(x)    the same of a double, rounded once
 *
 * Beyond 65504 by half a unit and more is infinity, below 2^-14 the units of 2^-24 go on; a
 * NaN is some NaN.  Else the same bits with every compiler; by the processor's own instructions
 * where those are switched on.  C99 and C++11: for programs, libsnode and generated code.
 */
#ifndef SNODE_DEVICE_F16_H
#define SNODE_DEVICE_F16_H

#include <snode/types.h>

#include <string.h>

#ifdef _OPENACC                  /* for devices gcc compiles what is marked alone */
# define SND_F16 _Pragma("acc routine seq") static inline
#else
# define SND_F16 static inline
#endif

#if defined(__F16C__) && defined(__FLT16_MANT_DIG__) && !defined(__cplusplus) && !defined(_OPENACC)

__extension__ typedef _Float16 snd_f16_own;

SND_F16 float sn_f16_float(sn_f16 h)
{
  snd_f16_own half;
  memcpy(&half, &h, sizeof half);
  return (float)half;
}

SND_F16 sn_f16 sn_f16_of(float x)
{
  const snd_f16_own half = (snd_f16_own)x;
  sn_f16 h;
  memcpy(&h, &half, sizeof h);
  return h;
}

#else

SND_F16 float sn_f16_float(sn_f16 h)
{
  const uint32_t sign = (uint32_t)(h & 0x8000u) << 16, rest = h & 0x7fffu;
  uint32_t bits;
  float value = (float)(int32_t)rest * 5.9604644775390625e-8f;       /* units of 2^-24 */

  memcpy(&bits, &value, sizeof bits);
  if (rest >= 0x7c00u)                                   /* infinity; a NaN becomes quiet */
    bits = 0x7f800000u | rest << 13 | (rest > 0x7c00u ? 0x400000u : 0);
  else if (rest >= 0x400u)
    bits = (rest << 13) + 0x38000000u;                   /* the exponent's bias is 112 more */
  bits |= sign;
  memcpy(&value, &bits, sizeof value);
  return value;
}

SND_F16 sn_f16 sn_f16_of(float x)
{
  uint32_t bits, sign, rest;

  memcpy(&bits, &x, sizeof bits);
  sign = bits >> 16 & 0x8000u;
  rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) {                              /* a NaN keeps its upper bits */
    rest = 0x7e00u | (rest >> 13 & 0x3ffu);
  } else if (rest >= 0x477ff000u) {                      /* 65520: half a unit beyond */
    rest = 0x7c00u;
  } else if (rest >= 0x38800000u) {                      /* 2^-14 */
    rest = (rest + 0xfffu + (rest >> 13 & 1) - 0x38000000u) >> 13;
  } else {                                               /* 0.5 has units of 2^-24 behind it */
    memcpy(&x, &rest, sizeof x);
    x += 0.5f;
    memcpy(&rest, &x, sizeof rest);
    rest -= 0x3f000000u;
  }
  return (sn_f16)(sign | rest);
}

#endif

/* By way of the float that has the last bit set where it is not x itself ("to odd"): such a one
 * lies on the same side of every number halfway between two f16 as x does. */
SND_F16 sn_f16 sn_f16_of_double(double x)
{
  float near = (float)x;
  const double back = (double)near;
  uint32_t bits;

  memcpy(&bits, &near, sizeof bits);
  if ((back < x || back > x) && !(bits & 1))
    bits += (back > x) == (x > 0) ? UINT32_MAX : 1;      /* towards 0 : away from it */
  memcpy(&near, &bits, sizeof near);
  return sn_f16_of(near);
}

#endif
