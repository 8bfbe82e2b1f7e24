/* virtual: what a kernel assigns to a virtual field stands where the field is read.
 *
 *   foreach_node a g {                        foreach_node b g {
 *     $1 = loop $0 index 0                      $4 = loop $3 index 0
 *     $2 = mul $1 $1                            check_bounds field a g $4
 *     write a g $1 $2                 =>        $6 = mul $4 $4
 *   }                                           write b g $4 $6
 *   foreach_node b g {                        }
 *     $4 = loop $3 index 0
 *     $5 = read a g $4
 *     write b g $4 $5
 *   }
 *
 * A kernel computes each by one assignment to all its cells (cover.c), and reads it behind
 * that.  What the assignment reads may not be changed in between: a value is what it would
 * be if it were stored, or the program is wrong and a finding says why.  In the loop of the
 * assignment itself the iteration's own cell is the value assigned.
 *
 * Needs: the module as written.
 * Guarantees: no statement reads or writes a virtual field; only checks of bounds name one.
 */
#include "gen/passes/modes.h"

enum { MOST_STATEMENTS = 20000 };        /* put into one kernel: neighbours of neighbours double */

typedef struct Virtual {
  IrModule *module;
  IrFunction *function;
  IrStmt **writes; int write_count;      /* in the order of the program */
  IrStmt **reads;  int read_count;
  int *position;                         /* by number of the read: its first id */
  int *write_position;
  int put;
} Virtual;

/* ---- findings ---- */

IrFinding *add_finding(IrModule *m, const IrField *field, const IrFunction *kernel, Loc loc,
                       const char *text)
{
  IrFinding finding = { .field = field, .kernel = kernel, .loc = loc, .text = text };

  vec_push(m->arena, m->findings, m->finding_count, finding);
  return &m->findings[m->finding_count - 1];
}

static bool is_told(const Virtual *v, const IrField *f)
{
  const IrModule *m = v->module;

  for (int k = 0; k < m->finding_count; k++) {
    const IrField *told = m->findings[k].field;
    if (m->findings[k].kind == IR_FOUND_ERROR && m->findings[k].kernel == v->function &&
        (told == f || ir_same_whole(told->name, f->name)))
      return true;
  }
  return false;
}

/* Once for each field of a function; NULL: it was. */
static IrFinding *fail(const Virtual *v, const IrStmt *s, const char *text)
{
  if (is_told(v, s->field))
    return NULL;
  return add_finding(v->module, s->field, v->function, s->loc, text);
}

/* ---- the accesses ---- */

static bool is_access(const IrStmt *s)
{
  return s->field && s->field->mode == FIELD_MODE_virtual;
}

static void note_access(IrStmt *s, void *user)
{
  Virtual *v = user;
  Arena *arena = v->module->arena;
  int count;

  if (!is_access(s))
    return;
  switch (s->op) {
  case IR_read:
    count = v->read_count;
    vec_push(arena, v->position, count, s->id);
    vec_push(arena, v->reads, v->read_count, s);
    break;
  case IR_write:
    count = v->write_count;
    vec_push(arena, v->write_position, count, s->id);
    vec_push(arena, v->writes, v->write_count, s);
    break;
  case IR_atomic: fail(v, s, "it is updated here: its value is what one assignment says"); break;
  case IR_cache:  fail(v, s, "it is staged here: nothing of it is stored"); break;
  default: break;
  }
}

/* ---- what computes it ---- */

typedef struct Definition {
  Cover cover;
  int position;                          /* of the write, before anything was put */
  const char *why_not;                   /* NULL, or why there is none */
} Definition;

static bool is_same(const IrStmt *a, const IrStmt *b)
{
  return a->field == b->field && a->slot == b->slot;
}

/* Of a field in a slot; a kernel that assigns it twice was told so. */
static Definition find_definition(const Virtual *v, const IrStmt *access)
{
  Definition d = { .why_not = "nothing in this kernel computes it" };

  for (int k = 0; k < v->write_count; k++)
    if (is_same(v->writes[k], access)) {
      d.why_not = find_cover(v->writes[k], &d.cover);
      d.position = v->write_position[k];
      return d;
    }
  return d;
}

static const char in_func[] = "a func uses it here: only the kernel that computes it can";

/* Each write is the only one of its field, and one that tells of all cells. */
static void check_writes(const Virtual *v)
{
  for (int k = 0; k < v->write_count; k++) {
    const char *why_not = NULL;
    Cover cover;
    for (int i = 0; i < k; i++)
      if (is_same(v->writes[i], v->writes[k]))
        why_not = "it is assigned here a second time: one assignment in a kernel computes it";
    if (!why_not)
      why_not = find_cover(v->writes[k], &cover);
    if (!v->function->is_kernel)
      why_not = in_func;
    if (why_not)
      fail(v, v->writes[k], why_not);
  }
}

/* ---- bounds ---- */

static IrStmt *put_bounds(Maker *make, const IrStmt *read, IrOp op, const Type *type)
{
  IrStmt *s = ir_stmt(make->module, op, type, read->loc, NULL);

  s->field = read->field;
  s->slot = read->slot;
  for (int k = 0; k < read->operand_count; k++) {
    IrStmt *index = read->operands[k];
    const bool is_short = index->type->bits < 32 || index->type->kind == TYPE_I32;
    ir_add_operand(make->module, s, make_cast(make, is_short ? TY(I32) : TY(I64), index));
  }
  return put(make, s);
}

static bool is_tested(const Virtual *v, const IrStmt *read)
{
  return read->field->border == IR_BORDER_DEFAULT ||
         (read->field->border == IR_BORDER_NONE && v->module->bounds == IR_BOUNDS_ZERO);
}

static bool is_trapped(const Virtual *v, const IrStmt *read)
{
  return read->field->border == IR_BORDER_NONE && v->module->bounds == IR_BOUNDS_TRAP;
}

/* ---- a read ---- */

/* The value inside the extents, the default outside. */
static IrStmt *put_tested(Virtual *v, Slice *slice, IrStmt *read)
{
  IrModule *m = v->module;
  Maker make = make_before(m, read), inner;
  IrStmt *test = put_bounds(&make, read, IR_inside, TY(BOOL)), *branch, *s;
  IrVariable *variable =
      make_hidden(m, v->function, is_at_kernel_level(read) ? IR_VAR_KERNEL : IR_VAR_LOCAL,
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

static IrStmt *put_value(Virtual *v, Slice *slice, IrStmt *read)
{
  Maker make = make_before(v->module, read);

  if (is_tested(v, read))
    return put_tested(v, slice, read);
  if (is_trapped(v, read))
    put_bounds(&make, read, IR_check_bounds, TY(VOID));
  return put_slice(slice, read, read);
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

/* NULL where the kernel has computed it. */
static const char *check_order(const Virtual *v, const Definition *d, int read)
{
  if (!v->function->is_kernel)
    return in_func;
  if (d->why_not)
    return d->why_not;
  if (v->position[read] < d->position)
    return "it is read here before this kernel computes it";
  if (!statement_in(d->cover.loop->parent, v->reads[read]))
    return "it is read here, and computed only under a condition or in a loop of the kernel";
  return NULL;
}

/* What takes the place of the read; NULL after a finding. */
static IrStmt *value_of(Virtual *v, const Definition *d, IrStmt *read)
{
  const IrStmt *write = d->cover.write, *change;
  Slice slice;

  if (stands_in(read, d->cover.loop) && is_own_access(&d->cover, read))
    return write->operands[write->operand_count - 1];
  slice = make_slice(v->module, v->function, &d->cover);
  if (slice.why_not) {
    fail(v, read, slice.why_not);
    return NULL;
  }
  change = change_between(&slice, &d->cover, read);
  if (change) {
    IrFinding *finding =
        fail(v, read, "what its computation reads is changed before it is read here");
    if (finding) {
      finding->changed = changed_name(&slice, change);
      finding->changed_loc = change->loc;
    }
    return NULL;
  }
  v->put += slice.count;
  if (v->put > MOST_STATEMENTS) {
    fail(v, read, "its computation would be repeated too often: store it");
    return NULL;
  }
  return put_value(v, &slice, read);
}

static void resolve_read(Virtual *v, int which)
{
  IrStmt *read = v->reads[which], *value = NULL;
  const Definition d = find_definition(v, read);
  const char *why_not = check_order(v, &d, which);
  Maker make = make_before(v->module, read);

  if (why_not)
    fail(v, read, why_not);
  else
    value = value_of(v, &d, read);
  if (!value)                            /* after a finding: no one will run it */
    value = make_value(&make, read->type, read->field->default_value);
  ir_replace_uses(v->function, read, value);
  ir_remove(read);
}

/* ---- what is left of the loops ---- */

static void note_effect(IrStmt *s, void *user)
{
  bool *has_effect = user;

  switch (s->op) {
  case IR_declare: case IR_set:
    *has_effect = *has_effect || s->variable->kind == IR_VAR_KERNEL;
    break;
  case IR_if: case IR_while: case IR_for_range: case IR_break: case IR_continue:
  case IR_unique: case IR_cache: case IR_check_bounds:
    break;
  default:
    if (ir_effects(s) == IR_WRITES || ir_effects(s) == IR_CONTROL)
      *has_effect = true;
  }
}

static void remove_write(IrStmt *write)
{
  IrStmt *loop = write->parent->owner;
  bool has_effect = false;

  ir_remove(write);
  if (!loop || (loop->op != IR_foreach_node && loop->op != IR_foreach_range))
    return;
  ir_walk(loop->blocks[0], note_effect, &has_effect);
  if (!has_effect)
    ir_remove(loop);
}

/* ---- kernels and functions ---- */

static void resolve_function(IrModule *m, IrFunction *f)
{
  Virtual v = { .module = m, .function = f };

  give_ids(f);
  note_declarations(f);
  ir_walk(f->body, note_access, &v);
  check_writes(&v);
  for (int k = 0; k < v.read_count; k++)
    resolve_read(&v, k);
  for (int k = 0; k < v.write_count; k++)
    remove_write(v.writes[k]);
}

void pass_virtual(IrModule *m)
{
  for_each_function(m, resolve_function);
}
