/* The near form of a loop: functions of one iteration, and of what a host thread does of the task,
 * beside those of the plain form; and the shapes of the windows.
 *
 *   static const snd_window_shape p2g_window_0 = { ... };
 *
 * What it asks for of an iteration that comes some turns later is a function too, which its loop
 * calls with a later cell.
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

#include <string.h>

/* ---- windows ---- */

NearWindows near_windows(Emit *e, const IrBlock *near)
{
  NearWindows n = { NULL, 0 };

  for (int k = 0; k < near->count; k++)
    if (near->stmts[k]->op == IR_window) {
      const NearWindow w = { .is = ir_window(near->stmts[k]) };
      vec_push(e->arena, n.windows, n.count, w);
    }
  return n;
}

static const char *extents_text(Emit *e, const int64_t *extent, int count)
{
  const char *list = "";

  for (int k = 0; k < count; k++)
    list = format(e->arena, "%s%s%lld", list, k ? ", " : "", (long long)extent[k]);
  return list;
}

static void write_shape(const Task *t, const NearWindow *n)
{
  const IrWindow *w = &n->is;
  const IrSNode *snode = w->stmt->snode;
  const TreeNames *tree = &t->emit->trees[snode->tree->id];
  const char *fields = "";
  Emit *e = t->emit;

  for (int k = 0; k < w->field_count; k++)
    fields = format(e->arena, "%s%s%s", fields, k ? ", " : "", tree->field_id[w->field[k]->id]);
  write_line(e, "static const snd_window_shape %s = {", n->shape);
  e->indent++;
  write_line(e, ".snode = %s, .slot = %d, .type = %s, .fields = %d, .lanes = %d, .axes = %d,",
             tree->snode[snode->id].id, w->stmt->slot, sn_type_name(w->field[0]->type),
             w->field_count, w->lanes, w->axes);
  write_line(e, ".is_added_to = %d,%s .is_at_once = %d, .field = { %s },", w->is_added_to,
             w->leaves_inactive ? " .leaves_inactive = 1," : "",
             (w->stmt->index & IR_WINDOW_AT_ONCE) != 0, fields);
  write_line(e, ".block = { %s }, .extent = { %s }, .blocks = { %s }",
             extents_text(e, w->block, w->axes), extents_text(e, w->extent, w->axes),
             extents_text(e, w->blocks, w->axes));
  e->indent--;
  write_line(e, "};");
}

/* ---- a later iteration ---- */

static const IrStmt *gang_of(const IrBlock *near)
{
  for (int k = 0; k < near->count; k++)
    if (near->stmts[k]->op == IR_gang)
      return near->stmts[k];
  return NULL;
}

/* Only in a loop whose turns are cells that lie side by side, all of them its own. */
static bool has_later_cells(const Task *near)
{
  return kind_is(near->stmt->snode->kind, KIND_LIST) || !near->needs.indices;
}

static void emit_ahead(Task *near)
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
  ahead->is_range = gang_of(near->block) != NULL;
  ahead->needs.activates = near->needs.activates;      /* the loop that it is part of */
  ahead->needs.deactivates = near->needs.deactivates;
  ahead->body =
      names_take(&e->names, format(e->arena, "%s_ahead_%d", ahead->kernel->name, ahead->number));
  write_task_body(ahead);
}

/* ---- several iterations at once ---- */

static bool is_same_box(const IrWindow *a, const IrWindow *b)
{
  for (int k = 0; k < a->axes; k++)
    if (a->extent[k] != b->extent[k])
      return false;
  return a->stmt->snode == b->stmt->snode && a->stmt->slot == b->stmt->slot &&
         a->stmt->index == b->stmt->index && strcmp(a->stmt->text, b->stmt->text) == 0;
}

/* The windows of the near form, as the gang's statements ask for them. */
static NearWindows gang_windows(const Task *near, const IrBlock *gang)
{
  NearWindows n = { NEW_ARRAY(near->emit->arena, NearWindow, near->windows.count),
                    near->windows.count };

  for (int k = 0; k < n.count; k++)
    n.windows[k] = near->windows.windows[k];
  for (IrStmt *s = ir_first(gang); s; s = ir_next(s, gang)) {
    const IrWindow w = s->op == IR_window ? ir_window(s) : (IrWindow){ 0 };
    for (int k = 0; k < n.count && w.stmt; k++)
      if (n.windows[k].is.stmt == near->windows.windows[k].is.stmt &&
          is_same_box(&w, &n.windows[k].is)) {
        n.windows[k].is = w;
        break;
      }
  }
  return n;
}

static void emit_gang(Task *near)
{
  const IrStmt *gang = gang_of(near->block);
  Emit *e = near->emit;
  Task *t;

  if (!gang)
    return;
  t = near->gang = NEW(e->arena, Task);
  *t = (Task){ .emit = e, .names = near->names, .kernel = near->kernel, .stmt = near->stmt,
               .number = near->number, .block = gang->blocks[0], .plain = near->plain };
  live_find(e, t->block, &t->live);
  needs_find(e, t->kernel, t->stmt, t->block, &t->live, &t->needs);
  t->needs.activates = near->needs.activates;
  t->needs.deactivates = near->needs.deactivates;
  t->needs.launch = false;             /* an iteration that would trap is run alone */
  t->needs.reductions = near->needs.reductions;        /* in their order */
  t->needs.reduction_count = near->needs.reduction_count;
  t->windows = gang_windows(near, t->block);
  t->body = names_take(&e->names, format(e->arena, "%s_gang_%d", t->kernel->name, t->number));
  write_task_body(t);
}

/* ---- the form ---- */

void name_near_form(Task *t)
{
  Emit *e = t->emit;

  t->body = names_take(&e->names, format(e->arena, "%s_near_%d", t->kernel->name, t->number));
  t->function =
      names_take(&e->names, format(e->arena, "%s_near_task_%d", t->kernel->name, t->number));
}

/* What a window is added to may be activated by another thread while this one walks: so the near
 * form too asks for cells as a task does that activates. */
void take_needs(Task *near, const Task *plain)
{
  Needs *n = &near->needs;
  const Needs *p = &plain->needs;

  n->activates = n->activates || p->activates;
  n->deactivates = n->deactivates || p->deactivates;
  for (int k = 0; k < MAX_SLOTS; k++)
    n->view[k] = n->view[k] || p->view[k];
  n->launch = n->launch || p->launch;
  n->vars = n->vars || p->vars;
  n->own_cell = n->own_cell || p->own_cell;
  n->own_parent = n->own_parent || p->own_parent;
  n->own_position = n->own_position || p->own_position;
  n->indices |= p->indices;
  join_params(near->emit, n, p, near->kernel);
  n->reductions = p->reductions;
  n->reduction_count = p->reduction_count;
}

void emit_near(Task *t)
{
  const IrBlock *block = t->stmt->blocks[2];
  Emit *e = t->emit;
  Task *near;
  Skeleton s;

  if (!block)
    return;
  near = t->host = NEW(e->arena, Task);
  *near = *t;
  near->host = NULL;
  near->plain = t;
  near->block = block;
  near->live = (Live){ 0 };
  near->needs = (Needs){ 0 };
  live_find(e, block, &near->live);
  needs_find(e, t->kernel, t->stmt, block, &near->live, &near->needs);
  take_needs(near, t);
  near->windows = near_windows(e, block);
  name_near_form(near);
  for (int k = 0; k < near->windows.count; k++) {
    NearWindow *n = &near->windows.windows[k];
    n->shape = names_take(&e->names, format(e->arena, "%s_window_%d", t->kernel->name, t->number));
    write_shape(near, n);
  }
  write_line(e, "%s", "");
  emit_ahead(near);
  emit_gang(near);
  write_task_body(near);
  init_skeleton(&s, near);
  write_task_function(&s);
  write_line(e, "%s", "");
}
