/* The tangents of operations: the sum, over the operands, of derivative times tangent; in fewer
 * operations where the sum has a shorter form. */
#include "gen/derive/partial.h"
#include "gen/derive/tangent.h"
#include "gen/model/builtins.h"

static bool is_extremum(const IrStmt *s)
{
  return s->op == IR_builtin && (s->builtin == BUILTIN_min || s->builtin == BUILTIN_max);
}

static IrStmt *or_zero(Maker *make, const IrStmt *s, IrStmt *tangent)
{
  return tangent ? tangent : make_const(make, derivative_type(s->type), 0);
}

/* (x' - v y') / y */
static IrStmt *quotient(Maker *make, IrStmt *const *operand, IrStmt *value,
                        IrStmt *const *tangent)
{
  IrStmt *product = put_binary(make, IR_mul, value, tangent[1]);

  return put_binary(make, IR_div, put_binary(make, IR_sub, tangent[0], product), operand[1]);
}

/* Of the operands from `first` on, two, the tangent of that which was chosen. */
static IrStmt *choice(Maker *make, const IrStmt *s, IrStmt *condition, int first,
                      IrStmt *const *tangent)
{
  IrStmt *yes = tangent[first], *no = tangent[first + 1];

  if (!yes && !no)
    return NULL;
  yes = or_zero(make, s, yes);
  return put(make, ir_stmt(make->module, IR_select, yes->type, make->loc, condition, yes,
                           or_zero(make, s, no), NULL));
}

static IrStmt *sum_of_partials(Maker *make, const IrStmt *s, IrStmt *const *operand, IrStmt *value,
                               IrStmt *const *tangent)
{
  IrStmt *sum = NULL, *summand;

  for (int k = 0; k < s->operand_count; k++) {
    summand = tangent[k] ? put_partial(make, s, operand, value, k,
                                       make_cast(make, derivative_type(s->type), tangent[k]))
                         : NULL;
    if (summand)
      sum = sum ? put_binary(make, IR_add, sum, summand) : summand;
  }
  return sum;
}

IrStmt *put_tangent(Maker *make, const IrStmt *s, IrStmt *const *operand, IrStmt *value,
                    IrStmt *const *tangent)
{
  switch (s->op) {
  case IR_cast:
    return tangent[0] && type_is_float(s->type)
               ? make_cast(make, derivative_type(s->type), tangent[0]) : NULL;
  case IR_select:
    return choice(make, s, operand[0], 1, tangent);
  case IR_sub:
    if (tangent[0] && tangent[1])
      return put_binary(make, IR_sub, tangent[0], tangent[1]);
    break;
  case IR_div:
    if (tangent[0] && tangent[1])
      return quotient(make, operand, value, tangent);
    break;
  default:
    if (is_extremum(s))
      return choice(make, s, put_binary(make, IR_cmp_eq, value, operand[0]), 0, tangent);
  }
  return sum_of_partials(make, s, operand, value, tangent);
}
