/* Vectors, matrices and structs, taken apart: each expression of such a type becomes
 * the values of its elements, a matrix's row by row, a struct's member by member.
 *
 * Operands are lowered left to right, all elements of one before the next, and
 * each once; a scalar operand is one value that meets every element.
 */
#include "gen/model/builtins.h"
#include "gen/lower/scope.h"

#include <stddef.h>
#include <string.h>

/* ---- lists of values ---- */

static IrStmt **one_value(Lowering *l, IrStmt *value)
{
  IrStmt **values = NEW(l->module->arena, IrStmt *);

  *values = value;
  return values;
}

/* What element k of the result takes from an operand. */
static IrStmt *operand(IrStmt **values, const Type *type, int k)
{
  return type_is_aggregate(type) ? values[k] : values[0];
}

IrStmt **lower_converted(Lowering *l, const Expr *e, const Type *type)
{
  IrStmt **values = lower_elements(l, e);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = convert(l, values[k], type_at(type, k), e->loc);
  return values;
}

/* ---- operators ---- */

static IrStmt **lower_each_unary(Lowering *l, const Expr *e)
{
  IrStmt **a = lower_elements(l, e->a), **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = lower_unary(l, e->op, a[k], e->loc);
  return values;
}

static IrStmt **lower_each_binary(Lowering *l, const Expr *e)
{
  IrStmt **a = lower_elements(l, e->a), **b = lower_elements(l, e->b);
  IrStmt **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = lower_binary(l, e->op, operand(a, e->a->type, k), operand(b, e->b->type, k),
                             e->loc);
  return values;
}

static IrStmt **lower_each_builtin(Lowering *l, const Expr *e)
{
  IrStmt **args[3], **values = new_values(l, e->type);

  for (int i = 0; i < e->arg_count; i++)
    args[i] = lower_elements(l, e->args[i]);
  for (int k = 0; k < type_count(e->type); k++) {
    IrStmt *of[3];
    for (int i = 0; i < e->arg_count; i++)
      of[i] = operand(args[i], e->args[i]->type, k);
    values[k] = lower_builtin(l, e->builtin, type_at(e->type, k), e->loc, of, e->arg_count);
  }
  return values;
}

static IrStmt **lower_each_random(Lowering *l, const Expr *e)
{
  IrStmt **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = lower_random(l, e);
  return values;
}

/* ---- constructors ---- */

/* All elements of the arguments, one behind the other. */
static IrStmt **lower_list(Lowering *l, const Expr *e)
{
  IrStmt **values = new_values(l, e->type);
  int count = 0;

  for (int i = 0; i < e->arg_count; i++) {
    IrStmt **part = lower_elements(l, e->args[i]);
    for (int k = 0; k < type_count(e->args[i]->type); k++)
      values[count++] = part[k];
  }
  return values;
}

static IrStmt **lower_columns(Lowering *l, const Expr *e)
{
  const Type *type = e->type;
  IrStmt **values = new_values(l, type);

  for (int column = 0; column < e->arg_count; column++) {
    IrStmt **part = lower_elements(l, e->args[column]);
    for (int row = 0; row < type->rows; row++)
      values[row * type->columns + column] = part[row];
  }
  return values;
}

static IrStmt **lower_identity(Lowering *l, const Expr *e)
{
  const Type *type = e->type;
  IrStmt **values = new_values(l, type);

  for (int k = 0; k < type_count(type); k++)
    values[k] = emit_int(l, type_element(type), k / type->columns == k % type->columns, e->loc);
  return values;
}

static IrStmt *emit_is(Lowering *l, IrStmt *at, int k, Loc loc)
{
  return lower_binary(l, OP_EQ, at, emit_int(l, at->type, k, loc), loc);
}

static IrStmt **lower_unit(Lowering *l, const Expr *e)
{
  IrStmt *at = lower_expr(l, e->args[0]), **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = convert(l, emit_is(l, at, k, e->loc), type_element(e->type), e->loc);
  return values;
}

static IrStmt **lower_construct(Lowering *l, const Expr *e)
{
  IrStmt **values;

  switch (e->construct) {
  case CONSTRUCT_LIST: case CONSTRUCT_ROWS: return lower_list(l, e);
  case CONSTRUCT_COLUMNS:                   return lower_columns(l, e);
  case CONSTRUCT_UNIT:                      return lower_unit(l, e);
  case CONSTRUCT_IDENTITY:                  return lower_identity(l, e);
  case CONSTRUCT_EACH:                      break;
  }
  values = new_values(l, e->type);
  values[0] = lower_expr(l, e->args[0]);
  for (int k = 1; k < type_count(e->type); k++)
    values[k] = values[0];
  return values;
}

/* ---- one of two ---- */

static void set_in(Lowering *l, IrStmt *branch, int which, IrVariable **to, const Type *type,
                   const Expr *value)
{
  IrBlock *outer = open_block(l, branch, which);
  IrStmt **values = lower_elements(l, value);

  for (int k = 0; k < type_count(type); k++)
    emit_set(l, to[k], operand(values, value->type, k), value->loc);
  l->block = outer;
}

static IrStmt **select_elements(Lowering *l, const Expr *e, IrStmt *a)
{
  IrStmt **b = lower_elements(l, e->b), **c = lower_elements(l, e->c);
  IrStmt **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = emit(l, ir_stmt(l->module, IR_select, type_at(e->type, k), e->loc, a,
                                operand(b, e->b->type, k), operand(c, e->c->type, k), NULL));
  return values;
}

static IrStmt **lower_chosen(Lowering *l, const Expr *e, const Expr *chosen)
{
  IrStmt **from = lower_elements(l, chosen), **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = operand(from, chosen->type, k);
  return values;
}

/* Only the one that is chosen is evaluated, where that could be seen; where it is known which one
 * that is, there is no other. */
IrStmt **lower_conditional(Lowering *l, const Expr *e)
{
  IrStmt *a = lower_expr(l, e->a), *branch;
  IrVariable **result;
  bool is_first;

  if (known_truth(a, &is_first))
    return lower_chosen(l, e, is_first ? e->b : e->c);
  if (is_cheap(e->b) && is_cheap(e->c))
    return select_elements(l, e, a);
  result = new_hidden_elements(l, "choice", e->type);
  declare_elements(l, result, zero_elements(l, e->type, e->loc), e->type, e->loc);
  branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), e->loc, a, NULL));
  set_in(l, branch, 0, result, e->type, e->b);
  set_in(l, branch, 1, result, e->type, e->c);
  return get_elements(l, result, e->type, e->loc);
}

/* ---- components ---- */

static IrStmt **lower_swizzle(Lowering *l, const Expr *e)
{
  IrStmt **a = lower_elements(l, e->a), **values = new_values(l, e->type);
  const int *order = swizzle_order(l, e);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = a[order[k]];
  return values;
}

IrStmt **lower_part(Lowering *l, const Expr *e)
{
  IrStmt **values;
  Choice choice = whole_choice(l);
  Place p;

  if (is_place(l, e)) {
    p = lower_place(l, e);
    return take_place(l, &p);
  }
  values = lower_elements(l, e->a);
  if (e->kind == EXPR_PART)
    return values + e->first;
  choice = lower_choice(l, &choice, e);
  return choose_values(l, &choice, e->type, values, e->loc);
}

/* ---- expressions ---- */

static IrStmt **lower_variable_elements(Lowering *l, const Expr *e)
{
  Binding *b = find_binding(l, e->variable);
  IrStmt **values = new_values(l, e->type);

  for (int k = 0; k < type_count(e->type); k++)
    values[k] = b->values ? b->values[k] : emit_get(l, b->variables[k], e->loc);
  return values;
}

static IrStmt **lower_place_elements(Lowering *l, const Expr *e)
{
  Place p;

  if (e->kind == EXPR_ELEMENT && e->variable->table)
    return lower_table(l, e);
  p = lower_place(l, e);
  return take_place(l, &p);
}

IrStmt **lower_elements(Lowering *l, const Expr *e)
{
  if (!type_is_aggregate(e->type))
    return one_value(l, lower_expr(l, e));
  switch (e->kind) {
  case EXPR_VARIABLE:  return lower_variable_elements(l, e);
  case EXPR_UNARY:     return lower_each_unary(l, e);
  case EXPR_BINARY:    return e->op == OP_PRODUCT ? lower_product(l, e) : lower_each_binary(l, e);
  case EXPR_CONDITIONAL: return lower_conditional(l, e);
  case EXPR_CAST:      return lower_converted(l, e->a, e->type);
  case EXPR_BUILTIN:   return lower_each_builtin(l, e);
  case EXPR_FUNCTION:  return lower_inlined(l, e);
  case EXPR_FIELD: case EXPR_ELEMENT: return lower_place_elements(l, e);
  case EXPR_RESCALE:   return lower_rescale(l, e);
  case EXPR_PART: case EXPR_COMPONENT: return lower_part(l, e);
  case EXPR_ATOMIC:    return lower_atomic(l, e);
  case EXPR_RANDOM:    return lower_each_random(l, e);
  case EXPR_CONSTRUCT: return lower_construct(l, e);
  case EXPR_SWIZZLE:   return lower_swizzle(l, e);
  case EXPR_SHAPED:    return lower_shaped(l, e);
  default:             ICE("line %d: an expression of kind %d has one value", e->loc.line,
                           (int)e->kind);
  }
}
