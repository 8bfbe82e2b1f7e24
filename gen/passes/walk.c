/* Walks: the indices of an access, their coordinates, the check that they are inside, and the
 * chain of statements from the root to a cell. */
#include "gen/passes/walk.h"

IrStmt *walk_stmt(Walk *w, IrOp op, const Type *type)
{
  IrStmt *s = ir_stmt(w->make.module, op, type, w->make.loc, NULL);

  s->slot = w->slot;
  return s;
}

static void add(Walk *w, IrStmt *s, IrStmt *operand)
{
  ir_add_operand(w->make.module, s, operand);
}

/* ---- indices ---- */

IrStmt *walk_coordinate(Walk *w, IrStmt *index)
{
  bool is_short = index->type->bits < 32 || index->type->kind == TYPE_I32;

  return make_cast(&w->make, is_short ? TY(I32) : TY(I64), index);
}

static int axis_of(const Walk *w, int k)
{
  return w->field ? w->field->axes[k] : w->snode->path_axes[k];
}

/* Whether the index is x or x and a constant: nothing to be put together. */
static bool is_simple(const IrStmt *index, const IrStmt *x)
{
  if (index == x)
    return true;
  return (index->op == IR_add || index->op == IR_sub) &&
         (index->operands[0] == x || index->operands[1] == x);
}

/* Whether coordinates on the axis fit into i32, where they are inside. */
static bool is_short_axis(const Walk *w, int axis)
{
  return w->snode->total[axis] > 0 && w->snode->total[axis] <= INT32_MAX &&
         !(w->snode->open_axes >> axis & 1);
}

/* index - origin, which counts cells. It is inside the extents where it is used:
 * the difference does not overflow. */
static IrStmt *put_less_origin(Walk *w, int k, int64_t origin)
{
  int64_t constant;
  IrStmt *index = w->index[k], *x = ir_without_constant(index, &constant), *by;

  if (origin == 0 && is_simple(index, x))
    return index;
  constant -= origin;
  x = walk_coordinate(w, x);
  if (constant == 0)
    return x;
  if (is_const(x))
    return make_const(&w->make, TY(I64), x->value.i + constant);
  if (constant < INT32_MIN || constant > INT32_MAX ||
      !is_short_axis(w, axis_of(w, k)))
    x = make_cast(&w->make, TY(I64), x);
  by = make_const(&w->make, x->type, constant);
  return put(&w->make,
             ir_stmt(w->make.module, IR_add, x->type, w->make.loc, x, by, NULL));
}

/* Whether index k cannot be outside: its axis has no end. */
static bool is_open(const Walk *w, int k)
{
  return w->snode->open_axes >> axis_of(w, k) & 1;
}

static Border border_of(const Walk *w)
{
  return w->field ? w->field->border : BORDER_NONE;
}

void walk_take_indices(Walk *w, int count)
{
  w->index_count = count;
  w->has_bounds = false;
  for (int k = 0; k < count; k++) {
    w->index[k] = walk_coordinate(w, w->origin->operands[k]);
    w->has_bounds = w->has_bounds || !is_open(w, k);
  }
  if (border_of(w) == BORDER_CLAMP || border_of(w) == BORDER_WRAP)
    w->has_bounds = false;
}

void walk_take_coordinates(Walk *w)
{
  for (int k = 0; w->snode && k < w->index_count; k++)
    w->coordinate[axis_of(w, k)] =
        put_less_origin(w, k, w->field ? w->field->origin[k] : 0);
}

/* Sets what names the thing that is indexed. */
static void add_bounds(Walk *w, IrStmt *s)
{
  s->field = w->field;
  s->snode = w->field ? NULL : w->snode;
  s->variable = w->origin->variable;
  for (int k = 0; k < w->index_count; k++) {
    add(w, s, w->index[k]);
    if (w->snode && is_open(w, k))
      s->index |= 3 << (2 * k);
  }
}

bool walk_is_tested(const Walk *w)
{
  bool is_zero = w->make.module->bounds == IR_BOUNDS_ZERO;

  return w->has_bounds && (is_zero || border_of(w) == BORDER_DEFAULT);
}

void walk_put_check(Walk *w)
{
  IrStmt *check;

  if (w->make.module->bounds != IR_BOUNDS_TRAP || !w->has_bounds)
    return;
  check = walk_stmt(w, IR_check_bounds, TY(VOID));
  add_bounds(w, check);
  put(&w->make, check);
}

IrStmt *walk_put_inside(Walk *w)
{
  IrStmt *inside = walk_stmt(w, IR_inside, TY(BOOL));

  add_bounds(w, inside);
  return put(&w->make, inside);
}

/* ---- walks ---- */

/* The digit of an i32 coordinate is computed in i32, unless the constants it is
 * divided by do not fit. */
static IrStmt *put_digit(Walk *w, IrSNode *snode, const IrAxis *axis)
{
  IrStmt *x = w->coordinate[axis->axis], *s;
  int64_t below = ir_below(snode, w->snode, axis->axis);

  if (below > INT32_MAX || axis->size > INT32_MAX)
    x = make_cast(&w->make, TY(I64), x);
  s = walk_stmt(w, IR_digit, x->type);
  add(w, s, x);
  s->snode = snode;
  s->index = axis->axis;
  s->value.i = below;
  return put(&w->make, s);
}

IrStmt *walk_put_at_position(Walk *w, IrStmt *s, IrSNode *snode)
{
  IrStmt *digits[MAX_AXES], *linear;

  s->snode = snode;
  for (int k = 0; k < snode->axis_count; k++)
    digits[k] = put_digit(w, snode, &snode->axes[k]);
  if (kind_is(snode->kind, KIND_KEYS)) {
    for (int k = 0; k < snode->axis_count; k++)
      add(w, s, make_cast(&w->make, TY(I64), digits[k]));
    return put(&w->make, s);
  }
  linear = walk_stmt(w, IR_linear, TY(I64));
  linear->snode = snode;
  for (int k = 0; k < snode->axis_count; k++)
    add(w, linear, digits[k]);
  add(w, s, put(&w->make, linear));
  return put(&w->make, s);
}

IrStmt *walk_put_cell(Walk *w, IrSNode *snode, IrStmt *parent, IrMode mode)
{
  IrStmt *cell = walk_stmt(w, IR_cell, TY(CELL));

  cell->mode = mode;
  add(w, cell, parent);
  return walk_put_at_position(w, cell, snode);
}

IrStmt *walk_put(Walk *w, IrSNode *snode, IrMode mode)
{
  bool is_asked = mode != IR_MODE_PEEK || !kind_is(snode->kind, KIND_MASKED);

  if (!snode->parent)
    return put(&w->make, walk_stmt(w, IR_root, TY(CELL)));
  return walk_put_cell(w, snode, walk_put(w, snode->parent, mode),
                       is_asked ? mode : IR_MODE_READ);
}
