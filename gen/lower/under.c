/* for (i, j in x under tile[a, b]): serial, over the active cells that hold x below one cell.
 *
 * Where that cell is active: a loop for each axis over its share of the indices, the axis of
 * a dynamic node last and up to its length; within, where cells can be inactive, a test.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

typedef struct Under {
  const Stmt *stmt;
  IrSNode *snode;              /* whose cells are visited */
  IrStmt *cell;                /* is_active of the cell: its indices are the operands */
  IrStmt *index[MAX_AXES];     /* by axis: of the loops that are open, cells from 0 */
  int order[MAX_AXES];         /* the axis of each loop */
} Under;

/* ---- what is asked ---- */

static void ask_cell(Lowering *l, Under *u)
{
  const Expr *e = u->stmt->a;

  u->cell = ir_stmt(l->module, IR_is_active, TY(BOOL), e->loc, NULL);
  u->cell->snode = lowered_snode(l, e->snode);
  u->cell->slot = lowered_slot(l, e->tree_slot);
  add_node_indices(l, u->cell, NULL, e->args, e->arg_count);
  emit(l, u->cell);
}

static IrStmt *ask(Lowering *l, const Under *u, IrOp op, const Type *type, const IrSNode *indexed)
{
  IrStmt *s = ir_stmt(l->module, op, type, u->stmt->loc, NULL);

  s->snode = u->snode;
  s->slot = u->cell->slot;
  for (int k = 0; k < indexed->path_axis_count; k++)
    ir_add_operand(l->module, s, u->index[indexed->path_axes[k]]);
  return emit(l, s);
}

/* Whether a cell below an active one can be inactive. */
static bool is_tested(const Under *u)
{
  for (const IrSNode *n = u->snode; n != u->cell->snode; n = n->parent)
    if (ir_is_sparse(n) && !kind_is(n->kind, KIND_LIST))
      return true;
  return false;
}

/* Opens `if condition`; its other block is empty. */
static IrBlock *open_if(Lowering *l, IrStmt *condition, Loc loc)
{
  IrStmt *branch = emit(l, ir_stmt(l->module, IR_if, TY(VOID), loc, condition, NULL));

  branch->blocks[1] = ir_block(l->module, branch);
  return open_block(l, branch, 0);
}

/* ---- the loops ---- */

static void order_axes(Under *u, const Stmt *s)
{
  bool is_list = kind_is(u->snode->kind, KIND_LIST);
  int last = is_list ? u->snode->axes[0].axis : -1, count = 0;

  for (int k = 0; k < u->snode->path_axis_count; k++) {
    int axis = s->field ? s->field->axes[k] : u->snode->path_axes[k];
    if (axis != last)
      u->order[count++] = axis;
  }
  if (is_list)
    u->order[count] = last;
}

/* The first index of the cell's share of the axis. */
static IrStmt *share_begins(Lowering *l, const Under *u, int axis, int64_t below)
{
  Loc loc = u->stmt->loc;

  for (int k = 0; k < u->cell->snode->path_axis_count; k++)
    if (u->cell->snode->path_axes[k] == axis)
      return lower_binary(l, OP_MUL, convert(l, u->cell->operands[k], TY(I64), loc),
                          emit_int(l, TY(I64), below, loc), loc);
  return emit_int(l, TY(I64), 0, loc);
}

static IrStmt *share_ends(Lowering *l, const Under *u, int axis, IrStmt *begin, int64_t below)
{
  bool is_list = kind_is(u->snode->kind, KIND_LIST) && axis == u->snode->axes[0].axis;

  if (is_list)
    return ask(l, u, IR_length, TY(I64), u->snode->parent);
  return lower_binary(l, OP_ADD, begin, emit_int(l, TY(I64), below, u->stmt->loc), u->stmt->loc);
}

/* What the program's variables are: of a field with its origin. */
static void bind_cell(Lowering *l, const Under *u)
{
  const Stmt *s = u->stmt;
  IrStmt *values[MAX_AXES];
  int at = 0;

  for (int k = 0; k < u->snode->path_axis_count; k++) {
    int axis = s->field ? s->field->axes[k] : u->snode->path_axes[k];
    int64_t origin = s->field ? s->field->origin[k] : 0;
    values[k] = u->index[axis];
    if (origin != 0)
      values[k] = lower_binary(l, OP_ADD, values[k], emit_int(l, TY(I64), origin, s->loc), s->loc);
  }
  for (int k = 0; k < s->variable_count; k++) {
    const Variable *v = s->variables[k];
    int count = type_count(v->type);
    IrStmt **own = NEW_ARRAY(l->module->arena, IrStmt *, count);
    for (int i = 0; i < count; i++)
      own[i] = convert(l, values[at++], type_element(v->type), s->loc);
    if (type_is_shaped(v->type))
      bind_values(l, v, own);
    else
      bind_index(l, v, own[0], s->body);
  }
}

static void lower_visit(Lowering *l, Under *u)
{
  if (is_tested(u))
    open_if(l, ask(l, u, IR_is_active, TY(BOOL), u->snode), u->stmt->loc);
  bind_cell(l, u);
  lower_body(l, u->stmt->body);
}

static void lower_axis(Lowering *l, Under *u, int k)
{
  Loc loc = u->stmt->loc;
  int axis = u->order[k];
  int64_t below = ir_below(u->cell->snode, u->snode, axis);
  IrStmt *begin = share_begins(l, u, axis, below);
  IrStmt *loop = ir_stmt(l->module, IR_for_range, TY(VOID), loc, begin,
                         share_ends(l, u, axis, begin, below), NULL);
  IrBlock *outer;

  loop->variable = new_variable(l, IR_VAR_INDEX, axis_name[axis], TY(I64));
  emit(l, loop);
  outer = open_block(l, loop, 0);
  u->index[axis] = emit(l, ir_stmt(l->module, IR_loop_index, TY(I64), loc, loop, NULL));
  if (k + 1 == u->snode->path_axis_count) {
    lower_visit(l, u);
  } else {
    lower_axis(l, u, k + 1);
    if (l->loop->leaving)
      emit_break_if(l, l->loop->leaving, loc);
  }
  l->block = outer;
}

void lower_for_under(Lowering *l, const Stmt *s)
{
  Under u = { .stmt = s };
  Loop *around = l->loop, here = { 0 };
  IrBlock *outer;

  if (holds_task(s->body)) {
    diag(l->diag, DIAG_NOT_BUILT, s->loc, "a foreach in a 'for' under a cell");
    return;
  }
  u.snode = s->field ? lowered_field(l, s->field)->snode : lowered_snode(l, s->snode);
  order_axes(&u, s);
  ask_cell(l, &u);
  if (u.snode->path_axis_count > 1) {
    here.leaving = new_hidden(l, "leaving", TY(BOOL));
    emit_declare(l, here.leaving, emit_int(l, TY(BOOL), 0, s->loc), s->loc);
  }
  l->loop = &here;
  outer = open_if(l, u.cell, s->loc);
  lower_axis(l, &u, 0);
  l->block = outer;
  l->loop = around;
  leave_inlined(l, s);
}
