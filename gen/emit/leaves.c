/* The form of a loop over ranges that goes through the leaves of the field that it assigns: a
 * function of its own, which the host's function calls first.
 *
 *   static bool fill_leaves_0(const snd_args *args)
 *   {
 *     ...
 *     const snd_leaves leaves = snd_leaves_of(grid, GRID_CELL, 0, (const int64_t[]){ 0, n, 0, n });
 *     if (!leaves.are_inside)
 *       return false;
 *     SND_HOST_PARALLEL(args, leaves.blocks.count) ...
 *     return true;
 *   }
 */
#include "gen/emit/task.h"

/* `0, n, 1, m - 64`: the box in cells, in axis order. */
static const char *box_text(const Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  const IrField *f = task->field;
  const char *list = "";

  for (int k = 0; k < task->operand_count; k++) {
    int64_t origin = 0;
    for (int i = 0; i < f->axis_count; i++)
      if (f->axes[i] == f->snode->path_axes[k / 2])
        origin = f->origin[i];
    list = format(s->emit->arena, "%s%s%s", list, k ? ", " : "",
                  range_bound(s, task->operands[k]));
    if (origin != 0)
      list = format(s->emit->arena, "%s %c %lld", list, origin < 0 ? '+' : '-',
                    (long long)(origin < 0 ? -origin : origin));
  }
  return list;
}

static void write_loop(Skeleton *s, const char *leaves, const char *origin)
{
  Skeleton rows = *s;
  Emit *e = s->emit;

  rows.task = s->task->rows;
  write_line(e, "%s->next_block = 0;", s->launch);
  write_line(e, "SND_HOST_PARALLEL(%s, %s.blocks.count)", s->args, leaves);
  write_line(e, "{");
  e->indent++;
  write_line(e, "snd_block %s = SND_NO_BLOCK;", s->block);
  write_line(e, "int64_t %s[SN_MAX_AXES];", origin);
  write_sums(s);
  write_line(e, "%s", "");
  write_line(e, "while (snd_next_leaf(%s, &%s, %s, &%s)) {", s->launch, leaves, origin, s->block);
  e->indent++;
  write_line(e, "%s", rows_call(&rows));
  e->indent--;
  write_line(e, "}");
  write_reduces(s);
  e->indent--;
  write_line(e, "}");
}

static void write_function(Task *t)
{
  Emit *e = t->emit;
  Skeleton s;
  const char *leaves, *origin;

  init_skeleton(&s, t);
  leaves = names_take(&s.names, "leaves");
  origin = names_take(&s.names, "origin");
  write_line(e, "#if %s", rows_condition(&(Skeleton){ .task = t->rows }));
  write_comment(e, "the same by the leaves that the ranges meet; false: the ranges end outside");
  write_line(e, "static bool %s(const snd_args *%s)", t->host, s.args);
  write_line(e, "{");
  e->indent++;
  write_host_locals(&s);
  write_line(e, "const snd_leaves %s =", leaves);
  write_line(e, "    snd_leaves_of(%s, %s, %d, (const int64_t[]){ %s });", s.view[t->stmt->slot],
             snode_id(&s), t->stmt->slot, box_text(&s));
  write_line(e, "%s", "");
  write_line(e, "if (!%s.are_inside)", leaves);
  write_line(e, "  return false;");
  write_loop(&s, leaves, origin);
  write_line(e, "return true;");
  e->indent--;
  write_line(e, "}");
  write_line(e, "#endif");
  write_line(e, "%s", "");
}

void emit_leaves(Task *t)
{
  const IrStmt *leaves = ir_leaves(t->stmt);
  Emit *e = t->emit;

  if (!leaves)
    return;
  t->leaves = NEW(e->arena, Task);
  task_init(t->leaves, e, t->names, t->kernel, leaves, t->number);
  t->leaves->body =
      names_take(&e->names, format(e->arena, "%s_cell_%d", t->kernel->name, t->number));
  t->leaves->host =
      names_take(&e->names, format(e->arena, "%s_leaves_%d", t->kernel->name, t->number));
  write_task_body(t->leaves);
  emit_rows(t->leaves);
  write_function(t->leaves);
}

void write_leaves_call(const Skeleton *s)
{
  write_line(s->emit, "#if %s", rows_condition(&(Skeleton){ .task = s->task->leaves->rows }));
  write_line(s->emit, "if (%s(%s))", s->task->leaves->host, s->args);
  write_line(s->emit, "  return SN_OK;");
  write_line(s->emit, "#endif");
}
