/* What the rules for statements ask of operands: their types, how many there are, the loop or the
 * axis that a statement is of. */
#include "gen/ir/verify.h"

const Type *verify_operand_type(const IrStmt *s, int k)
{
  return s->operands[k]->type;
}

/* The operands from `first` on. */
bool verify_all_from(const IrStmt *s, int first, const Type *t)
{
  for (int k = first; k < s->operand_count; k++)
    if (verify_operand_type(s, k) != t)
      return false;
  return true;
}

bool verify_all_of_type(const IrStmt *s, const Type *t)
{
  return verify_all_from(s, 0, t);
}

bool verify_integers(const IrStmt *s, int first, int count)
{
  for (int k = first; k < first + count; k++)
    if (k >= s->operand_count || !type_is_integer(verify_operand_type(s, k)))
      return false;
  return true;
}

/* Of a write or an atomic: the operands behind its cell or its indices. */
int verify_stored_values(const IrStmt *s)
{
  bool updates = (ir_op_info[s->op].attributes & IR_ATTR_UPDATE) != 0;

  return updates ? ir_update_values(s->update) : 1;
}

/* The struct_for of a statement that takes it, or takes a loop over its rows; NULL: of none. */
const IrStmt *verify_struct_for(const IrStmt *s)
{
  const IrStmt *loop = ir_whole_loop(s->operands[0]);

  return loop->op == IR_offloaded && loop->task == IR_TASK_STRUCT_FOR ? loop : NULL;
}

bool verify_has_own_axis(const IrSNode *snode, int axis)
{
  for (int k = 0; k < snode->axis_count; k++)
    if (snode->axes[k].axis == axis)
      return true;
  return false;
}

const IrTree *verify_slot_tree(const IrFunction *f, int slot)
{
  return slot >= 0 && slot < f->slot_count ? f->slots[slot].tree : NULL;
}
