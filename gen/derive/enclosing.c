/* What a statement stands in. */
#include "gen/derive/adjoint.h"

bool has_task_in(IrStmt *whole)
{
  for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
    if (ir_is(s, IR_FOREACH) || s->op == IR_deactivate_all)
      return true;
  return false;
}

bool is_unit(IrStmt *s)
{
  return ir_is(s, IR_FOREACH) || (ir_is(s, IR_LOOPS) && !has_task_in(s));
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

const IrStmt *foreach_around(const IrStmt *s)
{
  for (IrStmt *at = s->parent->owner; at; at = at->parent->owner)
    if (ir_is(at, IR_FOREACH))
      return at;
  return NULL;
}

bool stands_within(const IrStmt *s, const IrStmt *loop)
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
