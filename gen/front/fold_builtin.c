/* Built-in functions on literals, so that constants may be made with them.
 *
 * Only flexible literals, in 64 bits; what is left out here (fma, mix, the
 * counts, bitcast, and integers whose result would not fit) is computed at run
 * time.
 */
#include "gen/front/check.h"
#include "gen/model/evaluate.h"

static bool is_computed_in_floats(int builtin)
{
  BuiltinRule rule = builtin_info[builtin].rule;
  return (rule == BUILTIN_RULE_FLOAT || rule == BUILTIN_RULE_NUMBER) && builtin != BUILTIN_fma &&
         builtin != BUILTIN_mix && builtin != BUILTIN_floormod;
}

/* Of 0, 1 and -1 all powers fit, and so does what a negative exponent gives. */
static bool power_fits(int64_t base, int64_t exponent)
{
  int64_t product = 1;
  if (exponent < 0 || (base >= -1 && base <= 1))
    return true;
  if (exponent > 63)
    return false;
  for (; exponent > 0; exponent--)
    if (__builtin_mul_overflow(product, base, &product))
      return false;
  return true;
}

/* Whether the result is an i64 that did not wrap. */
static bool fits(int builtin, const Value *x)
{
  int64_t square;
  switch ((Builtin)builtin) {
  case BUILTIN_pow: return power_fits(x[0].i, x[1].i);
  case BUILTIN_abs: return x[0].i != INT64_MIN;
  case BUILTIN_sqr: return !__builtin_mul_overflow(x[0].i, x[0].i, &square);
  case BUILTIN_floordiv: case BUILTIN_floormod: return x[1].i != 0 && x[1].i != -1;
  default: return builtin_info[builtin].rule == BUILTIN_RULE_NUMBER;
  }
}

static bool are_flexible_literals(const Expr *e)
{
  for (int i = 0; i < e->arg_count; i++) {
    const Expr *argument = e->args[i];
    bool is_huge = argument->type == TY(U64) && argument->value.i < 0;
    if (!is_literal(argument) || !argument->is_constant || is_huge)
      return false;
  }
  return e->arg_count > 0 && e->arg_count <= 3;
}

Expr *fold_builtin(Expr *e)
{
  if (!e->is_constant || e->builtin == BUILTIN_select || !are_flexible_literals(e))
    return e;
  const Type *type = e->type;
  bool is_weak = e->is_weak, is_float = type_is_float(type);
  Value x[3] = {{0}}, result;
  for (int i = 0; i < e->arg_count; i++) {
    const Expr *argument = e->args[i];
    x[i] = is_float && !type_is_float(argument->type)
               ? value_cast(TY(F64), argument->type, argument->value) : argument->value;
  }
  if (is_float ? !is_computed_in_floats(e->builtin) : !fits(e->builtin, x))
    return e;
  result = evaluate_builtin(e->builtin, is_float ? TY(F64) : TY(I64), x);
  if (is_float) {
    set_literal(e, type, result);
    e->is_constant = true;
    e->is_weak = is_weak;
  } else {
    set_integer(e, (uint64_t)result.i, false, type, is_weak);
  }
  return e;
}
