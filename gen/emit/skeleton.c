/* What the functions of a task have in common: the names in them, what they read of their thread,
 * the call of the body, sums of a thread, the heads of loops.
 */
#include "gen/emit/task.h"
#include "gen/model/evaluate.h"

/* ---- names ---- */

void init_skeleton(Skeleton *s, Task *t)
{
  static const char *const fixed[] = { "thread", "params", "launch", "vars", "block", "cells",
                                       "c", "row" };
  const char **const into[] = { &s->thread, &s->params, &s->launch, &s->vars, &s->block, &s->cells,
                                &s->c, &s->row };
  Emit *e = t->emit;

  *s = (Skeleton){ .task = t, .emit = e };
  names_init(&s->names, e->arena, NAMES_LOCAL, &e->names);
  map_init(&s->variables, e->arena);
  for (int k = 0; k < t->kernel->slot_count; k++)
    s->view[k] = names_take(&s->names, slot_name(t->kernel, k));
  for (int k = 0; k < t->kernel->param_count; k++)
    map_put(&s->variables, t->kernel->params[k],
            (void *)names_take(&s->names, t->kernel->params[k]->name));
  s->sum = NEW_ARRAY(e->arena, const char *, t->needs.reduction_count);
  for (int k = 0; k < t->needs.reduction_count; k++)
    s->sum[k] = names_take(&s->names, t->needs.reductions[k].variable->name);
  s->hint = NEW_ARRAY(e->arena, const char *, t->needs.append_count);
  for (int k = 0; k < t->stmt->variable_count; k++)
    s->index[k] = names_take(&s->names, t->stmt->variables[k]->name);
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)   /* the program's names come first */
    *into[k] = names_take(&s->names, fixed[k]);
  for (int k = 0; k < t->needs.append_count; k++)
    s->hint[k] = names_take(&s->names, "hint");
  s->way = NEW_ARRAY(e->arena, const char *, t->needs.cache_count);
  for (int k = 0; k < t->needs.cache_count; k++)
    s->way[k] = names_take(&s->names, "way");
  if (t->staged)
    name_team(s);
  else
    s->near = name_near(e, &t->needs, &s->names);
  name_thread_windows(s);
  if (t->needs.own_parent)
    s->parent = names_take(&s->names, t->stmt->snode->parent->name);
}

/* ---- arguments of the body ---- */

/* What bodies take first, in both forms. */
const char *skeleton_arguments(const Skeleton *s)
{
  const Task *t = s->task;
  Emit *e = s->emit;
  const char *list = "";

  for (int k = 0; k < t->kernel->slot_count; k++)
    if (t->needs.view[k])
      list = format(e->arena, "%s, %s", list, s->view[k]);
  if (t->needs.launch)
    list = format(e->arena, "%s, %s", list, s->launch);
  if (t->needs.vars)
    list = format(e->arena, "%s, %s", list, s->vars);
  for (int k = 0; k < t->needs.param_count; k++)
    list = format(e->arena, "%s, %s", list,
                  (const char *)map_get(&s->variables, t->needs.params[k]));
  for (int k = 0; k < t->needs.reduction_count; k++)
    list = format(e->arena, s->cells_task ? "%s, %s" : "%s, &%s", list, s->sum[k]);
  return list;
}

const char *body_call(const Skeleton *s, const char *cell, const char *position,
                      const char *const *index)
{
  return format(s->emit->arena, "%s;", body_value(s, cell, position, index));
}

const char *body_value(const Skeleton *s, const char *cell, const char *position,
                       const char *const *index)
{
  const Task *t = s->task;
  Emit *e = s->emit;
  const char *list = format(e->arena, "%s%s", window_arguments(s), skeleton_arguments(s));

  for (int k = 0; k < t->needs.append_count; k++)
    list = format(e->arena, "%s, &%s", list, s->hint[k]);
  list = format(e->arena, "%s%s", list, near_arguments(e, &t->needs, &s->near));
  if (t->needs.own_cell)
    list = format(e->arena, "%s, %s", list, cell);
  if (t->needs.own_parent)
    list = format(e->arena, "%s, %s", list, s->parent);
  if (t->needs.own_position)
    list = format(e->arena, "%s, %s", list, position);
  for (int k = 0; k < t->stmt->variable_count; k++)
    if (t->needs.indices >> k & 1)
      list = format(e->arena, "%s, %s", list, index[k]);
  return format(e->arena, "%s(%s)", t->body, *list ? list + 2 : "");
}

/* ---- sums of a thread ---- */

/* INT32_MAX and its like. */
static const char *limit(Emit *e, const Type *t, bool is_least)
{
  if (is_least && !t->is_signed)
    return "0";
  return format(e->arena, "%sINT%d_%s", t->is_signed ? "" : "U", t->bits, is_least ? "MIN" : "MAX");
}

/* What a sum starts at. */
static const char *neutral_text(Emit *e, const Type *t, Op update)
{
  Value v = evaluate_neutral(update, t);

  if (t->kind == TYPE_BOOL)
    return v.i ? "1" : "0";
  if (type_is_integer(t) && (update == OP_MIN || update == OP_MAX))
    return limit(e, t, update == OP_MAX);
  return constant_text(e->arena, t, v, true);
}

void write_sums(const Skeleton *s)
{
  const Task *t = s->task;

  for (int k = 0; k < t->needs.reduction_count; k++) {
    const Reduction *r = &t->needs.reductions[k];
    write_line(s->emit, "%s %s = %s;", array_type(r->variable->type), s->sum[k],
               neutral_text(s->emit, r->variable->type, r->update));
  }
}

void write_reduces(const Skeleton *s)
{
  const Task *t = s->task;

  for (int k = 0; k < t->needs.reduction_count; k++) {
    const Reduction *r = &t->needs.reductions[k];
    write_line(s->emit, "snd_reduce_%s_%s(&%s->%s, %s);", operator_name[r->update],
               suffix(r->variable->type), s->vars,
               (const char *)map_get(&t->names->var_member, r->variable), s->sum[k]);
  }
}

/* Where a thread's last append of each statement went. */
void write_append_hints(const Skeleton *s)
{
  for (int k = 0; k < s->task->needs.append_count; k++)
    write_line(s->emit, "snd_dynamic_hint %s = SND_NO_HINT;", s->hint[k]);
}

/* ---- what it reads of its thread ---- */

const char *params_text(const Skeleton *s, const char *thread)
{
  return format(s->emit->arena, "SND_PARAMS(%s, %s)", thread, s->task->names->params);
}

const char *vars_text(const Skeleton *s, const char *thread)
{
  return format(s->emit->arena, "SND_VARS(%s, %s)", thread, s->task->names->vars);
}

const char *parameter_of(Arena *arena, const IrVariable *v, const char *name)
{
  if (v->kind != IR_VAR_ARRAY)
    return format(arena, "%s %s", c_type(v->type), name);
  return format(arena, "%sSND_GLB %s *%s", v->mode == ARRAY_IN ? "const " : "",
                array_type(v->type), name);
}

const char *parameter_text(const Skeleton *s, const IrVariable *v)
{
  return parameter_of(s->emit->arena, v, map_get(&s->variables, v));
}

static void write_param(const Skeleton *s, const IrVariable *v, const char *params)
{
  const char *name = map_get(&s->variables, v), *member = map_get(&s->task->names->param_member, v);

  if (v->kind == IR_VAR_ARRAY) {
    bool is_in = v->mode == ARRAY_IN;
    write_line(s->emit, "%sSND_GLB %s *%s = %s(%s, %s->%s);", is_in ? "const " : "",
               array_type(v->type), name, is_in ? "SND_CONST_POINTER" : "SND_POINTER",
               array_type(v->type), params, member);
  } else
    write_line(s->emit, "const %s %s = %s->%s;", c_type(v->type), name, params, member);
}

static void write_params(const Skeleton *s, const char *text)
{
  const IrFunction *f = s->task->kernel;
  const char *params;
  int count = 0;

  for (int k = 0; k < f->param_count; k++)
    count += has_word(text, map_get(&s->variables, f->params[k]));
  if (!count)
    return;
  params = params_text(s, s->thread);
  if (count > 1) {
    write_line(s->emit, "const SND_GLB %s *%s = %s;", s->task->names->params, s->params, params);
    params = s->params;
  }
  for (int k = 0; k < f->param_count; k++)
    if (has_word(text, map_get(&s->variables, f->params[k])))
      write_param(s, f->params[k], params);
}

/* Declares what the text names of what the thread is given. */
static void write_locals(const Skeleton *s, const char *text)
{
  const Task *t = s->task;
  Emit *e = s->emit;

  for (int k = 0; k < t->kernel->slot_count; k++)
    if (has_word(text, s->view[k]))
      write_line(e, "const SND_GLB snd_tree_view *%s = SND_VIEW(%s, %d);", s->view[k], s->thread,
                 k);
  if (has_word(text, s->launch))
    write_line(e, "SND_GLB snd_launch *%s = %s->launch;", s->launch, s->thread);
  if (has_word(text, s->vars))
    write_line(e, "SND_GLB %s *%s = %s;", t->names->vars, s->vars, vars_text(s, s->thread));
  write_params(s, text);
}

void write_thread_function(Skeleton *s, const char *more, SkeletonWriter *inside)
{
  Emit *e = s->emit;
  Text text = { 0 }, *out = e->out;
  const Loc outer = e->from;
  size_t before;

  if (!is_loop(s->task->stmt))           /* the body is in it, which is the source's */
    write_from(e, s->task->stmt->loc);
  e->out = &text;
  e->indent++;
  inside(s);
  e->out = out;
  e->indent--;
  write_line(e, "SND_INLINE void");
  write_line(e, "%s(snd_thread *%s%s)", s->task->function, s->thread, more);
  write_line(e, "{");
  e->indent++;
  before = out->length;
  if (text.data)
    write_locals(s, text.data);
  if (out->length == before && !(text.data && has_word(text.data, s->thread)))
    write_line(e, "(void)%s;", s->thread);
  e->indent--;
  if (text.data)
    text_add(out, text.data);
  write_line(e, "}");
  e->from = outer;
  text_free(&text);
}

/* ---- its body where that is not called ---- */

void bind_body(Body *b, const Skeleton *s)
{
  const Task *t = s->task;
  Emit *e = s->emit;

  b->names = s->names;
  for (int k = 0; k < t->kernel->slot_count; k++) {
    b->view[k] = s->view[k];
    b->slot_number[k] = format(e->arena, "%d", k);
  }
  for (int k = 0; k < t->kernel->param_count; k++)
    map_put(&b->variables, t->kernel->params[k], map_get(&s->variables, t->kernel->params[k]));
  for (int k = 0; k < t->kernel->local_count; k++) {
    const char *member = map_get(&t->names->var_member, t->kernel->locals[k]);
    if (t->kernel->locals[k]->kind == IR_VAR_KERNEL && member)
      map_put(&b->variables, t->kernel->locals[k], format(e->arena, "%s->%s", s->vars, member));
  }
  for (int k = 0; k < t->needs.append_count; k++)
    map_put(&b->hints, t->needs.appends[k], format(e->arena, "&%s", s->hint[k]));
  b->launch = s->launch;
  b->vars = s->vars;
}

/* ---- loops in it ---- */

const char *loop_head(const Skeleton *s, const char *macro)
{
  return format(s->emit->arena, "%s(%s, %s, %s)", macro, s->thread, s->block, s->c);
}

const char *rows_head(const Skeleton *s, const char *macro)
{
  return format(s->emit->arena, "%s(%s, %s, %s, %s)", macro, s->thread, s->block, s->c, s->row);
}

/* Where nothing ties the iterations to each other, compilers are told so. */
void write_simd(const Skeleton *s)
{
  const Needs *n = &s->task->needs;

  if (has_parallel_tasks(s->emit->options->target) && runs_parallel(s->task->stmt) &&
      !s->task->plain && !n->launch && !n->vars && !n->reduction_count && !n->activates &&
      !n->deactivates && !n->synchronises && !s->staged)
    write_line(s->emit, n->cache_count ? "SND_HOST_SIMD_NEAR" : "SND_HOST_SIMD");
}

void open_brace(Skeleton *s, const char *head)
{
  write_line(s->emit, "%s {", head);
  s->emit->indent++;
}

void close_brace(Skeleton *s)
{
  s->emit->indent--;
  write_line(s->emit, "}");
}
