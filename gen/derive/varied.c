/* What depends on a field that has an adjoint. */
#include "gen/derive/adjoint.h"
#include "gen/model/builtins.h"

bool is_varied_variable(const Reverse *r, const IrVariable *v)
{
  return map_get(&r->varied_variables, v) != NULL;
}

bool is_varied(const Reverse *r, const IrStmt *s)
{
  return r->varied[s->id];
}

/* Its derivative is zero wherever it has one. */
static bool is_step(const IrStmt *s)
{
  if (s->op != IR_builtin)
    return false;
  switch (s->builtin) {
  case BUILTIN_floor: case BUILTIN_ceil: case BUILTIN_round: case BUILTIN_trunc:
  case BUILTIN_sign: case BUILTIN_floordiv:
    return true;
  default:
    return false;
  }
}

static bool has_varied_operand(const Reverse *r, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (is_varied(r, s->operands[k]))
      return true;
  return false;
}

static bool varies(const Reverse *r, const IrStmt *s)
{
  if (!type_is_float(s->type))
    return false;
  switch (s->op) {
  case IR_get:  return is_varied_variable(r, s->variable);
  case IR_read: return s->field->grad && !r->function->slots[s->slot].is_merge;
  case IR_update: case IR_atomic: case IR_array_read: case IR_array_atomic:
    return false;
  default:
    return is_pure(s) && !is_step(s) && has_varied_operand(r, s);
  }
}

static bool sets_variable(const IrStmt *s)
{
  return ir_changes(s, IR_OF_LOCAL) && s->variable;
}

/* Whether it has found something new. */
static bool note_varied(Reverse *r, IrStmt *s)
{
  if (sets_variable(s)) {
    if (is_varied_variable(r, s->variable) || !type_is_float(s->variable->type) ||
        !has_varied_operand(r, s))
      return false;
    map_put(&r->varied_variables, s->variable, s->variable);
    return true;
  }
  if (r->varied[s->id] || !varies(r, s))
    return false;
  return r->varied[s->id] = true;
}

/* A loop leads back to variables that were looked at already. */
void find_varied(Reverse *r)
{
  bool found;

  do {
    found = false;
    for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
      found = note_varied(r, s) || found;
  } while (found);
}

/* ---- units ---- */

static bool holds_foreach(IrStmt *whole)
{
  for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
    if (ir_is(s, IR_FOREACH))
      return true;
  return false;
}

bool is_unit(IrStmt *s)
{
  return ir_is(s, IR_FOREACH) || (ir_is(s, IR_LOOPS) && !holds_foreach(s));
}

/* The outermost one: a loop in a unit is a part of it. */
const IrStmt *unit_of(const IrStmt *s)
{
  const IrStmt *unit = NULL;

  for (IrStmt *at = (IrStmt *)(uintptr_t)s; at; at = at->parent->owner)
    if (is_unit(at))
      unit = at;
  return unit;
}

/* ---- what a loop has ---- */

static bool stands_within(const IrStmt *s, const IrStmt *loop)
{
  for (; s; s = s->parent->owner)
    if (s == loop)
      return true;
  return false;
}

bool is_declared_in(const Reverse *r, const IrVariable *v, const IrStmt *loop)
{
  const IrStmt *declared = map_get(&r->declared, v);

  return declared && stands_within(declared, loop);
}
