/* appended: the cell that an append has made needs no walk.
 *
 *   <i64> $5 = append_cell S1dynamic list $4        <i64> $5 = append_cell S1dynamic list $4
 *   declare at $5                                   <cell> $6 = appended S1dynamic $5
 *   <i64> $7 = get at                          =>   declare at $5
 *   <cell> $9 = cell S1dynamic list activate $4 [$7]
 *   store x $9 $3 may_be_null                       store x $6 $3
 *
 * Needs: the module lowered; better after share.
 * Guarantees: the cell of a container at the position that an append to it gave
 * (itself, or by a local that is only declared) is `appended`, which is never null.
 * Not in a task or function that may deactivate the SNode or one above it: there the
 * cell may have been taken out meanwhile.
 */
#include "gen/passes/tools.h"

typedef struct Appended {
  IrModule *module;
  IrFunction *function;
  IrStmt **cells; int cell_count;      /* `appended` statements that were made */
} Appended;

/* ---- which append a walk goes to ---- */

/* Locals that are only declared are looked through. */
static IrStmt *append_of(const IrStmt *position)
{
  position = ir_without_casts(position);
  return position->op == IR_append_cell && position->operand_count == 1 ? (IrStmt *)position
                                                                        : NULL;
}

static bool is_same_digit(const IrStmt *x, const IrStmt *y)
{
  return x == y;
}

/* In the task around it, or in the function that it stands in. */
static bool may_be_lost(const Appended *a, const IrStmt *cell)
{
  const IrStmt *task = task_of(cell);

  return may_take_out(a->module, task ? task->blocks[0] : a->function->body, cell->snode);
}

/* ---- the append that made the cell; NULL: a walk must find it ---- */

static IrStmt *append_for(const Appended *a, const IrStmt *cell)
{
  const IrStmt *digit;
  IrStmt *append;

  if (cell->op != IR_cell || !kind_is(cell->snode->kind, KIND_LIST))
    return NULL;
  digit = cell_digit(cell, 0);
  append = digit && digit->op == IR_digit ? append_of(digit->operands[0]) : NULL;
  if (!append || append->snode != cell->snode || append->slot != cell->slot ||
      !is_same_cell(append->operands[0], cell->operands[0], is_same_digit) || may_be_lost(a, cell))
    return NULL;
  return append;
}

/* ---- replacing ---- */

static IrStmt *cell_of(Appended *a, IrStmt *append)
{
  IrStmt *made;

  for (int k = 0; k < a->cell_count; k++)
    if (a->cells[k]->operands[0] == append)
      return a->cells[k];
  made = ir_stmt(a->module, IR_appended, TY(CELL), append->loc, append, NULL);
  made->snode = append->snode;
  vec_push(a->module->arena, a->cells, a->cell_count, made);
  return made;
}

static void use_appended(Appended *a, IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *append = append_for(a, s->operands[k]);
    if (!append)
      continue;
    s->operands[k] = cell_of(a, append);
    s->may_be_null = false;
  }
}

/* Right behind its append. */
static void place_cell(Appended *a, IrStmt *made)
{
  IrStmt *append = made->operands[0];
  const IrBlock *block = append->parent;
  int k = 0;

  while (block->stmts[k] != append)
    k++;
  if (k + 1 < block->count)
    ir_insert_before(a->module, block->stmts[k + 1], made);
  else
    ir_append(a->module, append->parent, made);
}

/* A walk to a cell that is there activates nothing. */
static bool may_go(const IrStmt *s, void *user)
{
  return is_removable(s) || append_for(user, s) != NULL;
}

static void take_function(IrModule *m, IrFunction *f)
{
  Appended a = { .module = m, .function = f };

  note_declarations(f);
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    use_appended(&a, s);
  for (int k = 0; k < a.cell_count; k++)
    place_cell(&a, a.cells[k]);
  if (a.cell_count)
    remove_unused(m, f, may_go, &a);
}

void pass_appended(IrModule *m)
{
  for_each_function(m, take_function);
}
