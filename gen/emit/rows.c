/* The row form of a struct_for as C: a function for a block of a container, with a loop over its
 * rows.  The host's loop calls it in the place of the loop over cells, where the compiler has
 * vectors; a row that is left goes through the body cell by cell.
 */
#include "gen/emit/task.h"

#include <string.h>

static const char *parameters(const Skeleton *s)
{
  const Task *t = s->task;
  Emit *e = s->emit;
  const char *list = "";

  for (int k = 0; k < t->kernel->slot_count; k++)
    if (t->needs.view[k])
      list = format(e->arena, "%s, const SND_GLB snd_tree_view *%s", list, s->view[k]);
  if (t->needs.launch)
    list = format(e->arena, "%s, SND_GLB snd_launch *%s", list, s->launch);
  if (t->needs.vars)
    list = format(e->arena, "%s, SND_GLB %s *%s", list, t->names->vars, s->vars);
  for (int k = 0; k < t->needs.param_count; k++)
    list = format(e->arena, "%s, %s", list, parameter_text(s, t->needs.params[k]));
  for (int k = 0; k < t->needs.reduction_count; k++)
    list = format(e->arena, "%s, %s *%s", list, array_type(t->needs.reductions[k].variable->type),
                  s->sum[k]);
  return format(e->arena, "%s, snd_block %s", list, s->block) + 2;
}

static void bind_names(Body *b, Skeleton *s)
{
  const Task *t = s->task;
  Emit *e = s->emit;

  bind_body(b, s);
  for (int k = 0; k < t->needs.reduction_count; k++)
    map_put(&b->variables, t->needs.reductions[k].variable, format(e->arena, "*%s", s->sum[k]));
  for (int k = 0; k < t->stmt->variable_count; k++) {
    b->index[k] = s->index[k];
    b->first[k] = s->first[k];
  }
  b->parent = s->parent;
  b->position = s->c;
  b->row_digit = s->row_digit;
  b->rows = s;
}

static void name_rows(Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  Arena *arena = s->emit->arena;

  for (int k = 0; k < task->variable_count; k++)
    s->first[k] = row_loop_runs(task) && !row_loop_is_along(task->snode, k)
                      ? s->index[k]
                      : names_take(&s->names, format(arena, "first_%s", task->variables[k]->name));
  for (int k = 0; k < task->snode->path_axis_count; k++) {
    const int own = axis_of_index(task->snode, k);
    if (own >= 0 && own < task->snode->axis_count - 1)
      s->digit_name[own] =
          names_take(&s->names, format(arena, "row_%s", task->variables[k]->name));
  }
}

static void write_rows(Skeleton *s)
{
  Emit *e = s->emit;
  const Task *t = s->task;
  const Loc outer = write_from(e, t->stmt->loc);
  size_t before;
  Body b;

  body_init(&b, e, t->kernel, t->stmt, t->stmt->blocks[1], &t->live, &t->needs);
  bind_names(&b, s);
  write_line(e, "SND_INLINE void");
  write_line(e, "%s(%s)", t->body, parameters(s));
  write_line(e, "{");
  e->indent++;
  before = e->out->length;
  if (!row_loop_runs(t->stmt))
    write_first_coordinates(s);
  write_container(s);
  b.names = s->names;
  emit_block(&b, t->stmt->blocks[1]);
  declare_arrays(&b, before);
  if (!strstr(e->out->data + before, format(e->arena, "%s.", s->block)))
    write_line(e, "(void)%s;", s->block);
  e->indent--;
  write_line(e, "}");
  e->from = outer;
}

/* What the cells need too where rows are left to them. */
static void add_needs(Emit *e, Needs *to, const Needs *cells, const IrFunction *kernel)
{
  for (int k = 0; k < MAX_SLOTS; k++)
    to->view[k] = to->view[k] || cells->view[k];
  to->launch = to->launch || cells->launch;
  to->vars = to->vars || cells->vars;
  to->own_cell = to->own_cell || cells->own_cell;
  to->own_parent = to->own_parent || cells->own_parent;
  to->indices |= cells->indices;
  join_params(e, to, cells, kernel);
  to->reductions = cells->reductions;
  to->reduction_count = cells->reduction_count;
}

const char *rows_condition(const Task *rows)
{
  return rows->needs.shares_rows ? "SND_ROWS_SHARED" : "SND_ROWS";
}

/* The task's own sum of the variable: rows may have fewer, as where a condition is never true. */
static const char *sum_of(const Skeleton *s, const IrVariable *v)
{
  int k = 0;

  while (k < s->task->needs.reduction_count && s->task->needs.reductions[k].variable != v)
    k++;
  if (k == s->task->needs.reduction_count)
    ICE("rows sum '%s' up, and cells do not", v->name);
  return s->sum[k];
}

const char *rows_call(const Skeleton *s)
{
  const Needs *n = &s->task->rows->needs;
  Skeleton rows = *s;
  const char *list;

  rows.task = s->task->rows;
  rows.sum = NEW_ARRAY(s->emit->arena, const char *, n->reduction_count);
  for (int k = 0; k < n->reduction_count; k++)
    rows.sum[k] = sum_of(s, n->reductions[k].variable);
  list = format(s->emit->arena, "%s, %s", skeleton_arguments(&rows), s->block);
  return format(s->emit->arena, "%s(%s)", rows.task->body, list + 2);
}

void emit_rows(Task *t)
{
  Emit *e = t->emit;
  Task rows = *t;
  Skeleton s;

  if (t->stmt->task != IR_TASK_STRUCT_FOR || !t->stmt->blocks[1])
    return;
  rows.live = (Live){ 0 };
  rows.needs = (Needs){ 0 };
  live_find(e, t->stmt->blocks[1], &rows.live);
  needs_find(e, t->kernel, t->stmt, t->stmt->blocks[1], &rows.live, &rows.needs);
  if (rows.needs.leaves_rows ||
      (row_loop_runs(t->stmt) && row_loop_has_rest(t->stmt, row_loop_runs(t->stmt))))
    add_needs(e, &rows.needs, &t->needs, t->kernel);
  rows.body = names_take(&e->names, format(e->arena, "%s_rows_%d", t->kernel->name, t->number));
  t->rows = NEW(e->arena, Task);
  *t->rows = rows;
  init_skeleton(&s, t->rows);
  s.cells_task = t;
  name_rows(&s);
  write_line(e, "#if %s", rows_condition(t->rows));
  write_comment(e, "the same for the rows of a block");
  write_rows(&s);
  write_line(e, "#endif");
  write_line(e, "%s", "");
}
