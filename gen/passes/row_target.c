/* Stores to other cells than the loop's own, and updates of them, as of a coarser level:
 *
 *   coarse[i / 2, j / 2] += fine[i, j]
 *
 * The cells that a leaf changes are in one leaf, which is found, and activated, once for it. Where
 * several lanes come to one cell their values are taken apart, so that each vector has one value
 * for each cell, and they are added in the order of the cells that the loop stands on.
 *
 * No atomic is needed where only one leaf of the loop comes to a cell: a leaf is worked on by one
 * thread.
 */
#include "gen/passes/row_access.h"

#include <string.h>

/* ---- which leaf of the loop comes to a cell ---- */

/* How the places that changes of a field are made at move with the leaf: so far for each leaf along
 * the axis of the loop's index, and within these limits. */
typedef struct Reach {
  int64_t step, least, most;
  bool is_known;
} Reach;

/* Adds what an index contributes; false: another one moves otherwise. */
static bool add_reach(Reach *reach, const Stride *x)
{
  Reach *of = &reach[x->index];

  if (x->index < 0 || x->shift != SHIFT_NONE || x->step == 0)
    return true;
  if (of->is_known && of->step != x->step)
    return false;
  if (!of->is_known)
    *of = (Reach){ .step = x->step, .least = x->at[0], .most = x->at[0], .is_known = true };
  for (int d = 0; d < x->digits; d++) {
    of->least = x->at[d] < of->least ? x->at[d] : of->least;
    of->most = x->at[d] > of->most ? x->at[d] : of->most;
  }
  return true;
}

/* The axes on which the index moves with the leaf, as bits: the same ones in each change. */
static bool add_change(Rows *r, const IrStmt *change, Reach *reach, unsigned *axes)
{
  unsigned moving = 0;
  RowAccess a;

  if (!row_access_begin(&a, r, change->operands[0]))
    return false;
  for (int axis = 0; axis < MAX_AXES; axis++) {
    const Stride *x = &a.stride[axis];
    if (!(a.axes >> axis & 1) || x->index < 0 || x->shift != SHIFT_NONE || x->step == 0)
      continue;
    moving |= 1u << axis;
    if (!add_reach(reach, x))
      return false;
  }
  if (*axes != 0 && *axes != moving)
    return false;
  *axes = moving;
  return true;
}

static int64_t magnitude(int64_t x)
{
  return x < 0 ? -x : x;
}

/* Whether no cell of the field is changed by two leaves of the loop, each of which is one block. */
static bool is_of_one_leaf(Rows *r, const IrField *field)
{
  const IrBlock *body = r->task->blocks[0];
  Reach reach[MAX_AXES] = { { 0 } };
  unsigned axes = 0;

  if (r->by_runs || !ir_is_one_block(r->task->snode))
    return false;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_call || (ir_changes(s, IR_OF_FIELD) && s->field == field &&
                             !add_change(r, s, reach, &axes)))
      return false;
  for (int n = 0; n < r->task->snode->path_axis_count; n++)
    if (!reach[n].is_known || reach[n].most - reach[n].least >= magnitude(reach[n].step))
      return false;
  return true;
}

/* ---- the leaf ---- */

/* Whether each row of the leaf comes here, or none: where the bool is true, which is NULL where
 * there is no such question. */
static bool is_of_whole_leaf(Rows *r, IrStmt **condition)
{
  const IrBlock *body = r->each->blocks[0];

  *condition = NULL;
  for (const IrBlock *b = r->here; b != body; b = b->owner->parent) {
    IrStmt *one = b->owner->operands[0];
    if (one->parent != r->leaf || b != b->owner->blocks[0])
      return false;
    *condition = *condition ? rows_binary(r, IR_bit_and, TY(BOOL), one, *condition) : one;
  }
  return !r->mask;
}

static bool has_slots_above(const IrStmt *cell)
{
  for (cell = cell->operands[0]; cell->op == IR_cell; cell = cell->operands[0])
    if (kind_is(cell->snode->kind, KIND_SLOTS))
      return true;
  return false;
}

/* Whether the step is made once for the leaf: where all rows come here, or where it is made on the
 * condition that they do. That is said by the first container of slots of the walk; above it only
 * what activates nothing can do without. */
static bool is_made_once(Rows *r, const IrStmt *cell, const IrStmt *above, IrStmt **condition)
{
  return is_of_whole_leaf(r, condition) && above->parent == r->leaf &&
         (!*condition || kind_is(cell->snode->kind, KIND_SLOTS) || has_slots_above(cell) ||
          !kind_is(cell->snode->kind, KIND_SPARSE));
}

/* The step behind the one above, which leads to the cell of the leaf's first digits. */
static IrStmt *put_step(Rows *r, const IrStmt *cell, IrStmt *above)
{
  static const Digits first = { { 0 } };
  IrStmt *s = ir_stmt(r->module, IR_cell, TY(CELL), cell->loc, above, NULL), *condition;
  const bool is_once = is_made_once(r, cell, above, &condition);

  for (int k = 1; k < cell->operand_count; k++) {
    IrStmt *digit = rows_at_digits(r, cell->operands[k], &first);
    if (!digit)
      return NULL;
    ir_add_operand(r->module, s, digit);
  }
  s->snode = cell->snode;
  s->slot = cell->slot;
  s->mode = cell->mode;
  if (is_once && condition && kind_is(cell->snode->kind, KIND_SLOTS) && !has_slots_above(cell))
    ir_add_operand(r->module, s, condition);
  ir_append(r->module, is_once ? r->leaf : r->here, s);
  return s;
}

/* What the walk leads to, made active: once for a leaf, where all rows or none come here, else by
 * each that does. */
static IrStmt *activated(Rows *r, const IrStmt *cell)
{
  static const Digits first = { { 0 } };
  IrStmt *known = map_get(&r->activated, cell), *above, *s;

  if (known && rows_is_seen(r, known->parent))
    return known;
  if (cell->op != IR_cell)
    return rows_at_digits(r, cell, &first);
  above = activated(r, cell->operands[0]);
  s = above ? put_step(r, cell, above) : NULL;
  if (s)
    map_put(&r->activated, cell, s);
  return s;
}

/* ---- the cells ---- */

/* As many cells side by side, each of which is that of as many lanes, one after the other. */
typedef struct Cells {
  IrStmt *first;
  int count, lanes_each;
  bool is_shared;               /* other iterations may load from them meanwhile */
} Cells;

static bool group_lanes(const IrSNode *node, const IrLane *lane, int lanes, Cells *to)
{
  to->count = 1;
  for (int k = 1; k < lanes; k++)
    to->count += lane[k].cell != lane[k - 1].cell;
  if (to->count < 4 || lanes % to->count != 0)
    return false;
  to->lanes_each = lanes / to->count;
  for (int k = 0; k < lanes; k++)
    if (lane[k].cell - lane[0].cell != k / to->lanes_each)
      return false;
  return lane[0].cell == 0 && (!node->is_soa_by_row || to->count <= ir_array_cells(node));
}

static bool has_one_leaf(const RowAccess *a)
{
  for (int k = 0; k < MAX_AXES; k++)
    if (a->pieces[k].count > 1)
      return false;
  return true;
}

static bool find_cells(Rows *r, const IrStmt *s, Cells *to)
{
  IrLane lane[IR_MOST_LANES] = { { 0, 0 } };
  Digits at = { { 0 } };
  IrStmt *leaf;
  RowAccess a;

  if (!row_access_begin(&a, r, s->operands[0]) || !a.is_in_place || !row_access_cut(&a) ||
      !has_one_leaf(&a)) {
    rows_fail(r, s, "the cells that it changes are not known to be in one leaf");
    return false;
  }
  at.at[r->row_index] = r->first;
  if (kind_is(a.cell->snode->kind, KIND_MASKED)) {
    rows_fail(r, s, "the cells that it changes are activated one by one");
    return false;
  }
  leaf = activated(r, a.cell->operands[0]);
  to->first = leaf ? row_position_cell(&a, leaf, &at, r->first, r->first + r->lanes, lane) : NULL;
  if (to->first && !group_lanes(a.cell->snode, lane, r->lanes, to))
    rows_fail(r, s, "the cells that a row changes are not side by side");
  return !r->why;
}

/* ---- the change ---- */

/* Of each cell's lanes the one with that number. */
static IrStmt *pick(Rows *r, IrStmt *lanes, const Cells *to, int number)
{
  IrStmt *s;

  if (!lanes || to->lanes_each == 1)
    return lanes;
  s = ir_stmt(r->module, IR_pick_lanes, lanes->type, lanes->loc, lanes, NULL);
  s->lanes = to->count;
  s->from = NEW_ARRAY(r->module->arena, IrLane, to->count);
  for (int k = 0; k < to->count; k++)
    s->from[k] = (IrLane){ 0, k * to->lanes_each + number };
  return rows_put(r, s);
}

static IrStmt *load_cells(Rows *r, const IrStmt *change, const Cells *from)
{
  IrStmt *s = ir_stmt(r->module, IR_row_load, change->field->type, change->loc, from->first, NULL);

  s->field = change->field;
  s->relaxed = from->is_shared;
  s->lanes = from->count;
  s->from = NEW_ARRAY(r->module->arena, IrLane, from->count);
  for (int k = 0; k < from->count; k++)
    s->from[k] = (IrLane){ 0, k };
  return rows_put(r, s);
}

static IrStmt *blended(Rows *r, IrStmt *mask, IrStmt *then, IrStmt *other)
{
  IrStmt *s;

  if (!mask)
    return then;
  s = ir_stmt(r->module, IR_select, then->type, then->loc, mask, then, other, NULL);
  s->lanes = then->lanes;
  return rows_put(r, s);
}

static void store_cells(Rows *r, const IrStmt *change, const Cells *to, IrStmt *value)
{
  IrStmt *s = ir_stmt(r->module, IR_row_store, TY(VOID), change->loc, to->first, value, NULL);

  s->field = change->field;
  s->relaxed = to->is_shared;
  rows_put(r, s);
}

/* The cells' values, changed by each of their lanes that runs. */
static void change_cells(Rows *r, const IrStmt *s, const Cells *to, IrStmt *value)
{
  const bool is_store = s->op == IR_store;
  IrStmt *now = is_store && !r->mask ? NULL : load_cells(r, s, to);

  for (int k = 0; k < to->lanes_each; k++) {
    IrStmt *one = pick(r, value, to, k);
    now = blended(r, pick(r, r->mask, to, k),
                  is_store ? one : rows_combined(r, s->update, now, one), now);
  }
  store_cells(r, s, to, now);
}

/* Where there was no memory for the leaf nothing is changed. */
static IrBlock *behind_null_test(Rows *r, const IrStmt *s, IrStmt *leaf)
{
  IrStmt *is_null, *is_there, *branch;

  if (!s->may_be_null)
    return r->here;
  is_null = ir_stmt(r->module, IR_is_null, TY(BOOL), s->loc, leaf, NULL);
  ir_append(r->module, r->here, is_null);
  is_there = ir_stmt(r->module, IR_logic_not, TY(BOOL), s->loc, is_null, NULL);
  ir_append(r->module, r->here, is_there);
  branch = rows_put(r, ir_stmt(r->module, IR_if, TY(VOID), s->loc, is_there, NULL));
  branch->blocks[0] = ir_block(r->module, branch);
  branch->blocks[1] = ir_block(r->module, branch);
  return branch->blocks[0];
}

/* The pass atomics says it of what only one iteration comes to. */
static bool is_loaded_meanwhile(const Rows *r, const IrStmt *change)
{
  const IrBlock *body = r->task->blocks[0];

  if (change->op == IR_store || change->plain)
    return change->relaxed;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_load && s->field == change->field)
      return true;
  return false;
}

static bool has_row_form(Rows *r, const IrStmt *s)
{
  if (r->by_runs)
    rows_fail(r, s, "it changes another cell than the loop's own");
  else if (s->op == IR_cell_atomic && !rows_is_combining(s->update, s->type))
    rows_fail(r, s, "it updates by what has no lanes");
  else if (s->op == IR_cell_atomic && map_get(&r->used, s))
    rows_fail(r, s, "it asks for what was in another cell than the loop's own");
  else if (!(s->op == IR_cell_atomic ? s->plain : !s->relaxed) && !is_of_one_leaf(r, s->field))
    rows_fail(r, s, "several iterations may come to the cells that it changes");
  return !r->why;
}

void rows_change_other(Rows *r, IrStmt *s)
{
  IrBlock *here = r->here;
  IrStmt *value;
  Cells to;

  if (!has_row_form(r, s))
    return;
  value = rows_value(r, s->operands[s->operand_count - 1]);
  if (!value)
    return;
  value = rows_spread(r, value);
  if (!find_cells(r, s, &to))
    return;
  r->here = behind_null_test(r, s, to.first->operands[0]);
  if (r->here != here) {               /* the position is of what is there */
    ir_remove(to.first);
    ir_append(r->module, r->here, to.first);
  }
  to.is_shared = is_loaded_meanwhile(r, s);
  change_cells(r, s, &to, value);
  r->here = here;
  r->has_effect = true;
  map_put(&r->changed, s->field, s->field);
}
