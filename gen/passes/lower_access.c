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
#include "gen/passes/walk.h"

/* The deepest SNode on the path whose cells can be inactive: its activity is that
 * of snode. */
static IrSNode *sparse_above(IrSNode *snode)
{
  while (snode && !ir_is_sparse(snode))
    snode = snode->parent;
  return snode;
}

/* ---- behind a test: --bounds=zero, is_active ---- */

static Walk begin_inside(Walk *w)
{
  Walk in = *w;
  IrStmt *branch = ir_stmt(w->make.module, IR_if, TY(VOID), w->make.loc,
                           walk_put_inside(w), NULL);

  put(&w->make, branch);
  branch->blocks[0] = ir_block(w->make.module, branch);
  branch->blocks[1] = ir_block(w->make.module, branch);
  in.make = make_at_end(w->make.module, branch->blocks[0], w->origin);
  walk_take_coordinates(&in);
  return in;
}

/* A local that holds `outside` unless the access within sets it. */
static IrVariable *begin_result(Walk *w, const char *name, const Type *type,
                                Value outside)
{
  IrVariable *v =
      make_hidden(w->make.module, w->function, IR_VAR_LOCAL, name, type);
  IrStmt *s = ir_stmt(w->make.module, IR_declare, TY(VOID), w->make.loc,
                      make_value(&w->make, type, outside), NULL);

  s->variable = v;
  put(&w->make, s);
  return v;
}

static void set_result(Walk *in, IrVariable *v, IrStmt *value)
{
  IrStmt *s =
      ir_stmt(in->make.module, IR_set, TY(VOID), in->make.loc, value, NULL);

  s->variable = v;
  put(&in->make, s);
}

static IrStmt *get_result(Walk *w, IrVariable *v)
{
  IrStmt *s = ir_stmt(w->make.module, IR_get, v->type, w->make.loc, NULL);

  s->variable = v;
  return put(&w->make, s);
}

/* ---- each access, its indices inside ---- */

static IrStmt *put_load(Walk *w)
{
  IrStmt *cell = walk_put(w, w->snode, IR_MODE_READ), *load;

  load =
      ir_stmt(w->make.module, IR_load, w->field->type, w->make.loc, cell, NULL);
  load->field = w->field;
  return put(&w->make, load);
}

static IrStmt *last_operand(const IrStmt *s)
{
  return s->operands[s->operand_count - 1];
}

/* Null where a cell on the way is inactive. */
static IrStmt *put_where_active(Walk *w, IrSNode *snode)
{
  if (!snode->parent)
    return walk_put(w, snode, IR_MODE_PEEK);
  return walk_put_cell(w, snode, put_where_active(w, snode->parent), IR_MODE_PEEK);
}

/* The cell that is changed; null too where memory is out. */
static IrStmt *put_changed_cell(Walk *w, IrStmt *change)
{
  bool if_active = w->origin->if_active && sparse_above(w->snode);

  change->may_be_null = if_active || takes_memory(w->snode);
  return if_active ? put_where_active(w, w->snode) : walk_put(w, w->snode, IR_MODE_ACTIVATE);
}

static void put_store(Walk *w)
{
  IrStmt *store = ir_stmt(w->make.module, IR_store, TY(VOID), w->make.loc, NULL);

  ir_add_operand(w->make.module, store, put_changed_cell(w, store));
  ir_add_operand(w->make.module, store, last_operand(w->origin));
  store->field = w->field;
  put(&w->make, store);
}

static IrStmt *put_atomic(Walk *w)
{
  IrStmt *s = ir_stmt(w->make.module, IR_cell_atomic, w->field->type, w->make.loc, NULL);
  const IrStmt *task = task_of(w->origin);

  ir_add_operand(w->make.module, s, put_changed_cell(w, s));
  for (int k = w->field->axis_count; k < w->origin->operand_count; k++)
    ir_add_operand(w->make.module, s, w->origin->operands[k]);
  s->field = w->field;
  s->update = w->origin->update;
  s->reduction = w->origin->reduction;
  s->plain = task && !is_parallel(task);
  return put(&w->make, s);
}

static IrStmt *put_is_active(Walk *w)
{
  IrSNode *sparse = sparse_above(w->snode);
  IrStmt *parent = walk_put(w, sparse->parent, IR_MODE_PEEK), *cell, *null;

  cell = walk_put_cell(w, sparse, parent, IR_MODE_PEEK);
  null = put(&w->make, ir_stmt(w->make.module, IR_is_null, TY(BOOL),
                               w->make.loc, cell, NULL));
  return put(&w->make, ir_stmt(w->make.module, IR_logic_not, TY(BOOL),
                               w->make.loc, null, NULL));
}

static void put_activate(Walk *w)
{
  IrSNode *sparse = sparse_above(w->snode);

  if (sparse)
    walk_put(w, sparse, IR_MODE_ACTIVATE);
}

static void put_release(Walk *w)
{
  IrStmt *s = walk_stmt(w, IR_release_cell, TY(VOID));

  ir_add_operand(w->make.module, s, walk_put(w, w->snode->parent, IR_MODE_PEEK));
  walk_put_at_position(w, s, w->snode);
}

/* ---- each operation on a dynamic container: w->snode is what holds it ---- */

static IrStmt *put_on_list(Walk *w, IrOp op, const Type *type, IrMode mode)
{
  IrStmt *s = walk_stmt(w, op, type);

  s->snode = w->origin->snode;
  ir_add_operand(w->make.module, s, walk_put(w, w->snode, mode));
  return put(&w->make, s);
}

static IrStmt *put_append(Walk *w)
{
  return put_on_list(w, IR_append_cell, TY(I64), IR_MODE_ACTIVATE);
}

static IrStmt *put_length(Walk *w)
{
  return put_on_list(w, IR_cell_length, TY(I64), IR_MODE_PEEK);
}

static void put_empty(Walk *w)
{
  put_on_list(w, IR_release_cell, TY(VOID), IR_MODE_PEEK);
}

/* ---- the bounds mode around it ---- */

typedef IrStmt *PutValue(Walk *);
typedef void PutEffect(Walk *);

static IrStmt *with_bounds_value(Walk *w, PutValue *access, Value outside)
{
  IrVariable *v;
  Walk in;

  if (!walk_is_tested(w)) {
    walk_put_check(w);
    walk_take_coordinates(w);
    return access(w);
  }
  v = begin_result(w, "element", w->origin->type, outside);
  in = begin_inside(w);
  set_result(&in, v, access(&in));
  return get_result(w, v);
}

static void with_bounds(Walk *w, PutEffect *access)
{
  Walk in;

  if (!walk_is_tested(w)) {
    walk_put_check(w);
    walk_take_coordinates(w);
    access(w);
    return;
  }
  in = begin_inside(w);
  access(&in);
}

/* False outside the extents, in every bounds mode. */
static IrStmt *answer_is_active(Walk *w)
{
  IrVariable *v;
  Walk in;

  if (!sparse_above(w->snode))
    return walk_put_inside(w);
  if (!w->has_bounds) {
    walk_take_coordinates(w);
    return put_is_active(w);
  }
  v = begin_result(w, "active", TY(BOOL), (Value){ .i = 0 });
  in = begin_inside(w);
  set_result(&in, v, put_is_active(&in));
  return get_result(w, v);
}

/* Outside it fails, in every bounds mode: --bounds=zero says so by an append to no
 * cell. */
static IrStmt *answer_append(Walk *w)
{
  IrVariable *v;
  IrStmt *fails;
  Walk in;

  if (!walk_is_tested(w))
    return with_bounds_value(w, put_append, (Value){ .i = 0 });
  v = begin_result(w, "position", TY(I64), (Value){ .i = 0 });
  in = begin_inside(w);
  set_result(&in, v, put_append(&in));
  in.make.block = in.make.block->owner->blocks[1];
  fails = walk_stmt(&in, IR_append_cell, TY(I64));
  fails->snode = w->origin->snode;
  put(&in.make, fails);
  return get_result(w, v);
}

/* ---- arrays: the statement itself, behind its check ---- */

static IrStmt *put_element(Walk *w)
{
  const IrStmt *from = w->origin;
  const IrStmt *task = task_of(from);
  IrStmt *s = ir_stmt(w->make.module, from->op, from->type, from->loc, NULL);

  s->variable = from->variable;
  s->update = from->update;
  s->plain = from->op == IR_array_atomic && task && !is_parallel(task);
  for (int k = 0; k < from->operand_count; k++)
    ir_add_operand(w->make.module, s, k < w->index_count ? w->index[k] : from->operands[k]);
  return put(&w->make, s);
}

static void put_element_write(Walk *w)
{
  put_element(w);
}

static IrStmt *lower_array(Walk *w)
{
  w->index_count = w->origin->variable->extent_count;
  w->has_bounds = w->index_count > 0;
  for (int k = 0; k < w->index_count; k++)
    w->index[k] = walk_coordinate(w, w->origin->operands[k]);
  if (w->origin->op != IR_array_write)
    return with_bounds_value(w, put_element, (Value){ .i = 0 });
  with_bounds(w, put_element_write);
  return NULL;
}

/* ---- the whole ---- */

typedef struct Lower {
  IrModule *module;
  IrFunction *function;
  IrStmt **by;                /* by id: what a replaced value became */
} Lower;

static Walk access_of(Lower *l, IrStmt *s, IrBlock *to)
{
  Walk w = { .make = make_at_end(l->module, to, s), .function = l->function,
               .origin = s, .field = s->field, .slot = s->slot };

  w.snode = s->field ? s->field->snode : s->snode;
  return w;
}

/* Of what is done to a whole container the indices are those of the cell that
 * holds it. */
static void take_container(Walk *w)
{
  w->snode = w->snode->parent;
  walk_take_indices(w, w->origin->operand_count);
}

static void lower_one(IrStmt *s, IrBlock *to, void *user)
{
  Lower *l = user;
  Walk w = access_of(l, s, to);
  IrStmt *value = NULL;

  replace_operands(s, l->by);
  switch (s->op) {
  case IR_read:
    walk_take_indices(&w, s->operand_count);
    value = with_bounds_value(&w, put_load, s->field->default_value);
    break;
  case IR_write:
    walk_take_indices(&w, s->operand_count - 1);
    with_bounds(&w, put_store);
    break;
  case IR_atomic:
    walk_take_indices(&w, s->field->axis_count);
    value = with_bounds_value(&w, put_atomic, s->field->default_value);
    break;
  case IR_is_active:
    walk_take_indices(&w, s->operand_count);
    value = answer_is_active(&w);
    break;
  case IR_activate:
    walk_take_indices(&w, s->operand_count);
    with_bounds(&w, put_activate);
    break;
  case IR_deactivate:
    if (kind_is(s->snode->kind, KIND_LIST)) {
      take_container(&w);
      with_bounds(&w, put_empty);
      break;
    }
    walk_take_indices(&w, s->operand_count);
    with_bounds(&w, put_release);
    break;
  case IR_append:
    take_container(&w);
    value = answer_append(&w);
    break;
  case IR_length:
    take_container(&w);
    value = with_bounds_value(&w, put_length, (Value){ .i = 0 });
    break;
  case IR_array_read: case IR_array_write: case IR_array_atomic:
    value = lower_array(&w);
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
