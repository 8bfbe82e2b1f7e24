/* Values with lanes as C: vectors of GNU C and the macros of snode/device/rows.h.
 *
 * Operators stand as on scalars.  A bool is a mask, an integer for each lane, 0 or -1, as wide as
 * what most masks of the loop are made of and choose among: what is as wide needs no conversion.
 */
#include "gen/emit/body.h"

#include "gen/model/builtins.h"

#include <string.h>

/* f32x8: as the macros take it. */
static const char *vector_name(Body *b, const Type *t, int lanes)
{
  return format(b->emit->arena, "%sx%d", t->kind == TYPE_BOOL ? b->mask : t->name, lanes);
}

/* As many bits as each value has that a mask is made from, or chooses; 0: s does neither. */
static int masked_bits(const IrStmt *s)
{
  const Type *t = s->op >= IR_cmp_eq && s->op <= IR_cmp_ge ? s->operands[0]->type
                : s->op == IR_select ? s->type
                : s->op == IR_row_store && s->operand_count == 3 ? s->field->type : NULL;

  return !t || t->kind == TYPE_BOOL || (s->lanes == 0 && s->op != IR_row_store) ? 0 : t->bits;
}

const char *mask_type(const IrStmt *task)
{
  static const char *const name[] = { "i32", "i8", "i16", "i64" };
  static const int width[] = { 32, 8, 16, 64 };
  int count[4] = { 0 }, most = 0;

  if (!task || task->op != IR_offloaded || !task->blocks[1])
    return name[0];
  for (IrStmt *s = ir_first(task->blocks[1]); s; s = ir_next(s, task->blocks[1]))
    for (int k = 0; k < 4; k++)
      count[k] += masked_bits(s) == width[k];
  for (int k = 1; k < 4; k++)
    if (count[k] > count[most])
      most = k;
  return name[most];
}

const char *value_type(Body *b, const Type *t, int lanes)
{
  return lanes > 0 ? format(b->emit->arena, "snd_%s", vector_name(b, t, lanes)) : c_type(t);
}

static const char *own_vector(Body *b, const IrStmt *s)
{
  return vector_name(b, s->type, s->lanes);
}

static bool is_mask(const IrStmt *s)
{
  return s->type->kind == TYPE_BOOL;
}

/* ---- arithmetic ---- */

static const char *side(Body *b, const IrStmt *s)
{
  return within(b, value_text(b, s), BOUND_PRIMARY);
}

/* Between two operands, in brackets: what stands around it need not be looked at. */
static CText join_lanes(Body *b, const IrStmt *s, const char *sign)
{
  const IrStmt *l = s->operands[0], *r = s->operands[1];
  const bool is_sum = strcmp(sign, "+") == 0 || strcmp(sign, "-") == 0;
  const bool is_product = strcmp(sign, "*") == 0;
  const int bound = is_sum ? BOUND_ADD : is_product ? BOUND_MUL : BOUND_UNARY;
  const char *text = format(b->emit->arena, "%s %s %s", within(b, value_text(b, l), bound), sign,
                            within(b, value_text(b, r), bound + (is_sum || is_product)));

  return (CText){ text, is_sum || is_product ? bound : BOUND_BITS };
}

/* Signed integers wrap: as unsigned ones do in C. */
static CText wrapping(Body *b, const IrStmt *s, const char *sign)
{
  const char *u = format(b->emit->arena, "snd_u%dx%d", s->type->bits, s->lanes);

  if (s->operand_count == 1)
    return primary(format(b->emit->arena, "(snd_%s)(%s(%s)%s)", own_vector(b, s), sign, u,
                          side(b, s->operands[0])));
  return primary(format(b->emit->arena, "(snd_%s)((%s)%s %s (%s)%s)", own_vector(b, s), u,
                        side(b, s->operands[0]), sign, u, side(b, s->operands[1])));
}

static CText each_lane(Body *b, const IrStmt *s, const char *function)
{
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s, %s", list, loose(b, s->operands[k]));
  return primary(format(b->emit->arena, "SND_ROW_EACH%d(%s, %d, %s%s)", s->operand_count,
                        own_vector(b, s), s->lanes, function, list));
}

static CText scalar_function(Body *b, const IrStmt *s)
{
  return each_lane(b, s, format(b->emit->arena, "snd_%s_%s", operator_name[ir_operator[s->op]],
                                suffix(s->type)));
}

static bool is_safe_divisor(const IrStmt *s)
{
  const IrStmt *c = constant_of(s);

  return c && c->value.i != 0 && !(c->type->is_signed && c->value.i == -1);
}

/* A macro does it. */
static bool is_to_i32(const IrStmt *s)
{
  return type_is_float(s->operands[0]->type) && s->type == TY(I32);
}

/* Whether C has no operator for it: each lane goes through the function of a single value. */
static bool is_by_function(const IrStmt *s)
{
  switch (s->op) {
  case IR_div: case IR_mod:
    return type_is_float(s->type) ? s->op == IR_mod : !is_safe_divisor(s->operands[1]);
  case IR_shl: case IR_shr:
    return !shifts_by_number(s);
  case IR_cast:
    return type_is_float(s->operands[0]->type) && type_is_integer(s->type) && !is_to_i32(s);
  case IR_builtin: case IR_table:
    return true;
  default:
    return false;
  }
}

static CText shift_text(Body *b, const IrStmt *s)
{
  const int count = (int)constant_of(s->operands[1])->value.i;
  Arena *arena = b->emit->arena;

  if (s->op == IR_shr)
    return primary(format(arena, "(%s >> %d)", side(b, s->operands[0]), count));
  return primary(format(arena, "(snd_%s)((snd_u%dx%d)%s << %d)", own_vector(b, s), s->type->bits,
                        s->lanes, side(b, s->operands[0]), count));
}

/* By a power of two, of what is not negative. */
static CText plain_division(Body *b, const IrStmt *s)
{
  const int64_t by = constant_of(s->operands[1])->value.i;
  const char *of = side(b, s->operands[0]);

  return primary(s->op == IR_mod ? format(b->emit->arena, "(%s & %lld)", of, (long long)by - 1)
                                 : format(b->emit->arena, "(%s >> %d)", of, log2_of(by)));
}

static CText arithmetic_text(Body *b, const IrStmt *s)
{
  const bool wraps = type_is_integer(s->type) && s->type->is_signed && !s->plain;
  const char *sign = operator_sign[ir_operator[s->op]];

  if (s->plain && (s->op == IR_div || s->op == IR_mod))
    return plain_division(b, s);
  if (is_by_function(s))
    return scalar_function(b, s);
  switch (s->op) {
  case IR_add: case IR_sub: case IR_mul:
    return wraps ? wrapping(b, s, sign) : join_lanes(b, s, sign);
  case IR_neg:
    return wraps ? wrapping(b, s, sign)
                 : primary(format(b->emit->arena, "(-%s)", side(b, s->operands[0])));
  case IR_shl: case IR_shr:
    return shift_text(b, s);
  case IR_bit_not:
    return primary(format(b->emit->arena, "(~%s)", side(b, s->operands[0])));
  default:
    return join_lanes(b, s, sign);
  }
}

/* ---- masks ---- */

CText compared_text(Body *b, const char *type, int lanes, const char *list)
{
  return primary(format(b->emit->arena, "SND_ROW_MASK(%s, %s, %d, %s)", b->mask, type, lanes,
                        list));
}

static CText mask_text(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;
  const char *a = side(b, s->operands[0]), *sign = operator_sign[ir_operator[s->op]];

  if (s->op == IR_logic_not)
    return primary(format(arena, "(~%s)", a));
  if (is_mask(s->operands[0]) && (s->op == IR_cmp_eq || s->op == IR_cmp_ne))
    return primary(format(arena, s->op == IR_cmp_eq ? "(~(%s ^ %s))" : "(%s ^ %s)", a,
                          side(b, s->operands[1])));
  if (s->op == IR_bit_and || s->op == IR_bit_or || s->op == IR_bit_xor)
    return primary(format(arena, "(%s %s %s)", a, sign, side(b, s->operands[1])));
  return compared_text(b, suffix(s->operands[0]->type), s->lanes,
                       format(arena, "%s, %s, %s", loose(b, s->operands[0]), sign,
                              loose(b, s->operands[1])));
}

static CText select_text(Body *b, const IrStmt *s)
{
  const char *mask = side(b, s->operands[0]);
  Arena *arena = b->emit->arena;

  if (is_mask(s))
    return primary(format(arena, "((%s & %s) | (~%s & %s))", mask, side(b, s->operands[1]), mask,
                          side(b, s->operands[2])));
  return primary(format(arena, "SND_ROW_SELECT(%s, %d, %s, %s, %s)", s->type->name, s->lanes, mask,
                        loose(b, s->operands[1]), loose(b, s->operands[2])));
}

static CText spread_text(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;
  const IrStmt *value = s->operands[0];
  const char *text = loose(b, value);

  if (is_mask(s))
    return primary(format(arena, "SND_ROW_MASK_SPREAD(%s, %s)", own_vector(b, s), text));
  if (s->type->bits < 32 || value->op == IR_const)
    text = format(arena, "(%s)%s", c_type(s->type), within(b, value_text(b, value), BOUND_UNARY));
  return primary(format(arena, "SND_ROW_SPREAD(%s, %s)", own_vector(b, s), text));
}

/* ---- conversions ---- */

static CText cast_text(Body *b, const IrStmt *s)
{
  const IrStmt *of = s->operands[0];
  Arena *arena = b->emit->arena;

  if (of->type == s->type)
    return value_text(b, of);
  if (is_mask(s))
    return compared_text(b, suffix(of->type), s->lanes, format(arena, "%s, !=, 0", loose(b, of)));
  if (is_mask(of))
    return primary(format(arena, "SND_ROW_CONVERT(%s, -%s)", own_vector(b, s), side(b, of)));
  if (is_by_function(s))
    return each_lane(b, s, format(arena, "snd_cast_%s_%s", s->type->name, of->type->name));
  if (is_to_i32(s))
    return primary(format(arena, "SND_ROW_TO_I32(%s, %d, %s)", of->type->name, s->lanes,
                          loose(b, of)));
  return primary(format(arena, "SND_ROW_CONVERT(%s, %s)", own_vector(b, s), loose(b, of)));
}

/* ---- lanes of single values, and of other lanes ---- */

static CText gathered_text(Body *b, const IrStmt *s)
{
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s%s%s", list, k ? ", " : "", loose(b, s->operands[k]));
  return primary(format(b->emit->arena, "((snd_%s){ %s })", own_vector(b, s), list));
}

static CText pick_text(Body *b, const IrStmt *s)
{
  const Row of = { is_mask(s) ? b->mask : s->type->name, s->operands[0]->lanes };
  const char *first = loose(b, s->operands[0]);
  int lane[IR_MOST_LANES];

  for (int k = 0; k < s->lanes; k++)
    lane[k] = s->from[k].operand * of.lanes + s->from[k].cell;
  return primary(joined_rows(b, of, first, s->operand_count == 2 ? loose(b, s->operands[1]) : first,
                             lane, s->lanes));
}

CText lane_text(Body *b, const IrStmt *s)
{
  return primary(format(b->emit->arena, "%s[%d]", side(b, s->operands[0]), s->index));
}

/* ---- one value of lanes ---- */

CText any_lane_text(Body *b, const IrStmt *s)
{
  return (CText){ format(b->emit->arena, "SND_ROW_ANY_%d(%s, %s)", s->operands[0]->lanes, b->mask,
                         loose(b, s->operands[0])), BOUND_PRIMARY };
}

CText combined_text(Body *b, const IrStmt *s)
{
  const bool is_plain = type_is_float(s->type) && (s->update == OP_ADD || s->update == OP_MUL);
  const char *type = is_mask(s) ? "i32" : s->type->name;
  Arena *arena = b->emit->arena;
  const char *text = format(arena, "SND_ROW_COMBINE(%s, %d, snd_%s%s_%s, %s)",
                            is_mask(s) ? "int32_t" : c_type(s->type), s->operands[0]->lanes,
                            is_plain ? "row_" : "", operator_name[s->update], type,
                            loose(b, s->operands[0]));

  if (is_mask(s))
    return (CText){ format(arena, "%s != 0", text), BOUND_EQUAL };
  return primary(text);
}

/* ---- all values ---- */

bool row_repeats(const IrStmt *s, int operand)
{
  switch (s->op) {
  case IR_row_load:
    return row_load_repeats(s);
  case IR_row_store:
    return operand == 2 || (operand == 0 && (s->operand_count == 3 || !is_row_packed(s)));
  case IR_any_lane: case IR_combine_lanes: case IR_lane:
    return true;
  case IR_pick_lanes:
    return s->operand_count == 1;
  case IR_select:
    return s->lanes > 0 && operand == 0;
  case IR_cast:
    return s->lanes > 0 && (is_by_function(s) || is_to_i32(s));
  default:
    return s->lanes > 0 && is_by_function(s);
  }
}

/* The macro that does a built-in with operators on vectors; NULL: there is none. */
static const char *macro_of(const IrStmt *s)
{
  const bool is_float = type_is_float(s->type);

  switch (s->builtin) {
  case BUILTIN_min:  return is_float ? "FMIN" : "MIN";
  case BUILTIN_max:  return is_float ? "FMAX" : "MAX";
  case BUILTIN_abs:  return is_float ? "FABS" : NULL;
  case BUILTIN_sqrt: return "SQRT";
  default:           return NULL;
  }
}

static CText builtin_text(Body *b, const IrStmt *s)
{
  const char *macro = macro_of(s), *list = "";
  Arena *arena = b->emit->arena;

  if (s->builtin == BUILTIN_sqr && type_is_float(s->type))
    return (CText){ format(arena, "%s * %s", side(b, s->operands[0]), side(b, s->operands[0])),
                    BOUND_MUL };
  if (!macro)
    return each_lane(b, s, builtin_function(b, s));
  for (int k = 0; k < s->operand_count; k++)
    list = format(arena, "%s, %s", list, loose(b, s->operands[k]));
  return primary(format(arena, "SND_ROW_%s(%s, %d%s)", macro, s->type->name, s->lanes, list));
}

CText lanes_text(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;

  switch (s->op) {
  case IR_get:        return primary(variable_text(b, s->variable));
  case IR_spread:     return spread_text(b, s);
  case IR_row_load:   return row_load_text(b, s);
  case IR_near_load:  return near_load_text(b, s);
  case IR_in_lanes:   return in_lanes_text(b, s);
  case IR_gather_lanes:
    return gathered_text(b, s);
  case IR_select:     return select_text(b, s);
  case IR_cast:       return cast_text(b, s);
  case IR_pick_lanes: return pick_text(b, s);
  case IR_count_lanes:
    return primary(format(arena, "SND_ROW_COUNT(%s, %d, %s)", s->type->name, s->lanes,
                          loose(b, s->operands[0])));
  case IR_row_active:
    return primary(format(arena, "SND_ROW_MASK_OF_BITS(%s, %d, %s)", b->mask, s->lanes,
                          b->active));
  case IR_active_cells: return active_cells_text(b, s);
  case IR_bitcast:
    return primary(format(arena, "((snd_%s)%s)", own_vector(b, s), side(b, s->operands[0])));
  case IR_builtin:
    return builtin_text(b, s);
  case IR_table:
    return each_lane(b, s, table_name(b->emit, s->table));
  default:
    return is_mask(s) ? mask_text(b, s) : arithmetic_text(b, s);
  }
}
