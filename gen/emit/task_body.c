/* The body of a task: an inline function of one iteration. */
#include "gen/emit/task.h"

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
  if (b->gang || t->is_range) {
    b->cells = names_take(&b->names, "cells");
    b->lane = names_take(&b->names, b->gang ? "lane" : "k");
  }
  if (t->is_range) {
    b->from = names_take(&b->names, "from");
    b->to = names_take(&b->names, "to");
  }
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
    list = format(e->arena, "%s, SND_GLB %s *%s", list, cell_struct_of(e, t->stmt->snode),
                  b->cells ? b->cells : b->cell);
  if (t->is_range)
    list = format(e->arena, "%s, int64_t %s, int64_t %s", list, b->from, b->to);
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
void write_draws(Task *t, Body *b)
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

/* The body for each of the cells. */
static void write_range(Task *t, Body *b)
{
  Emit *e = t->emit;

  write_line(e, "for (int64_t %s = %s; %s < %s; %s++) {", b->lane, b->from, b->lane, b->to,
             b->lane);
  e->indent++;
  write_line(e, "SND_GLB %s *%s = &%s[%s];", cell_struct_of(e, t->stmt->snode), b->cell, b->cells,
             b->lane);
  emit_block(b, t->block);
  e->indent--;
  write_line(e, "}");
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
  if (b.gang)
    write_line(e, "#if SND_ROWS");
  write_line(e, "SND_INLINE %s", b.gang ? "bool" : "void");
  write_line(e, "%s(%s)", t->body, params);
  write_line(e, "{");
  e->indent++;
  if (t->plain && !b.gang && e->staging != STAGING_TEAM)
    write_line(e, "#if SND_ROWS");
  begin = e->out->length;
  if (b.gang || t->is_range)
    write_list_looks(&b);
  write_draws(t, &b);
  write_near_positions(&b);
  if (t->is_range)
    write_range(t, &b);
  else
    emit_block(&b, t->block);
  declare_arrays(&b, begin);
  if (b.gang)
    write_gang_end(&b);
  else if (t->plain)
    write_without_window(t, &b);
  e->indent--;
  write_line(e, "}");
  if (b.gang)
    write_line(e, "#endif");
  e->from = outer;
  write_line(e, "%s", "");
}
