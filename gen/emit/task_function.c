/* The function of what a thread does of a task: it reads the same on the host and on a device. */
#include "gen/emit/task.h"

#include <string.h>

/* Goes by rows where the compiler can. */
static void write_rows_call(Skeleton *s)
{
  const char *rows = rows_condition(s->task->rows);

  write_line(s->emit, "if (SND_BY%s(%s, %s))", rows + strlen("SND"), s->thread, rows_call(s));
  write_line(s->emit, "  continue;");
}

static void write_blocks(Skeleton *s)
{
  Emit *e = s->emit;

  if (s->task->stmt->task == IR_TASK_RANGE_FOR)
    write_range_counts(s);
  write_sums(s);
  write_append_hints(s);
  if (s->staged)
    write_team_sums(s);
  else
    write_near_arrays(s);
  write_near_windows(s);
  write_box(s);
  open_brace(s, format(e->arena, "SND_EACH_BLOCK(%s, %s)", s->thread, s->block));
  write_leave_box(s);
  if (s->task->rows)
    write_rows_call(s);
  if (s->staged)
    write_team_block(s);
  else {
    write_firsts(s);
    write_staging(s);
    write_loop(s);
    write_deposits(s);
  }
  close_brace(s);
  write_near_end(s);
  write_reduces(s);
}

static void write_in_order(Skeleton *s)
{
  write_append_hints(s);
  write_loop_in_order(s);
}

/* The body itself. */
static void write_once(Skeleton *s)
{
  Task *t = s->task;
  size_t begin;
  Body b;

  write_append_hints(s);
  body_init(&b, s->emit, t->kernel, t->stmt, t->stmt->blocks[0], &t->live, &t->needs);
  bind_body(&b, s);
  begin = s->emit->out->length;
  write_draws(t, &b);
  emit_block(&b, t->stmt->blocks[0]);
  declare_arrays(&b, begin);
}

void write_task_function(Skeleton *s)
{
  const IrStmt *task = s->task->stmt;

  write_thread_function(s, team_param(s), runs_parallel(task) ? write_blocks
                               : is_loop(task)     ? write_in_order
                                                   : write_once);
}
