/* Accesses of fields, as their adjoints. */
#include "gen/derive/adjoint.h"

static IrStmt *access(Reverse *r, IrStmt *of, IrOp op, IrStmt *value, Maker *make)
{
  IrField *grad = of->field->grad;
  IrStmt *s = ir_stmt(r->module, op, op == IR_write ? TY(VOID) : grad->type, of->loc, NULL);

  for (int k = 0; k < of->field->axis_count; k++)
    ir_add_operand(r->module, s, again(r, of->operands[k], make));
  if (value)
    ir_add_operand(r->module, s, value);
  s->field = grad;
  s->slot = of->slot;
  s->update = op == IR_atomic ? OP_ADD : OP_NONE;
  s->if_active = op != IR_read;
  return put(make, s);
}

IrStmt *read_bar(Reverse *r, IrStmt *of, Maker *make)
{
  IrStmt *s = access(r, of, IR_read, NULL, make);

  return make_cast(make, derivative_type(s->type), s);
}

void read_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make);

  if (!bar || !s->field->grad)
    return;
  if (r->offset && is_at_offset(r, s))
    add_to_gathered(r, s->field, bar, make);
  else if (!r->offset && !map_get(&r->gathered, s))
    access(r, s, IR_atomic, make_cast(make, s->type, bar), make);
}

void write_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar;

  if (!s->field->grad)
    return;
  bar = read_bar(r, s, make);
  if (!r->offset)
    access(r, s, IR_write, make_const(make, s->field->type, 0), make);
  add_bar(r, s->operands[s->operand_count - 1], bar, s->parent, make);
}

void atomic_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *value = s->operands[s->operand_count - 1], *bar;

  if (!s->field->grad || !value_varies(&r->varied, value))
    return;
  bar = read_bar(r, s, make);
  if (s->update == OP_SUB)
    bar = put(make, ir_stmt(r->module, IR_neg, bar->type, s->loc, bar, NULL));
  add_bar(r, value, bar, s->parent, make);
}
