/* Serial loops of a kernel with a task in them: the host goes round.
 *
 *   for (k in a .. b) {        declare k $a, declare bound $b, declare goes_on ..
 *     foreach (i in x) ..  =>  while { $7 = get goes_on } test $7 {
 *   }                            foreach_node x {..}
 *                              } next { set k .., set goes_on .. }
 *
 * What is tested is a kernel-level variable, computed before the loop and again at the end
 * of each turn: so a turn costs one serial task, which does the step too.  A range's
 * variable is a kernel-level variable, for the tasks to read.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

/* ---- the loop ---- */

static bool is_always(const Expr *test)
{
  return !test || (test->kind == EXPR_LITERAL && test->value.i);
}

/* tested: NULL for a loop without end.  The body's block is open afterwards. */
static IrStmt *open_loop(Lowering *l, IrVariable *tested, Loc loc)
{
  IrStmt *loop = emit(l, ir_stmt(l->module, IR_while, TY(VOID), loc, NULL));

  open_block(l, loop, 0);
  ir_add_operand(l->module, loop, tested ? emit_get(l, tested, loc)
                                         : emit_int(l, TY(BOOL), 1, loc));
  open_block(l, loop, 1);
  return loop;
}

void lower_task_loop(Lowering *l, const Stmt *s, const Stmt *step)
{
  bool tests = !is_always(s->a);
  IrVariable *tested = tests ? new_hidden(l, "goes_on", TY(BOOL)) : NULL;
  Loop *around = l->loop, here = { 0 };
  IrBlock *outer = l->block;
  IrStmt *loop;

  if (tests)
    emit_declare(l, tested, lower_expr(l, s->a), s->loc);
  loop = open_loop(l, tested, s->loc);
  l->loop = &here;
  lower_body(l, s->body);
  l->loop = around;
  open_block(l, loop, 2);
  lower_body(l, step);
  if (tests)
    emit_set(l, tested, lower_expr(l, s->a), s->loc);
  l->block = outer;
}

/* ---- ranges ---- */

/* Of one range, while its loop is open. */
typedef struct Counted {
  IrVariable *index, *end, *tested;
} Counted;

static IrVariable *keep(Lowering *l, IrVariable *v, IrStmt *value, Loc loc)
{
  emit_declare(l, v, value, loc);
  return v;
}

static IrStmt *is_before_end(Lowering *l, const Counted *c, Loc loc)
{
  IrStmt *index = emit_get(l, c->index, loc);

  return lower_binary(l, OP_LT, index, emit_get(l, c->end, loc), loc);
}

static void lower_task_range(Lowering *l, const Stmt *s, int k, IrVariable **bounds)
{
  const Range *r = &s->ranges[k];
  const Type *type = r->variable->type;
  Counted c = { .end = bounds[2 * k + 1] };
  IrBlock *outer = l->block;
  IrStmt *loop;

  c.index = keep(l, new_variable(l, IR_VAR_KERNEL, r->variable->name, type),
                 bounds[2 * k] ? emit_get(l, bounds[2 * k], s->loc) : lower_bound(l, r, r->lo),
                 s->loc);
  bind_variable(l, r->variable, c.index);
  if (!c.end)
    c.end = keep(l, new_hidden(l, "end", type), lower_bound(l, r, r->hi), s->loc);
  c.tested = keep(l, new_hidden(l, "goes_on", TY(BOOL)), is_before_end(l, &c, s->loc), s->loc);
  loop = open_loop(l, c.tested, s->loc);
  if (k + 1 < s->range_count) {
    lower_task_range(l, s, k + 1, bounds);
    if (l->loop->leaving)
      emit_break_if(l, l->loop->leaving, s->loc);
  } else {
    lower_body(l, s->body);
  }
  open_block(l, loop, 2);
  emit_set(l, c.index, lower_binary(l, OP_ADD, emit_get(l, c.index, s->loc),
                                    emit_int(l, type, 1, s->loc), s->loc), s->loc);
  emit_set(l, c.tested, is_before_end(l, &c, s->loc), s->loc);
  l->block = outer;
}

/* Bounds that are evaluated before the first loop are kept for the inner ones, which begin
 * anew in each turn. */
void lower_task_ranges(Lowering *l, const Stmt *s, IrStmt **bounds)
{
  IrVariable **kept = NEW_ARRAY(l->module->arena, IrVariable *, 2 * s->range_count);

  for (int k = 0; k < 2 * s->range_count; k++)
    if (bounds[k])
      kept[k] = keep(l, new_hidden(l, k % 2 ? "end" : "begin", bounds[k]->type), bounds[k], s->loc);
  lower_task_range(l, s, 0, kept);
}
