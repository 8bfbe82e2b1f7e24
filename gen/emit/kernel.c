/* Kernels in the C file.
 *
 * A kernel is its parameters and variables as structs, its tasks, their table,
 * what it may do to which field, and the public function that hands the tasks to
 * libsnode's sequencer in the order of the IR.
 */
#include "gen/emit/task.h"

#include <string.h>

/* ---- parameters and variables as structs ---- */

static void write_params_struct(Emit *e, const IrFunction *f, KernelNames *k)
{
  Names members;

  map_init(&k->param_member, e->arena);
  if (f->param_count == 0)
    return;
  k->params = names_take(&e->names, format(e->arena, "%s_params", f->name));
  names_init(&members, e->arena, NAMES_MEMBER, NULL);
  write_line(e, "typedef struct %s {", k->params);
  e->indent++;
  for (int p = 0; p < f->param_count; p++) {
    const IrVariable *v = f->params[p];
    const char *member = names_take(&members, v->name);
    map_put(&k->param_member, v, (void *)member);
    if (v->kind == IR_VAR_ARRAY)
      write_line(e, "sn_addr %s;   /* %s */", member, c_type(v->type));
    else
      write_line(e, "%s %s;", c_type(v->type), member);
  }
  e->indent--;
  write_line(e, "} %s;", k->params);
  write_line(e, "%s", "");
}

/* The result that is a struct, from its variable at `first` on, stands in one member, as the
 * caller gets it; its tangent in another. */
static void write_result(Emit *e, const IrFunction *f, int first, KernelNames *k, Names *members)
{
  const char *name = names_take(members, ir_whole_name(e->arena, f->results[first]->name));

  for (int r = 0; r < ir_result_elements(f); r++)
    map_put(&k->var_member, f->results[first + r],
            (void *)format(e->arena, "%s.%s", name, struct_path(e, f->results[first]->of, r)));
  write_line(e, "%s %s;", struct_type(e, f->results[first]->of), name);
}

static void write_var(Emit *e, const IrFunction *f, KernelNames *k, Names *members,
                      const IrVariable *v)
{
  for (int r = 0; r < f->result_count && v->of; r++)
    if (v == f->results[r]) {
      if (r % ir_result_elements(f) == 0)
        write_result(e, f, r, k, members);
      return;
    }
  map_put(&k->var_member, v, (void *)names_take(members, v->name));
  write_line(e, "%s %s;", array_type(v->type), (const char *)map_get(&k->var_member, v));
}

static void write_vars_struct(Emit *e, const IrFunction *f, KernelNames *k)
{
  Names members;

  map_init(&k->var_member, e->arena);
  names_init(&members, e->arena, NAMES_MEMBER, NULL);
  for (int p = 0; p < f->local_count; p++) {
    const IrVariable *v = f->locals[p];
    if (v->kind != IR_VAR_KERNEL)
      continue;
    if (!k->vars) {
      k->vars = names_take(&e->names, format(e->arena, "%s_vars", f->name));
      write_line(e, "typedef struct %s {   /* seen by all its tasks */", k->vars);
      e->indent++;
    }
    write_var(e, f, k, &members, v);
  }
  if (!k->vars)
    return;
  e->indent--;
  write_line(e, "} %s;", k->vars);
  write_line(e, "%s", "");
}

/* ---- tables ---- */

static const char *write_params_table(Emit *e, const IrFunction *f)
{
  Text rows = { 0 }, *out = e->out;
  Arena *a = e->arena;
  const char *name;

  if (f->param_count == 0)
    return "NULL";
  e->out = &rows;
  e->indent++;
  for (int k = 0; k < f->param_count; k++) {
    const IrVariable *v = f->params[k];
    bool is_array = v->kind == IR_VAR_ARRAY;
    write_line(e, "{ %s },",
               members(a, "name", quote(a, v->name), "type", sn_type_name(v->type),
                       "array", is_array ? array_mode_text(v) : "0",
                       "dims", decimal(a, is_array ? v->extent_count : 0), NULL));
  }
  e->indent--;
  e->out = out;
  name = write_table(e, "snd_param_info", format(a, "%s_param_info", f->name), rows.data);
  text_free(&rows);
  return name;
}

/* Of one tree the table is the tree's, whichever kernel comes first. */
static const char *write_slots(Emit *e, const IrFunction *f)
{
  const char *list = "";

  if (f->slot_count == 0)
    return "NULL";
  for (int k = 0; k < f->slot_count; k++)
    list = format(e->arena, "%s%s&%s", list, k ? ", " : "", e->trees[f->slots[k].tree->id].info);
  return write_shared(e, "static const sn_tree_info *const ",
                      format(e->arena, "%s_slots",
                             f->slot_count == 1 ? f->slots[0].tree->name : f->name),
                      format(e->arena, "[] = { %s };", list));
}

/* Of a struct, NULL: there is none. */
static const char *bytes_text(Emit *e, const char *type)
{
  return type ? format(e->arena, "sizeof(%s)", type) : "0";
}

static const char *result_offset(Emit *e, const KernelNames *k, const IrVariable *first)
{
  return format(e->arena, "offsetof(%s, %s)", k->vars,
                (const char *)map_get(&k->var_member, first));
}

static const char *result_code(const IrFunction *f)
{
  return f->result_count == 0 ? "-1" : f->results[0]->of ? "SN_TYPE_U8" : sn_type_name(f->result);
}

/* Where it stands, and how many of that type there are: of a struct its bytes.  A tangent stands
 * behind it. */
static const char *result_members(Emit *e, const IrFunction *f, const KernelNames *k)
{
  const IrVariable *first = f->result_count ? f->results[0] : NULL;
  const int elements = ir_result_elements(f);
  const char *dual = NULL;
  Arena *a = e->arena;

  if (!first)
    return "";
  if (f->result_count > elements)
    dual = result_offset(e, k, f->results[elements]);
  return members(a, "result_offset", result_offset(e, k, first), "result_count",
                 first->of ? bytes_text(e, struct_type(e, first->of)) : decimal(a, elements),
                 dual ? "dual_offset" : NULL, dual, NULL);
}

/* ---- a kernel and its adjoint ---- */

static int number_of(const Emit *e, const IrFunction *kernel)
{
  int number = 0;

  while (e->module->kernels[number] != kernel)
    number++;
  return number;
}

/* The name of its table, which its adjoint's kernel may name before. */
static const char *info_name(Emit *e, const IrFunction *f)
{
  const char **name = &e->kernel_info[number_of(e, f)];

  if (!*name)
    *name = names_take(&e->names, format(e->arena, "%s_info", f->name));
  return *name;
}

static const IrFunction *find_gradient(const Emit *e, const IrFunction *f)
{
  for (int k = 0; f->gradient && k < e->module->kernel_count; k++)
    if (strcmp(e->module->kernels[k]->name, f->gradient) == 0)
      return e->module->kernels[k];
  return NULL;
}

/* Whose adjoint the kernel is; NULL: it is none. */
static const IrFunction *find_primal(const Emit *e, const IrFunction *f)
{
  for (int k = 0; k < e->module->kernel_count; k++)
    if (find_gradient(e, e->module->kernels[k]) == f)
      return e->module->kernels[k];
  return NULL;
}

/* The table of the adjoint, declared where it stands further down. */
static const char *gradient_text(Emit *e, const IrFunction *f)
{
  const IrFunction *gradient = find_gradient(e, f);
  const char *info;

  if (!gradient)
    return NULL;
  info = info_name(e, gradient);
  if (number_of(e, gradient) > number_of(e, f))
    write_line(e, "static const sn_kernel_info %s;", info);
  return format(e->arena, "&%s", info);
}

/* Where element k of the result stands in what a call gets. */
static const char *element_offset(Emit *e, const IrFunction *primal, int k)
{
  const IrVariable *result = primal->results[k];

  if (result->of)
    return format(e->arena, "offsetof(%s, %s)", struct_type(e, result->of),
                  struct_path(e, result->of, k));
  return k ? format(e->arena, "%d * sizeof(%s)", k, c_type(result->type)) : "0";
}

/* Of an adjoint: its last parameters are the adjoint of the result, element by element; "": it has
 * none. */
static const char *adjoint_members(Emit *e, const IrFunction *f, const KernelNames *k)
{
  const IrFunction *primal = find_primal(e, f);
  const int count = primal ? f->param_count - primal->param_count : 0;
  const char *rows = "";
  Arena *a = e->arena;

  if (count <= 0)
    return "";
  for (int r = 0; r < count; r++) {
    const IrVariable *param = f->params[primal->param_count + r];
    rows = format(a, "%s  { %s },\n", rows,
                  members(a, "type", sn_type_name(param->type), "offset",
                          element_offset(e, primal, r), "adjoint",
                          format(a, "offsetof(%s, %s)", k->params,
                                 (const char *)map_get(&k->param_member, param)), NULL));
  }
  return tables(a, "adjoint", write_table(e, "snd_adjoint_result",
                                          format(a, "%s_adjoints", f->name), rows), NULL);
}

static int slot_named(const IrFunction *f, const char *name)
{
  int slot = 0;

  while (strcmp(f->slots[slot].name, name) != 0)
    slot++;
  return slot;
}

/* NULL: its slots may all be given one tree. */
static const char *write_apart(Emit *e, const IrFunction *f)
{
  const char *list = "";

  if (f->apart_count == 0)
    return NULL;
  for (int k = 0; k < f->apart_count; k++)
    list = format(e->arena, "%s%s{ %d, %d }", list, k ? ", " : "", slot_named(f, f->apart[k].slot),
                  slot_named(f, f->apart[k].other));
  return write_shared(e, "static const snd_apart ", format(e->arena, "%s_apart", f->name),
                      format(e->arena, "[] = { %s };", list));
}

/* The parameter that it is counted from is a member of the kernel's and of the adjoint's alike. */
static const char *span_row(Emit *e, const IrFunction *f, const IrSpan *s, const KernelNames *k)
{
  Arena *a = e->arena;
  const char *const *fields = e->trees[s->field->snode->tree->id].field_id;
  const char *base = s->base ? map_get(&k->param_member, s->base) : NULL;
  const char *which = members(a, "slot", decimal(a, slot_named(f, s->slot)), "field",
                              fields[s->field->id], "index", decimal(a, s->index), "is_assigned",
                              decimal(a, s->is_assigned), NULL);

  return format(a, "  { %s,\n    %s },\n", which,
                members(a, "type", base ? sn_type_name(s->base->type) : "-1", "offset",
                        base ? format(a, "offsetof(%s, %s)", k->params, base) : "0", "lo",
                        decimal(a, s->lo), "hi", decimal(a, s->hi), NULL));
}

/* NULL: of no field is it known. */
static const char *write_spans(Emit *e, const IrFunction *f, const KernelNames *k)
{
  const char *rows = "";

  for (int n = 0; n < f->span_count; n++)
    rows = format(e->arena, "%s%s", rows, span_row(e, f, &f->spans[n], k));
  return *rows ? write_table(e, "snd_span", format(e->arena, "%s_spans", f->name), rows) : NULL;
}

/* The table that its calls are compared by; NULL: none is asked for, or it is no adjoint. */
static const char *check_text(Emit *e, const IrFunction *f)
{
  const IrFunction *primal = e->options->check_grad ? find_primal(e, f) : NULL;

  return primal ? write_grad_check(e, primal, info_name(e, primal), f) : NULL;
}

static const char *write_info(Emit *e, const IrFunction *f, const KernelNames *k, const char *tasks)
{
  const char *permissions = write_permissions(e, f), *params = write_params_table(e, f);
  const char *slots = write_slots(e, f), *steps = emit_kernel_steps(e, f, k);
  const char *name = info_name(e, f), *gradient = gradient_text(e, f);
  const char *adjoint = adjoint_members(e, f, k), *apart = write_apart(e, f);
  const char *spans = write_spans(e, f, k), *check = check_text(e, f);
  Arena *a = e->arena;

  write_line(e, "static const sn_kernel_info %s = {", name);
  e->indent++;
  write_line(e, "SN_NAMES(%s, %s), .module = &%s, .steps = %s,", e->module->prefix, f->name,
             e->table, steps);
  write_members(e, tables(a, "slot", slots, "param", params, NULL));
  write_members(e, tables(a, "task", tasks, "permission", permissions, NULL));
  write_members(e, members(a, "params_bytes", bytes_text(e, k->params), "vars_bytes",
                           bytes_text(e, k->vars), "result", result_code(f), NULL));
  write_members(e, result_members(e, f, k));
  write_members(e, gradient ? members(a, "gradient", gradient, NULL) : "");
  write_members(e, adjoint);
  if (apart)
    write_members(e, members(a, "apart_count", decimal(a, f->apart_count), "apart", apart, NULL));
  write_members(e, spans ? tables(a, "span", spans, NULL) : "");
  write_members(e, check ? members(a, "check", check, NULL) : "");
  e->indent--;
  write_line(e, "};");
  write_line(e, "%s", "");
  return name;
}

/* ---- the kernel ---- */

static const char *row_macro(const Task *t)
{
  return !has_parallel_tasks(t->emit->options->target) || sets_scalars(t->stmt, &t->needs)
             ? "SND_HOST_TASK" : "SND_TASK";
}

static const char *write_task_table(Emit *e, const IrFunction *f, const KernelNames *k)
{
  const IrTasks all = ir_tasks(e->arena, f);
  Text rows = { 0 };
  int count = 0;

  for (int s = 0; s < all.count; s++) {
    Task t;
    if (!is_own_task(all.tasks[s]) || ir_is_leaves(all.tasks[s]))
      continue;
    task_init(&t, e, k, f, all.tasks[s], count++);
    emit_task(&t);
    add_task_row(e, &rows, t.stmt, &t.needs, row_macro(&t), t.function);
  }
  return write_task_rows(e, f, &rows);
}

void emit_kernel(Emit *e, const IrFunction *f)
{
  KernelNames k = { 0 };
  const char *tasks, *info;

  write_section(e, f->loc.line > 0
                       ? format(e->arena, "kernel %s (%s:%d)", f->name, e->source, f->loc.line)
                       : format(e->arena, "kernel %s", f->name));
  write_params_struct(e, f, &k);
  write_vars_struct(e, f, &k);
  tasks = e->options->target == EMIT_INTERPRETER ? write_interpreted_tasks(e, f, &k)
                                                 : write_task_table(e, f, &k);
  info = write_info(e, f, &k, tasks);
  emit_kernel_calls(e, f, &k, info);
}
