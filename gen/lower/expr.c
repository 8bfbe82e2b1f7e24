/* Expressions to values.
 *
 * Operands are lowered left to right, so the order of the statements is the
 * order of evaluation.  `?:`, `&&` and `||` evaluate what C evaluates: where
 * the part that C might skip is cheap and has no effect, both sides are
 * computed (no branch); else a hidden local takes the result of an `if`.
 */
#include "gen/model/builtins.h"
#include "gen/lower/scope.h"

#include <stddef.h>
#include <string.h>

/* ---- what C might skip ---- */

static void assign_in(Lowering *l, IrStmt *branch, int which, IrVariable *to,
                      const Expr *value)
{
  IrBlock *outer = open_block(l, branch, which);

  emit_set(l, to, lower_expr(l, value), value->loc);
  l->block = outer;
}

static IrStmt *lower_logical(Lowering *l, const Expr *e)
{
  bool is_and = e->op == OP_LOGICAL_AND, is_true;
  IrStmt *a = lower_expr(l, e->a);
  IrStmt *branch;
  IrVariable *result;

  if (known_truth(a, &is_true))
    return is_true == is_and ? lower_expr(l, e->b) : a;
  if (is_cheap(e->b))
    return emit(l, ir_stmt(l->module, is_and ? IR_bit_and : IR_bit_or, TY(BOOL),
                           e->loc, a, lower_expr(l, e->b), NULL));
  result = new_hidden(l, is_and ? "both" : "either", TY(BOOL));
  emit_declare(l, result, a, e->loc);
  branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), e->loc, a, NULL));
  branch->blocks[0] = ir_block(l->module, branch);
  branch->blocks[1] = ir_block(l->module, branch);
  assign_in(l, branch, is_and ? 0 : 1, result, e->b);
  return emit_get(l, result, e->loc);
}

/* ---- names and accesses ---- */

static IrStmt *lower_variable(Lowering *l, const Expr *e)
{
  Binding *b = find_binding(l, e->variable);

  return b->value ? b->value : emit_get(l, b->variable, e->loc);
}

int lower_indices(Lowering *l, Expr **args, int arg_count, IrStmt **out, int most)
{
  int count = 0;

  for (int k = 0; k < arg_count; k++) {
    IrStmt **values = lower_elements(l, args[k]);
    if (count + type_count(args[k]->type) > most)
      ICE("line %d: too many indices", args[k]->loc.line);
    for (int i = 0; i < type_count(args[k]->type); i++)
      out[count++] = values[i];
  }
  return count;
}

void add_indices(Lowering *l, IrStmt *s, Expr **args, int arg_count)
{
  for (int k = 0; k < arg_count; k++) {
    IrStmt **values = lower_elements(l, args[k]);
    for (int i = 0; i < type_count(args[k]->type); i++)
      ir_add_operand(l->module, s, values[i]);
  }
}

static bool has_path_axis(const IrSNode *node, int axis)
{
  for (int k = 0; k < node->path_axis_count; k++)
    if (node->path_axes[k] == axis)
      return true;
  return false;
}

/* The number of the cell that the field's own index means. */
static IrStmt *without_origin(Lowering *l, IrStmt *index, int64_t origin, Loc loc)
{
  if (origin == 0)
    return index;
  index = convert(l, index, TY(I64), loc);
  return emit(l, ir_stmt(l->module, IR_sub, TY(I64), loc, index,
                         emit_int(l, TY(I64), origin, loc), NULL));
}

/* Evaluated as they are written; `node` says which axes there are. */
static void lower_by_axis(Lowering *l, const IrSNode *node, const IrField *field, int slot,
                          Expr **args, int arg_count, IrStmt **by_axis)
{
  IrStmt *given[MAX_AXES];
  Loc loc = arg_count ? args[0]->loc : (Loc){ 0 };
  int at = 0;

  lower_indices(l, args, arg_count, given, MAX_AXES);
  for (int k = 0; field && k < field->axis_count; k++)
    if (has_path_axis(node, field->axes[k])) {           /* else the dynamic axis */
      IrStmt *index = border_index(l, field, k, slot, given[at++], loc);
      by_axis[field->axes[k]] = without_origin(l, index, field->origin[k], loc);
    }
  for (int k = 0; !field && k < node->path_axis_count; k++)
    by_axis[node->path_axes[k]] = given[k];
}

void add_node_indices(Lowering *l, IrStmt *s, const Field *field, Expr **args, int arg_count)
{
  bool means_list = s->op == IR_append || s->op == IR_length || s->op == IR_deactivate;
  bool is_list = kind_is(s->snode->kind, KIND_LIST) && means_list;
  const IrSNode *node = is_list ? s->snode->parent : s->snode;
  IrStmt *by_axis[MAX_AXES] = { 0 };

  lower_by_axis(l, node, field ? lowered_field(l, field) : NULL, s->slot, args, arg_count,
                by_axis);
  for (int k = 0; k < node->path_axis_count; k++)
    ir_add_operand(l->module, s, by_axis[node->path_axes[k]]);
}

static IrStmt *lower_node_question(Lowering *l, const Expr *e, IrOp op)
{
  IrStmt *s = ir_stmt(l->module, op, e->type, e->loc, NULL);

  s->snode = lowered_snode(l, e->snode);
  s->slot = lowered_slot(l, e->tree_slot);
  add_node_indices(l, s, e->field, e->args, e->arg_count);
  return emit(l, s);
}

/* With a field's name the result is an index of the field. */
static IrStmt *lower_append(Lowering *l, const Expr *e)
{
  IrStmt *position = lower_node_question(l, e, IR_append);
  const Field *f = e->field;

  for (int k = 0; f && k < f->axis_count; k++)
    if (f->axes[k] == e->snode->axes[0].axis && f->origin[k] != 0)
      return emit(l, ir_stmt(l->module, IR_add, TY(I64), e->loc, position,
                             emit_int(l, TY(I64), f->origin[k], e->loc), NULL));
  return position;
}

/* ---- calls ---- */

static int function_position(const Lowering *l, const Function *f)
{
  for (int k = 0; k < l->program->function_count; k++)
    if (l->program->functions[k] == f)
      return k;
  ICE("'%s' is called and not declared", f->name);
}

/* Functions stand before those that call them: so the first call lowers one. */
static IrFunction *callee(Lowering *l, const Function *f)
{
  int k = function_position(l, f);

  if (!l->lowered[k])
    l->lowered[k] = lower_function(l, f);
  return l->lowered[k];
}

static IrStmt *lower_call(Lowering *l, const Expr *e)
{
  const Function *f = e->function;
  IrStmt *s;

  if (l->derivation || is_inlined(f)) {
    IrStmt **results = lower_inlined(l, e);
    return results ? results[0] : NULL;
  }
  s = ir_stmt(l->module, IR_call, e->type, e->loc, NULL);
  s->function = callee(l, f);
  s->slots =
      NEW_ARRAY(l->module->arena, int, f->tree_count ? f->tree_count : 1);
  for (int k = 0; k < f->tree_count; k++)
    s->slots[k] = lowered_slot(l, e->tree_slots[k]);
  add_indices(l, s, e->args, e->arg_count);
  return emit(l, s);
}

static IrStmt *lower_builtin_call(Lowering *l, const Expr *e)
{
  IrStmt *args[3];

  for (int k = 0; k < e->arg_count; k++)
    args[k] = lower_expr(l, e->args[k]);
  return lower_builtin(l, e->builtin, e->type, e->loc, args, e->arg_count);
}

static IrStmt *lower_access(Lowering *l, const Expr *e)
{
  Place p;

  if (e->kind == EXPR_ELEMENT && e->variable->table)
    return lower_table(l, e)[0];
  p = lower_place(l, e);
  return take_place(l, &p)[0];
}

IrStmt *lower_expr(Lowering *l, const Expr *e)
{
  switch (e->kind) {
  case EXPR_LITERAL:     return emit_const(l, e->type, e->value, e->loc);
  case EXPR_VARIABLE:    return lower_variable(l, e);
  case EXPR_UNARY:
    return lower_unary(l, e->op, lower_expr(l, e->a), e->loc);
  case EXPR_BINARY: {
    IrStmt *a = lower_expr(l, e->a);
    return lower_binary(l, e->op, a, lower_expr(l, e->b), e->loc);
  }
  case EXPR_LOGICAL:     return lower_logical(l, e);
  case EXPR_CONDITIONAL: return lower_conditional(l, e)[0];
  case EXPR_CAST:
    return convert(l, lower_expr(l, e->a), e->type, e->loc);
  case EXPR_FUNCTION:    return lower_call(l, e);
  case EXPR_BUILTIN:     return lower_builtin_call(l, e);
  case EXPR_FIELD:
  case EXPR_ELEMENT:     return lower_access(l, e);
  case EXPR_IS_ACTIVE:   return lower_node_question(l, e, IR_is_active);
  case EXPR_APPEND:      return lower_append(l, e);
  case EXPR_LENGTH:      return lower_node_question(l, e, IR_length);
  case EXPR_RESCALE:     return lower_rescale(l, e)[0];
  case EXPR_ATOMIC:      return lower_atomic(l, e)[0];
  case EXPR_COMPONENT:
  case EXPR_PART:        return lower_part(l, e)[0];
  case EXPR_SHAPED:      return lower_shaped(l, e)[0];
  case EXPR_FACTOR:      return lower_factor(l, e);
  case EXPR_RANDOM:      return lower_random(l, e);
  case EXPR_CONSTRUCT: case EXPR_SWIZZLE:
  case EXPR_NAME: case EXPR_CALL: case EXPR_INDEX: case EXPR_MEMBER:
    break;
  }
  ICE("line %d: an expression that the checker did not resolve", e->loc.line);
}
