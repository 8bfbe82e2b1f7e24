/* The operators' values.
 *
 * Integers are computed in uint64_t, where C wraps, and cut to their width;
 * f32 is computed in float, one operation a C expression, so that no compiler
 * contracts two of them.
 */
#include "gen/interpret/evaluate.h"

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

static Value integer_binary(IrOp op, const Type *t, Value a, Value b)
{
  uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
  unsigned count = (unsigned)(y & (uint64_t)(t->bits - 1));

  switch (op) {
  case IR_add:     return integer(t, x + y);
  case IR_sub:     return integer(t, x - y);
  case IR_mul:     return integer(t, x * y);
  case IR_div:     return divide(t, a, b, false);
  case IR_mod:     return divide(t, a, b, true);
  case IR_bit_and: return integer(t, x & y);
  case IR_bit_or:  return integer(t, x | y);
  case IR_bit_xor: return integer(t, x ^ y);
  case IR_shl:     return integer(t, x << count);
  case IR_shr:     return shift_right(t, a, count);
  default: ICE("'%s' is no operator on integers", ir_op_info[op].name);
  }
}

/* ---- floats ---- */

static float f32_binary(IrOp op, float a, float b)
{
  switch (op) {
  case IR_add: return a + b;
  case IR_sub: return a - b;
  case IR_mul: return a * b;
  case IR_div: return a / b;
  case IR_mod: return fmodf(a, b);
  default: ICE("'%s' is no operator on floats", ir_op_info[op].name);
  }
}

static double f64_binary(IrOp op, double a, double b)
{
  switch (op) {
  case IR_add: return a + b;
  case IR_sub: return a - b;
  case IR_mul: return a * b;
  case IR_div: return a / b;
  case IR_mod: return fmod(a, b);
  default: ICE("'%s' is no operator on floats", ir_op_info[op].name);
  }
}

Value evaluate_binary(IrOp op, const Type *t, Value a, Value b)
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

static bool compare(IrOp op, const Type *t, Value a, Value b)
{
  switch (op) {
  case IR_cmp_eq: return equal(t, a, b);
  case IR_cmp_ne: return !equal(t, a, b);
  case IR_cmp_lt: return evaluate_less(t, a, b);
  case IR_cmp_le: return evaluate_less(t, a, b) || equal(t, a, b);
  case IR_cmp_gt: return evaluate_less(t, b, a);
  case IR_cmp_ge: return evaluate_less(t, b, a) || equal(t, a, b);
  default: ICE("'%s' compares nothing", ir_op_info[op].name);
  }
}

/* ---- unary, casts ---- */

static Value negate(const Type *t, Value a)
{
  if (type_is_float(t))
    return (Value){ .f = -a.f };
  return integer(t, 0 - (uint64_t)a.i);
}

static uint64_t bits_of(const Type *t, Value v)
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
  if (t->kind == TYPE_F64)
    memcpy(&bits, &v.f, sizeof bits);
  return bits;
}

static Value bitcast(const Type *to, const Type *from, Value v)
{
  uint64_t bits = bits_of(from, v);
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

/* ---- the door ---- */

Value evaluate_stmt(const IrStmt *s, const Value *operand)
{
  const Type *t = s->operand_count > 0 ? s->operands[0]->type : s->type;

  switch (s->op) {
  case IR_const:     return s->value;
  case IR_neg:       return negate(t, operand[0]);
  case IR_bit_not:   return integer(t, ~(uint64_t)operand[0].i);
  case IR_logic_not: return truth(!operand[0].i);
  case IR_add: case IR_sub: case IR_mul: case IR_div: case IR_mod:
  case IR_bit_and: case IR_bit_or: case IR_bit_xor: case IR_shl: case IR_shr:
    return evaluate_binary(s->op, t, operand[0], operand[1]);
  case IR_cmp_eq: case IR_cmp_ne: case IR_cmp_lt:
  case IR_cmp_le: case IR_cmp_gt: case IR_cmp_ge:
    return truth(compare(s->op, t, operand[0], operand[1]));
  case IR_select:    return operand[0].i ? operand[1] : operand[2];
  case IR_cast:      return value_cast(s->type, t, operand[0]);
  case IR_bitcast:   return bitcast(s->type, t, operand[0]);
  case IR_builtin:   return evaluate_builtin(s, operand);
  default: ICE("'%s' has no value of its own", ir_op_info[s->op].name);
  }
}

/* ---- updates ---- */

static Value lesser(const Type *t, Value a, Value b)
{
  return evaluate_less(t, b, a) || (type_is_float(t) && isnan(a.f)) ? b : a;
}

static Value greater(const Type *t, Value a, Value b)
{
  return evaluate_less(t, a, b) || (type_is_float(t) && isnan(a.f)) ? b : a;
}

Value evaluate_update(IrUpdate update, const Type *t, Value old, Value by)
{
  static const IrOp op[IR_UPDATES] = {
    [IR_UPDATE_ADD] = IR_add, [IR_UPDATE_SUB] = IR_sub, [IR_UPDATE_MUL] = IR_mul,
    [IR_UPDATE_DIV] = IR_div, [IR_UPDATE_MOD] = IR_mod, [IR_UPDATE_AND] = IR_bit_and,
    [IR_UPDATE_OR] = IR_bit_or, [IR_UPDATE_XOR] = IR_bit_xor, [IR_UPDATE_SHL] = IR_shl,
    [IR_UPDATE_SHR] = IR_shr
  };

  if (update == IR_UPDATE_MIN)
    return lesser(t, old, by);
  if (update == IR_UPDATE_MAX)
    return greater(t, old, by);
  return evaluate_binary(op[update], t, old, by);
}
