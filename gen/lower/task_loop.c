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

/* Of one loop, while it is open: of a range over vectors there is one for each element. */
typedef struct Counted {
  IrVariable *index, *end, *tested;
} Counted;

static IrVariable *keep(Lowering *l, IrVariable *v, IrStmt *value, Loc loc)
{
  emit_declare(l, v, value, loc);
  return v;
}

static IrVariable **keep_bound(Lowering *l, const char *name, const Type *type, IrStmt **values,
                               Loc loc)
{
  IrVariable **kept = new_hidden_elements(l, name, type);

  declare_elements(l, kept, values, type, loc);
  return kept;
}

static IrStmt *is_before_end(Lowering *l, const Counted *c, Loc loc)
{
  IrStmt *index = emit_get(l, c->index, loc);

  return lower_binary(l, OP_LT, index, emit_get(l, c->end, loc), loc);
}

/* begin, end and index of range k; bounds kept before the first loop are there already. */
typedef struct Elements {
  IrVariable **begin, **end, **index;
} Elements;

static Elements begin_range(Lowering *l, const Stmt *s, int k, IrVariable ***bounds)
{
  const Range *r = &s->ranges[k];
  const Type *type = r->variable->type;
  Elements e = { .begin = bounds[2 * k], .end = bounds[2 * k + 1] };

  e.index = new_elements(l, IR_VAR_KERNEL, r->variable->name, type);
  bind_variables(l, r->variable, e.index);
  if (!e.begin)
    e.begin = keep_bound(l, "begin", type, lower_converted(l, r->lo, type), s->loc);
  if (!e.end)
    e.end = keep_bound(l, "end", type, lower_converted(l, r->hi, type), s->loc);
  return e;
}

static void lower_task_range(Lowering *l, const Stmt *s, int k, IrVariable ***bounds);

/* The loop over element `at` of range k, and all within it. */
static void lower_task_element(Lowering *l, const Stmt *s, int k, int at, const Elements *e,
                               IrVariable ***bounds)
{
  bool is_last = at + 1 == type_count(s->ranges[k].variable->type);
  bool is_innermost = is_last && k + 1 == s->range_count;
  Counted c = { .index = e->index[at], .end = e->end[at] };
  IrBlock *outer = l->block;
  IrStmt *loop;

  keep(l, c.index, emit_get(l, e->begin[at], s->loc), s->loc);
  c.tested = keep(l, new_hidden(l, "goes_on", TY(BOOL)), is_before_end(l, &c, s->loc), s->loc);
  loop = open_loop(l, c.tested, s->loc);
  if (is_innermost)
    lower_body(l, s->body);
  else if (is_last)
    lower_task_range(l, s, k + 1, bounds);
  else
    lower_task_element(l, s, k, at + 1, e, bounds);
  if (!is_innermost && l->loop->leaving)
    emit_break_if(l, l->loop->leaving, s->loc);
  open_block(l, loop, 2);
  emit_set(l, c.index, lower_binary(l, OP_ADD, emit_get(l, c.index, s->loc),
                                    emit_int(l, c.index->type, 1, s->loc), s->loc), s->loc);
  emit_set(l, c.tested, is_before_end(l, &c, s->loc), s->loc);
  l->block = outer;
}

static void lower_task_range(Lowering *l, const Stmt *s, int k, IrVariable ***bounds)
{
  Elements e = begin_range(l, s, k, bounds);

  lower_task_element(l, s, k, 0, &e, bounds);
}

/* Bounds that are evaluated before the first loop are kept for the inner ones, which begin
 * anew in each turn. */
void lower_task_ranges(Lowering *l, const Stmt *s, IrStmt ***bounds)
{
  IrVariable ***kept = NEW_ARRAY(l->module->arena, IrVariable **, 2 * s->range_count);

  for (int k = 0; k < 2 * s->range_count; k++)
    if (bounds[k])
      kept[k] = keep_bound(l, k % 2 ? "end" : "begin", s->ranges[k / 2].variable->type, bounds[k],
                           s->loc);
  lower_task_range(l, s, 0, kept);
}
