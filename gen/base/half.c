/* IEEE 754 binary16 by its definition, in f64: a half is m * 2^e, |m| < 2^11, e from -24 to 5.
 *
 * runtime/device/f16.h has the same by bits, for programs; neither knows of the other.
 */
#include "gen/base/type.h"

#include <math.h>

enum { DIGITS = 10, LEAST_EXPONENT = -14 };            /* behind the first; of a normal one */

double half_round(double x)
{
  int exponent;
  if (x == 0 || !isfinite(x))
    return x;
  frexp(x, &exponent);
  exponent--;                                          /* 1 <= |x| / 2^exponent < 2 */
  int unit = (exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent) - DIGITS;
  double rounded = ldexp(nearbyint(ldexp(x, -unit)), unit);
  return fabs(rounded) >= 65536.0 ? copysign((double)INFINITY, x) : rounded;
}

uint16_t half_bits(double half)
{
  unsigned sign = signbit(half) ? 0x8000 : 0;
  int exponent;
  if (isnan(half))
    return (uint16_t)(sign | 0x7e00);
  if (isinf(half))
    return (uint16_t)(sign | 0x7c00);
  if (half == 0)
    return (uint16_t)sign;
  double fraction = fabs(frexp(half, &exponent));      /* from 1/2, below 1 */
  exponent--;
  if (exponent < LEAST_EXPONENT)                       /* subnormal: units of 2^-24 */
    return (uint16_t)(sign | (unsigned)ldexp(fraction, exponent + 25));
  unsigned digits = (unsigned)ldexp(fraction, DIGITS + 1) - (1u << DIGITS);
  return (uint16_t)(sign | (unsigned)(exponent + 15) << DIGITS | digits);
}

double half_value(uint16_t bits)
{
  int exponent = bits >> DIGITS & 31, digits = bits & ((1 << DIGITS) - 1);
  double value;
  if (exponent == 31)
    value = digits ? (double)NAN : (double)INFINITY;
  else
    value = exponent ? ldexp(digits + (1 << DIGITS), exponent - 25) : ldexp(digits, -24);
  return bits >> 15 ? -value : value;
}
