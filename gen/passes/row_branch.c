/* An `if` in a row: of a condition that differs along the row it becomes a mask for what it holds,
 * in an `if` that asks whether any lane runs, unless it costs less to run it anyway.
 */
#include "gen/passes/rows.h"

#include "gen/model/builtins.h"

enum { MOST_ANYWAY = 16 };             /* what costs less than a question and a jump */

/* The block of an if in which the lanes of the mask run. */
static void rows_branch(Rows *r, const IrBlock *from, IrStmt *branch, int which, IrStmt *mask)
{
  IrBlock *outer = r->here;
  IrStmt *outer_mask = r->mask;

  branch->blocks[which] = ir_block(r->module, branch);
  r->here = branch->blocks[which];
  r->mask = mask;
  if (from)
    rows_block(r, from);
  r->here = outer;
  r->mask = outer_mask;
}

static bool is_empty(const IrBlock *b)
{
  return !b || b->count == 0;
}

/* A walk that ends beside the row's own cell, or in a leaf that is known before. */
static bool is_harmless_cell(const Rows *r, const IrStmt *s)
{
  return ir_is_in_place(s->snode) && s->mode != IR_MODE_ACTIVATE &&
         (s->operands[1]->op == IR_own_position ||
          (s->operands[1]->op == IR_linear && !rows_may_be_outside(r, s)));
}

/* What a statement of a row costs, if it may run where no lane wants it and then changes nothing;
 * MOST_ANYWAY and more: it may not. */
static int cost_anyway(const Rows *r, const IrStmt *s)
{
  switch (s->op) {
  case IR_const: case IR_get: case IR_set: case IR_declare: case IR_spread: case IR_select:
  case IR_add: case IR_sub: case IR_mul: case IR_neg: case IR_bit_and: case IR_bit_or:
  case IR_bit_xor: case IR_bit_not: case IR_logic_not: case IR_cmp_eq: case IR_cmp_ne:
  case IR_cmp_lt: case IR_cmp_le: case IR_cmp_gt: case IR_cmp_ge: case IR_any_lane:
  case IR_own_cell: case IR_own_position: case IR_active_cells: case IR_row_digit: case IR_linear:
  case IR_row_load:                    /* of cells that are known before, or beside those */
    return 1;
  case IR_builtin:
    return s->builtin == BUILTIN_min || s->builtin == BUILTIN_max || s->builtin == BUILTIN_sqr
             ? type_is_float(s->type) ? 2 : 1 : MOST_ANYWAY + 1;
  case IR_cell:
    return is_harmless_cell(r, s) ? 1 : MOST_ANYWAY + 1;
  default:
    return MOST_ANYWAY + 1;
  }
}

static bool is_cheap(const Rows *r, const IrBlock *block)
{
  int cost = 0;

  for (int k = 0; k < block->count && cost <= MOST_ANYWAY; k++)
    cost += cost_anyway(r, block->stmts[k]);
  return cost <= MOST_ANYWAY;
}

/* Runs of a cheap block cost less than the question whether a lane wants it. */
static void run_anyway(Rows *r, IrStmt *branch)
{
  const IrBlock *block = branch->blocks[0];

  ir_remove(branch);
  for (int k = 0; k < block->count; k++)
    ir_append(r->module, r->here, block->stmts[k]);
}

/* The lanes of the mask run the block. */
static void run_lanes(Rows *r, const IrBlock *from, IrStmt *mask)
{
  IrStmt *outer = r->mask;

  r->mask = mask;
  rows_block(r, from);
  r->mask = outer;
}

void rows_branch_of_lanes(Rows *r, const IrBlock *from, IrStmt *mask)
{
  IrStmt *branch;

  if (is_empty(from))
    return;
  branch = rows_put(r, ir_stmt(r->module, IR_if, TY(VOID), mask->loc, rows_any(r, mask), NULL));
  rows_branch(r, from, branch, 0, mask);
  rows_branch(r, NULL, branch, 1, mask);
  if (!r->why && branch->parent == r->here && is_cheap(r, branch->blocks[0]))
    run_anyway(r, branch);
}

/* Of conditions all of which have to hold: those of the whole row, and those that differ along
 * it. */
typedef struct Parts {
  IrStmt *row, *lanes;          /* NULL: none */
  bool may_be_none;             /* no lane of the row may run, for all that is known */
} Parts;

static void take_parts(Rows *r, IrStmt *condition, Parts *p)
{
  IrStmt *value;

  if (condition->op == IR_bit_and) {
    take_parts(r, condition->operands[0], p);
    take_parts(r, condition->operands[1], p);
    return;
  }
  value = rows_value(r, condition);
  if (map_get(&r->satisfied, condition))
    return;
  if (value && value->lanes > 0) {
    p->may_be_none = p->may_be_none || p->lanes || !span_has_each(r->task, condition, r->lanes);
    p->lanes = rows_mask_and(r, p->lanes, value);
  } else if (value) {
    p->row = p->row ? rows_binary(r, IR_bit_and, TY(BOOL), p->row, value) : value;
  }
}

/* A block behind conditions some of which differ along the row. */
static void run_parts(Rows *r, const IrStmt *s)
{
  IrBlock *here = r->here;
  IrStmt *branch, *mask;
  Parts p = { 0 };

  take_parts(r, s->operands[0], &p);
  if (r->why)
    return;
  if (p.row) {
    branch = rows_put(r, ir_stmt(r->module, IR_if, TY(VOID), s->loc, p.row, NULL));
    branch->blocks[0] = ir_block(r->module, branch);
    branch->blocks[1] = ir_block(r->module, branch);
    r->here = branch->blocks[0];
  }
  mask = rows_mask_and(r, r->mask, p.lanes);
  if (p.may_be_none || r->mask)
    rows_branch_of_lanes(r, s->blocks[0], mask);
  else
    run_lanes(r, s->blocks[0], mask);
  r->here = here;
}

void rows_if(Rows *r, const IrStmt *s)
{
  IrStmt *condition, *branch;

  if (rows_read_bordered(r, s))
    return;
  condition = rows_value(r, s->operands[0]);
  if (!condition)
    return;
  if (s == whole_body(r->task) && rows_leave_leaf(r, s->operands[0], condition->lanes > 0)) {
    rows_block(r, s->blocks[0]);
    return;
  }
  if (is_const(condition)) {
    const IrBlock *taken = s->blocks[condition->value.i ? 0 : 1];
    if (!is_empty(taken))
      rows_block(r, taken);
    return;
  }
  if (condition->lanes > 0 && is_empty(s->blocks[1])) {
    run_parts(r, s);
    return;
  }
  if (condition->lanes > 0) {
    IrStmt *then = rows_mask_and(r, r->mask, condition);
    rows_branch_of_lanes(r, s->blocks[0], then);
    if (!r->why)
      rows_branch_of_lanes(r, s->blocks[1], rows_mask_and(r, r->mask, rows_not(r, condition)));
    return;
  }
  branch = rows_put(r, ir_stmt(r->module, IR_if, TY(VOID), s->loc, condition, NULL));
  rows_branch(r, s->blocks[0], branch, 0, r->mask);
  rows_branch(r, s->blocks[1], branch, 1, r->mask);
}
