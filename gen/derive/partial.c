/* The derivatives of pure operations by their operands (docs/derivatives.md, "Partial
 * derivatives").  All are linear in what they are multiplied by: the adjoint of the result, or the
 * tangent of the operand.
 *
 * Where the function has a value and no finite derivative (sqrt at 0) the derivative is what the
 * mathematics has, an infinity, but its product with 0 is 0: what was not chosen has the adjoint 0.
 */
#include "gen/derive/partial.h"
#include "gen/model/builtins.h"

const Type *derivative_type(const Type *t)
{
  return t == TY(F16) ? TY(F32) : t;
}

/* ---- putting operations ---- */

IrStmt *put_real(const Partial *p, double value)
{
  return make_value(p->make, p->by->type, (Value){ .f = value });
}

bool is_real(const IrStmt *s, double value)
{
  return is_const(s) && type_is_float(s->type) && s->value.f == value;
}

IrStmt *put_negative(const Partial *p, IrStmt *x)
{
  return put(p->make, ir_stmt(p->make->module, IR_neg, x->type, p->make->loc, x, NULL));
}

/* A product: of 1 and the other, or -1 and the other, none is put. */
static IrStmt *times(const Partial *p, IrStmt *x, IrStmt *y)
{
  if (is_real(x, 1))
    return y;
  if (is_real(y, 1))
    return x;
  if (is_real(x, -1))
    return put_negative(p, y);
  return is_real(y, -1) ? put_negative(p, x) : put_binary(p->make, IR_mul, x, y);
}

static IrStmt *over(const Partial *p, IrStmt *x, IrStmt *y)
{
  return is_real(y, 1) ? x : put_binary(p->make, IR_div, x, y);
}

static IrStmt *plus(const Partial *p, IrStmt *x, IrStmt *y)
{
  return put_binary(p->make, IR_add, x, y);
}

static IrStmt *minus(const Partial *p, IrStmt *x, IrStmt *y)
{
  return put_binary(p->make, IR_sub, x, y);
}

IrStmt *put_builtin(const Partial *p, int builtin, IrStmt *x, IrStmt *y)
{
  IrStmt *s = ir_stmt(p->make->module, IR_builtin, x->type, p->make->loc, x, y, NULL);

  s->builtin = builtin;
  return put(p->make, s);
}

static IrStmt *unary(const Partial *p, int builtin, IrStmt *x)
{
  return put_builtin(p, builtin, x, NULL);
}

IrStmt *put_choice(const Partial *p, IrStmt *condition, IrStmt *yes, IrStmt *no)
{
  return put(p->make, ir_stmt(p->make->module, IR_select, yes->type, p->make->loc, condition, yes,
                              no, NULL));
}

/* `product` where it is not one of 0 and what may be infinite: there it is 0. */
static IrStmt *unless_zero(const Partial *p, IrStmt *factor, IrStmt *product)
{
  IrStmt *zero;

  if (is_const(factor) && factor->value.f != 0)
    return product;
  zero = put_real(p, 0);
  return put_choice(p, put_binary(p->make, IR_cmp_eq, factor, zero), zero, product);
}

/* ---- what the operation has come to ---- */

static IrStmt *operation_on(const Partial *p)
{
  const IrStmt *s = p->s;
  IrStmt *again = ir_stmt(p->make->module, s->op, s->type, p->make->loc, NULL);

  again->builtin = s->builtin;
  for (int k = 0; k < s->operand_count; k++)
    ir_add_operand(p->make->module, again, p->operand[k]);
  return put(p->make, again);
}

static IrStmt *value_of(const Partial *p)
{
  return p->value ? p->value : operation_on(p);
}

/* ---- operators ---- */

static IrStmt *of_quotient(const Partial *p, int k)
{
  IrStmt *const *x = p->operand;
  IrStmt *first = over(p, p->by, x[1]);

  return k == 0 ? first : put_negative(p, times(p, first, value_of(p)));
}

/* x - y * n for the integer n that the quotient was rounded to, however it was: (x - rest) / y is
 * n but for errors of rounding. */
static IrStmt *of_rest(const Partial *p, int k)
{
  IrStmt *const *x = p->operand, *n;

  if (k == 0)
    return p->by;
  n = unary(p, BUILTIN_round, over(p, minus(p, x[0], value_of(p)), x[1]));
  return put_negative(p, times(p, p->by, n));
}

static IrStmt *of_select(const Partial *p, int k)
{
  IrStmt *zero;

  if (k == 0)
    return NULL;
  zero = put_real(p, 0);
  return put_choice(p, p->operand[0], k == 1 ? p->by : zero, k == 1 ? zero : p->by);
}

/* ---- built-ins of one operand ---- */

/* 1 - x * x, exact near 1. */
static IrStmt *one_less_square(const Partial *p, IrStmt *x)
{
  return times(p, minus(p, put_real(p, 1), x), plus(p, put_real(p, 1), x));
}

static IrStmt *of_asin(const Partial *p)
{
  IrStmt *root = unary(p, BUILTIN_sqrt, one_less_square(p, p->operand[0]));

  return unless_zero(p, p->by, over(p, p->by, root));
}

static IrStmt *of_sqrt(const Partial *p)
{
  IrStmt *root = value_of(p);

  return unless_zero(p, p->by, over(p, p->by, plus(p, root, root)));
}

static IrStmt *of_rsqrt(const Partial *p)
{
  IrStmt *v = value_of(p);
  IrStmt *half = times(p, p->by, put_real(p, -0.5));

  return times(p, times(p, half, v), times(p, v, v));
}

static IrStmt *of_tan(const Partial *p)
{
  IrStmt *v = value_of(p);

  return times(p, p->by, plus(p, put_real(p, 1), times(p, v, v)));
}

static IrStmt *of_atan(const Partial *p)
{
  IrStmt *x = p->operand[0];

  return over(p, p->by, plus(p, put_real(p, 1), times(p, x, x)));
}

/* ---- built-ins of several operands ---- */

/* Of atan2(y, x); where both are 0, and no derivative exists, 0. */
static IrStmt *of_atan2(const Partial *p, int k)
{
  IrStmt *y = p->operand[0], *x = p->operand[1];
  IrStmt *square = plus(p, times(p, x, x), times(p, y, y));
  IrStmt *is_some = put_binary(p->make, IR_cmp_gt, square, put_real(p, 0));
  IrStmt *divisor = put_choice(p, is_some, square, put_real(p, 1));
  IrStmt *turned = over(p, times(p, p->by, k == 0 ? x : y), divisor);

  return k == 0 ? turned : put_negative(p, turned);
}

/* by * y * x^(y - 1); with a zero in front it is 0, whatever the power. */
static IrStmt *of_base(const Partial *p)
{
  IrStmt *x = p->operand[0], *y = p->operand[1], *factor, *less;

  if (is_real(y, 0))
    return NULL;
  if (is_real(y, 1))
    return p->by;
  factor = times(p, p->by, y);
  if (is_real(y, 2))
    return times(p, factor, x);
  less = is_const(y) ? put_real(p, y->value.f - 1) : minus(p, y, put_real(p, 1));
  if (is_const(y) && y->value.f >= 1)            /* never infinite */
    return times(p, factor, put_builtin(p, BUILTIN_pow, x, less));
  return unless_zero(p, factor, times(p, factor, put_builtin(p, BUILTIN_pow, x, less)));
}

/* by * x^y * log x; of a base that is 0 or negative, whose power exists for single exponents
 * alone, it is 0. */
static IrStmt *of_exponent(const Partial *p)
{
  IrStmt *x = p->operand[0];
  IrStmt *zero = put_real(p, 0), *is_none = put_binary(p->make, IR_cmp_le, x, zero);
  IrStmt *product = times(p, value_of(p), unary(p, BUILTIN_log, x));

  return times(p, p->by, put_choice(p, is_none, zero, product));
}

/* The operand that was taken; the first of two equal ones, as the evaluator has it. */
static IrStmt *of_extremum(const Partial *p, int k)
{
  IrStmt *is_first = put_binary(p->make, IR_cmp_eq, value_of(p), p->operand[0]);
  IrStmt *zero = put_real(p, 0);

  return put_choice(p, is_first, k == 0 ? p->by : zero, k == 0 ? zero : p->by);
}

/* clamp(x, low, high) = min(max(x, low), high). */
static IrStmt *of_clamp(const Partial *p, int k)
{
  IrStmt *const *x = p->operand, *v = value_of(p), *zero = put_real(p, 0), *lifted, *is_lifted;
  IrStmt *is_itself = put_binary(p->make, IR_cmp_eq, v, x[0]), *bound;

  if (k == 0)
    return put_choice(p, is_itself, p->by, zero);
  lifted = put_builtin(p, BUILTIN_max, x[0], x[1]);
  is_lifted = put_binary(p->make, IR_cmp_eq, v, lifted);
  bound = put_choice(p, is_lifted, k == 1 ? p->by : zero, k == 1 ? zero : p->by);
  return put_choice(p, is_itself, zero, bound);
}

/* a + (b - a) * t */
static IrStmt *of_mix(const Partial *p, int k)
{
  IrStmt *const *x = p->operand;

  switch (k) {
  case 0:  return times(p, p->by, minus(p, put_real(p, 1), x[2]));
  case 1:  return times(p, p->by, x[2]);
  default: return times(p, p->by, minus(p, x[1], x[0]));
  }
}

static IrStmt *of_fma(const Partial *p, int k)
{
  return k == 2 ? p->by : times(p, p->by, p->operand[1 - k]);
}

static IrStmt *of_builtin(const Partial *p, int k)
{
  IrStmt *x = p->operand[0], *by = p->by;

  switch (p->s->builtin) {
  case BUILTIN_sqrt:     return of_sqrt(p);
  case BUILTIN_rsqrt:    return of_rsqrt(p);
  case BUILTIN_exp:      return times(p, by, value_of(p));
  case BUILTIN_log:      return over(p, by, x);
  case BUILTIN_sin:      return times(p, by, unary(p, BUILTIN_cos, x));
  case BUILTIN_cos:      return put_negative(p, times(p, by, unary(p, BUILTIN_sin, x)));
  case BUILTIN_tan:      return of_tan(p);
  case BUILTIN_asin:     return of_asin(p);
  case BUILTIN_acos:     return put_negative(p, of_asin(p));
  case BUILTIN_atan:     return of_atan(p);
  case BUILTIN_atan2:    return of_atan2(p, k);
  case BUILTIN_sinh:     return times(p, by, unary(p, BUILTIN_cosh, x));
  case BUILTIN_cosh:     return times(p, by, unary(p, BUILTIN_sinh, x));
  case BUILTIN_tanh:     return times(p, by, one_less_square(p, value_of(p)));
  case BUILTIN_fma:      return of_fma(p, k);
  case BUILTIN_pow:      return k == 0 ? of_base(p) : of_exponent(p);
  case BUILTIN_abs:      return times(p, by, unary(p, BUILTIN_sign, x));
  case BUILTIN_min:
  case BUILTIN_max:      return of_extremum(p, k);
  case BUILTIN_clamp:    return of_clamp(p, k);
  case BUILTIN_mix:      return of_mix(p, k);
  case BUILTIN_sqr:      return times(p, by, plus(p, x, x));
  case BUILTIN_floormod: return of_rest(p, k);
  case BUILTIN_select:   return of_select(p, k);
  default:               return NULL;            /* floor, ceil, round, trunc, sign, floordiv */
  }
}

/* ---- what others call ---- */

IrStmt *put_partial(Maker *make, const IrStmt *s, IrStmt *const *operand, IrStmt *value, int k,
                    IrStmt *by)
{
  const Partial p = { make, s, operand, value, by };

  if (!type_is_float(s->type) || !type_is_float(s->operands[k]->type))
    return NULL;
  switch (s->op) {
  case IR_neg:     return put_negative(&p, by);
  case IR_add:     return by;
  case IR_sub:     return k == 0 ? by : put_negative(&p, by);
  case IR_mul:     return times(&p, by, operand[1 - k]);
  case IR_div:     return of_quotient(&p, k);
  case IR_mod:     return of_rest(&p, k);
  case IR_select:  return of_select(&p, k);
  case IR_cast:    return make_cast(make, derivative_type(s->operands[0]->type), by);
  case IR_builtin: return of_builtin(&p, k);
  default:         return NULL;
  }
}

bool has_partial(const IrStmt *s)
{
  return s->op != IR_bitcast && !(s->op == IR_builtin && s->builtin == BUILTIN_bitcast);
}
