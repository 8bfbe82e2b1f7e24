/* Loads of the row form.
 *
 * The walk to a cell ends with a step into a container that stands in place: the leaf that is
 * read.  Which leaf that is depends on the quotients of the indices by its extents, where in it on
 * the rests.  The digits of each of the loop's indices are cut into pieces over which all
 * quotients are constant: for each combination of pieces there is one leaf, found in the leaf
 * block.  A row chooses between those that differ in the other indices; those that differ along
 * the row are all read, and each lane takes its own.
 */
#include "gen/passes/row_access.h"

enum { MOST_LEAVES = 64 };

/* ---- the indices of a walk ---- */

static bool note_digit(RowAccess *a, const IrStmt *digit)
{
  Stride stride;

  if (digit->op == IR_cast)
    digit = digit->operands[0];
  if (digit->op != IR_digit)
    return digit->op == IR_const;
  if (!span_stride(a->rows->task, digit->operands[0], &stride))
    return false;
  a->index[digit->index] = digit->operands[0];
  a->stride[digit->index] = stride;
  a->axes |= 1u << digit->index;
  return true;
}

static bool note_position(RowAccess *a, const IrStmt *cell)
{
  if (kind_is(cell->snode->kind, KIND_KEYS)) {
    for (int k = 1; k < cell->operand_count; k++)
      if (!note_digit(a, cell->operands[k]))
        return false;
    return true;
  }
  if (cell->operands[1]->op != IR_linear)
    return false;
  for (int k = 0; k < cell->operands[1]->operand_count; k++)
    if (!note_digit(a, cell->operands[1]->operands[k]))
      return false;
  return true;
}

bool row_access_begin(RowAccess *a, Rows *r, const IrStmt *cell)
{
  const IrStmt *s = cell;

  *a = (RowAccess){ .rows = r, .cell = cell,
                    .is_in_place = cell->op == IR_cell && ir_is_in_place(cell->snode) };
  for (; s->op == IR_cell; s = s->operands[0])
    if (!note_position(a, s))
      return false;
  return s->op == IR_root || (s->op == IR_own_cell && s->snode == a->rows->task->snode->parent);
}

/* ---- pieces ---- */

static bool cut(Pieces *p, int digit)
{
  int at = p->count;

  for (int k = 0; k < p->count; k++)
    if (p->first[k] == digit)
      return true;
  if (p->count == MOST_PIECES)
    return false;
  for (; p->first[at - 1] > digit; at--)
    p->first[at] = p->first[at - 1];
  p->first[at] = digit;
  p->count++;
  return true;
}

/* Where the cells of a run may be in two leaves, at a place that is not known. */
static bool keep_in_one_leaf(RowAccess *a, int axis)
{
  if (!a->rows->by_runs || !a->is_in_place || !rows_can_leave(a->rows))
    return false;
  a->kept |= 1u << axis;
  return true;
}

/* Cuts the digits of the index that the axis runs with where another leaf begins. */
static bool cut_axis(RowAccess *a, int axis)
{
  const Stride *x = &a->stride[axis];
  const int64_t extent = row_access_extent(a, axis);
  Stride quotient;

  if (!span_runs(x))
    return true;
  if (extent == 0 || !span_quotient(x, extent, &quotient))
    return keep_in_one_leaf(a, axis);
  for (int d = 1; quotient.index >= 0 && d < quotient.digits; d++)
    if (quotient.at[d] != quotient.at[d - 1] && !cut(&a->pieces[x->index], d))
      return false;
  return true;
}

bool row_access_cut(RowAccess *a)
{
  int64_t leaves = 1;

  for (int k = 0; k < MAX_AXES; k++)
    a->pieces[k] = (Pieces){ .count = 1 };
  for (int axis = 0; axis < MAX_AXES; axis++)
    if ((a->axes >> axis & 1) && !cut_axis(a, axis))
      return false;
  for (int k = 0; k < MAX_AXES; k++)
    leaves *= a->pieces[k].count;
  return leaves <= MOST_LEAVES;
}

/* ---- leaves ---- */

/* Whether the loop's index k and a digit of it give the container that the loop stands on. */
static bool is_own_coordinate(const RowAccess *a, int k, int digit)
{
  const int axis = a->rows->task->snode->path_axes[k];
  const Stride *x = &a->stride[axis];
  const int64_t extent = row_access_extent(a, axis);

  return (a->axes >> axis & 1) && x->index == k && x->shift == SHIFT_NONE && x->step == extent &&
         x->at[digit] >= 0 && x->at[digit] < extent;
}

/* Whether the digits are those of the leaf that the loop stands on. */
static bool is_own_leaf(const RowAccess *a, const Digits *at)
{
  const IrStmt *task = a->rows->task;
  const IrSNode *own = task->snode, *node = a->cell->snode;

  if (!a->is_in_place || node->parent != own->parent || a->cell->slot != task->slot ||
      node->axis_count != own->axis_count)
    return false;
  for (int k = 0; k < node->axis_count; k++)
    if (node->axes[k].axis != own->axes[k].axis || node->axes[k].size != own->axes[k].size)
      return false;
  for (int k = 0; k < own->path_axis_count; k++)
    if (!is_own_coordinate(a, k, at->at[k]))
      return false;
  return true;
}

/* The cell that holds the leaf that is read at those digits. */
static IrStmt *leaf_at(RowAccess *a, const Digits *at)
{
  Rows *r = a->rows;
  IrStmt *own;

  if (!a->is_in_place)
    return rows_at_digits(r, a->cell, at);
  if (!is_own_leaf(a, at) || r->task->snode->parent->kind == SNODE_ROOT) {
    r->inside = a->check ? row_border_inside(a, at) : NULL;
    r->inside_axes = a->cell->snode->path_axis_count;
    return rows_at_digits(r, a->cell->operands[0], at);
  }
  own = ir_stmt(r->module, IR_own_cell, TY(CELL), r->task->loc, r->task, NULL);
  own->snode = r->task->snode->parent;
  return rows_put(r, own);
}

static IrStmt *stands_before(Rows *r, int index, int digit)
{
  return rows_binary(r, IR_cmp_lt, TY(BOOL), row_access_digit(r, index),
                     rows_const(r, TY(I32), digit));
}

/* The row's leaf, of those that differ in the loop's indices from `index` on. */
static IrStmt *choose_leaf(RowAccess *a, int index, Digits *at)
{
  Rows *r = a->rows;
  IrStmt *chosen = NULL;

  while (index < MAX_AXES && (index == r->row_index || a->pieces[index].count == 1))
    index++;
  if (index == MAX_AXES)
    return leaf_at(a, at);
  for (int p = a->pieces[index].count - 1; p >= 0; p--) {
    IrStmt *leaf, *before;
    at->at[index] = a->pieces[index].first[p];
    leaf = choose_leaf(a, index + 1, at);
    if (!leaf)
      return NULL;
    if (!chosen || chosen == leaf) {
      chosen = leaf;
      continue;
    }
    before = stands_before(r, index, a->pieces[index].first[p + 1]);
    chosen = rows_put(r, ir_stmt(r->module, IR_select, TY(CELL), r->task->loc, before, leaf,
                                 chosen, NULL));
  }
  at->at[index] = 0;
  return chosen;
}

/* ---- loads ---- */

static IrStmt *load_one(Rows *r, const IrStmt *load, IrStmt *cell)
{
  IrStmt *s = ir_stmt(r->module, IR_load, load->type, load->loc, cell, NULL);

  s->field = load->field;
  s->relaxed = load->relaxed;
  return rows_put(r, s);
}

/* Lanes, each from one of the cells. */
static IrStmt *load_lanes(Rows *r, const IrStmt *load, IrStmt **cells, int count,
                          const IrLane *lane)
{
  IrStmt *s = rows_new(r, IR_row_load, load->type, load->loc);

  s->field = load->field;
  s->relaxed = load->relaxed;
  s->lanes = r->lanes;
  s->from = NEW_ARRAY(r->module->arena, IrLane, r->lanes);
  for (int k = 0; k < r->lanes; k++)
    s->from[k] = lane[k];
  for (int k = 0; k < count; k++)
    ir_add_operand(r->module, s, cells[k]);
  return rows_put(r, s);
}

bool row_access_varies(const RowAccess *a)
{
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (row_access_runs_along(a, axis))
      return true;
  return false;
}

static int add_cell(IrStmt **cells, int *count, IrStmt *cell)
{
  for (int k = 0; k < *count; k++)
    if (cells[k] == cell)
      return k;
  cells[*count] = cell;
  return (*count)++;
}

static int greater(int a, int b)
{
  return a > b ? a : b;
}

int row_access_cells(RowAccess *a, IrStmt *cells[MOST_PIECES], IrLane lane[IR_MOST_LANES])
{
  Rows *r = a->rows;
  const Pieces *p = &a->pieces[r->row_index];
  int count = 0;

  for (int k = 0; k < p->count; k++) {
    const int first = greater(p->first[k], r->first), last = r->first + r->lanes;
    const int end = k + 1 < p->count && p->first[k + 1] < last ? p->first[k + 1] : last;
    Digits at = { { 0 } };
    IrStmt *cell;
    int operand;
    if (first >= end)                  /* of another piece of the row */
      continue;
    at.at[r->row_index] = first;
    cell = choose_leaf(a, 0, &at);
    if (cell && a->is_in_place)
      cell = row_position_cell(a, cell, &at, first, end, lane);
    if (!cell)
      return 0;
    operand = add_cell(cells, &count, cell);
    for (int d = first; d < end; d++)
      lane[d - r->first].operand = operand;
  }
  return count;
}

IrStmt *row_access_load(RowAccess *a, const IrStmt *load)
{
  Rows *r = a->rows;
  IrStmt *cells[MOST_PIECES];
  IrLane lane[IR_MOST_LANES] = { { 0, 0 } };
  const int count = row_access_cells(a, cells, lane);

  if (count == 0)
    return NULL;
  if (!row_access_varies(a))
    return load_one(r, load, cells[0]);
  return load_lanes(r, load, cells, count, lane);
}

/* ---- the loop's own cells ---- */

static IrStmt *own_position(Rows *r)
{
  return rows_put(r, ir_stmt(r->module, IR_own_position, TY(I64), r->task->loc, r->each, NULL));
}

IrStmt *rows_own_cell(Rows *r, const IrStmt *cell)
{
  IrSNode *own = r->task->snode;
  IrStmt *s, *parent;

  if (cell->op == IR_own_cell && cell->snode == own) {
    s = ir_stmt(r->module, IR_own_cell, TY(CELL), cell->loc, r->each, NULL);
    s->snode = own;
    return rows_put(r, s);
  }
  if (cell->op != IR_cell || cell->operand_count != 2 || !ir_is_in_place(cell->snode) ||
      cell->operands[1]->op != IR_own_position || cell->operands[0]->op != IR_own_cell)
    return NULL;
  if (kind_is(cell->snode->kind, KIND_MASKED) && cell->mode == IR_MODE_ACTIVATE)
    return NULL;                       /* they are activated one by one */
  parent = ir_stmt(r->module, IR_own_cell, TY(CELL), cell->loc, r->task, NULL);
  parent->snode = own->parent;
  s = ir_stmt(r->module, IR_cell, TY(CELL), cell->loc, rows_put(r, parent), own_position(r), NULL);
  s->snode = cell->snode;
  s->slot = cell->slot;
  s->mode = cell->mode;
  return rows_put(r, s);
}

IrStmt *rows_load_own(Rows *r, const IrStmt *load, IrStmt *cell)
{
  IrLane lane[IR_MOST_LANES];

  for (int k = 0; k < r->lanes; k++)
    lane[k] = (IrLane){ 0, k };
  return load_lanes(r, load, &cell, 1, lane);
}

IrStmt *rows_load(Rows *r, const IrStmt *load)
{
  const IrStmt *cell = load->operands[0];
  IrStmt *own = rows_own_cell(r, cell);
  RowAccess a;

  if (own)
    return rows_load_own(r, load, own);
  if (map_get(&r->changed, load->field))
    return rows_fail(r, load, "it may have been changed by the iteration itself");
  if (!row_access_begin(&a, r, cell))
    return rows_fail(r, load, "an index of it is not known to be constant over a leaf or a row");
  if (!row_access_cut(&a))
    return rows_fail(r, load, "a row of it is in too many leaves");
  if (a.is_in_place && (r->by_runs || cell->snode->parent->kind == SNODE_ROOT))
    row_position_leave(&a);
  return r->why ? NULL : row_access_load(&a, load);
}
