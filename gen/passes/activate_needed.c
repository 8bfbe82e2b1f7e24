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
 * A walk that activates a cell of a list takes what a walk to the same cell has found that only
 * read, where that is a cell: it looks for it a second time only where there was none.
 *
 *   <cell> $5 = cell S1dynamic read $3 $4          the same
 *   <cell> $9 = cell S1dynamic activate $3 $4  =>  <cell> $9 = cell S1dynamic activate $3 $4 $5
 *
 * Not in a task that may take cells of the list out.
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

/* ---- what has been found ---- */

static bool is_same_digit(const IrStmt *x, const IrStmt *y)
{
  return x == y;
}

/* A walk through a list looks for the chunk; one through slots is as short as what it saves. */
static bool looks_again(const IrStmt *s)
{
  return s->op == IR_cell && s->mode == IR_MODE_ACTIVATE && kind_is(s->snode->kind, KIND_LIST) &&
         !s->snode->is_soa && s->operand_count == 2;
}

/* Whether s has been computed wherever the other one is come to. */
static bool is_before(const IrStmt *s, const IrStmt *other)
{
  const IrBlock *block = other->parent;

  while (block && block != s->parent)
    block = block->owner ? block->owner->parent : NULL;
  return block != NULL;
}

/* The same cell, read in a block that the other one stands in too; NULL: it is not. */
static IrStmt *found_before(IrFunction *f, const IrStmt *cell)
{
  for (IrStmt *s = ir_first(f->body); s != cell; s = ir_next(s, f->body))
    if (s->op == IR_cell && s->mode == IR_MODE_READ && s->snode == cell->snode &&
        is_before(s, cell) && is_same_cell(s, cell, is_same_digit))
      return s;
  return NULL;
}

static void take_found(IrModule *m, IrFunction *f, IrStmt *cell)
{
  const IrStmt *task = task_of(cell);
  IrStmt *found = task ? found_before(f, cell) : NULL;

  if (found && !may_take_out(m, task->blocks[0], cell->snode))
    ir_add_operand(m, cell, found);
}

static void relax_function(IrModule *m, IrFunction *f)
{
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body)) {
    relax(s);
    if (looks_again(s))
      take_found(m, f, s);
  }
}

void pass_activate_needed(IrModule *m)
{
  for_each_function(m, relax_function);
}
