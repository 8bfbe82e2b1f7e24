/* leaves: a loop over ranges that assigns a field at its own indices gets a second form, which
 * goes through the containers of that field's cells.
 *
 *   $0 = offloaded range_for(0, n, 1, 9) {     the same, and behind it
 *     <i32> $1 = loop $0 index 0             leaves {
 *     <i32> $2 = loop $0 index 1               $20 = offloaded struct_for(S2dense x, 0, n, 1, 9) {
 *     write x grid $1 $2 $3             =>       if (0 <= i < n and 1 <= j < 9)
 *   }                                              write x grid $i $j $3
 *                                              } }
 *
 * Needs: the module as split.
 * Guarantees: block 1 of the range_for, a struct_for over the box of its ranges, leaves what block
 * 0 would leave, where all of the box is inside the field's extents.  Its bounds are indices of the
 * field, in axis order; each container that the box meets is active, or made so, since every
 * iteration assigns one of its cells.  Serial loops around nothing but what the parallel one does
 * are ranges of it too, where their turns do not depend on each other.  The pass rows makes the
 * rows of it, which are what it is for, or takes it out again.
 */
#include "gen/passes/passes.h"
#include "gen/passes/tools.h"

/* A loop over ranges, with the serial loops in it that it could go over itself. */
typedef struct Nest {
  IrModule *module;
  IrFunction *function;
  IrStmt *task;
  const IrStmt *serial[MAX_AXES];   /* outer to inner */
  int serial_count;
  const IrBlock *body;              /* of the innermost */
  const IrStmt *own;                /* the access to the cell that the indices name */
  int range_of[MAX_AXES];           /* index k of the access is that of range .. */
  /* ---- what is made ---- */
  IrStmt *leaves;                   /* the struct_for */
  IrStmt *index[MAX_AXES];          /* by range */
  Copy copy;
} Nest;

/* ---- the nest ---- */

static int parallel_ranges(const Nest *n)
{
  return n->task->operand_count / 2;
}

static int ranges(const Nest *n)
{
  return parallel_ranges(n) + n->serial_count;
}

static IrStmt *bound(const Nest *n, int range, int end)
{
  const int outer = parallel_ranges(n);

  return range < outer ? n->task->operands[2 * range + end]
                       : n->serial[range - outer]->operands[end];
}

static IrVariable *variable(const Nest *n, int range)
{
  const int outer = parallel_ranges(n);

  return range < outer ? n->task->variables[range] : n->serial[range - outer]->variable;
}

/* Which range's index the value is; -1: none's. */
static int range_of_index(const Nest *n, const IrStmt *value)
{
  if (value->op != IR_loop_index)
    return -1;
  if (value->operands[0] == n->task)
    return value->index;
  for (int k = 0; k < n->serial_count; k++)
    if (value->operands[0] == n->serial[k])
      return parallel_ranges(n) + k;
  return -1;
}

static bool is_bound_of_task(const IrStmt *value)
{
  return value->op == IR_const || value->op == IR_param ||
         (value->op == IR_get && value->variable->kind == IR_VAR_KERNEL);
}

/* The one serial loop of a block that has nothing else but pure values; NULL: there is more. */
static const IrStmt *only_loop(const IrBlock *block)
{
  const IrStmt *loop = NULL;

  for (int k = 0; k < block->count; k++) {
    const IrStmt *s = block->stmts[k];
    if (s->op == IR_for_range && !loop)
      loop = s;
    else if (!is_pure(s) && s->op != IR_get)
      return NULL;
  }
  return loop && is_bound_of_task(loop->operands[0]) && is_bound_of_task(loop->operands[1])
             ? loop : NULL;
}

static void find_serial(Nest *n)
{
  const IrStmt *loop;

  n->body = n->task->blocks[0];
  while (ranges(n) < MAX_AXES && (loop = only_loop(n->body)) != NULL) {
    n->serial[n->serial_count++] = loop;
    n->body = loop->blocks[0];
  }
}

/* ---- the access to the own cell ---- */

static bool is_field_access(const IrStmt *s)
{
  return s->op == IR_read || s->op == IR_write || s->op == IR_atomic;
}

/* Each index of the access is another range's, and there are no more ranges. */
static bool has_own_indices(const Nest *n, const IrStmt *access, int *range_of)
{
  unsigned used = 0;

  if (access->field->axis_count != ranges(n))
    return false;
  for (int k = 0; k < ranges(n); k++) {
    range_of[k] = range_of_index(n, access->operands[k]);
    if (range_of[k] < 0 || used >> range_of[k] & 1)
      return false;
    used |= 1u << range_of[k];
  }
  return true;
}

static bool has_same_indices(const Nest *n, const IrStmt *access)
{
  for (int k = 0; k < ranges(n); k++)
    if (access->field->axis_count != ranges(n) || access->operands[k] != n->own->operands[k])
      return false;
  return true;
}

/* Whether its cells stand in containers that are found by their coordinates. */
static bool has_leaves(const IrSNode *node)
{
  if (node->kind != SNODE_DENSE || node->axis_count == 0 || node->open_axes)
    return false;
  for (; node; node = node->parent)
    if (kind_is(node->kind, KIND_LIST))
      return false;
  return true;
}

static const IrSNode *sparse_above(const IrSNode *node)
{
  while (node && !ir_is_sparse(node))
    node = node->parent;
  return node;
}

/* A write or an update that each iteration does; where nothing can be inactive any access. */
static bool find_own(Nest *n)
{
  for (IrStmt *s = ir_first(n->body); s; s = ir_next(s, n->body))
    if (ir_is(s, IR_JUMPS))
      return false;
  for (int k = 0; k < n->body->count && !n->own; k++) {
    const IrStmt *s = n->body->stmts[k];
    if (is_field_access(s) && has_leaves(s->field->snode) &&
        (s->op != IR_read || !sparse_above(s->field->snode)) && has_own_indices(n, s, n->range_of))
      n->own = s;
  }
  return n->own != NULL;
}

/* ---- whether the second form does the same ---- */

/* What it activates is active with the own cell's container. */
static bool activates_elsewhere(const Nest *n, const IrStmt *s)
{
  const IrSNode *sparse = is_field_access(s) ? sparse_above(s->field->snode) : NULL;

  if (!ir_activates(s))
    return false;
  if (!is_field_access(s))
    return true;
  return sparse && (s->slot != n->own->slot || !has_same_indices(n, s) ||
                    !is_above(sparse, n->own->field->snode));
}

/* Whether something in the nest changes the field. */
static bool is_changed(const Nest *n, const IrField *field)
{
  for (IrStmt *s = ir_first(n->body); s; s = ir_next(s, n->body))
    if (ir_changes(s, IR_OF_FIELD) && s->field == field)
      return true;
  return false;
}

/* Turns of a serial loop are in order; iterations are not. */
static bool needs_order(const Nest *n, const IrStmt *s)
{
  if (is_field_access(s))
    return is_changed(n, s->field) && !has_same_indices(n, s);
  return s->op == IR_call || ir_changes(s, IR_OF_ARRAY) ||
         ir_is(s, IR_DRAWS | IR_PRINTS | IR_SEES);
}

static bool may_be_leaves(const Nest *n)
{
  for (IrStmt *s = ir_first(n->body); s; s = ir_next(s, n->body))
    if (activates_elsewhere(n, s) || ir_is(s, IR_DEACTIVATES) || s->op == IR_while ||
        s->op == IR_claim || (n->serial_count && needs_order(n, s)))
      return false;
  for (int k = 0; k < ranges(n); k++)
    if (variable(n, k)->type != TY(I32))
      return false;
  return true;
}

/* ---- making it ---- */

static int path_position(const IrSNode *node, int axis)
{
  int k = 0;

  while (node->path_axes[k] != axis)
    k++;
  return k;
}

/* Of a range; the bounds of a task stand in no block. */
static IrStmt *new_bound(const Nest *n, int range, int end)
{
  const IrStmt *from = bound(n, range, end);
  IrStmt *s = ir_stmt(n->module, from->op, from->type, n->task->loc, NULL);

  s->value = from->value;
  s->variable = from->variable;
  return s;
}

/* The struct_for over the box: bounds and indices in axis order. */
static void make_loop(Nest *n)
{
  IrField *f = n->own->field;
  IrStmt *s = ir_stmt(n->module, IR_offloaded, TY(VOID), n->task->loc, NULL);
  IrStmt *bounds[2 * MAX_AXES];

  s->task = IR_TASK_STRUCT_FOR;
  s->field = f;
  s->snode = f->snode;
  s->slot = n->own->slot;
  s->manner = n->task->manner;
  s->variable_count = ranges(n);
  s->variables = NEW_ARRAY(n->module->arena, IrVariable *, ranges(n) + 1);
  for (int k = 0; k < ranges(n); k++) {
    const int at = path_position(f->snode, f->axes[k]);
    s->variables[at] = variable(n, n->range_of[k]);
    for (int end = 0; end < 2; end++)
      bounds[2 * at + end] = new_bound(n, n->range_of[k], end);
  }
  for (int k = 0; k < 2 * ranges(n); k++)
    ir_add_operand(n->module, s, bounds[k]);
  s->blocks[0] = ir_block(n->module, s);
  n->leaves = s;
  n->task->blocks[1] = ir_block(n->module, n->task);
  ir_append(n->module, n->task->blocks[1], s);
}

/* Each range's index, as the program counts it, stands for what it has been. */
static void make_indices(Nest *n, Maker *make)
{
  const IrField *f = n->own->field;

  for (int k = 0; k < ranges(n); k++) {
    IrStmt *s = put(make, ir_stmt(n->module, IR_loop_index, TY(I32), make->loc, n->leaves, NULL));
    s->index = path_position(f->snode, f->axes[k]);
    if (f->origin[k] != 0)
      s = put(make, ir_stmt(n->module, IR_add, TY(I32), make->loc, s,
                            make_const(make, TY(I32), f->origin[k]), NULL));
    n->index[n->range_of[k]] = s;
  }
}

/* The cells of index k of the field begin (or end) there; false where it is not known. */
static bool is_border(const IrField *f, int k, const IrStmt *bound, int end)
{
  const int64_t cells = f->snode->total[f->axes[k]];

  return is_const(bound) && cells > 0 && (end ? bound->value.i >= f->origin[k] + cells
                                              : bound->value.i <= f->origin[k]);
}

/* Whether the indices are in the box; NULL: they always are. */
static IrStmt *make_test(Nest *n, Maker *make)
{
  static const IrOp compare[] = { IR_cmp_ge, IR_cmp_lt };
  IrStmt *inside = NULL;

  for (int k = 0; k < ranges(n); k++)
    for (int end = 0; end < 2; end++) {
      const int range = n->range_of[k];
      IrStmt *one;
      if (is_border(n->own->field, k, bound(n, range, end), end))
        continue;
      one = put(make, ir_stmt(n->module, compare[end], TY(BOOL), make->loc, n->index[range],
                              put(make, new_bound(n, range, end)), NULL));
      inside = inside ? put(make, ir_stmt(n->module, IR_bit_and, TY(BOOL), make->loc, inside, one,
                                          NULL))
                      : one;
    }
  return inside;
}

/* The indices that the body takes become those of the loop over leaves. */
static void note_indices(Nest *n, const IrBlock *block)
{
  for (IrStmt *s = ir_first(block); s; s = ir_next(s, block)) {
    const int range = range_of_index(n, s);
    if (range >= 0)
      copy_note(&n->copy, s, n->index[range]);
  }
}

static void copy_nest(Nest *n, Maker *make)
{
  const IrBlock *block = n->task->blocks[0];

  copy_init(&n->copy, n->module, n->function);
  note_indices(n, block);
  for (int k = 0; k < n->serial_count; k++) {
    copy_note(&n->copy, n->serial[k], n->leaves);
    copy_block(&n->copy, block, make);
    block = n->serial[k]->blocks[0];
  }
  copy_block(&n->copy, block, make);
}

static void make_leaves(Nest *n)
{
  Maker make;
  IrStmt *inside;

  make_loop(n);
  make = make_at_end(n->module, n->leaves->blocks[0], n->task);
  make_indices(n, &make);
  inside = make_test(n, &make);
  if (inside) {
    IrStmt *branch = put(&make, ir_stmt(n->module, IR_if, TY(VOID), make.loc, inside, NULL));
    branch->blocks[0] = ir_block(n->module, branch);
    branch->blocks[1] = ir_block(n->module, branch);
    make = make_at_end(n->module, branch->blocks[0], n->task);
  }
  copy_nest(n, &make);
}

static void leaves_of_task(IrModule *m, IrFunction *f, IrStmt *task)
{
  Nest n = { .module = m, .function = f, .task = task };

  find_serial(&n);
  if (find_own(&n) && may_be_leaves(&n))
    make_leaves(&n);
}

void pass_leaves(IrModule *m)
{
  for (int k = 0; k < m->kernel_count; k++) {
    const IrTasks t = ir_tasks(m->arena, m->kernels[k]);
    for (int i = 0; i < t.count; i++)
      if (t.tasks[i]->task == IR_TASK_RANGE_FOR && is_parallel(t.tasks[i]) &&
          t.tasks[i]->manner.schedule == SCHEDULE_ANY && t.tasks[i]->variable_count > 0)
        leaves_of_task(m, m->kernels[k], t.tasks[i]);
  }
}
