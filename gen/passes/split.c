/* split: a kernel's body becomes a list of `offloaded` tasks.
 *
 *   foreach_node u grid {..}   $0 = offloaded clear_list S1pointer grid
 *   set sum ..           =>    $1 = offloaded listgen S0root->S1pointer grid
 *                              $2 = offloaded clear_list S2dense grid
 *                              $3 = offloaded listgen S1pointer->S2dense grid
 *                              $4 = offloaded struct_for(S2dense grid) {..}
 *                              $5 = offloaded serial { set sum .. }
 *
 * Needs: the module as written; a foreach or deactivate_all only at kernel level,
 * with nothing but `if` and `while` around it; such a while tests a kernel-level
 * variable or a constant.
 * Guarantees: consecutive other statements form one serial task, what stands under
 * `if` and `while` without a task in it included; the others are the host's
 * (split_host.c), and so are the names of blocks, each around tasks of its own; the bounds of
 * a range_for are const, param or get and stand in no block; the indices of a
 * struct_for are those of its SNode, in axis order, also where the program
 * loops over a field whose own order is another; every task that may
 * deactivate is followed by gc of the topmost sparse SNodes concerned; a
 * kernel-level variable that a single serial task uses is a local, and the
 * declaration of any other is a set; every statement that can fail or
 * print has its site.
 */
#include "gen/passes/split.h"

/* ---- bounds of ranges ---- */

/* The bound as it may stand at a task, in no block; what is more than a name
 * or a number goes through a kernel-level variable set before the loop. */
static IrStmt *bound(IrModule *m, IrFunction *kernel, IrStmt *loop,
                     IrStmt *value)
{
  bool is_simple =
      value->op == IR_const || value->op == IR_param ||
      (value->op == IR_get && value->variable->kind == IR_VAR_KERNEL);
  IrStmt *s =
      ir_stmt(m, is_simple ? value->op : IR_get, value->type, value->loc, NULL);
  IrStmt *set;

  s->value = value->value;
  s->variable = value->variable;
  if (is_simple)
    return s;
  s->variable = make_hidden(m, kernel, IR_VAR_KERNEL, "bound", value->type);
  set = ir_stmt(m, IR_set, TY(VOID), value->loc, value, NULL);
  set->variable = s->variable;
  ir_insert_before(m, loop, set);
  return s;
}

static void settle_bounds(IrModule *m, IrFunction *kernel, IrBlock *b)
{
  for (int k = 0; k < b->count; k++) {
    IrStmt *loop = b->stmts[k];
    for (int n = 0; n < IR_BLOCKS; n++)
      if (loop->blocks[n])
        settle_bounds(m, kernel, loop->blocks[n]);
    if (loop->op != IR_foreach_range)
      continue;
    for (int o = 0; o < loop->operand_count; o++)
      loop->operands[o] = bound(m, kernel, loop, loop->operands[o]);
    while (b->stmts[k] != loop)
      k++;
  }
}

/* ---- parallel tasks ---- */

static void take_body(IrStmt *task, IrStmt *loop)
{
  task->blocks[0] = loop->blocks[0];
  task->blocks[0]->owner = task;
  task->variables = loop->variables;
  task->variable_count = loop->variable_count;
  task->manner = loop->manner;
}

static void rename_loop(IrStmt *task, const IrStmt *loop)
{
  const IrBlock *body = task->blocks[0];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    for (int k = 0; k < s->operand_count; k++)
      if (s->operands[k] == loop)
        s->operands[k] = task;
}

static void split_range(Split *split, IrStmt *loop)
{
  IrStmt *task;

  split_end_serial(split);
  task = split_task(split, IR_TASK_RANGE_FOR, NULL, 0, loop->loc);
  task->operands = loop->operands;
  task->operand_count = loop->operand_count;
  take_body(task, loop);
  rename_loop(task, loop);
  split_collect_after(split, task->blocks[0], loop->loc);
}

static void put_lists(Split *split, IrSNode *snode, int slot, Loc loc)
{
  if (snode->parent->parent)
    put_lists(split, snode->parent, slot, loc);
  split_task(split, IR_TASK_CLEAR_LIST, snode, slot, loc);
  split_task(split, IR_TASK_LISTGEN, snode, slot, loc);
}

static int path_position(const IrSNode *snode, int axis)
{
  for (int k = 0; k < snode->path_axis_count; k++)
    if (snode->path_axes[k] == axis)
      return k;
  ICE("axis %d is not on the path of %s", axis, snode->label);
}

/* From the field's order of indices to the axis order of its SNode. */
static void reorder(Split *split, IrStmt *task, IrField *field)
{
  const IrBlock *body = task->blocks[0];
  IrVariable **names =
      NEW_ARRAY(split->module->arena, IrVariable *, field->axis_count + 1);

  for (int k = 0; k < field->axis_count; k++)
    names[path_position(task->snode, field->axes[k])] = task->variables[k];
  task->variables = names;
  task->field = field;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_loop_index && s->operands[0] == task)
      s->index = path_position(task->snode, field->axes[s->index]);
  if (!task->manner.is_serial)
    task->field = NULL;
}

static void split_node(Split *split, IrStmt *loop)
{
  IrSNode *snode = loop->field ? loop->field->snode : loop->snode;
  IrStmt *task;

  split_end_serial(split);
  put_lists(split, snode, loop->slot, loop->loc);
  task = split_task(split, IR_TASK_STRUCT_FOR, snode, loop->slot, loop->loc);
  take_body(task, loop);
  rename_loop(task, loop);
  if (loop->field)
    reorder(split, task, loop->field);
  split_collect_after(split, task->blocks[0], loop->loc);
}

static void split_deactivate_all(Split *split, IrStmt *s)
{
  split_end_serial(split);
  split_task(split, IR_TASK_DEACTIVATE_ALL, s->snode, s->slot, s->loc);
  split_collect_below(split, s->snode, s->slot, s->loc);
}

/* ---- kernel-level variables ---- */

typedef struct Usage {        /* of one variable */
  int last;                   /* task that uses it, 0: none yet */
  int tasks;                  /* that use it */
  bool shared;                /* by a parallel task, or as a bound */
} Usage;

typedef struct Usages {
  Usage *by_id;               /* of ir_number() */
  int task;                   /* the one at hand, from 1 */
} Usages;

static void use_variable(Usages *u, const IrVariable *v, bool shared)
{
  Usage *usage = &u->by_id[v->id];

  usage->tasks += usage->last != u->task;
  usage->last = u->task;
  usage->shared = usage->shared || shared;
}

static int count_variables(IrFunction *f)
{
  int count = f->param_count + f->local_count;

  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    count += s->variable_count + (s->op == IR_for_range);
  return count;
}

static void use_in_task(Usages *u, const IrStmt *task)
{
  const IrBlock *body = task->blocks[0];

  u->task++;
  for (int o = 0; o < task->operand_count; o++)
    if (task->operands[o]->variable)
      use_variable(u, task->operands[o]->variable, true);
  for (IrStmt *s = body ? ir_first(body) : NULL; s; s = ir_next(s, body))
    if (s->variable)
      use_variable(u, s->variable, is_parallel(task));
}

/* An id is that of one variable, be it a parameter, a local or an index. */
static Usage *usages_of(IrModule *m, IrFunction *f)
{
  const IrTasks t = ir_tasks(m->arena, f);
  Usages u = { NULL, 0 };

  ir_number(f);
  u.by_id = NEW_ARRAY(m->arena, Usage, count_variables(f) + 1);
  for (int k = 0; k < t.count; k++)
    use_in_task(&u, t.tasks[k]);
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->op == IR_get && ir_stands_on_host(s))
      use_variable(&u, s->variable, true);
  return u.by_id;
}

/* A hidden variable is set before it is read on every way, and so is one that
 * the program declares: but the declaration may have been in another block
 * than the uses only where both are in one task, where it still is. */
static void settle_variables(IrModule *m, IrFunction *f)
{
  const Usage *usages = usages_of(m, f);

  for (int k = f->local_count - 1; k >= 0; k--) {
    IrVariable *v = f->locals[k];
    bool is_local = usages[v->id].tasks == 1 && !usages[v->id].shared;
    if (v->kind == IR_VAR_KERNEL && !ir_is_result(f, v) && is_local)
      v->kind = IR_VAR_LOCAL;
  }
  for (IrStmt *s = ir_first(f->body); s; s = ir_next(s, f->body))
    if (s->op == IR_declare && s->variable->kind == IR_VAR_KERNEL)
      s->op = IR_set;
}

/* ---- the whole ---- */

static bool has_effect(const IrBlock *b)
{
  for (int k = 0; k < b->count; k++)
    if (!is_removable(b->stmts[k]))
      return true;
  return false;
}

/* In an unrolled loop a constant may stand in the task before, where a block with a name begins
 * another. */
static void bring_constants(IrModule *m, const IrStmt *task)
{
  const IrBlock *body = task->blocks[0];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    for (int k = 0; k < s->operand_count; k++) {
      const IrStmt *from = s->operands[k];
      if (from->op != IR_const || stands_in(from, task))
        continue;
      s->operands[k] = ir_stmt(m, IR_const, from->type, from->loc, NULL);
      s->operands[k]->value = from->value;
      ir_insert_before(m, body->stmts[0], s->operands[k]);
    }
}

/* A return at the end of a task says nothing; a serial task that does nothing
 * goes. */
static void tidy_serial(IrModule *m, IrFunction *f)
{
  const IrTasks t = ir_tasks(m->arena, f);

  for (int k = 0; k < t.count; k++) {
    IrBlock *b = t.tasks[k]->blocks[0];
    if (t.tasks[k]->task != IR_TASK_SERIAL)
      continue;
    bring_constants(m, t.tasks[k]);
    if (b->count > 0 && b->stmts[b->count - 1]->op == IR_return)
      ir_remove(b->stmts[b->count - 1]);
    if (!has_effect(b))
      ir_remove(t.tasks[k]);
  }
}

static void split_stmt(Split *split, IrStmt *s, bool more)
{
  switch (s->op) {
  case IR_foreach_range:  split_range(split, s); break;
  case IR_foreach_node:   split_node(split, s); break;
  case IR_deactivate_all: split_deactivate_all(split, s); break;
  case IR_break: case IR_continue: case IR_return:
    split_end_serial(split);
    ir_append(split->module, split->body, s);
    break;
  case IR_block: case IR_end_block:
    if (!s->plain)
      split_end_serial(split);
    ir_append(split->module, s->plain ? split_serial(split, s->loc) : split->body, s);
    break;
  default:
    if (split_holds_task(s))
      split_control(split, s);
    else if (split_leaves_to_host(split, s) && more)
      split_leaving(split, s);
    else
      ir_append(split->module, split_serial(split, s->loc), s);
  }
}

/* What follows a jump is never reached.  In a kernel's own block a return may stand in a
 * serial task where no task follows: what is left of the kernel is in that task too. */
void split_block(Split *split, IrBlock *old)
{
  for (int k = 0; k < old->count; k++) {
    IrStmt *s = old->stmts[k];
    bool more = split->body->owner != NULL;
    for (int n = k + 1; n < old->count; n++)
      more = more || split_holds_task(old->stmts[n]);
    split_stmt(split, s, more);
    if (ir_is(s, IR_JUMPS))
      break;
  }
  split_end_serial(split);
}

/* A name of which nothing is left goes. */
static void tidy_names(IrBlock *list)
{
  int kept = 0;

  for (int k = 0; k < list->count; k++) {
    IrStmt *s = list->stmts[k];
    for (int b = 0; s->op != IR_offloaded && b < IR_BLOCKS; b++)
      if (s->blocks[b])
        tidy_names(s->blocks[b]);
    if (s->op == IR_end_block && kept > 0 && list->stmts[kept - 1]->op == IR_block)
      kept--;
    else
      list->stmts[kept++] = s;
  }
  list->count = kept;
}

/* The host's return at the end of a kernel says nothing either. */
static void tidy_end(IrFunction *f)
{
  IrBlock *b = f->body;

  if (b->count > 0 && b->stmts[b->count - 1]->op == IR_return)
    ir_remove(b->stmts[b->count - 1]);
}

static void split_kernel(IrModule *m, IrFunction *kernel)
{
  IrBlock *old = kernel->body;
  Split split = { .module = m, .kernel = kernel, .body = ir_block(m, NULL) };

  settle_bounds(m, kernel, old);
  kernel->body = split.body;
  split_block(&split, old);
  remove_dead(m, kernel);
  tidy_serial(m, kernel);
  tidy_names(kernel->body);
  tidy_end(kernel);
  settle_variables(m, kernel);
}

void pass_split(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++)
    split_kernel(m, m->kernels[k]);
  ir_number_sites(m);
}
