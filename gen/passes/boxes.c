/* boxes: a loop over cells of which all that it does stands behind limits of its indices says so,
 * for it goes through none of the containers that are wholly beyond.
 *
 *   struct_for(S2dense grid) [i32 i, i32 j] {        struct_for(S2dense grid, lo, 0, hi, 0,
 *     .. if $7 {  lo <= i and i < hi and j == n  =>             n, 0, n, 1) [i32 i, i32 j] {
 *                                                      ..
 *
 * Needs: the module lowered.
 * Guarantees: for each index of the loop, in the order of the SNode's axes, four operands a, p, b,
 * q: where the body does something a + p <= index < b + q holds, and no sum overflows an i64.  Each
 * stands in no block: a and b are a constant, a parameter or a kernel-level variable, p and q
 * constants.  The body asks all the same, of the cells of a container that is partly outside.
 */
#include "gen/passes/tools.h"

typedef struct Side {
  const IrStmt *bound;                /* NULL: there is no limit */
  int64_t plus;
} Side;

enum { LO, HI };

typedef struct Box {
  const IrStmt *task;
  Side sides[MAX_AXES][2];
  bool is_limited;
} Box;

/* ---- the condition ---- */

/* A constant far from the limits of an i64. */
static bool is_small(const IrStmt *s)
{
  return s->op == IR_const && s->value.i > INT64_MIN / 2 && s->value.i < INT64_MAX / 2;
}

/* Whether nothing in the loop changes it. */
static bool is_constant_in(const IrStmt *task, const IrVariable *v)
{
  for (IrStmt *s = ir_first(task->blocks[0]); s; s = ir_next(s, task->blocks[0]))
    if (s->variable == v && s->op != IR_get)
      return false;
  return true;
}

static bool is_bound(const IrStmt *task, const IrStmt *s)
{
  if (!type_is_integer(s->type) || (!s->type->is_signed && s->type->bits == 64))
    return false;
  return s->op == IR_const || s->op == IR_param ||
         (s->op == IR_get && s->variable->kind == IR_VAR_KERNEL &&
          is_constant_in(task, s->variable));
}

static bool divides(const IrSNode *n, int axis)
{
  for (int k = 0; k < n->path_axis_count; k++)
    if (n->path_axes[k] == axis)
      return true;
  return false;
}

/* Cells of a container along the axis; 1 where that is not known. */
static int64_t least_extent(const IrSNode *n, int axis)
{
  for (int k = 0; k < n->axis_count; k++)
    if (n->axes[k].axis == axis && n->axes[k].size > 0)
      return n->axes[k].size;
  return 1;
}

/* Whether some containers can lie beyond the limit, and others not. */
static bool is_limit(const IrSNode *n, int axis, int end, const Side *side)
{
  const int64_t extent = least_extent(n, axis);
  int64_t limit;

  if (!divides(n->parent, axis))
    return false;
  if (side->bound->op != IR_const || n->open_axes >> axis & 1)
    return true;
  limit = side->bound->value.i + side->plus;
  return end == LO ? limit >= extent : n->total[axis] == 0 || limit <= n->total[axis] - extent;
}

/* The first limit of a side is enough.  A sum that could overflow is none. */
static void take_side(Box *box, int index, int end, const IrStmt *bound, int64_t plus)
{
  const IrSNode *n = box->task->snode;
  const Side side = { bound, plus };

  if (box->sides[index][end].bound ||
      (bound->op == IR_const ? !is_small(bound) : bound->type->bits == 64 && plus != 0) ||
      !is_limit(n, n->path_axes[index], end, &side))
    return;
  box->sides[index][end] = side;
  box->is_limited = true;
}

/* index + shift is compared with the bound. */
static void take_limit(Box *box, IrOp op, int index, int64_t shift, const IrStmt *bound)
{
  if (op == IR_cmp_ge || op == IR_cmp_gt || op == IR_cmp_eq)
    take_side(box, index, LO, bound, (op == IR_cmp_gt) - shift);
  if (op == IR_cmp_lt || op == IR_cmp_le || op == IR_cmp_eq)
    take_side(box, index, HI, bound, (op != IR_cmp_lt) - shift);
}

static IrOp turned(IrOp op)
{
  switch (op) {
  case IR_cmp_lt: return IR_cmp_gt;
  case IR_cmp_le: return IR_cmp_ge;
  case IR_cmp_gt: return IR_cmp_lt;
  case IR_cmp_ge: return IR_cmp_le;
  default:        return op;
  }
}

static void take_comparison(Box *box, const IrStmt *s)
{
  for (int k = 0; k < 2; k++) {
    const IrStmt *bound = ir_without_casts(s->operands[1 - k]);
    int64_t shift;
    const IrStmt *index = ir_without_casts(ir_without_constant(
        (IrStmt *)(uintptr_t)ir_without_casts(s->operands[k]), &shift));
    if (index->op != IR_loop_index || index->operands[0] != box->task ||
        !is_bound(box->task, bound) || shift < INT32_MIN || shift > INT32_MAX)
      continue;
    take_limit(box, k == 0 ? s->op : turned(s->op), index->index, shift, bound);
    return;
  }
}

static void take_condition(Box *box, const IrStmt *s)
{
  if (s->op == IR_bit_and) {
    take_condition(box, s->operands[0]);
    take_condition(box, s->operands[1]);
  } else if (s->op >= IR_cmp_eq && s->op <= IR_cmp_ge) {
    take_comparison(box, s);
  }
}

/* ---- what the loop says ---- */

static IrStmt *number(IrModule *m, const IrStmt *task, int64_t i)
{
  IrStmt *s = ir_stmt(m, IR_const, TY(I64), task->loc, NULL);

  s->value.i = i;
  return s;
}

static void add_side(IrModule *m, IrStmt *task, const Side *side, int64_t unlimited)
{
  const bool is_number = !side->bound || side->bound->op == IR_const;
  IrStmt *bound;

  if (is_number) {
    bound = number(m, task, side->bound ? side->bound->value.i + side->plus : unlimited);
  } else {
    bound = ir_stmt(m, side->bound->op, side->bound->type, task->loc, NULL);
    bound->variable = side->bound->variable;
  }
  ir_add_operand(m, task, bound);
  ir_add_operand(m, task, number(m, task, is_number ? 0 : side->plus));
}

static void box_of_task(IrModule *m, IrStmt *task)
{
  Box box = { .task = task };
  const IrStmt *body = whole_body(task);

  if (body)
    take_condition(&box, body->operands[0]);
  for (int k = 0; box.is_limited && k < task->snode->path_axis_count; k++) {
    add_side(m, task, &box.sides[k][LO], INT64_MIN);
    add_side(m, task, &box.sides[k][HI], INT64_MAX);
  }
}

/* Whether the host draws containers whose coordinates tell where their cells are. */
static bool may_have_box(const IrStmt *task)
{
  return task->task == IR_TASK_STRUCT_FOR && is_parallel(task) && !ir_is_leaves(task) &&
         task->manner.schedule == SCHEDULE_ANY && !kind_is(task->snode->kind, KIND_KEYS) &&
         task->snode->parent->path_axis_count > 0;
}

void pass_boxes(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    note_declarations(m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (may_have_box(t.tasks[i]))
        box_of_task(m, t.tasks[i]);
  }
}
