/* Reads of a field that a kernel computes by one assignment to all its cells (cover.c): what is
 * computed takes the place of the read (slice.c).
 *
 * What the assignment reads may not be changed in between: a value is what it would be if it
 * were stored.  In the loop of the assignment itself the iteration's own cell is the value
 * assigned.
 *
 * Needs: the module as written.
 */
#include "gen/passes/mode_tools.h"

/* ---- the accesses ---- */

static void note_access(Computed *c, IrStmt *s)
{
  Arena *arena = c->module->arena;
  int count;

  if (!s->field || !c->is_meant(s, c))
    return;
  switch (s->op) {
  case IR_read:
    count = c->read_count;
    vec_push(arena, c->position, count, s->id);
    vec_push(arena, c->reads, c->read_count, s);
    break;
  case IR_write:
    count = c->write_count;
    vec_push(arena, c->write_position, count, s->id);
    vec_push(arena, c->writes, c->write_count, s);
    break;
  case IR_atomic: case IR_cache:
    vec_push(arena, c->others, c->other_count, s);
    break;
  default:
    break;
  }
}

void note_computed(Computed *c)
{
  give_ids(c->function);
  note_declarations(c->function);
  for (IrStmt *s = ir_first(c->function->body); s; s = ir_next(s, c->function->body))
    note_access(c, s);
}

/* ---- what computes it ---- */

static bool is_same(const IrStmt *a, const IrStmt *b)
{
  return a->field == b->field && a->slot == b->slot;
}

const char *check_definition(const Computed *c, int which)
{
  static const char twice[] =
      "it is assigned here a second time: one assignment in a kernel computes it";
  Cover cover;

  for (int k = 0; k < which; k++)
    if (is_same(c->writes[k], c->writes[which]))
      return twice;
  return find_cover(c->writes[which], &cover);
}

/* NULL: the first assignment of the field in the slot computes it. */
static const char *find_definition(const Computed *c, int read, Cover *cover)
{
  for (int k = 0; k < c->write_count; k++) {
    const char *why_not;
    if (!is_same(c->writes[k], c->reads[read]))
      continue;
    why_not = find_cover(c->writes[k], cover);
    if (!why_not && c->position[read] < c->write_position[k])
      return "it is read here before this kernel computes it";
    return why_not;
  }
  return "nothing in this kernel computes it";
}

/* What is changed between the assignment and the read, or NULL. */
static const IrStmt *change_between(const Slice *slice, const Cover *c, const IrStmt *read)
{
  IrBlock *around = c->loop->parent;
  IrStmt *at = statement_in(around, read);
  const IrStmt *change = find_change(slice, c->loop->blocks[0], at == c->loop ? 0 : c->write->id);
  bool is_between = false;

  for (int k = 0; k < around->count && !change; k++) {
    IrStmt *s = around->stmts[k];
    if (is_between)
      change = find_change_in(slice, s);
    if (s == at)
      break;
    is_between = is_between || s == c->loop;
  }
  return change;
}

/* ---- a read ---- */

const char *plan_read(Computed *c, int which, ComputedRead *r)
{
  const char *why_not;

  *r = (ComputedRead){ .read = c->reads[which] };
  why_not = find_definition(c, which, &r->cover);
  if (why_not)
    return why_not;
  if (!statement_in(r->cover.loop->parent, r->read))
    return "it is read here, and computed only under a condition or in a loop of the kernel";
  r->is_own = stands_in(r->read, r->cover.loop) && is_own_access(&r->cover, r->read);
  if (r->is_own)
    return NULL;
  r->slice = make_slice(c->module, c->function, &r->cover);
  if (r->slice.why_not)
    return r->slice.why_not;
  r->change = change_between(&r->slice, &r->cover, r->read);
  return r->change ? "what its computation reads is changed before it is read here" : NULL;
}

static bool is_tested(const Computed *c, const IrStmt *read)
{
  return read->field->border == BORDER_DEFAULT ||
         (read->field->border == BORDER_NONE && c->module->bounds == IR_BOUNDS_ZERO);
}

static bool is_trapped(const Computed *c, const IrStmt *read)
{
  return read->field->border == BORDER_NONE && c->module->bounds == IR_BOUNDS_TRAP;
}

/* The value inside the extents, the default outside. */
static IrStmt *put_tested(Computed *c, Slice *slice, IrStmt *read)
{
  IrModule *m = c->module;
  Maker make = make_before(m, read), inner;
  IrStmt *test = put_bounds_test(&make, c->function, read, IR_inside), *branch, *s;
  IrVariable *variable;

  if (!test)
    return put_slice(slice, read, read);
  variable = make_hidden(m, c->function, is_at_kernel_level(read) ? IR_VAR_KERNEL : IR_VAR_LOCAL,
                         ir_whole_name(m->arena, read->field->name), read->type);
  s = put(&make, ir_stmt(m, IR_declare, TY(VOID), read->loc,
                         make_value(&make, read->type, read->field->default_value), NULL));
  s->variable = variable;
  branch = put(&make, ir_stmt(m, IR_if, TY(VOID), read->loc, test, NULL));
  branch->blocks[0] = ir_block(m, branch);
  branch->blocks[1] = ir_block(m, branch);
  inner = make_at_end(m, branch->blocks[0], read);
  s = put(&inner, ir_stmt(m, IR_set, TY(VOID), read->loc, read, NULL));
  s->variable = variable;
  s->operands[0] = put_slice(slice, s, read);
  s = put(&make, ir_stmt(m, IR_get, read->type, read->loc, NULL));
  s->variable = variable;
  return s;
}

static IrStmt *put_value(Computed *c, Slice *slice, IrStmt *read)
{
  Maker make = make_before(c->module, read);

  if (is_tested(c, read))
    return put_tested(c, slice, read);
  if (is_trapped(c, read))
    put_bounds_test(&make, c->function, read, IR_check_bounds);
  return put_slice(slice, read, read);
}

IrStmt *put_computed(Computed *c, ComputedRead *r)
{
  if (r->is_own)
    return r->cover.write->operands[r->cover.write->operand_count - 1];
  return put_value(c, &r->slice, r->read);
}

void replace_read(const Computed *c, IrStmt *read, IrStmt *value)
{
  ir_replace_uses(c->function, read, value);
  ir_remove(read);
}

/* ---- what is left of the loops ---- */

static bool has_effect(const IrStmt *s)
{
  switch (s->op) {
  case IR_declare: case IR_set:
    return s->variable->kind == IR_VAR_KERNEL;
  case IR_if: case IR_while: case IR_for_range: case IR_break: case IR_continue:
  case IR_unique: case IR_cache: case IR_check_bounds:
    return false;
  case IR_require:                       /* of another virtual field's bounds, as check_bounds */
    return s->index != IR_FAULT_BOUNDS;
  default:
    return ir_effects(s) >= IR_WRITES;
  }
}

void remove_write(IrStmt *write)
{
  IrStmt *loop = write->parent->owner;

  ir_remove(write);
  if (!loop || !ir_is(loop, IR_FOREACH))
    return;
  for (IrStmt *s = ir_first(loop->blocks[0]); s; s = ir_next(s, loop->blocks[0]))
    if (has_effect(s))
      return;
  ir_remove(loop);
}
