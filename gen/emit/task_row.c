/* The rows of the table of a kernel's tasks: what each is called, what libsnode is told of it. */
#include "gen/emit/task.h"

bool is_own_task(const IrStmt *s)
{
  return s->task == IR_TASK_SERIAL || s->task == IR_TASK_RANGE_FOR || s->task == IR_TASK_STRUCT_FOR;
}

static bool takes_variables_only(const IrStmt *s)
{
  return !s->blocks[0] && (ir_effects(s) == IR_PURE || ir_is(s, IR_OF_LOCAL));
}

/* A straight line of assignments to variables, of constants, parameters and other variables: not
 * worth a region on a device. */
bool sets_scalars(const IrStmt *task, const Needs *n)
{
  const IrBlock *body = task->blocks[0];

  if (task->task != IR_TASK_SERIAL)
    return false;
  for (int k = 0; k < MAX_SLOTS; k++)
    if (n->view[k])
      return false;
  for (int k = 0; k < body->count; k++)
    if (!takes_variables_only(body->stmts[k]))
      return false;
  return true;
}

static const char *task_flags(Emit *e, const IrStmt *stmt, const Needs *n)
{
  const char *flags = "";

  if (n->activates)
    flags = format(e->arena, "%s | SND_TASK_ACTIVATES", flags);
  if (n->deactivates)
    flags = format(e->arena, "%s | SND_TASK_DEACTIVATES", flags);
  if (n->draws)
    flags = format(e->arena, "%s | SND_TASK_DRAWS", flags);
  if (n->claims)
    flags = format(e->arena, "%s | SND_TASK_CLAIMS", flags);
  if (runs_parallel(stmt))
    flags = format(e->arena, "%s | SND_TASK_PARALLEL", flags);
  if (runs_parallel(stmt) && depends_on_order(n))
    flags = format(e->arena, "%s | SND_TASK_ORDERED", flags);
  if (is_idempotent(n))
    flags = format(e->arena, "%s | SND_TASK_IDEMPOTENT", flags);
  if (sets_scalars(stmt, n))
    flags = format(e->arena, "%s | SND_TASK_SCALARS", flags);
  return *flags ? flags + 3 : "0";
}

const char *task_name(Emit *e, const IrStmt *task)
{
  const char *path = ir_named_path(e->arena, task), *name = ir_task_name[task->task];

  if (task->task == IR_TASK_STRUCT_FOR)
    name = format(e->arena, "struct_for(%s)", task->snode->label);
  return path ? format(e->arena, "%s: %s", path, name) : name;
}

void add_task_row(Emit *e, Text *rows, const IrStmt *task, const Needs *n, const char *macro,
                  const char *function)
{
  Text *out = e->out;
  Arena *a = e->arena;

  e->out = rows;
  e->indent++;
  write_line(e, "%s(%s, %s, %d, %s),", macro, function, quote(a, task_name(e, task)),
             task->loc.line, task_flags(e, task, n));
  e->indent--;
  e->out = out;
}

const char *write_task_rows(Emit *e, const IrFunction *f, Text *rows)
{
  const char *name = "NULL";

  if (rows->data) {
    name = names_take(&e->names, format(e->arena, "%s_tasks", f->name));
    write_line(e, "static const snd_task %s[] = {", name);
    text_add(e->out, rows->data);
    write_line(e, "};");
    write_line(e, "%s", "");
  }
  text_free(rows);
  return name;
}
