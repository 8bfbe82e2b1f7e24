/* The built-ins' values: rows of builtins.def.
 *
 * What f32 has of its own in math.h is called in f32: the last bit of a sine may
 * differ from that of the rounded f64 one, and compiled code has the former.
 */
#include "gen/model/evaluate.h"

#include "gen/base/base.h"
#include "gen/model/builtins.h"

#include <math.h>

/* ---- floats ---- */

/* Built-ins that are math.h's functions of the same name. */
#define SAME_NAME(X) \
  X(sqrt) X(exp) X(log) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) \
  X(tanh) X(floor) X(ceil) X(round) X(trunc)

static bool float_unary(int builtin, const Type *t, double x, double *result)
{
  bool narrow = t->kind == TYPE_F32;

  switch (builtin) {
#define X(name) \
  case BUILTIN_##name: *result = narrow ? (double)name##f((float)x) : name(x); return true;
  SAME_NAME(X)
#undef X
  case BUILTIN_rsqrt:
    *result = narrow ? (double)(1.0f / sqrtf((float)x)) : 1.0 / sqrt(x);
    return true;
  case BUILTIN_abs:  *result = fabs(x); return true;
  case BUILTIN_sign: *result = (x > 0) - (x < 0); return true;
  default: return false;
  }
}

/* The rest has the divisor's sign. */
static Value float_floormod(const Type *t, Value a, Value b)
{
  Value rest = evaluate_binary(OP_MOD, t, a, b);

  if ((rest.f < 0 && b.f > 0) || (rest.f > 0 && b.f < 0))
    rest = evaluate_binary(OP_ADD, t, rest, b);
  return rest;
}

/* a + (b - a) * t, each operation rounded. */
static Value mix(const Type *type, const Value *x)
{
  Value step = evaluate_binary(OP_SUB, type, x[1], x[0]);

  step = evaluate_binary(OP_MUL, type, step, x[2]);
  return evaluate_binary(OP_ADD, type, x[0], step);
}

static Value float_builtin(int builtin, const Type *t, const Value *x)
{
  bool narrow = t->kind == TYPE_F32;
  Value v;

  if (float_unary(builtin, t, x[0].f, &v.f))
    return v;
  switch (builtin) {
  case BUILTIN_atan2:
    v.f = narrow ? (double)atan2f((float)x[0].f, (float)x[1].f) : atan2(x[0].f, x[1].f);
    return v;
  case BUILTIN_pow:
    v.f = narrow ? (double)powf((float)x[0].f, (float)x[1].f) : pow(x[0].f, x[1].f);
    return v;
  case BUILTIN_fma:
    v.f = narrow ? (double)fmaf((float)x[0].f, (float)x[1].f, (float)x[2].f)
                 : fma(x[0].f, x[1].f, x[2].f);
    return v;
  case BUILTIN_floordiv:
    v = evaluate_binary(OP_DIV, t, x[0], x[1]);
    v.f = floor(v.f);
    return v;
  case BUILTIN_floormod: return float_floormod(t, x[0], x[1]);
  case BUILTIN_mix:      return mix(t, x);
  default: ICE("'%s' is no built-in on floats", builtin_name[builtin]);
  }
}

/* ---- integers ---- */

static Value integer(const Type *t, uint64_t bits)
{
  return value_wrap(t, (Value){ .i = (int64_t)bits });
}

/* By squaring, which wraps as one product after the other does. */
static Value integer_power(const Type *t, Value base, Value exponent)
{
  uint64_t product = 1, factor = (uint64_t)base.i, n = (uint64_t)exponent.i;

  if (t->is_signed && exponent.i < 0) {
    if (base.i == -1)
      return integer(t, n & 1 ? ~(uint64_t)0 : 1);
    return integer(t, base.i == 1);
  }
  for (; n > 0; n >>= 1) {
    if (n & 1)
      product *= factor;
    factor *= factor;
  }
  return integer(t, product);
}

/* C's quotient rounds towards zero: one less where the signs differ and a rest
 * is left. */
static Value integer_floor(const Type *t, Value a, Value b, bool wants_rest)
{
  Value quotient = evaluate_binary(OP_DIV, t, a, b), rest = evaluate_binary(OP_MOD, t, a, b);
  bool rounds = rest.i != 0 && t->is_signed && (rest.i < 0) != (b.i < 0);

  if (wants_rest)
    return rounds ? evaluate_binary(OP_ADD, t, rest, b) : rest;
  return rounds ? integer(t, (uint64_t)quotient.i - 1) : quotient;
}

static Value integer_builtin(int builtin, const Type *t, const Value *x)
{
  bool is_negative = t->is_signed && x[0].i < 0;

  switch (builtin) {
  case BUILTIN_abs:
    return is_negative ? integer(t, 0 - (uint64_t)x[0].i) : x[0];
  case BUILTIN_sign:
    return integer(t, is_negative ? ~(uint64_t)0 : x[0].i != 0);
  case BUILTIN_pow:      return integer_power(t, x[0], x[1]);
  case BUILTIN_floordiv: return integer_floor(t, x[0], x[1], false);
  case BUILTIN_floormod: return integer_floor(t, x[0], x[1], true);
  default: ICE("'%s' is no built-in on integers", builtin_name[builtin]);
  }
}

/* ---- counts of bits ---- */

static int count_ones(uint64_t x)
{
  int n = 0;

  for (; x; x &= x - 1)
    n++;
  return n;
}

static int leading_zeros(uint64_t x, int width)
{
  int n = width;

  for (; x; x >>= 1)
    n--;
  return n;
}

/* The ones below the lowest one: all of the width when there is none. */
static int trailing_zeros(uint64_t x, int width)
{
  return x ? count_ones((x & (0 - x)) - 1) : width;
}

static int count(int builtin, const Type *t, Value v)
{
  uint64_t x = (uint64_t)v.i & (~(uint64_t)0 >> (64 - t->bits));

  switch (builtin) {
  case BUILTIN_popcount: return count_ones(x);
  case BUILTIN_clz:      return leading_zeros(x, t->bits);
  default:               return trailing_zeros(x, t->bits);
  }
}

/* ---- all ---- */

Value evaluate_builtin(int builtin, const Type *t, const Value *x)
{
  switch (builtin) {
  case BUILTIN_min: return evaluate_binary(OP_MIN, t, x[0], x[1]);
  case BUILTIN_max: return evaluate_binary(OP_MAX, t, x[0], x[1]);
  case BUILTIN_clamp:
    return evaluate_binary(OP_MIN, t, evaluate_binary(OP_MAX, t, x[0], x[1]), x[2]);
  case BUILTIN_sqr: return evaluate_binary(OP_MUL, t, x[0], x[0]);
  case BUILTIN_popcount: case BUILTIN_clz: case BUILTIN_ctz:
    return (Value){ .i = count(builtin, t, x[0]) };
  default:
    return type_is_float(t) ? float_builtin(builtin, t, x) : integer_builtin(builtin, t, x);
  }
}
