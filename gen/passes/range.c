/* Intervals of integer values, as far as the statements themselves tell.
 *
 * Known are constants, the indices of loops whose bounds or extents are known,
 * new positions, locals that are only declared (note_declarations), and what few
 * operations make of those. Arithmetic that might overflow its
 * type makes nothing known, so an interval always holds.
 */
#include "gen/passes/tools.h"

enum { DEEPEST = 12 };        /* operands behind operands */

static bool type_limits(const Type *t, int64_t *lo, int64_t *hi)
{
  if (!type_is_integer(t)) {
    *lo = 0;
    *hi = t->kind == TYPE_BOOL;
  } else if (t->is_signed) {
    *lo = t->bits == 64 ? INT64_MIN : -(INT64_C(1) << (t->bits - 1));
    *hi = t->bits == 64 ? INT64_MAX : (INT64_C(1) << (t->bits - 1)) - 1;
  } else {
    *lo = 0;                   /* of u64 only the lower half is told apart */
    *hi = t->bits == 64 ? INT64_MAX : (INT64_C(1) << t->bits) - 1;
  }
  return false;
}

static bool known(const IrStmt *s, int depth, int64_t *lo, int64_t *hi);

static bool known_operand(const IrStmt *s, int k, int depth, int64_t *lo,
                          int64_t *hi)
{
  return k < s->operand_count && known(s->operands[k], depth + 1, lo, hi);
}

/* [lo, hi) of a range loop: lo may be all that is known. */
static bool known_between(const IrStmt *lo_bound, const IrStmt *hi_bound,
                          int depth, int64_t *lo, int64_t *hi)
{
  int64_t unused;
  bool below = known(lo_bound, depth + 1, lo, &unused);
  bool above = known(hi_bound, depth + 1, &unused, hi);

  if (above && *hi > INT64_MIN)
    --*hi;
  if (!above && !hi_bound->type->is_signed && hi_bound->type->bits == 64)
    return false;                      /* its limits are no interval of i64 */
  return below || above;
}

/* Of the cells that a loop goes over. */
static bool known_cell(const IrSNode *looped, int axis, int64_t *lo, int64_t *hi)
{
  const int64_t total = looped->total[axis];

  if (looped->open_axes >> axis & 1)
    return false;
  *lo = 0;
  /* run time: an axis as long as the type reaches must have a wider index */
  *hi = total > 0 ? total - 1 : *hi - 1;
  return true;
}

static bool known_index(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  const IrStmt *loop = s->operands[0];

  if (loop->op == IR_for_range)
    return known_between(loop->operands[0], loop->operands[1], depth, lo, hi);
  if (loop->op == IR_foreach_range ||
      (loop->op == IR_offloaded && loop->task == IR_TASK_RANGE_FOR))
    return known_between(loop->operands[2 * s->index],
                         loop->operands[2 * s->index + 1], depth, lo, hi);
  if (loop->op == IR_foreach_node && loop->field)
    return known_cell(loop->field->snode, loop->field->axes[s->index], lo, hi);
  if (loop->op == IR_foreach_node || loop->op == IR_offloaded)       /* struct_for */
    return known_cell(loop->snode, loop->snode->path_axes[s->index], lo, hi);
  return false;
}

static bool add_within(int64_t a, int64_t b, int64_t *sum)
{
  if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b))
    return false;
  *sum = a + b;
  return true;
}

/* Small factors only: what indices are made of. */
static bool multiply_within(int64_t a, int64_t b, int64_t *product)
{
  const int64_t most = INT64_C(1) << 31;

  if (a > most || a < -most || b > most || b < -most)
    return false;
  *product = a * b;
  return true;
}

static bool known_product(int64_t al, int64_t ah, int64_t bl, int64_t bh,
                          int64_t *lo, int64_t *hi)
{
  int64_t p[4];

  if (!multiply_within(al, bl, &p[0]) || !multiply_within(al, bh, &p[1]) ||
      !multiply_within(ah, bl, &p[2]) || !multiply_within(ah, bh, &p[3]))
    return false;
  *lo = *hi = p[0];
  for (int k = 1; k < 4; k++) {
    if (p[k] < *lo)
      *lo = p[k];
    if (p[k] > *hi)
      *hi = p[k];
  }
  return true;
}

static bool known_sum(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  int64_t al, ah, bl, bh, least, most;
  bool good;

  if (!known_operand(s, 0, depth, &al, &ah) ||
      !known_operand(s, 1, depth, &bl, &bh))
    return false;
  if (s->op == IR_add)
    good = add_within(al, bl, lo) && add_within(ah, bh, hi);
  else if (s->op == IR_sub)
    good = bl > INT64_MIN && bh > INT64_MIN && add_within(al, -bh, lo) &&
           add_within(ah, -bl, hi);
  else
    good = known_product(al, ah, bl, bh, lo, hi);
  type_limits(s->type, &least, &most);
  return good && *lo >= least && *hi <= most;
}

static bool known_choice(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  int64_t bl, bh;

  if (!known_operand(s, 1, depth, lo, hi) ||
      !known_operand(s, 2, depth, &bl, &bh))
    return false;
  if (bl < *lo)
    *lo = bl;
  if (bh > *hi)
    *hi = bh;
  return true;
}

/* x / by and x % by for x >= 0: what digits and the program's own do. */
static bool known_division(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  int64_t al, ah, bl, bh;

  if (!known_operand(s, 0, depth, &al, &ah) ||
      !known_operand(s, 1, depth, &bl, &bh) || al < 0 || bl < 1 || bl != bh)
    return false;
  *lo = s->op == IR_div ? al / bl : 0;
  *hi = s->op == IR_div ? ah / bl : ah < bl - 1 ? ah : bl - 1;
  return true;
}

/* x & mask, whatever x is, where the mask is a constant that is not negative. */
static bool known_mask(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  int64_t least, most;

  for (int k = 0; k < 2; k++)
    if (is_const(s->operands[k]) && s->operands[k]->value.i >= 0) {
      *lo = 0;
      *hi = s->operands[k]->value.i;
      if (known_operand(s, 1 - k, depth, &least, &most) && least >= 0 &&
          most < *hi)
        *hi = most;
      return true;
    }
  return false;
}

/* x >> count, of an x that is not negative. */
static bool known_shift(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  const IrStmt *count = s->operands[1];
  int64_t least, most;

  if (!is_const(count) || count->value.i < 0 ||
      count->value.i >= s->type->bits ||
      !known_operand(s, 0, depth, &least, &most) || least < 0)
    return false;
  *lo = least >> count->value.i;
  *hi = most >> count->value.i;
  return true;
}

static bool known_by_op(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  int64_t al, ah;

  switch (s->op) {
  case IR_const:
    *lo = *hi = s->value.i;
    return s->type->is_signed || s->type->bits < 64 || s->value.i >= 0;
  case IR_loop_index:
    return known_index(s, depth, lo, hi);
  case IR_get:
    return s->variable->declaration &&
           known(s->variable->declaration->operands[0], depth + 1, lo, hi);
  case IR_append_cell:                 /* where it failed nothing follows */
    *lo = 0;
    *hi = s->snode->axes[0].size > 0 ? s->snode->axes[0].size - 1 : *hi;
    return true;
  case IR_cast:
    if (!type_is_integer(s->operands[0]->type) ||
        !known_operand(s, 0, depth, &al, &ah) || al < *lo || ah > *hi)
      return false;
    *lo = al;
    *hi = ah;
    return true;
  case IR_add: case IR_sub: case IR_mul:
    return known_sum(s, depth, lo, hi);
  case IR_select:
    return known_choice(s, depth, lo, hi);
  case IR_div: case IR_mod:
    return known_division(s, depth, lo, hi);
  case IR_bit_and:
    return known_mask(s, depth, lo, hi);
  case IR_shr:
    return known_shift(s, depth, lo, hi);
  default:
    return false;
  }
}

static bool known(const IrStmt *s, int depth, int64_t *lo, int64_t *hi)
{
  type_limits(s->type, lo, hi);
  if (!type_is_integer(s->type) || depth > DEEPEST)
    return false;
  if (known_by_op(s, depth, lo, hi))
    return true;
  return type_limits(s->type, lo, hi);
}

bool range_of(const IrStmt *s, int64_t *lo, int64_t *hi)
{
  return known(s, 0, lo, hi);
}

/* ---- inside the extents ---- */

/* The SNode under the root on the path to s: where a run-time extent stands. */
static const IrSNode *under_root(const IrSNode *s)
{
  while (s->parent && s->parent->parent)
    s = s->parent;
  return s;
}

/* The loop's index that x is, or x is less by a constant: what is known to stay
 * below the extent, counted from the origin. */
static const IrStmt *index_at_most(const IrStmt *x, int64_t origin)
{
  int64_t constant;

  x = without_casts(x);
  x = without_casts(without_constant((IrStmt *)x, &constant));
  return x->op == IR_loop_index && constant <= origin ? x : NULL;
}

/* Whether x is at most the struct-for's index on this axis of an SNode with the
 * same run-time extent at its top, in the same instance, and no more cells. */
static bool is_below_extent(const IrStmt *x, int64_t origin, int slot,
                            const IrSNode *node, int axis)
{
  const IrStmt *index = index_at_most(x, origin), *task;
  const IrSNode *looped, *top = under_root(node);

  if (!index || index->operands[0]->op != IR_offloaded ||
      index->operands[0]->task != IR_TASK_STRUCT_FOR)
    return false;
  task = index->operands[0];
  looped = task->snode;
  return task->slot == slot && looped->path_axes[index->index] == axis &&
         under_root(looped) == top &&
         ir_below(top, looped, axis) <= ir_below(top, node, axis);
}

static int known_sides(const IrStmt *x, int64_t origin, int64_t extent)
{
  int64_t lo, hi;

  if (!range_of(x, &lo, &hi))
    return 0;
  return (lo >= origin ? 1 : 0) |
         (extent > 0 && hi < origin + extent ? 2 : 0);
}

static int sides_of_axis(const IrStmt *s, int k)
{
  const IrSNode *node = s->field ? s->field->snode : s->snode;
  int axis = s->field ? s->field->axes[k] : node->path_axes[k];
  int64_t origin = s->field ? s->field->origin[k] : 0;
  int sides = known_sides(s->operands[k], origin, node->total[axis]);

  if (node->open_axes >> axis & 1)
    return 3;
  if (is_below_extent(s->operands[k], origin, s->slot, node, axis))
    sides |= 2;
  return sides;
}

/* What the index of a range loop stays below. */
static const IrStmt *upper_bound(const IrStmt *index)
{
  const IrStmt *loop = index->operands[0];

  if (loop->op == IR_for_range)
    return loop->operands[1];
  if (loop->op == IR_offloaded && loop->task == IR_TASK_RANGE_FOR)
    return loop->operands[2 * index->index + 1];
  return NULL;
}

/* foreach (i in 0 .. n) over an array of n elements. */
static bool is_below_parameter(const IrStmt *x, const IrVariable *extent)
{
  const IrStmt *index = index_at_most(x, 0),
               *hi = index ? upper_bound(index) : NULL;

  return hi && without_casts(hi)->op == IR_param &&
         without_casts(hi)->variable == extent;
}

static int sides_of_element(const IrStmt *s, int k)
{
  const IrVariable *array = s->variable, *extent = array->extent_variable[k];
  int sides =
      known_sides(s->operands[k], 0, extent ? 0 : array->extent_constant[k]);

  return sides | (extent && is_below_parameter(s->operands[k], extent) ? 2 : 0);
}

bool note_inside(IrStmt *s)
{
  bool is_array = !s->field && !s->snode;
  int all = 0;

  for (int k = 0; k < s->operand_count; k++)
    all |= (is_array ? sides_of_element(s, k) : sides_of_axis(s, k)) << (2 * k);
  s->index = all;
  return all == (1 << (2 * s->operand_count)) - 1;
}
