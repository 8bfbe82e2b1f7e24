/* The cells of a leaf that a row reads: the one that its lanes count from, and where the row has to
 * be left because they are not all in one leaf that is there.
 */
#include "gen/passes/row_access.h"

/* ---- where in the leaf ---- */

/* Of the container that the last step is into; 1 where it does not divide the axis. */
int64_t row_access_extent(const RowAccess *a, int axis)
{
  const IrSNode *node = a->cell->snode;

  for (int k = 0; a->is_in_place && k < node->axis_count; k++)
    if (node->axes[k].axis == axis)
      return node->axes[k].size;
  return 1;
}

bool row_access_runs_along(const RowAccess *a, int axis)
{
  return (a->axes >> axis & 1) && span_runs(&a->stride[axis]) &&
         a->stride[axis].index == a->rows->row_index;
}

/* Where the row stands in its container, on the axis of a loop's index. */
IrStmt *row_access_digit(Rows *r, int index)
{
  IrStmt *s = ir_stmt(r->module, IR_row_digit, TY(I32), r->task->loc, r->each, NULL);

  s->index = index;
  return rows_put(r, s);
}

/* The digit that the cells at digits first .. end - 1 of the row count from, on an axis that runs
 * along the row; by: how many each is behind it. */
static IrStmt *first_digit(RowAccess *a, const IrStmt *digit, int axis, const Digits *at,
                           int64_t by[SPAN_MOST], int first, int end)
{
  Rows *r = a->rows;
  Digits least = *at;
  Stride rest;

  if (a->kept >> axis & 1)
    rest = a->stride[axis];
  else if (!span_rest(&a->stride[axis], row_access_extent(a, axis), &rest))
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

/* Whether the digit of the row is the index itself, but for a number. */
static bool is_of_first_leaf(const RowAccess *a, const Stride *x)
{
  const IrSNode *own = a->rows->task->snode;

  return x->shift == SHIFT_NONE && begins_axis(own, own->path_axes[x->index]);
}

/* The digit in the leaf that is read, from that of the row in its own: the first cells of both are
 * at multiples of the extent, and at 0 where the digit is the index. NULL: the index is not the
 * loop's own, but for a number. */
static IrStmt *shifted_digit(RowAccess *a, const IrStmt *digit, int axis)
{
  Rows *r = a->rows;
  const Stride *x = &a->stride[axis];
  const int64_t extent = row_access_extent(a, axis);
  bool is_index;
  IrStmt *s;
  int64_t by;

  if (!(a->axes >> axis & 1) || !span_runs(x) || extent < 1 || x->multiple % extent != 0 ||
      digit->op != IR_digit || digit->value.i != 1)
    return NULL;
  for (int d = 1; d < x->digits; d++)
    if (x->at[d] != x->at[0] + d)
      return NULL;
  is_index = begins_axis(a->cell->snode, axis);
  if (is_index && !is_of_first_leaf(a, x))
    return NULL;
  by = is_index ? x->at[0] : (x->at[0] % extent + extent) % extent;
  s = row_access_digit(r, x->index);
  if (by == 0 && x->digits <= extent)
    return s;
  s = rows_plain(r, IR_add, s, rows_const(r, TY(I32), by));
  if (is_index)
    return s;
  s = ir_stmt(r->module, IR_digit, s->type, digit->loc, s, NULL);
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

/* Whether the position is that of the row in its own container. */
static bool is_own_position(const RowAccess *a, const IrStmt *position)
{
  const IrSNode *own = a->rows->task->snode, *node = a->cell->snode;
  const int last = own->axis_count - 1;

  if (node->axis_count != own->axis_count)
    return false;
  for (int k = 0; k <= last; k++) {
    const IrStmt *digit = position->operands[k];
    const int axis = own->axes[k].axis;
    if (node->axes[k].axis != axis || node->axes[k].size != own->axes[k].size ||
        !(k == last ? is_const(digit) && digit->value.i == a->rows->first
                    : digit->op == IR_row_digit && own->path_axes[digit->index] == axis))
      return false;
  }
  return true;
}

/* An index outside, whose leaf is the ambient one, may be negative, and its rest with it: then the
 * first cell is as good, since the ambient leaf has the same values everywhere. */
static IrStmt *put_position(RowAccess *a, IrStmt *position)
{
  Rows *r = a->rows;

  if (!r->by_runs && is_own_position(a, position))
    return rows_put(r, ir_stmt(r->module, IR_own_position, TY(I64), r->task->loc, r->each, NULL));
  position = rows_put(r, position);
  return a->check ? rows_guard_position(r, a->cell->operands[1], position) : position;
}

/* The cell that the lanes at digits first .. end - 1 count from. */
IrStmt *row_position_cell(RowAccess *a, IrStmt *leaf, const Digits *at, int first, int end,
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
    if (row_access_runs_along(a, axis))
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
  s = ir_stmt(r->module, IR_cell, TY(CELL), cell->loc, leaf, put_position(a, position), NULL);
  s->snode = cell->snode;
  s->slot = cell->slot;
  s->mode = IR_MODE_READ;
  return rows_put(r, s);
}

/* ---- rows that are left ---- */

/* The digits of the row at which the index of the axis is least and greatest. */
static void find_ends(const RowAccess *a, int axis, int *least, int *greatest)
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
static void leave_two_leaves(RowAccess *a, int axis, IrStmt *low, IrStmt *high, int64_t apart)
{
  Rows *r = a->rows;
  IrStmt *difference;

  if (!(a->kept >> axis & 1) || begins_axis(a->cell->snode, axis))
    return;
  difference = rows_plain(r, IR_sub, high, low);
  rows_leave(r, rows_binary(r, IR_cmp_ne, TY(BOOL), difference,
                            rows_const(r, low->type, apart)));
}

/* The index itself, where the digit is nothing else: so that a check of it is not made twice. */
static IrStmt *index_of_digit(const RowAccess *a, IrStmt *digit, int axis)
{
  return digit->op == IR_digit && digit->value.i == 1 && begins_axis(a->cell->snode, axis)
             ? digit->operands[0] : digit;
}

/* Leaves the row where it is not in one leaf that is there. */
void row_position_leave(RowAccess *a)
{
  const IrStmt *linear = a->cell->operands[1];
  Rows *r = a->rows;

  for (int k = 0; k < linear->operand_count && !r->why; k++) {
    const int axis = a->cell->snode->axes[k].axis;
    IrStmt *digit = index_of_digit(a, linear->operands[k], axis);
    Digits at = { { 0 } };
    int least, greatest;
    IrStmt *low, *high;
    if (!row_access_runs_along(a, axis)) {
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
