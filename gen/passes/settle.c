/* settle: the last look before the module is written out.
 *
 * Needs: the module lowered.
 * Guarantees: no value is left that no one uses; function->may_trap says
 * whether a check, an assert, a require, an append or a call of such a function is left in
 * it.
 */
#include "gen/passes/tools.h"

static void note_trap(IrStmt *s, void *user)
{
  bool *traps = user;

  if (ir_may_trap(s, IR_BOUNDS_NONE))
    *traps = true;
}

static void settle(IrModule *m, IrFunction *f)
{
  bool traps = false;

  remove_dead(m, f);
  ir_walk(f->body, note_trap, &traps);
  f->may_trap = traps;
}

/* Functions stand before those that call them. */
void pass_settle(IrModule *m)
{
  for_each_function(m, settle);
}
