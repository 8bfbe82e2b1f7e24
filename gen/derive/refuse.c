/* What has no derivative, each with the lines that say so. */
#include "gen/derive/refuse.h"

/* ---- what is assigned ---- */

static void check_written(Refusal *f, const IrStmt *s)
{
  const IrStmt *value = s->operands[s->operand_count - 1];

  if (!s->field->grad && value_varies(&f->r->varied, value))
    refuse(f, s, say(f, "field '%s' is assigned what has an adjoint and has none: declare it "
                        "'with grad'", s->field->name), NULL, NULL);
}

static void check_atomic(Refusal *f, const IrStmt *s)
{
  check_written(f, s);
  if (!s->field->grad)
    return;
  if (s->update != OP_ADD && s->update != OP_SUB)
    refuse(f, s, say(f, "this update of '%s' has no derivative: += and -= have one",
                     s->field->name), NULL, NULL);
  else if (f->uses[s->id] > 0)
    refuse(f, s, say(f, "what '%s' was before the update is used, which has no derivative",
                     s->field->name), NULL, NULL);
}

static void check_array(Refusal *f, const IrStmt *s)
{
  if (value_varies(&f->r->varied, s->operands[s->operand_count - 1]))
    refuse(f, s, say(f, "array '%s' is assigned what has an adjoint and has none: use a field "
                        "'with grad'", s->variable->name), NULL, NULL);
}

/* ---- kernel-level variables in parallel loops ---- */

static void check_summand(Refusal *f, const IrStmt *s)
{
  const IrStmt *loop = foreach_around(s);

  if (!loop || s->variable->kind != IR_VAR_KERNEL ||
      !variable_varies(&f->r->varied, s->variable))
    return;
  if (s->op != IR_update || (s->update != OP_ADD && s->update != OP_SUB))
    refuse(f, s, say(f, "what iterations make of '%s' has no derivative but as a sum, += or -=",
                     s->variable->name), NULL, NULL);
  else if (f->uses[s->id] > 0)
    refuse(f, s, say(f, "what '%s' was before the update is used, which has no derivative",
                     s->variable->name), NULL, NULL);
}

static void check_summed(Refusal *f, const IrStmt *get)
{
  const IrBlock *primal = f->r->primal;
  const IrStmt *loop = foreach_around(get);

  if (!loop || get->variable->kind != IR_VAR_KERNEL ||
      !(value_varies(&f->r->varied, get) || f->r->repeated[get->id]))
    return;
  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if (ir_changes(s, IR_OF_LOCAL) && s->variable == get->variable && foreach_around(s) == loop) {
      refuse(f, get, say(f, "'%s' is read here while iterations sum it up", get->variable->name),
             s, say(f, "'%s' is updated here", get->variable->name));
      return;
    }
}

/* ---- operations ---- */

static void check_operation(Refusal *f, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (value_varies(&f->r->varied, s->operands[k]) && !has_partial(s)) {
      refuse(f, s, "the bits of a number have no derivative", NULL, NULL);
      return;
    }
}

/* What is done again when the kernel goes back has to give the same. */
static void check_repeatable(Refusal *f, const IrStmt *s)
{
  if (!f->r->repeated[s->id])
    return;
  if (s->op == IR_append)
    refuse(f, s, "the derivative depends on where an element was appended: write into the list in "
                 "another kernel", NULL, NULL);
  else if (ir_is(s, IR_DRAWS))
    refuse(f, s, "the derivative depends on a random number, which would be drawn anew: keep it in "
                 "a field, in another kernel", NULL, NULL);
  else if (s->op == IR_atomic || s->op == IR_array_atomic ||
           (s->op == IR_update && f->again[s->id] > 0 && foreach_around(s) &&
            s->variable->kind == IR_VAR_KERNEL))
    refuse(f, s, "the derivative depends on what was there before an update", NULL, NULL);
}

/* ---- the whole ---- */

static void check_stmt(Refusal *f, IrStmt *s)
{
  check_repeatable(f, s);
  check_order(f, s);
  switch (s->op) {
  case IR_write:  check_written(f, s); return;
  case IR_atomic: check_atomic(f, s); return;
  case IR_array_write: case IR_array_atomic: check_array(f, s); return;
  case IR_set: case IR_update: check_summand(f, s); return;
  case IR_get:    check_summed(f, s); return;
  case IR_while:
    if (f->r->goes_back[s->id] && !unit_of(s) && !can_go_back(f->r, s))
      refuse(f, s, "this loop over parallel loops cannot be counted back: a turn has to end with a "
                   "variable that goes up or down by a constant, and to hand on nothing else, to "
                   "the test or to the next turn", NULL, NULL);
    return;
  default:
    if (is_pure(s))
      check_operation(f, s);
  }
}

bool is_derivable(const Reverse *r)
{
  Refusal f = { .r = r, .uses = NEW_ARRAY(r->module->arena, int, r->ids) };
  int told = r->module->underived_count;

  f.again = NEW_ARRAY(r->module->arena, int, r->ids);
  f.places = NEW_ARRAY(r->module->arena, struct Place *, r->ids);
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    for (int k = 0; k < s->operand_count; k++) {
      f.uses[s->operands[k]->id]++;
      f.again[s->operands[k]->id] += r->repeated[s->id];
    }
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    check_stmt(&f, s);
  if (!f.found)
    note_spans(&f);
  return !f.found && told == 0;
}
