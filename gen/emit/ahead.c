/* What a near form asks for of an iteration that comes some turns later, as C: a function beside
 * the form's, which its loop calls with a later cell.
 *
 *   SND_INLINE void
 *   p2g_ahead_0(const SND_GLB snd_tree_view *particles, SND_GLB grid_ids *cell)
 *   {
 *     int32_t p = cell->id;
 *     if (p >= 0 && p < 1048576) {
 *       SND_PREFETCH(particles_list_read_settled(particles, p));
 *     }
 *   }
 */
#include "gen/emit/task.h"

/* Only in a loop whose turns are cells that lie side by side, all of them its own. */
static bool has_later_cells(const Task *near)
{
  return kind_is(near->stmt->snode->kind, KIND_LIST) || !near->needs.indices;
}

void emit_ahead(Task *near)
{
  const IrStmt *first = near->block->count > 0 ? near->block->stmts[0] : NULL;
  Emit *e = near->emit;
  Task *ahead;

  if (!first || first->op != IR_ahead || !has_later_cells(near))
    return;
  ahead = near->ahead = NEW(e->arena, Task);
  *ahead = (Task){ .emit = e, .names = near->names, .kernel = near->kernel, .stmt = near->stmt,
                   .number = near->number, .block = first->blocks[0] };
  live_find(e, ahead->block, &ahead->live);
  needs_find(e, ahead->kernel, ahead->stmt, ahead->block, &ahead->live, &ahead->needs);
  ahead->needs.activates = near->needs.activates;      /* the loop that it is part of */
  ahead->needs.deactivates = near->needs.deactivates;
  ahead->body =
      names_take(&e->names, format(e->arena, "%s_ahead_%d", ahead->kernel->name, ahead->number));
  write_task_body(ahead);
}

void emit_prefetch(Body *b, const IrStmt *s)
{
  write_line(b->emit, "SND_PREFETCH(%s);", cell_pointer(b, s->operands[0]));
}

/* Behind the loop's head: the cell `later`, where it is among those that end before `end`. */
void write_ahead(const Skeleton *s, const char *later, const char *end, const char *cell)
{
  Skeleton ahead = *s;

  ahead.task = s->task->ahead;
  write_line(s->emit, "if (%s < %s)", later, end);
  write_line(s->emit, "  %s", body_call(&ahead, cell, NULL, s->index));
}
