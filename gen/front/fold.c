/* Operators on literals.
 *
 * Flexible literals are computed in 64 bits: integers exactly, as a sign and a
 * magnitude, so that what does not fit is known; with a u64 among them the
 * result wraps, as unsigned arithmetic does in C.  Literals whose type is
 * settled (by a cast) are computed in that type, as at run time.
 */
#include "gen/front/check.h"

#include <math.h>

void set_literal(Expr *e, const Type *type, Value value) {
  e->kind = EXPR_LITERAL;
  e->type = type;
  e->value = value;
  e->is_constant = e->is_weak = false;
  e->a = e->b = e->c = NULL;
  e->args = NULL;
  e->arg_count = 0;
}

void set_integer(Expr *e, uint64_t bits, bool is_huge, const Type *type, bool is_weak) {
  Value v = {.i = (int64_t)bits};
  const Type *from = is_huge ? TY(U64) : TY(I64);
  if (is_weak || !integer_fits(type, from, v)) {
    is_weak = true;
    type = integer_fits(TY(I32), from, v) ? TY(I32) : is_huge ? TY(U64) : TY(I64);
  }
  set_literal(e, type, v);
  e->is_constant = true;
  e->is_weak = is_weak;
}

/* ---- exact integers ---- */

typedef struct Wide {          /* from -2^63 to 2^64 - 1 */
  bool is_negative;
  uint64_t magnitude;
  bool overflows;
} Wide;

static bool is_huge(const Expr *e) { return e->type == TY(U64) && e->value.i < 0; }

static Wide wide(const Expr *e) {
  uint64_t bits = (uint64_t)e->value.i;
  bool is_negative = e->value.i < 0 && !is_huge(e);
  return (Wide){is_negative, is_negative ? 0 - bits : bits, false};
}

static Wide normal(bool is_negative, uint64_t magnitude, bool overflows) {
  is_negative = is_negative && magnitude != 0;
  if (is_negative && magnitude > (uint64_t)1 << 63)
    overflows = true;
  return (Wide){is_negative, magnitude, overflows};
}

static Wide wide_add(Wide a, Wide b) {
  if (a.is_negative == b.is_negative)
    return normal(a.is_negative, a.magnitude + b.magnitude,
                  a.magnitude > UINT64_MAX - b.magnitude);
  if (a.magnitude >= b.magnitude)
    return normal(a.is_negative, a.magnitude - b.magnitude, false);
  return normal(b.is_negative, b.magnitude - a.magnitude, false);
}

static Wide wide_negate(Wide a) { return normal(!a.is_negative, a.magnitude, false); }

static Wide wide_multiply(Wide a, Wide b) {
  bool overflows = b.magnitude != 0 && a.magnitude > UINT64_MAX / b.magnitude;
  return normal(a.is_negative != b.is_negative, a.magnitude * b.magnitude, overflows);
}

static Wide wide_shift_left(Wide a, unsigned count) {
  bool overflows = count > 0 && a.magnitude >> (64 - count) != 0;
  return normal(a.is_negative, a.magnitude << count, overflows);
}

/* Rounds down, as an arithmetic shift does. */
static Wide wide_shift_right(Wide a, unsigned count) {
  uint64_t magnitude = a.magnitude >> count;
  if (a.is_negative && magnitude << count != a.magnitude)
    magnitude++;
  return normal(a.is_negative, magnitude, false);
}

/* a op b for the operators that are computed exactly. */
static Wide wide_op(Op op, Wide a, Wide b) {
  switch (op) {
  case OP_ADD: return wide_add(a, b);
  case OP_SUB: return wide_add(a, (Wide){!b.is_negative, b.magnitude, false});
  case OP_MUL: return wide_multiply(a, b);
  case OP_DIV: return normal(a.is_negative != b.is_negative,
                             a.magnitude / b.magnitude, false);
  case OP_MOD: return normal(a.is_negative, a.magnitude % b.magnitude, false);
  case OP_SHL: return wide_shift_left(a, (unsigned)b.magnitude);
  case OP_SHR: return wide_shift_right(a, (unsigned)b.magnitude);
  default: ICE("no exact operator %d", (int)op);
  }
}

static int wide_compare(Wide a, Wide b) {
  Wide difference = wide_op(OP_SUB, a, b);
  if (a.is_negative != b.is_negative)
    return a.is_negative ? -1 : 1;
  return difference.magnitude == 0 ? 0 : difference.is_negative ? -1 : 1;
}

/* ---- flexible operands ---- */

static uint64_t bitwise(Op op, uint64_t a, uint64_t b) {
  return op == OP_AND ? a & b : op == OP_OR ? a | b : a ^ b;
}

static bool is_bitwise(Op op) { return op == OP_AND || op == OP_OR || op == OP_XOR; }

static bool is_shift_op(Op op) { return op == OP_SHL || op == OP_SHR; }

/* The type the result has alone, before its value is looked at. */
static void result_type(const Expr *e, const Type **type, bool *is_weak) {
  const Expr *a = e->a, *b = e->b;
  *is_weak = a->is_weak;
  *type = a->type;
  if (is_shift_op(e->op) || !b || b->is_weak)
    return;
  const Type *common = a->is_weak ? b->type : type_common(a->type, b->type);
  *is_weak = common == NULL;
  *type = common ? common : TY(I64);
}

static void set_wide(Check *c, Expr *e, Wide result, bool wraps) {
  const Type *type;
  bool is_weak;
  if (result.overflows && !wraps) {
    diag(c->diag, DIAG_CONSTANT_OVERFLOW, e->loc);
    fail_expr(e);
    return;
  }
  result_type(e, &type, &is_weak);
  uint64_t bits = result.is_negative ? 0 - result.magnitude : result.magnitude;
  bool is_unsigned = result.overflows || !result.is_negative;
  set_integer(e, bits, is_unsigned && bits >> 63 != 0, type, is_weak);
}

static bool fails_division(Check *c, Expr *e, bool is_zero) {
  if (!is_zero || (e->op != OP_DIV && e->op != OP_MOD))
    return false;
  diag(c->diag, DIAG_CONSTANT_DIVISION, e->loc);
  fail_expr(e);
  return true;
}

static void fold_wide(Check *c, Expr *e) {
  Wide a = wide(e->a), b = wide(e->b);
  bool has_u64 = e->a->type == TY(U64) || e->b->type == TY(U64);
  if (fails_division(c, e, b.magnitude == 0))
    return;
  if (is_bitwise(e->op)) {
    const Type *type;
    bool is_weak;
    uint64_t bits = bitwise(e->op, (uint64_t)e->a->value.i, (uint64_t)e->b->value.i);
    bool huge = bits >> 63 != 0 && (is_huge(e->a) || is_huge(e->b));
    result_type(e, &type, &is_weak);
    set_integer(e, bits, huge, type, is_weak);
    return;
  }
  if (is_shift_op(e->op)) {
    b = (Wide){false, (uint64_t)e->b->value.i & 63, false};
    has_u64 = e->a->type == TY(U64);
  }
  set_wide(c, e, wide_op(e->op, a, b), has_u64);
}

static double as_double(const Expr *e) {
  if (type_is_float(e->type))
    return e->value.f;
  return is_huge(e) ? (double)(uint64_t)e->value.i : (double)e->value.i;
}

static double float_op(Op op, double a, double b) {
  switch (op) {
  case OP_ADD: return a + b;
  case OP_SUB: return a - b;
  case OP_MUL: return a * b;
  case OP_DIV: return a / b;
  default: ICE("no operator %d on floats", (int)op);
  }
}

/* Kept in 64 bits whatever the type: adapt() rounds once. */
static void fold_float(Expr *e) {
  bool is_weak = e->is_weak;
  const Type *type = e->type;
  set_literal(e, type, (Value){.f = float_op(e->op, as_double(e->a), as_double(e->b))});
  e->is_constant = true;
  e->is_weak = is_weak;
}

/* ---- comparisons ---- */

static bool holds(Op op, int order, bool is_unordered) {
  if (is_unordered)
    return op == OP_NE;
  switch (op) {
  case OP_EQ: return order == 0;
  case OP_NE: return order != 0;
  case OP_LT: return order < 0;
  case OP_LE: return order <= 0;
  case OP_GT: return order > 0;
  default: return order >= 0;
  }
}

static void fold_comparison(Expr *e) {
  int order;
  bool is_unordered = false;
  if (type_is_float(e->a->type) || type_is_float(e->b->type)) {
    double a = as_double(e->a), b = as_double(e->b);
    order = (a > b) - (a < b);
    is_unordered = isnan(a) || isnan(b);
  } else {
    order = wide_compare(wide(e->a), wide(e->b));
  }
  set_literal(e, TY(BOOL), (Value){.i = holds(e->op, order, is_unordered)});
}

/* ---- operands of a settled type ---- */

static uint64_t magnitude(int64_t i) { return i < 0 ? 0 - (uint64_t)i : (uint64_t)i; }

/* C's division in the type; the least integer by -1 wraps. */
static uint64_t fixed_divide(const Type *type, Op op, Value a, Value b) {
  if (!type->is_signed) {
    uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
    return op == OP_DIV ? x / y : x % y;
  }
  uint64_t quotient = magnitude(a.i) / magnitude(b.i);
  uint64_t rest = magnitude(a.i) % magnitude(b.i);
  if (op == OP_MOD)
    return a.i < 0 ? 0 - rest : rest;
  return (a.i < 0) != (b.i < 0) ? 0 - quotient : quotient;
}

static uint64_t fixed_shift_right(const Type *type, Value a, unsigned count) {
  uint64_t bits = (uint64_t)a.i >> count;
  if (type->is_signed && a.i < 0 && count > 0)
    bits |= ~(uint64_t)0 << (64 - count);
  return bits;
}

static uint64_t fixed_op(const Type *type, Op op, Value a, Value b) {
  uint64_t x = (uint64_t)a.i, y = (uint64_t)b.i;
  unsigned count = (unsigned)(y & (uint64_t)(type->bits - 1));
  switch (op) {
  case OP_ADD: return x + y;
  case OP_SUB: return x - y;
  case OP_MUL: return x * y;
  case OP_DIV: case OP_MOD: return fixed_divide(type, op, a, b);
  case OP_SHL: return x << count;
  case OP_SHR: return fixed_shift_right(type, a, count);
  default: return bitwise(op, x, y);
  }
}

static void fold_fixed(Check *c, Expr *e) {
  const Type *type = e->type;
  Value a = e->a->value, b = e->b->value, result;
  if (type_is_float(type)) {
    result.f = float_op(e->op, a.f, b.f);
  } else {
    if (fails_division(c, e, b.i == 0))
      return;
    result.i = (int64_t)fixed_op(type, e->op, a, b);
  }
  set_literal(e, type, value_wrap(type, result));
}

/* ---- the doors ---- */

Expr *fold_binary(Check *c, Expr *e) {
  if (!is_literal(e->a) || !is_literal(e->b))
    return e;
  if (e->op >= OP_EQ && e->op <= OP_GE)
    fold_comparison(e);
  else if (!e->is_constant)
    fold_fixed(c, e);
  else if (type_is_float(e->type))
    fold_float(e);
  else
    fold_wide(c, e);
  return e;
}

static void fold_fixed_unary(Expr *e) {
  Value v = e->a->value;
  if (type_is_float(e->type))
    v.f = -v.f;
  else if (e->op == OP_NEGATE)
    v.i = (int64_t)(0 - (uint64_t)v.i);
  else
    v.i = ~v.i;
  set_literal(e, e->type, value_wrap(e->type, v));
}

/* Of a - or a ~; e has its type already. */
Expr *fold_unary(Check *c, Expr *e) {
  if (!is_literal(e->a))
    return e;
  if (!e->is_constant) {
    fold_fixed_unary(e);
  } else if (type_is_float(e->type)) {
    const Expr *a = e->a;
    bool is_weak = e->is_weak;
    set_literal(e, e->type, (Value){.f = -a->value.f});
    e->is_constant = true;
    e->is_weak = is_weak;
  } else if (e->op == OP_NEGATE) {
    set_wide(c, e, wide_negate(wide(e->a)), e->a->type == TY(U64));
  } else {
    Value v = {.i = ~e->a->value.i};
    if (!e->a->is_weak)                /* all bits of the type that a suffix or a const names */
      v = value_wrap(e->a->type, v);
    set_integer(e, (uint64_t)v.i, e->a->type == TY(U64) && v.i < 0, e->a->type, e->a->is_weak);
  }
  return e;
}
