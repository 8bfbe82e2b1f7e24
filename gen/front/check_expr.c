/* Expressions: operators, casts, conditions. */
#include "gen/front/check.h"

Expr *check_value(Check *c, Expr *e) { return settle(c, check_operand(c, e)); }

/* A number as a condition means != 0: the cast to bool says just that. */
static Expr *check_truth(Check *c, Expr *e)
{
  if (e->type && type_is_shaped(e->type)) {
    diag(c->diag, DIAG_NEEDS_SCALAR, e->loc, "a condition", e->type->name,
         ": any(...) or all(...) of a comparison gives one");
    return fail_expr(e);
  }
  return e->type ? cast_expr(c, e, TY(BOOL)) : e;
}

Expr *check_condition(Check *c, Expr *e)
{
  return check_truth(c, check_value(c, e));
}

Expr *check_stored(Check *c, Expr *e, const Type *type)
{
  e = require_value(c, check_expr(c, e));
  return convert_expr(c, e, type);
}

static Expr *require_integer(Check *c, Expr *e, const char *what)
{
  if (type_is_integer(e->type))
    return e;
  if (type_is_integer(type_element(e->type)))
    diag(c->diag, DIAG_NEEDS_SCALAR, e->loc, what, e->type->name, "");
  else
    diag(c->diag, DIAG_NEEDS_INTEGER, e->loc, what, e->type->name);
  return fail_expr(e);
}

Expr *check_integer(Check *c, Expr *e, const char *what)
{
  e = check_value(c, e);
  return e->type ? require_integer(c, e, what) : e;
}

/* ---- unary ---- */

/* Of a vector each element, and those are bools. */
static Expr *check_not(Check *c, Expr *e)
{
  e->a = check_value(c, e->a);
  if (!e->a->type || type_element(e->a->type) != TY(BOOL))
    e->a = check_truth(c, e->a);
  if (!e->a->type)
    return fail_expr(e);
  e->type = e->a->type;
  if (is_literal(e->a))
    set_literal(e, TY(BOOL), (Value){.i = !e->a->value.i});
  return e;
}

static bool is_arithmetic(Check *c, const Expr *e)
{
  bool is_bool = e->type && type_element(e->type) == TY(BOOL);
  if (is_bool)
    diag(c->diag, DIAG_BOOL_ARITHMETIC, e->loc);
  return e->type && !is_bool;
}

static Expr *check_unary(Check *c, Expr *e)
{
  if (e->op == OP_NOT)
    return check_not(c, e);
  e->a = check_operand(c, e->a);
  if (!is_arithmetic(c, e->a))
    return fail_expr(e);
  if (e->op == OP_PLUS)
    return e->a;
  if (e->op == OP_COMPLEMENT && type_is_float(type_element(e->a->type))) {
    diag(c->diag, DIAG_NEEDS_INTEGER, e->loc, "'~'", e->a->type->name);
    return fail_expr(e);
  }
  e->type = e->a->type;
  e->is_constant = e->a->is_constant;
  e->is_weak = e->a->is_weak;
  return fold_unary(c, e);
}

/* ---- binary ---- */

static const char *op_name(Op op)
{
  switch (op) {
  case OP_MOD: return "'%'";
  case OP_AND: return "'&'";
  case OP_OR: return "'|'";
  case OP_XOR: return "'^'";
  case OP_SHL: return "'<<'";
  case OP_SHR: return "'>>'";
  default: return "this";
  }
}

static bool needs_integers(Op op) { return op == OP_MOD || op_is_bitwise(op); }

static bool is_integer_operand(Check *c, const Expr *e, Op op)
{
  if (!is_arithmetic(c, e))
    return false;
  const Type *element = type_element(e->type);
  if (type_is_float(element))
    diag(c->diag, DIAG_NEEDS_INTEGER, e->loc, op_name(op), e->type->name);
  return type_is_integer(element);
}

/* A shift has its left operand's type; the count is any integer. */
static Expr *check_shift(Check *c, Expr *e)
{
  bool is_good = is_integer_operand(c, e->a, e->op);
  e->b = settle(c, e->b);
  is_good = is_integer_operand(c, e->b, e->op) && is_good;
  bool are_shapes_good = is_good && (!type_is_shaped(e->b->type) ||
                                     type_same_shape(e->a->type, e->b->type));
  if (is_good && !are_shapes_good)
    diag(c->diag, DIAG_MIXED_SHAPES, e->loc, e->a->type->name, e->b->type->name);
  if (!are_shapes_good)
    return fail_expr(e);
  e->type = e->a->type;
  e->is_constant = e->a->is_constant;
  e->is_weak = e->a->is_weak;
  return fold_binary(c, e);
}

/* Both sides become one settled type, unless they fold first. */
static Expr *check_comparison(Check *c, Expr *e, Unified common)
{
  bool is_order = e->op != OP_EQ && e->op != OP_NE;
  if (common.type == TY(BOOL) && is_order) {
    diag(c->diag, DIAG_BOOL_ARITHMETIC, e->a->loc);
    return fail_expr(e);
  }
  e->type = common.shape ? type_reshaped(common.shape, TY(BOOL)) : TY(BOOL);
  if (is_literal(e->a) && is_literal(e->b))
    return fold_binary(c, e);
  if (common.is_flexible) {
    e->a = convert_expr(c, e->a, type_reshaped(e->a->type, common.type));
    e->b = convert_expr(c, e->b, type_reshaped(e->b->type, common.type));
  }
  return e->a->type && e->b->type ? e : fail_expr(e);
}

static Expr *check_arithmetic(Check *c, Expr *e, Unified common)
{
  if (common.type == TY(BOOL) && !op_is_bitwise(e->op)) {
    diag(c->diag, DIAG_BOOL_ARITHMETIC, e->a->loc);
    return fail_expr(e);
  }
  if (needs_integers(e->op) && type_is_float(common.type)) {
    diag(c->diag, DIAG_NEEDS_INTEGER, e->loc, op_name(e->op), common.type->name);
    return fail_expr(e);
  }
  set_unified(e, common);
  if ((e->op == OP_DIV || e->op == OP_MOD) && type_is_integer(common.type))
    mark_trap(c);
  return fold_binary(c, e);
}

static Expr *check_binary(Check *c, Expr *e)
{
  Expr **items[] = {&e->a, &e->b};
  e->a = require_value(c, check_expr(c, e->a));
  e->b = require_value(c, check_expr(c, e->b));
  if (!are_operands(c, items, 2) || !e->a->type || !e->b->type)
    return fail_expr(e);
  if (e->op == OP_SHL || e->op == OP_SHR)
    return check_shift(c, e);
  if (e->op == OP_PRODUCT)
    return check_product(c, e);
  Unified common = unify(c, items, 2);
  if (!common.type)
    return fail_expr(e);
  return op_compares(e->op) ? check_comparison(c, e, common)
                              : check_arithmetic(c, e, common);
}

static Expr *check_logical(Check *c, Expr *e)
{
  e->a = check_condition(c, e->a);
  e->b = check_condition(c, e->b);
  if (!e->a->type || !e->b->type)
    return fail_expr(e);
  e->type = TY(BOOL);
  if (is_literal(e->a) && is_literal(e->b)) {
    bool a = e->a->value.i, b = e->b->value.i;
    set_literal(e, TY(BOOL), (Value){.i = e->op == OP_LOGICAL_AND ? a && b : a || b});
  }
  return e;
}

/* ---- conditional and cast ---- */

/* All of it literals: a literal too, with the type that both branches share. */
static Expr *fold_conditional(Expr *e)
{
  if (!is_literal(e->a) || !is_literal(e->b) || !is_literal(e->c))
    return e;
  Expr *chosen = e->a->value.i ? e->b : e->c;
  if (type_is_float(e->type) && !type_is_float(chosen->type)) {
    chosen->value = value_cast(TY(F64), chosen->type, chosen->value);
    chosen->type = e->type;
  }
  chosen->is_constant = e->is_constant;
  chosen->is_weak = e->is_weak;
  return chosen;
}

/* One condition: several choose element by element. */
static Expr *check_choice(Check *c, Expr *e)
{
  e = check_value(c, e);
  if (!e->type || !type_is_shaped(e->type))
    return check_truth(c, e);
  diag(c->diag, DIAG_NEEDS_SCALAR, e->loc, "the condition of '?:'", e->type->name,
       ": select(c, a, b) chooses element by element");
  return fail_expr(e);
}

/* Where it is known which, the other one has no part in a constant. */
static Expr *choose_known(Expr *e)
{
  Expr *chosen = is_literal(e->a) && !e->a->value.i ? e->c : e->b;
  return is_literal(e->a) && chosen->type == e->type ? chosen : e;
}

static Expr *check_conditional(Check *c, Expr *e)
{
  Expr **items[] = {&e->b, &e->c};
  e->a = check_choice(c, e->a);
  e->b = require_value(c, check_expr(c, e->b));
  e->c = require_value(c, check_expr(c, e->c));
  if (!e->a->type || !e->b->type || !e->c->type)
    return fail_expr(e);
  if (type_is_struct(e->b->type) || type_is_struct(e->c->type)) {
    e->type = join_structs(c, &e->b, &e->c);
    return e->type ? choose_known(e) : e;
  }
  Unified common = unify(c, items, 2);
  if (!common.type)
    return fail_expr(e);
  set_unified(e, common);
  return common.shape ? choose_known(e) : fold_conditional(e);
}

/* The cast of a flexible float to a float gives it that type at once, so that
 * f32(i + 0.5) is computed in f32. */
static Expr *check_cast(Check *c, Expr *e)
{
  const Type *type = e->type;
  Expr *a = check_operand(c, e->a);
  if (!a->type)
    return fail_expr(e);
  if (type_is_shaped(a->type) != type_is_shaped(type)) {
    diag(c->diag, DIAG_NEEDS_SCALAR, e->loc, "a cast to a scalar", a->type->name, "");
    return fail_expr(e);
  }
  if (cast_adapts(a, type))
    return adapt(c, a, type);
  a = settle(c, a);
  if (!a->type)
    return fail_expr(e);
  if (is_literal(a))
    return cast_expr(c, a, type);
  e->a = a;
  return a->type == type ? a : e;
}

Expr *check_expr(Check *c, Expr *e)
{
  switch (e->kind) {
  case EXPR_LITERAL: return e;
  case EXPR_NAME: return check_name(c, e);
  case EXPR_UNARY: return check_unary(c, e);
  case EXPR_BINARY: return check_binary(c, e);
  case EXPR_LOGICAL: return check_logical(c, e);
  case EXPR_CONDITIONAL: return check_conditional(c, e);
  case EXPR_CAST: return check_cast(c, e);
  case EXPR_CALL: return check_call(c, e);
  case EXPR_INDEX: return check_index(c, e);
  case EXPR_MEMBER: return check_member(c, e);
  case EXPR_CONSTRUCT: return check_construct(c, e);
  default: ICE("expression %d is checked twice", (int)e->kind);
  }
}

Expr *check_operand(Check *c, Expr *e) { return require_operand(c, check_expr(c, e)); }
