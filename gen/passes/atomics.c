/* atomics: which accesses other iterations may meet.
 *
 *   <f32> $9 = cell_atomic u add $own $8   =>   .. plain: no one else comes
 *   <f32> $7 = load u $there               =>   .. relaxed: others store to u
 *
 * Needs: the module lowered; better after own_cell and share.
 * Guarantees, for each parallel task and the functions it calls:
 *   - an access is private when it goes to a place that this iteration alone
 *     reaches: below its own cell, or at indices that are exactly the loop's,
 *     each once. Two fields' cells never meet; two slots of one tree type are
 *     taken for one instance; accesses of a function are not private;
 *   - a private atomic is plain when no access of the task to its field is
 *     shared (not private in the same way);
 *   - a load is relaxed when another iteration may store to its field
 *     meanwhile, a store when another may load or store there; who takes out a
 *     bitmasked cell, which stands in place, stores to all that stands in it.
 * Atomics of serial tasks are plain already (lower_access).
 */
#include "gen/passes/tools.h"

/* How an access is private: by which place. */
enum { SHARED = -1, OWN = 0 };  /* > 0: a permutation of the loop's indices */

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

static int way_of_cell(const Task *t, const IrStmt *cell, const IrSNode *snode)
{
  const IrStmt *by_axis[IR_MAX_AXES] = { NULL };
  int positions[IR_MAX_AXES];

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

static int way_of_element(const Task *t, const IrStmt *s)
{
  int positions[IR_MAX_AXES], count = s->variable->extent_count;

  if (!t->task || count > IR_MAX_AXES)
    return SHARED;
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

static bool access_of(const Task *t, const IrStmt *s, Access *a)
{
  switch (s->op) {
  case IR_load: case IR_store: case IR_cell_atomic:
    a->object = s->field;
    a->way = way_of_cell(t, s->operands[0], s->field->snode);
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

static void judge_task(IrModule *m, IrStmt *task)
{
  Task t = { .arena = m->arena, .task = task };

  ir_walk(task->blocks[0], note_stmt, &t);
  t.called_count = 0;
  ir_walk(task->blocks[0], judge, &t);
}

static void note_locals(IrModule *m, IrFunction *f)
{
  (void)m;
  note_declarations(f);
}

void pass_atomics(IrModule *m)
{
  for_each_function(m, note_locals);
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (is_parallel(t.tasks[i]))
        judge_task(m, t.tasks[i]);
  }
}
