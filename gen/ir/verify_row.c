/* What a statement of the row form must be: loops over rows, and lanes that fit together. */
#include "gen/ir/verify.h"

/* Whether the operands from `first` on have as many lanes as s, or none. */
static bool fit_lanes(const IrStmt *s, int first, int lanes)
{
  for (int k = first; k < s->operand_count; k++)
    if (s->operands[k]->lanes != 0 && s->operands[k]->lanes != lanes)
      return false;
  return true;
}

static const char *check_row_load(const IrStmt *s)
{
  if (s->lanes == 0 || s->operand_count < 1 || !verify_all_of_type(s, TY(CELL)) ||
      s->type != s->field->type)
    return "it takes cells, and gives lanes of its field's type";
  for (int k = 0; k < s->lanes; k++)
    if (s->from[k].operand >= s->operand_count)
      return "a lane is of no cell that it takes";
  return NULL;
}

static const char *check_active_cells(const IrStmt *s)
{
  if (s->operand_count < 2 || s->operand_count % 2 != 0 ||
      (s->lanes == 0 && s->operand_count > 2) || !kind_is(s->snode->kind, KIND_MASKED))
    return "it takes cells and positions in their bitmasked containers";
  for (int k = 0; k < s->operand_count; k++)
    if (verify_operand_type(s, k) != (k % 2 == 0 ? TY(CELL) : TY(I64)))
      return "it takes a cell and a position, two by two";
  for (int k = 0; k < s->lanes; k++)
    if (s->from[k].operand >= s->operand_count / 2)
      return "a lane is of no container that it takes";
  return NULL;
}

static const char *check_pick(const IrStmt *s)
{
  if (s->lanes == 0 || s->operand_count < 1 || s->operand_count > 2 ||
      !verify_all_of_type(s, s->type))
    return "it gives lanes of one value, or of two of its type";
  for (int k = 0; k < s->lanes; k++)
    if (s->from[k].operand >= s->operand_count ||
        s->from[k].cell >= s->operands[s->from[k].operand]->lanes)
      return "it takes a lane that there is not";
  return s->operand_count == 1 || s->operands[0]->lanes == s->operands[1]->lanes
             ? NULL : "its operands have other lanes";
}

static const char *check_row_store(const IrStmt *s)
{
  if (s->operand_count < 2 || s->operand_count > 3 || verify_operand_type(s, 0) != TY(CELL) ||
      verify_operand_type(s, 1) != s->field->type || s->operands[1]->lanes == 0)
    return "it takes a cell and lanes of its field's type";
  return s->operand_count == 2 || (verify_operand_type(s, 2) == TY(BOOL) &&
                                   s->operands[2]->lanes == s->operands[1]->lanes)
             ? NULL : "which lanes are stored is a bool for each";
}

static const char *check_each_run(const IrStmt *s)
{
  if (s->lanes == 0)
    return "it has no lanes";
  if (s->operand_count < 1 || s->operands[0]->op != IR_each_part)
    return "it belongs to an each_part";
  for (int k = 1; k < s->operand_count; k++)
    if (verify_operand_type(s, k) != TY(I64) || s->operands[k]->lanes > 0)
      return "its ends are no i64";
  return s->operand_count == 1 || s->operand_count == 5 ? NULL : "it has no ends, or four";
}

const char *verify_rows(const IrStmt *s)
{
  switch (s->op) {
  case IR_first_index:
    return s->operands[0]->op != IR_each_row && verify_struct_for(s)
               ? NULL : "it belongs to a struct_for, an each_part or an each_run";
  case IR_each_run:
    return check_each_run(s);
  case IR_each_row: case IR_each_part:
    if ((s->lanes == 0) == (s->op == IR_each_row))
      return "an each_row has lanes, an each_part none";
    return s->operands[0]->op == IR_offloaded && verify_struct_for(s)
               ? NULL : "it belongs to a struct_for";
  case IR_row_digit:
    return s->operands[0]->op == IR_each_row ? NULL : "it belongs to an each_row";
  case IR_row_active:
    return ir_is_by_rows(s->operands[0]) && s->lanes > 0 ? NULL : "it belongs to an each_row";
  case IR_active_cells:
    return check_active_cells(s);
  case IR_row_load:
    return check_row_load(s);
  case IR_row_store:
    return check_row_store(s);
  case IR_spread: case IR_count_lanes:
    return s->lanes > 0 && s->operands[0]->lanes == 0 ? NULL : "it makes lanes of one value";
  case IR_pick_lanes:
    return check_pick(s);
  case IR_any_lane: case IR_combine_lanes:
    if (s->op == IR_any_lane && verify_operand_type(s, 0) != TY(BOOL))
      return "it takes a bool";
    return s->lanes == 0 && s->operands[0]->lanes > 0 ? NULL : "it makes one value of lanes";
  case IR_leave_row: case IR_leave_leaf:
    return verify_operand_type(s, 0) == TY(BOOL) && s->operands[0]->lanes == 0
               ? NULL : "its condition is no bool";
  case IR_declare: case IR_set: case IR_get:
    return s->variable->lanes == (s->op == IR_get ? s->lanes : s->operands[0]->lanes)
               ? NULL : "the variable has other lanes";
  case IR_loop_index:
    return s->lanes == 0 ? NULL : "it has no lanes";
  case IR_own_cell: case IR_own_position: case IR_lane: case IR_near_load: case IR_near_add:
  case IR_in_lanes: case IR_by_lane:
    return NULL;
  default:
    return fit_lanes(s, 0, s->lanes) ? NULL : "its operands have other lanes";
  }
}
