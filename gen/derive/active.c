/* Which values have a tangent that is used: they depend on a field that has one, and a field, a
 * result or a variable that has one depends on them. */
#include "gen/derive/tangent.h"

bool is_wanted(const Forward *f, const IrStmt *s)
{
  return s->id > 0 && f->wanted[s->id];
}

bool is_wanted_variable(const Forward *f, const IrVariable *v)
{
  return map_get(&f->wanted_variables, v) != NULL;
}

bool is_factorization(const IrStmt *s)
{
  return ir_parts(s) > 0;
}

bool is_shared_update(const IrStmt *s)
{
  if (s->variable->kind != IR_VAR_KERNEL)
    return false;
  for (const IrStmt *at = s->parent->owner; at; at = at->parent->owner)
    if (ir_is(at, IR_FOREACH) && !at->manner.is_serial)
      return true;
  return false;
}

IrStmt *assigned(const IrStmt *s)
{
  return s->operands[s->operand_count - 1];
}

/* ---- whose tangent is used ---- */

static bool want_variable(Forward *f, IrVariable *v)
{
  if (!variable_varies(&f->varied, v) || is_wanted_variable(f, v))
    return false;
  map_put(&f->wanted_variables, v, v);
  return true;
}

static bool want(Forward *f, const IrStmt *s)
{
  if (!value_varies(&f->varied, s) || f->wanted[s->id])
    return false;
  return f->wanted[s->id] = true;
}

static bool want_operands(Forward *f, const IrStmt *s)
{
  bool found = false;

  for (int k = 0; k < s->operand_count; k++)
    found = want(f, s->operands[k]) || found;
  return found;
}

static bool note_wanted(Forward *f, const IrStmt *s)
{
  bool found = false;

  if ((s->op == IR_write || s->op == IR_atomic) && s->field->dual)
    return want(f, assigned(s));
  if (sets_variable(s) && is_wanted_variable(f, s->variable))
    found = want_operands(f, s);
  if (!is_wanted(f, s))
    return found;
  if (s->op == IR_get || s->op == IR_update || s->op == IR_restore)
    return want_variable(f, s->variable) || found;
  return is_pure(s) && want_operands(f, s);
}

static void find_wanted_values(Forward *f)
{
  const IrBlock *body = f->function->body;
  bool found;

  for (int k = 0; k < f->function->result_count; k++)
    want_variable(f, f->function->results[k]);
  do {
    found = false;
    for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
      found = note_wanted(f, s) || found;
  } while (found);
}

void find_active(Forward *f)
{
  f->varied = find_varied(f->module->arena, f->function, f->ids, true);
  find_wanted_values(f);
}
