/* What has to be computed again, so that the statements can go back: from what has an adjoint to
 * the values that its derivative needs, and to what these are computed by.
 */
#include "gen/derive/adjoint.h"

typedef struct Needs {
  Reverse *r;
  bool *marks;                /* `needed` or `early` */
  bool is_in_unit;            /* what a unit met of the kernel's own is at hand */
  Map variables;              /* all that sets these is marked */
} Needs;

static void need(Needs *, IrStmt *);

/* Of the kernel's own the unit that goes back has what it met: what it sets itself matters. */
static void need_in_unit(Needs *n, const IrStmt *get)
{
  IrStmt *unit = (IrStmt *)(uintptr_t)unit_of(get);

  for (IrStmt *s = unit; s; s = ir_next_in(s, unit))
    if (ir_changes(s, IR_OF_LOCAL) && s->variable == get->variable && !ir_is(unit, IR_FOREACH))
      need(n, s);
}

static void need_variable(Needs *n, IrVariable *v)
{
  const IrBlock *primal = n->r->primal;

  if (map_get(&n->variables, v))
    return;
  map_put(&n->variables, v, v);
  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if (ir_changes(s, IR_OF_LOCAL) && s->variable == v)
      need(n, s);
}

/* What decides whether s is done, and how often. */
static void need_control(Needs *n, const IrStmt *s)
{
  for (IrStmt *owner = s->parent->owner; owner; owner = owner->parent->owner)
    need(n, owner);
}

static void need(Needs *n, IrStmt *s)
{
  if (n->marks[s->id])
    return;
  n->marks[s->id] = true;
  for (int k = 0; k < s->operand_count; k++)
    need(n, s->operands[k]);
  if (s->op == IR_get && s->variable->kind == IR_VAR_KERNEL && n->is_in_unit)
    need_in_unit(n, s);
  else if (s->op == IR_get)
    need_variable(n, s->variable);
  need_control(n, s);
}

/* ---- what goes back ---- */

static bool has_adjoint(const Reverse *r, const IrStmt *s)
{
  switch (s->op) {
  case IR_write: case IR_atomic:
    return s->field->grad != NULL;
  case IR_update:
    return variable_varies(&r->varied, s->variable) && unit_of(s);
  case IR_declare: case IR_set:
    return variable_varies(&r->varied, s->variable);
  case IR_deactivate_all:
    return resets_derived(s);
  default:
    return value_varies(&r->varied, s);
  }
}

static void note_goes_back(Reverse *r)
{
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal)) {
    if (!has_adjoint(r, s))
      continue;
    for (IrStmt *at = s; at && !r->goes_back[at->id]; at = at->parent->owner)
      r->goes_back[at->id] = true;
  }
}

/* ---- the roots ---- */

static void need_operands(Needs *n, const IrStmt *s, int count)
{
  for (int k = 0; k < count; k++)
    need(n, s->operands[k]);
}

/* Of an operation the values that the derivative by a varied operand has in it. */
static void need_for_partials(Needs *n, IrStmt *s)
{
  switch (s->op) {
  case IR_neg: case IR_add: case IR_sub: case IR_cast: case IR_part: case IR_get:
    return;
  case IR_select:
    need(n, s->operands[0]);
    return;
  case IR_mul:
    for (int k = 0; k < 2; k++)
      if (value_varies(&n->r->varied, s->operands[1 - k]))
        need(n, s->operands[k]);
    return;
  default:
    need(n, s);
  }
}

static void need_to_go_back(Needs *n, IrStmt *s)
{
  switch (s->op) {
  case IR_if:
    need(n, s->operands[0]);
    return;
  case IR_write: case IR_atomic:
    need_operands(n, s, s->field->axis_count);
    return;
  case IR_read:
    need_operands(n, s, s->operand_count);
    return;
  case IR_declare: case IR_set: case IR_update: case IR_deactivate_all:
    return;
  default:
    if (ir_is(s, IR_LOOPS | IR_FOREACH))
      need(n, s);
    else
      need_for_partials(n, s);
  }
}

/* A loop over parallel loops around s, within `within`, whose turns compute anew what they need. */
static bool is_in_turn(const IrStmt *s, const IrStmt *within)
{
  for (IrStmt *at = s->parent->owner; at && at != within; at = at->parent->owner)
    if (ir_is(at, IR_LOOPS) && !is_unit(at))
      return true;
  return false;
}

/* On the kernel's own level what is needed is computed early, and so are the kernel-level variables
 * that a unit reads. */
static void need_early(Needs *early, IrStmt *s, const IrStmt *within)
{
  if (!unit_of(s) && !is_in_turn(s, within) && (!ir_is(s, IR_LOOPS) || is_unit(s)))
    need(early, s);
  else if (s->op == IR_get && s->variable->kind == IR_VAR_KERNEL)
    need_variable(early, s->variable);
}

bool *early_in_turn(Reverse *r, IrStmt *loop)
{
  Needs early = { .r = r };

  early.marks = NEW_ARRAY(r->module->arena, bool, r->ids);
  map_init(&early.variables, r->module->arena);
  for (IrStmt *s = ir_next_in(loop, loop); s; s = ir_next_in(s, loop))
    if (r->needed[s->id])
      need_early(&early, s, loop);
  return early.marks;
}

bool *wanted_behind(Reverse *r, IrStmt *loop, const bool *wanted)
{
  Needs n = { .r = r, .is_in_unit = true };
  bool found = false;

  n.marks = NEW_ARRAY(r->module->arena, bool, r->ids);
  map_init(&n.variables, r->module->arena);
  for (IrStmt *s = loop; s; s = ir_next_in(s, loop)) {
    bool hands_on = (s->op == IR_set || s->op == IR_update) && wanted[s->id] &&
                    !is_declared_in(r, s->variable, loop) &&
                    !(loop->op == IR_while && s->variable == loop->operands[0]->variable);
    if (hands_on)
      need(&n, s);
    found = found || hands_on;
  }
  return found ? n.marks : NULL;
}

static void note_repeated(Reverse *r, const bool *marks)
{
  for (int k = 0; k < r->ids; k++)
    r->repeated[k] = r->repeated[k] || marks[k];
}

/* What is computed early is that of the kernel's own level and of each turn of a loop there. */
static void find_repeated(Reverse *r)
{
  note_repeated(r, r->needed);
  note_repeated(r, r->early);
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    if (r->goes_back[s->id] && ir_is(s, IR_LOOPS) && !unit_of(s))
      note_repeated(r, early_in_turn(r, s));
}

void find_needed(Reverse *r)
{
  Needs needs = { .r = r, .marks = r->needed, .is_in_unit = true };
  Needs early = { .r = r, .marks = r->early };

  map_init(&needs.variables, r->module->arena);
  map_init(&early.variables, r->module->arena);
  note_goes_back(r);
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    if (r->goes_back[s->id])
      need_to_go_back(&needs, s);
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    if (r->needed[s->id])
      need_early(&early, s, NULL);
  find_repeated(r);
}
