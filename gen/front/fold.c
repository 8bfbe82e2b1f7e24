/* Operators on literals.
 *
 * Flexible literals are computed in 64 bits: integers exactly, as a sign and a
 * magnitude, so that what does not fit is known; with a u64 among them the
 * result wraps, as unsigned arithmetic does in C.  Literals whose type is
 * settled (by a cast) are computed in that type, as at run time, by gen/model's
 * evaluator; so are flexible floats, as f64.
 */
#include "gen/front/check.h"
#include "gen/model/evaluate.h"

void set_literal(Expr *e, const Type *type, Value value)
{
  e->kind = EXPR_LITERAL;
  e->type = type;
  e->value = value;
  e->is_constant = e->is_weak = false;
  e->a = e->b = e->c = NULL;
  e->args = NULL;
  e->arg_count = 0;
}

void set_integer(Expr *e, uint64_t bits, bool is_huge, const Type *type, bool is_weak)
{
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

static Wide wide(const Expr *e)
{
  uint64_t bits = (uint64_t)e->value.i;
  bool is_negative = e->value.i < 0 && !is_huge(e);
  return (Wide){is_negative, is_negative ? 0 - bits : bits, false};
}

static Wide normal(bool is_negative, uint64_t magnitude, bool overflows)
{
  is_negative = is_negative && magnitude != 0;
  if (is_negative && magnitude > (uint64_t)1 << 63)
    overflows = true;
  return (Wide){is_negative, magnitude, overflows};
}

static Wide wide_add(Wide a, Wide b)
{
  if (a.is_negative == b.is_negative)
    return normal(a.is_negative, a.magnitude + b.magnitude,
                  a.magnitude > UINT64_MAX - b.magnitude);
  if (a.magnitude >= b.magnitude)
    return normal(a.is_negative, a.magnitude - b.magnitude, false);
  return normal(b.is_negative, b.magnitude - a.magnitude, false);
}

static Wide wide_negate(Wide a) { return normal(!a.is_negative, a.magnitude, false); }

static Wide wide_multiply(Wide a, Wide b)
{
  bool overflows = b.magnitude != 0 && a.magnitude > UINT64_MAX / b.magnitude;
  return normal(a.is_negative != b.is_negative, a.magnitude * b.magnitude, overflows);
}

static Wide wide_shift_left(Wide a, unsigned count)
{
  bool overflows = count > 0 && a.magnitude >> (64 - count) != 0;
  return normal(a.is_negative, a.magnitude << count, overflows);
}

/* Rounds down, as an arithmetic shift does. */
static Wide wide_shift_right(Wide a, unsigned count)
{
  uint64_t magnitude = a.magnitude >> count;
  if (a.is_negative && magnitude << count != a.magnitude)
    magnitude++;
  return normal(a.is_negative, magnitude, false);
}

/* a op b for the operators that are computed exactly. */
static Wide wide_op(Op op, Wide a, Wide b)
{
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

static int wide_compare(Wide a, Wide b)
{
  Wide difference = wide_op(OP_SUB, a, b);
  if (a.is_negative != b.is_negative)
    return a.is_negative ? -1 : 1;
  return difference.magnitude == 0 ? 0 : difference.is_negative ? -1 : 1;
}

/* ---- flexible operands ---- */

/* The type the result has alone, before its value is looked at. */
static void result_type(const Expr *e, const Type **type, bool *is_weak)
{
  const Expr *a = e->a, *b = e->b;
  *is_weak = a->is_weak;
  *type = a->type;
  if (op_shifts(e->op) || !b || b->is_weak)
    return;
  const Type *common = a->is_weak ? b->type : type_common(a->type, b->type);
  *is_weak = common == NULL;
  *type = common ? common : TY(I64);
}

static void set_wide(Check *c, Expr *e, Wide result, bool wraps)
{
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

static bool fails_division(Check *c, Expr *e, bool is_zero)
{
  if (!is_zero || !op_divides(e->op))
    return false;
  diag(c->diag, DIAG_CONSTANT_DIVISION, e->loc);
  fail_expr(e);
  return true;
}

static void fold_wide(Check *c, Expr *e)
{
  Wide a = wide(e->a), b = wide(e->b);
  bool has_u64 = e->a->type == TY(U64) || e->b->type == TY(U64);
  if (fails_division(c, e, b.magnitude == 0))
    return;
  if (op_is_bitwise(e->op)) {
    const Type *type;
    bool is_weak;
    uint64_t bits = (uint64_t)evaluate_binary(e->op, TY(U64), e->a->value, e->b->value).i;
    bool huge = bits >> 63 != 0 && (is_huge(e->a) || is_huge(e->b));
    result_type(e, &type, &is_weak);
    set_integer(e, bits, huge, type, is_weak);
    return;
  }
  if (op_shifts(e->op)) {
    b = (Wide){false, (uint64_t)e->b->value.i & 63, false};
    has_u64 = e->a->type == TY(U64);
  }
  set_wide(c, e, wide_op(e->op, a, b), has_u64);
}

static Value as_double(const Expr *e)
{
  if (type_is_float(e->type))
    return e->value;
  return value_cast(TY(F64), is_huge(e) ? TY(U64) : TY(I64), e->value);
}

/* Kept in 64 bits whatever the type: adapt() rounds once. */
static void fold_float(Expr *e)
{
  bool is_weak = e->is_weak;
  const Type *type = e->type;
  set_literal(e, type, evaluate_binary(e->op, TY(F64), as_double(e->a), as_double(e->b)));
  e->is_constant = true;
  e->is_weak = is_weak;
}

/* ---- comparisons ---- */

/* Integers of two types are compared exactly: by their order. */
static void fold_comparison(Expr *e)
{
  bool is_float = type_is_float(e->a->type) || type_is_float(e->b->type);
  Value order = {.i = is_float ? 0 : wide_compare(wide(e->a), wide(e->b))};
  set_literal(e, TY(BOOL),
              is_float ? evaluate_binary(e->op, TY(F64), as_double(e->a), as_double(e->b))
                       : evaluate_binary(e->op, TY(I64), order, (Value){.i = 0}));
}

/* ---- operands of a settled type ---- */

static void fold_fixed(Check *c, Expr *e)
{
  Value a = e->a->value, b = e->b->value;
  if (!type_is_float(e->type) && fails_division(c, e, b.i == 0))
    return;
  set_literal(e, e->type, evaluate_binary(e->op, e->type, a, b));
}

/* ---- what others call ---- */

Expr *fold_binary(Check *c, Expr *e)
{
  if (!is_literal(e->a) || !is_literal(e->b))
    return e;
  if (op_compares(e->op))
    fold_comparison(e);
  else if (!e->is_constant)
    fold_fixed(c, e);
  else if (type_is_float(e->type))
    fold_float(e);
  else
    fold_wide(c, e);
  return e;
}

/* Of a - or a ~; e has its type already. */
Expr *fold_unary(Check *c, Expr *e)
{
  if (!is_literal(e->a))
    return e;
  if (!e->is_constant) {
    set_literal(e, e->type, evaluate_unary(e->op, e->type, e->a->value));
  } else if (type_is_float(e->type)) {
    bool is_weak = e->is_weak;
    set_literal(e, e->type, evaluate_unary(e->op, TY(F64), e->a->value));
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
