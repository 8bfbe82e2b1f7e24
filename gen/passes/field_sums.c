/* field_sums: sums into a 0-dimensional field become sums into a variable,
 * which the pass after this one keeps per thread.
 *
 *   $1 = offloaded struct_for(..) {       $0 = offloaded serial {
 *     <f64> .. atomic total t add $7        set total 0.0
 *   }                                     }
 *                                         $1 = offloaded struct_for(..) {
 *                                    =>     <f64> .. update total add $7
 *                                         }
 *                                         $2 = offloaded serial {
 *                                           atomic total t add (get total)
 *                                         }
 *
 * Needs: the module split.
 * Guarantees: it is done only where the task does nothing else with the field,
 * in any instance and in called functions: every access is such an atomic, of
 * one kind, whose old value no one uses, and not of f16; and only in tasks that cannot run out
 * of memory. The field gets the sum when the task has ended; where an index or
 * an assert ends the kernel, it is as it was.
 */
#include "gen/model/evaluate.h"
#include "gen/passes/tools.h"

typedef struct Sum {
  const IrField *field;
  int slot;
  int kind;                   /* Op, -1: none seen yet */
  bool refused;
  const int *uses;
  IrModule *module;
  IrVariable *variable;       /* what takes its place */
} Sum;

/* ---- what is summed up ---- */

static void examine(Sum *sum, const IrStmt *s)
{
  int kind;

  if (!ir_is(s, IR_OF_FIELD) || s->field != sum->field)
    return;
  kind = s->op == IR_atomic && s->field->type != TY(F16) ? reduction_kind(s->update) : -1;
  if (kind < 0 || s->slot != sum->slot || sum->uses[s->id] > 0 ||
      (sum->kind >= 0 && sum->kind != kind))
    sum->refused = true;
  sum->kind = kind;
}

static bool is_used_by_call(const Sum *sum, const IrBlock *body)
{
  const IrCalled called = ir_called(sum->module->arena, body);

  for (int k = 0; k < called.count; k++)
    for (IrStmt *s = ir_first(called.functions[k]->body); s;
         s = ir_next(s, called.functions[k]->body))
      if (ir_is(s, IR_OF_FIELD) && s->field == sum->field)
        return true;
  return false;
}

/* ---- the tasks around ---- */

static int position(const IrStmt *task)
{
  int k = 0;

  while (task->parent->stmts[k] != task)
    k++;
  return k;
}

static IrStmt *new_serial(IrModule *m, IrStmt *where)
{
  IrStmt *s = ir_stmt(m, IR_offloaded, TY(VOID), where->loc, NULL);

  s->task = IR_TASK_SERIAL;
  s->blocks[0] = ir_block(m, s);
  ir_insert_before(m, where, s);
  return s;
}

static bool is_serial(const IrStmt *s)
{
  return s->op == IR_offloaded && s->task == IR_TASK_SERIAL;
}

/* The end of a serial task right before. */
static Maker make_ahead(IrModule *m, IrStmt *task)
{
  int k = position(task);
  IrStmt *serial = k > 0 ? task->parent->stmts[k - 1] : NULL;

  if (!serial || !is_serial(serial))
    serial = new_serial(m, task);
  return make_at_end(m, serial->blocks[0], task);
}

/* The beginning of a serial task right behind. */
static Maker make_behind(IrModule *m, IrStmt *task)
{
  IrBlock *body = task->parent;
  int k = position(task);
  IrStmt *serial = k + 1 < body->count ? body->stmts[k + 1] : NULL;

  if (!serial || !is_serial(serial)) {
    serial = new_serial(m, task);      /* before it: they change places */
    body->stmts[k] = task;
    body->stmts[k + 1] = serial;
  }
  if (serial->blocks[0]->count > 0)
    return make_before(m, serial->blocks[0]->stmts[0]);
  return make_at_end(m, serial->blocks[0], task);
}

static void begin_sum(const Sum *sum, IrStmt *task)
{
  const Type *type = sum->field->type;
  Maker make = make_ahead(sum->module, task);
  IrStmt *first = make_value(&make, type, evaluate_neutral((Op)sum->kind, type));
  IrStmt *set = ir_stmt(sum->module, IR_set, TY(VOID), task->loc, first, NULL);

  set->variable = sum->variable;
  put(&make, set);
}

static void end_sum(const Sum *sum, IrStmt *task)
{
  const Type *type = sum->field->type;
  Maker make = make_behind(sum->module, task);
  IrStmt *get = ir_stmt(sum->module, IR_get, type, task->loc, NULL), *atomic;

  get->variable = sum->variable;
  put(&make, get);
  atomic = ir_stmt(sum->module, IR_atomic, type, task->loc, get, NULL);
  atomic->field = sum->field->snode->tree->fields[sum->field->id];
  atomic->slot = sum->slot;
  atomic->update = (Op)sum->kind;
  put(&make, atomic);
}

static void to_variable(const Sum *sum, IrStmt *s)
{
  if (s->op != IR_atomic || s->field != sum->field)
    return;
  s->op = IR_update;
  s->variable = sum->variable;
  s->field = NULL;
  s->slot = 0;
  s->site = -1;
}

/* ---- tasks that may run out of memory ---- */

/* The cell that the struct-for stands on is there. */
static bool is_own(const IrStmt *s, const IrStmt *task)
{
  if (task->task != IR_TASK_STRUCT_FOR || !s->field ||
      s->field->snode != task->snode || s->slot != task->slot)
    return false;
  for (int k = 0; k < s->field->axis_count; k++) {
    int64_t constant;
    const IrStmt *x = ir_without_constant(s->operands[k], &constant);
    if (constant != s->field->origin[k] || x->op != IR_loop_index ||
        x->operands[0] != task ||
        task->snode->path_axes[x->index] != s->field->axes[k])
      return false;
  }
  return true;
}

static bool grows_in_call(IrModule *m, const IrFunction *f)
{
  Changes c = changes_of(m->arena, f->body);

  while (next_change(&c))
    if (ir_is(c.stmt, IR_DEACTIVATES) || takes_memory(c.snode))
      return true;
  return false;
}

static bool grows(IrModule *m, const IrStmt *task, const IrStmt *s)
{
  if (s->op == IR_call)
    return grows_in_call(m, s->function);
  if (ir_changes(s, IR_OF_FIELD))
    return takes_memory(s->field->snode) && !is_own(s, task);
  return ir_is(s, IR_ACTIVATES | IR_DEACTIVATES);
}

/* What a task did before memory ran out counts, these sums too: but the task
 * behind it, which would add them, does not run then. */
static bool may_run_out(IrModule *m, IrStmt *task)
{
  const IrBlock *body = task->blocks[0];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (grows(m, task, s))
      return true;
  return false;
}

/* ---- the whole ---- */

static void sum_up(IrModule *m, IrFunction *f, IrStmt *task,
                   const IrField *field, int slot, const int *uses)
{
  const IrBlock *body = task->blocks[0];
  Sum sum = { .field = field, .slot = slot, .kind = -1, .uses = uses, .module = m };

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    examine(&sum, s);
  if (sum.kind < 0 || sum.refused || is_used_by_call(&sum, body))
    return;
  sum.variable = make_hidden(m, f, IR_VAR_KERNEL, field->name, field->type);
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    to_variable(&sum, s);
  begin_sum(&sum, task);
  end_sum(&sum, task);
}

static void sum_task(IrModule *m, IrFunction *f, IrStmt *task, const int *uses)
{
  for (int slot = 0; slot < f->slot_count; slot++) {
    const IrTree *tree = f->slots[slot].tree;
    for (int k = 0; k < tree->field_count; k++)
      if (tree->fields[k]->axis_count == 0)
        sum_up(m, f, task, tree->fields[k], slot, uses);
  }
}

static void sum_kernel(IrModule *m, IrFunction *f)
{
  const int *uses = count_uses(m, f);
  const IrTasks t = ir_tasks(m->arena, f);

  for (int k = 0; k < t.count; k++)
    if (is_parallel(t.tasks[k]) && !may_run_out(m, t.tasks[k]))
      sum_task(m, f, t.tasks[k], uses);
}

void pass_field_sums(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++)
    sum_kernel(m, m->kernels[k]);
}
