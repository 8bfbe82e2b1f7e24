/* What a body knows of its values and variables: how often they are used, and what they are called;
 * and how texts are put together, each bound as tightly as its place asks for.
 */
#include "gen/emit/body.h"

ValueInfo *value_info(Body *b, const IrStmt *s)
{
  ValueInfo *info = map_get(&b->values, s);

  if (!info) {
    info = NEW(b->emit->arena, ValueInfo);
    map_put(&b->values, s, info);
  }
  return info;
}

const char *variable_text(Body *b, const IrVariable *v)
{
  const char *text = map_get(&b->variables, v);

  if (text)
    return text;
  if (v->kind == IR_VAR_KERNEL)
    ICE("the kernel-level variable '%s' has no place", v->name);
  text = names_take(&b->names, v->shown ? v->shown : v->name);
  map_put(&b->variables, v, (void *)text);
  return text;
}

const char *suggest_name(Arena *arena, const IrStmt *s)
{
  switch (s->op) {
  case IR_load: case IR_row_load:
    return s->field->name;
  case IR_cell:      return s->snode->name;
  case IR_get: case IR_array_read:
    return s->variable->name;
  case IR_call:      return s->function->name;
  case IR_svd: case IR_polar: case IR_sym_eig:
    return ir_op_info[s->op].name;
  case IR_update: case IR_cell_atomic: case IR_array_atomic:
    return "old";
  case IR_digit:
    return format(arena, "%s_%s", axis_name[s->index], s->snode->name);
  case IR_linear:    return "l";
  case IR_in_lanes:  return suggest_name(arena, s->operands[0]);
  case IR_by_lane: {
    const IrStmt *of = s->operands[0];
    if (s->operand_count > 1 || of->op != IR_get)
      return "each";
    return format(arena, "each_%s", of->variable->shown ? of->variable->shown : of->variable->name);
  }
  case IR_append_cell:
    return "position";
  case IR_cell_length:
    return "length";
  case IR_is_null: case IR_logic_not: case IR_cmp_eq: case IR_cmp_ne: case IR_cmp_lt:
  case IR_cmp_le: case IR_cmp_gt: case IR_cmp_ge: case IR_inside:
    return "is";
  default:           return "t";
  }
}

const char *within(Body *b, CText t, int bound)
{
  return t.bound >= bound ? t.text : format(b->emit->arena, "(%s)", t.text);
}

CText primary(const char *text)
{
  return (CText){ text, BOUND_PRIMARY };
}
