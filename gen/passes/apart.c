/* Loads of cells that no other iteration stores to, since those of the cells that are stored to
 * have another rest. */
#include "gen/passes/apart.h"
#include "gen/passes/ways.h"

enum { DEEPEST = 16 };                 /* operands of operands */

/* A place, on each axis an index of the loop and a constant. */
typedef struct Place {
  int index[MAX_AXES];                 /* -1: the place has no such axis */
  int64_t plus[MAX_AXES];
} Place;

/* ---- places ---- */

/* Which index of the loop runs along the axis of the cells that it stands on; -1: none. */
static int index_along(const IrStmt *task, int axis)
{
  for (int n = 0; n < task->snode->path_axis_count; n++)
    if (task->snode->path_axes[n] == axis)
      return n;
  return -1;
}

static bool note_coordinate(const IrStmt *task, int axis, const IrStmt *x, Place *p)
{
  int64_t plus;
  const IrStmt *index =
      ir_without_casts(ir_without_constant((IrStmt *)(uintptr_t)ir_without_casts(x), &plus));

  if (index->op != IR_loop_index || index->operands[0] != task ||
      (p->index[axis] >= 0 && (p->index[axis] != index->index || p->plus[axis] != plus)))
    return false;
  p->index[axis] = index->index;
  p->plus[axis] = plus;
  return true;
}

/* The loop's own cell, or the one at its position in a container beside it. */
static bool note_own(const IrStmt *task, Place *p)
{
  for (int axis = 0; axis < MAX_AXES; axis++)
    p->index[axis] = index_along(task, axis);
  return true;
}

static bool place_of(const IrStmt *task, const IrStmt *cell, Place *p)
{
  *p = (Place){ .plus = { 0 } };
  for (int axis = 0; axis < MAX_AXES; axis++)
    p->index[axis] = -1;
  if (cell->op == IR_own_cell ||
      (cell->op == IR_cell && cell->operands[1]->op == IR_own_position))
    return task->task == IR_TASK_STRUCT_FOR && note_own(task, p);
  for (; cell->op == IR_cell; cell = cell->operands[0]) {
    const IrStmt *digit;
    for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++)
      if (digit->op != IR_digit || !note_coordinate(task, digit->index, digit->operands[0], p))
        return false;
  }
  return cell->op == IR_root;
}

/* ---- rests ---- */

/* An integer as a sum of the loop's indices, so many times each, and of what is the same throughout
 * the task. */
static bool add_indices(const IrStmt *task, const IrStmt *x, int64_t factor, int64_t *times,
                        int depth)
{
  x = ir_without_casts(x);
  if (depth > DEEPEST || !type_is_integer(x->type))
    return false;
  switch (x->op) {
  case IR_loop_index:
    if (x->operands[0] != task)
      return false;
    times[x->index] += factor;
    return true;
  case IR_const: case IR_param: case IR_extent:
    return true;
  case IR_get:
    return x->variable->kind == IR_VAR_KERNEL;
  case IR_add: case IR_sub:
    return add_indices(task, x->operands[0], factor, times, depth + 1) &&
           add_indices(task, x->operands[1], x->op == IR_add ? factor : -factor, times, depth + 1);
  case IR_mul:
    for (int k = 0; k < 2; k++) {
      const IrStmt *by = ir_without_casts(x->operands[1 - k]);
      if (is_const(by) && by->value.i > INT16_MIN && by->value.i < INT16_MAX &&
          factor > INT16_MIN && factor < INT16_MAX)
        return add_indices(task, x->operands[k], factor * by->value.i, times, depth + 1);
    }
    return false;
  default:
    return false;
  }
}

/* Of one value throughout the task. */
static bool is_of_task(const IrStmt *s)
{
  s = ir_without_casts(s);
  return is_const(s) || s->op == IR_param ||
         (s->op == IR_get && s->variable->kind == IR_VAR_KERNEL);
}

/* The number by which the condition takes a rest; what wraps keeps its low bits, so it is a power
 * of two. 0: it is no such condition. */
static int64_t divisor_of(const IrStmt *condition)
{
  const IrStmt *rest, *by;

  if (condition->op != IR_cmp_eq && condition->op != IR_cmp_ne)
    return 0;
  rest = ir_without_casts(condition->operands[0]);
  if (rest->op != IR_bit_and || !is_of_task(condition->operands[1]))
    return 0;
  by = rest->operands[1];
  if (!is_const(by) || by->value.i < 1 || by->value.i > INT16_MAX ||
      (by->value.i & (by->value.i + 1)) != 0)
    return 0;
  /* Of a rest that is not some number nothing is known, unless there are but two. */
  return condition->op == IR_cmp_eq || (by->value.i == 1 && is_const(condition->operands[1]))
             ? by->value.i + 1 : 0;
}

static const IrStmt *in_condition(const IrStmt *condition)
{
  const IrStmt *found;

  if (condition->op != IR_bit_and)
    return divisor_of(condition) > 0 ? condition : NULL;
  found = in_condition(condition->operands[0]);
  return found ? found : in_condition(condition->operands[1]);
}

/* A condition on a rest behind which s stands; NULL: it stands behind none. */
static const IrStmt *condition_around(const IrStmt *task, const IrStmt *s)
{
  for (const IrBlock *b = s->parent; b && b->owner && b->owner != task; b = b->owner->parent)
    if (b->owner->op == IR_if && b == b->owner->blocks[0]) {
      const IrStmt *found = in_condition(b->owner->operands[0]);
      if (found)
        return found;
    }
  return NULL;
}

/* Whether iterations that satisfy the condition store to other cells than one that does loads
 * from. */
static bool are_apart(const IrStmt *task, const IrStmt *condition, const Place *stored,
                      const Place *loaded)
{
  int64_t times[MAX_AXES] = { 0 }, by = divisor_of(condition), difference = 0;
  unsigned seen = 0;

  if (!add_indices(task, ir_without_casts(condition->operands[0])->operands[0], 1, times, 0))
    return false;
  for (int axis = 0; axis < MAX_AXES; axis++) {
    const int n = stored->index[axis];
    if (n != loaded->index[axis])
      return false;
    if (n < 0)
      continue;
    difference += times[n] % by * ((loaded->plus[axis] - stored->plus[axis]) % by);
    seen |= 1u << n;
  }
  for (int n = 0; n < MAX_AXES; n++)
    if (times[n] % by != 0 && !(seen >> n & 1))
      return false;
  return difference % by != 0;
}

/* ---- the task ---- */

/* Whether more than the task's own statements may change a field, or a condition while it runs. */
static bool has_other_changes(const IrStmt *task)
{
  const IrBlock *body = task->blocks[0];

  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body))
    if (s->op == IR_call || ir_is(s, IR_DEACTIVATES) ||
        (s->op == IR_set && s->variable->kind == IR_VAR_KERNEL) ||
        (s->op == IR_update && !s->reduction))
      return true;
  return false;
}

bool is_apart(const IrStmt *task, const IrStmt *load)
{
  const IrBlock *body = task->blocks[0];
  const IrStmt *condition = condition_around(task, load);
  Place loaded, stored;

  if (!condition || !task->snode || has_other_changes(task) ||
      !place_of(task, load->operands[0], &loaded))
    return false;
  for (IrStmt *s = ir_first(body); s; s = ir_next(s, body)) {
    const IrStmt *other;
    if (!ir_changes(s, IR_OF_FIELD) || s->field != load->field)
      continue;
    other = condition_around(task, s);
    if (!other || !is_same_expression(condition, other) ||
        !place_of(task, s->operands[0], &stored) || !are_apart(task, condition, &stored, &loaded))
      return false;
  }
  return true;
}
