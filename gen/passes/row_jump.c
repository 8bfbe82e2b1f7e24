/* A `continue`, or a `return` of a function that is called, in a row: what stands behind the `if`
 * that holds it is for the lanes of the other branch.
 *
 *   if $c {                      if $c { a }
 *     a                    =>    else {
 *     continue                     b
 *   }                            }
 *   b
 */
#include "gen/passes/rows.h"

static bool is_jump(const IrStmt *s)
{
  return s->op == IR_continue || s->op == IR_return;
}

bool rows_ends_in_jump(const IrBlock *block)
{
  const IrStmt *last = block && block->count > 0 ? block->stmts[block->count - 1] : NULL;

  if (!last)
    return false;
  return is_jump(last) || (last->op == IR_if && rows_ends_in_jump(last->blocks[0]) &&
                           rows_ends_in_jump(last->blocks[1]));
}

static bool holds_jump(const IrBlock *block)
{
  for (IrStmt *s = block ? ir_first(block) : NULL; s; s = ir_next(s, block))
    if (is_jump(s))
      return true;
  return false;
}

bool rows_has_jump(const IrStmt *branch)
{
  return branch->op == IR_if && (holds_jump(branch->blocks[0]) || holds_jump(branch->blocks[1]));
}

/* The block, without its `continue`, and behind it the others from k on. */
static IrBlock *with_rest(Rows *r, const IrBlock *block, const IrBlock *from, int k)
{
  IrBlock *whole = NEW(r->module->arena, IrBlock);

  *whole = (IrBlock){ .stmts = NEW_ARRAY(r->module->arena, IrStmt *, block->count + from->count) };
  for (int i = 0; i < block->count; i++)
    if (block->stmts[i]->op != IR_continue)
      whole->stmts[whole->count++] = block->stmts[i];
  for (; k < from->count; k++)
    whole->stmts[whole->count++] = from->stmts[k];
  return whole;
}

void rows_jump(Rows *r, const IrStmt *branch, const IrBlock *from, int rest)
{
  const bool then = rows_ends_in_jump(branch->blocks[0]);
  const bool other = rows_ends_in_jump(branch->blocks[1]);
  IrStmt whole = *branch;

  if (!then && !other) {
    rows_fail(r, branch, "it is left in one part of a branch");
    return;
  }
  whole.blocks[0] = with_rest(r, branch->blocks[0], from, then ? from->count : rest);
  whole.blocks[1] = with_rest(r, branch->blocks[1], from, other ? from->count : rest);
  rows_if(r, &whole);
}
