/* Every operator of every scalar type against C written another way: integers by
 * 64-bit unsigned arithmetic cut to the width, casts by comparison of bounds. */
#include "scalars.h"
#include "run.h"

#include <float.h>
#include <math.h>

enum { OPS = 22, CHECKS = 9, FLOAT_OPS = 19, CURVES = 14, MAX = 24 };

typedef struct Width {
  const char *name;
  int bits, is_signed;
} Width;

/* The low bits of v as a number of that width, extended to 64 bits. */
static uint64_t cut(Width w, uint64_t v)
{
  if (w.bits == 64) return v;
  v &= (UINT64_C(1) << w.bits) - 1;
  if (w.is_signed && (v >> (w.bits - 1)) != 0) v |= ~((UINT64_C(1) << w.bits) - 1);
  return v;
}

static int less(Width w, uint64_t a, uint64_t b)
{
  return w.is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static int negative(Width w, uint64_t a)
{
  return w.is_signed && (int64_t)a < 0;
}

static uint64_t magnitude(Width w, uint64_t a)
{
  return negative(w, a) ? 0 - a : a;
}

/* C's quotient, on magnitudes: no overflow to fear. */
static uint64_t quotient(Width w, uint64_t a, uint64_t b)
{
  uint64_t q;
  if (b == 0) return 0;
  q = magnitude(w, a) / magnitude(w, b);
  return negative(w, a) != negative(w, b) ? 0 - q : q;
}

static uint64_t power(Width w, uint64_t a, uint64_t b)
{
  uint64_t r = 1;
  if (negative(w, b)) {
    if (a == 1) return 1;
    if (a == ~UINT64_C(0)) return b & 1 ? a : 1;
    return 0;
  }
  for (; b != 0; b >>= 1, a *= a)
    if (b & 1) r *= a;
  return r;
}

static uint64_t expected(Width w, int op, uint64_t a, uint64_t b)
{
  uint64_t q = quotient(w, a, b), r = b == 0 ? 0 : a - q * b;
  unsigned count = (unsigned)b & (unsigned)(w.bits - 1);
  uint64_t lo = less(w, b, 1) ? b : 1, hi = less(w, b, 1) ? 1 : b;
  int down = r != 0 && negative(w, r) != negative(w, b);

  switch (op) {
  case 0: return a + b;
  case 1: return a - b;
  case 2: return a * b;
  case 3: return q;
  case 4: return r;
  case 5: return a & b;
  case 6: return a | b;
  case 7: return a ^ b;
  case 8: return a << count;
  case 9: return negative(w, a) ? ~(~a >> count) : a >> count;
  case 10: return 0 - a;
  case 11: return ~a;
  case 12: return less(w, a, b) ? a : b;
  case 13: return less(w, a, b) ? b : a;
  case 14: return magnitude(w, a);
  case 15: return a == 0 ? 0 : negative(w, a) ? ~UINT64_C(0) : 1;
  case 16: return a * a;
  case 17: return down ? q - 1 : q;
  case 18: return down ? r + b : r;
  case 19: return less(w, a, lo) ? lo : less(w, hi, a) ? hi : a;
  case 20: return less(w, a, b) ? a : b;
  default: return power(w, a, b);
  }
}

static int32_t expected_check(Width w, int check, uint64_t a, uint64_t b)
{
  int n = 0;
  switch (check) {
  case 0: return a == b;
  case 1: return a != b;
  case 2: return less(w, a, b);
  case 3: return !less(w, b, a);
  case 4: return less(w, b, a);
  case 5: return !less(w, a, b);
  case 6:
    for (int k = 0; k < w.bits; k++) n += (int)(a >> k & 1);
    return n;
  case 7:
    while (n < w.bits && (a >> (w.bits - 1 - n) & 1) == 0) n++;
    return n;
  default:
    while (n < w.bits && (a >> n & 1) == 0) n++;
    return n;
  }
}

static int wrong;

static void check(int good, const char *type, const char *what, int op, double a, double b)
{
  if (good) return;
  if (wrong++ < 10) printf("%s %s %d is wrong for %.17g and %.17g\n", type, what, op, a, b);
}

/* Pairs of interesting values of a width: its ends, their neighbours, small ones. */
static int interesting(Width w, uint64_t *v)
{
  static const int64_t near[] = { 0, 1, 2, 3, 7, -1, -2, -7 };
  uint64_t top = UINT64_C(1) << (w.bits - 1);
  int n = 0;
  for (size_t k = 0; k < sizeof near / sizeof *near; k++) v[n++] = cut(w, (uint64_t)near[k]);
  v[n++] = cut(w, top);
  v[n++] = cut(w, top + 1);
  v[n++] = cut(w, top - 1);
  v[n++] = cut(w, UINT64_C(0x5a5a5a5a5a5a5a5a));
  v[n++] = cut(w, UINT64_C(0x123456789abcdef1));
  return n;
}

#define INTEGER(T, C, BITS, SIGNED)                                                             \
  static int integer_##T(sn_context *ctx)                                                       \
  {                                                                                             \
    static const Width w = { #T, BITS, SIGNED };                                                \
    static C a[MAX * MAX], b[MAX * MAX], r[MAX * MAX][OPS];                                     \
    static int32_t c[MAX * MAX][CHECKS];                                                        \
    uint64_t v[MAX];                                                                            \
    int n = interesting(w, v), m = 0;                                                           \
    for (int i = 0; i < n; i++)                                                                 \
      for (int j = 0; j < n; j++, m++) {                                                        \
        a[m] = (C)v[i];                                                                         \
        b[m] = (C)v[j];                                                                         \
      }                                                                                         \
    CHECK(scalars_ops_##T(ctx, a, m, b, r[0], c[0]));                                           \
    for (int k = 0; k < m; k++) {                                                               \
      uint64_t x = cut(w, (uint64_t)a[k]), y = cut(w, (uint64_t)b[k]);                          \
      for (int op = 0; op < OPS; op++)                                                          \
        check(cut(w, (uint64_t)r[k][op]) == cut(w, expected(w, op, x, y)), #T, "operation", op, \
              (double)a[k], (double)b[k]);                                                      \
      for (int q = 0; q < CHECKS; q++)                                                          \
        check(c[k][q] == expected_check(w, q, x, y), #T, "check", q, (double)a[k],              \
              (double)b[k]);                                                                    \
    }                                                                                           \
    printf("%s: %d pairs\n", #T, m);                                                            \
    return 0;                                                                                   \
  }

INTEGER(i8, int8_t, 8, 1)
INTEGER(i16, int16_t, 16, 1)
INTEGER(i32, int32_t, 32, 1)
INTEGER(i64, int64_t, 64, 1)
INTEGER(u8, uint8_t, 8, 0)
INTEGER(u16, uint16_t, 16, 0)
INTEGER(u32, uint32_t, 32, 0)
INTEGER(u64, uint64_t, 64, 0)

/* ---- casts ---- */

/* A float in an integer of that width: cut at the ends, NaN is 0. */
static uint64_t saturated(Width w, double v)
{
  double top = ldexp(1.0, w.is_signed ? w.bits - 1 : w.bits);
  if (isnan(v)) return 0;
  v = trunc(v);
  if (v >= top) return w.is_signed ? (UINT64_C(1) << (w.bits - 1)) - 1 : cut(w, ~UINT64_C(0));
  if (w.is_signed)
    return v < -top ? (uint64_t)0 - (UINT64_C(1) << (w.bits - 1)) : (uint64_t)(int64_t)v;
  return v <= 0 ? 0 : (uint64_t)v;
}

static int same_float(double a, double b)
{
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

#define RESULTS                \
  static int8_t to_i8[MAX];    \
  static int16_t to_i16[MAX];  \
  static int32_t to_i32[MAX];  \
  static int64_t to_i64[MAX];  \
  static uint8_t to_u8[MAX];   \
  static uint16_t to_u16[MAX]; \
  static uint32_t to_u32[MAX]; \
  static uint64_t to_u64[MAX]; \
  static float to_f32[MAX];    \
  static double to_f64[MAX];   \
  static int32_t truth[MAX]
#define ALL to_i8, to_i16, to_i32, to_i64, to_u8, to_u16, to_u32, to_u64, to_f32, to_f64, truth
#define EACH_WIDTH(W)                                                               \
  W(i8, 8, 1)                                                                       \
  W(i16, 16, 1) W(i32, 32, 1) W(i64, 64, 1) W(u8, 8, 0) W(u16, 16, 0) W(u32, 32, 0) \
      W(u64, 64, 0)

#define FROM_INTEGER(T, C, BITS, SIGNED)                                                       \
  static int cast_##T(sn_context *ctx)                                                         \
  {                                                                                            \
    static const Width w = { #T, BITS, SIGNED };                                               \
    static C a[MAX];                                                                           \
    uint64_t v[MAX];                                                                           \
    int n = interesting(w, v);                                                                 \
    RESULTS;                                                                                   \
    for (int k = 0; k < n; k++) a[k] = (C)v[k];                                                \
    CHECK(scalars_cast_##T(ctx, a, n, ALL));                                                   \
    for (int k = 0; k < n; k++) {                                                              \
      EACH_WIDTH(TO_INTEGER)                                                                   \
      check(same_float((double)to_f32[k], (double)(float)a[k]), #T, "to f32", 0, (double)a[k], \
            0);                                                                                \
      check(same_float(to_f64[k], (double)a[k]), #T, "to f64", 0, (double)a[k], 0);            \
      check(truth[k] == (a[k] != 0), #T, "to bool", 0, (double)a[k], 0);                       \
    }                                                                                          \
    return 0;                                                                                  \
  }
#define TO_INTEGER(U, BITS, SIGNED)                                                           \
  {                                                                                           \
    static const Width u = { #U, BITS, SIGNED };                                              \
    check(cut(u, (uint64_t)to_##U[k]) == cut(u, v[k]), w.name, "to " #U, 0, (double)a[k], 0); \
  }
FROM_INTEGER(i8, int8_t, 8, 1)
FROM_INTEGER(i16, int16_t, 16, 1)
FROM_INTEGER(i32, int32_t, 32, 1)
FROM_INTEGER(i64, int64_t, 64, 1)
FROM_INTEGER(u8, uint8_t, 8, 0)
FROM_INTEGER(u16, uint16_t, 16, 0)
FROM_INTEGER(u32, uint32_t, 32, 0)
FROM_INTEGER(u64, uint64_t, 64, 0)

#define FROM_FLOAT(T, C)                                                                       \
  static int cast_##T(sn_context *ctx)                                                         \
  {                                                                                            \
    const C a[] = { 0,        -0.0f,   0.5f,          -0.5f,          0.99f,         -1,       \
                    1.5f,     127,     128,           -128.5f,        -129,          255.5f,   \
                    256,      65536,   2147483648.0f, -2147483904.0f, 4294967296.0f, 9.3e18f,  \
                    -9.3e18f, 1.9e19f, 3e38f,         INFINITY,       -INFINITY,     NAN };    \
    const int n = (int)(sizeof a / sizeof *a);                                                 \
    RESULTS;                                                                                   \
    CHECK(scalars_cast_##T(ctx, a, n, ALL));                                                   \
    for (int k = 0; k < n; k++) {                                                              \
      EACH_WIDTH(SATURATED)                                                                    \
      check(same_float((double)to_f32[k], (double)(float)a[k]), #T, "to f32", 0, (double)a[k], \
            0);                                                                                \
      check(same_float(to_f64[k], (double)a[k]), #T, "to f64", 0, (double)a[k], 0);            \
      check(truth[k] == (a[k] != 0), #T, "to bool", 0, (double)a[k], 0);                       \
    }                                                                                          \
    return 0;                                                                                  \
  }
#define SATURATED(U, BITS, SIGNED)                                                              \
  {                                                                                             \
    static const Width u = { #U, BITS, SIGNED };                                                \
    check(cut(u, (uint64_t)to_##U[k]) == cut(u, saturated(u, (double)a[k])), "float", "to " #U, \
          0, (double)a[k], 0);                                                                  \
  }
FROM_FLOAT(f32, float)
FROM_FLOAT(f64, double)

/* ---- floats ---- */

/* The language's min and max: a NaN gives the other operand. */
#define FLOATS(T, C, S)                                                                   \
  static C expected_##T(int op, C a, C b)                                                 \
  {                                                                                       \
    switch (op) {                                                                         \
    case 0: return a + b;                                                                 \
    case 1: return a - b;                                                                 \
    case 2: return a * b;                                                                 \
    case 3: return a / b;                                                                 \
    case 4: return -a;                                                                    \
    case 5: return isnan(a) ? b : isnan(b) ? a : a < b ? a : b;                           \
    case 6: return isnan(a) ? b : isnan(b) ? a : a > b ? a : b;                           \
    case 7: return fabs##S(a);                                                            \
    case 8: return (C)((a > 0) - (a < 0));                                                \
    case 9: return a * a;                                                                 \
    case 10: return floor##S(a);                                                          \
    case 11: return ceil##S(a);                                                           \
    case 12: return round##S(a);                                                          \
    case 13: return trunc##S(a);                                                          \
    case 14: return sqrt##S(fabs##S(a));                                                  \
    case 15: return fma##S(a, b, a);                                                      \
    case 16: return isnan(a) ? -2 : a < -2 ? -2 : a > 2 ? 2 : a;                          \
    case 17: return a + (b - a) * (C)0.25;                                                \
    default: return a < b ? a : b;                                                        \
    }                                                                                     \
  }                                                                                       \
  static int floats_##T(sn_context *ctx)                                                  \
  {                                                                                       \
    const C v[] = { 0,     1,       -1,    0.5f,     2.5f,      -2.5f, 3,                 \
                    1e10f, -1e-10f, 1e30f, INFINITY, -INFINITY, NAN };                    \
    enum { N = sizeof v / sizeof *v };                                                    \
    static C a[N * N], b[N * N], r[N * N][FLOAT_OPS];                                     \
    static int32_t c[N * N][6];                                                           \
    int m = 0;                                                                            \
    for (int i = 0; i < N; i++)                                                           \
      for (int j = 0; j < N; j++, m++) {                                                  \
        a[m] = v[i];                                                                      \
        b[m] = v[j];                                                                      \
      }                                                                                   \
    CHECK(scalars_ops_##T(ctx, a, m, b, r[0], c[0]));                                     \
    for (int k = 0; k < m; k++) {                                                         \
      C x = a[k], y = b[k];                                                               \
      int32_t e[6] = { x == y, x != y, x<y, x <= y, x> y, x >= y };                       \
      for (int op = 0; op < FLOAT_OPS; op++) {                                            \
        C want = expected_##T(op, x, y), got = r[k][op];                                  \
        if (op == 8 && isnan(x)) continue;                                                \
        check((isnan(want) && isnan(got)) || want == got, #T, "operation", op, (double)x, \
              (double)y);                                                                 \
      }                                                                                   \
      for (int q = 0; q < 6; q++)                                                         \
        check(c[k][q] == e[q], #T, "comparison", q, (double)x, (double)y);                \
    }                                                                                     \
    printf("%s: %d pairs\n", #T, m);                                                      \
    return 0;                                                                             \
  }                                                                                       \
  static int curves_##T(sn_context *ctx, double tolerance)                                \
  {                                                                                       \
    const C a[] = { 0.0625f, 0.25f, 0.5f, 0.75f, 0.96875f };                              \
    enum { N = sizeof a / sizeof *a };                                                    \
    static C r[N][CURVES];                                                                \
    CHECK(scalars_curves_##T(ctx, a, N, r[0]));                                           \
    for (int k = 0; k < N; k++) {                                                         \
      double x = (double)a[k];                                                            \
      double e[CURVES] = { exp(x),  log(x),  sin(x),      cos(x),        tan(x),          \
                           asin(x), acos(x), atan(x),     atan2(x, 0.5), sinh(x),         \
                           cosh(x), tanh(x), pow(x, 1.5), 1 / sqrt(x) };                  \
      for (int q = 0; q < CURVES; q++)                                                    \
        check(fabs((double)r[k][q] - e[q]) <= tolerance * fabs(e[q]), #T, "curve", q, x,  \
              (double)r[k][q]);                                                           \
    }                                                                                     \
    return 0;                                                                             \
  }

FLOATS(f32, float, f)
FLOATS(f64, double, )

static int same_bits(sn_context *ctx)
{
  static const float a[] = { 0, -0.0f, 1, -1.5f, INFINITY };
  static const double b[] = { 0, -0.0, 1, -1.5, INFINITY };
  uint32_t ua[5];
  uint64_t ub[5];
  float ra[5];
  double rb[5];
  CHECK(scalars_bits(ctx, a, 5, b, ua, ub, ra, rb));
  printf("bits %08x %08x %016" PRIx64 " %d\n", (unsigned)ua[1], (unsigned)ua[3], ub[3],
         memcmp(a, ra, sizeof a) == 0 && memcmp(b, rb, sizeof b) == 0);
  return 0;
}

int run_scalars(sn_context *ctx)
{
  wrong = 0;
  if (integer_i8(ctx) || cast_i8(ctx)) return 1;
  if (integer_i16(ctx) || cast_i16(ctx)) return 1;
  if (integer_i32(ctx) || cast_i32(ctx)) return 1;
  if (integer_i64(ctx) || cast_i64(ctx)) return 1;
  if (integer_u8(ctx) || cast_u8(ctx)) return 1;
  if (integer_u16(ctx) || cast_u16(ctx)) return 1;
  if (integer_u32(ctx) || cast_u32(ctx)) return 1;
  if (integer_u64(ctx) || cast_u64(ctx)) return 1;
  if (cast_f32(ctx) || cast_f64(ctx)) return 1;
  if (floats_f32(ctx) || floats_f64(ctx)) return 1;
  if (curves_f32(ctx, 1e-6) || curves_f64(ctx, 1e-14)) return 1;
  if (same_bits(ctx)) return 1;
  printf("wrong: %d\n", wrong);
  return wrong != 0;
}
