/* What has no derivative, each with the lines that say so. */
#include "gen/derive/adjoint.h"

typedef struct Refusal {
  const Reverse *r;
  int *uses;                  /* by id */
  bool found;
} Refusal;

static void refuse(Refusal *f, const IrStmt *at, const char *text, const IrStmt *other,
                   const char *note)
{
  add_underived(f->r->module, f->r->function, at->loc, text, other ? other->loc : (Loc){ 0 },
                note);
  f->found = true;
}

static const char *say(const Refusal *f, const char *text, const char *name)
{
  Arena *arena = f->r->module->arena;

  return intern_format(arena, text, ir_whole_name(arena, name));
}

/* ---- two trees ---- */

static bool are_apart(const IrFunction *f, const char *slot, const char *other)
{
  for (int k = 0; k < f->apart_count; k++)
    if (f->apart[k].slot == slot && f->apart[k].other == other)
      return true;
  return false;
}

/* Whether what s does to its slot leaves alone what is read in the other one: a call that gives
 * both one tree is refused. */
static bool keep_apart(Refusal *f, const IrStmt *read, const IrStmt *s)
{
  IrFunction *function = f->r->function;
  const IrSlot *slot = &function->slots[read->slot], *other = &function->slots[s->slot];
  const IrApart apart = { slot->name, other->name };

  if (slot == other || slot->is_merge || other->is_merge)
    return false;
  if (!are_apart(function, apart.slot, apart.other))
    vec_push(f->r->module->arena, function->apart, function->apart_count, apart);
  return true;
}

/* ---- what is read and later overwritten ---- */

static bool in_one_loop(const IrStmt *a, const IrStmt *b)
{
  for (IrStmt *at = a->parent->owner; at; at = at->parent->owner)
    if (ir_is(at, IR_LOOPS) || (ir_is(at, IR_FOREACH) && at->manner.is_serial))
      for (IrStmt *other = b->parent->owner; other; other = other->parent->owner)
        if (at == other)
          return true;
  return false;
}

static bool is_after(const IrStmt *b, const IrStmt *a)
{
  return b->id > a->id || in_one_loop(a, b);
}

static void check_read(Refusal *f, const IrStmt *read)
{
  const IrBlock *primal = f->r->primal;

  if (!read->field->grad && !f->r->needed[read->id])
    return;
  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if ((s->op == IR_write || s->op == IR_atomic) && s->field == read->field &&
        is_after(s, read) && !keep_apart(f, read, s)) {
      refuse(f, read, say(f, "'%s' is read here and overwritten later", read->field->name), s,
             say(f, "'%s' is overwritten here: assign another field, or in another kernel",
                 read->field->name));
      return;
    }
}

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

  if (!loop || get->variable->kind != IR_VAR_KERNEL || !value_varies(&f->r->varied, get))
    return;
  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if (s->op == IR_update && s->variable == get->variable && foreach_around(s) == loop) {
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
  if (!f->r->needed[s->id])
    return;
  if (s->op == IR_append)
    refuse(f, s, "the derivative depends on where an element was appended: write into the list in "
                 "another kernel", NULL, NULL);
  else if (ir_is(s, IR_DRAWS))
    refuse(f, s, "the derivative depends on a random number, which would be drawn anew: keep it in "
                 "a field, in another kernel", NULL, NULL);
  else if (s->op == IR_atomic || s->op == IR_array_atomic)
    refuse(f, s, "the derivative depends on what was there before an update", NULL, NULL);
}

/* ---- activity ---- */

static const IrSNode *common_sparse(const IrSNode *a, const IrSNode *b)
{
  const IrSNode *found = NULL;

  for (const IrSNode *n = a; n && !found; n = n->parent)
    for (const IrSNode *m = b; m && !found; m = m->parent)
      if (n == m && ir_is_sparse(n))
        found = n;
  return found;
}

static int axis_of_index(const IrStmt *s, int k)
{
  return s->field ? s->field->axes[k] : s->snode->path_axes[k];
}

/* Whether index k is that of the cell that the loop stands on. */
static bool is_own_index(const IrStmt *s, int k, const IrStmt *loop)
{
  int64_t plus;
  const IrStmt *index = ir_without_casts(ir_without_constant(s->operands[k], &plus));
  int64_t origin = s->field ? s->field->origin[k] : 0;

  return index->op == IR_loop_index && index->operands[0] == loop && plus == origin &&
         axis_of_index(loop, index->index) == axis_of_index(s, k);
}

/* Of the cell that the loop stands on, as far as `node` goes: it is active already. */
static bool is_own_cell(const IrStmt *s, const IrStmt *loop, const IrSNode *node)
{
  int count = s->field ? s->field->axis_count : s->snode->path_axis_count;

  if (s->slot != loop->slot)
    return false;
  for (int k = 0; k < count; k++)
    if (node->total[axis_of_index(s, k)] != 1 && !is_own_index(s, k, loop))
      return false;
  return true;
}

/* What a loop over cells does to its own activates nothing. */
static bool is_active_already(const IrStmt *s, const IrSNode *common)
{
  const IrStmt *loop = ir_activates(s) ? foreach_around(s) : NULL;

  if (!loop || loop->op != IR_foreach_node)
    return false;
  for (const IrSNode *n = ir_snode(loop); n; n = n->parent)
    if (n == common)
      return is_own_cell(s, loop, common);
  return false;
}

static bool changes_activity(const IrStmt *s)
{
  return ir_activates(s) || ir_is(s, IR_DEACTIVATES);
}

/* A loop over cells, or a question, that would find others when the kernel goes back. */
static void check_activity(Refusal *f, const IrStmt *asks)
{
  const IrBlock *primal = f->r->primal;

  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal)) {
    const IrSNode *common =
        changes_activity(s) ? common_sparse(ir_snode(s), ir_snode(asks)) : NULL;
    if (!common || !is_after(s, asks) || is_active_already(s, common) || keep_apart(f, asks, s))
      continue;
    refuse(f, asks, say(f, "it depends here on which cells of '%s' are active, and changes that "
                           "later", common->name), s,
           say(f, "cells of '%s' become active or inactive here: do it in another kernel",
               common->name));
    return;
  }
}

static void check_question(Refusal *f, const IrStmt *s)
{
  bool asks = s->op == IR_foreach_node ? f->r->goes_back[s->id]
                                       : ir_is(s, IR_SEES) && f->r->needed[s->id] &&
                                         (s->op == IR_is_active || s->op == IR_length);

  if (asks)
    check_activity(f, s);
}

/* ---- the whole ---- */

static void check_stmt(Refusal *f, IrStmt *s)
{
  check_repeatable(f, s);
  check_question(f, s);
  switch (s->op) {
  case IR_read:   check_read(f, s); return;
  case IR_write:  check_written(f, s); return;
  case IR_atomic: check_atomic(f, s); return;
  case IR_array_write: case IR_array_atomic: check_array(f, s); return;
  case IR_set: case IR_update: check_summand(f, s); return;
  case IR_get:    check_summed(f, s); return;
  case IR_while:
    if (f->r->goes_back[s->id] && !unit_of(s) && !can_go_back(f->r, s))
      refuse(f, s, "this loop over parallel loops does not count a variable up or down by a "
                   "constant, which is all that it hands on", NULL, NULL);
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

  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    for (int k = 0; k < s->operand_count; k++)
      f.uses[s->operands[k]->id]++;
  for (IrStmt *s = ir_first(r->primal); s; s = ir_next(s, r->primal))
    check_stmt(&f, s);
  return !f.found && told == 0;
}
