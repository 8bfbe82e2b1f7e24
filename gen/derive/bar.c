/* The adjoints of values and of variables, while the statements go back. */
#include "gen/derive/adjoint.h"

/* A variable that is zero when the block begins to go back. */
static IrVariable *new_bar(Reverse *r, const IrBlock *primal, const char *name, const Type *type,
                           int kind, Loc loc)
{
  IrVariable *bar = make_hidden(r->module, r->function, kind,
                                intern_format(r->module->arena, "%s_bar", name),
                                derivative_type(type));
  Maker make = make_first(r->module, map_get(&r->blocks, primal), loc);

  put_declare(&make, bar, make_const(&make, bar->type, 0));
  return bar;
}

/* ---- variables ---- */

static const IrBlock *block_of_variable(const Reverse *r, const IrVariable *v)
{
  const IrStmt *declared = map_get(&r->declared, v);

  return declared ? declared->parent : r->primal;
}

IrVariable *bar_variable(Reverse *r, IrVariable *v)
{
  IrVariable *bar = map_get(&r->bar_variables, v);

  if (bar)
    return bar;
  bar = new_bar(r, block_of_variable(r, v), v->name, v->type, v->kind, r->function->loc);
  map_put(&r->bar_variables, v, bar);
  return bar;
}

/* Iterations add up to what the kernel has. */
void add_to_variable(Reverse *r, IrVariable *bar, IrStmt *by, Maker *make)
{
  IrStmt *s;

  if (bar->kind == IR_VAR_LOCAL || !r->is_parallel) {
    put_set(make, bar, put_binary(make, IR_add, put_get(make, bar), by));
    return;
  }
  s = ir_stmt(r->module, IR_update, bar->type, make->loc, by, NULL);
  s->variable = bar;
  s->update = OP_ADD;
  put(make, s);
}

/* ---- values ---- */

static Bar *bar_of(Reverse *r, const IrStmt *value)
{
  Bar *bar = map_get(&r->bars, value);

  if (!bar) {
    bar = NEW_ARRAY(r->module->arena, Bar, ir_parts(value) + 1);
    map_put(&r->bars, value, bar);
  }
  return bar;
}

static void add_to_bar(Reverse *r, Bar *bar, const IrStmt *value, IrStmt *by, const IrBlock *at,
                       Maker *make)
{
  if (r->unit && value->parent == at) {
    bar->sum = bar->sum ? put_binary(make, IR_add, bar->sum, by) : by;
    return;
  }
  if (!bar->variable)
    bar->variable = new_bar(r, value->parent, "value", value->type,
                            unit_of(value) ? IR_VAR_LOCAL : IR_VAR_KERNEL, value->loc);
  add_to_variable(r, bar->variable, by, make);
}

void add_bar(Reverse *r, IrStmt *value, IrStmt *by, const IrBlock *at, Maker *make)
{
  if (by && value_varies(&r->varied, value))
    add_to_bar(r, bar_of(r, value), value, by, at, make);
}

void add_part_bar(Reverse *r, IrStmt *part, IrStmt *by, Maker *make)
{
  IrStmt *factor = part->operands[0];

  add_to_bar(r, &bar_of(r, factor)[part->index], factor, by, part->parent, make);
}

static IrStmt *taken(const Bar *bar, Maker *make)
{
  IrStmt *sum = bar->sum;

  if (bar->variable) {
    IrStmt *nested = put_get(make, bar->variable);
    sum = sum ? put_binary(make, IR_add, sum, nested) : nested;
  }
  return sum;
}

IrStmt *take_bar(Reverse *r, const IrStmt *value, Maker *make)
{
  const Bar *bar = map_get(&r->bars, value);

  return bar ? taken(bar, make) : NULL;
}

bool take_part_bars(Reverse *r, const IrStmt *factor, IrStmt **bars, Maker *make)
{
  const Bar *bar = map_get(&r->bars, factor);

  for (int k = 0; bar && k < ir_parts(factor); k++)
    bars[k] = taken(&bar[k], make);
  return bar != NULL;
}
