/* rows: a struct_for over leaves gets a second form that works on rows of them.
 *
 *   $4 = offloaded struct_for(S2dense grid) {      the same, and behind it
 *     <cell> $5 = own_cell grid.S2dense $4         rows {
 *     <i32> $6 = loop $4 index 1                     ... the leaves beside this one
 *     <i32> $7 = add $6 1                            $30 = each_row $4 {
 *     check_bounds field x grid $7              =>     leave_row $29
 *     <cell> ... the walk                              <f32 x 8> $31 = row_load x $25 $28 from ...
 *     <f32> $20 = load x $19                           <f32 x 8> $32 = mul $31 $9
 *     <f32> $21 = mul $20 $9                           row_store y $26 $32
 *     store y $5 $21                                 }
 *   }                                              }
 *
 * Needs: the module lowered; better after share and plain_index.
 * Guarantees: block 1 leaves what block 0 would leave for all cells of a container, bit for bit
 * but for sums of floats, which are taken in another order. A parallel loop gets it where its
 * leaves stand in place and have a last axis of 4 cells or more, and its body changes no activity,
 * reads at indices whose digits are constant over a leaf or run along one of its axes, and stores
 * into its own cell. An `if` becomes a mask; where an index may be outside, the row is left to
 * block 0. Rows longer than 16 cells, or of an odd number, are cut into pieces: one each_row for
 * each piece. A large container has one each_run instead: so many cells of a row at a time, for
 * each of which the other containers are found anew; it is left to block 0 where its cells are
 * next to those of two containers, or at a border.
 */
#include "gen/ir/finding.h"
#include "gen/passes/rows.h"

enum { LEAST_LANES = 4 };

/* The cells of a row that are active. */
static void rows_of_active(Rows *r)
{
  IrStmt *active = ir_stmt(r->module, IR_row_active, TY(BOOL), r->task->loc, r->each, NULL);

  active->lanes = r->lanes;
  rows_branch_of_lanes(r, r->task->blocks[0], rows_put(r, active));
}

/* Too few cells for lanes: all of them are left to block 0. */
static void leave_piece(Rows *r)
{
  IrStmt *always = rows_new(r, IR_const, TY(BOOL), r->task->loc);

  always->value.i = 1;
  rows_leave(r, rows_put(r, always));
}

/* The loop over a piece of all rows: so many cells from a digit on. */
static void make_loop(Rows *r, int cells)
{
  r->has_effect = false;
  r->partly = NULL;
  map_init(&r->values, r->module->arena);
  map_init(&r->left, r->module->arena);
  map_init(&r->satisfied, r->module->arena);
  map_init(&r->changed, r->module->arena);
  map_init(&r->activated, r->module->arena);
  r->part = NULL;
  if (r->by_runs) {
    r->part = ir_stmt(r->module, IR_each_part, TY(VOID), r->task->loc, r->task, NULL);
    r->part->blocks[0] = ir_block(r->module, r->part);
  }
  r->each = ir_stmt(r->module, r->by_runs ? IR_each_run : IR_each_row, TY(VOID), r->task->loc,
                    r->by_runs ? r->part : r->task, NULL);
  r->each->index = r->first;
  r->each->lanes = cells;
  r->here = r->each->blocks[0] = ir_block(r->module, r->each);
  if (cells < LEAST_LANES)
    leave_piece(r);
  else if (kind_is(r->task->snode->kind, KIND_MASKED))
    rows_of_active(r);
  else
    rows_block(r, r->task->blocks[0]);
}

/* Where a box cuts the leaf the loop that asks for each row which cells are in it; else one that
 * does not ask. */
static void make_loop_of_whole(Rows *r)
{
  IrStmt *cut = r->each, *partly = r->partly, *branch;

  branch = ir_stmt(r->module, IR_if, TY(VOID), r->task->loc, partly, NULL);
  branch->blocks[0] = ir_block(r->module, branch);
  branch->blocks[1] = ir_block(r->module, branch);
  ir_append(r->module, branch->blocks[0], cut);
  r->is_whole = true;
  make_loop(r, r->lanes);
  r->is_whole = false;
  ir_append(r->module, branch->blocks[1], r->each);
  ir_append(r->module, r->leaf, branch);
}

static void make_piece(Rows *r, int first, int cells)
{
  r->first = first;
  r->lanes = cells;
  r->sum_count = 0;
  map_init(&r->variables, r->module->arena);
  make_loop(r, cells);
  if (r->by_runs) {
    rows_clip(r);
    ir_append(r->module, r->part->blocks[0], r->each);
    ir_append(r->module, r->leaf, r->part);
  } else if (r->partly && !r->why) {
    make_loop_of_whole(r);
  } else {
    ir_append(r->module, r->leaf, r->each);
  }
  rows_put_sums(r);
}

/* Cells of the next piece of a row: as many lanes as divide it, or what is left. A run is one. */
static int piece_of(int row, int left)
{
  if (row % IR_MOST_LANES == 0)
    return IR_MOST_LANES;
  for (int lanes = IR_MOST_LANES / 2; lanes >= LEAST_LANES; lanes /= 2)
    if (left >= lanes)
      return lanes;
  return left;
}

/* A loop over ranges goes cell by cell as it is written. */
static void note_unrowed(IrModule *m, const IrStmt *task, Loc loc, const char *why)
{
  if (!ir_is_leaves(task))
    vec_push(m->arena, m->unrowed, m->unrowed_count, ((IrUnrowed){ loc, why, task }));
}

static bool has_effects(const Rows *r)
{
  const IrBlock *body = r->task->blocks[0];

  for (int k = 0; k < body->count; k++)
    if (map_get(&r->needed, body->stmts[k]))
      return true;
  return false;
}

/* Of a body that does nothing there is no second form. */
static void make_rows(Rows *r)
{
  const int locals = r->function->local_count, row = span_digits(r->task, r->row_index);

  rows_find_needed(r);
  if (!has_effects(r))
    return;
  r->task->blocks[1] = r->leaf = ir_block(r->module, r->task);
  map_init(&r->made, r->module->arena);
  for (int first = 0, cells; first < row && !r->why; first += cells) {
    cells = piece_of(row, row - first);
    make_piece(r, first, cells);
  }
  if (!r->why) {
    rows_drop_locals(r);
    remove_dead(r->module, r->function);
    rows_sink(r);
    return;
  }
  r->task->blocks[1] = NULL;
  r->function->local_count = locals;
  note_unrowed(r->module, r->task, r->loc, r->why);
}

/* But for cells that are activated where they are stored to. */
static bool changes_activity(IrModule *m, const IrBlock *body)
{
  Changes c = changes_of(m->arena, body);

  while (next_change(&c))
    if (!ir_activates(c.stmt) || c.stmt->op != IR_cell)
      return true;
  return false;
}

static bool is_over_leaves(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR && is_parallel(task) && ir_is_in_place(task->snode);
}

/* Whether the masks of a row, or of a run, stand in one word. */
static bool has_whole_masks(const IrStmt *task)
{
  const IrSNode *node = task->snode;
  const int64_t row = node->axes[node->axis_count - 1].size;
  const int run = span_run(task);

  return run > 0 ? row > 0 && row % run == 0 : 64 % row == 0;
}

/* NULL: the loop may have rows. */
static const char *why_no_rows(IrModule *m, const IrStmt *task)
{
  const IrSNode *node = task->snode;
  const IrBlock *body = task->blocks[0];

  if (node->axis_count == 0 || (node->axes[node->axis_count - 1].size > 0 &&
                                node->axes[node->axis_count - 1].size < LEAST_LANES))
    return "the last axis of its node has less than 4 cells";
  if (kind_is(node->kind, KIND_MASKED) && !has_whole_masks(task))
    return "the masks of a row of its bitmasked node are not in one word";
  if (changes_activity(m, body))
    return "it activates or deactivates cells";
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_set && s->variable->kind == IR_VAR_KERNEL)
      return "it sets a variable that later loops read";
  return NULL;
}

static void rows_of_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  Rows r = { .module = m, .function = f, .task = task, .row_index = span_row_index(task),
             .by_runs = span_run(task) > 0 };
  const char *why = why_no_rows(m, task);

  if (why)
    note_unrowed(m, task, task->loc, why);
  else
    make_rows(&r);
}

void pass_rows(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    note_declarations(m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (is_over_leaves(t.tasks[i]))
        rows_of_task(m, m->kernels[k], t.tasks[i]);
  }
}
