/* atomics: which accesses other iterations may meet.
 *
 *   <f32> $9 = cell_atomic u add $own $8   =>   .. plain: no one else comes
 *   <f32> $7 = load u $there               =>   .. relaxed: others store to u
 *
 * Needs: the module lowered; better after own_cell and share.
 * Guarantees, for each parallel task and the functions it calls:
 *   - an access is private when it goes to a place that this iteration alone
 *     reaches (ways.h): below its own cell, at indices that differ as the loop's do (i in
 *     8 * b .. 8 * b + 8 too), or what a `unique` names, in a cell that it has appended.
 *     Two fields' cells never meet; two slots of one tree type are taken for one
 *     instance; accesses of a function are private in such a cell only;
 *   - a private atomic is plain when no access of the task to its field is
 *     shared (not private in the same way); that of a cell, but for a compare_exchange, also when
 *     the shared ones only load: its new value is then a relaxed store;
 *   - a load is relaxed when another iteration may store to its field
 *     meanwhile, but for cells that are told apart from those by a rest (apart.h), a store when
 *     another may load or store there; who takes out a bitmasked cell, which stands in place,
 *     stores to all that stands in it.
 *   - a plain store of what is computed from the same place, where iterations may meet, is
 *     among the module's lost updates;
 *   - no `unique` is left.
 * Atomics of serial tasks are plain already (lower_access).
 */
#include "gen/ir/finding.h"
#include "gen/passes/apart.h"
#include "gen/passes/ways.h"

typedef struct Uses {                  /* of one field or array in one task */
  const void *object;                  /* IrField or IrVariable */
  int way;                             /* of the private accesses seen so far */
  bool private_access, private_store;
  bool shared_access, shared_store;
} Uses;

typedef struct Task {
  IrModule *module;
  Ways ways;
  Uses *uses;
  int count;
} Task;

/* ---- what a task does ---- */

typedef struct Access {
  const void *object;
  int way;
  bool stores;
} Access;

static bool access_of(Task *t, const IrStmt *s, Access *a)
{
  if (!ir_is(s, IR_OF_FIELD | IR_OF_ARRAY))
    return false;
  a->object = s->field ? (const void *)s->field : s->variable;
  a->stores = ir_changes(s, IR_OF_FIELD | IR_OF_ARRAY);
  a->way = way_of(&t->ways, s);
  return true;
}

static Uses *uses_of(Task *t, const void *object)
{
  for (int k = 0; k < t->count; k++)
    if (t->uses[k].object == object)
      return &t->uses[k];
  vec_push(t->module->arena, t->uses, t->count, (Uses){ .object = object });
  t->uses[t->count - 1].way = WAY_SHARED;
  return &t->uses[t->count - 1];
}

static void note_access(Task *t, const Access *a)
{
  Uses *u = uses_of(t, a->object);
  int way = a->way;

  if (way != WAY_SHARED && u->way == WAY_SHARED)
    u->way = way;
  if (way != WAY_SHARED && u->way == way) {
    u->private_access = true;
    u->private_store = u->private_store || a->stores;
  } else {
    u->shared_access = true;
    u->shared_store = u->shared_store || a->stores;
  }
}

/* All that stands in place in a cell of the SNode is set back to its default. */
static void note_reset(Task *t, const IrSNode *snode)
{
  for (int k = 0; k < snode->field_count; k++)
    note_access(t, &(Access){ snode->fields[k], WAY_SHARED, true });
  for (int k = 0; k < snode->child_count; k++)
    if (ir_is_in_place(snode->children[k]))
      note_reset(t, snode->children[k]);
}

/* No other iteration changes what it loads. */
static bool is_apart_load(const Task *t, const IrStmt *s)
{
  return s->op == IR_load && t->ways.task && is_apart(t->ways.task, s);
}

static void note_stmt(Task *t, IrStmt *s)
{
  Access a;

  if (access_of(t, s, &a) && !is_apart_load(t, s))
    note_access(t, &a);
  if (s->op == IR_release_cell && kind_is(s->snode->kind, KIND_MASKED))
    note_reset(t, s->snode);
}

/* ---- a plain store of what was there, and something ---- */

/* Both of one place. */
static bool is_load_of(const IrStmt *load, const IrStmt *store)
{
  if (load->op == IR_load && store->op == IR_store)
    return load->field == store->field &&
           is_same_cell(load->operands[0], store->operands[0], is_same_expression);
  if (load->op != IR_array_read || store->op != IR_array_write ||
      load->variable != store->variable)
    return false;
  for (int k = 0; k < load->operand_count; k++)
    if (!is_same_expression(load->operands[k], store->operands[k]))
      return false;
  return true;
}

/* What the stored value is made of, by way of the iteration's locals: each value and each local is
 * looked at once, however many they are. */
typedef struct Sources {
  Arena *arena;
  const IrBlock *body;                 /* of the task or the function */
  Map seen;
  const IrStmt **values;
  int value_count;
} Sources;

static void add_value(Sources *from, const IrStmt *value)
{
  if (map_get(&from->seen, value))
    return;
  map_put(&from->seen, value, from);
  vec_push(from->arena, from->values, from->value_count, value);
}

static void add_local(Sources *from, const IrVariable *v)
{
  if (v->kind != IR_VAR_LOCAL || map_get(&from->seen, v))
    return;
  map_put(&from->seen, v, from);
  for (IrStmt *s = ir_first(from->body); s; s = ir_next(s, from->body))
    if ((s->op == IR_declare || s->op == IR_set) && s->variable == v)
      add_value(from, s->operands[0]);
}

static bool comes_from_place(Arena *arena, const IrStmt *store)
{
  const IrBlock *b = store->parent;
  Sources from = { .arena = arena };

  while (b->owner && b->owner->op != IR_offloaded)
    b = b->owner->parent;
  from.body = b;
  map_init(&from.seen, arena);
  add_value(&from, store->operands[store->operand_count - 1]);
  for (int k = 0; k < from.value_count; k++) {
    const IrStmt *value = from.values[k];
    if (is_load_of(value, store))
      return true;
    if (value->op == IR_get)
      add_local(&from, value->variable);
    for (int i = 0; is_pure(value) && i < value->operand_count; i++)
      add_value(&from, value->operands[i]);
  }
  return false;
}

/* Whatever the arguments of the function that it stands in. */
static bool is_fixed_place(const IrStmt *store)
{
  const IrStmt *cell = store->operands[0], *digit;

  if (store->op != IR_store)
    return false;
  for (; cell->op == IR_cell; cell = cell->operands[0])
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++)
      if (digit->op != IR_digit || !is_const(ir_without_casts(digit->operands[0])))
        return false;
  return cell->op == IR_root;
}

/* Of a function that several tasks call it is noted once. */
static void note_lost_update(Task *t, const IrStmt *s)
{
  IrModule *m = t->module;
  IrLostUpdate lost = { s->field ? s->field->name : s->variable->name, s->loc };

  if (t->ways.task ? is_of_one_iteration(t->ways.task, s) : !is_fixed_place(s))
    return;
  for (int k = 0; k < m->lost_update_count; k++)
    if (loc_is_same(m->lost_updates[k].loc, s->loc))
      return;
  if (comes_from_place(m->arena, s))
    vec_push(m->arena, m->lost_updates, m->lost_update_count, lost);
}

/* ---- what follows ---- */

static void judge(Task *t, IrStmt *s)
{
  const Uses *u;
  Access a;
  bool is_private;

  if (!access_of(t, s, &a) || is_apart_load(t, s))
    return;
  u = uses_of(t, a.object);
  is_private = a.way != WAY_SHARED && a.way == u->way;
  if (s->op == IR_cell_atomic && s->update != OP_COMPARE_EXCHANGE) {
    s->plain = is_private && !u->shared_store;
    s->relaxed = s->plain && u->shared_access;
  } else if (s->op == IR_cell_atomic || s->op == IR_array_atomic)
    s->plain = is_private && !u->shared_access;
  else if (a.stores) {
    s->relaxed = s->relaxed || !is_private || u->shared_access;
    if (!is_private)
      note_lost_update(t, s);
  } else
    s->relaxed =
        s->relaxed || u->shared_store || (!is_private && u->private_store);
}

/* Each statement of the task and of the functions that it calls. */
static void visit_task(Task *t, const IrStmt *task, void (*visit)(Task *, IrStmt *))
{
  const IrBlock *body = task->blocks[0];
  const IrCalled called = ir_called(t->module->arena, body);

  t->ways.task = NULL;                 /* a function does not know the task's indices */
  for (int k = 0; k < called.count; k++)
    for (IrStmt *s = ir_first(called.functions[k]->body); s;
         s = ir_next(s, called.functions[k]->body))
      visit(t, s);
  t->ways.task = task;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    visit(t, s);
}

static void judge_task(IrModule *m, IrStmt *task)
{
  Task t = { .module = m, .ways = ways_of_task(m->arena, task) };

  visit_task(&t, task, note_stmt);
  visit_task(&t, task, judge);
}

static void note_locals(IrModule *m, IrFunction *f)
{
  (void)m;
  note_declarations(f);
}

static void drop_unique(IrStmt *s, IrBlock *to, void *user)
{
  if (s->op != IR_unique)
    ir_append(user, to, s);
}

void pass_atomics(IrModule *m)
{
  for_each_function(m, note_locals);
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (is_parallel(t.tasks[i]))
        judge_task(m, t.tasks[i]);
    rewrite_block(m->kernels[k]->body, drop_unique, m);
  }
}
