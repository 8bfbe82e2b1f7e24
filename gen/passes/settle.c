/* settle: the last look before the module is written out.
 *
 * Needs: the module lowered.
 * Guarantees: no value is left that no one uses, nor leaves of a range without rows;
 * function->may_trap says
 * whether a check, an assert, a require, an append or a call of such a function is left in
 * it.
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

/* Functions stand before those that call them. */
void pass_settle(IrModule *m)
{
  for_each_function(m, settle);
}
