/* Running statements: one function a group of operations, serially, in order.
 *
 * A flow says how a statement was left. A trap ends the iteration of a parallel
 * loop, and with it the task: what the other iterations do is left open by the
 * language, and this one runs none of them.
 */
#include "gen/interpret/interpret.h"
#include "gen/model/evaluate.h"

#include <stdlib.h>
#include <string.h>

typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_TRAP } Flow;

static Flow run_block(Interpreter *in, const IrBlock *block);

/* ---- values ---- */

static Value evaluate(Interpreter *in, const IrStmt *s)
{
  Value operand[3];

  for (int k = 0; k < s->operand_count; k++)
    operand[k] = interpret_operand(in, s, k);
  return ir_evaluate(s, operand);
}

static Value loop_index(Interpreter *in, const IrStmt *s)
{
  const IrStmt *loop = s->operands[0];

  return loop->op == IR_for_range ? in->values[loop->id] : in->index[s->index];
}

static Value extent(Interpreter *in, const IrStmt *s)
{
  int64_t above = s->snode->parent ? interpret_total(in, s->snode->parent, s->slot, s->index) : 1;

  return (Value){ .i = interpret_total(in, s->snode, s->slot, s->index) / above };
}

/* ---- variables ---- */

static Value update(Interpreter *in, const IrStmt *s)
{
  Value *variable = &in->variables[s->variable->id], old = *variable;

  *variable = interpret_updated(in, s, old);
  return old;
}

static void run_saved(Interpreter *in, const IrStmt *s)
{
  Value *places = map_get(&in->saved, s->variable);

  if (s->op == IR_reserve && s->index)
    memset(places, 0, sizeof *places * (size_t)s->variable->places);
  else if (s->op == IR_save)
    places[interpret_operand(in, s, 0).i] = interpret_operand(in, s, 1);
  else if (s->op == IR_restore)
    in->values[s->id] = places[interpret_operand(in, s, 0).i];
}

/* ---- calls ---- */

static void set_slots(Interpreter *in, const IrStmt *call)
{
  int outer[SND_MAX_SLOTS];

  memcpy(outer, in->slots, sizeof outer);
  for (int k = 0; k < call->function->slot_count; k++)
    in->slots[k] = outer[call->slots[k]];
}

/* The frame of the function at the top of the stack; its variables are zero. */
static void push_frame(Interpreter *in, const IrStmt *call)
{
  const IrFunction *f = call->function;
  Value *frame = in->stack;

  memset(frame, 0, sizeof *frame * (size_t)f->variable_count);
  for (int k = 0; k < f->param_count; k++)
    frame[f->params[k]->id] = interpret_operand(in, call, k);
  set_slots(in, call);
  in->function = f;
  in->variables = frame;
  in->values = frame + f->variable_count;
  in->stack = in->values + f->number_count;
}

static Flow run_call(Interpreter *in, const IrStmt *s)
{
  Interpreter outer = *in;
  Flow flow;

  push_frame(in, s);
  flow = run_block(in, s->function->body);
  outer.result = in->result;
  outer.draws = in->draws;
  *in = outer;
  if (s->id >= 0)
    in->values[s->id] = in->result;
  return flow == FLOW_TRAP ? FLOW_TRAP : FLOW_ON;
}

static Flow run_return(Interpreter *in, const IrStmt *s)
{
  if (s->operand_count > 0)
    in->result = interpret_operand(in, s, 0);
  return FLOW_RETURN;
}

/* ---- serial loops ---- */

/* Whether the loop goes on after its body was left this way; else *flow is how the
 * loop is left. */
static bool goes_on(Flow *flow)
{
  if (*flow == FLOW_ON || *flow == FLOW_CONTINUE)
    return true;
  if (*flow == FLOW_BREAK)
    *flow = FLOW_ON;
  return false;
}

static Flow run_while(Interpreter *in, const IrStmt *s)
{
  for (;;) {
    Flow flow = run_block(in, s->blocks[0]);
    if (flow != FLOW_ON || !interpret_operand(in, s, 0).i)
      return flow;
    flow = run_block(in, s->blocks[1]);
    if (!goes_on(&flow))
      return flow;
    flow = run_block(in, s->blocks[2]);
    if (flow != FLOW_ON)
      return flow;
  }
}

static Flow run_for_range(Interpreter *in, const IrStmt *s)
{
  Value i = interpret_operand(in, s, 0), hi = interpret_operand(in, s, 1);

  for (; evaluate_less(s->variable->type, i, hi); i.i++) {
    Flow flow;
    in->values[s->id] = i;
    flow = run_block(in, s->blocks[0]);
    if (!goes_on(&flow))
      return flow;
  }
  return FLOW_ON;
}

/* ---- statements ---- */

static Flow run_assert(Interpreter *in, const IrStmt *s)
{
  if (interpret_operand(in, s, 0).i)
    return FLOW_ON;
  interpret_failed_assert(in, s);
  return FLOW_TRAP;
}

static Flow run_require(Interpreter *in, const IrStmt *s)
{
  if (interpret_operand(in, s, 0).i)
    return FLOW_ON;
  interpret_failed_require(in, s);
  return FLOW_TRAP;
}

static Flow run_claim(Interpreter *in, const IrStmt *s)
{
  return interpret_claim(in, s) ? FLOW_ON : FLOW_TRAP;
}

static Flow run_check_element(Interpreter *in, const IrStmt *s)
{
  int64_t index = interpret_operand(in, s, 0).i;

  if (index >= 0 && index < s->index)
    return FLOW_ON;
  interpret_failed_element(in, s, index);
  return FLOW_TRAP;
}

static Flow run_access(Interpreter *in, const IrStmt *s)
{
  Value result = { .i = 0 };
  bool went_well;

  switch (s->op) {
  case IR_check_bounds: case IR_inside:
    went_well = interpret_is_inside(in, s, &result);
    break;
  case IR_read:   went_well = interpret_read(in, s, &result); break;
  case IR_write:  went_well = interpret_write(in, s); break;
  case IR_atomic: went_well = interpret_atomic(in, s, &result); break;
  case IR_is_active: case IR_activate: case IR_deactivate: case IR_append: case IR_length:
    went_well = interpret_node(in, s, &result);
    break;
  default:        went_well = interpret_array(in, s, &result); break;
  }
  if (s->id >= 0)
    in->values[s->id] = result;
  return went_well ? FLOW_ON : FLOW_TRAP;
}

/* Each part is computed from the matrix anew. */
static Value part(Interpreter *in, const IrStmt *s)
{
  const IrStmt *whole = s->operands[0];
  sn_interpreter_factor which = whole->op == IR_svd     ? SN_INTERPRETER_SVD
                                : whole->op == IR_polar ? SN_INTERPRETER_POLAR
                                                        : SN_INTERPRETER_SYM_EIG;
  double matrix[9], parts[21];

  for (int k = 0; k < whole->operand_count; k++)
    matrix[k] = interpret_operand(in, whole, k).f;
  in->access->factor(which, whole->operand_count == 4 ? 2 : 3, whole->type->kind == TYPE_F32,
                     matrix, parts);
  return (Value){ .f = parts[s->index] };
}

static Flow run_stmt(Interpreter *in, const IrStmt *s)
{
  switch (s->op) {
  case IR_param: case IR_get:
    in->values[s->id] = in->variables[s->variable->id];
    return FLOW_ON;
  case IR_declare: case IR_set:
    in->variables[s->variable->id] = interpret_operand(in, s, 0);
    return FLOW_ON;
  case IR_update:     in->values[s->id] = update(in, s); return FLOW_ON;
  case IR_reserve: case IR_save: case IR_restore:
    run_saved(in, s);
    return FLOW_ON;
  case IR_random: case IR_randn:
    in->values[s->id] = interpret_draw(in, s);
    return FLOW_ON;
  case IR_loop_index: in->values[s->id] = loop_index(in, s); return FLOW_ON;
  case IR_svd: case IR_polar: case IR_sym_eig:
    return FLOW_ON;                      /* see part */
  case IR_part:       in->values[s->id] = part(in, s); return FLOW_ON;
  case IR_extent:     in->values[s->id] = extent(in, s); return FLOW_ON;
  case IR_read: case IR_write: case IR_atomic: case IR_check_bounds: case IR_inside:
  case IR_is_active: case IR_activate: case IR_deactivate: case IR_append: case IR_length:
  case IR_array_read: case IR_array_write: case IR_array_atomic:
    return run_access(in, s);
  case IR_if:
    return run_block(in, s->blocks[interpret_operand(in, s, 0).i ? 0 : 1]);
  case IR_while:     return run_while(in, s);
  case IR_for_range: return run_for_range(in, s);
  case IR_break:     return FLOW_BREAK;
  case IR_continue:  return FLOW_CONTINUE;
  case IR_return:    return run_return(in, s);
  case IR_call:      return run_call(in, s);
  case IR_print: case IR_trace:
    interpret_print(in, s);
    return FLOW_ON;
  case IR_assert:    return run_assert(in, s);
  case IR_require:   return run_require(in, s);
  case IR_unique: case IR_cache: case IR_block: case IR_end_block:
    return FLOW_ON;
  case IR_check_element: return run_check_element(in, s);
  case IR_claim:     return run_claim(in, s);
  default:           in->values[s->id] = evaluate(in, s); return FLOW_ON;
  }
}

static Flow run_block(Interpreter *in, const IrBlock *block)
{
  for (int k = 0; k < block->count; k++) {
    Flow flow = run_stmt(in, block->stmts[k]);
    if (flow != FLOW_ON)
      return flow;
  }
  return FLOW_ON;
}

/* ---- tasks ---- */

/* False when the iteration trapped. */
static bool iterate(Interpreter *in, const IrStmt *task)
{
  in->task = task;
  in->draws = 0;
  return run_block(in, task->blocks[0]) != FLOW_TRAP;
}

static Value bound(Interpreter *in, const IrStmt *b)
{
  return b->op == IR_const ? b->value : in->variables[b->variable->id];
}

/* As the C counts them (snode/device/loop.h); INT64_MAX stands for all beyond it too. */
static int64_t iterations(Interpreter *in, const IrStmt *task)
{
  uint64_t all = 1;

  for (int k = 0; k < task->operand_count; k += 2) {
    const Value lo = bound(in, task->operands[k]), hi = bound(in, task->operands[k + 1]);
    if (!evaluate_less(task->operands[k]->type, lo, hi))
      return 0;
    if (__builtin_mul_overflow(all, (uint64_t)hi.i - (uint64_t)lo.i, &all))
      all = UINT64_MAX;
  }
  return all < INT64_MAX ? (int64_t)all : INT64_MAX;
}

/* Ranges from `range` on: the last one is the fastest. */
static bool run_ranges(Interpreter *in, const IrStmt *task, int range)
{
  const Type *type;
  Value i, hi;

  if (2 * range == task->operand_count)
    return iterate(in, task);
  type = task->operands[2 * range]->type;
  i = bound(in, task->operands[2 * range]);
  hi = bound(in, task->operands[2 * range + 1]);
  for (; evaluate_less(type, i, hi); i.i++) {
    in->index[range] = i;
    if (!run_ranges(in, task, range + 1))
      return false;
  }
  return true;
}

static void run_range_for(Interpreter *in, const IrStmt *task)
{
  const int64_t n = iterations(in, task);

  if (n == INT64_MAX)
    interpret_failed_ranges(in, task);
  else if (n > 0)
    run_ranges(in, task, 0);
}

static int position_of_axis(const IrSNode *s, int axis)
{
  for (int k = 0; k < s->path_axis_count; k++)
    if (s->path_axes[k] == axis)
      return k;
  return -1;
}

/* What one entry of a struct_for's list holds. */
typedef struct Container {
  sn_interpreter_entry entry;
  int64_t origin[MAX_AXES];         /* of its first cell, in the SNode's axis order */
  int64_t extent[MAX_AXES];         /* its own, 1 where it has none */
} Container;

/* Wraps: the first cell of a container may lie below the least index of an open axis. */
static int64_t times(int64_t a, int64_t b)
{
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

static Container container_at(Interpreter *in, const IrStmt *task, int64_t entry)
{
  const IrSNode *s = task->snode;
  int slot = in->slots[task->slot];
  Container c = { .entry.last = 0 };

  in->access->list_entry(in->args, slot, s->id, entry, &c.entry);
  for (int k = 0; k < s->path_axis_count; k++) {
    int axis = s->path_axes[k], above = position_of_axis(s->parent, axis);
    c.extent[k] = interpret_total(in, s, task->slot, axis) /
                  interpret_total(in, s->parent, task->slot, axis);
    c.origin[k] = above < 0 ? 0 : times(c.entry.coordinate[above], c.extent[k]);
  }
  return c;
}

/* Row-major over the SNode's own axes; the others have one place each. */
static void set_index(Interpreter *in, const IrSNode *s, const Container *c, int64_t cell)
{
  for (int k = s->path_axis_count - 1; k >= 0; k--) {
    in->index[k].i = (int64_t)((uint64_t)c->origin[k] + (uint64_t)(cell % c->extent[k]));
    cell /= c->extent[k];
  }
}

/* A hash stands under the root: its own axes are all that it has. */
static void set_key(Interpreter *in, const IrStmt *task, int64_t cell)
{
  int64_t key[MAX_AXES];

  in->access->hash_key(in->args, in->slots[task->slot], task->snode->id, cell, key);
  for (int k = 0; k < task->snode->path_axis_count; k++)
    in->index[k].i = key[k];
}

/* What is done at each cell; false: no further one is visited. */
typedef bool Visit(Interpreter *, const IrStmt *task, void *user);

static bool visit_container(Interpreter *in, const IrStmt *task, const Container *c, Visit *visit,
                            void *user)
{
  const uint64_t *mask = c->entry.mask;

  for (int64_t cell = c->entry.first; cell < c->entry.last; cell++) {
    if (mask && !(mask[cell / 64] >> (cell % 64) & 1))
      continue;
    if (kind_is(task->snode->kind, KIND_KEYS))
      set_key(in, task, cell);
    else
      set_index(in, task->snode, c, cell);
    if (!visit(in, task, user))
      return false;
  }
  return true;
}

static void visit_cells(Interpreter *in, const IrStmt *task, Visit *visit, void *user)
{
  int slot = in->slots[task->slot];
  int64_t entries = in->access->list_length(in->args, slot, task->snode->id);

  for (int64_t entry = 0; entry < entries; entry++) {
    Container c = container_at(in, task, entry);
    if (!visit_container(in, task, &c, visit, user))
      return;
  }
}

static bool run_cell(Interpreter *in, const IrStmt *task, void *user)
{
  (void)user;
  return iterate(in, task);
}

/* ---- in order: all cells are noted, then sorted ---- */

typedef struct Cell {
  int64_t index[MAX_AXES];          /* in the order of the program's loop; then zeros */
} Cell;

typedef struct Cells {
  Cell *cells;
  int count;
  int position[MAX_AXES];           /* in axis order, of each index */
} Cells;

static bool note_cell(Interpreter *in, const IrStmt *task, void *user)
{
  Cells *all = user;
  Cell cell = { { 0 } };

  for (int k = 0; k < task->snode->path_axis_count; k++)
    cell.index[k] = in->index[all->position[k]].i;
  vec_push(in->arena, all->cells, all->count, cell);
  return true;
}

static int compare_cells(const void *a, const void *b)
{
  const Cell *x = a, *y = b;

  for (int k = 0; k < MAX_AXES; k++)
    if (x->index[k] != y->index[k])
      return x->index[k] < y->index[k] ? -1 : 1;
  return 0;
}

static void run_in_order(Interpreter *in, const IrStmt *task)
{
  const IrSNode *s = task->snode;
  Cells all = { .count = 0 };

  for (int k = 0; k < s->path_axis_count; k++)
    all.position[k] = task->field ? position_of_axis(s, task->field->axes[k]) : k;
  visit_cells(in, task, note_cell, &all);
  if (all.count > 0)
    qsort(all.cells, (size_t)all.count, sizeof *all.cells, compare_cells);
  for (int n = 0; n < all.count; n++) {
    for (int k = 0; k < s->path_axis_count; k++)
      in->index[all.position[k]].i = all.cells[n].index[k];
    if (!iterate(in, task))
      return;
  }
}

void interpret_task(Interpreter *in, const IrStmt *task)
{
  switch (task->task) {
  case IR_TASK_SERIAL:     iterate(in, task); break;
  case IR_TASK_RANGE_FOR:  run_range_for(in, task); break;
  case IR_TASK_STRUCT_FOR:
    if (task->manner.is_serial)
      run_in_order(in, task);
    else
      visit_cells(in, task, run_cell, NULL);
    break;
  default: ICE("a %s is the runtime's", ir_task_name[task->task]);
  }
}
