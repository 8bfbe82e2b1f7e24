/* Values as C expressions, with no more brackets than C needs and its warnings
 * ask for.
 *
 * The text of a value has exactly the value's type, but for small constants
 * beside another operand.  Integer arithmetic that may overflow goes through
 * the device headers' wrapping functions; unsigned 32 and 64 bits wrap in C.
 */
#include "gen/emit/body.h"
#include "gen/ir/interval.h"

#include <string.h>

/* ---- putting texts together ---- */

/* What C does in int is cut back to 8 or 16 bits, those of an f16 among them. */
static CText narrow(Body *b, const Type *t, CText text)
{
  if (t->bits >= 32 || (!type_is_integer(t) && t->kind != TYPE_F16))
    return text;
  return (CText){ format(b->emit->arena, "(%s)%s", c_type(t), within(b, text, BOUND_UNARY)),
                  BOUND_UNARY };
}

static bool is_const(const IrStmt *s)
{
  return s->op == IR_const;
}

/* An operand beside another one that has its type for sure. */
static CText operand(Body *b, const IrStmt *s, const IrStmt *other)
{
  if (is_const(s) && !is_const(other)) {
    const char *text = constant_text(b->emit->arena, s->type, s->value, true);
    return (CText){ text, text[0] == '-' ? BOUND_UNARY : BOUND_PRIMARY };
  }
  return value_text(b, s);
}

/* How tightly each side of an operator must be bound.  Comparisons, shifts and
 * bitwise operators take anything but the plainest in brackets: compilers warn
 * of it otherwise, and so do readers. */
typedef struct Binding {
  int bound, left, right;
} Binding;

static const Binding bindings[OP_COUNT] = {
  [OP_ADD] = { BOUND_ADD, BOUND_ADD, BOUND_MUL },
  [OP_SUB] = { BOUND_ADD, BOUND_ADD, BOUND_MUL },
  [OP_MUL] = { BOUND_MUL, BOUND_MUL, BOUND_UNARY },
  [OP_DIV] = { BOUND_MUL, BOUND_MUL, BOUND_UNARY },
  [OP_MOD] = { BOUND_MUL, BOUND_MUL, BOUND_UNARY },
  [OP_SHL] = { BOUND_SHIFT, BOUND_UNARY, BOUND_UNARY },
  [OP_SHR] = { BOUND_SHIFT, BOUND_UNARY, BOUND_UNARY },
  [OP_AND] = { BOUND_BITS, BOUND_UNARY, BOUND_UNARY },
  [OP_OR]  = { BOUND_BITS, BOUND_UNARY, BOUND_UNARY },
  [OP_XOR] = { BOUND_BITS, BOUND_UNARY, BOUND_UNARY },
  [OP_EQ]  = { BOUND_EQUAL, BOUND_ADD, BOUND_ADD },
  [OP_NE]  = { BOUND_EQUAL, BOUND_ADD, BOUND_ADD },
  [OP_LT]  = { BOUND_LESS, BOUND_ADD, BOUND_ADD },
  [OP_LE]  = { BOUND_LESS, BOUND_ADD, BOUND_ADD },
  [OP_GT]  = { BOUND_LESS, BOUND_ADD, BOUND_ADD },
  [OP_GE]  = { BOUND_LESS, BOUND_ADD, BOUND_ADD },
  [OP_LOGICAL_AND] = { BOUND_AND, BOUND_EQUAL, BOUND_EQUAL },
  [OP_LOGICAL_OR]  = { BOUND_OR, BOUND_EQUAL, BOUND_EQUAL }
};

static CText join(Body *b, Op op, CText left, CText right)
{
  const Binding *o = &bindings[op];
  bool is_logical = op == OP_LOGICAL_AND || op == OP_LOGICAL_OR;
  int left_bound = left.bound == o->bound && is_logical ? o->bound : o->left;

  return (CText){ format(b->emit->arena, "%s %s %s", within(b, left, left_bound),
                         operator_sign[op], within(b, right, o->right)),
                  o->bound };
}

/* x + -1 is written x - 1. */
static bool is_negative(const IrStmt *s)
{
  return is_const(s) && type_is_integer(s->type) && s->type->is_signed && s->value.i < 0 &&
         s->value.i > INT32_MIN;
}

/* gcc warns of !a == true, which is an int in C11: the left side then stands in parentheses. */
static CText compared(CText left, const IrStmt *l, const IrStmt *r)
{
  if (l->type->kind == TYPE_BOOL && is_const(r) && left.bound == BOUND_UNARY)
    left.bound = BOUND_COMMA;
  return left;
}

static CText join_statement(Body *b, const IrStmt *s)
{
  const IrStmt *l = s->operands[0], *r = s->operands[1];
  Op op = ir_operator[s->op];
  CText left = operand(b, l, r);

  if ((op == OP_ADD || op == OP_SUB) && is_negative(r) && !is_const(l)) {
    const char *text = format(b->emit->arena, "%lld", -(long long)r->value.i);
    return join(b, op == OP_ADD ? OP_SUB : OP_ADD, left, primary(text));
  }
  if (op_compares(op))
    left = compared(left, l, r);
  return join(b, op, left, operand(b, r, l));
}

/* ---- arithmetic ---- */

/* Whether a divisor is a constant that C divides by as the language does. */
static bool is_safe_divisor(const IrStmt *s)
{
  return is_const(s) && s->value.i != 0 && !(s->type->is_signed && s->value.i == -1);
}

static bool is_plain_c(const IrStmt *s)
{
  const Type *t = s->type;

  if (type_is_float(t))
    return s->op != IR_mod;
  switch (s->op) {
  case IR_add: case IR_sub: case IR_mul: case IR_neg:
    return s->plain || (!t->is_signed && t->bits >= 32);
  case IR_div: case IR_mod:
    return is_safe_divisor(s->operands[1]);
  case IR_bit_and: case IR_bit_or: case IR_bit_xor:
    return true;
  case IR_bit_not:                     /* gcc warns of ~bool, and where (uint16_t)~x is compared */
    return (t->is_signed || t->bits >= 32) && !ir_widened_bool(s->operands[0]);
  case IR_shl: case IR_shr:
    return !t->is_signed && t->bits >= 32 && is_const(s->operands[1]) &&
           s->operands[1]->value.i >= 0 && s->operands[1]->value.i < t->bits;
  default:
    return false;
  }
}

/* A shift's count, as the int64_t that the functions take: its low bits count. */
static const char *count_text(Body *b, const IrStmt *count)
{
  if (count->type->kind == TYPE_U64 || (count->op == IR_neg && !count->type->is_signed))
    return format(b->emit->arena, "(int64_t)%s", within(b, value_text(b, count), BOUND_UNARY));
  return loose(b, count);
}

const char *right_text(Body *b, Op op, const IrStmt *value)
{
  return op_shifts(op) ? count_text(b, value) : loose(b, value);
}

/* By a power of two, of what is not negative. */
static CText plain_division(Body *b, const IrStmt *s)
{
  const int64_t by = s->operands[1]->value.i;
  const bool is_rest = s->op == IR_mod;
  const char *number = format(b->emit->arena, "%lld",
                              (long long)(is_rest ? by - 1 : (int64_t)log2_of(by)));

  return join(b, is_rest ? OP_AND : OP_SHR, value_text(b, s->operands[0]), primary(number));
}

static CText binary_text(Body *b, const IrStmt *s)
{
  Op op = ir_operator[s->op];

  if (s->type->kind == TYPE_BOOL) {
    Op logical = op == OP_AND ? OP_LOGICAL_AND : op == OP_OR ? OP_LOGICAL_OR : OP_NE;
    CText l = value_text(b, s->operands[0]), r = value_text(b, s->operands[1]);
    if (logical == OP_NE)
      l = compared(l, s->operands[0], s->operands[1]);
    return join(b, logical, l, r);
  }
  if (s->plain && (s->op == IR_div || s->op == IR_mod))
    return plain_division(b, s);
  if (is_plain_c(s)) {
    if (op_shifts(op)) {
      CText count = primary(format(b->emit->arena, "%d", (int)s->operands[1]->value.i));
      return join(b, op, value_text(b, s->operands[0]), count);
    }
    return narrow(b, s->type, join_statement(b, s));
  }
  return primary(format(b->emit->arena, "snd_%s_%s(%s, %s)", operator_name[op], suffix(s->type),
                        loose(b, s->operands[0]), right_text(b, op, s->operands[1])));
}

/* !is_null. */
static bool is_not_null(Body *b, const IrStmt *s)
{
  return s->op == IR_logic_not && s->operands[0]->op == IR_is_null &&
         value_info(b, s->operands[0])->state != VALUE_NAMED;
}

static CText not_null_text(Body *b, const IrStmt *cell_value)
{
  CellText cell = cell_text(b, cell_value);

  if (!cell.null_test)
    return primary("true");
  if (cell.tests_flag)
    return primary(cell.null_test);
  return (CText){ format(b->emit->arena, "%s != NULL", cell.null_test), BOUND_EQUAL };
}

static CText unary_text(Body *b, const IrStmt *s)
{
  Op op = ir_operator[s->op];
  int bound = s->op == IR_logic_not ? BOUND_UNARY : BOUND_PRIMARY;
  Arena *arena = b->emit->arena;
  CText a;

  if (is_not_null(b, s))
    return not_null_text(b, s->operands[0]->operands[0]);
  a = value_text(b, s->operands[0]);
  if (s->op != IR_logic_not && !is_plain_c(s))
    return primary(format(arena, "snd_%s_%s(%s)", operator_name[op], suffix(s->type), a.text));
  a.text = format(arena, "%s%s", operator_sign[op], within(b, a, bound));
  return narrow(b, s->type, (CText){ a.text, BOUND_UNARY });
}

static CText select_text(Body *b, const IrStmt *s)
{
  const char *text = format(b->emit->arena, "%s ? %s : %s",
                            within(b, value_text(b, s->operands[0]), BOUND_OR),
                            within(b, value_text(b, s->operands[1]), BOUND_OR),
                            within(b, value_text(b, s->operands[2]), BOUND_OR));

  return narrow(b, s->type, (CText){ text, BOUND_CHOICE });
}

/* An integer is an f32 first, which rounds none that an f16 can be. */
static CText half_text(Body *b, const Type *from, CText a)
{
  Arena *arena = b->emit->arena;

  if (type_is_float(from))
    return primary(format(arena, "snd_cast_f16_%s(%s)", from->name, a.text));
  return primary(format(arena, "snd_cast_f16_f32((float)%s)", within(b, a, BOUND_UNARY)));
}

static CText cast_text(Body *b, const IrStmt *s)
{
  const Type *to = s->type, *from = s->operands[0]->type;
  CText a = value_text(b, s->operands[0]);

  if (to == from)
    return a;
  if (from->kind == TYPE_F16) {
    a = primary(format(b->emit->arena, "snd_cast_f32_f16(%s)", a.text));
    from = TY(F32);
    if (to == from)
      return a;
  }
  if (to->kind == TYPE_F16)
    return half_text(b, from, a);
  if (to->kind == TYPE_BOOL)
    return (CText){ format(b->emit->arena, "%s != 0", within(b, a, BOUND_ADD)), BOUND_EQUAL };
  if (widens_narrow(s))                /* gcc warns of u32 + (uint32_t)i8 */
    return primary(format(b->emit->arena, "snd_cast_u32_i64(%s)", a.text));
  if (type_is_float(from) && type_is_integer(to))
    return primary(format(b->emit->arena, "snd_cast_%s_%s(%s)", to->name, from->name, a.text));
  return (CText){ format(b->emit->arena, "(%s)%s", c_type(to), within(b, a, BOUND_UNARY)),
                  BOUND_UNARY };
}

/* ---- calls ---- */

static const char *arguments(Body *b, const IrStmt *s)
{
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s%s%s", list, k ? ", " : "", loose(b, s->operands[k]));
  return list;
}

const char *builtin_function(Body *b, const IrStmt *s)
{
  enum { FLOAT, NUMBER, INTEGER, SELECT, BITCAST };
  static const struct {
    const char *name;
    int rule;
  } row[] = {
#define BUILTIN(name, arguments, rule) { #name, rule },
#include "gen/model/builtins.def"
#undef BUILTIN
  };
  static const char *const not_in_math_h[] = { "rsqrt", "mix" };
  const char *name = row[s->builtin].name;
  const Type *t = s->operands[0]->type;
  bool is_math = row[s->builtin].rule == FLOAT ||
                 (strcmp(name, "pow") == 0 && type_is_float(t));

  for (size_t k = 0; k < sizeof not_in_math_h / sizeof *not_in_math_h; k++)
    is_math = is_math && strcmp(name, not_in_math_h[k]) != 0;
  if (is_math)
    return format(b->emit->arena, "%s%s", name, t->kind == TYPE_F32 ? "f" : "");
  return format(b->emit->arena, "snd_%s_%s", name, suffix(t));
}

static CText builtin_text(Body *b, const IrStmt *s)
{
  const char *call = format(b->emit->arena, "%s(%s)", builtin_function(b, s), arguments(b, s));

  if (s->type == s->operands[0]->type)
    return primary(call);
  return (CText){ format(b->emit->arena, "(%s)%s", c_type(s->type), call), BOUND_UNARY };
}

static CText factor_text(Body *b, const IrStmt *s)
{
  return primary(format(b->emit->arena, "snd_%s_parts_%d_%s((const %s[]){ %s })",
                        ir_op_info[s->op].name, s->operand_count == 4 ? 2 : 3, s->type->name,
                        c_type(s->type), arguments(b, s)));
}

const char *call_with(Body *b, const IrStmt *s, const char *arguments)
{
  const FunctionInfo *callee = function_info(b->emit, s->function);
  const Needs *n = &callee->needs;
  Arena *arena = b->emit->arena;
  const char *list = "";

  for (int k = 0; k < s->function->slot_count; k++) {
    if (n->view[k])
      list = format(arena, "%s, %s", list, b->view[s->slots[k]]);
    if (n->slot_number[k])
      list = format(arena, "%s, %s", list, b->slot_number[s->slots[k]]);
  }
  if (n->launch)
    list = format(arena, "%s, %s", list, b->launch);
  if (n->draws)
    list = format(arena, "%s, %s", list, b->draws);
  list = format(arena, "%s%s", list, arguments);
  return format(arena, "%s(%s)", callee->name, *list ? list + 2 : "");
}

const char *call_text(Body *b, const IrStmt *s, const char *ended)
{
  Arena *arena = b->emit->arena;
  const char *list = "";

  for (int k = 0; k < s->operand_count; k++)
    if (takes_operand(b->emit, s, k))
      list = format(arena, "%s, %s", list, loose(b, s->operands[k]));
  if (ended)
    list = format(arena, b->task ? "%s, &%s" : "%s, %s", list, ended);
  return call_with(b, s, list);
}

/* ---- all values ---- */

CText from_memory(Body *b, const Type *t, CText text)
{
  if (t->kind != TYPE_BOOL)
    return text;
  return (CText){ format(b->emit->arena, "%s != 0", within(b, text, BOUND_ADD)), BOUND_EQUAL };
}

static CText load_text(Body *b, const IrStmt *s)
{
  CellText cell = cell_text(b, s->operands[0]);
  const char *place = field_place(b, cell, s->field);
  Arena *arena = b->emit->arena;
  CText text = primary(s->relaxed ? format(arena, "snd_load_%s(&%s)", suffix(s->type), place)
                                  : place);

  text = from_memory(b, s->type, text);
  if (!cell.null_test)
    return text;
  return (CText){ format(arena, "%s ? %s : %s", cell.null_test, within(b, text, BOUND_OR),
                         constant_text(arena, s->type, s->field->default_value, false)),
                  BOUND_CHOICE };
}

static CText variable_value(Body *b, const IrStmt *s)
{
  const char *text = variable_text(b, s->variable);

  return from_memory(b, s->variable->kind == IR_VAR_KERNEL ? s->type : TY(I32), primary(text));
}

static CText index_text(Body *b, const IrStmt *s)
{
  const IrStmt *loop = s->operands[0];

  return primary(ir_whole_loop(loop) == b->task ? b->index[s->index]
                                                : variable_text(b, loop->variable));
}

static CText null_text(Body *b, const IrStmt *s)
{
  CellText cell = cell_text(b, s->operands[0]);

  if (!cell.null_test)
    return primary("false");
  return (CText){ format(b->emit->arena, "!%s", cell.null_test), BOUND_UNARY };
}

static CText constant(Body *b, const IrStmt *s)
{
  const char *text = constant_text(b->emit->arena, s->type, s->value, false);

  return (CText){ text, text[0] == '-' || text[0] == '(' ? BOUND_UNARY : BOUND_PRIMARY };
}

/* A step of a walk, or what stands at its end. */
static CText step_text(Body *b, const IrStmt *s)
{
  switch (s->op) {
  case IR_digit:      return digit_text(b, s);
  case IR_own_position:
    return primary(b->position);
  case IR_linear:     return position_text(b, s);
  case IR_cell: case IR_root: case IR_own_cell: case IR_appended: case IR_found_cell:
    return (CText){ cell_pointer(b, s), BOUND_CHOICE };
  case IR_is_null:    return null_text(b, s);
  case IR_load:       return load_text(b, s);
  case IR_cell_length:
    return primary(length_text(b, s));
  default:
    ICE("'%s' is no value", ir_op_info[s->op].name);
  }
}

CText value_text(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  Arena *arena = b->emit->arena;

  if (info->state == VALUE_NAMED)
    return info->text;
  if (s->lanes > 0)
    return lanes_text(b, s);
  switch (s->op) {
  case IR_const:      return constant(b, s);
  case IR_param:      return primary(variable_text(b, s->variable));
  case IR_extent:
    return primary(extent_text(b, s->snode, s->slot, s->index, 0, "extent"));
  case IR_loop_index: return index_text(b, s);
  case IR_first_index: return primary(b->first[s->index]);
  case IR_row_digit:  return primary(b->row_digit[axis_of_index(b->task->snode, s->index)]);
  case IR_any_lane:   return any_lane_text(b, s);
  case IR_active_cells: return active_cell_text(b, s);
  case IR_combine_lanes:
    return combined_text(b, s);
  case IR_neg: case IR_bit_not: case IR_logic_not:
    return unary_text(b, s);
  case IR_add: case IR_sub: case IR_mul: case IR_div: case IR_mod:
  case IR_bit_and: case IR_bit_or: case IR_bit_xor: case IR_shl: case IR_shr:
    return binary_text(b, s);
  case IR_cmp_eq: case IR_cmp_ne: case IR_cmp_lt: case IR_cmp_le: case IR_cmp_gt: case IR_cmp_ge:
    return join_statement(b, s);
  case IR_select:
    return s->type->kind == TYPE_CELL ? primary(cell_pointer(b, s)) : select_text(b, s);
  case IR_cast:       return cast_text(b, s);
  case IR_bitcast:
    return primary(format(arena, "snd_bitcast_%s_%s(%s)", s->type->name, s->operands[0]->type->name,
                          loose(b, s->operands[0])));
  case IR_builtin:    return builtin_text(b, s);
  case IR_table:
    return primary(format(arena, "%s(%s)", table_name(b->emit, s->table),
                          loose(b, s->operands[0])));
  case IR_svd: case IR_polar: case IR_sym_eig:
    return factor_text(b, s);
  case IR_part:
    return primary(format(arena, "%s.part[%d]", value_text(b, s->operands[0]).text, s->index));
  case IR_get:        return variable_value(b, s);
  case IR_array_read: return from_memory(b, s->type, primary(element_place(b, s)));
  case IR_inside: {
    const char *text = inside_text(b, s);
    return text ? (CText){ text, BOUND_AND } : primary("true");
  }
  case IR_staged:
    if (is_staged_addition(s) || !is_nearby(b->emit, s))
      return value_text(b, s->operands[0]);
    return from_memory(b, s->type, primary(staged_text(b, s)));
  case IR_staged_at:                     /* it has a name where it is near */
    return value_text(b, s->operands[0]);
  case IR_call:       return primary(call_text(b, s, NULL));
  case IR_near_load:
    return b->emit->staging == STAGING_TEAM ? team_load_text(b, s) : near_load_text(b, s);
  case IR_lane:       return lane_text(b, s);
  default:
    return step_text(b, s);
  }
}

const char *loose(Body *b, const IrStmt *s)
{
  if (is_const(s))
    return constant_text(b->emit->arena, s->type, s->value, true);
  return value_text(b, s).text;
}
