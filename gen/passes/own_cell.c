/* own_cell: the cell that a struct-for stands on needs no walk.
 *
 *   check_bounds field u grid $i $j
 *   <cell> $9 = root grid                  <cell> $9 = own_cell .. $task
 *   ... cell S1pointer, cell S2dense  =>   <f32> $10 = load u $9
 *   <f32> $20 = load u $19
 *
 * and the containers beside the one it stands in, at its own position:
 *
 *   <cell> $19 = cell S1pointer ..         <cell> $9 = own_cell S1pointer $task
 *   <i64> $22 = linear S3dense ..      =>  <i64> $10 = own_position $task
 *   <cell> $23 = cell S3dense $19 $22      <cell> $23 = cell S3dense $9 $10
 *
 * Needs: the module lowered.
 * Guarantees: an access to the looped SNode, in the loop's instance, with
 * exactly the loop's indices goes to own_cell, which stands at the beginning of
 * the task and is never null (whether it is active is known); so does the part
 * above it of an access to an SNode below, at index * extent + r with r inside the
 * extent. Not in a task that may deactivate an SNode on the path of the looped one:
 * there the cell may have been taken out meanwhile, and every access walks. In any
 * task and function checks of indices that are known to be inside are dropped,
 * `inside` of such is true, and those that are known in part say so.
 */
#include "gen/passes/tools.h"

typedef struct Own {
  IrModule *module;
  IrStmt *task;
  IrStmt *cell;               /* own_cell, or NULL: not needed yet */
  IrStmt *parent;             /* of the cell that holds its container */
  IrStmt *position;           /* own_position */
} Own;

/* ---- checks ---- */

static void become_bool(IrStmt *s, bool value)
{
  s->op = IR_const;
  s->index = 0;
  s->operand_count = 0;
  s->value.i = value;
}

static void drop_check(IrStmt *s, IrBlock *to, void *user)
{
  IrModule *m = user;

  if (s->op == IR_check_bounds && note_inside(s))
    return;
  if (s->op == IR_check_element && is_element_inside(s))
    return;
  if (s->op == IR_inside && note_inside(s))
    become_bool(s, true);
  ir_append(m, to, s);
}

static void drop_checks(IrModule *m, IrFunction *f)
{
  note_declarations(f);
  rewrite_block(f->body, drop_check, m);
}

/* ---- whose cell it is ---- */

static bool is_loop_index(const Own *own, const IrStmt *x, int axis)
{
  x = ir_without_casts(x);
  return x->op == IR_loop_index && x->operands[0] == own->task &&
         own->task->snode->path_axes[x->index] == axis;
}

/* index * by, either way round. */
static bool is_multiple(const Own *own, const IrStmt *x, int axis, int64_t by)
{
  x = ir_without_casts(x);
  if (x->op != IR_mul)
    return by == 1 && is_loop_index(own, x, axis);
  for (int k = 0; k < 2; k++) {
    const IrStmt *factor = ir_without_casts(x->operands[k]);
    if (is_const(factor) && factor->value.i == by &&
        is_loop_index(own, x->operands[1 - k], axis))
      return true;
  }
  return false;
}

/* Whether x / by is the loop's index on the axis: index * by + r, 0 <= r < by.
 * The language lets index arithmetic assume that it does not overflow. */
static bool is_quotient(const Own *own, const IrStmt *x, int axis, int64_t by)
{
  IrRange r;

  if (is_multiple(own, x, axis, by))
    return true;
  x = ir_without_casts(x);
  if (x->op != IR_add)
    return false;
  for (int k = 0; k < 2; k++)
    if (is_multiple(own, x->operands[k], axis, by) &&
        ir_range(x->operands[1 - k], &r) && r.lo >= 0 && r.hi < by)
      return true;
  return false;
}

/* index / by, of an index that is not negative. */
static bool is_divided(const Own *own, const IrStmt *x, int axis, int64_t by)
{
  x = ir_without_casts(x);
  return x->op == IR_div && is_const(x->operands[1]) &&
         x->operands[1]->value.i == by &&
         !(own->task->snode->open_axes >> axis & 1) &&
         is_loop_index(own, x->operands[0], axis);
}

/* The digit divides a coordinate of the accessed SNode, which may lie below the
 * looped one, or above it. */
static bool is_own_digit(const Own *own, const IrStmt *digit)
{
  int64_t above = ir_below(digit->snode, own->task->snode, digit->index);

  if (above > 0 && above % digit->value.i == 0 &&
      is_divided(own, digit->operands[0], digit->index,
                 above / digit->value.i))
    return true;
  return above > 0 && digit->value.i % above == 0 &&
         is_quotient(own, digit->operands[0], digit->index,
                     digit->value.i / above);
}

/* A cell on the path to the one that the loop stands on, that one included:
 * each digit is that of the loop's index. */
static bool is_own(const Own *own, const IrStmt *cell)
{
  const IrStmt *digit;

  if (cell->op == IR_root)
    return cell->slot == own->task->slot;
  if (cell->op == IR_own_cell)         /* taken already */
    return true;
  if (cell->op != IR_cell)
    return false;
  for (int k = 0; (digit = cell_digit(cell, k)) != NULL; k++)
    if (digit->op != IR_digit || !is_own_digit(own, digit))
      return false;
  return is_own(own, cell->operands[0]);
}

/* ---- replacing ---- */

static IrStmt *make_own(const Own *own, IrOp op, const Type *type,
                        IrSNode *snode)
{
  IrStmt *s =
      ir_stmt(own->module, op, type, own->task->loc, own->task, NULL);

  s->snode = snode;
  return s;
}

static IrStmt *own_cell(Own *own)
{
  if (!own->cell)
    own->cell = make_own(own, IR_own_cell, TY(CELL), own->task->snode);
  return own->cell;
}

static IrStmt *own_parent(Own *own)
{
  if (!own->parent)
    own->parent = make_own(own, IR_own_cell, TY(CELL), own->task->snode->parent);
  return own->parent;
}

static IrStmt *own_position(Own *own)
{
  if (!own->position)
    own->position = make_own(own, IR_own_position, TY(I64), NULL);
  return own->position;
}

/* Whether the containers of both have the same cells in the same order. */
static bool has_same_shape(const IrSNode *a, const IrSNode *b)
{
  if (a->axis_count != b->axis_count)
    return false;
  for (int k = 0; k < a->axis_count; k++)
    if (a->axes[k].axis != b->axes[k].axis || a->axes[k].size == 0 ||
        a->axes[k].size != b->axes[k].size)
      return false;
  return true;
}

/* Of an SNode beside the looped one: whether the position is the own one. */
static bool is_own_position(const Own *own, const IrStmt *linear)
{
  const IrSNode *looped = own->task->snode, *n = linear->snode;

  if (n == looped || n->parent != looped->parent || !has_same_shape(n, looped))
    return false;
  for (int k = 0; k < linear->operand_count; k++) {
    const IrStmt *digit = linear->operands[k];
    if (digit->op != IR_digit ||
        !is_quotient(own, digit->operands[0], digit->index, digit->value.i))
      return false;
  }
  return true;
}

static void use_own_cell(Own *own, IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *o = s->operands[k];
    if (o->op != IR_cell || !is_own(own, o))
      continue;
    if (o->snode == own->task->snode)
      s->operands[k] = own_cell(own);
    else if (o->snode == own->task->snode->parent)
      s->operands[k] = own_parent(own);
    else
      continue;
    s->may_be_null = false;
  }
  if (s->op == IR_cell && own->parent && s->operands[0] == own->parent &&
      s->operands[1]->op == IR_linear && is_own_position(own, s->operands[1]))
    s->operands[1] = own_position(own);
  if (s->op == IR_is_null &&
      ((own->cell && s->operands[0] == own->cell) ||
       (own->parent && s->operands[0] == own->parent)))
    become_bool(s, false);
  if (s->op == IR_logic_not && is_const(s->operands[0]))
    become_bool(s, !s->operands[0]->value.i);
}

/* What is active already need not be activated; walks that nothing uses go. */
static bool may_go(const IrStmt *s, void *user)
{
  const Own *own = user;

  if (s->op == IR_cell && is_above(s->snode, own->task->snode) &&
      is_own(own, s))
    return true;
  return is_removable(s);
}

static void put_first(IrModule *m, IrStmt *task, IrStmt *s)
{
  if (s)
    ir_insert_before(m, task->blocks[0]->stmts[0], s);
}

/* Of an `if` whose condition has become known the one branch stays. */
static void take_branch(IrStmt *s, IrBlock *to, void *user)
{
  IrModule *m = user;
  const IrBlock *taken;

  if (s->op != IR_if || !is_const(s->operands[0])) {
    ir_append(m, to, s);
    return;
  }
  taken = s->blocks[s->operands[0]->value.i ? 0 : 1];
  for (int k = 0; taken && k < taken->count; k++)
    ir_append(m, to, taken->stmts[k]);
}

static void take_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  Own own = { .module = m, .task = task };

  if (may_take_out(m, task->blocks[0], task->snode))
    return;
  for (IrStmt *s = ir_first(task->blocks[0]); s; s = ir_next(s, task->blocks[0]))
    use_own_cell(&own, s);
  rewrite_block(task->blocks[0], take_branch, m);
  put_first(m, task, own.position);
  put_first(m, task, own.parent);
  put_first(m, task, own.cell);
  remove_unused(m, f, may_go, &own);
}

void pass_own_cell(IrModule *m)
{
  for_each_function(m, drop_checks);
  for (int k = 0; k < m->kernel_count; k++) {
    IrFunction *f = m->kernels[k];
    const IrTasks t = ir_tasks(m->arena, f);
    for (int i = 0; i < t.count; i++)
      if (t.tasks[i]->task == IR_TASK_STRUCT_FOR)
        take_task(m, f, t.tasks[i]);
  }
}
