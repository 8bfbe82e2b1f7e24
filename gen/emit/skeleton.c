/* What the skeletons of a task have in common, for host threads and for a device: the names in
 * them, the call of the body, sums of a thread, parameters.
 */
#include "gen/emit/task.h"
#include "gen/model/evaluate.h"

/* ---- what it knows ---- */

bool skeleton_needs_vars(const Task *t)
{
  if (t->needs.vars || t->needs.reduction_count)
    return true;
  for (int k = 0; k < t->stmt->operand_count; k++)
    if (t->stmt->operands[k]->op == IR_get)
      return true;
  return false;
}

bool skeleton_needs_launch(const Task *t)
{
  return t->needs.launch || t->needs.deposits || t->near || skeleton_needs_vars(t);
}

static bool is_struct_for(const Task *t)
{
  return t->stmt->task == IR_TASK_STRUCT_FOR;
}

bool skeleton_needs_view(const Task *t, int slot)
{
  for (int k = 0; k < t->needs.cache_count; k++)
    if (t->needs.caches[k]->slot == slot)
      return true;
  for (int k = 0; t->near && k < t->near->windows.count; k++)
    if (t->near->windows.windows[k].is.stmt->slot == slot)
      return true;
  return t->needs.view[slot] || (is_struct_for(t) && t->stmt->slot == slot);
}

/* A scalar parameter that the body or a bound takes. */
bool skeleton_needs(const Task *t, const IrVariable *v)
{
  if (needs_param(&t->needs, v))
    return true;
  for (int k = 0; k < t->stmt->operand_count; k++)
    if (t->stmt->operands[k]->op == IR_param && t->stmt->operands[k]->variable == v)
      return true;
  return false;
}

void init_skeleton(Skeleton *s, Task *t)
{
  static const char *const fixed[] = { "args",  "params", "launch", "vars",   "blocks", "block",
                                       "cells", "c",      "b",      "record", "row" };
  const char **const into[] = { &s->args, &s->params, &s->launch, &s->vars, &s->blocks, &s->block,
                                &s->cells, &s->c, &s->b, &s->record, &s->row };
  Emit *e = t->emit;

  *s = (Skeleton){ .task = t, .emit = e };
  names_init(&s->names, e->arena, NAMES_LOCAL, &e->names);
  map_init(&s->variables, e->arena);
  for (int k = 0; k < t->kernel->slot_count; k++)
    s->view[k] = names_take(&s->names, t->view[k]);
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
  const Task *t = s->has_windows ? s->task->near : s->task;
  Emit *e = s->emit;
  const char *list = format(e->arena, "%s%s", window_arguments(s, t), skeleton_arguments(s));

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
  return format(e->arena, "%s(%s);", t->body, *list ? list + 2 : "");
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

/* ---- what host and device have in common ---- */

void write_param(const Skeleton *s, const IrVariable *v)
{
  const char *name = map_get(&s->variables, v), *member = map_get(&s->task->names->param_member, v);

  if (v->kind == IR_VAR_ARRAY) {
    bool is_in = v->mode == ARRAY_IN;
    write_line(s->emit, "%sSND_GLB %s *%s = %s(%s, %s->%s);", is_in ? "const " : "",
               array_type(v->type), name, is_in ? "SND_CONST_POINTER" : "SND_POINTER",
               array_type(v->type), s->params, member);
  } else
    write_line(s->emit, "const %s %s = %s->%s;", c_type(v->type), name, s->params, member);
}

static bool needs_any_param(const Skeleton *s)
{
  const Task *t = s->task;

  for (int k = 0; k < t->kernel->param_count; k++)
    if (skeleton_needs(t, t->kernel->params[k]))
      return true;
  return false;
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

void write_params_pointer(const Skeleton *s)
{
  if (needs_any_param(s))
    write_line(s->emit, "const %s *%s = %s->params;", s->task->names->params, s->params, s->args);
}

void write_vars(const Skeleton *s)
{
  if (skeleton_needs_vars(s->task))
    write_line(s->emit, "SND_GLB %s *%s = SND_POINTER(%s, %s->vars);", s->task->names->vars,
               s->vars, s->task->names->vars, s->launch);
}
