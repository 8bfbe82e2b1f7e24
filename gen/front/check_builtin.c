/* Calls of built-in functions: rows of builtins.def. */
#include "gen/front/check.h"

static Expr *check_bitcast(Check *c, Expr *e)
{
  Expr *type = e->args[0];
  if (type->kind != EXPR_NAME || !type->type) {
    diag(c->diag, DIAG_EXPECTED_TYPE, type->loc, "bitcast");
    return fail_expr(e);
  }
  Expr *value = check_value(c, e->args[1]);
  if (!value->type)
    return fail_expr(e);
  const Type *from = type_element(value->type), *to = type_element(type->type);
  if (!type_same_shape(value->type, type->type)) {
    diag(c->diag, DIAG_OTHER_SHAPE, value->loc, value->type->name, type->type->name);
    return fail_expr(e);
  }
  if (from->bits != to->bits || to->bits < 8) {
    diag(c->diag, DIAG_BITCAST_WIDTH, e->loc, value->type->name, type->type->name);
    return fail_expr(e);
  }
  e->type = type->type;
  e->args[0] = value;
  e->arg_count = 1;
  return e;
}

/* The common type of the arguments from `first` on; false after a message. */
static Unified unify_arguments(Check *c, Expr *e, int first)
{
  Expr **items[3];
  int count = 0;
  for (int i = first; i < e->arg_count; i++)
    items[count++] = &e->args[i];
  return unify(c, items, count);
}

/* One bool for all, or one for each element. */
static Expr *check_choice(Check *c, Expr *e)
{
  Expr *value = check_value(c, e);
  bool is_each = value->type && type_is_shaped(value->type);
  if (!is_each)
    return value->type ? cast_expr(c, value, TY(BOOL)) : value;
  if (type_element(value->type) == TY(BOOL))
    return value;
  diag(c->diag, DIAG_SHAPED_ARGUMENT, value->loc, "select", "bools first", value->type->name);
  return fail_expr(value);
}

/* The shape is that of any of the three; bools for each choose among scalars too. */
static bool join_choice(Check *c, const Expr *e, Unified *common)
{
  const Type *choice = e->args[0]->type;
  if (!type_is_shaped(choice))
    return true;
  if (common->shape && !type_same_shape(common->shape, choice)) {
    diag(c->diag, DIAG_MIXED_SHAPES, e->args[0]->loc, choice->name, common->shape->name);
    return false;
  }
  common->shape = choice;
  return true;
}

static Expr *check_select(Check *c, Expr *e)
{
  e->args[0] = check_choice(c, e->args[0]);
  for (int i = 1; i < 3; i++)
    e->args[i] = require_value(c, check_expr(c, e->args[i]));
  if (e->args[0]->type && e->args[1]->type && e->args[2]->type &&
      (type_is_struct(e->args[1]->type) || type_is_struct(e->args[2]->type)))
    return check_struct_choice(c, e);
  Unified common = unify_arguments(c, e, 1);
  if (!e->args[0]->type || !common.type || !join_choice(c, e, &common))
    return fail_expr(e);
  set_unified(e, common);
  return e;
}

static Expr *check_count(Check *c, Expr *e)
{
  Expr *a = e->args[0] = check_value(c, e->args[0]);
  if (!a->type)
    return fail_expr(e);
  if (!type_is_integer(type_element(a->type))) {
    diag(c->diag, DIAG_NEEDS_INTEGER, a->loc, e->name, a->type->name);
    return fail_expr(e);
  }
  e->type = type_reshaped(a->type, TY(I32));
  return e;
}

/* Integers that are flexible become floats: sqrt(2) is sqrt(2.0). */
static Unified floats_of_integers(Check *c, Expr *e, Unified common)
{
  common.type = TY(F64);
  common.is_weak = true;
  for (int i = 0; i < e->arg_count; i++) {
    e->args[i] = cast_expr(c, settle(c, e->args[i]), TY(F64));
    e->args[i]->is_constant = e->args[i]->is_weak = true;
  }
  return common;
}

static Expr *check_number(Check *c, Expr *e, BuiltinRule rule)
{
  for (int i = 0; i < e->arg_count; i++)
    e->args[i] = check_operand(c, e->args[i]);
  Unified common = unify_arguments(c, e, 0);
  if (!common.type)
    return fail_expr(e);
  if (common.type == TY(BOOL)) {
    diag(c->diag, DIAG_BOOL_ARITHMETIC, e->args[0]->loc);
    return fail_expr(e);
  }
  if (rule == BUILTIN_RULE_FLOAT && !type_is_float(common.type)) {
    if (!common.is_flexible) {
      diag(c->diag, DIAG_NEEDS_FLOAT, e->args[0]->loc, e->name, common.type->name);
      return fail_expr(e);
    }
    common = floats_of_integers(c, e, common);
  }
  set_unified(e, common);
  if (e->builtin == BUILTIN_floordiv || e->builtin == BUILTIN_floormod)
    mark_trap(c);
  return fold_builtin(e);
}

Expr *check_builtin(Check *c, Expr *e, int builtin)
{
  const BuiltinInfo *info = &builtin_info[builtin];
  if (e->arg_count != info->arguments) {
    diag(c->diag, DIAG_ARGUMENT_COUNT, e->loc, e->name, info->arguments,
         info->arguments == 1 ? "argument" : "arguments", e->arg_count);
    return fail_expr(e);
  }
  e->kind = EXPR_BUILTIN;
  e->builtin = builtin;
  switch (info->rule) {
  case BUILTIN_RULE_BITCAST: return check_bitcast(c, e);
  case BUILTIN_RULE_SELECT: return check_select(c, e);
  case BUILTIN_RULE_INTEGER: return check_count(c, e);
  case BUILTIN_RULE_FLOAT: case BUILTIN_RULE_NUMBER: break;
  }
  return check_number(c, e, info->rule);
}
