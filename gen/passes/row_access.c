/* Loads of the row form.
 *
 * The walk to a cell ends with a step into a container that stands in place: the leaf that is
 * read.  Which leaf that is depends on the quotients of the indices by its extents, where in it on
 * the rests.  The digits of each of the loop's indices are cut into pieces over which all
 * quotients are constant: for each combination of pieces there is one leaf, found in the leaf
 * block.  A row chooses between those that differ in the other indices; those that differ along
 * the row are all read, and each lane takes its own.
 */
#include "gen/passes/rows.h"

enum { MOST_PIECES = 4, MOST_LEAVES = 64 };

typedef struct Pieces {
  int count;
  int first[MOST_PIECES];       /* digits; ascending, first[0] is 0 */
} Pieces;

typedef struct Access {
  Rows *rows;
  const IrStmt *cell;           /* what is walked to */
  bool is_in_place;             /* its last step is into a leaf; else the cell itself is found */
  Stride stride[MAX_AXES];   /* of the index on each axis of the tree */
  unsigned axes;                /* which of them there are */
  unsigned kept;                /* those on which a run that is not all in one leaf is left */
  Pieces pieces[MAX_AXES];   /* by the loop's index */
} Access;

/* ---- the indices of a walk ---- */

static bool note_digit(Access *a, const IrStmt *digit)
{
  Stride stride;

  if (digit->op == IR_cast)
    digit = digit->operands[0];
  if (digit->op != IR_digit)
    return digit->op == IR_const;
  if (!span_stride(a->rows->task, digit->operands[0], &stride))
    return false;
  a->stride[digit->index] = stride;
  a->axes |= 1u << digit->index;
  return true;
}

static bool note_position(Access *a, const IrStmt *cell)
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

static bool note_walk(Access *a)
{
  const IrStmt *s = a->cell;

  for (; s->op == IR_cell; s = s->operands[0])
    if (s->mode != IR_MODE_READ || !note_position(a, s))
      return false;
  return s->op == IR_root || (s->op == IR_own_cell && s->snode == a->rows->task->snode->parent);
}

/* ---- pieces ---- */

/* Of the container that the last step is into; 1 where it does not divide the axis. */
static int64_t leaf_extent(const Access *a, int axis)
{
  const IrSNode *node = a->cell->snode;

  for (int k = 0; a->is_in_place && k < node->axis_count; k++)
    if (node->axes[k].axis == axis)
      return node->axes[k].size;
  return 1;
}

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
static bool keep_in_one_leaf(Access *a, int axis)
{
  if (!a->rows->by_runs || !a->is_in_place || !rows_can_leave(a->rows))
    return false;
  a->kept |= 1u << axis;
  return true;
}

/* Cuts the digits of the index that the axis runs with where another leaf begins. */
static bool cut_axis(Access *a, int axis)
{
  const Stride *x = &a->stride[axis];
  const int64_t extent = leaf_extent(a, axis);
  Stride quotient;

  if (x->index < 0)
    return true;
  if (extent == 0 || !span_quotient(x, extent, &quotient))
    return keep_in_one_leaf(a, axis);
  for (int d = 1; quotient.index >= 0 && d < quotient.digits; d++)
    if (quotient.at[d] != quotient.at[d - 1] && !cut(&a->pieces[x->index], d))
      return false;
  return true;
}

static bool cut_indices(Access *a)
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

/* Whether the digits are those of the leaf that the loop stands on. */
static bool is_own_leaf(const Access *a, const Digits *at)
{
  const IrStmt *task = a->rows->task;
  const IrSNode *own = task->snode, *node = a->cell->snode;

  if (!a->is_in_place || node->parent != own->parent || a->cell->slot != task->slot ||
      node->axis_count != own->axis_count)
    return false;
  for (int k = 0; k < node->axis_count; k++)
    if (node->axes[k].axis != own->axes[k].axis || node->axes[k].size != own->axes[k].size)
      return false;
  for (int k = 0; k < own->path_axis_count; k++) {
    const Stride *x = &a->stride[own->path_axes[k]];
    const int64_t extent = leaf_extent(a, own->path_axes[k]);
    if (!(a->axes >> own->path_axes[k] & 1) || x->index != k || x->multiple != extent ||
        x->at[at->at[k]] < 0 || x->at[at->at[k]] >= extent)
      return false;
  }
  return true;
}

/* The cell that holds the leaf that is read at those digits. */
static IrStmt *leaf_at(Access *a, const Digits *at)
{
  Rows *r = a->rows;
  IrStmt *own;

  if (!a->is_in_place)
    return rows_at_digits(r, a->cell, at);
  if (!is_own_leaf(a, at) || r->task->snode->parent->kind == SNODE_ROOT)
    return rows_at_digits(r, a->cell->operands[0], at);
  own = ir_stmt(r->module, IR_own_cell, TY(CELL), r->task->loc, r->task, NULL);
  own->snode = r->task->snode->parent;
  return rows_put(r, own);
}

/* Where the row stands in its container, on the axis of a loop's index. */
static IrStmt *row_digit(Rows *r, int index)
{
  IrStmt *s = ir_stmt(r->module, IR_row_digit, TY(I32), r->task->loc, r->each, NULL);

  s->index = index;
  return rows_put(r, s);
}

static IrStmt *stands_before(Rows *r, int index, int digit)
{
  return rows_binary(r, IR_cmp_lt, TY(BOOL), row_digit(r, index), rows_const(r, TY(I32), digit));
}

/* The row's leaf, of those that differ in the loop's indices from `index` on. */
static IrStmt *choose_leaf(Access *a, int index, Digits *at)
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

/* ---- where in the leaf ---- */

static bool runs_along_row(const Access *a, int axis)
{
  return (a->axes >> axis & 1) && a->stride[axis].index == a->rows->row_index;
}

/* The digit that the cells at digits first .. end - 1 of the row count from, on an axis that runs
 * along the row; by: how many each is behind it. */
static IrStmt *first_digit(Access *a, const IrStmt *digit, int axis, const Digits *at,
                           int64_t by[SPAN_MOST], int first, int end)
{
  Rows *r = a->rows;
  Digits least = *at;
  Stride rest;

  if (a->kept >> axis & 1)
    rest = a->stride[axis];
  else if (!span_rest(&a->stride[axis], leaf_extent(a, axis), &rest))
    return NULL;
  least.at[r->row_index] = first;
  for (int d = first; d < end; d++)
    if (rest.at[d] < rest.at[least.at[r->row_index]])
      least.at[r->row_index] = d;
  for (int d = first; d < end; d++)
    by[d] = rest.at[d] - (rest.multiple == 0 ? 0 : rest.at[least.at[r->row_index]]);
  return rest.multiple == 0 ? rows_const(r, digit->type, 0)
                            : rows_at_digits(r, digit, &least);
}

/* The digit in the leaf that is read, from that of the row in its own: the first cells of both are
 * at multiples of the extent, and at 0 where the digit is the index. NULL: the index is not the
 * loop's own, but for a number. */
static IrStmt *shifted_digit(Access *a, const IrStmt *digit, int axis)
{
  Rows *r = a->rows;
  const Stride *x = &a->stride[axis];
  const int64_t extent = leaf_extent(a, axis);
  bool is_index;
  IrStmt *s;
  int64_t by;

  if (!(a->axes >> axis & 1) || x->index < 0 || extent < 1 || x->multiple % extent != 0 ||
      digit->op != IR_digit || digit->value.i != 1)
    return NULL;
  for (int d = 1; d < x->digits; d++)
    if (x->at[d] != x->at[0] + d)
      return NULL;
  is_index = begins_axis(a->cell->snode, axis);
  by = is_index ? x->at[0] : (x->at[0] % extent + extent) % extent;
  s = row_digit(r, x->index);
  if (by == 0 && x->digits <= extent)
    return s;
  s = rows_binary(r, IR_add, TY(I32), s, rows_const(r, TY(I32), by));
  s->plain = true;
  if (is_index)
    return s;
  s = ir_stmt(r->module, IR_digit, digit->type, digit->loc, s, NULL);
  s->snode = digit->snode;
  s->slot = digit->slot;
  s->index = digit->index;
  s->value = digit->value;
  return rows_put(r, s);
}

static int64_t cells_behind(const IrSNode *node, int own)
{
  int64_t cells = 1;

  for (int k = own + 1; k < node->axis_count; k++)
    cells *= node->axes[k].size;
  return cells;
}

/* The cell that the lanes at digits first .. end - 1 count from. */
static IrStmt *first_cell(Access *a, IrStmt *leaf, const Digits *at, int first, int end,
                          IrLane *lane)
{
  Rows *r = a->rows;
  const IrStmt *cell = a->cell, *linear = cell->operands[1];
  IrStmt *position = rows_new(r, IR_linear, TY(I64), cell->loc), *s;

  position->snode = cell->snode;
  position->slot = cell->slot;
  for (int k = 0; k < linear->operand_count; k++) {
    const int axis = cell->snode->axes[k].axis;
    int64_t by[SPAN_MOST] = { 0 };
    IrStmt *digit = linear->operands[k], *shifted;
    if (runs_along_row(a, axis))
      digit = first_digit(a, digit, axis, at, by, first, end);
    else if ((shifted = shifted_digit(a, digit, axis)))
      digit = shifted;
    else
      digit = rows_value(r, digit);
    if (!digit || digit->lanes > 0)
      return rows_fail(r, cell, "its position in a leaf is not known");
    ir_add_operand(r->module, position, digit);
    for (int d = first; d < end; d++)
      lane[d - r->first].cell += (int)(by[d] * cells_behind(cell->snode, k));
  }
  s = ir_stmt(r->module, IR_cell, TY(CELL), cell->loc, leaf, rows_put(r, position), NULL);
  s->snode = cell->snode;
  s->slot = cell->slot;
  s->mode = IR_MODE_READ;
  return rows_put(r, s);
}

/* ---- rows that are left ---- */

/* The digits of the row at which the index of the axis is least and greatest. */
static void find_ends(const Access *a, int axis, int *least, int *greatest)
{
  const Stride *x = &a->stride[axis];
  const int first = a->rows->first;

  *least = *greatest = first;
  for (int d = first; d < first + a->rows->lanes; d++) {
    if (x->at[d] < x->at[*least])
      *least = d;
    if (x->at[d] > x->at[*greatest])
      *greatest = d;
  }
}

/* The cells are in one container where its digits are as far apart as the indices. */
static void leave_two_leaves(Access *a, int axis, IrStmt *low, IrStmt *high, int64_t apart)
{
  Rows *r = a->rows;
  IrStmt *difference;

  if (!(a->kept >> axis & 1) || begins_axis(a->cell->snode, axis))
    return;
  difference = rows_binary(r, IR_sub, low->type, high, low);
  difference->plain = true;
  rows_leave(r, rows_binary(r, IR_cmp_ne, TY(BOOL), difference,
                            rows_const(r, low->type, apart)));
}

/* The index itself, where the digit is nothing else: so that a check of it is not made twice. */
static IrStmt *index_of_digit(const Access *a, IrStmt *digit, int axis)
{
  return digit->op == IR_digit && digit->value.i == 1 && begins_axis(a->cell->snode, axis)
             ? digit->operands[0] : digit;
}

/* Leaves the row where it is not in one leaf that is there. */
static void leave_outside(Access *a)
{
  const IrStmt *linear = a->cell->operands[1];
  Rows *r = a->rows;

  for (int k = 0; k < linear->operand_count && !r->why; k++) {
    const int axis = a->cell->snode->axes[k].axis;
    IrStmt *digit = index_of_digit(a, linear->operands[k], axis);
    Digits at = { { 0 } };
    int least, greatest;
    IrStmt *low, *high;
    if (!runs_along_row(a, axis)) {
      low = high = rows_value(r, digit);
      if (low)
        rows_leave_outside(r, linear, k, low, high);
      continue;
    }
    if (!r->by_runs)                   /* its digits are taken from numbers */
      continue;
    find_ends(a, axis, &least, &greatest);
    at.at[r->row_index] = least;
    low = rows_at_digits(r, digit, &at);
    at.at[r->row_index] = greatest;
    high = rows_at_digits(r, digit, &at);
    if (!low || !high)
      return;
    leave_two_leaves(a, axis, low, high, a->stride[axis].at[greatest] - a->stride[axis].at[least]);
    rows_leave_outside(r, linear, k, low, high);
  }
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

static bool varies_along_row(const Access *a)
{
  for (int axis = 0; axis < MAX_AXES; axis++)
    if (runs_along_row(a, axis))
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

static IrStmt *load_pieces(Access *a, const IrStmt *load)
{
  Rows *r = a->rows;
  const Pieces *p = &a->pieces[r->row_index];
  IrStmt *cells[MOST_PIECES];
  IrLane lane[IR_MOST_LANES] = { { 0, 0 } };
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
      cell = first_cell(a, cell, &at, first, end, lane);
    if (!cell)
      return NULL;
    operand = add_cell(cells, &count, cell);
    for (int d = first; d < end; d++)
      lane[d - r->first].operand = operand;
  }
  if (!varies_along_row(a))
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
  Access a = { .rows = r, .cell = cell };

  if (own)
    return rows_load_own(r, load, own);
  a.is_in_place = cell->op == IR_cell && ir_is_in_place(cell->snode);
  if (!note_walk(&a))
    return rows_fail(r, load, "an index of it is not known to be constant over a leaf or a row");
  if (!cut_indices(&a))
    return rows_fail(r, load, "a row of it is in too many leaves");
  if (a.is_in_place && (r->by_runs || cell->snode->parent->kind == SNODE_ROOT))
    leave_outside(&a);
  return r->why ? NULL : load_pieces(&a, load);
}
