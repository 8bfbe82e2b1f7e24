/* Base and constant of an index, as the statements before it say.  That index arithmetic does not
 * overflow is the language's rule (ir_without_constant).
 */
#include "gen/derive/place.h"

static const IrStmt *only_change(const Reverse *r, const IrStmt *whole, const IrVariable *v)
{
  const IrBlock *primal = r->primal;
  const IrStmt *found = NULL;

  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal)) {
    if (!ir_changes(s, IR_OF_LOCAL) || s->variable != v || (whole && !stands_within(s, whole)))
      continue;
    if (found)
      return NULL;
    found = s;
  }
  return found;
}

const IrStmt *loop_around(const IrStmt *s)
{
  for (IrStmt *at = s->parent->owner; at; at = at->parent->owner)
    if (ir_is(at, IR_LOOPS | IR_FOREACH))
      return at;
  return NULL;
}

static bool is_in_block(const IrStmt *s, const IrBlock *block)
{
  for (; s; s = s->parent->owner)
    if (s->parent == block)
      return true;
  return false;
}

/* Whether the variable does not come to one cell again by wrapping, as one of eight bits does, nor
 * goes back by a large step, as an unsigned one does. */
static bool goes_on(const IrVariable *v, const IrStmt *step)
{
  return type_is_integer(v->type) && v->type->is_signed && v->type->bits >= 32 &&
         step->value.i == (int32_t)step->value.i;
}

/* What the loop adds to the variable, in one place, once a turn at most. */
static void find_step(const Reverse *r, const IrStmt *get, Place *p)
{
  const IrStmt *set = only_change(r, p->home, get->variable);
  Counter c;

  if (!set || loop_around(set) != p->home || !is_step_of(set, &c) ||
      !goes_on(c.variable, c.step))
    return;
  p->step = c.op == IR_add ? c.step->value.i : -c.step->value.i;
  p->may_stay = set->parent->owner != p->home;
  p->is_stepped = get->id > set->id;
}

/* The innermost loop around the get that changes its variable; NULL: none does. */
static const IrStmt *loop_that_changes(const Reverse *r, const IrStmt *get)
{
  const IrBlock *primal = r->primal;

  for (const IrStmt *loop = loop_around(get); loop; loop = loop_around(loop))
    for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
      if (ir_changes(s, IR_OF_LOCAL) && s->variable == get->variable && stands_within(s, loop))
        return loop;
  return NULL;
}

static Place place_of(const Reverse *r, IrStmt *index);

/* A variable that is set once is what it is set to, where that is done first and what it depends on
 * is in the same turn.  Another one is known where a loop counts it. */
static Place place_of_variable(const Reverse *r, const IrStmt *get)
{
  const IrStmt *only = only_change(r, NULL, get->variable);
  Place p = { .base = get };

  if (only && only->op != IR_update && only->id < get->id && is_in_block(get, only->parent)) {
    p = place_of(r, only->operands[0]);
    p.is_known = p.is_known && (!p.home || stands_within(get, p.home));
    return p;
  }
  p.home = loop_that_changes(r, get);
  if (p.home && p.home->op == IR_while)
    find_step(r, get, &p);
  p.is_known = p.step != 0;
  return p;
}

static Place place_of(const Reverse *r, IrStmt *index)
{
  int64_t plus;
  const IrStmt *base = ir_without_widening(ir_without_constant(index, &plus));
  Place p = { .is_known = true };

  if (is_const(base))
    plus += base->value.i;
  else if (base->op == IR_param)
    p.base = base;
  else if (base->op == IR_get)
    p = place_of_variable(r, base);
  else if (base->op == IR_loop_index) {
    p.base = base;
    p.home = base->operands[0];
    p.step = p.home->op == IR_for_range;
  } else
    p.is_known = false;
  p.plus += plus;
  return p;
}

const Place *places_of(const Refusal *f, const IrStmt *access)
{
  Place **places = &f->places[access->id];

  if (!*places) {
    *places = NEW_ARRAY(f->r->module->arena, Place, access->field->axis_count);
    for (int k = 0; k < access->field->axis_count; k++)
      (*places)[k] = place_of(f->r, access->operands[k]);
  }
  return *places;
}
