/* The primal's statements from the last to the first, each as its adjoint. */
#include "gen/derive/adjoint.h"

/* ---- operations ---- */

static IrStmt **operands_again(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt **operands = NEW_ARRAY(r->module->arena, IrStmt *, s->operand_count + 1);

  for (int k = 0; k < s->operand_count; k++)
    operands[k] = r->needed[s->operands[k]->id] ? again(r, s->operands[k], make) : NULL;
  return operands;
}

static void operation_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make), **operands;

  if (!bar)
    return;
  operands = operands_again(r, s, make);
  for (int k = 0; k < s->operand_count; k++)
    if (is_varied(r, s->operands[k]))
      add_bar(r, s->operands[k],
              put_partial(make, s, operands, r->needed[s->id] ? again(r, s, make) : NULL, k, bar),
              s->parent, make);
}

/* ---- locals and kernel-level variables ---- */

static void get_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make);

  if (bar)
    add_to_variable(r, bar_variable(r, s->variable), bar, make);
}

/* What is assigned takes the adjoint over. */
static void set_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrVariable *bar = bar_variable(r, s->variable);

  add_bar(r, s->operands[0], put_get(make, bar), s->parent, make);
  if (s->op == IR_set)
    put_set(make, bar, make_const(make, bar->type, 0));
}

/* Of a sum each term has the adjoint of the whole. */
static void update_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = put_get(make, bar_variable(r, s->variable));

  if (s->update == OP_SUB)
    bar = put(make, ir_stmt(r->module, IR_neg, bar->type, s->loc, bar, NULL));
  add_bar(r, s->operands[0], bar, s->parent, make);
}

/* ---- fields ---- */

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

static IrStmt *read_bar(Reverse *r, IrStmt *of, Maker *make)
{
  IrStmt *s = access(r, of, IR_read, NULL, make);

  return make_cast(make, bar_type(s->type), s);
}

static void read_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar = take_bar(r, s, make);

  if (bar && s->field->grad)
    access(r, s, IR_atomic, make_cast(make, s->type, bar), make);
}

static void write_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *bar, *zero;

  if (!s->field->grad)
    return;
  bar = read_bar(r, s, make);
  zero = make_const(make, s->field->type, 0);
  access(r, s, IR_write, zero, make);
  add_bar(r, s->operands[s->operand_count - 1], bar, s->parent, make);
}

static void atomic_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *value = s->operands[s->operand_count - 1], *bar;

  if (!s->field->grad || !is_varied(r, value))
    return;
  bar = read_bar(r, s, make);
  if (s->update == OP_SUB)
    bar = put(make, ir_stmt(r->module, IR_neg, bar->type, s->loc, bar, NULL));
  add_bar(r, value, bar, s->parent, make);
}

/* ---- control ---- */

static void if_back(Reverse *r, IrStmt *s, Maker *make)
{
  IrStmt *branch = put_if(make, again(r, s->operands[0], make));
  Frame *outer = r->frame;

  for (int b = 0; b < 2; b++) {
    Maker inner = make_in(make, branch->blocks[b]);
    Frame frame;
    open_frame(r, &frame, outer);
    map_put(&r->blocks, s->blocks[b], branch->blocks[b]);
    go_back(r, s->blocks[b], &inner);
    r->frame = outer;
  }
}

static void stmt_back(Reverse *r, IrStmt *s, Maker *make)
{
  switch (s->op) {
  case IR_if:     if_back(r, s, make); return;
  case IR_get:    get_back(r, s, make); return;
  case IR_declare: case IR_set: set_back(r, s, make); return;
  case IR_update: update_back(r, s, make); return;
  case IR_read:   read_back(r, s, make); return;
  case IR_write:  write_back(r, s, make); return;
  case IR_atomic: atomic_back(r, s, make); return;
  default:
    if (ir_is(s, IR_FOREACH))
      foreach_back(r, s, make);
    else if (ir_is(s, IR_LOOPS))
      loop_back(r, s, make);
    else
      operation_back(r, s, make);
  }
}

void go_back(Reverse *r, const IrBlock *primal, Maker *make)
{
  for (int k = primal->count - 1; k >= 0; k--) {
    IrStmt *s = primal->stmts[k];
    make->loc = s->loc;
    if (r->goes_back[s->id])
      stmt_back(r, s, make);
  }
}
