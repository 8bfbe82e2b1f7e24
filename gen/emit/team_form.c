/* The form of a task for the teams of a device, which stage what [[cache]] names: the struct of
 * what a team stages, a function for an element of each field, the body, what a thread does.
 */
#include "gen/emit/task.h"

/* ---- the struct ---- */

static void write_members_of(const Task *t, const NearNames *near)
{
  Emit *e = t->emit;

  for (int k = 0; k < t->needs.cache_count; k++)
    write_line(e, "%s %s[%lld];", staged_type(e, t->needs.caches[k]), near->array[k],
               staged_elements(t->needs.caches[k]));
  for (int k = 0; k < t->needs.cache_count; k++)
    if (near->wrote[k] && flags_of(&t->needs, k) == k)
      write_line(e, "uint8_t %s[%lld];", near->wrote[k], staged_elements(t->needs.caches[k]));
}

static void write_staged_struct(Task *t)
{
  const NearNames near = team_members(t->emit, &t->needs);
  Emit *e = t->emit;

  t->staged =
      names_take(&e->names, format(e->arena, "%s_staged_%d", t->kernel->name, t->number));
  write_line(e, "typedef struct %s {", t->staged);
  e->indent++;
  write_members_of(t, &near);
  e->indent--;
  write_line(e, "} %s;", t->staged);
  write_line(e, "%s", "");
}

/* ---- the form ---- */

static bool stages_in_team(Emit *e, const Task *t)
{
  const IrStmt *task = t->stmt;

  if (e->options->target != EMIT_OMP || task->task != IR_TASK_STRUCT_FOR || !runs_parallel(task))
    return false;
  for (int k = 0; k < task->blocks[0]->count; k++)
    if (is_staged(e, task->blocks[0]->stmts[k], &t->live))
      return true;
  return false;
}

/* In that of a loop over lists what lies in the leaf and its halo is near, and the plain body does
 * the rest. */
static void find_team(Task *team, const Task *plain)
{
  Emit *e = team->emit;

  if (plain->stmt->blocks[3]) {
    team->block = plain->stmt->blocks[3];
    team->plain = plain;
  }
  live_find(e, team->block, &team->live);
  needs_find(e, team->kernel, team->stmt, team->block, &team->live, &team->needs);
  if (!team->plain)
    return;
  take_needs(team, plain);
  team->windows = near_windows(e, team->block);
}

void emit_team(Task *t)
{
  Emit *e = t->emit;
  Task *team;
  Skeleton s;

  e->staging = STAGING_TEAM;
  if (stages_in_team(e, t)) {
    team = t->team = NEW(e->arena, Task);
    *team = (Task){ .emit = e, .names = t->names, .kernel = t->kernel, .stmt = t->stmt,
                    .number = t->number, .block = t->block };
    find_team(team, t);
    team->body = names_take(&e->names, format(e->arena, "%s_team_%d", t->kernel->name, t->number));
    team->function =
        names_take(&e->names, format(e->arena, "%s_team_task_%d", t->kernel->name, t->number));
    write_element_functions(e, &team->needs);
    write_staged_struct(team);
    write_task_body(team);
    init_skeleton(&s, team);
    write_task_function(&s);
    write_line(e, "%s", "");
  }
  e->staging = STAGING_NONE;
}

/* No more than a block has cells, in whole warps.  Bodies that go to boxes of cells have many
 * registers: of smaller teams more are at work. */
const char *team_threads(const Task *t)
{
  const int64_t cells = ir_cells(t->stmt->snode);
  Arena *arena = t->emit->arena;

  if (t->stmt->manner.block_dim > 0)
    return decimal(arena, t->stmt->manner.block_dim);
  if (t->team->plain)
    return "SND_TEAM_THREADS / 2";
  return cells < 256 ? decimal(arena, (cells + 31) / 32 * 32) : "SND_TEAM_THREADS";
}
