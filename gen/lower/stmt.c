/* Statements, one to one. */
#include "gen/front/lexer.h"
#include "gen/lower/scope.h"

#include <stddef.h>

static void lower_if(Lowering *l, const Stmt *s)
{
  IrStmt *branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), s->loc,
                                   lower_expr(l, s->a), NULL));
  IrBlock *outer;

  outer = open_block(l, branch, 0);
  lower_body(l, s->body);
  l->block = outer;
  outer = open_block(l, branch, 1);
  lower_body(l, s->other);
  l->block = outer;
}

static void lower_declare(Lowering *l, const Stmt *s)
{
  const Variable *v = s->variable;
  int kind = v->at_kernel_level ? IR_VAR_KERNEL : IR_VAR_LOCAL;
  IrStmt **values = s->a ? lower_converted(l, s->a, v->type) : zero_elements(l, v->type, s->loc);
  IrVariable **elements = new_elements(l, kind, v->name, v->type);

  bind_variables(l, v, elements);
  declare_elements(l, elements, values, v->type, s->loc);
  if (v->is_unique)
    lower_unique(l, v, values);
}

static void lower_return(Lowering *l, const Stmt *s)
{
  IrStmt *leave = ir_stmt(l->module, IR_return, TY(VOID), s->loc, NULL);

  if (l->inlined) {
    lower_inlined_return(l, s);
    return;
  }
  if (s->a) {
    IrStmt **values = lower_converted(l, s->a, l->source->result);
    for (int k = 0; k < l->function->result_count; k++)
      emit_set(l, l->function->results[k], values[k], s->loc);
    if (!l->source->is_kernel)
      ir_add_operand(l->module, leave, values[0]);
  }
  emit(l, leave);
}

static void lower_print(Lowering *l, const Stmt *s)
{
  IrStmt *print = ir_stmt(l->module, IR_print, TY(VOID), s->loc, NULL);

  print->text = s->format;
  add_indices(l, print, s->args, s->arg_count);
  emit(l, print);
}

static void emit_assert(Lowering *l, const Stmt *s, IrStmt *condition)
{
  IrStmt *check =
      ir_stmt(l->module, IR_assert, TY(VOID), s->loc, condition, NULL);

  check->text = s->format ? s->format : "";
  add_indices(l, check, s->args, s->arg_count);
  emit(l, check);
}

/* What the message shows is evaluated only when it is shown, as C's assert
 * would: where it could trap or costs much, behind a branch. */
static void lower_assert(Lowering *l, const Stmt *s)
{
  bool is_direct = true;
  IrStmt *condition, *branch;
  IrBlock *outer;
  bool holds;

  if (l->options->no_assert)
    return;
  for (int k = 0; k < s->arg_count; k++)
    is_direct = is_direct && is_cheap(s->args[k]);
  condition = lower_expr(l, s->a);
  if (known_truth(condition, &holds) && holds)
    return;
  if (is_direct) {
    emit_assert(l, s, condition);
    return;
  }
  branch =
      emit(l, ir_stmt(l->module, IR_if, TY(VOID), s->loc, condition, NULL));
  branch->blocks[0] = ir_block(l->module, branch);
  outer = open_block(l, branch, 1);
  emit_assert(l, s, emit_int(l, TY(BOOL), 0, s->loc));
  l->block = outer;
}

static void lower_node_statement(Lowering *l, const Stmt *s, IrOp op)
{
  IrStmt *change = ir_stmt(l->module, op, TY(VOID), s->loc, NULL);

  change->snode = lowered_snode(l, s->snode);
  change->slot = lowered_slot(l, s->tree_slot);
  add_node_indices(l, change, s->field, s->args, s->arg_count);
  emit(l, change);
}

static void lower_deactivate_all(Lowering *l, const Stmt *s)
{
  IrStmt *clear = ir_stmt(l->module, IR_deactivate_all, TY(VOID), s->loc, NULL);

  clear->snode = lowered_snode(l, s->snode);
  clear->slot = s->tree_slot;
  emit(l, clear);
}

static bool is_left(const IrBlock *list)
{
  return list->count && ir_is(list->stmts[list->count - 1], IR_JUMPS);
}

/* The name of a block in a func that stands in place of its call names no task: values go in
 * and out. */
static void lower_block(Lowering *l, const Stmt *s)
{
  if (s->format) {
    IrStmt *name = emit(l, ir_stmt(l->module, IR_block, TY(VOID), s->loc, NULL));
    name->text = s->format;
    name->plain = l->inlined != NULL;
  }
  for (int k = 0; k < s->list_count; k++)
    lower_stmt(l, s->list[k]);
  if (s->format && !is_left(l->block))
    emit(l, ir_stmt(l->module, IR_end_block, TY(VOID), s->loc, NULL))->plain = l->inlined != NULL;
}

void lower_body(Lowering *l, const Stmt *s)
{
  if (s)
    lower_stmt(l, s);
}

static void lower_alone(Lowering *l, const Expr *e)
{
  if (e->kind == EXPR_ATOMIC)
    lower_atomic_alone(l, e);
  else
    lower_elements(l, e);
}

static void lower_one(Lowering *l, const Stmt *s)
{
  switch (s->kind) {
  case STMT_BLOCK:          lower_block(l, s); return;
  case STMT_DECLARE:
    if (s->variable->kind == VARIABLE_OWN_ARRAY)
      lower_own_array(l, s);
    else
      lower_declare(l, s);
    return;
  case STMT_ASSIGN:         lower_assign(l, s); return;
  case STMT_EXPR:           lower_alone(l, s->a); return;
  case STMT_IF:             lower_if(l, s); return;
  case STMT_WHILE:          lower_while(l, s); return;
  case STMT_FOR:            lower_for(l, s); return;
  case STMT_FOR_RANGE:      lower_for_range(l, s); return;
  case STMT_FOR_UNDER:      lower_for_under(l, s); return;
  case STMT_FOREACH_RANGE:  lower_foreach_range(l, s); return;
  case STMT_FOREACH_NODE:   lower_foreach_node(l, s); return;
  case STMT_BREAK:          lower_break(l, s); return;
  case STMT_CONTINUE:
    emit(l, ir_stmt(l->module, IR_continue, TY(VOID), s->loc, NULL));
    return;
  case STMT_RETURN:         lower_return(l, s); return;
  case STMT_PRINT:          lower_print(l, s); return;
  case STMT_ASSERT:         lower_assert(l, s); return;
  case STMT_ACTIVATE:       lower_node_statement(l, s, IR_activate); return;
  case STMT_DEACTIVATE:     lower_node_statement(l, s, IR_deactivate); return;
  case STMT_DEACTIVATE_ALL: lower_deactivate_all(l, s); return;
  }
  ICE("line %d: an unknown statement", s->loc.line);
}

/* A call in it may stand for the statements of a func, which have texts of their own. */
void lower_stmt(Lowering *l, const Stmt *s)
{
  const char *outer = l->said;

  l->said = l->options->keeps_source && s->first
                ? token_text(l->module->arena, s->first, s->end) : NULL;
  l->depth++;
  lower_one(l, s);
  l->depth--;
  l->said = outer;
}
