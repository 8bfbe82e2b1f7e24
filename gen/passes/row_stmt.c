/* The statements of a row: what each statement of the loop's body becomes.
 *
 * A value is made of values that have been met; locals and sums have lanes; an `if` whose condition
 * differs along the row becomes a mask.  What has no row form ends the making of the whole loop's
 * (rows_fail).
 */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"
#include "gen/model/evaluate.h"

/* ---- values ---- */

/* One value beside lanes: C takes a number as it is beside an operator. */
static bool may_stay_single(const IrStmt *s, const IrStmt *operand)
{
  return is_const(operand) && type_is_float(operand->type) && s->op >= IR_add &&
         s->op <= IR_cmp_ge;
}

/* Lanes of i32, widened to be compared with one wide value that no index comes near: they are
 * compared as they are, with the value as it is within the range of i32. */
static void compare_narrow(Rows *r, const IrStmt *s, IrStmt *copy)
{
  for (int k = 0; k < 2; k++) {
    const IrStmt *lanes = copy->operands[k], *index = s->operands[k];
    IrStmt *limit = copy->operands[1 - k];
    IrRange x;
    if (lanes->op != IR_cast || lanes->lanes == 0 || lanes->operands[0]->type != TY(I32) ||
        limit->lanes > 0 || limit->type != TY(I64) || !ir_range(index, &x) || x.lo <= INT32_MIN ||
        x.hi >= INT32_MAX)
      continue;
    copy->operands[k] = lanes->operands[0];
    copy->operands[1 - k] = rows_within_i32(r, limit);
    return;
  }
}

static IrStmt *row_of_pure(Rows *r, const IrStmt *s)
{
  IrStmt *copy = NEW(r->module->arena, IrStmt);

  *copy = *s;
  copy->id = copy->site = -1;
  copy->operands = NULL;
  copy->operand_count = 0;
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *operand = rows_value(r, s->operands[k]);
    if (!operand)
      return NULL;
    ir_add_operand(r->module, copy, operand);
    if (operand->lanes > 0)
      copy->lanes = operand->lanes;
  }
  if (copy->lanes > 0 && !ir_is(s, IR_IN_LANES))
    return rows_fail(r, s, "it has no form for the cells of a row");
  if (copy->lanes > 0 && s->op >= IR_cmp_eq && s->op <= IR_cmp_ge)
    compare_narrow(r, s, copy);
  for (int k = 0; copy->lanes > 0 && k < copy->operand_count; k++)
    if (!may_stay_single(copy, copy->operands[k]))
      copy->operands[k] = rows_spread(r, copy->operands[k]);
  return rows_put(r, copy);
}

static IrStmt *row_of_index(Rows *r, const IrStmt *s)
{
  IrStmt *copy;

  if (s->operands[0] != r->task)
    return rows_fail(r, s, "it counts the turns of a loop");
  if (span_digits(r->task, s->index) == 1)
    return rows_index_at(r, s->index, 0);
  if (s->index == r->row_index)
    return rows_count(r, rows_index_at(r, s->index, r->first));
  copy = ir_stmt(r->module, IR_loop_index, s->type, s->loc, r->each, NULL);
  copy->index = s->index;
  return rows_put(r, copy);
}

/* ---- stores and sums ---- */

static void store_row(Rows *r, const IrStmt *s, IrStmt *cell, IrStmt *value)
{
  IrStmt *store = ir_stmt(r->module, IR_row_store, TY(VOID), s->loc, cell, rows_spread(r, value),
                          r->mask, NULL);

  store->field = s->field;
  store->relaxed = s->relaxed;
  rows_put(r, store);
  r->has_effect = true;
}

static void row_of_store(Rows *r, IrStmt *s)
{
  IrStmt *cell = rows_own_cell(r, s->operands[0]);
  IrStmt *value = cell ? rows_value(r, s->operands[1]) : NULL;

  if (!cell)
    rows_change_other(r, s);
  else if (value)
    store_row(r, s, cell, value);
}

static RowLocal *sum_of(Rows *r, IrStmt *update)
{
  const Type *type = update->variable->type;
  RowLocal *sum = rows_local(r, update->variable);
  IrStmt *neutral, *declare;

  if (sum)
    return sum;
  sum = rows_new_local(r, update->variable, r->lanes);
  neutral = rows_new(r, IR_const, type, update->loc);
  neutral->value = evaluate_neutral((Op)reduction_kind(update->update), type);
  neutral = rows_spread(r, rows_put(r, neutral));
  declare = ir_stmt(r->module, IR_declare, TY(VOID), update->loc, neutral, NULL);
  declare->variable = sum->variable;
  ir_append(r->module, r->leaf, declare);
  vec_push(r->module->arena, r->sums, r->sum_count, update);
  return sum;
}

/* An update of the own cell that no other iteration meets: the old values, which it gives, are
 * loaded. */
static void row_of_atomic(Rows *r, IrStmt *s)
{
  IrStmt *cell = rows_own_cell(r, s->operands[0]), *old, *value;

  if (!cell) {
    rows_change_other(r, s);
    return;
  }
  if (!s->plain) {
    rows_fail(r, s, "other iterations may meet what it updates");
    return;
  }
  if (!rows_is_combining(s->update, s->type) &&
      !(s->update == OP_EXCHANGE && rows_has_lanes(s->type))) {
    rows_fail(r, s, "it updates by what has no lanes");
    return;
  }
  value = cell ? rows_value(r, s->operands[1]) : NULL;
  if (!value)
    return;
  old = rows_load_own(r, s, cell);
  map_put(&r->values, s, old);
  store_row(r, s, cell, s->update == OP_EXCHANGE ? value : rows_combined(r, s->update, old,
                                                                         rows_spread(r, value)));
}

static void row_of_update(Rows *r, IrStmt *s)
{
  const Type *type = s->variable->type;
  IrStmt *value = rows_value(r, s->operands[s->operand_count - 1]), *old;
  RowLocal *sum;

  if (!value || !s->reduction || !rows_has_lanes(type)) {
    rows_fail(r, s, "it is no sum");
    return;
  }
  value = rows_spread(r, value);
  sum = sum_of(r, s);
  old = rows_get_local(r, sum, s->loc);
  value = rows_combined(r, s->update, old, value);
  rows_set_local(r, sum, r->mask ? rows_choose(r, r->mask, value, old) : value);
  sum->last = NULL;                    /* the next row adds to it */
  r->has_effect = true;
}

/* Behind the rows: the lanes go where the cells' values would have gone. */
void rows_put_sums(Rows *r)
{
  r->here = r->leaf;
  for (int k = 0; k < r->sum_count; k++) {
    const IrStmt *update = r->sums[k];
    const RowLocal *sum = rows_local(r, update->variable);
    const Op op = update->update == OP_SUB ? OP_ADD : update->update;
    IrStmt *lanes = rows_new(r, IR_get, update->variable->type, update->loc), *all, *s;
    lanes->variable = sum->variable;
    lanes->lanes = r->lanes;
    all = ir_stmt(r->module, IR_combine_lanes, lanes->type, update->loc, rows_put(r, lanes), NULL);
    all->update = op;
    ir_append(r->module, r->leaf, all);
    s = ir_stmt(r->module, IR_update, update->type, update->loc, all, NULL);
    s->variable = update->variable;
    s->update = op;
    s->reduction = true;
    ir_append(r->module, r->leaf, s);
  }
}

/* ---- calls ---- */

/* Of which nothing returns but the last statement. */
static IrStmt *row_of_straight(Rows *r, const IrBlock *body)
{
  for (int k = 0; k + 1 < body->count; k++) {
    IrBlock part = { &body->stmts[k], 1, NULL };
    rows_block(r, &part);
  }
  return r->why ? NULL : rows_value(r, body->stmts[body->count - 1]->operands[0]);
}

static bool returns_early(const IrBlock *body)
{
  for (int k = 0; k < body->count; k++)
    if (rows_has_jump(body->stmts[k]))
      return true;
  return false;
}

/* Of which each way ends with a return. */
static IrStmt *row_of_branching(Rows *r, const IrStmt *call)
{
  RowLocal *outer = r->result, *result = rows_new_result(r, call);

  r->result = result;
  rows_block(r, call->function->body);
  r->result = outer;
  return r->why ? NULL : rows_get_local(r, result, call->loc);
}

static void row_of_return(Rows *r, const IrStmt *s)
{
  IrStmt *value = r->result && s->operand_count == 1 ? rows_value(r, s->operands[0]) : NULL;

  if (value)
    rows_assign(r, r->result, value, s->loc);
  else
    rows_fail(r, s, "it is done cell by cell");
}

/* A function in the place of its call. */
static IrStmt *row_of_call(Rows *r, const IrStmt *s)
{
  const IrBlock *body = s->function->body;

  if (s->function->slot_count > 0 || !rows_ends_in_jump(body))
    return rows_fail(r, s, "it calls a function that trees are handed to, or that gives no value");
  for (int k = 0; k < s->operand_count; k++) {
    IrStmt *argument = rows_value(r, s->operands[k]);
    if (!argument)
      return NULL;
    map_put(&r->values, s->function->params[k], argument);
  }
  return returns_early(body) ? row_of_branching(r, s) : row_of_straight(r, body);
}

static IrStmt *row_of_param(Rows *r, const IrStmt *s)
{
  IrStmt *argument = map_get(&r->values, s->variable);

  return argument ? argument : row_of_pure(r, s);
}

/* ---- statements ---- */

static bool is_step_of_walk(const Rows *r, const IrStmt *s)
{
  return s->op == IR_root || s->op == IR_own_cell || s->op == IR_own_position ||
         s->op == IR_linear || (s->op == IR_cell && s->mode != IR_MODE_ACTIVATE) ||
         (s->op == IR_cell && ir_is_in_place(s->snode) && kind_is(s->snode->kind, KIND_DENSE)) ||
         (s->op == IR_cell && s->mode == IR_MODE_ACTIVATE && map_get(&r->used, s));
}

static IrStmt *row_of_not(Rows *r, const IrStmt *s)
{
  IrStmt *value = rows_value(r, s->operands[0]);

  return value ? rows_not(r, value) : NULL;
}

static IrStmt *row_of_value(Rows *r, IrStmt *s)
{
  switch (s->op) {
  case IR_loop_index: return row_of_index(r, s);
  case IR_param:      return row_of_param(r, s);
  case IR_get:        return rows_get(r, s);
  case IR_load:       return rows_load(r, s);
  case IR_staged:     return rows_value(r, s->operands[0]);
  case IR_staged_at:
    return rows_fail(r, s, "it is read where [[cache]] has a block and the halo that it is told");
  case IR_inside:     return rows_inside(r, s);
  case IR_call:       return row_of_call(r, s);
  case IR_is_null:    return rows_is_null(r, s);
  case IR_logic_not:  return row_of_not(r, s);
  case IR_svd: case IR_polar: case IR_sym_eig: case IR_part:
    return rows_fail(r, s, "it is worked out cell by cell");
  default:
    return is_pure(s) ? row_of_pure(r, s) : rows_fail(r, s, "it is done cell by cell");
  }
}

static void row_of_effect(Rows *r, IrStmt *s)
{
  switch (s->op) {
  case IR_block: case IR_end_block:
    break;
  case IR_cache:
    if (s->index == IR_CACHED_ADDED)
      rows_fail(r, s, "it adds to other cells");
    break;
  case IR_check_bounds: rows_check(r, s); break;
  case IR_declare:      rows_declare(r, s); break;
  case IR_set:          rows_set(r, s); break;
  case IR_store:        row_of_store(r, s); break;
  case IR_update:       row_of_update(r, s); break;
  case IR_cell_atomic:  row_of_atomic(r, s); break;
  case IR_if:           rows_if(r, s); break;
  case IR_return:       row_of_return(r, s); break;
  case IR_for_range: case IR_while:
    rows_fail(r, s, "it is a loop that is not written out");
    break;
  default:
    rows_fail(r, s, "it is done cell by cell");
  }
}

/* What only a walk is made of gets its row form with the load at its end. */
static void row_of_stmt(Rows *r, IrStmt *s)
{
  IrStmt *made;

  if (is_step_of_walk(r, s) || !map_get(&r->needed, s))
    return;
  if (s->type == TY(VOID) || s->op == IR_update || s->op == IR_cell_atomic || s->op == IR_block ||
      s->op == IR_end_block) {
    row_of_effect(r, s);
    return;
  }
  if (!rows_has_lanes(s->type)) {
    rows_fail(r, s, ir_activates(s) ? "it activates cells" : "its type has no lanes");
    return;
  }
  made = row_of_value(r, s);
  if (made)
    map_put(&r->values, s, made);
}

void rows_block(Rows *r, const IrBlock *from)
{
  for (int k = 0; k < from->count && !r->why; k++) {
    if (rows_has_jump(from->stmts[k])) {
      rows_jump(r, from->stmts[k], from, k + 1);
      return;
    }
    row_of_stmt(r, from->stmts[k]);
  }
}
