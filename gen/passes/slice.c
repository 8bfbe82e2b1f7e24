/* What a value of a parallel loop's body is computed by, found and put elsewhere again.
 *
 * The slice of a value are the statements it needs: its operands; of a local all that sets
 * it before; the `if` or the loop around each, with what ends that loop.  What the loop's
 * own indices are is asked of who puts it elsewhere.
 *
 * Needs: the module as written, ids given (give_ids).
 */
#include "gen/passes/mode_tools.h"

#include <string.h>

static void need(Slice *s, IrStmt *x);

/* ---- what it needs ---- */

static void add_field(Slice *s, const IrField *f)
{
  for (int k = 0; k < s->field_count; k++)
    if (s->fields[k] == f)
      return;
  vec_push(s->module->arena, s->fields, s->field_count, f);
}

static void add_variable(Slice *s, const IrVariable *v)
{
  for (int k = 0; k < s->variable_count; k++)
    if (s->variables[k] == v)
      return;
  vec_push(s->module->arena, s->variables, s->variable_count, v);
}

static void refuse(Slice *s, const char *why)
{
  if (!s->why_not)
    s->why_not = why;
}

/* Of a local of the loop's body, whose iteration alone sets it. */
static void need_setters(Slice *s, const IrVariable *v)
{
  const IrBlock *body = s->cover->loop->blocks[0];

  for (IrStmt *x = ir_first(body); x; x = ir_next(x, body))
    if ((x->op == IR_declare || x->op == IR_set) && x->variable == v &&
        x->id < s->cover->write->id)
      need(s, x);
}

static const IrStmt *serial_loop_around(const IrStmt *s)
{
  for (const IrBlock *b = s->parent; b && b->owner; b = b->owner->parent)
    if (ir_is(b->owner, IR_LOOPS))
      return b->owner;
  return NULL;
}

static void need_ends(Slice *s, IrStmt *loop)
{
  for (IrStmt *x = loop; x; x = ir_next_in(x, loop))
    if ((x->op == IR_break || x->op == IR_continue) && serial_loop_around(x) == loop)
      need(s, x);
}

/* A function that it calls may read fields and compute. */
static void look_into(Slice *s, const IrFunction *f)
{
  for (IrStmt *x = ir_first(f->body); x; x = ir_next(x, f->body))
    switch (x->op) {
    case IR_read: add_field(s, x->field); break;
    case IR_call: look_into(s, x->function); break;
    case IR_declare: case IR_set: break;
    default:
      if (ir_is(x, IR_SEES))
        refuse(s, "its computation calls a func that asks which cells are active");
      else if (ir_effects(x) == IR_WRITES)
        refuse(s, "its computation calls a func that does more than compute");
    }
}

static void need_effects(Slice *s, IrStmt *x)
{
  switch (x->op) {
  case IR_get:
    if (x->variable->kind == IR_VAR_KERNEL)
      add_variable(s, x->variable);
    else
      need_setters(s, x->variable);
    break;
  case IR_read:       add_field(s, x->field); break;
  case IR_array_read: add_variable(s, x->variable); break;
  case IR_call:       look_into(s, x->function); break;
  case IR_while: case IR_for_range: need_ends(s, x); break;
  case IR_declare: case IR_set: break;
  default:
    if (ir_is(x, IR_DRAWS))
      refuse(s, "its computation draws random numbers, others each time");
    else if (ir_is(x, IR_SEES))
      refuse(s, "its computation asks which cells are active");
    else if (ir_effects(x) == IR_WRITES)
      refuse(s, "its computation changes what is stored");
  }
}

static void need(Slice *s, IrStmt *x)
{
  if (s->why_not || x == s->cover->loop || !stands_in(x, s->cover->loop) || s->needed[x->id])
    return;
  s->needed[x->id] = true;
  s->count++;
  need_effects(s, x);
  for (int k = 0; k < x->operand_count; k++)
    need(s, x->operands[k]);
  if (x->parent->owner)
    need(s, x->parent->owner);
}

Slice make_slice(IrModule *m, IrFunction *f, const Cover *cover)
{
  const IrStmt *write = cover->write;
  Slice s = { .module = m, .function = f, .cover = cover };

  s.needed = NEW_ARRAY(m->arena, bool, give_ids(f) + 1);
  need(&s, write->operands[write->operand_count - 1]);
  return s;
}

/* ---- what changes what it reads ---- */

static bool reads_field(const Slice *s, const IrField *f)
{
  for (int k = 0; k < s->field_count; k++)
    if (s->fields[k] == f)
      return true;
  return false;
}

static bool reads_variable(const Slice *s, const IrVariable *v)
{
  for (int k = 0; k < s->variable_count; k++)
    if (s->variables[k] == v)
      return true;
  return false;
}

/* Two slots may be one instance: the tree is what counts. */
static const IrField *field_of(const Slice *s, const IrTree *tree)
{
  for (int k = 0; k < s->field_count; k++)
    if (s->fields[k]->snode->tree == tree)
      return s->fields[k];
  return NULL;
}

static bool changes(const Slice *s, const IrStmt *x)
{
  if (ir_changes(x, IR_OF_FIELD))
    return reads_field(s, x->field);
  if (ir_changes(x, IR_OF_LOCAL | IR_OF_ARRAY))
    return reads_variable(s, x->variable);
  return ir_is(x, IR_DEACTIVATES) && field_of(s, x->snode->tree);
}

/* What x changes by itself, or the function that it calls. */
static const IrStmt *change_by(const Slice *s, const IrStmt *x)
{
  const IrStmt *found = changes(s, x) ? x : NULL;

  if (x->op == IR_call) {
    const IrBlock *body = x->function->body;
    for (IrStmt *inner = ir_first(body); inner && !found; inner = ir_next(inner, body))
      found = change_by(s, inner);
  }
  return found;
}

const IrStmt *find_change(const Slice *s, const IrBlock *block, int after)
{
  const IrStmt *found = NULL;

  for (IrStmt *x = ir_first(block); x && !found; x = ir_next(x, block))
    if (x->id > after)
      found = change_by(s, x);
  return found;
}

const IrStmt *find_change_in(const Slice *s, IrStmt *whole)
{
  const IrStmt *found = NULL;

  for (IrStmt *x = whole; x && !found; x = ir_next_in(x, whole))
    found = change_by(s, x);
  return found;
}

const char *changed_name(const Slice *s, const IrStmt *change)
{
  const IrField *field = change->field ? change->field
                         : change->snode ? field_of(s, change->snode->tree)
                                         : NULL;

  return ir_whole_name(s->module->arena, field ? field->name : change->variable->name);
}

/* ---- putting it elsewhere ---- */

/* Index k of the loop, of which the access has the field's. */
static IrStmt *index_there(Maker *make, const Cover *cover, const IrStmt *access, int k)
{
  IrStmt *index = access->operands[k];

  if (cover->plus[k] == 0)
    return index;
  index = make_cast(make, TY(I64), index);
  return put(make, ir_stmt(make->module, IR_sub, TY(I64), make->loc, index,
                           make_const(make, TY(I64), cover->plus[k]), NULL));
}

/* What the loop's indices are there. */
static void note_indices(const Slice *s, Copy *c, Maker *make, const IrStmt *access)
{
  const Cover *cover = s->cover;
  const IrBlock *body = cover->loop->blocks[0];
  IrStmt *index[MAX_AXES];

  for (int k = 0; k < cover->write->field->axis_count; k++)
    index[cover->dimension[k]] = index_there(make, cover, access, k);
  for (IrStmt *x = ir_first(body); x && x != cover->write; x = ir_next(x, body))
    if (x->op == IR_loop_index && x->operands[0] == cover->loop && s->needed[x->id])
      copy_note(c, x, make_cast(make, x->type, index[x->index]));
}

IrStmt *put_slice(Slice *s, IrStmt *where, const IrStmt *access)
{
  const IrStmt *write = s->cover->write;
  Maker make = make_before(s->module, where);
  Copy c;

  copy_init(&c, s->module, s->function);
  c.kind = is_at_kernel_level(access) ? IR_VAR_KERNEL : IR_VAR_LOCAL;
  c.needed = s->needed;
  note_indices(s, &c, &make, access);
  copy_block(&c, s->cover->loop->blocks[0], &make);
  return copied(&c, write->operands[write->operand_count - 1]);
}
