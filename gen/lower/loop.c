/* Loops.
 *
 * A serial loop over several ranges becomes loops in each other; the bounds
 * are evaluated once, before the first, unless a bound names an outer variable.
 * A break in such a loop leaves all of them: it raises a hidden flag that each
 * outer loop tests behind the inner one.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

/* ---- while and for ---- */

static void lower_condition(Lowering *l, IrStmt *loop, const Expr *test)
{
  IrBlock *outer = open_block(l, loop, 0);

  ir_add_operand(l->module, loop, test ? lower_expr(l, test)
                                       : emit_int(l, TY(BOOL), 1, loop->loc));
  l->block = outer;
}

static void lower_loop(Lowering *l, const Stmt *s, const Stmt *step)
{
  IrStmt *loop = emit(l, ir_stmt(l->module, IR_while, TY(VOID), s->loc, NULL));
  Loop *around = l->loop, here = { 0 };
  IrBlock *outer;

  l->loop = &here;
  lower_condition(l, loop, s->a);
  outer = open_block(l, loop, 1);
  lower_body(l, s->body);
  l->block = outer;
  outer = open_block(l, loop, 2);
  lower_body(l, step);
  l->block = outer;
  l->loop = around;
  leave_inlined(l, s);
}

void lower_while(Lowering *l, const Stmt *s)
{
  if (holds_task(s->body))
    lower_task_loop(l, s, NULL);
  else
    lower_loop(l, s, NULL);
}

void lower_for(Lowering *l, const Stmt *s)
{
  lower_body(l, s->init);
  if (holds_task(s->body))
    lower_task_loop(l, s, s->step);
  else
    lower_loop(l, s, s->step);
}

/* ---- serial ranges ---- */

void lower_break(Lowering *l, const Stmt *s)
{
  if (l->loop && l->loop->leaving)
    emit_set(l, l->loop->leaving, emit_int(l, TY(BOOL), 1, s->loc), s->loc);
  emit(l, ir_stmt(l->module, IR_break, TY(VOID), s->loc, NULL));
}

bool depends_on_earlier(const Stmt *s, const Expr *bound)
{
  for (int k = 0; k < s->range_count; k++)
    if (mentions(bound, s->ranges[k].variable))
      return true;
  return false;
}

static IrVariable *index_variable(Lowering *l, const Variable *v)
{
  return new_variable(l, IR_VAR_INDEX, v->name, v->type);
}

static IrStmt *emit_loop_index(Lowering *l, IrStmt *loop, int index,
                               const Type *type, Loc loc)
{
  IrStmt *s = ir_stmt(l->module, IR_loop_index, type, loc, loop, NULL);

  s->index = index;
  return emit(l, s);
}

IrStmt *lower_bound(Lowering *l, const Range *r, const Expr *bound)
{
  return convert(l, lower_expr(l, bound), r->variable->type, bound->loc);
}

void emit_break_if(Lowering *l, IrVariable *flag, Loc loc)
{
  IrStmt *branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), loc,
                                   emit_get(l, flag, loc), NULL));
  IrBlock *outer = open_block(l, branch, 0);

  emit(l, ir_stmt(l->module, IR_break, TY(VOID), loc, NULL));
  l->block = outer;
  branch->blocks[1] = ir_block(l->module, branch);
}

/* Range k of s and, within it, those behind it; bounds holds lo and hi of
 * each, NULL where they are evaluated in place. */
static void lower_ranges(Lowering *l, const Stmt *s, int k, IrStmt **bounds)
{
  const Range *r = &s->ranges[k];
  IrStmt *lo = bounds[2 * k], *hi = bounds[2 * k + 1], *loop;
  IrBlock *outer;

  if (!lo)
    lo = lower_bound(l, r, r->lo);
  if (!hi)
    hi = lower_bound(l, r, r->hi);
  loop =
      emit(l, ir_stmt(l->module, IR_for_range, TY(VOID), s->loc, lo, hi, NULL));
  loop->variable = index_variable(l, r->variable);
  outer = open_block(l, loop, 0);
  bind_index(l, r->variable,
             emit_loop_index(l, loop, 0, r->variable->type, s->loc), s->body);
  if (k + 1 < s->range_count) {
    lower_ranges(l, s, k + 1, bounds);
    if (l->loop->leaving)
      emit_break_if(l, l->loop->leaving, s->loc);
  } else {
    lower_body(l, s->body);
  }
  l->block = outer;
}

void lower_for_range(Lowering *l, const Stmt *s)
{
  IrStmt **bounds = NEW_ARRAY(l->module->arena, IrStmt *, 2 * s->range_count);
  Loop *around = l->loop, here = { 0 };

  for (int k = 0; k < s->range_count; k++) {
    const Range *r = &s->ranges[k];
    if (!depends_on_earlier(s, r->lo))
      bounds[2 * k] = lower_bound(l, r, r->lo);
    if (!depends_on_earlier(s, r->hi))
      bounds[2 * k + 1] = lower_bound(l, r, r->hi);
  }
  if (s->range_count > 1 &&
      (breaks_out(s->body) || (l->inlined && holds_return(s->body)))) {
    here.leaving = new_hidden(l, "leaving", TY(BOOL));
    emit_declare(l, here.leaving, emit_int(l, TY(BOOL), 0, s->loc), s->loc);
  }
  l->loop = &here;
  if (holds_task(s->body))
    lower_task_ranges(l, s, bounds);
  else
    lower_ranges(l, s, 0, bounds);
  l->loop = around;
  leave_inlined(l, s);
}

/* ---- parallel loops ---- */

/* What the program's variable is: loop_index counts cells. */
static IrStmt *own_index(Lowering *l, const Stmt *s, IrStmt *loop, int k,
                         const Type *type)
{
  IrStmt *index = emit_loop_index(l, loop, k, type, s->loc);
  int64_t origin = s->field ? s->field->origin[k] : 0;

  if (origin == 0)
    return index;
  return emit(l, ir_stmt(l->module, IR_add, type, s->loc, index,
                         emit_int(l, type, origin, s->loc), NULL));
}

static void lower_foreach_body(Lowering *l, const Stmt *s, IrStmt *loop,
                               Variable *const *variables, int count)
{
  Loop *around = l->loop;
  IrBlock *outer;

  l->loop = NULL;
  l->in_foreach = true;
  for (int k = 0; k < count; k++)
    vec_push(l->module->arena, loop->variables, loop->variable_count,
             index_variable(l, variables[k]));
  outer = open_block(l, loop, 0);
  for (int k = 0; k < count; k++)
    bind_index(l, variables[k], own_index(l, s, loop, k, variables[k]->type),
               s->body);
  lower_body(l, s->body);
  l->block = outer;
  l->in_foreach = false;
  l->loop = around;
}

void lower_foreach_range(Lowering *l, const Stmt *s)
{
  Variable **variables =
      NEW_ARRAY(l->module->arena, Variable *, s->range_count);
  IrStmt *loop = ir_stmt(l->module, IR_foreach_range, TY(VOID), s->loc, NULL);

  for (int k = 0; k < s->range_count; k++) {
    const Range *r = &s->ranges[k];
    if (depends_on_earlier(s, r->lo) || depends_on_earlier(s, r->hi)) {
      diag(l->diag, DIAG_NOT_BUILT, s->loc,
           "a parallel range that depends on another");
      return;
    }
    variables[k] = r->variable;
    ir_add_operand(l->module, loop, lower_bound(l, r, r->lo));
    ir_add_operand(l->module, loop, lower_bound(l, r, r->hi));
  }
  emit(l, loop);
  lower_foreach_body(l, s, loop, variables, s->range_count);
}

void lower_foreach_node(Lowering *l, const Stmt *s)
{
  IrStmt *loop = ir_stmt(l->module, IR_foreach_node, TY(VOID), s->loc, NULL);

  if (s->field)
    loop->field = lowered_field(l, s->field);
  else
    loop->snode = lowered_snode(l, s->snode);
  loop->slot = s->tree_slot;
  emit(l, loop);
  lower_foreach_body(l, s, loop, s->variables, s->variable_count);
}
