/* The form of a loop over ranges that goes through the leaves of the field that it assigns: a
 * function of its own for what each host thread does, which the macro behind the task names.
 *
 *   SND_INLINE void fill_leaves_0(snd_thread *thread, const snd_leaves *leaves)
 *   {
 *     ...
 *     while (snd_next_leaf(thread, leaves, origin, &block))
 *       fill_rows_0(n, block);
 *   }
 */
#include "gen/emit/task.h"

/* `0, n, 1, m - 64`: the box in cells, in axis order. */
const char *leaves_box(const Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  const IrField *f = task->field;
  const char *list = "";

  for (int k = 0; k < task->operand_count; k++) {
    int64_t origin = 0;
    for (int i = 0; i < f->axis_count; i++)
      if (f->axes[i] == f->snode->path_axes[k / 2])
        origin = f->origin[i];
    list = format(s->emit->arena, "%s, %s", list,
                  range_bound(s, task->operands[k], RANGE_IN_MACRO, origin != 0));
    if (origin != 0)
      list = format(s->emit->arena, "%s %c %lld", list, origin < 0 ? '+' : '-',
                    (long long)(origin < 0 ? -origin : origin));
  }
  return list + 2;
}

static void write_leaves_loop(Skeleton *s)
{
  const char *origin = names_take(&s->names, "origin");

  write_sums(s);
  write_line(s->emit, "int64_t %s[SN_MAX_AXES];", origin);
  write_line(s->emit, "snd_block %s;", s->block);
  write_line(s->emit, "%s", "");
  write_line(s->emit, "while (snd_next_leaf(%s, %s, %s, &%s))", s->thread, s->leaves, origin,
             s->block);
  write_line(s->emit, "  %s;", rows_call(s));
  write_reduces(s);
}

void emit_leaves(Task *t)
{
  const IrStmt *leaves = ir_leaves(t->stmt);
  Emit *e = t->emit;
  Skeleton s;

  if (!leaves)
    return;
  t->leaves = NEW(e->arena, Task);
  task_init(t->leaves, e, t->names, t->kernel, leaves, t->number);
  t->leaves->body =
      names_take(&e->names, format(e->arena, "%s_cell_%d", t->kernel->name, t->number));
  t->leaves->function =
      names_take(&e->names, format(e->arena, "%s_leaves_%d", t->kernel->name, t->number));
  write_task_body(t->leaves);
  emit_rows(t->leaves);
  init_skeleton(&s, t->leaves);
  s.leaves = names_take(&s.names, "leaves");
  write_line(e, "#if %s", rows_condition(t->leaves->rows));
  write_comment(e, "the same by the leaves that the ranges meet");
  write_thread_function(&s, format(e->arena, ", const snd_leaves *%s", s.leaves),
                        write_leaves_loop);
  write_line(e, "#endif");
  write_line(e, "%s", "");
}
