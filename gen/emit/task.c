/* A task in the C file: its body, an inline function of one iteration, and the
 * skeletons around it, for host threads and for a device.
 *
 * The skeletons are those of snode/device/loop.h: blocks of a list or of a range,
 * drawn by host threads from a counter, taken by teams in turns.  A region of a
 * device captures plain pointers and scalars only, and qualifies them inside.
 */
#include "gen/emit/task.h"
#include "gen/model/evaluate.h"

#include <string.h>

/* ---- names ---- */

static void name_slots(Task *t, Names *names)
{
  const IrFunction *f = t->kernel;

  for (int k = 0; k < f->slot_count; k++)
    t->view[k] = names_take(names, f->slots[k].name ? f->slots[k].name : f->slots[k].tree->name);
}

void task_init(Task *t, Emit *e, const KernelNames *kernel, const IrFunction *f, const IrStmt *stmt,
               int number)
{
  *t = (Task){ .emit = e, .names = kernel, .kernel = f, .stmt = stmt, .number = number,
                .block = stmt->blocks[0] };
  live_find(e, stmt->blocks[0], &t->live);
  needs_find(e, f, stmt, stmt->blocks[0], &t->live, &t->needs);
  t->body = names_take(&e->names, format(e->arena, "%s_body_%d", f->name, number));
  t->host = names_take(&e->names, format(e->arena, "%s_task_%d_host", f->name, number));
  t->target = names_take(&e->names, format(e->arena, "%s_task_%d_target", f->name, number));
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
  name_slots(t, &b->names);
  for (int k = 0; k < t->kernel->slot_count; k++) {
    b->view[k] = t->view[k];
    b->slot_number[k] = format(e->arena, "%d", k);
  }
  b->launch = names_take(&b->names, "launch");
  b->vars = names_take(&b->names, "vars");
  b->cell = names_take(&b->names, "cell");
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
  write_draws(t, &b);
  write_near_positions(&b);
  emit_block(&b, t->block);
  if (t->plain)
    write_without_window(t, &b);
  e->indent--;
  write_line(e, "}");
  e->from = outer;
  write_line(e, "%s", "");
}

/* ---- the host ---- */

/* From the counter of the launch record. */
static bool draws_blocks(const IrStmt *task)
{
  return runs_parallel(task) && task->manner.schedule != SCHEDULE_STATIC;
}

void write_host_locals(const Skeleton *s)
{
  const Task *t = s->task;
  Emit *e = s->emit;

  write_params_pointer(s);
  for (int k = 0; k < t->kernel->slot_count; k++)
    if (skeleton_needs_view(t, k))
      write_line(e, "const SND_GLB snd_tree_view *%s = SND_HOST_VIEW(%s, %d);", s->view[k],
                 s->args, k);
  if (skeleton_needs_launch(t) || draws_blocks(t->stmt))
    write_line(e, "SND_GLB snd_launch *%s = SND_HOST_LAUNCH(%s);", s->launch, s->args);
  write_vars(s);
  for (int k = 0; k < t->kernel->param_count; k++)
    if (skeleton_needs(t, t->kernel->params[k]))
      write_param(s, t->kernel->params[k]);
}

/* A thread's share, where the schedule is static, is known beforehand. */
static const char *next_block(const Skeleton *s)
{
  if (s->task->stmt->manner.schedule == SCHEDULE_STATIC)
    return format(s->emit->arena, "snd_next_of_share(&%s, &%s)", s->blocks, s->block);
  return format(s->emit->arena, "snd_next_block(%s, &%s, &%s)", s->launch, s->blocks, s->block);
}

static void write_host_parallel(Skeleton *s)
{
  Emit *e = s->emit;
  bool is_static = s->task->stmt->manner.schedule == SCHEDULE_STATIC;

  write_blocks(s);
  write_line(e, "%s", "");
  if (!is_static)
    write_line(e, "%s->next_block = 0;", s->launch);
  write_line(e, "SND_HOST_PARALLEL(%s, %s.count)", s->args, s->blocks);
  write_line(e, "{");
  e->indent++;
  write_line(e, "snd_block %s = SND_NO_BLOCK;", s->block);
  write_sums(s);
  write_append_hints(s);
  write_near_arrays(s);
  write_near_windows(s);
  write_line(e, "%s", "");
  if (is_static)
    write_line(e, "snd_take_share(&%s, SND_HOST_THREAD(), SND_HOST_THREADS(), &%s);", s->blocks,
               s->block);
  write_line(e, "while (%s) {", next_block(s));
  e->indent++;
  write_staging(s);
  write_host_loop(s, body_call);
  write_deposits(s);
  e->indent--;
  write_line(e, "}");
  write_near_end(s);
  write_reduces(s);
  e->indent--;
  write_line(e, "}");
}

/* The body once, or for each iteration in order. */
static void write_one_thread(Skeleton *s)
{
  write_append_hints(s);
  if (is_loop(s->task->stmt)) {
    write_loop_in_order(s, body_call);
    return;
  }
  write_line(s->emit, "%s", "");
  write_line(s->emit, "%s", body_call(s, NULL, NULL, NULL));
}

static void write_host(Task *t)
{
  Emit *e = t->emit;
  Skeleton s;
  size_t before;

  init_skeleton(&s, t);
  write_line(e, "static int %s(const snd_args *%s)", t->host, s.args);
  write_line(e, "{");
  e->indent++;
  before = e->out->length;
  write_host_locals(&s);
  if (e->out->length == before && !runs_parallel(t->stmt))
    write_line(e, "(void)%s;", s.args);
  if (t->leaves)
    write_leaves_call(&s);
  s.has_windows = t->near != NULL;
  if (runs_parallel(t->stmt))
    write_host_parallel(&s);
  else
    write_one_thread(&s);
  write_line(e, "return SN_OK;");
  e->indent--;
  write_line(e, "}");
  write_line(e, "%s", "");
}

/* ---- a device ---- */

typedef struct Captures {
  const char *pointers, *scalars;        /* ", view_0, record" */
  const char *view[MAX_SLOTS];
  const char **address;                  /* of arrays, by parameter */
} Captures;

static void capture(Skeleton *s, Captures *c)
{
  const Task *t = s->task;
  Emit *e = s->emit;

  *c = (Captures){ .pointers = "", .scalars = "",
                   .address = NEW_ARRAY(e->arena, const char *, t->kernel->param_count) };
  write_params_pointer(s);
  for (int k = 0; k < t->kernel->slot_count; k++)
    if (skeleton_needs_view(t, k)) {
      c->view[k] = names_take(&s->names, format(e->arena, "view_%d", k));
      write_line(e, "void *%s = SND_DEVICE_POINTER(%s->views[%d]);", c->view[k], s->args, k);
      c->pointers = format(e->arena, "%s, %s", c->pointers, c->view[k]);
    }
  if (t->needs.launch || skeleton_needs_vars(t)) {
    write_line(e, "void *%s = SND_DEVICE_POINTER(%s->launch);", s->record, s->args);
    c->pointers = format(e->arena, "%s, %s", c->pointers, s->record);
  }
  for (int k = 0; k < t->kernel->param_count; k++) {
    const IrVariable *v = t->kernel->params[k];
    const char *name = map_get(&s->variables, v), *member = map_get(&t->names->param_member, v);
    if (!skeleton_needs(t, v))
      continue;
    if (v->kind == IR_VAR_ARRAY) {
      c->address[k] = names_take(&s->names, format(e->arena, "%s_address", v->name));
      write_line(e, "void *%s = SND_DEVICE_POINTER(%s->%s);", c->address[k], s->params, member);
      c->pointers = format(e->arena, "%s, %s", c->pointers, c->address[k]);
    } else {
      write_param(s, v);
      c->scalars = format(e->arena, "%s, %s", c->scalars, name);
    }
  }
}

/* The macros of the regions take an empty argument, but C before C23 no missing one. */
static const char *clauses(Emit *e, const Captures *c)
{
  const char *text = "";

  if (*c->pointers)
    text = format(e->arena, ", is_device_ptr(%s)", c->pointers + 2);
  if (*c->scalars)
    text = format(e->arena, "%s%sfirstprivate(%s)", text, *text ? " " : ", ", c->scalars + 2);
  return *text ? text : ", ";
}

static void write_qualified(const Skeleton *s, const Captures *c)
{
  const Task *t = s->task;
  Emit *e = s->emit;

  for (int k = 0; k < t->kernel->slot_count; k++)
    if (c->view[k])
      write_line(e, "const SND_GLB snd_tree_view *%s = SND_CONST_POINTER(snd_tree_view, %s);",
                 s->view[k], c->view[k]);
  if (t->needs.launch || skeleton_needs_vars(t))
    write_line(e, "SND_GLB snd_launch *%s = SND_POINTER(snd_launch, %s);", s->launch, s->record);
  write_vars(s);
  for (int k = 0; k < t->kernel->param_count; k++) {
    const IrVariable *v = t->kernel->params[k];
    bool is_in = v->mode == ARRAY_IN;
    if (c->address[k])
      write_line(e, "%sSND_GLB %s *%s = %s(%s, %s);", is_in ? "const " : "",
                 array_type(v->type), (const char *)map_get(&s->variables, v),
                 is_in ? "SND_CONST_POINTER" : "SND_POINTER", array_type(v->type),
                 c->address[k]);
  }
}

static void write_target_parallel(Skeleton *s)
{
  Emit *e = s->emit;

  write_blocks(s);
  write_sums(s);
  write_append_hints(s);
  write_line(e, "%s", "");
  write_line(e, "for (int64_t %s = snd_team(); %s < %s.count; %s += snd_teams()) {", s->b, s->b,
             s->blocks, s->b);
  e->indent++;
  write_line(e, "snd_block %s = SND_NO_BLOCK;", s->block);
  write_line(e, "%s", "");
  write_line(e, "snd_block_at(&%s, %s, &%s);", s->blocks, s->b, s->block);
  write_target_loop(s, body_call);
  e->indent--;
  write_line(e, "}");
  write_reduces(s);
}

/* The head of the region: teams of as many threads as the program says, or one thread. */
static void write_region(const Skeleton *s, const char *clauses)
{
  const IrStmt *task = s->task->stmt;
  Emit *e = s->emit;

  if (!runs_parallel(task)) {
    write_line(e, "SND_TARGET_SINGLE(%s%s)", s->args, clauses);
  } else if (task->manner.block_dim > 0) {
    write_line(e, "SND_TARGET_TEAMS_OF(%d, %s%s)", task->manner.block_dim, s->args, clauses);
    write_line(e, "SND_TARGET_PARALLEL_OF(%d)", task->manner.block_dim);
  } else {
    write_line(e, "SND_TARGET_TEAMS(%s%s)", s->args, clauses);
    write_line(e, "SND_TARGET_PARALLEL");
  }
}

static void write_target(Task *t)
{
  Emit *e = t->emit;
  bool is_parallel = runs_parallel(t->stmt);
  Skeleton s;
  Captures c;

  init_skeleton(&s, t);
  write_line(e, "#ifdef SN_OFFLOAD");
  write_line(e, "static int %s(const snd_args *%s)", t->target, s.args);
  write_line(e, "{");
  e->indent++;
  capture(&s, &c);
  if (*c.pointers || *c.scalars)
    write_line(e, "%s", "");
  write_line(e, "if (!snd_target_ready(%s))", s.args);
  write_line(e, "  return SN_EDEVICE;");
  write_region(&s, clauses(e, &c));
  write_line(e, "{");
  e->indent++;
  write_qualified(&s, &c);
  if (is_parallel)
    write_target_parallel(&s);
  else
    write_one_thread(&s);
  e->indent--;
  write_line(e, "}");
  write_line(e, "return SN_OK;");
  e->indent--;
  write_line(e, "}");
  write_line(e, "#endif");
  write_line(e, "%s", "");
}

/* ---- the whole ---- */

static const char *title(const Task *t)
{
  const char *line =
      t->stmt->loc.line > 0 ? format(t->emit->arena, ", line %d", t->stmt->loc.line) : "";

  return format(t->emit->arena, "%s%s", task_name(t->emit, t->stmt), line);
}

const char *task_name(Emit *e, const IrStmt *task)
{
  const char *path = ir_named_path(e->arena, task), *name = ir_task_name[task->task];

  if (task->task == IR_TASK_STRUCT_FOR)
    name = format(e->arena, "struct_for(%s)", task->snode->label);
  return path ? format(e->arena, "%s: %s", path, name) : name;
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

/* For host threads, which have staged what [[cache]] names: a body of its own. */
static void emit_staging_host(const Task *t)
{
  Emit *e = t->emit;
  Task host;

  e->is_staging = true;
  task_init(&host, e, t->names, t->kernel, t->stmt, t->number);
  host.host = t->host;
  host.body = names_take(&e->names, format(e->arena, "%s_near_%d", t->kernel->name, t->number));
  write_task_body(&host);
  write_host(&host);
  e->is_staging = false;
}

void emit_task(Task *t)
{
  bool has_near = stages(t), has_target = t->emit->options->target == EMIT_OMP &&
                                     !sets_scalars(t->stmt, &t->needs);

  write_comment(t->emit, title(t));
  if (has_near)
    emit_staging_host(t);
  if (!has_near || has_target)
    write_task_body(t);
  if (!has_near) {
    emit_rows(t);
    emit_near(t);
    emit_leaves(t);
    write_host(t);
  }
  if (has_target)
    write_target(t);
}
