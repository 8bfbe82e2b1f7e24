/* Statements of the row form: equal ones are one, and what is constant over a leaf stands in
 * the leaf block. */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"

#include <string.h>

static void find_sides_at(const Rows *r, const IrStmt *linear, int k, const IrStmt *digit,
                          bool *below, bool *above);

/* ---- making ---- */

IrStmt *rows_new(Rows *r, IrOp op, const Type *type, Loc loc)
{
  return ir_stmt(r->module, op, type, loc, NULL);
}

/* In a task that has rows no activity changes, and no kernel-level variable that is read. */
static bool may_be_one(const IrStmt *s)
{
  return s->op == IR_cell || is_pure(s) ||
         (s->op == IR_get && s->variable->kind == IR_VAR_KERNEL);
}

static bool has_same_lanes(const IrStmt *a, const IrStmt *b)
{
  for (int k = 0; a->from && k < a->lanes; k++)
    if (a->from[k].operand != b->from[k].operand || a->from[k].cell != b->from[k].cell)
      return false;
  return true;
}

static bool is_equal(const IrStmt *a, const IrStmt *b)
{
  if (!is_same_operation(a, b) || a->lanes != b->lanes || a->update != b->update ||
      a->mode != b->mode || a->plain != b->plain || !has_same_lanes(a, b))
    return false;
  for (int k = 0; k < a->operand_count; k++)
    if (a->operands[k] != b->operands[k])
      return false;
  return true;
}

/* The statement that holds a block has been put by the time that the block is filled, and the leaf
 * block stands in front. */
bool rows_is_seen(const Rows *r, const IrBlock *block)
{
  const IrBlock *b = r->here;

  while (b != r->leaf && b != block)
    b = b->owner == r->each && r->by_runs               ? r->part->blocks[0]
        : b->owner == r->each || b->owner == r->part ? r->leaf
                                                     : b->owner->parent;
  return b == block;
}

static IrStmt *find_seen(const Rows *r, const IrStmt *s)
{
  const RowMade *made = map_get(&r->made, (const void *)hash_operation(s));

  while (made && !(is_equal(made->stmt, s) && rows_is_seen(r, made->stmt->parent)))
    made = made->next;
  return made ? made->stmt : NULL;
}

static void remember(Rows *r, IrStmt *s)
{
  const void *key = (const void *)hash_operation(s);
  RowMade *made = NEW(r->module->arena, RowMade);

  *made = (RowMade){ s, map_get(&r->made, key) };
  map_put(&r->made, key, made);
}

/* Where a condition in the row keeps it inside, it is not found in front of the rows. */
bool rows_may_be_outside(const Rows *r, const IrStmt *s)
{
  const IrStmt *linear = s->op == IR_cell && ir_is_in_place(s->snode) ? s->operands[1] : NULL;
  bool below = false, above = false;

  if (!linear || linear->op != IR_linear)
    return false;
  for (int k = 0; k < linear->operand_count && !below && !above; k++)
    find_sides_at(r, linear, k, linear->operands[k], &below, &above);
  return below || above;
}

static bool is_of_leaf(const Rows *r, const IrStmt *s)
{
  return s == r->task || s->parent == r->leaf;
}

static bool is_of_part(const Rows *r, const IrStmt *s)
{
  return r->by_runs && (s == r->part || s->parent == r->part->blocks[0] || is_of_leaf(r, s));
}

/* The outermost block that has all of its operands. */
static IrBlock *block_for(const Rows *r, const IrStmt *s)
{
  bool in_leaf = may_be_one(s) && !rows_may_be_outside(r, s), in_part = in_leaf && r->by_runs;

  for (int k = 0; k < s->operand_count; k++) {
    in_leaf = in_leaf && is_of_leaf(r, s->operands[k]);
    in_part = in_part && is_of_part(r, s->operands[k]);
  }
  return in_leaf ? r->leaf : in_part ? r->part->blocks[0] : r->here;
}

/* Far more vectors than there are registers, as of matrices in a cell, are no gain, and compilers
 * take minutes for them. */
enum { MOST_BYTES = 1 << 16 };

static int lane_bytes(const Type *t)
{
  return t->bits < 8 ? 4 : t->bits / 8;                /* a mask's are words */
}

IrStmt *rows_put(Rows *r, IrStmt *s)
{
  IrStmt *equal = may_be_one(s) ? find_seen(r, s) : NULL;

  if (equal)
    return equal;
  r->bytes += s->lanes * lane_bytes(s->type);
  if (r->bytes > MOST_BYTES)
    rows_fail(r, s, "its vectors are too many");
  ir_append(r->module, block_for(r, s), s);
  if (may_be_one(s))
    remember(r, s);
  return s;
}

IrStmt *rows_binary(Rows *r, IrOp op, const Type *type, IrStmt *left, IrStmt *right)
{
  IrStmt *s = ir_stmt(r->module, op, type, r->task->loc, left, right, NULL);

  s->lanes = left->lanes ? left->lanes : right->lanes;
  return rows_put(r, s);
}

IrStmt *rows_plain(Rows *r, IrOp op, IrStmt *left, IrStmt *right)
{
  IrStmt *s = ir_stmt(r->module, op, left->type, r->task->loc, left, right, NULL);

  s->plain = true;
  return rows_put(r, s);
}

IrStmt *rows_const(Rows *r, const Type *type, int64_t i)
{
  IrStmt *s = rows_new(r, IR_const, type, r->task->loc);

  s->value = value_cast(type, TY(I64), (Value){ .i = i });
  return rows_put(r, s);
}

/* An i64 as an i32, the least or the greatest where it is beyond. */
IrStmt *rows_within_i32(Rows *r, IrStmt *s)
{
  IrStmt *clamped;

  if (s->op == IR_cast && s->operands[0]->type == TY(I32))
    return s->operands[0];
  if (is_const(s) && s->value.i >= INT32_MIN && s->value.i <= INT32_MAX)
    return rows_const(r, TY(I32), s->value.i);
  clamped = ir_stmt(r->module, IR_builtin, TY(I64), s->loc, s, rows_const(r, TY(I64), INT32_MIN),
                    rows_const(r, TY(I64), INT32_MAX), NULL);
  clamped->builtin = BUILTIN_clamp;
  return rows_put(r, ir_stmt(r->module, IR_cast, TY(I32), s->loc, rows_put(r, clamped), NULL));
}

/* ---- at digits of the loop's indices ---- */

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

bool begins_axis(const IrSNode *node, int axis)
{
  for (int k = 0; k < node->parent->path_axis_count; k++)
    if (node->parent->path_axes[k] == axis)
      return false;
  return true;
}

/* Which sides of the extent a digit may be beyond, by the index that it is of. A digit that is a
 * remainder is below where the index is negative, but for powers of
 * two, by which it is masked, and below a hash. */
static void find_sides(const IrStmt *linear, int k, bool *below, bool *above)
{
  const IrStmt *digit = linear->operands[k];
  const IrCells cells = { linear->snode, linear->snode->axes[k].axis, linear->slot };
  const int64_t size = linear->snode->axes[k].size;
  int64_t plus;
  IrRange x;

  *below = *above = false;
  if (digit->op != IR_digit)
    return;
  ir_range(digit->operands[0], &x);
  if (!begins_axis(linear->snode, cells.axis)) {
    *below = x.lo < 0 && (size & (size - 1)) != 0 &&
             !(linear->snode->open_axes >> cells.axis & 1);
    return;
  }
  *below = x.lo < 0;
  *above = size == 0 || x.hi >= size * digit->value.i;
  if (*above && size == 0)
    *above = !ir_is_index_below(digit->operands[0], &cells, &plus) || plus > 0;
}

static IrStmt *both(Rows *r, IrStmt *a, IrStmt *b)
{
  return a ? rows_binary(r, IR_bit_and, TY(BOOL), a, b) : b;
}

/* The same of a digit in the leaf block, which may be of the leaf's first index plus a constant. */
static void find_sides_at(const Rows *r, const IrStmt *linear, int k, const IrStmt *digit,
                          bool *below, bool *above)
{
  const IrStmt *x = digit->op == IR_digit ? digit->operands[0] : digit;
  const IrStmt *first = x->op == IR_add && is_const(x->operands[1]) ? x->operands[0] : x;
  const int64_t plus = first == x ? 0 : x->operands[1]->value.i;
  const IrCells cells = { linear->snode, linear->snode->axes[k].axis, linear->slot };
  const IrSNode *looped = r->task->snode;
  int64_t unused, total;

  find_sides(linear, k, below, above);
  if (first->op != IR_first_index || !(*below || *above))
    return;
  *below = *below && plus < 0;
  total = looped->total[looped->path_axes[first->index]];
  if (plus > 0 || !*above)
    return;
  *above = !(total > 0 && total <= linear->snode->axes[k].size * linear->operands[k]->value.i) &&
           !ir_is_index_below(linear->operands[k]->operands[0], &cells, &unused);
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
    find_sides_at(r, linear, k, digit, &below, &above);
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

  find_sides(linear, k, &below, &above);
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
  map_put(&r->bordered, position, copy);
  return copy;
}

/* A walk is made where a cell is wanted only if it is there: one that ends at the ambient cell
 * elsewhere does as well. NULL: none such has been made. */
static IrStmt *known_bordered(Rows *r, const IrStmt *s, const Digits *at)
{
  IrStmt *position = r->bordered.count > 0 ? copy_at(r, s->operands[1], at) : NULL;
  IrStmt *cell = position ? map_get(&r->bordered, position) : NULL;

  return cell && rows_is_seen(r, cell->parent) ? cell : NULL;
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
      !may_be_one(s) || (s->op == IR_cell && s->mode == IR_MODE_ACTIVATE))
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
