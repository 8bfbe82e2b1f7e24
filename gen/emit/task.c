/* A task in the C file: its body (task_body.c), the function of what each thread does of it
 * (task_function.c), its other forms; and a macro of snode/device/loop.h, which makes the two
 * functions of the task's row of them.
 */
#include "gen/emit/task.h"

/* SND_STRUCT_FOR(step_task_0, 0, GRID_CELL) and its like. */
static void write_macro(const Skeleton *s)
{
  const Task *t = s->task;
  const IrStmt *task = t->stmt;
  const bool is_plain = task->manner.schedule == SCHEDULE_ANY && task->manner.block_dim <= 0 &&
                        !t->host && !t->leaves && !t->team;
  Emit *e = s->emit;
  const char *by = "", *threads = "";

  if (task->manner.block_dim > 0) {
    by = "_BY";
    threads = format(e->arena, "%d, ", task->manner.block_dim);
  }
  if (!runs_parallel(task))
    write_line(e, "%s(%s)", sets_scalars(task, &t->needs) ? "SND_SCALARS" : "SND_SINGLE",
               t->function);
  else if (t->team)
    write_line(e, "SND_LOOP_TEAM%s(%s, %s, %s, %s, %s, %s)", by, t->function,
               t->host ? t->host->function : t->function, t->team->function, t->team->staged,
               team_threads(t), blocks_text(s));
  else if (t->leaves) {
    Skeleton leaves;
    init_skeleton(&leaves, t->leaves);
    write_line(e, "#if %s", rows_condition(t->leaves->rows));
    write_line(e, "SND_LOOP_LEAVES%s(%s%s, %s, %s, %d, %s, %s)", by, threads, t->function,
               blocks_text(s), t->leaves->function, t->leaves->stmt->slot, snode_id(&leaves),
               leaves_box(&leaves));
    write_line(e, "#else");
    write_line(e, "SND_LOOP%s(%s%s, %s)", by, threads, t->function, blocks_text(s));
    write_line(e, "#endif");
  } else if (t->host)
    write_line(e, "SND_LOOP_NEAR%s(%s%s, %s, %s)", by, threads, t->function, t->host->function,
               blocks_text(s));
  else if (!is_plain)
    write_line(e, "SND_LOOP%s(%s%s, %s)", by, threads, t->function, blocks_text(s));
  else if (task->task == IR_TASK_STRUCT_FOR)
    write_line(e, "SND_STRUCT_FOR(%s, %d, %s)", t->function, task->slot, snode_id(s));
  else
    write_line(e, "SND_RANGE_FOR(%s, %s)", t->function, range_count(s, RANGE_IN_MACRO));
}

/* ---- the whole ---- */

static const char *title(const Task *t)
{
  const char *line =
      t->stmt->loc.line > 0 ? format(t->emit->arena, ", line %d", t->stmt->loc.line) : "";

  return format(t->emit->arena, "%s%s", task_name(t->emit, t->stmt), line);
}

static bool stages(const Task *t)
{
  const IrStmt *task = t->stmt;
  bool may_stage = task->task == IR_TASK_STRUCT_FOR && runs_parallel(task) && !task->blocks[1];

  for (int k = 0; may_stage && k < task->blocks[0]->count; k++)
    if (is_staged(t->emit, task->blocks[0]->stmts[k], &t->live))
      return true;
  return false;
}

/* For host threads, which have staged what [[cache]] names: functions of its own. */
static void emit_staged(Task *t)
{
  Emit *e = t->emit;
  Skeleton s;

  e->staging = STAGING_THREAD;
  t->host = NEW(e->arena, Task);
  task_init(t->host, e, t->names, t->kernel, t->stmt, t->number);
  name_near_form(t->host);
  write_element_functions(e, &t->host->needs);
  write_task_body(t->host);
  init_skeleton(&s, t->host);
  write_task_function(&s);
  write_line(e, "%s", "");
  e->staging = STAGING_NONE;
}

void emit_task(Task *t)
{
  const bool has_devices = has_parallel_tasks(t->emit->options->target);
  Skeleton s;

  write_comment(t->emit, title(t));
  if (stages(t))
    emit_staged(t);
  if (!t->stmt->blocks[3])
    emit_team(t);
  init_skeleton(&s, t);
  if (!t->host || (has_devices && !t->team)) {
    if (is_loop(t->stmt))
      write_task_body(t);
    emit_rows(t);
    emit_near(t);
    emit_leaves(t);
    if (t->stmt->blocks[3])
      emit_team(t);
    if (!t->team || !t->host)
      write_task_function(&s);
  }
  write_macro(&s);
  write_line(t->emit, "%s", "");
}
