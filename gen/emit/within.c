/* The box of a loop (gen/passes/boxes.c): of the blocks only those are gone through whose
 * containers it meets.
 *
 *   const snd_within within =
 *       snd_within_of(grid, GRID_OF_Z, 2, (const int64_t[]){ 0, n, vars->level, INT64_MAX });
 *   ...
 *   while (snd_next_block(thread, &block)) {
 *     if (!snd_within_meets(&within, &block))
 *       continue;
 */
#include "gen/emit/task.h"

/* A bound of the box, which stands at operand k, with what is added to it behind. */
static const char *box_bound(const Skeleton *s, int k)
{
  const IrStmt *bound = s->task->stmt->operands[k];
  long long plus = (long long)s->task->stmt->operands[k + 1]->value.i;
  const char *text = range_bound(s, bound, RANGE_IN_FUNCTION, true);

  if (bound->op == IR_const && bound->value.i == INT64_MAX)
    return "INT64_MAX";
  if (plus == 0)
    return text;
  return format(s->emit->arena, "%s %c %lld", text, plus < 0 ? '-' : '+', plus < 0 ? -plus : plus);
}

static bool has_box(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR && task->operand_count > 0 && !ir_is_leaves(task);
}

void write_box(Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  Emit *e = s->emit;
  const char *list = "";

  if (!has_box(task))
    return;
  for (int k = 0; k < task->operand_count; k += 2)
    list = format(e->arena, "%s%s%s", list, k ? ", " : "", box_bound(s, k));
  s->within = names_take(&s->names, "within");
  write_line(e, "const snd_within %s =", s->within);
  write_line(e, "    snd_within_of(%s, %s, %d, (const int64_t[]){ %s });", s->view[task->slot],
             snode_id(s), task->operand_count / 4, list);
}

void write_leave_box(const Skeleton *s)
{
  if (!has_box(s->task->stmt))
    return;
  write_line(s->emit, "if (!snd_within_meets(&%s, &%s))", s->within, s->block);
  write_line(s->emit, "  continue;");
}
