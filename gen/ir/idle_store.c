/* Stores that change nothing: x = x. C would warn of them, and of what they alone use; no form of a
 * loop has them. */
#include "gen/ir/idle_store.h"

/* Both are written as the same place: cells of dense SNodes, whatever they are walked to for. */
static bool is_same_place(const IrStmt *a, const IrStmt *b)
{
  while (a != b) {
    if (a->op != b->op || a->slot != b->slot)
      return false;
    if (a->op == IR_root)
      return true;
    if (a->op != IR_cell || a->snode != b->snode || !kind_is(a->snode->kind, KIND_DENSE) ||
        a->operands[1] != b->operands[1])
      return false;
    a = a->operands[0];
    b = b->operands[0];
  }
  return true;
}

bool ir_stores_what_is_there(const IrStmt *store)
{
  const IrStmt *load = store->operands[1];
  const IrBlock *block = store->parent;
  int k = block->count - 1;

  if (load->op != IR_load || load->field != store->field || load->parent != block ||
      !is_same_place(load->operands[0], store->operands[0]))
    return false;
  while (block->stmts[k] != store)
    k--;
  while (block->stmts[--k] != load)
    if (ir_effects(block->stmts[k]) > IR_READS)
      return false;
  return true;
}
