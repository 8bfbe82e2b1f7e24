/* A task in the C file: its body, an inline function of one iteration; a function of what each
 * thread does of the task, which reads the same on the host and on a device; and a macro of
 * snode/device/loop.h, which makes the two functions of the task's row of it.
 */
#include "gen/emit/task.h"

#include <string.h>

void task_init(Task *t, Emit *e, const KernelNames *kernel, const IrFunction *f, const IrStmt *stmt,
               int number)
{
  *t = (Task){ .emit = e, .names = kernel, .kernel = f, .stmt = stmt, .number = number,
               .block = stmt->blocks[0] };
  live_find(e, stmt->blocks[0], &t->live);
  needs_find(e, f, stmt, stmt->blocks[0], &t->live, &t->needs);
  t->body = names_take(&e->names, format(e->arena, "%s_body_%d", f->name, number));
  t->function = names_take(&e->names, format(e->arena, "%s_task_%d", f->name, number));
}

/* ---- the body ---- */

static void bind_variables(Task *t, Body *b)
{
  Emit *e = t->emit;

  for (int k = 0; k < t->kernel->local_count; k++) {
    const IrVariable *v = t->kernel->locals[k];
    const char *member = map_get(&t->names->var_member, v);
    if (v->kind == IR_VAR_KERNEL && member)
      map_put(&b->variables, v, format(e->arena, "%s->%s", b->vars, member));
  }
}

/* What the body calls things: the program's names first, so that they stay. */
static void name_body(Task *t, Body *b)
{
  Emit *e = t->emit;

  for (int k = 0; k < t->stmt->variable_count; k++)
    if (t->needs.indices >> k & 1)
      b->index[k] = names_take(&b->names, t->stmt->variables[k]->name);
  for (int k = 0; k < t->needs.param_count; k++)
    variable_text(b, t->needs.params[k]);
  t->sum = NEW_ARRAY(e->arena, const char *, t->needs.reduction_count);
  for (int k = 0; k < t->needs.reduction_count; k++)
    t->sum[k] = names_take(&b->names, t->needs.reductions[k].variable->name);
  for (int k = 0; k < t->kernel->slot_count; k++) {
    b->view[k] = names_take(&b->names, slot_name(t->kernel, k));
    b->slot_number[k] = format(e->arena, "%d", k);
  }
  b->launch = names_take(&b->names, "launch");
  b->vars = names_take(&b->names, "vars");
  b->cell = names_take(&b->names, t->stmt->snode && t->stmt->snode->is_soa ? "cells" : "cell");
  if (t->needs.own_parent)
    b->parent = names_take(&b->names, t->stmt->snode->parent->name);
  if (t->needs.own_position)
    b->position = names_take(&b->names, "l");
  bind_variables(t, b);
  for (int k = 0; k < t->needs.reduction_count; k++)
    map_put(&b->variables, t->needs.reductions[k].variable, format(e->arena, "*%s", t->sum[k]));
  b->near = name_near(e, &t->needs, &b->names);
  name_windows(t, b);
  t->hint = NEW_ARRAY(e->arena, const char *, t->needs.append_count);
  for (int k = 0; k < t->needs.append_count; k++) {
    t->hint[k] = names_take(&b->names, "hint");
    map_put(&b->hints, t->needs.appends[k], (void *)t->hint[k]);
  }
}

static const char *trees_and_launch(Task *t, const Body *b)
{
  Emit *e = t->emit;
  const char *list = "";

  for (int k = 0; k < t->kernel->slot_count; k++)
    if (t->needs.view[k])
      list = format(e->arena, "%s, const SND_GLB snd_tree_view *%s", list, b->view[k]);
  if (t->needs.launch)
    list = format(e->arena, "%s, SND_GLB snd_launch *%s", list, b->launch);
  if (t->needs.vars)
    list = format(e->arena, "%s, SND_GLB %s *%s", list, t->names->vars, b->vars);
  return list;
}

static const char *cell_struct_of(Emit *e, const IrSNode *n)
{
  return e->trees[n->tree->id].snode[n->id].cell;
}

static const char *body_params(Task *t, Body *b)
{
  Emit *e = t->emit;
  const char *list = format(e->arena, "%s%s", window_params(t), trees_and_launch(t, b));

  for (int k = 0; k < t->needs.param_count; k++)
    list = format(e->arena, "%s, %s", list,
                  parameter_of(e->arena, t->needs.params[k],
                               variable_text(b, t->needs.params[k])));
  for (int k = 0; k < t->needs.reduction_count; k++)
    list = format(e->arena, "%s, %s *%s", list,
                  array_type(t->needs.reductions[k].variable->type), t->sum[k]);
  for (int k = 0; k < t->needs.append_count; k++)
    list = format(e->arena, "%s, snd_dynamic_hint *%s", list, t->hint[k]);
  list = format(e->arena, "%s%s", list, near_params(e, &t->needs, &b->near));
  if (t->needs.own_cell)
    list = format(e->arena, "%s, SND_GLB %s *%s", list, cell_struct_of(e, t->stmt->snode), b->cell);
  if (t->needs.own_parent)
    list = format(e->arena, "%s, SND_GLB %s *%s", list, cell_struct_of(e, t->stmt->snode->parent),
                  b->parent);
  if (t->needs.own_position)
    list = format(e->arena, "%s, int64_t %s", list, b->position);
  for (int k = 0; k < t->stmt->variable_count; k++)
    if (t->needs.indices >> k & 1)
      list = format(e->arena, "%s, %s %s", list, c_type(t->stmt->variables[k]->type), b->index[k]);
  return *list ? list + 2 : "void";
}

/* Where the iteration's random numbers come from: the call, the task and the indices. */
static void write_draws(Task *t, Body *b)
{
  Emit *e = t->emit;
  const char *name;
  int last = t->stmt->variable_count - 1;

  if (!t->needs.draws)
    return;
  name = names_take(&b->names, "draws");
  b->draws = format(e->arena, "&%s", name);
  write_line(e, "snd_draws %s = snd_draws_begin(%s);", name, b->launch);
  for (int k = 0; k < last; k++)
    write_line(e, "snd_draws_outer(&%s, (uint64_t)%s, %d);", name, b->index[k], k);
  if (last >= 0)
    write_line(e, "snd_draws_index(&%s, (uint64_t)%s);", name, b->index[last]);
}

void write_task_body(Task *t)
{
  Emit *e = t->emit;
  Body b;
  const char *params;
  size_t begin;
  const Loc outer = write_from(e, t->stmt->loc);

  body_init(&b, e, t->kernel, t->stmt, t->block, &t->live, &t->needs);
  name_body(t, &b);
  params = body_params(t, &b);
  write_line(e, "SND_INLINE void");
  write_line(e, "%s(%s)", t->body, params);
  write_line(e, "{");
  e->indent++;
  if (t->plain)
    write_line(e, "#if SND_ROWS");
  begin = e->out->length;
  write_draws(t, &b);
  write_near_positions(&b);
  emit_block(&b, t->block);
  declare_arrays(&b, begin);
  if (t->plain)
    write_without_window(t, &b);
  e->indent--;
  write_line(e, "}");
  e->from = outer;
  write_line(e, "%s", "");
}

/* ---- what a thread does ---- */

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
  write_near_arrays(s);
  write_near_windows(s);
  write_box(s);
  write_line(e, "snd_block %s;", s->block);
  write_line(e, "%s", "");
  open_brace(s, format(e->arena, "while (snd_next_block(%s, &%s))", s->thread, s->block));
  write_leave_box(s);
  if (s->task->rows)
    write_rows_call(s);
  write_staging(s);
  write_loop(s);
  write_deposits(s);
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

/* SND_STRUCT_FOR(step_task_0, 0, GRID_CELL) and its like. */
static void write_macro(const Skeleton *s)
{
  const Task *t = s->task;
  const IrStmt *task = t->stmt;
  const bool is_plain = task->manner.schedule == SCHEDULE_ANY && task->manner.block_dim <= 0 &&
                        !t->host && !t->leaves;
  Emit *e = s->emit;
  const char *by = "", *threads = "";

  if (task->manner.block_dim > 0) {
    by = "_BY";
    threads = format(e->arena, "%d, ", task->manner.block_dim);
  }
  if (!runs_parallel(task))
    write_line(e, "%s(%s)", sets_scalars(task, &t->needs) ? "SND_SCALARS" : "SND_SINGLE",
               t->function);
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

void write_function(Skeleton *s)
{
  const IrStmt *task = s->task->stmt;

  write_thread_function(s, "", runs_parallel(task) ? write_blocks
                               : is_loop(task)     ? write_in_order
                                                   : write_once);
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
    if (is_staged(task->blocks[0]->stmts[k], &t->live))
      return true;
  return false;
}

void name_near_form(Task *t)
{
  Emit *e = t->emit;

  t->body = names_take(&e->names, format(e->arena, "%s_near_%d", t->kernel->name, t->number));
  t->function =
      names_take(&e->names, format(e->arena, "%s_near_task_%d", t->kernel->name, t->number));
}

/* For host threads, which have staged what [[cache]] names: functions of its own. */
static void emit_staged(Task *t)
{
  Emit *e = t->emit;
  Skeleton s;

  e->is_staging = true;
  t->host = NEW(e->arena, Task);
  task_init(t->host, e, t->names, t->kernel, t->stmt, t->number);
  name_near_form(t->host);
  write_task_body(t->host);
  init_skeleton(&s, t->host);
  write_function(&s);
  write_line(e, "%s", "");
  e->is_staging = false;
}

void emit_task(Task *t)
{
  const bool has_devices = t->emit->options->target == EMIT_OMP;
  Skeleton s;

  write_comment(t->emit, title(t));
  if (stages(t))
    emit_staged(t);
  init_skeleton(&s, t);
  if (!t->host || has_devices) {
    if (is_loop(t->stmt))
      write_task_body(t);
    emit_rows(t);
    emit_near(t);
    emit_leaves(t);
  }
  if (!t->host || has_devices)
    write_function(&s);
  write_macro(&s);
  write_line(t->emit, "%s", "");
}
