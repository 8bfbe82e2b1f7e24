/* Checks of indices in the row form: one comparison for each row and axis, or for each leaf; only
 * where that says that an index may be outside, for each lane. And boxes: whether a condition on
 * the loop's indices leaves any cell of a leaf. */
#include "gen/passes/row_access.h"

/* The type that index k of a check is compared in: its own, where the limits fit. */
static const Type *compared_type(const IrStmt *check, int k)
{
  const int axis = check->field ? check->field->axes[k] : ir_snode(check)->path_axes[k];
  const int64_t total = ir_snode(check)->total[axis];
  const int64_t origin = check->field ? check->field->origin[k] : 0;
  const bool fits = total > 0 && origin > INT32_MIN && origin + total < INT32_MAX;

  return fits && check->operands[k]->type == TY(I32) ? TY(I32) : TY(I64);
}

/* The least index that is beyond. */
static IrStmt *limit_of(Rows *r, const IrStmt *check, int k)
{
  IrSNode *node = ir_snode(check), *top = node;
  const int axis = check->field ? check->field->axes[k] : node->path_axes[k];
  const int64_t origin = check->field ? check->field->origin[k] : 0;
  IrStmt *extent;

  if (node->total[axis] > 0)
    return rows_const(r, compared_type(check, k), origin + node->total[axis]);
  while (top->parent->parent)
    top = top->parent;
  extent = rows_new(r, IR_extent, TY(I64), check->loc);
  extent->snode = top;
  extent->slot = check->slot;
  extent->index = axis;
  extent = rows_put(r, extent);
  extent = rows_binary(r, IR_mul, TY(I64), extent,
                       rows_const(r, TY(I64), ir_below(top, node, axis)));
  return origin ? rows_binary(r, IR_add, TY(I64), extent, rows_const(r, TY(I64), origin)) : extent;
}

static IrStmt *as_type(Rows *r, const Type *type, IrStmt *s)
{
  IrStmt *cast;

  if (s->type == type)
    return s;
  cast = ir_stmt(r->module, IR_cast, type, s->loc, s, NULL);
  cast->lanes = s->lanes;
  return rows_put(r, cast);
}

IrStmt *rows_either(Rows *r, IrStmt *a, IrStmt *b)
{
  if (!a)
    return b;
  if (a->lanes != b->lanes) {
    a = rows_spread(r, a);
    b = rows_spread(r, b);
  }
  return rows_binary(r, IR_bit_or, TY(BOOL), a, b);
}

static IrStmt *compared(Rows *r, IrOp op, IrStmt *x, IrStmt *limit)
{
  return rows_binary(r, op, TY(BOOL), x, x->lanes ? rows_spread(r, limit) : limit);
}

IrStmt *rows_outside(Rows *r, const IrStmt *check, int k, IrStmt *low, IrStmt *high)
{
  const int64_t origin = check->field ? check->field->origin[k] : 0;
  const Type *type = compared_type(check, k);
  IrStmt *outside = NULL;

  if (!(check->index >> (2 * k) & 1))
    outside = compared(r, IR_cmp_lt, as_type(r, type, low), rows_const(r, type, origin));
  if (!(check->index >> (2 * k) & 2))
    outside = rows_either(r, outside,
                     compared(r, IR_cmp_ge, as_type(r, type, high), limit_of(r, check, k)));
  return outside;
}

static IrStmt *outside_of(Rows *r, const IrStmt *check, int k, IrStmt *index)
{
  return rows_outside(r, check, k, index, index);
}

/* The same of the two lanes of a row that are least and greatest, as one bool; NULL: it is not
 * known which they are. */
static IrStmt *outside_at_ends(Rows *r, const IrStmt *check, int k)
{
  Digits least = { { 0 } }, greatest = { { 0 } };
  IrStmt *low, *high;
  Stride x;

  if (!span_stride(r->task, check->operands[k], &x) || x.index != r->row_index)
    return NULL;
  least.at[r->row_index] = greatest.at[r->row_index] = r->first;
  for (int d = r->first; d < r->first + r->lanes; d++) {
    if (x.at[d] < x.at[least.at[r->row_index]])
      least.at[r->row_index] = d;
    if (x.at[d] > x.at[greatest.at[r->row_index]])
      greatest.at[r->row_index] = d;
  }
  low = rows_at_digits(r, check->operands[k], &least);
  high = rows_at_digits(r, check->operands[k], &greatest);
  return low && high ? rows_outside(r, check, k, low, high) : NULL;
}

/* Lanes that do not run may be outside; where none is, no lane is looked at. */
static void leave_outside_lanes(Rows *r, const IrStmt *check, int k, IrStmt *index)
{
  IrStmt *ends = outside_at_ends(r, check, k), *lanes;

  if (r->why)
    return;
  if (ends && !r->mask) {
    rows_leave(r, ends);
    return;
  }
  lanes = rows_any(r, rows_mask_and(r, r->mask, outside_of(r, check, k, index)));
  rows_leave(r, ends ? rows_binary(r, IR_bit_and, TY(BOOL), ends, lanes) : lanes);
}

void rows_check(Rows *r, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count && !r->why; k++) {
    IrStmt *index, *outside;
    if ((s->index >> (2 * k) & 3) == 3)
      continue;
    if (s->variable || !rows_can_leave(r)) {
      rows_fail(r, s, "an index may be outside where the row cannot be left");
      return;
    }
    index = rows_value(r, s->operands[k]);
    if (!index)
      return;
    if (index->lanes > 0) {
      leave_outside_lanes(r, s, k, index);
      continue;
    }
    outside = outside_of(r, s, k, index);
    if (outside && r->mask)
      outside = rows_binary(r, IR_bit_and, TY(BOOL), outside, rows_any(r, r->mask));
    if (outside)
      rows_leave(r, outside);
  }
}

/* Runs at the borders of a large container go cell by cell, and no other asks. */
static IrStmt *leave_border(Rows *r, const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *index = rows_value(r, s->operands[k]), *outside;
    if (!index)
      return NULL;
    outside = outside_of(r, s, k, index);
    if (outside && index->lanes > 0) {
      IrStmt *ends = outside_at_ends(r, s, k);
      outside = ends ? ends : rows_any(r, rows_spread(r, outside));
    }
    if (outside)
      rows_leave(r, outside);
  }
  return rows_const(r, TY(BOOL), 1);
}

IrStmt *rows_inside(Rows *r, const IrStmt *s)
{
  IrStmt *all = NULL, *not;

  if (s->variable)
    return rows_fail(r, s, "an array is indexed");
  if (r->by_runs && rows_can_leave(r))
    return leave_border(r, s);
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *index = rows_value(r, s->operands[k]), *outside;
    if (!index)
      return NULL;
    outside = outside_of(r, s, k, index);
    if (outside)
      all = rows_either(r, all, outside);
  }
  if (!all) {
    not = rows_new(r, IR_const, TY(BOOL), s->loc);
    not->value.i = 1;
    return rows_put(r, not);
  }
  return rows_not(r, all);
}

/* ---- boxes ---- */

/* What is so where the comparison is not; IR_const: it orders nothing. */
static IrOp opposite(IrOp comparison)
{
  switch (comparison) {
  case IR_cmp_lt: return IR_cmp_ge;
  case IR_cmp_le: return IR_cmp_gt;
  case IR_cmp_gt: return IR_cmp_le;
  case IR_cmp_ge: return IR_cmp_lt;
  default:        return IR_const;
  }
}

/* What is found of a condition on the loop's indices. */
typedef struct Limits {
  IrStmt *beyond;               /* no cell of the leaf satisfies it; NULL: not known */
  IrStmt *beside;               /* by runs: no cell of the row does */
  IrStmt *partly;               /* a cell may not; NULL: not known that one may */
  bool is_whole;                /* nothing else is in it */
} Limits;

/* The digit at which the index is greatest, or least. */
static int extreme_digit(const Stride *x, bool is_greatest)
{
  int at = 0;

  for (int d = 1; x->index >= 0 && d < x->digits; d++)
    if (is_greatest ? x->at[d] > x->at[at] : x->at[d] < x->at[at])
      at = d;
  return at;
}

/* Whether index < limit, or the like, does not hold for the cells that are most likely to satisfy
 * it, or least likely. */
static IrStmt *fails_at(Rows *r, const IrStmt *comparison, const Stride *x, bool is_greatest)
{
  Digits at = { { 0 } };
  IrStmt *index, *limit;

  if (x->index >= 0)
    at.at[x->index] = extreme_digit(x, is_greatest);
  index = rows_at_digits(r, comparison->operands[0], &at);
  limit = rows_at_digits(r, comparison->operands[1], &(Digits){ { 0 } });
  return index && limit ? rows_binary(r, opposite(comparison->op), TY(BOOL), index, limit) : NULL;
}

static void add_limit(Rows *r, IrStmt *comparison, Limits *limits)
{
  const IrStmt *index = comparison->operands[0], *limit = comparison->operands[1];
  const bool wants_greatest = comparison->op == IR_cmp_gt || comparison->op == IR_cmp_ge;
  IrStmt *fails;
  Stride x;

  if (!type_is_integer(index->type) || span_of(r->task, limit) != SPAN_LEAF ||
      !span_stride(r->task, index, &x)) {
    limits->is_whole = false;
    return;
  }
  fails = fails_at(r, comparison, &x, wants_greatest);
  if (fails && r->by_runs && !span_runs(&x)) {
    limits->beside = rows_either(r, limits->beside, fails);
    return;
  }
  if (fails)
    limits->beyond = rows_either(r, limits->beyond, fails);
  if (fails && !r->by_runs && !span_runs(&x)) {
    map_put(&r->satisfied, comparison, comparison);
    return;
  }
  fails = fails_at(r, comparison, &x, !wants_greatest);
  if (fails)
    limits->partly = rows_either(r, limits->partly, fails);
}

static void find_limits(Rows *r, IrStmt *condition, Limits *limits)
{
  if (condition->op == IR_bit_and) {
    find_limits(r, condition->operands[0], limits);
    find_limits(r, condition->operands[1], limits);
  } else if (opposite(condition->op) != IR_const) {
    add_limit(r, condition, limits);
  } else {
    limits->is_whole = false;
  }
}

/* Once, where rows are gone through piece by piece. */
static void leave_at(Rows *r, IrBlock *block, IrStmt *beyond)
{
  if (beyond && r->first == 0)
    ir_append(r->module, block,
              ir_stmt(r->module, IR_leave_leaf, TY(VOID), beyond->loc, beyond, NULL));
}

bool rows_leave_leaf(Rows *r, IrStmt *condition, bool differs_in_row)
{
  Limits limits = { .is_whole = true };

  if (r->is_whole)
    return true;
  find_limits(r, condition, &limits);
  if (r->by_runs)
    leave_at(r, r->part->blocks[0], limits.beside);
  leave_at(r, r->by_runs ? r->here : r->leaf, limits.beyond);
  if (!r->by_runs && limits.is_whole && differs_in_row)
    r->partly = limits.partly;
  if (!r->by_runs || !limits.is_whole || r->why || !rows_can_leave(r))
    return false;
  if (limits.partly)
    rows_leave(r, limits.partly);
  return true;
}

/* The index at those digits, an index of the loop plus a number as one sum. */
static IrStmt *index_at(Rows *r, const IrStmt *x, const Digits *at)
{
  int64_t plus;
  const IrStmt *index = ir_without_casts(
      ir_without_constant((IrStmt *)(uintptr_t)ir_without_casts(x), &plus));
  IrStmt *sum;

  if (index->op != IR_loop_index || index->operands[0] != r->task || plus < -SPAN_MOST ||
      plus > SPAN_MOST)
    return rows_at_digits(r, x, at);
  sum = rows_index_at(r, index->index, at->at[index->index] + (int)plus);
  return sum->type == x->type ? sum : rows_at_digits(r, x, at);
}

IrStmt *row_border_inside(const RowAccess *a, const Digits *at)
{
  const IrStmt *check = a->check;
  Rows *r = a->rows;
  IrStmt *outside = NULL;

  for (int k = 0; k < check->operand_count; k++) {
    IrStmt *index, *one;
    if ((check->index >> (2 * k) & 3) == 3)
      continue;
    index = index_at(r, check->operands[k], at);
    one = index ? rows_outside(r, check, k, index, index) : NULL;
    if (one)
      outside = rows_either(r, outside, one);
  }
  return outside ? rows_not(r, outside) : NULL;
}
