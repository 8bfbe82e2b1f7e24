/* lower_access: accesses become walks, chains of statements that passes can
 * share and move.
 *
 *   <f32> $9 = read u grid [$4 $5]   =>   check_bounds u grid $4 $5
 *                                         <cell> $10 = root grid
 *                                         <i32> $11 = digit S1pointer .. $4 ..
 *                                         ... digit of the other axis: $12
 *                                         <i64> $13 = linear .. $11 $12
 *                                         <cell> $14 = cell .. read $10 $13
 *                                         ... the same of S2dense: $18
 *                                         <f32> $19 = load u $18
 *
 * Needs: the module split.
 * Guarantees: none of read, write, atomic, is_active, activate, deactivate,
 * append, length is left; there is one `cell` for each level of the path; every
 * index of a walk is known to be inside the extents: checked by check_bounds
 * (--bounds=trap) or behind `if inside` (zero; a field whose border is `default`
 * and is_active always), or put there by gen/lower (the other borders). An axis that a
 * hash divides has no extents: its indices are never tested. Coordinates are i32
 * or i64 and count cells: a field's origin is taken off. A read walks with MODE
 * read, a write with MODE activate (its cell may be null when memory is out), a
 * question with MODE peek; a peek below a null cell is null, an activation below
 * one too. Atomics of serial tasks are plain.
 *
 * Cells of a bitmasked SNode stand in place, and all that is below an inactive one
 * is inactive: only a question about such a cell itself looks at its bit.
 */
#include "gen/passes/tools.h"

typedef struct Access {
  Maker make;
  IrFunction *function;
  IrStmt *origin;             /* the statement that is replaced */
  IrField *field;             /* or NULL: the access is of snode itself */
  IrSNode *snode;
  int slot;
  IrStmt *index[MAX_AXES]; /* as written */
  int index_count;
  bool has_bounds;            /* one of them can be outside */
  IrStmt *coordinate[MAX_AXES];     /* by axis */
} Access;

static IrStmt *make(Access *a, IrOp op, const Type *type)
{
  IrStmt *s = ir_stmt(a->make.module, op, type, a->make.loc, NULL);

  s->slot = a->slot;
  return s;
}

static void add(Access *a, IrStmt *s, IrStmt *operand)
{
  ir_add_operand(a->make.module, s, operand);
}

/* ---- indices ---- */

/* An index that does not fit in i64 becomes negative: still outside. */
static IrStmt *make_coordinate(Access *a, IrStmt *index)
{
  bool is_short = index->type->bits < 32 || index->type->kind == TYPE_I32;

  return make_cast(&a->make, is_short ? TY(I32) : TY(I64), index);
}

static int axis_of(const Access *a, int k)
{
  return a->field ? a->field->axes[k] : a->snode->path_axes[k];
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
static bool is_short_axis(const Access *a, int axis)
{
  return a->snode->total[axis] > 0 && a->snode->total[axis] <= INT32_MAX &&
         !(a->snode->open_axes >> axis & 1);
}

/* index - origin, which counts cells. It is inside the extents where it is used:
 * the difference does not overflow. */
static IrStmt *put_less_origin(Access *a, int k, int64_t origin)
{
  int64_t constant;
  IrStmt *index = a->index[k], *x = ir_without_constant(index, &constant), *by;

  if (origin == 0 && is_simple(index, x))
    return index;
  constant -= origin;
  x = make_coordinate(a, x);
  if (constant == 0)
    return x;
  if (is_const(x))
    return make_const(&a->make, TY(I64), x->value.i + constant);
  if (constant < INT32_MIN || constant > INT32_MAX ||
      !is_short_axis(a, axis_of(a, k)))
    x = make_cast(&a->make, TY(I64), x);
  by = make_const(&a->make, x->type, constant);
  return put(&a->make,
             ir_stmt(a->make.module, IR_add, x->type, a->make.loc, x, by, NULL));
}

/* Whether index k cannot be outside: its axis has no end. */
static bool is_open(const Access *a, int k)
{
  return a->snode->open_axes >> axis_of(a, k) & 1;
}

static Border border_of(const Access *a)
{
  return a->field ? a->field->border : BORDER_NONE;
}

static void take_indices(Access *a, int count)
{
  a->index_count = count;
  a->has_bounds = false;
  for (int k = 0; k < count; k++) {
    a->index[k] = make_coordinate(a, a->origin->operands[k]);
    a->has_bounds = a->has_bounds || !is_open(a, k);
  }
  if (border_of(a) == BORDER_CLAMP || border_of(a) == BORDER_WRAP)
    a->has_bounds = false;
}

/* Where the walk begins: its indices are known to be inside. */
static void take_coordinates(Access *a)
{
  for (int k = 0; a->snode && k < a->index_count; k++)
    a->coordinate[axis_of(a, k)] =
        put_less_origin(a, k, a->field ? a->field->origin[k] : 0);
}

/* Sets what names the thing that is indexed. */
static void add_bounds(Access *a, IrStmt *s)
{
  s->field = a->field;
  s->snode = a->field ? NULL : a->snode;
  s->variable = a->origin->variable;
  for (int k = 0; k < a->index_count; k++) {
    add(a, s, a->index[k]);
    if (a->snode && is_open(a, k))
      s->index |= 3 << (2 * k);
  }
}

static bool is_tested(const Access *a)
{
  bool is_zero = a->make.module->bounds == IR_BOUNDS_ZERO;

  return a->has_bounds && (is_zero || border_of(a) == BORDER_DEFAULT);
}

static void put_check(Access *a)
{
  IrStmt *check;

  if (a->make.module->bounds != IR_BOUNDS_TRAP || !a->has_bounds)
    return;
  check = make(a, IR_check_bounds, TY(VOID));
  add_bounds(a, check);
  put(&a->make, check);
}

static IrStmt *put_inside(Access *a)
{
  IrStmt *inside = make(a, IR_inside, TY(BOOL));

  add_bounds(a, inside);
  return put(&a->make, inside);
}

/* ---- walks ---- */

/* The digit of an i32 coordinate is computed in i32, unless the constants it is
 * divided by do not fit. */
static IrStmt *put_digit(Access *a, IrSNode *snode, const IrAxis *axis)
{
  IrStmt *x = a->coordinate[axis->axis], *s;
  int64_t below = ir_below(snode, a->snode, axis->axis);

  if (below > INT32_MAX || axis->size > INT32_MAX)
    x = make_cast(&a->make, TY(I64), x);
  s = make(a, IR_digit, x->type);
  add(a, s, x);
  s->snode = snode;
  s->index = axis->axis;
  s->value.i = below;
  return put(&a->make, s);
}

/* Adds what a cell is found by in its container: the position, of a hash's the
 * key; and puts the statement. */
static IrStmt *put_at_position(Access *a, IrStmt *s, IrSNode *snode)
{
  IrStmt *digits[MAX_AXES], *linear;

  s->snode = snode;
  for (int k = 0; k < snode->axis_count; k++)
    digits[k] = put_digit(a, snode, &snode->axes[k]);
  if (kind_is(snode->kind, KIND_KEYS)) {
    for (int k = 0; k < snode->axis_count; k++)
      add(a, s, make_cast(&a->make, TY(I64), digits[k]));
    return put(&a->make, s);
  }
  linear = make(a, IR_linear, TY(I64));
  linear->snode = snode;
  for (int k = 0; k < snode->axis_count; k++)
    add(a, linear, digits[k]);
  add(a, s, put(&a->make, linear));
  return put(&a->make, s);
}

static IrStmt *put_cell(Access *a, IrSNode *snode, IrStmt *parent, IrMode mode)
{
  IrStmt *cell = make(a, IR_cell, TY(CELL));

  cell->mode = mode;
  add(a, cell, parent);
  return put_at_position(a, cell, snode);
}

/* From the root to the cell of snode. */
static IrStmt *put_walk(Access *a, IrSNode *snode, IrMode mode)
{
  bool is_asked = mode != IR_MODE_PEEK || !kind_is(snode->kind, KIND_MASKED);

  if (!snode->parent)
    return put(&a->make, make(a, IR_root, TY(CELL)));
  return put_cell(a, snode, put_walk(a, snode->parent, mode),
                  is_asked ? mode : IR_MODE_READ);
}

/* The deepest SNode on the path whose cells can be inactive: its activity is that
 * of snode. */
static IrSNode *sparse_above(IrSNode *snode)
{
  while (snode && !ir_is_sparse(snode))
    snode = snode->parent;
  return snode;
}

/* ---- behind a test: --bounds=zero, is_active ---- */

static Access begin_inside(Access *a)
{
  Access in = *a;
  IrStmt *branch = ir_stmt(a->make.module, IR_if, TY(VOID), a->make.loc,
                           put_inside(a), NULL);

  put(&a->make, branch);
  branch->blocks[0] = ir_block(a->make.module, branch);
  branch->blocks[1] = ir_block(a->make.module, branch);
  in.make = make_at_end(a->make.module, branch->blocks[0], a->origin);
  take_coordinates(&in);
  return in;
}

/* A local that holds `outside` unless the access within sets it. */
static IrVariable *begin_result(Access *a, const char *name, const Type *type,
                                Value outside)
{
  IrVariable *v =
      make_hidden(a->make.module, a->function, IR_VAR_LOCAL, name, type);
  IrStmt *s = ir_stmt(a->make.module, IR_declare, TY(VOID), a->make.loc,
                      make_value(&a->make, type, outside), NULL);

  s->variable = v;
  put(&a->make, s);
  return v;
}

static void set_result(Access *in, IrVariable *v, IrStmt *value)
{
  IrStmt *s =
      ir_stmt(in->make.module, IR_set, TY(VOID), in->make.loc, value, NULL);

  s->variable = v;
  put(&in->make, s);
}

static IrStmt *get_result(Access *a, IrVariable *v)
{
  IrStmt *s = ir_stmt(a->make.module, IR_get, v->type, a->make.loc, NULL);

  s->variable = v;
  return put(&a->make, s);
}

/* ---- each access, its indices inside ---- */

static IrStmt *put_load(Access *a)
{
  IrStmt *cell = put_walk(a, a->snode, IR_MODE_READ), *load;

  load =
      ir_stmt(a->make.module, IR_load, a->field->type, a->make.loc, cell, NULL);
  load->field = a->field;
  return put(&a->make, load);
}

static IrStmt *last_operand(const IrStmt *s)
{
  return s->operands[s->operand_count - 1];
}

static void put_store(Access *a)
{
  IrStmt *cell = put_walk(a, a->snode, IR_MODE_ACTIVATE), *store;

  store = ir_stmt(a->make.module, IR_store, TY(VOID), a->make.loc, cell,
                  last_operand(a->origin), NULL);
  store->field = a->field;
  store->may_be_null = takes_memory(a->snode);
  put(&a->make, store);
}

static IrStmt *put_atomic(Access *a)
{
  IrStmt *cell = put_walk(a, a->snode, IR_MODE_ACTIVATE), *s;
  IrStmt *task = task_of(a->origin);

  s = ir_stmt(a->make.module, IR_cell_atomic, a->field->type, a->make.loc, cell, NULL);
  for (int k = a->field->axis_count; k < a->origin->operand_count; k++)
    ir_add_operand(a->make.module, s, a->origin->operands[k]);
  s->field = a->field;
  s->update = a->origin->update;
  s->reduction = a->origin->reduction;
  s->may_be_null = takes_memory(a->snode);
  s->plain = task && !is_parallel(task);
  return put(&a->make, s);
}

static IrStmt *put_is_active(Access *a)
{
  IrSNode *sparse = sparse_above(a->snode);
  IrStmt *parent = put_walk(a, sparse->parent, IR_MODE_PEEK), *cell, *null;

  cell = put_cell(a, sparse, parent, IR_MODE_PEEK);
  null = put(&a->make, ir_stmt(a->make.module, IR_is_null, TY(BOOL),
                               a->make.loc, cell, NULL));
  return put(&a->make, ir_stmt(a->make.module, IR_logic_not, TY(BOOL),
                               a->make.loc, null, NULL));
}

static void put_activate(Access *a)
{
  IrSNode *sparse = sparse_above(a->snode);

  if (sparse)
    put_walk(a, sparse, IR_MODE_ACTIVATE);
}

static void put_release(Access *a)
{
  IrStmt *s = make(a, IR_release_cell, TY(VOID));

  add(a, s, put_walk(a, a->snode->parent, IR_MODE_PEEK));
  put_at_position(a, s, a->snode);
}

/* ---- each operation on a dynamic container: a->snode is what holds it ---- */

static IrStmt *put_on_list(Access *a, IrOp op, const Type *type, IrMode mode)
{
  IrStmt *s = make(a, op, type);

  s->snode = a->origin->snode;
  add(a, s, put_walk(a, a->snode, mode));
  return put(&a->make, s);
}

static IrStmt *put_append(Access *a)
{
  return put_on_list(a, IR_append_cell, TY(I64), IR_MODE_ACTIVATE);
}

static IrStmt *put_length(Access *a)
{
  return put_on_list(a, IR_cell_length, TY(I64), IR_MODE_PEEK);
}

static void put_empty(Access *a)
{
  put_on_list(a, IR_release_cell, TY(VOID), IR_MODE_PEEK);
}

/* ---- the bounds mode around it ---- */

typedef IrStmt *PutValue(Access *);
typedef void PutEffect(Access *);

static IrStmt *with_bounds_value(Access *a, PutValue *access, Value outside)
{
  IrVariable *v;
  Access in;

  if (!is_tested(a)) {
    put_check(a);
    take_coordinates(a);
    return access(a);
  }
  v = begin_result(a, "element", a->origin->type, outside);
  in = begin_inside(a);
  set_result(&in, v, access(&in));
  return get_result(a, v);
}

static void with_bounds(Access *a, PutEffect *access)
{
  Access in;

  if (!is_tested(a)) {
    put_check(a);
    take_coordinates(a);
    access(a);
    return;
  }
  in = begin_inside(a);
  access(&in);
}

/* False outside the extents, in every bounds mode. */
static IrStmt *answer_is_active(Access *a)
{
  IrVariable *v;
  Access in;

  if (!sparse_above(a->snode))
    return put_inside(a);
  if (!a->has_bounds) {
    take_coordinates(a);
    return put_is_active(a);
  }
  v = begin_result(a, "active", TY(BOOL), (Value){ .i = 0 });
  in = begin_inside(a);
  set_result(&in, v, put_is_active(&in));
  return get_result(a, v);
}

/* Outside it fails, in every bounds mode: --bounds=zero says so by an append to no
 * cell. */
static IrStmt *answer_append(Access *a)
{
  IrVariable *v;
  IrStmt *fails;
  Access in;

  if (!is_tested(a))
    return with_bounds_value(a, put_append, (Value){ .i = 0 });
  v = begin_result(a, "position", TY(I64), (Value){ .i = 0 });
  in = begin_inside(a);
  set_result(&in, v, put_append(&in));
  in.make.block = in.make.block->owner->blocks[1];
  fails = make(&in, IR_append_cell, TY(I64));
  fails->snode = a->origin->snode;
  put(&in.make, fails);
  return get_result(a, v);
}

/* ---- arrays: the statement itself, behind its check ---- */

static IrStmt *put_element(Access *a)
{
  const IrStmt *from = a->origin;
  const IrStmt *task = task_of(from);
  IrStmt *s = ir_stmt(a->make.module, from->op, from->type, from->loc, NULL);

  s->variable = from->variable;
  s->update = from->update;
  s->plain = from->op == IR_array_atomic && task && !is_parallel(task);
  for (int k = 0; k < from->operand_count; k++)
    add(a, s, k < a->index_count ? a->index[k] : from->operands[k]);
  return put(&a->make, s);
}

static void put_element_write(Access *a)
{
  put_element(a);
}

static IrStmt *lower_array(Access *a)
{
  a->index_count = a->origin->variable->extent_count;
  a->has_bounds = a->index_count > 0;
  for (int k = 0; k < a->index_count; k++)
    a->index[k] = make_coordinate(a, a->origin->operands[k]);
  if (a->origin->op != IR_array_write)
    return with_bounds_value(a, put_element, (Value){ .i = 0 });
  with_bounds(a, put_element_write);
  return NULL;
}

/* ---- the whole ---- */

typedef struct Lower {
  IrModule *module;
  IrFunction *function;
  IrStmt **by;                /* by id: what a replaced value became */
} Lower;

static Access access_of(Lower *l, IrStmt *s, IrBlock *to)
{
  Access a = { .make = make_at_end(l->module, to, s), .function = l->function,
               .origin = s, .field = s->field, .slot = s->slot };

  a.snode = s->field ? s->field->snode : s->snode;
  return a;
}

/* Of what is done to a whole container the indices are those of the cell that
 * holds it. */
static void take_container(Access *a)
{
  a->snode = a->snode->parent;
  take_indices(a, a->origin->operand_count);
}

static void lower_one(IrStmt *s, IrBlock *to, void *user)
{
  Lower *l = user;
  Access a = access_of(l, s, to);
  IrStmt *value = NULL;

  replace_operands(s, l->by);
  switch (s->op) {
  case IR_read:
    take_indices(&a, s->operand_count);
    value = with_bounds_value(&a, put_load, s->field->default_value);
    break;
  case IR_write:
    take_indices(&a, s->operand_count - 1);
    with_bounds(&a, put_store);
    break;
  case IR_atomic:
    take_indices(&a, s->field->axis_count);
    value = with_bounds_value(&a, put_atomic, s->field->default_value);
    break;
  case IR_is_active:
    take_indices(&a, s->operand_count);
    value = answer_is_active(&a);
    break;
  case IR_activate:
    take_indices(&a, s->operand_count);
    with_bounds(&a, put_activate);
    break;
  case IR_deactivate:
    if (kind_is(s->snode->kind, KIND_LIST)) {
      take_container(&a);
      with_bounds(&a, put_empty);
      break;
    }
    take_indices(&a, s->operand_count);
    with_bounds(&a, put_release);
    break;
  case IR_append:
    take_container(&a);
    value = answer_append(&a);
    break;
  case IR_length:
    take_container(&a);
    value = with_bounds_value(&a, put_length, (Value){ .i = 0 });
    break;
  case IR_array_read: case IR_array_write: case IR_array_atomic:
    value = lower_array(&a);
    break;
  default:
    ir_append(l->module, to, s);
    return;
  }
  if (value != s)
    l->by[s->id] = value;
}

static void lower_accesses(IrModule *m, IrFunction *f)
{
  Lower l = { .module = m, .function = f };

  l.by = NEW_ARRAY(m->arena, IrStmt *, give_ids(f) + 1);
  rewrite_block(f->body, lower_one, &l);
}

void pass_lower_access(IrModule *m)
{
  for_each_function(m, lower_accesses);
}
