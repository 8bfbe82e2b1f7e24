/* What a kernel does to a field: whether it reads cells that it has not assigned itself, and
 * whether it leaves them all assigned.
 *
 * The kernel is gone through in the order of the program.  At each point there is a set of cells
 * of each field (cells.c) that have been assigned on every way that leads there, in the iteration
 * at hand; where ways meet, what both have; behind a loop, what its iterations make together.
 * Sets only grow: what was assigned stays so.  What a loop may leave out counts for nothing.
 *
 * In a parallel loop other iterations' assignments are ordered with nothing: only the
 * iteration's own count.
 */
#include "gen/passes/assigned.h"

enum { MOST_WAYS = 8 };                  /* variables that a value went through */

typedef struct State {                   /* at a point of the program */
  const Cells **cells;                   /* one for each use */
  bool is_dead;                          /* no way leads here */
} State;

typedef struct LoopEnd {                 /* of the loop around */
  struct LoopEnd *outer;
  State again, out;                      /* where a continue, where a break stands */
} LoopEnd;

typedef struct Finder {
  IrModule *module;
  IrFunction *kernel;
  bool (*is_wanted)(const IrField *);
  FieldUses *to;
  int **number;                          /* [slot][field's id] of its use, and 1; 0: none */
  const int *slots;                      /* of the call that leads here; NULL: none */
  State state, end;                      /* end: where the kernel ends early */
  LoopEnd *loop;
} Finder;

/* ---- uses ---- */

static int slot_of(const Finder *f, int slot)
{
  return f->slots ? f->slots[slot] : slot;
}

static FieldUse *use_of(const Finder *f, const IrField *field, int slot)
{
  const int number = f->number[slot_of(f, slot)][field->id];

  return number ? &f->to->uses[number - 1] : NULL;
}

static FieldUse *add_use(Finder *f, IrField *field, int slot)
{
  int *number = &f->number[slot_of(f, slot)][field->id];
  FieldUse use = { .field = field, .slot = slot_of(f, slot) };

  if (!*number) {
    vec_push(f->module->arena, f->to->uses, f->to->count, use);
    *number = f->to->count;
  }
  return &f->to->uses[*number - 1];
}

/* visit for the body of a function, in which slots mean the kernel's. */
static void walk_call(Finder *f, const IrStmt *s, void (*visit)(Finder *, IrStmt *))
{
  int *slots = NEW_ARRAY(f->module->arena, int, s->function->slot_count + 1);
  const int *outer = f->slots;

  for (int k = 0; k < s->function->slot_count; k++)
    slots[k] = slot_of(f, s->slots[k]);
  f->slots = slots;
  for (IrStmt *inner = ir_first(s->function->body); inner;
       inner = ir_next(inner, s->function->body))
    visit(f, inner);
  f->slots = outer;
}

static bool is_access(const Finder *f, const IrStmt *s)
{
  return ir_is(s, IR_OF_FIELD) && f->is_wanted(s->field);
}

/* Of the whole tree: its cells get their defaults. */
static bool is_reset(const IrStmt *s)
{
  return s->op == IR_deactivate_all && !s->snode->parent;
}

static void note_use(Finder *f, IrStmt *s)
{
  FieldUse *use;

  if (s->op == IR_call)
    walk_call(f, s, note_use);
  for (int k = 0; is_reset(s) && k < s->snode->tree->field_count; k++)
    if (f->is_wanted(s->snode->tree->fields[k]))
      add_use(f, s->snode->tree->fields[k], s->slot)->is_written = true;
  if (!is_access(f, s))
    return;
  use = add_use(f, s->field, s->slot);
  use->is_read = use->is_read || s->op != IR_write;
  use->is_written = use->is_written || ir_changes(s, IR_OF_FIELD);
  if (!use->first && !f->slots)
    use->first = s;
}

/* ---- states ---- */

static State copy_of(const Finder *f, State state)
{
  State copy = { NEW_ARRAY(f->module->arena, const Cells *, f->to->count + 1), state.is_dead };

  for (int k = 0; k < f->to->count; k++)
    copy.cells[k] = state.cells[k];
  return copy;
}

static State dead_state(const Finder *f)
{
  return (State){ NEW_ARRAY(f->module->arena, const Cells *, f->to->count + 1), true };
}

/* What holds whichever of the two ways was taken, in *to. */
static void meet(const Finder *f, State *to, State other)
{
  if (other.is_dead)
    return;
  if (to->is_dead) {
    *to = copy_of(f, other);
    return;
  }
  for (int k = 0; k < f->to->count; k++)
    to->cells[k] = cells_meet(f->module->arena, to->cells[k], other.cells[k],
                              f->to->uses[k].field);
}

/* ---- accesses ---- */

static const Cells **cells_of(const Finder *f, const FieldUse *use)
{
  return &f->state.cells[use - f->to->uses];
}

static void note_read(Finder *f, const IrStmt *s)
{
  FieldUse *use = use_of(f, s->field, s->slot);

  if (!f->state.is_dead && !cells_have_access(*cells_of(f, use), s))
    use->needs_old = true;
}

/* What a function assigns is known to nobody: its indices are its own. */
static void note_inner_read(Finder *f, IrStmt *s)
{
  if (s->op == IR_call)
    walk_call(f, s, note_inner_read);
  else if (is_access(f, s) && s->op != IR_write)
    note_read(f, s);
}

static void note_write(Finder *f, const IrStmt *s)
{
  const Cells **cells = cells_of(f, use_of(f, s->field, s->slot));

  *cells = cells_with_access(f->module->arena, *cells, s);
}

static void note_reset(Finder *f, const IrStmt *s)
{
  const IrTree *tree = s->snode->tree;

  for (int k = 0; k < tree->field_count; k++) {
    const FieldUse *use = use_of(f, tree->fields[k], s->slot);
    if (use)
      *cells_of(f, use) = cells_all(f->module->arena, tree->fields[k]);
  }
}

/* ---- whether a loop surely begins ---- */

static bool may_set(IrStmt *whole, const IrVariable *v)
{
  for (IrStmt *s = whole; s; s = ir_next_in(s, whole))
    if (ir_changes(s, IR_OF_LOCAL) && s->variable == v)
      return true;
  return false;
}

/* The statement that set the variable last before `where`; NULL: it is not known. */
static const IrStmt *last_setter(const IrVariable *v, IrStmt *where)
{
  const IrBlock *block = where->parent;
  int k = block->count;

  while (block->stmts[k - 1] != where)
    k--;
  for (k -= 2; k >= 0; k--)
    if (may_set(block->stmts[k], v))
      return block->stmts[k]->op == IR_declare || block->stmts[k]->op == IR_set
               ? block->stmts[k] : NULL;
  return block->owner && !may_set(block->owner, v) ? last_setter(v, block->owner) : NULL;
}

/* false: it is no constant, or one by way of too many variables. */
static bool value_of(IrStmt *s, int ways, int64_t *value)
{
  const IrStmt *set = s->op == IR_get && ways > 0 ? last_setter(s->variable, s) : NULL;

  if (set)
    return value_of(set->operands[0], ways - 1, value);
  if (!is_const(s) || type_is_float(s->type))
    return false;
  *value = s->value.i;
  return true;
}

/* The host's loops test a variable, which a comparison has set (gen/lower/task_loop.c). */
static bool is_true_at_first(IrStmt *loop)
{
  IrStmt *test = loop->operands[0];
  int64_t a, b;

  if (test->op == IR_get) {
    const IrStmt *set = last_setter(test->variable, loop);
    test = set ? set->operands[0] : test;
  }
  if (is_const(test))
    return test->value.i != 0;
  return test->op == IR_cmp_lt && value_of(test->operands[0], MOST_WAYS, &a) &&
         value_of(test->operands[1], MOST_WAYS, &b) && a < b;
}

/* ---- flow ---- */

static void go_through(Finder *f, const IrBlock *block);

static void go_through_if(Finder *f, const IrStmt *s)
{
  const State before = f->state;
  State first;

  f->state = copy_of(f, before);
  go_through(f, s->blocks[0]);
  first = f->state;
  f->state = copy_of(f, before);
  go_through(f, s->blocks[1]);
  meet(f, &f->state, first);
}

/* The state behind one iteration that goes on; *out: behind one that a break ends. */
static void go_through_body(Finder *f, const IrBlock *body, State *out)
{
  LoopEnd end = { f->loop, dead_state(f), dead_state(f) };

  f->loop = &end;
  go_through(f, body);
  f->loop = end.outer;
  meet(f, &f->state, end.again);
  *out = end.out;
}

/* Of a loop that a break may leave it is not known how far it came. */
static void go_through_loop(Finder *f, const IrStmt *s)
{
  const State before = copy_of(f, f->state);
  State out;

  go_through_body(f, s->blocks[0], &out);
  if (!out.is_dead || f->state.is_dead) {
    f->state = before;
    return;
  }
  for (int k = 0; k < f->to->count; k++)
    f->state.cells[k] = cells_behind(f->module->arena, before.cells[k], f->state.cells[k], s,
                                     f->to->uses[k].field, f->to->uses[k].slot);
}

/* Its condition is computed at least once; its body may never run, or surely does. */
static void go_through_while(Finder *f, IrStmt *s)
{
  State tested, out;

  go_through(f, s->blocks[0]);
  tested = copy_of(f, f->state);
  go_through_body(f, s->blocks[1], &out);
  go_through(f, s->blocks[2]);
  if (is_true_at_first(s))
    meet(f, &f->state, out);
  else
    f->state = tested;
}

static void leave(Finder *f, State *end)
{
  meet(f, end, f->state);
  f->state = dead_state(f);
}

static void go_through_one(Finder *f, IrStmt *s)
{
  switch (s->op) {
  case IR_read: case IR_atomic:
    if (is_access(f, s))
      note_read(f, s);
    break;
  case IR_write:
    if (is_access(f, s))
      note_write(f, s);
    break;
  case IR_deactivate_all:
    if (is_reset(s))
      note_reset(f, s);
    break;
  case IR_call:
    walk_call(f, s, note_inner_read);
    break;
  case IR_if:
    go_through_if(f, s);
    break;
  case IR_while:
    go_through_while(f, s);
    break;
  case IR_for_range: case IR_foreach_range: case IR_foreach_node:
    go_through_loop(f, s);
    break;
  case IR_break:
    leave(f, &f->loop->out);
    break;
  case IR_continue:
    leave(f, &f->loop->again);
    break;
  case IR_return:
    leave(f, &f->end);
    break;
  default:
    break;
  }
}

static void go_through(Finder *f, const IrBlock *block)
{
  for (int k = 0; block && k < block->count; k++)
    go_through_one(f, block->stmts[k]);
}

/* ---- a kernel ---- */

FieldUses find_field_uses(IrModule *m, IrFunction *kernel, bool (*is_wanted)(const IrField *))
{
  FieldUses found = { 0 };
  Finder f = { .module = m, .kernel = kernel, .is_wanted = is_wanted, .to = &found };

  f.number = NEW_ARRAY(m->arena, int *, kernel->slot_count + 1);
  for (int k = 0; k < kernel->slot_count; k++)
    f.number[k] = NEW_ARRAY(m->arena, int, kernel->slots[k].tree->field_count + 1);
  for (IrStmt *s = ir_first(kernel->body); s; s = ir_next(s, kernel->body))
    note_use(&f, s);
  f.state = dead_state(&f);
  f.state.is_dead = false;
  f.end = dead_state(&f);
  note_declarations(kernel);
  go_through(&f, kernel->body);
  leave(&f, &f.end);
  for (int k = 0; k < found.count; k++)
    found.uses[k].is_whole = cells_are_all(f.end.cells[k], found.uses[k].field);
  return found;
}
