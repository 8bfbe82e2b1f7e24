/* activate_needed: cells known to be there are not activated.
 *
 *   <cell> $7 = own_cell grid.S1pointer $4
 *   <cell> $9 = cell S2dense grid activate $7 $8   =>   .. read $7 $8
 *   store u $9 $5 may_be_null                           store u $9 $5
 *
 * Needs: the module lowered; better after own_cell and share.
 * Guarantees: a dense cell that lies in a cell known to be there (the root's,
 * an own cell, or one in place in such a cell, dense or bitmasked and not peeked
 * at) is never activated and never null.  A dense cell in one that was allocated
 * keeps its mode: memory may have run out.  A bitmasked cell keeps it too: its
 * bit is to be set.  A position that the same iteration appended, in a task that
 * empties no such container, is there: the cell is marked plain, found without a
 * test and never null.
 */
#include "gen/passes/tools.h"

/* Never null: cells in place, down from the root or an own cell. */
static bool is_there(const IrStmt *cell)
{
  switch (cell->op) {
  case IR_root: case IR_own_cell:
    return true;
  case IR_cell:
    if (cell->plain)
      return true;
    if (cell->snode->kind == IR_SNODE_BITMASKED && cell->mode == IR_MODE_PEEK)
      return false;
    return ir_is_in_place(cell->snode) && is_there(cell->operands[0]);
  default:
    return false;
  }
}

/* ---- what one has appended oneself ---- */

static bool is_appended(const IrStmt *cell)
{
  const IrStmt *digit, *from;

  if (cell->op != IR_cell || cell->snode->kind != IR_SNODE_DYNAMIC ||
      cell->mode != IR_MODE_ACTIVATE)
    return false;
  digit = cell_digit(cell, 0);
  from = digit && digit->op == IR_digit ? without_casts(digit->operands[0])
                                        : NULL;
  return from && from->op == IR_append_cell && from->snode == cell->snode &&
         from->slot == cell->slot && from->operand_count == 1 &&
         from->operands[0] == cell->operands[0];
}

typedef struct Relax {
  const IrSNode *emptied[64]; /* SNodes that something here takes out of */
  int count;
  bool all;                   /* there are more */
} Relax;

static void note_emptied(IrOp op, const IrSNode *snode, int slot, void *user)
{
  Relax *r = user;

  (void)slot;
  if (op == IR_activate)
    return;
  if (r->count == 64)
    r->all = true;
  else
    r->emptied[r->count++] = snode;
}

static bool may_be_emptied(const Relax *r, const IrSNode *snode)
{
  bool found = r->all;

  for (int k = 0; k < r->count; k++)
    found = found || is_above(r->emptied[k], snode);
  return found;
}

static void relax(IrStmt *s, void *user)
{
  const Relax *r = user;

  if (is_appended(s) && !may_be_emptied(r, s->snode))
    s->plain = true;
  if (s->op == IR_cell && s->snode->kind == IR_SNODE_DENSE && is_there(s))
    s->mode = IR_MODE_READ;
  if ((s->op == IR_store || s->op == IR_cell_atomic) &&
      is_there(s->operands[0]))
    s->may_be_null = false;
}

/* Each task by itself. */
static void relax_kernel(IrModule *m, IrFunction *f)
{
  note_declarations(f);
  for (int k = 0; k < f->body->count; k++) {
    IrBlock *task = f->body->stmts[k]->blocks[0];
    Relax r = { .count = 0 };
    if (!task)
      continue;
    for_each_change(m, task, note_emptied, &r);
    ir_walk(task, relax, &r);
  }
}

/* Any task may call a function. */
static void relax_functions(IrModule *m)
{
  Relax r = { .count = 0 };

  for (int k = 0; k < m->kernel_count; k++)
    for_each_change(m, m->kernels[k]->body, note_emptied, &r);
  for (int k = 0; k < m->function_count; k++) {
    note_declarations(m->functions[k]);
    ir_walk(m->functions[k]->body, relax, &r);
  }
}

void pass_activate_needed(IrModule *m)
{
  relax_functions(m);
  for (int k = 0; k < m->kernel_count; k++)
    relax_kernel(m, m->kernels[k]);
}
