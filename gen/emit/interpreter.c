/* --target=interpreter: the same header and tables; the tasks hand the IR, which
 * the file holds as text, to libsnode_interpreter.
 *
 * Needs the module as split.  The program is one table for the whole file: its
 * text, and where each kernel's parameters and variables lie.
 */
#include "gen/emit/task.h"

#include <string.h>

/* ---- places ---- */

static const char *write_places(Emit *e, const IrFunction *f, const char *what, const char *rows)
{
  const char *name;

  if (!*rows)
    return "NULL";
  name = names_take(&e->names, format(e->arena, "%s_%s_places", f->name, what));
  write_line(e, "static const sn_interpreter_place %s[] = { %s };", name, rows);
  write_line(e, "%s", "");
  return name;
}

static const char *add_place(Emit *e, const char *rows, const char *of, const char *member,
                             const char *type)
{
  return format(e->arena, "%s%s{ .offset = offsetof(%s, %s), .bytes = sizeof(%s) }", rows,
                *rows ? ", " : "", of, member, type);
}

static const char *write_param_places(Emit *e, const IrFunction *f, const KernelNames *k)
{
  const char *rows = "";

  for (int p = 0; p < f->param_count; p++) {
    const IrVariable *v = f->params[p];
    rows = add_place(e, rows, k->params, map_get(&k->param_member, v),
                     v->kind == IR_VAR_ARRAY ? array_type(v->type) : c_type(v->type));
  }
  return write_places(e, f, "param", rows);
}

static const char *write_var_places(Emit *e, const IrFunction *f, const KernelNames *k, int *count)
{
  const char *rows = "";

  *count = 0;
  for (int p = 0; p < f->local_count; p++)
    if (f->locals[p]->kind == IR_VAR_KERNEL) {
      rows = add_place(e, rows, k->vars, map_get(&k->var_member, f->locals[p]),
                       array_type(f->locals[p]->type));
      ++*count;
    }
  return write_places(e, f, "var", rows);
}

/* ---- tasks ---- */

static const char *write_task(Emit *e, const IrFunction *f, int number)
{
  const char *name = names_take(&e->names, format(e->arena, "%s_task_%d", f->name, number));

  write_line(e, "static int %s_host(const snd_args *args)", name);
  write_line(e, "{");
  write_line(e, "  int code;");
  write_line(e, "  SND_IN_MODE(args, code = sn_interpret(&%s, %s, %d, args,", e->program,
             quote(e->arena, f->name), number);
  write_line(e, "                                        &snd_interpreter_access));");
  write_line(e, "  return code;");
  write_line(e, "}");
  write_line(e, "%s", "");
  return name;
}

const char *write_interpreted_tasks(Emit *e, const IrFunction *f, const KernelNames *k)
{
  const IrTasks all = ir_tasks(e->arena, f);
  Text rows = { 0 };
  Arena *a = e->arena;
  int vars, count = 0;
  const char *params = write_param_places(e, f, k), *places = write_var_places(e, f, k, &vars);

  e->program_kernels = format(a, "%s  { %s },\n", e->program_kernels,
                              members(a, "name", quote(a, f->name),
                                      "param_count", decimal(a, f->param_count),
                                      "var_count", decimal(a, vars), "params", params,
                                      "vars", places, NULL));
  for (int s = 0; s < all.count; s++) {
    const IrStmt *task = all.tasks[s];
    Needs needs = { 0 };
    Live live;
    if (!is_own_task(task) || ir_is_leaves(task))
      continue;
    live_find(e, task->blocks[0], &live);
    needs_find(e, f, task, task->blocks[0], &live, &needs);
    add_task_row(e, &rows, task, &needs, "SND_HOST_TASK", write_task(e, f, count++));
  }
  return write_task_rows(e, f, &rows);
}

/* ---- the program ---- */

/* The IR, a string for each line; of the source's path only the last part. */
static void write_text(Emit *e, const char *name)
{
  IrModule named = *e->module;
  Text text = { 0 };

  named.path = e->source;
  for (int k = 0; k < named.function_count; k++)
    ir_number(named.functions[k]);
  for (int k = 0; k < named.kernel_count; k++)
    ir_number(named.kernels[k]);
  ir_print(&named, &text);
  write_line(e, "static const char *const %s[] = {", name);
  for (const char *at = text.data; at && *at; ) {
    size_t length = strcspn(at, "\n");
    text_format(e->out, "  %s,\n", quote(e->arena, format(e->arena, "%.*s\n", (int)length, at)));
    at += length + (at[length] == '\n');
  }
  write_line(e, "  NULL");
  write_line(e, "};");
  write_line(e, "%s", "");
  text_free(&text);
}

void write_program(Emit *e)
{
  const char *text = names_take(&e->names, "program_text"), *kernels = "NULL";

  if (e->module->kernel_count == 0)      /* trees to be used from C: nothing would name it */
    return;
  write_section(e, "the program");
  write_text(e, text);
  if (*e->program_kernels) {
    kernels = names_take(&e->names, "program_kernels");
    write_line(e, "static const sn_interpreter_kernel %s[] = {", kernels);
    text_add(e->out, e->program_kernels);
    write_line(e, "};");
    write_line(e, "%s", "");
  }
  write_line(e, "static const sn_interpreter_program %s = { %s };", e->program,
             members(e->arena, "text", text,
                     "kernel_count", decimal(e->arena, e->module->kernel_count),
                     "kernels", kernels, NULL));
}
