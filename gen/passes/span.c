/* How the indices of a struct_for run over a leaf. */
#include "gen/passes/span.h"

#include <string.h>

/* ---- the indices of the loop ---- */

/* The axis of the SNode that an index of the loop runs along; NULL: it runs along none of them. */
static const IrAxis *own_axis(const IrStmt *task, int index)
{
  const IrSNode *node = task->snode;

  for (int k = 0; k < node->axis_count; k++)
    if (node->axes[k].axis == node->path_axes[index])
      return &node->axes[k];
  return NULL;
}

static const IrAxis *row_axis(const IrSNode *node)
{
  return node->axis_count > 0 ? &node->axes[node->axis_count - 1] : NULL;
}

/* Whether every block of a loop holds whole rows: containers of many cells are cut at the words of
 * their masks (snode/device/loop.h). */
static bool has_whole_rows(const IrSNode *node)
{
  enum { WORD = 64 };

  for (int k = 0; k < node->axis_count; k++)
    if (node->axes[k].size < 1 || node->axes[k].size > SPAN_MOST)
      return false;
  return ir_is_one_block(node) || WORD % row_axis(node)->size == 0;
}

/* As many lanes as divide the row, else as a row has. */
int span_run(const IrStmt *task)
{
  const IrSNode *node = task->snode;
  const int64_t row = node->axis_count > 0 ? row_axis(node)->size : 0;

  if (node->axis_count == 0 || has_whole_rows(node))
    return 0;
  if (row == 0 || row > SPAN_MOST)
    return IR_MOST_LANES;
  for (int lanes = IR_MOST_LANES; lanes >= 4; lanes /= 2)
    if (row % lanes == 0)
      return lanes;
  return row > IR_MOST_LANES ? IR_MOST_LANES : row > 8 ? 8 : 4;
}

int span_digits(const IrStmt *task, int index)
{
  const IrAxis *own = own_axis(task, index);

  if (!own)
    return 1;
  if (span_run(task) > 0)
    return own == row_axis(task->snode) ? span_run(task) : 1;
  return (int)own->size;
}

/* A container's first cell is at a multiple of its extent, or at 0. */
int64_t span_multiple(const IrStmt *task, int index)
{
  const IrSNode *node = task->snode;
  const int digits = span_digits(task, index);

  for (int k = 0; digits > 1 && k < node->parent->path_axis_count; k++)
    if (node->parent->path_axes[k] == node->path_axes[index] &&
        (row_axis(node)->size == 0 || own_axis(task, index)->size % digits != 0))
      return 1;
  return digits;
}

int span_row_index(const IrStmt *task)
{
  const IrSNode *node = task->snode;

  for (int k = 0; k < node->path_axis_count; k++)
    if (node->axis_count > 0 && node->path_axes[k] == node->axes[node->axis_count - 1].axis)
      return k;
  return -1;
}

/* ---- spans ---- */

static Span wider(Span a, Span b)
{
  return a > b ? a : b;
}

static Span span_of_index(const IrStmt *task, const IrStmt *s)
{
  if (s->operands[0] != task)
    return SPAN_CELL;                  /* of a loop within the body */
  if (s->index == span_row_index(task))
    return SPAN_CELL;
  return span_digits(task, s->index) == 1 ? SPAN_LEAF : SPAN_ROW;
}

Span span_of(const IrStmt *task, const IrStmt *value)
{
  Span span = SPAN_LEAF;

  switch (value->op) {
  case IR_loop_index:
    return span_of_index(task, value);
  case IR_get:
    if (value->variable->kind == IR_VAR_KERNEL)
      return SPAN_LEAF;
    return value->variable->declaration ? span_of(task, value->variable->declaration->operands[0])
                                        : SPAN_CELL;
  case IR_own_cell: case IR_own_position: case IR_appended:
    return SPAN_CELL;
  default:
    break;
  }
  if (!is_pure(value))
    return SPAN_CELL;
  for (int k = 0; k < value->operand_count; k++)
    span = wider(span, span_of(task, value->operands[k]));
  return span;
}

/* Whether it has one value throughout the task. */
static bool is_of_task(const IrStmt *s)
{
  if (s->op == IR_get)
    return s->variable->kind == IR_VAR_KERNEL ||
           (s->variable->declaration && is_of_task(s->variable->declaration->operands[0]));
  if (s->op == IR_loop_index || s->op == IR_own_cell || s->op == IR_own_position || !is_pure(s))
    return false;
  for (int k = 0; k < s->operand_count; k++)
    if (!is_of_task(s->operands[k]))
      return false;
  return true;
}

/* ---- strides ---- */

static int64_t greatest_divisor(int64_t a, int64_t b)
{
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static int64_t floor_div(int64_t a, int64_t b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static Shift further(Shift a, Shift b)
{
  return a > b ? a : b;
}

static void set_constant(Stride *s, int64_t multiple, Shift shift, int64_t at)
{
  *s = (Stride){ .index = -1, .digits = 1, .multiple = multiple, .shift = shift };
  s->at[0] = at;
}

bool span_runs(const Stride *s)
{
  return s->index >= 0 && s->digits > 1;
}

/* At digit d of the index that runs. */
static int64_t at_digit(const Stride *s, int d)
{
  return s->at[s->index < 0 ? 0 : d];
}

static bool stride_of_index(const IrStmt *task, const IrStmt *s, Stride *to)
{
  const int digits = span_digits(task, s->index);

  if (s->operands[0] != task)
    return false;
  *to = (Stride){ .index = s->index, .digits = digits,
                  .multiple = span_multiple(task, s->index), .step = digits };
  if (to->multiple != digits) {        /* runs that begin anywhere */
    to->step = 0;
    to->shift = SHIFT_LEAF;
  }
  for (int d = 0; d < digits; d++)
    to->at[d] = d;
  return true;
}

static bool is_small(int64_t x)
{
  return x > -(INT64_C(1) << 31) && x < INT64_C(1) << 31;
}

/* Of two that run with different indices, one of which is constant over the leaf: that one's index
 * is a shift. */
static const Stride *as_shift(const Stride *s, Stride *room)
{
  if (s->index < 0)
    return s;
  set_constant(room, s->multiple, SHIFT_LEAF, s->at[0]);
  return room;
}

static bool stride_of_sum(const Stride *a, const Stride *b, int64_t sign, Stride *to)
{
  const Stride *runs = a->index >= 0 && (span_runs(a) || !span_runs(b)) ? a : b;
  Stride room;

  if (a->index != b->index) {
    if (span_runs(a) && span_runs(b))
      return false;
    if (runs == a)
      b = as_shift(b, &room);
    else
      a = as_shift(a, &room);
  }
  *to = (Stride){ .index = runs->index, .digits = runs->digits,
                  .multiple = greatest_divisor(a->multiple, b->multiple),
                  .step = a->step + sign * b->step, .shift = further(a->shift, b->shift) };
  for (int d = 0; d < to->digits; d++) {
    to->at[d] = at_digit(a, d) + sign * at_digit(b, d);
    if (!is_small(to->at[d]))
      return false;
  }
  return true;
}

static bool is_known_constant(const Stride *s)
{
  return s->index < 0 && s->multiple == 0;
}

static bool stride_of_product(const Stride *a, const Stride *b, Stride *to)
{
  const Stride *by = is_known_constant(b) ? b : a, *of = by == b ? a : b;

  if (!is_known_constant(by) || !is_small(of->multiple) || !is_small(by->at[0]))
    return false;
  *to = *of;
  to->multiple = greatest_divisor(of->multiple * by->at[0], 0);
  to->step *= by->at[0];
  for (int d = 0; d < to->digits; d++) {
    to->at[d] *= by->at[0];
    if (!is_small(to->at[d]))
      return false;
  }
  return true;
}

/* Whether the part that runs never leaves the multiple that the rest stands on. */
static bool stays_within(const Stride *s, int64_t multiple)
{
  for (int d = 0; d < s->digits; d++)
    if (s->at[d] < 0 || s->at[d] >= multiple)
      return false;
  return true;
}

bool span_quotient(const Stride *x, int64_t by, Stride *to)
{
  if (x->multiple % by == 0) {
    *to = *x;
    to->multiple = x->multiple / by;
    to->step = x->step / by;
    for (int d = 0; d < to->digits; d++)
      to->at[d] = floor_div(x->at[d], by);
    return true;
  }
  if (by % x->multiple != 0 || !stays_within(x, x->multiple))
    return false;
  set_constant(to, 1, SHIFT_LEAF, 0);
  return true;
}

bool span_rest(const Stride *x, int64_t by, Stride *to)
{
  *to = *x;
  to->step = 0;
  if (x->multiple % by == 0) {
    to->multiple = 0;
    to->shift = SHIFT_NONE;
    for (int d = 0; d < to->digits; d++)
      to->at[d] = x->at[d] - by * floor_div(x->at[d], by);
    return true;
  }
  to->shift = SHIFT_LEAF;
  return by % x->multiple == 0 && stays_within(x, x->multiple);
}

/* The divisor by which s divides rounding down, or takes the rest of; 0: it does neither. */
static int64_t divisor_of(const IrStmt *s)
{
  const IrStmt *by = s->operand_count == 2 ? s->operands[1] : NULL;
  IrRange x;

  if (!by || by->op != IR_const || !type_is_integer(s->type))
    return 0;
  if (s->op == IR_shr)
    return by->value.i >= 0 && by->value.i < 31 ? INT64_C(1) << by->value.i : 0;
  if (s->op == IR_bit_and)
    return by->value.i > 0 && is_small(by->value.i) && (by->value.i & (by->value.i + 1)) == 0
               ? by->value.i + 1 : 0;
  if ((s->op != IR_div && s->op != IR_mod) || by->value.i < 1 || !is_small(by->value.i))
    return 0;
  return ir_range(s->operands[0], &x) && x.lo >= 0 ? by->value.i : 0;
}

static bool stride_of_division(const IrStmt *task, const IrStmt *s, Stride *to)
{
  const int64_t by = divisor_of(s);
  Stride x;

  if (by == 0 || !span_stride(task, s->operands[0], &x))
    return false;
  return s->op == IR_div || s->op == IR_shr ? span_quotient(&x, by, to)
                                            : span_rest(&x, by, to);
}

static bool stride_of_arithmetic(const IrStmt *task, const IrStmt *s, Stride *to)
{
  Stride a, b;
  IrRange r;

  if (!s->plain && !ir_range(s, &r))   /* it may wrap */
    return false;
  if (!span_stride(task, s->operands[0], &a) || !span_stride(task, s->operands[1], &b))
    return false;
  if (s->op == IR_mul)
    return stride_of_product(&a, &b, to);
  return stride_of_sum(&a, &b, s->op == IR_add ? 1 : -1, to);
}

static bool stride_by_op(const IrStmt *task, const IrStmt *s, Stride *to)
{
  switch (s->op) {
  case IR_loop_index:
    return stride_of_index(task, s, to);
  case IR_add: case IR_sub: case IR_mul:
    return stride_of_arithmetic(task, s, to);
  case IR_div: case IR_mod: case IR_shr: case IR_bit_and:
    return stride_of_division(task, s, to);
  default:
    return false;
  }
}

bool span_stride(const IrStmt *task, const IrStmt *value, Stride *to)
{
  const IrStmt *s = ir_without_casts(value);

  if (!type_is_integer(s->type))
    return false;
  if (s->op == IR_const) {
    set_constant(to, 0, SHIFT_NONE, s->value.i);
    return is_small(s->value.i);
  }
  if (stride_by_op(task, s, to))
    return true;
  set_constant(to, 1, is_of_task(s) ? SHIFT_TASK : SHIFT_LEAF, 0);
  return span_of(task, s) == SPAN_LEAF;
}

/* ---- rests ---- */

enum { UNKNOWN = INT32_MAX };

/* How much larger it is at the next cell of the row. */
static int64_t growth(const IrStmt *task, const IrStmt *value)
{
  const IrStmt *s = ir_without_casts(value);
  int64_t a, b;

  if (span_of(task, s) < SPAN_CELL)
    return 0;
  if (s->op == IR_loop_index)
    return s->operands[0] == task ? 1 : UNKNOWN;
  if ((s->op != IR_add && s->op != IR_sub) || !type_is_integer(s->type))
    return UNKNOWN;
  a = growth(task, s->operands[0]);
  b = growth(task, s->operands[1]);
  return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : s->op == IR_add ? a + b : a - b;
}

bool span_has_each(const IrStmt *task, const IrStmt *condition, int cells)
{
  const IrStmt *rest, *of;
  int64_t by, more;
  IrRange x;

  if ((condition->op != IR_cmp_eq && condition->op != IR_cmp_ne) ||
      !is_const(condition->operands[1]))
    return false;
  rest = ir_without_casts(condition->operands[0]);
  of = condition->operands[1];
  by = divisor_of(rest);
  if ((rest->op != IR_bit_and && rest->op != IR_mod) || by < 2 || by > cells || of->value.i < 0 ||
      of->value.i >= by)
    return false;
  /* A sum that wraps keeps its low bits. */
  if ((by & (by - 1)) != 0 && !ir_range(rest->operands[0], &x))
    return false;
  more = growth(task, rest->operands[0]);
  return more != UNKNOWN && greatest_divisor(more, by) == 1;
}
