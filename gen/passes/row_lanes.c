/* Values of the row form that have lanes: made of single ones, and masks, which say of each lane
 * whether it runs.
 */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"

bool rows_has_lanes(const Type *t)
{
  return t == TY(BOOL) || type_is_integer(t) || t == TY(F32) || t == TY(F64);
}

IrStmt *rows_spread(Rows *r, IrStmt *s)
{
  IrStmt *all;

  if (s->lanes > 0)
    return s;
  all = ir_stmt(r->module, IR_spread, s->type, s->loc, s, NULL);
  all->lanes = r->lanes;
  return rows_put(r, all);
}

IrStmt *rows_count(Rows *r, IrStmt *first)
{
  IrStmt *s = ir_stmt(r->module, IR_count_lanes, first->type, first->loc, first, NULL);

  s->lanes = r->lanes;
  return rows_put(r, s);
}

IrStmt *rows_mask_and(Rows *r, IrStmt *mask, IrStmt *lanes)
{
  lanes = rows_spread(r, lanes);
  return mask ? rows_binary(r, IR_bit_and, TY(BOOL), mask, lanes) : lanes;
}

/* What is so where the comparison of integers is not; IR_const: it is none. */
static IrOp opposite(const IrStmt *s)
{
  static const IrOp pair[][2] = { { IR_cmp_lt, IR_cmp_ge }, { IR_cmp_le, IR_cmp_gt },
                                  { IR_cmp_eq, IR_cmp_ne } };

  for (size_t k = 0; k < sizeof pair / sizeof *pair; k++)
    for (int side = 0; side < 2; side++)
      if (s->op == pair[k][side] && type_is_integer(s->operands[0]->type))
        return pair[k][1 - side];
  return IR_const;
}

IrStmt *rows_not(Rows *r, IrStmt *value)
{
  const IrOp op = opposite(value);
  IrStmt *s;

  if (op != IR_const)
    return rows_binary(r, op, TY(BOOL), value->operands[0], value->operands[1]);
  if (value->op == IR_logic_not)
    return value->operands[0];
  if (value->op == IR_bit_or)
    return rows_binary(r, IR_bit_and, TY(BOOL), rows_not(r, value->operands[0]),
                       rows_not(r, value->operands[1]));
  s = ir_stmt(r->module, IR_logic_not, TY(BOOL), value->loc, value, NULL);
  s->lanes = value->lanes;
  return rows_put(r, s);
}

IrStmt *rows_any(Rows *r, IrStmt *mask)
{
  return rows_put(r, ir_stmt(r->module, IR_any_lane, TY(BOOL), mask->loc, mask, NULL));
}

/* Whether one of two masks is true where the other is not. */
static bool is_opposite(const IrStmt *a, const IrStmt *b)
{
  const IrOp op = opposite(a);

  if ((a->op == IR_logic_not && a->operands[0] == b) ||
      (b->op == IR_logic_not && b->operands[0] == a))
    return true;
  return op != IR_const && op == b->op && a->operands[0] == b->operands[0] &&
         a->operands[1] == b->operands[1];
}

IrStmt *rows_choose(Rows *r, IrStmt *mask, IrStmt *then, IrStmt *other)
{
  IrStmt *s;

  then = rows_spread(r, then);
  other = rows_spread(r, other);
  if (other->op == IR_select && is_opposite(mask, other->operands[0]))
    other = other->operands[1];        /* both branches of an `if` have assigned */
  if (then == other)
    return then;
  if (mask->op == IR_logic_not)
    return rows_choose(r, mask->operands[0], other, then);
  s = ir_stmt(r->module, IR_select, then->type, then->loc, mask, then, other, NULL);
  s->lanes = r->lanes;
  return rows_put(r, s);
}

IrStmt *rows_lanes_since(Rows *r, IrStmt *mask, const IrStmt *outer)
{
  IrStmt *left;

  if (mask == outer)
    return NULL;
  if (!outer || mask->op != IR_bit_and)
    return mask;
  left = rows_lanes_since(r, mask->operands[0], outer);
  return left == mask->operands[0] ? mask : rows_mask_and(r, left, mask->operands[1]);
}

IrStmt *rows_combined(Rows *r, Op update, IrStmt *a, IrStmt *b)
{
  const bool is_choice = update == OP_MIN || update == OP_MAX;
  IrStmt *s;

  if (!is_choice)
    return rows_binary(r, ir_operation[update], a->type, a, b);
  s = ir_stmt(r->module, IR_builtin, a->type, a->loc, a, b, NULL);
  s->builtin = update == OP_MIN ? BUILTIN_min : BUILTIN_max;
  s->lanes = a->lanes;
  return rows_put(r, s);
}

bool rows_is_combining(Op update, const Type *type)
{
  const bool is_operation = update < OP_COUNT && !op_shifts(update) &&
                            ir_operation[update] >= IR_add && ir_operation[update] <= IR_bit_xor;

  return (update == OP_MIN || update == OP_MAX || is_operation) && rows_has_lanes(type);
}
