/* Operators and built-in functions of values that are lowered already.
 *
 * What is stored in 16 bits is computed in f32, and each result rounded.
 */
#include "gen/ir/interval.h"
#include "gen/model/builtins.h"
#include "gen/lower/scope.h"

#include <stddef.h>
#include <string.h>

static IrStmt *widened(Lowering *l, IrStmt *value, Loc loc)
{
  return value->type == TY(F16) ? convert(l, value, TY(F32), loc) : value;
}

static const Type *computed_in(const Type *type)
{
  return type == TY(F16) ? TY(F32) : type;
}

void check_divisor(Lowering *l, IrStmt *divisor, Loc loc)
{
  int64_t value;

  if (!(l->options->checks & CHECK_DIV) || !type_is_integer(divisor->type) ||
      (known_value(divisor, &value) && value != 0))
    return;
  emit_require(l, IR_FAULT_DIVISION, "division by zero",
               lower_binary(l, OP_NE, divisor, emit_int(l, divisor->type, 0, loc), loc), loc);
}

static IrStmt *lower_half_builtin(Lowering *l, int builtin, Loc loc, IrStmt **args, int count)
{
  IrStmt *wide[3];

  for (int k = 0; k < count; k++)
    wide[k] = widened(l, args[k], loc);
  return convert(l, lower_builtin(l, builtin, TY(F32), loc, wide, count), TY(F16), loc);
}

IrStmt *lower_builtin(Lowering *l, int builtin, const Type *type, Loc loc, IrStmt **args,
                      int count)
{
  bool is_bitcast = builtin == BUILTIN_bitcast;
  IrOp op = builtin == BUILTIN_select ? IR_select : is_bitcast ? IR_bitcast : IR_builtin;
  IrStmt *s = ir_stmt(l->module, op, type, loc, NULL);

  if (is_bitcast && type_is_float(type) == type_is_float(args[0]->type))
    return convert(l, args[0], type, loc);       /* of one width: the same bits */
  if (op == IR_builtin && type == TY(F16))
    return lower_half_builtin(l, builtin, loc, args, count);
  if (op == IR_builtin)
    s->builtin = builtin;
  if (builtin == BUILTIN_floordiv || builtin == BUILTIN_floormod)
    check_divisor(l, args[1], loc);
  for (int k = 0; k < count; k++)
    ir_add_operand(l->module, s, args[k]);
  return emit(l, s);
}

/* Two reads of one variable, the second right behind the first: nothing sets it in between. */
static bool is_read_twice(const Lowering *l, const IrStmt *a, const IrStmt *b)
{
  const int n = l->block->count;

  return n >= 2 && l->block->stmts[n - 2] == a && l->block->stmts[n - 1] == b &&
         a->op == IR_get && b->op == IR_get && a->variable == b->variable;
}

IrStmt *lower_binary(Lowering *l, Op op, IrStmt *a, IrStmt *b, Loc loc)
{
  const bool compares = op_compares(op);
  bool is_true;
  IrStmt *result;

  if (op == OP_MIN || op == OP_MAX)
    return lower_builtin(l, op == OP_MIN ? BUILTIN_min : BUILTIN_max, a->type, loc,
                         (IrStmt *[]){ a, b }, 2);
  if (op_divides(op))
    check_divisor(l, b, loc);
  if (compares && !type_is_float(a->type) && is_read_twice(l, a, b))
    return emit_int(l, TY(BOOL), op == OP_EQ || op == OP_LE || op == OP_GE, loc);
  result = ir_stmt(l->module, ir_operation[op], compares ? TY(BOOL) : computed_in(a->type), loc,
                   widened(l, a, loc), widened(l, b, loc), NULL);
  if (ir_known_comparison(result, &is_true))      /* C compilers warn of it */
    return emit_int(l, TY(BOOL), is_true, loc);
  return convert(l, emit(l, result), compares ? TY(BOOL) : a->type, loc);
}

IrStmt *lower_unary(Lowering *l, Op op, IrStmt *a, Loc loc)
{
  IrStmt *result;

  if (op == OP_PLUS)
    return a;
  result = ir_stmt(l->module, ir_operation[op], op == OP_NOT ? TY(BOOL) : computed_in(a->type), loc,
                   widened(l, a, loc), NULL);
  return convert(l, emit(l, result), op == OP_NOT ? TY(BOOL) : a->type, loc);
}

/* All 11 bits that an f16 in [0, 1) has: a longer one would be rounded up to 1. */
static IrStmt *half_random(Lowering *l, Loc loc)
{
  IrStmt *bits = emit(l, ir_stmt(l->module, IR_random, TY(U32), loc, NULL)), *value;

  bits = lower_binary(l, OP_SHR, bits, emit_int(l, TY(U32), 32 - 11, loc), loc);
  value = emit_const(l, TY(F32), (Value){ .f = 1.0 / 2048 }, loc);
  value = lower_binary(l, OP_MUL, convert(l, bits, TY(F32), loc), value, loc);
  return convert(l, value, TY(F16), loc);
}

/* One draw, for an element where e is a vector. */
IrStmt *lower_random(Lowering *l, const Expr *e)
{
  IrOp op = strcmp(e->name, "randn") == 0 ? IR_randn : IR_random;
  const Type *type = type_element(e->type);

  if (type == TY(F16) && op == IR_random)
    return half_random(l, e->loc);
  return convert(l, emit(l, ir_stmt(l->module, op, type == TY(F16) ? TY(F64) : type, e->loc,
                                    NULL)), type, e->loc);
}
