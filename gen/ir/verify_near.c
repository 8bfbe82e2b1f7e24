/* What a statement of the near form must be: windows, and what goes to them; and what stages
 * fields. */
#include "gen/ir/verify.h"
#include "gen/ir/window.h"

/* Whether it stands in the near form itself, in no loop or branch of it. */
static bool stands_in_near_form(const IrStmt *s)
{
  const IrStmt *task = s->parent->owner;

  return task && task->op == IR_offloaded &&
         (s->parent == task->blocks[2] || s->parent == task->blocks[3]);
}

/* In that of the teams of a device a window holds what a [[cache]] says that a team stages. */
static bool is_staged_by_team(const IrStmt *s)
{
  const IrBlock *body = s->parent->owner->blocks[0];
  const IrWindow w = ir_window(s);
  int found = 0;

  for (int k = 0; k < body->count; k++)
    for (int f = 0; f < w.field_count; f++)
      found += body->stmts[k]->op == IR_cache && body->stmts[k]->function &&
               body->stmts[k]->slot == s->slot && body->stmts[k]->field == w.field[f];
  return found == w.field_count;
}

static const IrStmt *around(const IrStmt *s)
{
  return s->parent->owner;
}

static bool stands_in_gang(const IrStmt *s)
{
  return around(s) && around(s)->op == IR_gang;
}

static bool stands_in_each_lane(const IrStmt *s)
{
  return around(s) && around(s)->op == IR_each_lane;
}

static const char *check_window(const IrStmt *s)
{
  const int axes = s->snode->path_axis_count;
  int64_t block[MAX_AXES];

  if (!ir_window_blocks(s->snode, block))
    return "its SNode's cells are in no blocks";
  if (!ir_window_has_fields(s))
    return "it holds no fields of its SNode, of one type, in their order";
  if ((s->index & IR_WINDOW_LEAVES_INACTIVE) && !(s->index & IR_WINDOW_ADDED))
    return "it leaves inactive cells alone, but is read";
  if ((s->index & IR_WINDOW_IN_BLOCK) &&
      (!(s->index & IR_WINDOW_ADDED) || (s->index & IR_WINDOW_LEAVES_INACTIVE)))
    return "it asks for one block, but which parts its box touches does not matter";
  if (!stands_in_near_form(s) && !stands_in_each_lane(s))
    return "it stands in a loop's near form, or in an each_lane";
  if (s->operand_count != 2 * axes || !verify_integers(s, 0, 2 * axes))
    return "it takes a coordinate and an extent for each axis";
  for (int k = 0; k < axes; k++) {
    const IrStmt *extent = s->operands[axes + k];
    if (extent->op != IR_const || extent->value.i < 1 || extent->value.i - 1 > block[k])
      return "a box's extent is no const, or reaches beyond the next block";
  }
  if (s->parent == s->parent->owner->blocks[3] && !is_staged_by_team(s))
    return "it holds a field that no team stages";
  return NULL;
}

/* Lanes are those of all elements of the cell. */
static bool fits_cell(const IrStmt *s, int lanes)
{
  IrWindow w;

  if (lanes == 0 || (s->op == IR_near_load && stands_in_gang(s)))
    return true;
  if (!ir_window_has_fields(s->operands[0]))
    return false;
  w = ir_window(s->operands[0]);
  return w.lanes == lanes && lanes > 1 && w.field[0] == s->field;
}

static const char *check_access(const IrStmt *s)
{
  const IrStmt *window = s->operand_count > 0 ? s->operands[0] : NULL;
  const int values = s->op == IR_near_add;
  int axes;

  if (!window || window->op != IR_window || window->snode != s->field->snode ||
      ((window->index & IR_WINDOW_ADDED) != 0) != (s->op == IR_near_add))
    return "it goes to a window of its field's SNode, and does with it what all do";
  axes = window->snode->path_axis_count;
  if (s->operand_count != 1 + axes + values || !verify_integers(s, 1, axes))
    return "it takes a distance for each axis";
  if (!fits_cell(s, values ? s->operands[1 + axes]->lanes : s->lanes))
    return "its lanes are not those of the window's cells";
  if (s->op == IR_near_load)
    return s->type == s->field->type ? NULL : "the field has another type";
  if (s->update != OP_ADD && s->update != OP_SUB)
    return "it adds or subtracts";
  return verify_operand_type(s, 1 + axes) == s->field->type
             ? NULL : "the value has another type than the field";
}

static const char *check_gather(const IrStmt *s)
{
  if (s->lanes == 0 || s->operand_count > s->lanes || !verify_all_of_type(s, s->type))
    return "it takes a value for each lane";
  for (int k = 0; k < s->operand_count; k++)
    if (s->operands[k]->lanes > 0)
      return "it takes single values";
  return NULL;
}

static const char *check_found(const IrStmt *s)
{
  const IrStmt *read = s->operands[0];

  return (stands_in_near_form(s) || stands_in_each_lane(s)) && read->op == IR_cell &&
         read->mode == IR_MODE_READ && read->snode == s->snode &&
         kind_is(s->snode->kind, KIND_LIST)
           ? NULL : "it stands in a loop's near form, and takes a cell of its list that is read";
}

/* ---- gangs ---- */

static int gang_lanes(const IrStmt *s)
{
  return (int)around(s)->index;
}

static const char *check_gang(const IrStmt *s)
{
  if (!stands_in_near_form(s))
    return "it stands in a loop's near form";
  return s->index == 4 || s->index == 8 || s->index == IR_MOST_LANES
             ? NULL : "it has as many iterations as vectors have lanes";
}

static const char *check_in_lanes(const IrStmt *s)
{
  if (!stands_in_gang(s) || s->lanes != gang_lanes(s))
    return "it stands in a gang, and has its lanes";
  return s->operands[0]->lanes == 0 && (type_is_float(s->type) || type_is_integer(s->type))
             ? NULL : "it takes a number of an each_lane";
}

static const char *check_by_lane(const IrStmt *s)
{
  if (!stands_in_gang(s) || s->operand_count < 1 || !verify_all_of_type(s, s->type))
    return "it stands in a gang, and takes values in lanes";
  for (int k = 0; k < s->operand_count; k++)
    if (s->operands[k]->lanes != gang_lanes(s))
      return "it takes values that have a lane for each iteration";
  return s->operand_count == 1 ? (s->lanes == 0 ? NULL : "one value has no lanes")
         : s->lanes >= s->operand_count ? NULL : "it has a lane for each value";
}

static bool stands_in_ahead(const IrStmt *s)
{
  const IrStmt *outer = around(s);

  while (outer && outer->op == IR_if)
    outer = around(outer);
  return outer && outer->op == IR_ahead;
}

const char *verify_near(const IrStmt *s)
{
  switch (s->op) {
  case IR_ahead:
    return stands_in_near_form(s) && s->parent->stmts[0] == s ? NULL : "it begins a near form";
  case IR_prefetch:
    return stands_in_ahead(s) && s->operands[0]->op == IR_cell
               ? NULL : "it stands in an ahead, and takes a cell";
  case IR_window:       return check_window(s);
  case IR_near_load: case IR_near_add:
    return check_access(s);
  case IR_found_cell:   return check_found(s);
  case IR_gang:         return check_gang(s);
  case IR_each_lane:
    return stands_in_gang(s) ? NULL : "it stands in a gang";
  case IR_in_lanes:     return check_in_lanes(s);
  case IR_by_lane:      return check_by_lane(s);
  case IR_gather_lanes: return check_gather(s);
  case IR_lane:
    return s->lanes == 0 && s->operands[0]->lanes > s->index ? NULL : "there is no such lane";
  default:                            return NULL;
  }
}

/* ---- functions for one element of a staged field ---- */

/* It takes coordinates, and what is added. */
static const char *check_function(const IrFunction *caller, const IrStmt *s, int added)
{
  const IrFunction *f = s->function;

  if (f->slot_count != 1 || verify_slot_tree(caller, s->slots[0]) != f->slots[0].tree ||
      s->slots[0] != s->slot)
    return "its function takes another tree";
  if (f->param_count != s->field->snode->path_axis_count + added ||
      f->result != (added ? TY(VOID) : s->field->type))
    return "its function is none of an element of the field";
  return NULL;
}

static const char *check_coordinates(const IrStmt *s)
{
  const int axes = s->field->snode->path_axis_count;

  if (s->operand_count != 1 + axes)
    return "it has not the indices of the field";
  for (int k = 0; k < axes; k++)
    if (verify_operand_type(s, 1 + k) != s->function->params[k]->type)
      return "a coordinate has another type than its function takes";
  return NULL;
}

const char *verify_staged(const IrFunction *f, const IrStmt *s)
{
  const bool is_read = s->op == IR_staged_at && s->operand_count > 0 &&
                       s->operands[0]->op == IR_load && s->operands[0]->field == s->field;
  const char *why;

  if (s->op == IR_cache)
    return s->function ? check_function(f, s, s->index == IR_CACHED_ADDED) : NULL;
  if (!s->function)
    return "it has no function";
  why = check_function(f, s, !is_read);
  return why ? why : check_coordinates(s);
}
