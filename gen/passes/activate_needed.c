/* activate_needed: cells known to be there are not activated.
 *
 *   <cell> $7 = own_cell grid.S1pointer $4
 *   <cell> $9 = cell S2dense grid activate $7 $8   =>   .. read $7 $8
 *   store u $9 $5 may_be_null                           store u $9 $5
 *
 * Needs: the module lowered; better after own_cell, share and appended.
 * Guarantees: a dense cell that lies in a cell known to be there (the root's,
 * an own or appended cell, or one in place in such a cell, dense or bitmasked and
 * not peeked at) is never activated and never null.  A dense cell in one that was
 * allocated keeps its mode: memory may have run out.  A bitmasked cell keeps it too:
 * its bit is to be set.
 */
#include "gen/passes/tools.h"

/* Never null: cells in place, down from the root, an own cell or an appended one. */
static bool is_there(const IrStmt *cell)
{
  switch (cell->op) {
  case IR_root: case IR_own_cell: case IR_appended:
    return true;
  case IR_cell:
    if (kind_is(cell->snode->kind, KIND_MASKED) && cell->mode == IR_MODE_PEEK)
      return false;
    return ir_is_in_place(cell->snode) && is_there(cell->operands[0]);
  default:
    return false;
  }
}

static void relax(IrStmt *s)
{
  if (s->op == IR_cell && kind_is(s->snode->kind, KIND_DENSE) && is_there(s))
    s->mode = IR_MODE_READ;
  if ((s->op == IR_store || s->op == IR_cell_atomic) &&
      is_there(s->operands[0]))
    s->may_be_null = false;
}

static void relax_function(IrModule *m, IrFunction *f)
{
  (void)m;
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    relax(s);
}

void pass_activate_needed(IrModule *m)
{
  for_each_function(m, relax_function);
}
