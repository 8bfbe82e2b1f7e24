/* deactivate_all sets fields to their defaults: it is an assignment, and leaves the adjoint 0.
 *
 *   deactivate_all S1pointer p g     =>     foreach_node x_grad g [i] { write x_grad g $i 0 }
 */
#include "gen/derive/adjoint.h"

/* Whether s sets the field to its default. */
static bool is_reset(const IrStmt *s, const IrField *f)
{
  return f->grad && is_above(s->snode, f->snode);
}

bool resets_derived(const IrStmt *s)
{
  const IrTree *tree = s->op == IR_deactivate_all ? s->snode->tree : NULL;

  for (int k = 0; tree && k < tree->field_count; k++)
    if (is_reset(s, tree->fields[k]))
      return true;
  return false;
}

/* The adjoint of the field, 0 in the cell that the loop stands on; of one without indices there is
 * no loop. */
static void put_zero(Reverse *r, const IrStmt *s, IrField *grad, IrStmt *loop, Maker *make)
{
  IrStmt *zero = ir_stmt(r->module, IR_write, TY(VOID), s->loc, NULL);

  for (int k = 0; k < grad->axis_count; k++) {
    IrStmt *index = ir_stmt(r->module, IR_loop_index, loop->variables[k]->type, s->loc, loop, NULL);
    index->index = k;
    put(make, index);
    if (grad->origin[k] != 0)
      index = put_binary(make, IR_add, index, make_const(make, index->type, grad->origin[k]));
    ir_add_operand(r->module, zero, index);
  }
  ir_add_operand(r->module, zero, make_const(make, grad->type, 0));
  zero->field = grad;
  zero->slot = s->slot;
  zero->if_active = true;
  put(make, zero);
}

static void reset(Reverse *r, const IrStmt *s, IrField *grad, Maker *make)
{
  IrStmt *loop = ir_stmt(r->module, IR_foreach_node, TY(VOID), s->loc, NULL);
  Maker inner;

  if (grad->axis_count == 0) {
    put_zero(r, s, grad, NULL, make);
    return;
  }
  loop->field = grad;
  loop->slot = s->slot;
  loop->variable_count = grad->axis_count;
  loop->variables = NEW_ARRAY(r->module->arena, IrVariable *, grad->axis_count);
  for (int k = 0; k < grad->axis_count; k++)
    loop->variables[k] = make_index(r->module, r->function, "i", TY(I64));
  put(make, loop);
  loop->blocks[0] = ir_block(r->module, loop);
  inner = make_in(make, loop->blocks[0]);
  put_zero(r, s, grad, loop, &inner);
}

void deactivate_all_back(Reverse *r, const IrStmt *s, Maker *make)
{
  const IrTree *tree = s->snode->tree;

  for (int k = 0; k < tree->field_count; k++)
    if (is_reset(s, tree->fields[k]))
      reset(r, s, tree->fields[k]->grad, make);
}
