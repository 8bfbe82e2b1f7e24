/* What a step of a walk must be: checks, digits, cells, and what is done to the cell at its end. */
#include "gen/ir/verify.h"

static const char *check_bounds(const IrStmt *s)
{
  int count = s->field ? s->field->axis_count
            : s->snode ? s->snode->path_axis_count : s->variable->extent_count;

  return s->operand_count == count && verify_integers(s, 0, count)
           ? NULL : "it has not the indices";
}

/* Whether it says where there is a cell. */
static bool is_conditional_cell(const IrStmt *s)
{
  return s->op == IR_cell && kind_is(s->snode->kind, KIND_SLOTS) && s->mode != IR_MODE_PEEK &&
         s->operand_count == 3 && verify_operand_type(s, 2) == TY(BOOL);
}

/* Whether it says what a walk that reads has found there. */
static bool is_found_cell(const IrStmt *s)
{
  return s->op == IR_cell && kind_is(s->snode->kind, KIND_LIST) && s->mode == IR_MODE_ACTIVATE &&
         s->operand_count == 3 && s->operands[2]->op == IR_cell &&
         s->operands[2]->snode == s->snode && s->operands[2]->slot == s->slot &&
         s->operands[2]->mode == IR_MODE_READ;
}

/* A cell, then its position, or its key in a hash, or nothing where a dynamic container
 * is meant. */
static const char *check_cell(const IrStmt *s)
{
  const IrSNode *n = s->snode;
  int digits = s->op == IR_release_cell && kind_is(n->kind, KIND_LIST) ? 0
             : kind_is(n->kind, KIND_KEYS) ? n->axis_count : 1;

  if (!n->parent || !(s->operand_count == 1 + digits || is_conditional_cell(s) ||
                      is_found_cell(s)) ||
      verify_operand_type(s, 0) != TY(CELL))
    return "it takes a cell and a position";
  for (int k = 1; k <= digits; k++)
    if (verify_operand_type(s, k) != TY(I64))
      return "it takes a cell and a position";
  return NULL;
}

static const char *check_list(const IrStmt *s)
{
  bool takes_cell = s->operand_count == 1 && verify_operand_type(s, 0) == TY(CELL);
  bool fails = s->op == IR_append_cell && s->operand_count == 0;

  return kind_is(s->snode->kind, KIND_LIST) && (takes_cell || fails) && s->type == TY(I64)
           ? NULL : "it takes the cell that a dynamic container is in";
}

const char *verify_walk(const IrStmt *s)
{
  switch (s->op) {
  case IR_check_bounds: case IR_inside:
    return check_bounds(s);
  case IR_digit:
    return verify_integers(s, 0, 1) && s->type == verify_operand_type(s, 0) &&
           verify_has_own_axis(s->snode, s->index) && s->value.i >= 1
             ? NULL : "it takes a coordinate of an own axis";
  case IR_linear:
    return s->operand_count == s->snode->axis_count && verify_integers(s, 0, s->operand_count) &&
           !kind_is(s->snode->kind, KIND_KEYS) && s->type == TY(I64)
             ? NULL : "it takes a digit for each axis";
  case IR_own_cell:
    return verify_struct_for(s) && s->snode->parent &&
           (verify_struct_for(s)->snode == s->snode ||
            verify_struct_for(s)->snode->parent == s->snode)
             ? NULL : "it belongs to a struct_for over its SNode";
  case IR_appended:
    return s->operands[0]->op == IR_append_cell && s->operands[0]->snode == s->snode
             ? NULL : "it belongs to an append to its SNode";
  case IR_own_position:
    return verify_struct_for(s) && s->type == TY(I64) ? NULL : "it belongs to a struct_for";
  case IR_cell: case IR_release_cell:
    return check_cell(s);
  case IR_append_cell: case IR_cell_length:
    return check_list(s);
  case IR_is_null:
    return verify_operand_type(s, 0) == TY(CELL) ? NULL : "it takes a cell";
  case IR_load: case IR_store: case IR_cell_atomic:
    if (s->operand_count < 1 || verify_operand_type(s, 0) != TY(CELL))
      return "it takes a cell";
    if (s->op == IR_cell_atomic && s->operand_count != 1 + verify_stored_values(s))
      return "the update takes another number of values";
    if (!verify_all_from(s, 1, s->field->type))
      return "the value has another type than the field";
    return s->op == IR_store || s->type == s->field->type ? NULL : "the field has another type";
  default:
    return NULL;
  }
}
