/* The operators' values.
 *
 * Integers are computed in uint64_t, where C wraps, and cut to their width;
 * f32 is computed in float, one operation a C expression, so that no compiler
 * contracts two of them.
 */
#include "gen/model/evaluate.h"

#include "gen/base/base.h"

#include <math.h>
#include <string.h>

static Value integer(const Type *t, uint64_t bits)
{
  return value_wrap(t, (Value){ .i = (int64_t)bits });
}

static Value truth(bool b)
{
  return (Value){ .i = b };
}

/* ---- integers ---- */

/* C's quotient and rest; by zero both are 0, the least by -1 wraps. */
static Value divide(const Type *t, Value a, Value b, bool wants_rest)
{
  if (b.i == 0)
    return integer(t, 0);
  if (!t->is_signed) {
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    return integer(t, wants_rest ? x % y : x / y);
  }
  if (b.i == -1)                       /* C's may trap for the least integer */
    return integer(t, wants_rest ? 0 : 0 - (uint64_t)a.i);
  return integer(t, (uint64_t)(wants_rest ? a.i % b.i : a.i / b.i));
}

/* The sign or zero extension makes one shift right for every width. */
static Value shift_right(const Type *t, Value a, unsigned count)
{
  if (t->is_signed && a.i < 0)
    return integer(t, ~(~(uint64_t)a.i >> count));
  return integer(t, (uint64_t)a.i >> count);
}

static Value integer_binary(Op op, const Type *t, Value a, Value b)
{
  uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
  unsigned count = (unsigned)(y & (uint64_t)(t->bits - 1));

  switch (op) {
  case OP_ADD: return integer(t, x + y);
  case OP_SUB: return integer(t, x - y);
  case OP_MUL: return integer(t, x * y);
  case OP_DIV: return divide(t, a, b, false);
  case OP_MOD: return divide(t, a, b, true);
  case OP_AND: return integer(t, x & y);
  case OP_OR:  return integer(t, x | y);
  case OP_XOR: return integer(t, x ^ y);
  case OP_SHL: return integer(t, x << count);
  case OP_SHR: return shift_right(t, a, count);
  default: ICE("'%s' is no operator on integers", operator_name[op]);
  }
}

/* ---- floats ---- */

static float f32_binary(Op op, float a, float b)
{
  switch (op) {
  case OP_ADD: return a + b;
  case OP_SUB: return a - b;
  case OP_MUL: return a * b;
  case OP_DIV: return a / b;
  case OP_MOD: return fmodf(a, b);
  default: ICE("'%s' is no operator on floats", operator_name[op]);
  }
}

static double f64_binary(Op op, double a, double b)
{
  switch (op) {
  case OP_ADD: return a + b;
  case OP_SUB: return a - b;
  case OP_MUL: return a * b;
  case OP_DIV: return a / b;
  case OP_MOD: return fmod(a, b);
  default: ICE("'%s' is no operator on floats", operator_name[op]);
  }
}

static Value arithmetic(Op op, const Type *t, Value a, Value b)
{
  if (t->kind == TYPE_F32)
    return (Value){ .f = (double)f32_binary(op, (float)a.f, (float)b.f) };
  if (type_is_float(t))                /* what f64 rounds of two f16, f16 rounds the same */
    return value_wrap(t, (Value){ .f = f64_binary(op, a.f, b.f) });
  return integer_binary(op, t, a, b);
}

/* ---- comparisons ---- */

bool evaluate_less(const Type *t, Value a, Value b)
{
  if (type_is_float(t))
    return a.f < b.f;
  return t->kind == TYPE_U64 ? (uint64_t)a.i < (uint64_t)b.i : a.i < b.i;
}

static bool equal(const Type *t, Value a, Value b)
{
  return type_is_float(t) ? a.f == b.f : a.i == b.i;
}

static bool compare(Op op, const Type *t, Value a, Value b)
{
  switch (op) {
  case OP_EQ: return equal(t, a, b);
  case OP_NE: return !equal(t, a, b);
  case OP_LT: return evaluate_less(t, a, b);
  case OP_LE: return evaluate_less(t, a, b) || equal(t, a, b);
  case OP_GT: return evaluate_less(t, b, a);
  case OP_GE: return evaluate_less(t, b, a) || equal(t, a, b);
  default: ICE("'%s' compares nothing", operator_name[op]);
  }
}

/* ---- bits ---- */

uint64_t evaluate_bits(const Type *t, Value v)
{
  uint64_t bits = (uint64_t)v.i;

  if (t->kind == TYPE_F16)
    return half_bits(v.f);
  if (t->kind == TYPE_F32) {
    float f = (float)v.f;
    uint32_t narrow;
    memcpy(&narrow, &f, sizeof narrow);
    return narrow;
  }
  if (t->kind == TYPE_F64) {
    memcpy(&bits, &v.f, sizeof bits);
    return bits;
  }
  return t->bits >= 64 ? bits : bits & ((UINT64_C(1) << (t->bits < 8 ? 8 : t->bits)) - 1);
}

Value evaluate_bitcast(const Type *to, const Type *from, Value v)
{
  uint64_t bits = evaluate_bits(from, v);
  Value result;

  if (to->kind == TYPE_F16) {
    result.f = half_value((uint16_t)bits);
    return result;
  }
  if (to->kind == TYPE_F32) {
    uint32_t narrow = (uint32_t)bits;
    float f;
    memcpy(&f, &narrow, sizeof f);
    result.f = (double)f;
    return result;
  }
  if (to->kind == TYPE_F64) {
    memcpy(&result.f, &bits, sizeof result.f);
    return result;
  }
  return integer(to, bits);
}

/* ---- min and max: the operand that is a number ---- */

static Value lesser(const Type *t, Value a, Value b)
{
  return evaluate_less(t, b, a) || (type_is_float(t) && isnan(a.f)) ? b : a;
}

static Value greater(const Type *t, Value a, Value b)
{
  return evaluate_less(t, a, b) || (type_is_float(t) && isnan(a.f)) ? b : a;
}

/* ---- what others call ---- */

Value evaluate_unary(Op op, const Type *t, Value a)
{
  switch (op) {
  case OP_PLUS:       return a;
  case OP_NOT:        return truth(!a.i);
  case OP_COMPLEMENT: return integer(t, ~(uint64_t)a.i);
  case OP_NEGATE:
    return type_is_float(t) ? (Value){ .f = -a.f } : integer(t, 0 - (uint64_t)a.i);
  default: ICE("'%s' is no unary operator", operator_name[op]);
  }
}

Value evaluate_binary(Op op, const Type *t, Value a, Value b)
{
  if (op_compares(op))
    return truth(compare(op, t, a, b));
  if (op == OP_MIN)
    return lesser(t, a, b);
  return op == OP_MAX ? greater(t, a, b) : arithmetic(op, t, a, b);
}

/* ---- neutral elements ---- */

static Value extreme(const Type *t, bool is_least)
{
  int64_t least = t->is_signed ? (int64_t)(UINT64_MAX << (t->bits - 1)) : 0;

  return integer(t, (uint64_t)(is_least ? least : ~least));
}

/* Of floats min and max begin with a NaN: they give the other operand, also where that is
 * an infinity or a NaN. */
Value evaluate_neutral(Op op, const Type *t)
{
  bool is_float = type_is_float(t);

  switch (op) {
  case OP_MUL: return is_float ? (Value){ .f = 1 } : (Value){ .i = 1 };
  case OP_AND: return integer(t, ~(uint64_t)0);
  case OP_MIN: case OP_MAX:
    return is_float ? (Value){ .f = (double)NAN } : extreme(t, op == OP_MAX);
  case OP_ADD: case OP_OR: case OP_XOR:
    return is_float ? (Value){ .f = 0 } : (Value){ .i = 0 };
  default: ICE("'%s' has no neutral element", operator_name[op]);
  }
}
