/* atomics: which accesses other iterations may meet.
 *
 *   <f32> $9 = cell_atomic u add $own $8   =>   .. plain: no one else comes
 *   <f32> $7 = load u $there               =>   .. relaxed: others store to u
 *
 * Needs: the module lowered; better after own_cell and share.
 * Guarantees, for each parallel task and the functions it calls:
 *   - an access is private when it goes to a place that this iteration alone
 *     reaches: below its own cell, at indices that are exactly the loop's, each
 *     once, or at what a `unique` names, or what stands a constant beside it.
 *     Two fields' cells never meet; two slots of one tree type are taken for one
 *     instance; accesses of a function are not private;
 *   - a private atomic is plain when no access of the task to its field is
 *     shared (not private in the same way);
 *   - a load is relaxed when another iteration may store to its field
 *     meanwhile, a store when another may load or store there; who takes out a
 *     bitmasked cell, which stands in place, stores to all that stands in it.
 *   - no `unique` is left.
 * Atomics of serial tasks are plain already (lower_access).
 */
#include "gen/passes/tools.h"

/* How an access is private: by which place. */
enum { SHARED = -1, OWN = 0,    /* > 0: a permutation of the loop's indices, or, with this */
       UNIQUE = 1 << 30 };      /* bit, a number among Task.ways */

/* A `unique` whose elements are among an access's indices: element n is index at[n], less
 * by[n]. */
typedef struct Elements {
  const IrStmt *unique;
  int at[IR_MAX_AXES];
  int64_t by[IR_MAX_AXES];
} Elements;

typedef struct Uses {                  /* of one field or array in one task */
  const void *object;                  /* IrField or IrVariable */
  int way;                             /* of the private accesses seen so far */
  bool private_access, private_store;
  bool shared_access, shared_store;
} Uses;

typedef struct Task {
  Arena *arena;
  IrStmt *task;                        /* NULL in functions */
  Uses *uses;
  int count;
  IrStmt **uniques;
  int unique_count;
  Elements *ways;
  int way_count;
  const IrFunction **called;           /* looked into already */
  int called_count;
} Task;

/* ---- places ---- */

static int loop_rank(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR ? task->snode->path_axis_count
                                          : task->operand_count / 2;
}

/* The position among the task's indices that x is, or -1. */
static int index_of(const Task *t, const IrStmt *x)
{
  x = without_casts(x);
  return x->op == IR_loop_index && x->operands[0] == t->task ? x->index : -1;
}

/* A number for "index p[0], index p[1] ..." that names each loop index once. */
static int permutation(const Task *t, const int *positions, int count)
{
  unsigned seen = 0;
  int64_t code = 0;

  if (count != loop_rank(t->task) || count > 7)
    return SHARED;
  for (int k = 0; k < count; k++) {
    if (positions[k] < 0 || seen >> positions[k] & 1)
      return SHARED;
    seen |= 1u << positions[k];
    code = code * 8 + positions[k];
  }
  return (int)code + 1;
}

/* Whether x is the value and a constant. */
static bool is_shifted(const IrStmt *x, const IrStmt *value, int64_t *by)
{
  int64_t constant, of_value;
  const IrStmt *base = without_constant((IrStmt *)x, &constant);
  const IrStmt *value_base = without_constant((IrStmt *)without_casts(value), &of_value);

  *by = constant - of_value;
  return without_casts(base) == without_casts(value_base);
}

/* Where the elements of a `unique` stand among the indices of an access; false: not all. */
static bool find_elements(const IrStmt *unique, const IrStmt *const *index, int count,
                          Elements *found)
{
  *found = (Elements){ .unique = unique };
  for (int n = 0; n < unique->operand_count; n++) {
    int k = 0;
    while (k < count && !(index[k] && is_shifted(index[k], unique->operands[n], &found->by[n])))
      k++;
    if (k == count)
      return false;
    found->at[n] = k;
  }
  return true;
}

static bool same_elements(const Elements *a, const Elements *b)
{
  if (a->unique != b->unique)
    return false;
  for (int n = 0; n < a->unique->operand_count; n++)
    if (a->at[n] != b->at[n] || a->by[n] != b->by[n])
      return false;
  return true;
}

/* Iterations that differ in a `unique` differ in these indices. */
static int unique_way(Task *t, const IrStmt *const *index, int count)
{
  Elements found;

  for (int u = 0; u < t->unique_count; u++) {
    int way = 0;
    if (!find_elements(t->uniques[u], index, count, &found))
      continue;
    while (way < t->way_count && !same_elements(&t->ways[way], &found))
      way++;
    if (way == t->way_count)
      vec_push(t->arena, t->ways, t->way_count, found);
    return UNIQUE | way;
  }
  return SHARED;
}

static bool is_below_own(const IrStmt *cell)
{
  while (cell->op == IR_cell)
    cell = cell->operands[0];
  return cell->op == IR_own_cell && cell->snode == cell->operands[0]->snode;
}

/* At its own position beside the own cell. */
static bool is_beside_own(const IrStmt *cell)
{
  return cell->op == IR_cell && cell->operand_count == 2 &&
         cell->operands[1]->op == IR_own_position;
}

static bool is_below_beside_own(const IrStmt *cell)
{
  while (cell->op == IR_cell && !is_beside_own(cell))
    cell = cell->operands[0];
  return is_beside_own(cell);
}

/* The coordinate on each axis of the field's path, from the digits of the walk.
 * False: two digits of one axis come from different coordinates. */
static bool coordinates(const IrStmt *cell, const IrStmt **by_axis)
{
  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++) {
      const IrStmt *x;
      if (digit->op != IR_digit)
        return false;
      x = without_casts(digit->operands[0]);
      if (by_axis[digit->index] && by_axis[digit->index] != x)
        return false;
      by_axis[digit->index] = x;
    }
  }
  return cell->op == IR_root;
}

static int way_of_cell(Task *t, const IrStmt *cell, const IrField *field)
{
  const IrStmt *by_axis[IR_MAX_AXES] = { NULL }, *index[IR_MAX_AXES] = { NULL };
  const IrSNode *snode = field->snode;
  int positions[IR_MAX_AXES], way;

  if (!t->task)
    return SHARED;
  if (is_below_own(cell))
    return OWN;
  if (is_beside_own(cell)) {           /* as a walk with the loop's indices */
    for (int k = 0; k < snode->path_axis_count; k++)
      positions[k] = k;
    return permutation(t, positions, snode->path_axis_count);
  }
  if (is_below_beside_own(cell))
    return OWN;
  if (!coordinates(cell, by_axis))
    return SHARED;
  for (int k = 0; k < field->axis_count; k++)
    index[k] = by_axis[field->axes[k]];
  way = unique_way(t, index, field->axis_count);
  if (way != SHARED)
    return way;
  for (int k = 0; k < snode->path_axis_count; k++) {
    const IrStmt *x = by_axis[snode->path_axes[k]];
    positions[k] = x ? index_of(t, x) : -1;
    if (t->task->snode == snode && positions[k] != k)
      return SHARED;           /* the loop's own cells, met otherwise */
  }
  /* in the order of its indices it is the own cell, of this slot or another */
  return t->task->snode == snode
             ? OWN
             : permutation(t, positions, snode->path_axis_count);
}

static int way_of_element(Task *t, const IrStmt *s)
{
  const IrStmt *index[IR_MAX_AXES] = { NULL };
  int positions[IR_MAX_AXES], count = s->variable->extent_count, way;

  if (!t->task || count > IR_MAX_AXES)
    return SHARED;
  for (int k = 0; k < count; k++)
    index[k] = s->operands[k];
  way = unique_way(t, index, count);
  if (way != SHARED)
    return way;
  for (int k = 0; k < count; k++)
    positions[k] = index_of(t, s->operands[k]);
  return permutation(t, positions, count);
}

/* ---- what a task does ---- */

typedef struct Access {
  const void *object;
  int way;
  bool stores;
} Access;

static bool access_of(Task *t, const IrStmt *s, Access *a)
{
  switch (s->op) {
  case IR_load: case IR_store: case IR_cell_atomic:
    a->object = s->field;
    a->way = way_of_cell(t, s->operands[0], s->field);
    a->stores = s->op != IR_load;
    return true;
  case IR_array_read: case IR_array_write: case IR_array_atomic:
    a->object = s->variable;
    a->way = way_of_element(t, s);
    a->stores = s->op != IR_array_read;
    return true;
  default:
    return false;
  }
}

static Uses *uses_of(Task *t, const void *object)
{
  for (int k = 0; k < t->count; k++)
    if (t->uses[k].object == object)
      return &t->uses[k];
  vec_push(t->arena, t->uses, t->count, (Uses){ .object = object });
  t->uses[t->count - 1].way = SHARED;
  return &t->uses[t->count - 1];
}

static void note_access(Task *t, const Access *a)
{
  Uses *u = uses_of(t, a->object);
  int way = a->way;

  if (way != SHARED && u->way == SHARED)
    u->way = way;
  if (way != SHARED && u->way == way) {
    u->private_access = true;
    u->private_store = u->private_store || a->stores;
  } else {
    u->shared_access = true;
    u->shared_store = u->shared_store || a->stores;
  }
}

/* Goes through a called function, once for each task. */
static void look_into(Task *t, const IrStmt *call,
                      void (*visit)(IrStmt *, void *))
{
  IrStmt *outer = t->task;

  if (call->op != IR_call)
    return;
  for (int k = 0; k < t->called_count; k++)
    if (t->called[k] == call->function)
      return;
  vec_push(t->arena, t->called, t->called_count, call->function);
  t->task = NULL;
  ir_walk(call->function->body, visit, t);
  t->task = outer;
}

/* All that stands in place in a cell of the SNode is set back to its default. */
static void note_reset(Task *t, const IrSNode *snode)
{
  for (int k = 0; k < snode->field_count; k++)
    note_access(t, &(Access){ snode->fields[k], SHARED, true });
  for (int k = 0; k < snode->child_count; k++)
    if (ir_is_in_place(snode->children[k]))
      note_reset(t, snode->children[k]);
}

static void note_stmt(IrStmt *s, void *user)
{
  Task *t = user;
  Access a;

  if (access_of(t, s, &a))
    note_access(t, &a);
  if (s->op == IR_release_cell && s->snode->kind == IR_SNODE_BITMASKED)
    note_reset(t, s->snode);
  look_into(t, s, note_stmt);
}

/* ---- what follows ---- */

static void judge(IrStmt *s, void *user)
{
  Task *t = user;
  const Uses *u;
  Access a;
  bool is_private;

  look_into(t, s, judge);
  if (!access_of(t, s, &a))
    return;
  u = uses_of(t, a.object);
  is_private = a.way != SHARED && a.way == u->way;
  if (s->op == IR_cell_atomic || s->op == IR_array_atomic)
    s->plain = is_private && !u->shared_access;
  else if (a.stores)
    s->relaxed = s->relaxed || !is_private || u->shared_access;
  else
    s->relaxed =
        s->relaxed || u->shared_store || (!is_private && u->private_store);
}

static void note_unique(IrStmt *s, void *user)
{
  Task *t = user;

  if (s->op == IR_unique)
    vec_push(t->arena, t->uniques, t->unique_count, s);
}

static void judge_task(IrModule *m, IrStmt *task)
{
  Task t = { .arena = m->arena, .task = task };

  ir_walk(task->blocks[0], note_unique, &t);
  ir_walk(task->blocks[0], note_stmt, &t);
  t.called_count = 0;
  ir_walk(task->blocks[0], judge, &t);
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
