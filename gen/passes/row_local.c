/* Locals of a loop's body in its rows: each has a value for each cell of a row.
 *
 * As long as it is known which value one has that a pass has made, the value is used itself; where
 * no one asks for such a local in the end it is taken out (rows_drop_locals). Those of the program
 * stay, so that C has its names.
 */
#include "gen/passes/rows.h"

RowLocal *rows_local(const Rows *r, const IrVariable *v)
{
  return map_get(&r->variables, v);
}

RowLocal *rows_new_local(Rows *r, const IrVariable *from, int lanes)
{
  RowLocal *local = NEW(r->module->arena, RowLocal);

  local->variable = make_hidden(r->module, r->function, IR_VAR_LOCAL, from->name, from->type);
  local->variable->lanes = lanes;
  local->is_hidden = from->is_hidden;
  map_put(&r->variables, from, local);
  vec_push(r->module->arena, r->locals, r->local_count, local->variable);
  return local;
}

/* A statement that gives the local a value, put here. */
static IrStmt *put_assignment(Rows *r, IrOp op, RowLocal *local, IrStmt *value)
{
  IrStmt *s = ir_stmt(r->module, op, TY(VOID), value->loc, value, NULL);

  s->variable = local->variable;
  return rows_put(r, s);
}

void rows_declare(Rows *r, const IrStmt *s)
{
  IrStmt *value = rows_value(r, s->operands[0]);
  RowLocal *local;

  if (!value)
    return;
  if (s->variable->declaration != s)
    value = rows_spread(r, value);
  local = rows_new_local(r, s->variable, value->lanes);
  local->mask = r->mask;
  local->first = value;
  local->last = put_assignment(r, IR_declare, local, value);
}

IrStmt *rows_get_local(Rows *r, const RowLocal *local, Loc loc)
{
  IrStmt *get;

  if (local->is_hidden && local->last && rows_is_seen(r, local->last->parent))
    return local->last->operands[0];
  get = rows_new(r, IR_get, local->variable->type, loc);
  get->variable = local->variable;
  get->lanes = local->variable->lanes;
  return rows_put(r, get);
}

IrStmt *rows_get(Rows *r, const IrStmt *s)
{
  const RowLocal *local = rows_local(r, s->variable);
  IrStmt *copy;

  if (s->variable->kind != IR_VAR_KERNEL)
    return local ? rows_get_local(r, local, s->loc)
                 : rows_fail(r, s, "it is declared outside");
  copy = rows_new(r, IR_get, s->type, s->loc);
  copy->variable = s->variable;
  return rows_put(r, copy);
}

void rows_set_local(Rows *r, RowLocal *local, IrStmt *value)
{
  local->last = put_assignment(r, IR_set, local, rows_spread(r, value));
}

/* a && b and a || b: a local that is a, and is set to b in the lanes where it is true, or false.
 * The operation that does it; IR_const: it is another local. */
static IrOp logic_of(const RowLocal *local, const IrStmt *where)
{
  if (local->last->op != IR_declare || local->first->lanes == 0 || local->first->type != TY(BOOL))
    return IR_const;
  if (where == local->first)
    return IR_bit_and;
  return where->op == IR_logic_not && where->operands[0] == local->first ? IR_bit_or : IR_const;
}

/* Lanes in which it is not declared never see its value: it is of no account what they have. */
void rows_assign(Rows *r, RowLocal *local, IrStmt *value, Loc loc)
{
  IrStmt *where = rows_lanes_since(r, r->mask, local->mask);

  if (where) {
    const IrOp logic = logic_of(local, where);
    IrStmt *old = rows_get_local(r, local, loc);
    value = logic == IR_const ? rows_choose(r, where, value, old)
                              : rows_binary(r, logic, TY(BOOL), old, rows_spread(r, value));
  }
  rows_set_local(r, local, value);
}

void rows_set(Rows *r, const IrStmt *s)
{
  RowLocal *local = rows_local(r, s->variable);
  IrStmt *value = rows_value(r, s->operands[0]);

  if (local && value)
    rows_assign(r, local, value, s->loc);
  else
    rows_fail(r, s, "it sets what is declared outside");
}

RowLocal *rows_new_result(Rows *r, const IrStmt *call)
{
  IrVariable *v = NEW(r->module->arena, IrVariable);
  RowLocal *local;

  *v = (IrVariable){ .name = call->function->name, .type = call->type, .is_hidden = true };
  local = rows_new_local(r, v, r->lanes);
  local->mask = r->mask;
  local->first = rows_spread(r, rows_const(r, call->type, 0));
  local->last = put_assignment(r, IR_declare, local, local->first);
  return local;
}

/* ---- locals that no one asks ---- */

static void drop_assignment(IrStmt *s, IrBlock *to, void *user)
{
  Rows *r = user;

  if ((s->op != IR_declare && s->op != IR_set) || s->variable->kind != IR_VAR_LOCAL ||
      map_get(&r->asked, s->variable))
    ir_append(r->module, to, s);
}

void rows_drop_locals(Rows *r)
{
  IrFunction *f = r->function;
  int kept = f->local_count - r->local_count;

  map_init(&r->asked, r->module->arena);
  for (IrStmt *s = ir_first(r->leaf); s; s = ir_next(s, r->leaf))
    if (s->op == IR_get)
      map_put(&r->asked, s->variable, s->variable);
  rewrite_block(r->leaf, drop_assignment, r);
  for (int k = 0; k < r->local_count; k++)
    if (map_get(&r->asked, r->locals[k]))
      f->locals[kept++] = r->locals[k];
  f->local_count = kept;
}
