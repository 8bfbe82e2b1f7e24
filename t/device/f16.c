/* binary16: all 65,536 values there and back, what lies at and beside the middle between each
 * two, floats of all exponents, and arithmetic, against a rounding in f64 by the definition;
 * against the compiler's own type too, where it has one.
 */
#include "tree.h"

#include <snode/device/f16.h>

#include <math.h>

enum { INFINITE = 0x7c00, SIGN = 0x8000 };

/* What a finite one is, and of the first infinite one where the next would lie. */
static double value_of(unsigned h)
{
  const int exponent = (int)(h >> 10 & 31), digits = (int)(h & 1023);
  const double size = exponent ? ldexp(1024 + digits, exponent - 25) : ldexp(digits, -24);
  return h & SIGN ? -size : size;
}

/* The nearest to a finite x. */
static unsigned nearest(double x)
{
  const unsigned sign = signbit(x) ? SIGN : 0;
  int exponent;
  double units;

  if (x == 0) return sign;
  frexp(x, &exponent);
  exponent = exponent < -13 ? -13 : exponent > 17 ? 17 : exponent;
  units = nearbyint(ldexp(fabs(x), 11 - exponent));      /* 2048 of them: the next exponent */
  if (ldexp(units, exponent - 11) >= 65536) return sign | INFINITE;
  return sign | (unsigned)((exponent + 13) * 1024 + (int)units);
}

static int same(unsigned a, unsigned b) { return a == b; }

/* ---- there and back ---- */

static void test_all(void)
{
  int wrong = 0;

  for (unsigned h = 0; h < 0x10000; h++) {
    const float x = sn_f16_float((sn_f16)h);
    const unsigned rest = h & 0x7fff;
    if (rest > INFINITE) {                               /* some NaN, of that sign */
      wrong += x == x || (sn_f16_of(x) & 0x7fff) <= INFINITE || ((sn_f16_of(x) ^ h) & SIGN);
      continue;
    }
    if (rest == INFINITE) wrong += !isinf(x) || (x < 0) != (h > SIGN);
    else wrong += (double)x != value_of(h) || !signbit(x) != !(h & SIGN);
    wrong += !same(sn_f16_of(x), h) || !same(sn_f16_of_double((double)x), h);
    wrong += rest < INFINITE && !same(nearest((double)x), h);
  }
  is_int(wrong, 0, "all values, and back");
}

/* ---- rounding ---- */

static int rounds(double x, unsigned want)
{
  return same(sn_f16_of_double(x), want) && same(sn_f16_of_double(-x), want | SIGN);
}

static int rounds_float(float x, unsigned want)
{
  return rounds((double)x, want) && same(sn_f16_of(x), want) && same(sn_f16_of(-x), want | SIGN);
}

static void test_middles(void)
{
  int wrong = 0;

  for (unsigned h = 0; h < INFINITE; h++) {
    const double middle = (value_of(h) + value_of(h + 1)) / 2;
    const float x = (float)middle;                       /* exact */
    wrong += !rounds_float(x, h & 1 ? h + 1 : h);
    wrong += !rounds_float(nextafterf(x, 1e6f), h + 1) || !rounds_float(nextafterf(x, 0), h);
    wrong += !rounds(nextafter(middle, 1e6), h + 1) || !rounds(nextafter(middle, 0), h);
  }
  is_int(wrong, 0, "in the middle and beside it");
}

static void test_floats(void)
{
  int wrong = 0;

  for (uint64_t k = 0; k < UINT64_C(1) << 32; k += 8191) {
    const float x = snd_bitcast_f32_u32((uint32_t)k);
    if (x != x || isinf(x)) continue;
    wrong += !same(sn_f16_of(x), nearest((double)x));
    wrong += !same(sn_f16_of_double((double)x * 1.00000001), nearest((double)x * 1.00000001));
  }
  is_int(wrong, 0, "floats of all exponents");
  ok(rounds(1e300, INFINITE) && rounds(1e-300, 0) && rounds(65519.999999, INFINITE - 1) &&
     rounds(65520, INFINITE) && rounds(0x1p-25, 0) && rounds(0x1.0000000000001p-25, 1),
     "doubles beyond all floats and at the ends");
}

#if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 own_type;

static void test_own_type(void)
{
  int wrong = 0;

  for (uint64_t k = 0; k < UINT64_C(1) << 32; k += 65521) {
    const float x = snd_bitcast_f32_u32((uint32_t)k);
    const own_type own = (own_type)x;
    sn_f16 bits;
    memcpy(&bits, &own, sizeof bits);
    wrong += x == x && !same(bits, sn_f16_of(x));
    wrong += x == x && (float)own != sn_f16_float(bits);
  }
  is_int(wrong, 0, "as the compiler's own type");
}
#else
static void test_own_type(void) {}
#endif

/* ---- arithmetic: f64 holds sums, differences and products exactly ---- */

static int is_result(sn_f16 got, double exact)
{
  if (exact != exact) return (got & 0x7fff) > INFINITE;
  if (isinf(exact)) return same(got, exact < 0 ? SIGN | INFINITE : INFINITE);
  return same(got, nearest(exact));
}

static void test_arithmetic(void)
{
  uint32_t state = 1;
  int wrong = 0;

  for (int k = 0; k < 300000; k++) {
    sn_f16 a, b;
    double x, y;
    state = state * 1664525u + 1013904223u;
    a = (sn_f16)(state >> 16);
    state = state * 1664525u + 1013904223u;
    b = (sn_f16)(k % 3 ? state >> 16 : (uint32_t)a ^ (state >> 22));
    x = (double)sn_f16_float(a);
    y = (double)sn_f16_float(b);
    wrong += !is_result(snd_add_f16(a, b), x + y) || !is_result(snd_sub_f16(a, b), x - y);
    wrong += !is_result(snd_mul_f16(a, b), x * y) || !is_result(snd_div_f16(a, b), x / y);
  }
  is_int(wrong, 0, "sums, differences, products and quotients are rounded once");
}

static void test_updates(void)
{
  sn_f16 at = sn_f16_of(2047), old = snd_fetch_add_f16(&at, sn_f16_of(2));

  ok(old == sn_f16_of(2047) && at == sn_f16_of(2048), "2047 + 2 is 2048: halfway, and even");
  snd_atomic_max_f16(&at, 0x7e00);
  ok(at == sn_f16_of(2048), "a NaN is no maximum");
  snd_atomic_div_f16(&at, sn_f16_of(-4));
  old = snd_compare_exchange_f16(&at, sn_f16_of(-512), 1);
  ok(old == sn_f16_of(-512) && at == 1, "a quotient, an exchange");
  ok(snd_min_f16(0x7e00, 5) == 5 && snd_bitcast_u16_f16(0xfc00) == 0xfc00, "min, bits");
}

int main(void)
{
  test_all();
  test_middles();
  test_floats();
  test_own_type();
  test_arithmetic();
  test_updates();
  return done_testing();
}
