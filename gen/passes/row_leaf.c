/* What is constant over a leaf, made anew at digits of the loop's indices. */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"

#include <string.h>

IrStmt *rows_index_at(Rows *r, int index, int digit)
{
  const Type *type = r->task->variable_count > 0 ? r->task->variables[index]->type : TY(I32);
  IrStmt *of = !r->by_runs ? r->task : index == r->row_index ? r->each : r->part;
  IrStmt *first = ir_stmt(r->module, IR_first_index, type, r->task->loc, of, NULL);

  first->index = index;
  first = rows_put(r, first);
  if (digit == 0)
    return first;
  return rows_plain(r, IR_add, first, rows_const(r, type, digit));
}

/* Of which the leaf's first coordinates are multiples, and the quotient by `by` too. */
static int64_t common_step(int64_t digits, int64_t by)
{
  return by % digits == 0 ? digits : digits % by == 0 ? by : 1;
}

/* What is constant over the leaf of an index less a constant, at the leaf's first cell; how it runs
 * from there on is told by the stride. NULL: it is not known to run so. */
static IrStmt *begin_of(Rows *r, const IrStmt *index, Stride *x)
{
  const Digits first = { { 0 } };

  if (!span_stride(r->task, index, x) || x->multiple == 0 || x->shift != SHIFT_NONE ||
      x->at[0] != 0)
    return NULL;
  return rows_at_digits(r, index, &first);
}

/* i + c or 2 * i + c at a digit, as what its quotient is taken of: where the step begins that it
 * lies in.  So indices that lie in one leaf give one walk.  NULL: the index is made another
 * way. */
static IrStmt *step_at(Rows *r, const IrStmt *digit, const Digits *at)
{
  int64_t plus, step, sum;
  const IrStmt *index = ir_without_casts(
      ir_without_constant((IrStmt *)(uintptr_t)ir_without_casts(digit->operands[0]), &plus));
  IrStmt *begin;
  Stride x;

  if (digit->operands[0]->type != index->type)
    return NULL;
  begin = begin_of(r, index, &x);
  if (!begin)
    return NULL;
  step = common_step(x.multiple, digit->value.i);
  sum = x.at[x.index < 0 ? 0 : at->at[x.index]] + plus;
  sum -= ((sum % step) + step) % step;
  if (sum < INT32_MIN / 2 || sum > INT32_MAX / 2)
    return NULL;
  return sum == 0 ? begin : rows_plain(r, IR_add, begin, rows_const(r, begin->type, sum));
}

static IrStmt *operand_at(Rows *r, const IrStmt *s, int k, const Digits *at)
{
  IrStmt *step = s->op == IR_digit ? step_at(r, s, at) : NULL;

  if (s->operands[k] == r->task)
    return r->task;
  return step ? step : rows_at_digits(r, s->operands[k], at);
}

/* As s, without operands. */
static IrStmt *same_again(Rows *r, const IrStmt *s)
{
  IrStmt *copy = NEW(r->module->arena, IrStmt);

  *copy = *s;
  copy->id = copy->site = -1;
  copy->operands = NULL;
  copy->operand_count = 0;
  if (copy->op == IR_cell && copy->mode == IR_MODE_PEEK)
    copy->mode = IR_MODE_READ;         /* an ambient cell answers for what is not there */
  return copy;
}

static IrStmt *copy_at(Rows *r, const IrStmt *s, const Digits *at)
{
  IrStmt *copy = same_again(r, s);

  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *operand = operand_at(r, s, k, at);
    if (!operand)
      return NULL;
    ir_add_operand(r->module, copy, operand);
  }
  return rows_put(r, copy);
}

/* The type that a digit is compared in with 0 and the extent of its axis. */
static const Type *compared_type(const IrStmt *linear, int k, const IrStmt *digit)
{
  const int64_t size = linear->snode->axes[k].size;

  return size > 0 && size <= INT32_MAX && digit->type == TY(I32) ? TY(I32) : TY(I64);
}

/* The extent of a container's axis. */
static IrStmt *extent_of(Rows *r, const IrStmt *linear, int k, const Type *type)
{
  const IrAxis *axis = &linear->snode->axes[k];
  IrStmt *s;

  if (axis->size > 0)
    return rows_const(r, type, axis->size);
  s = rows_new(r, IR_extent, TY(I64), linear->loc);
  s->snode = linear->snode;
  s->slot = linear->slot;
  s->index = axis->axis;
  return rows_put(r, s);
}

static IrStmt *both(Rows *r, IrStmt *a, IrStmt *b)
{
  return a ? rows_binary(r, IR_bit_and, TY(BOOL), a, b) : b;
}

static IrStmt *as_wide(Rows *r, const Type *type, IrStmt *s)
{
  return s->type == type ? s : rows_put(r, ir_stmt(r->module, IR_cast, type, s->loc, s, NULL));
}

IrStmt *rows_guard_position(Rows *r, const IrStmt *linear, IrStmt *position)
{
  IrStmt *inside = NULL, *s;

  for (int k = 0; k < linear->operand_count; k++) {
    IrStmt *digit = position->operands[k], *wide;
    const Type *type;
    bool below, above;
    rows_find_sides_at(r, linear, k, digit, &below, &above);
    if (!below && !above)
      continue;
    type = compared_type(linear, k, digit);
    wide = as_wide(r, type, digit);
    if (below)
      inside = both(r, inside, rows_binary(r, IR_cmp_ge, TY(BOOL), wide, rows_const(r, type, 0)));
    if (above)
      inside = both(r, inside,
                    rows_binary(r, IR_cmp_lt, TY(BOOL), wide, extent_of(r, linear, k, type)));
  }
  if (!inside)
    return position;
  s = ir_stmt(r->module, IR_select, TY(I64), linear->loc, inside, position,
              rows_const(r, TY(I64), 0), NULL);
  return rows_put(r, s);
}

void rows_leave_outside(Rows *r, const IrStmt *linear, int k, IrStmt *low, IrStmt *high)
{
  const Type *type = compared_type(linear, k, low);
  bool below, above;

  rows_find_sides(linear, k, &below, &above);
  if ((below || above) && !rows_can_leave(r)) {
    rows_fail(r, linear, "an index of it may be outside where the row cannot be left");
    return;
  }
  if (below)
    rows_leave(r, rows_binary(r, IR_cmp_lt, TY(BOOL), as_wide(r, type, low),
                              rows_const(r, type, 0)));
  if (above)
    rows_leave(r, rows_binary(r, IR_cmp_ge, TY(BOOL), as_wide(r, type, high),
                              extent_of(r, linear, k, type)));
}

/* The uppermost step of a walk that may end at an ambient cell takes the condition that says
 * whether it does. */
static IrStmt *bordered_cell_at(Rows *r, const IrStmt *s, const Digits *at)
{
  IrStmt *copy = same_again(r, s), *above = rows_at_digits(r, s->operands[0], at);
  IrStmt *inside = r->inside, *position;

  r->inside = NULL;
  position = !above ? NULL : inside ? copy_at(r, s->operands[1], at)
                                    : rows_at_digits(r, s->operands[1], at);
  if (!position)
    return NULL;
  ir_add_operand(r->module, copy, above);
  ir_add_operand(r->module, copy, position);
  if (!inside)
    return rows_put(r, copy);
  ir_add_operand(r->module, copy, inside);
  copy = rows_put(r, copy);
  if (s->snode->path_axis_count == r->inside_axes)
    vec_push(r->module->arena, r->bordered, r->bordered_count, copy);
  return copy;
}

/* A walk is made where a cell is wanted only if it is there: one from the same container to the
 * same position that ends at the ambient cell elsewhere does as well, if no axis below it has a say
 * in that: then both are inside, or neither. NULL: none such has been made. */
static IrStmt *known_bordered(Rows *r, const IrStmt *s, const Digits *at)
{
  IrStmt *above, *position;

  if (r->bordered_count == 0)
    return NULL;
  above = rows_at_digits(r, s->operands[0], at);
  position = copy_at(r, s->operands[1], at);
  for (int k = 0; k < r->bordered_count; k++) {
    IrStmt *cell = r->bordered[k];
    if (cell->operands[0] == above && cell->operands[1] == position &&
        rows_is_seen(r, cell->parent))
      return cell;
  }
  return NULL;
}

IrStmt *rows_at_digits(Rows *r, const IrStmt *s, const Digits *at)
{
  IrStmt *copy = NULL;

  if (s->op == IR_loop_index && s->operands[0] == r->task)
    return rows_index_at(r, s->index, at->at[s->index]);
  if (s->op == IR_get && s->variable->declaration)
    return rows_at_digits(r, s->variable->declaration->operands[0], at);
  if (s->op == IR_own_cell && s->snode == r->task->snode->parent)
    return copy_at(r, s, at);
  if (s->op == IR_loop_index || s->op == IR_own_cell || s->op == IR_own_position ||
      !rows_may_be_one(s) || (s->op == IR_cell && s->mode == IR_MODE_ACTIVATE))
    return rows_fail(r, s, "it is not constant over a leaf");
  if (s->op == IR_cell && r->inside && kind_is(s->snode->kind, KIND_SLOTS))
    return bordered_cell_at(r, s, at);
  if (s->op == IR_cell && kind_is(s->snode->kind, KIND_SLOTS))
    copy = known_bordered(r, s, at);
  if (!copy)
    copy = copy_at(r, s, at);
  if (copy && s->op == IR_linear)
    return rows_guard_position(r, s, copy);
  return copy;
}
