/* settle: the last look before the module is written out.
 *
 * Needs: the module lowered.
 * Guarantees: no value is left that no one uses; function->may_trap says
 * whether a check, an assert, a require, an append or a call of such a function is left in
 * it.
 */
#include "gen/passes/tools.h"

static void settle(IrModule *m, IrFunction *f)
{
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
