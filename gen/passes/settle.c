/* settle: the last look before the module is written out.
 *
 * Needs: the module lowered.
 * Guarantees: no value is left that no one uses, nor leaves of a range without rows;
 * function->may_trap says whether a check, an assert, a require, an append or a call of
 * such a function is left in it; function->is_settled whether there are tasks that call it,
 * none of which changes a cell's activity.
 */
#include "gen/passes/tools.h"

/* The second form of a loop over ranges is there for its rows. */
static void drop_leaves(IrFunction *f)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->op == IR_offloaded && ir_leaves(s) && !ir_leaves(s)->blocks[1])
      s->blocks[1] = NULL;
}

static void settle(IrModule *m, IrFunction *f)
{
  drop_leaves(f);
  remove_dead(m, f);
  f->may_trap = false;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    f->may_trap = f->may_trap || ir_may_trap(s, IR_BOUNDS_NONE);
}

/* ---- which functions are called where no cell's activity changes ---- */

/* A dense cell that is walked to is as active as the one above it. */
static bool changes_activity(IrModule *m, const IrStmt *task)
{
  for (int b = 0; b < IR_BLOCKS; b++) {
    if (!task->blocks[b])
      continue;
    Changes c = changes_of(m->arena, task->blocks[b]);
    while (next_change(&c))
      if (!ir_activates(c.stmt) || ir_is_sparse(c.snode))
        return true;
  }
  return false;
}

/* What tasks call that change no activity is settled; else, what those call that do is not. */
static void note_called(IrModule *m, const IrFunction *kernel, bool is_settled)
{
  bool is_meant = false;

  for (IrStmt *s = ir_first(kernel->body); s; s = ir_next(s, kernel->body)) {
    if (s->op == IR_offloaded && !ir_is_leaves(s))         /* leaves are part of their task */
      is_meant = is_settled == !changes_activity(m, s);
    if (s->op == IR_call && is_meant)
      s->function->is_settled = is_settled;
  }
}

static void note_all_called(IrModule *m, bool is_settled)
{
  for (int k = 0; k < m->kernel_count; k++)
    note_called(m, m->kernels[k], is_settled);
  for (int k = m->function_count - 1; k >= 0; k--) {
    const IrFunction *f = m->functions[k];
    for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
      if (s->op == IR_call && f->is_settled == is_settled)
        s->function->is_settled = is_settled;
  }
}

/* Functions stand before those that call them. */
void pass_settle(IrModule *m)
{
  for_each_function(m, settle);
  note_all_called(m, true);
  note_all_called(m, false);
}
