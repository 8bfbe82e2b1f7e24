/* The adjoint finds fields, arrays and cells as the kernel has left them.  So of what it computes
 * again, or adds to, nothing may be changed behind where the kernel used it.
 */
#include "gen/derive/refuse.h"

/* ---- two trees ---- */

static bool are_apart(const IrFunction *f, const char *slot, const char *other)
{
  for (int k = 0; k < f->apart_count; k++)
    if (f->apart[k].slot == slot && f->apart[k].other == other)
      return true;
  return false;
}

/* Whether what s does to its slot leaves alone what is used in the other one: a call that gives
 * both one tree is refused. */
static bool keep_apart(Refusal *f, const IrStmt *used, const IrStmt *s)
{
  IrFunction *function = f->r->function;
  const IrSlot *slot = &function->slots[used->slot], *other = &function->slots[s->slot];
  const IrApart apart = { slot->name, other->name };

  if (slot == other || slot->is_merge || other->is_merge)
    return false;
  if (!are_apart(function, apart.slot, apart.other))
    vec_push(f->r->module->arena, function->apart, function->apart_count, apart);
  return true;
}

/* ---- what is later ---- */

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

typedef bool ChangeTest(const Refusal *, const IrStmt *s, const IrStmt *used);

/* What changes, in the same tree, what `used` is about; NULL: nothing. */
static const IrStmt *find_change(Refusal *f, const IrStmt *used, ChangeTest *changes, bool is_later)
{
  const IrBlock *primal = f->r->primal;

  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal))
    if (changes(f, s, used) && (!is_later || is_after(s, used)) &&
        (used->variable || !keep_apart(f, used, s)))
      return s;
  return NULL;
}

/* ---- fields and arrays ---- */

/* By constants that differ they name two. */
static bool may_be_one_cell(const IrStmt *a, const IrStmt *b)
{
  for (int k = 0; a->field->border == BORDER_NONE && k < a->field->axis_count; k++)
    if (is_const(a->operands[k]) && is_const(b->operands[k]) &&
        a->operands[k]->value.i != b->operands[k]->value.i)
      return false;
  return true;
}

static bool assigns(const Refusal *f, const IrStmt *s, const IrStmt *used)
{
  (void)f;
  return (s->op == IR_write || s->op == IR_atomic) && s->field == used->field &&
         may_be_one_cell(s, used);
}

static bool overwrites(const Refusal *f, const IrStmt *s, const IrStmt *used)
{
  return assigns(f, s, used) && !is_another_cell(f, used, s);
}

static bool assigns_array(const Refusal *f, const IrStmt *s, const IrStmt *used)
{
  (void)f;
  return (s->op == IR_array_write || s->op == IR_array_atomic) && s->variable == used->variable;
}

/* Whether the adjoint of s changes the adjoint that `used` reads. */
static bool changes_adjoint(const Refusal *f, const IrStmt *s, const IrStmt *used)
{
  return (s->op == IR_read || s->op == IR_write) && f->r->goes_back[s->id] &&
         s->field->grad == used->field;
}

static void check_overwritten(Refusal *f, const IrStmt *used, const char *name, ChangeTest *changes,
                              const char *note)
{
  const IrStmt *s = find_change(f, used, changes, true);

  if (s)
    refuse(f, used, say(f, "'%s' is read here and overwritten later", name), s,
           say(f, note, name));
}

/* What is local is at its default when the adjoint, a call of its own, begins. */
static void check_local(Refusal *f, const IrStmt *read)
{
  const IrStmt *s = read->field->mode == FIELD_MODE_local ? find_change(f, read, assigns, false)
                                                          : NULL;

  if (s)
    refuse(f, read, say(f, "'%s' is local, and the adjoint, a call of its own, does not find what "
                           "is read here", read->field->name), s,
           say(f, "'%s' is assigned here: take its 'local' away, or compute it in a variable",
               read->field->name));
}

static void check_adjoint_read(Refusal *f, const IrStmt *read)
{
  const IrStmt *s = find_change(f, read, changes_adjoint, false);

  if (s)
    refuse(f, read, say(f, "'%s' is read here, and the kernel's adjoint changes it",
                        read->field->name), s,
           say(f, "this changes '%s' when it goes back: read a copy, made in another kernel",
               read->field->name));
}

static void check_read(Refusal *f, const IrStmt *read)
{
  const bool is_repeated = f->r->repeated[read->id];

  if (is_repeated || read->field->grad)
    check_overwritten(f, read, read->field->name, overwrites,
                      "'%s' is overwritten here: assign another field, or in another kernel");
  if (!is_repeated)
    return;
  check_local(f, read);
  check_adjoint_read(f, read);
}

static void check_array_read(Refusal *f, const IrStmt *read)
{
  if (f->r->repeated[read->id])
    check_overwritten(f, read, read->variable->name, assigns_array,
                      "'%s' is overwritten here: write into another array, or in another kernel");
}

/* ---- what is active already ---- */

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

/* Whether the loop and s count the same cells along the axis, and not tiles and cells in tiles. */
static bool is_as_fine(const IrStmt *s, const IrStmt *loop, const IrSNode *node, int axis)
{
  return ir_below(node, ir_snode(s), axis) == ir_below(node, ir_snode(loop), axis);
}

/* Of the cell that the loop stands on, as far as `node` goes: it is active already. */
static bool is_own_cell(const IrStmt *s, const IrStmt *loop, const IrSNode *node)
{
  int count = s->field ? s->field->axis_count : s->snode->path_axis_count;

  if (s->slot != loop->slot)
    return false;
  for (int k = 0; k < count; k++) {
    int axis = axis_of_index(s, k);
    if (node->total[axis] != 1 &&
        !(is_own_index(s, k, loop) && is_as_fine(s, loop, node, axis)))
      return false;
  }
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

/* ---- what is taken out ---- */

/* Whether it takes out cells in which the field lies. */
static bool takes_out(const Refusal *f, const IrStmt *s, const IrStmt *used)
{
  const IrSNode *n = ir_is(s, IR_DEACTIVATES) ? used->field->snode : NULL;

  (void)f;
  while (n && n != ir_snode(s))
    n = n->parent;
  return n != NULL;
}

/* Whether it makes cells active of those that `used`, a deactivate, takes out. */
static bool brings_back(const Refusal *f, const IrStmt *s, const IrStmt *used)
{
  const IrSNode *n = ir_activates(s) ? ir_snode(s) : NULL;

  (void)f;
  while (n && n != used->snode)
    n = n->parent;
  return n && !is_active_already(s, used->snode);
}

static bool has_derived(const IrSNode *node)
{
  const IrTree *tree = node->tree;

  for (int k = 0; k < tree->field_count; k++)
    for (const IrSNode *n = tree->fields[k]->grad ? tree->fields[k]->snode : NULL; n; n = n->parent)
      if (n == node)
        return true;
  return false;
}

/* What becomes active again has its default, and its adjoint ought to be 0: one cell's is not set
 * to that, as all are (reset.c). */
static void check_brought_back(Refusal *f, const IrStmt *taken)
{
  const IrStmt *s = has_derived(taken->snode) ? find_change(f, taken, brings_back, true) : NULL;

  if (s)
    refuse(f, taken, say(f, "cells of '%s' are deactivated here, and may become active again later",
                         taken->snode->name), s,
           say(f, "cells of '%s' become active here: do it in another kernel",
               taken->snode->name));
}

/* Of what is read the adjoint needs the value, or adds to its adjoint, which is gone. */
static void check_taken_out(Refusal *f, const IrStmt *read)
{
  const char *name = read->field->name;
  const bool is_used = f->r->repeated[read->id] ||
                       (read->field->grad && f->r->goes_back[read->id]);
  const IrStmt *s = is_used ? find_change(f, read, takes_out, true) : NULL;

  if (s)
    refuse(f, read, say(f, "'%s' is read here, and its cells are deactivated later", name), s,
           say(f, "cells of '%s' are deactivated here: do it in another kernel", name));
}

/* ---- activity ---- */

static const IrSNode *sparse_above(const IrSNode *n)
{
  while (n && !ir_is_sparse(n))
    n = n->parent;
  return n;
}

static const IrSNode *common_sparse(const IrSNode *a, const IrSNode *b)
{
  const IrSNode *found = NULL;

  for (const IrSNode *n = a; n && !found; n = n->parent)
    for (const IrSNode *m = b; m && !found; m = m->parent)
      if (n == m && ir_is_sparse(n))
        found = n;
  return found;
}

/* A sparse SNode whose cells s makes active or takes out, and on which `asks` depends. */
static const IrSNode *changed_by(const IrStmt *s, const IrStmt *asks)
{
  if (ir_is(s, IR_DEACTIVATES) && !ir_snode(s)->parent && ir_snode(s)->tree == ir_snode(asks)->tree)
    return sparse_above(ir_snode(asks));
  if (ir_activates(s) || ir_is(s, IR_DEACTIVATES))
    return common_sparse(ir_snode(s), ir_snode(asks));
  return NULL;
}

/* A loop over cells, or a question, that would find others when the kernel goes back. */
static void check_activity(Refusal *f, const IrStmt *asks)
{
  const IrBlock *primal = f->r->primal;

  for (IrStmt *s = ir_first(primal); s; s = ir_next(s, primal)) {
    const IrSNode *common = changed_by(s, asks);
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
  const bool is_loop = s->op == IR_foreach_node, asks = s->op == IR_is_active || s->op == IR_length;

  if ((is_loop && f->r->goes_back[s->id]) || ((is_loop || asks) && f->r->repeated[s->id]))
    check_activity(f, s);
}

/* ---- serial loops over cells, whose adjoints go through them in any order ---- */

/* Whether the accesses of two iterations that differ in the loop's index d do: they have that
 * index, with one constant, in one place. */
static bool differ_in(const IrStmt *a, const IrStmt *b, const IrStmt *loop, int d)
{
  for (int k = 0; k < a->field->axis_count; k++) {
    int64_t plus[2];
    const IrStmt *index[2] = { ir_without_casts(ir_without_constant(a->operands[k], &plus[0])),
                               ir_without_casts(ir_without_constant(b->operands[k], &plus[1])) };
    bool is_same = plus[0] == plus[1];
    for (int n = 0; n < 2; n++)
      is_same = is_same && index[n]->op == IR_loop_index && index[n]->operands[0] == loop &&
                index[n]->index == d;
    if (is_same)
      return true;
  }
  return false;
}

static bool may_meet(const IrStmt *a, const IrStmt *b, const IrStmt *loop)
{
  for (int d = 0; d < loop->variable_count; d++)
    if (!differ_in(a, b, loop, d))
      return true;
  return false;
}

/* Of a cell that one iteration assigns, and another one too, the last one counts. */
static void check_collision(Refusal *f, const IrStmt *s)
{
  const IrStmt *loop = s->op == IR_write && s->field->grad ? foreach_around(s) : NULL;
  IrStmt *whole = (IrStmt *)(uintptr_t)loop;

  if (!loop || !loop->manner.is_serial)
    return;
  for (IrStmt *other = whole; other; other = ir_next_in(other, loop))
    if (assigns(f, other, s) && may_meet(s, other, loop)) {
      refuse(f, s, say(f, "iterations of a serial loop over cells may assign one cell of '%s' "
                          "after another", s->field->name), other,
             "it is assigned here too: loop over a range, or assign by '+=' alone");
      return;
    }
}

/* ---- all of it ---- */

void check_order(Refusal *f, const IrStmt *s)
{
  check_question(f, s);
  if (s->op == IR_read) {
    check_read(f, s);
    check_taken_out(f, s);
  }
  if (s->op == IR_array_read)
    check_array_read(f, s);
  if (s->op == IR_deactivate)
    check_brought_back(f, s);
  check_collision(f, s);
}
