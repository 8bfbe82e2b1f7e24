/* Values with lanes as C: vectors of GNU C and the macros of snode/device/rows.h.
 *
 * Operators stand as on scalars.  A bool is a mask, an i32 for each lane, 0 or -1.
 */
#include "gen/emit/body.h"

#include "gen/model/builtins.h"

#include <string.h>

static CText primary(const char *text)
{
  return (CText){ text, BOUND_PRIMARY };
}

/* f32x8: as the macros take it. */
static const char *vector_name(Body *b, const Type *t, int lanes)
{
  return format(b->emit->arena, "%sx%d", t->kind == TYPE_BOOL ? "i32" : t->name, lanes);
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

/* The constant in every lane; NULL: it is none. */
static const IrStmt *constant_of(const IrStmt *s)
{
  if (s->op == IR_spread)
    s = s->operands[0];
  return s->op == IR_const ? s : NULL;
}

static bool is_safe_divisor(const IrStmt *s)
{
  const IrStmt *c = constant_of(s);

  return c && c->value.i != 0 && !(c->type->is_signed && c->value.i == -1);
}

/* Whether C has no operator for it: each lane goes through the function of a single value. */
static bool is_by_function(const IrStmt *s)
{
  const IrStmt *count;

  switch (s->op) {
  case IR_div: case IR_mod:
    return type_is_float(s->type) ? s->op == IR_mod : !is_safe_divisor(s->operands[1]);
  case IR_shl: case IR_shr:
    count = constant_of(s->operands[1]);
    return !count || count->value.i < 0 || count->value.i >= s->type->bits;
  case IR_cast:
    return type_is_float(s->operands[0]->type) && type_is_integer(s->type);
  case IR_builtin:
    return true;
  default:
    return false;
  }
}

bool shifts_by_number(const IrStmt *s)
{
  return s->lanes > 0 && (s->op == IR_shl || s->op == IR_shr) && !is_by_function(s);
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

static CText arithmetic_text(Body *b, const IrStmt *s)
{
  const bool wraps = type_is_integer(s->type) && s->type->is_signed && !s->plain;
  const char *sign = operator_sign[ir_operator[s->op]];

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
  return primary(format(arena, "SND_ROW_MASK(%d, %s %s %s)", s->lanes, a, sign,
                        side(b, s->operands[1])));
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

  if (is_mask(s))
    return primary(format(arena, "SND_ROW_MASK_SPREAD(%d, %s)", s->lanes, loose(b, value)));
  return primary(format(arena, "SND_ROW_SPREAD(%s, %s%s)", own_vector(b, s),
                        s->type->bits < 32 || value->op == IR_const
                            ? format(arena, "(%s)", c_type(s->type)) : "",
                        within(b, value_text(b, value), BOUND_UNARY)));
}

/* ---- conversions ---- */

static CText cast_text(Body *b, const IrStmt *s)
{
  const IrStmt *of = s->operands[0];
  Arena *arena = b->emit->arena;

  if (of->type == s->type)
    return value_text(b, of);
  if (is_mask(s))
    return primary(format(arena, "SND_ROW_MASK(%d, %s != 0)", s->lanes, side(b, of)));
  if (is_mask(of))
    return primary(format(arena, "SND_ROW_CONVERT(%s, -%s)", own_vector(b, s), side(b, of)));
  if (is_by_function(s))
    return each_lane(b, s, format(arena, "snd_cast_%s_%s", s->type->name, of->type->name));
  return primary(format(arena, "SND_ROW_CONVERT(%s, %s)", own_vector(b, s), loose(b, of)));
}

/* ---- loads ---- */

bool is_row_packed(const IrStmt *s)
{
  const IrSNode *node = s->field->snode;

  return node->field_count == 1 && node->child_count == 0 && ir_is_in_place(node);
}

/* Whether an operand is the first cell of a row of its container, whose other cells may be read
 * too. */
static bool begins_row(const IrStmt *cell)
{
  const IrStmt *at = cell->op == IR_cell && cell->operand_count == 2 ? cell->operands[1] : NULL;
  const IrStmt *last = at && at->op == IR_linear && at->operand_count > 0
                           ? at->operands[at->operand_count - 1] : NULL;

  return last && last->op == IR_const && last->value.i == 0;
}

/* As many cells side by side as there are lanes, which hold all that lanes take from an operand:
 * from so many behind it on.  -1: there are none that may be read. */
static int window_of(const IrStmt *s, int operand)
{
  const IrSNode *node = s->field->snode;
  const int row = node->axis_count > 0 ? (int)node->axes[node->axis_count - 1].size : 0;
  int least = INT32_MAX, most = -1, count = 0;

  for (int k = 0; k < s->lanes; k++)
    if (s->from[k].operand == operand) {
      least = s->from[k].cell < least ? s->from[k].cell : least;
      most = s->from[k].cell > most ? s->from[k].cell : most;
      count++;
    }
  if (most - least >= s->lanes)
    return -1;
  if (most - least == s->lanes - 1 && count == s->lanes)
    return least;                      /* each of them is a lane's, or lies between two */
  if (!begins_row(s->operands[operand]) || most >= row || row < s->lanes)
    return -1;
  return least + s->lanes <= row ? least : row - s->lanes;
}

/* Whether the lanes are those of windows, of one operand or two. */
static bool has_windows(const IrStmt *s)
{
  for (int k = 0; k < s->operand_count; k++)
    if (window_of(s, k) < 0)
      return false;
  return s->operand_count <= 2;
}

static bool is_in_order(const IrStmt *s, int window)
{
  for (int k = 0; k < s->lanes; k++)
    if (s->from[k].operand != 0 || s->from[k].cell != window + k)
      return false;
  return true;
}

static const char *row_place(Body *b, const IrStmt *s, int operand)
{
  const CellText cell = cell_text(b, s->operands[operand]);
  const TreeNames *t = &b->emit->trees[s->field->snode->tree->id];
  const int window = window_of(s, operand);

  if (window == 0)
    return field_place(b, cell, s->field);
  return format(b->emit->arena, "%s[%d].%s", cell.text, window, t->field_member[s->field->id]);
}

static const char *lanes_in_place(Body *b, const IrStmt *s, int operand)
{
  return format(b->emit->arena, "SND_ROW_LOAD%s(%sx%d, %s)", s->relaxed ? "_SHARED" : "",
                suffix(s->type), s->lanes, row_place(b, s, operand));
}

/* ---- loads from cells that hold more than the field ---- */

/* A cell as words: `words` of them, of `bytes` each; the field begins in word `word`, as many bits
 * from its low end as `shift` says. */
typedef struct Words {
  int words, bytes, word, shift;
} Words;

enum { MOST_WORDS = 4, MOST_TIMES = 4 };

static int bytes_of(const Type *t)
{
  return t->kind == TYPE_BOOL ? 1 : t->bits / 8;
}

/* Where C puts the field in the struct of a cell, and how long that is. */
static void lay_out(const IrField *field, int *offset, int *size)
{
  const IrSNode *node = field->snode;
  int at = 0, widest = 1;

  for (int k = 0; k < node->field_count; k++) {
    const int bytes = bytes_of(node->fields[k]->type);
    at = (at + bytes - 1) / bytes * bytes;
    if (node->fields[k] == field)
      *offset = at;
    at += bytes;
    widest = bytes > widest ? bytes : widest;
  }
  *size = (at + widest - 1) / widest * widest;
}

/* The least word, from the field's own width on, of which a cell has few enough. Of a cell that is
 * many times as wide as the field, lanes are loaded one by one: that moves less. */
static bool find_words(const IrField *field, Words *w)
{
  int offset = 0, size = 0;

  if (field->snode->child_count > 0 || !ir_is_in_place(field->snode))
    return false;
  lay_out(field, &offset, &size);
  if (size > MOST_TIMES * bytes_of(field->type))
    return false;
  for (int bytes = bytes_of(field->type); bytes <= 8; bytes *= 2)
    if (size % bytes == 0 && size / bytes <= MOST_WORDS) {
      *w = (Words){ size / bytes, bytes, offset / bytes, offset % bytes * 8 };
      return true;
    }
  return false;
}

/* One word of each of as many cells as there are lanes: of all their words in memory. */
static const char *take_words(Body *b, const IrStmt *s, int operand, const Words *w,
                              const char *vector)
{
  Arena *arena = b->emit->arena;
  const char *cell = cell_text(b, s->operands[operand]).text;
  const int window = window_of(s, operand);
  const char *part_of = s->relaxed ? "SND_ROW_PART_SHARED" : "SND_ROW_PART";
  const char *taken;

  if (window > 0)
    cell = format(arena, "%s + %d", cell, window);
  taken = format(arena, "%s(%s, %s, 0)", part_of, vector, cell);

  for (int part = 1; part < w->words; part++) {
    const char *list = "";
    for (int lane = 0; lane < s->lanes; lane++) {
      const int word = lane * w->words + w->word, before = part * s->lanes;
      const int from = word >= before + s->lanes ? 0
                     : word >= before ? s->lanes + word - before : part == 1 ? word : lane;
      list = format(arena, "%s, %d", list, from);
    }
    taken = format(arena, "SND_ROW_JOIN(%s, %s(%s, %s, %d)%s)", taken, part_of, vector, cell, part,
                   list);
  }
  return taken;
}

/* The field of as many cells as there are lanes, from an operand on; NULL: a cell is too wide. */
static const char *take_lanes(Body *b, const IrStmt *s, int operand)
{
  const Type *t = s->field->type;
  Arena *arena = b->emit->arena;
  const char *taken;
  Words w;

  if (is_row_packed(s))
    return lanes_in_place(b, s, operand);
  if (!find_words(s->field, &w))
    return NULL;
  if (w.bytes == bytes_of(t))
    return take_words(b, s, operand, &w, format(arena, "%sx%d", suffix(t), s->lanes));
  taken = take_words(b, s, operand, &w, format(arena, "u%dx%d", 8 * w.bytes, s->lanes));
  if (w.shift > 0)
    taken = format(arena, "%s >> %d", taken, w.shift);
  if (!type_is_float(t))
    return format(arena, "SND_ROW_CONVERT(%sx%d, %s)", suffix(t), s->lanes, taken);
  return format(arena, "((snd_%sx%d)SND_ROW_CONVERT(u%dx%d, %s))", suffix(t), s->lanes, t->bits,
                s->lanes, taken);
}

/* The lanes of one window, or of two, put in their order. */
static const char *join_windows(Body *b, const IrStmt *s)
{
  const char *list = "", *first = take_lanes(b, s, 0);

  if (s->operand_count == 1 && is_in_order(s, window_of(s, 0)))
    return first;
  for (int k = 0; k < s->lanes; k++) {
    const IrLane *from = &s->from[k];
    list = format(b->emit->arena, "%s, %d", list,
                  from->operand * s->lanes + from->cell - window_of(s, from->operand));
  }
  return format(b->emit->arena, "SND_ROW_JOIN(%s, %s%s)", first,
                s->operand_count == 2 ? take_lanes(b, s, 1) : first, list);
}

static const char *gather_lanes(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;
  const TreeNames *t = &b->emit->trees[s->field->snode->tree->id];
  const char *list = "";

  for (int k = 0; k < s->lanes; k++) {
    const char *place = format(arena, "%s[%d].%s",
                               cell_text(b, s->operands[s->from[k].operand]).text, s->from[k].cell,
                               t->field_member[s->field->id]);
    if (s->relaxed)
      place = format(arena, "snd_load_%s(&%s)", suffix(s->type), place);
    list = format(arena, "%s%s%s", list, k ? ", " : "", place);
  }
  return format(arena, "((snd_%sx%d){ %s })", suffix(s->type), s->lanes, list);
}

/* Whether the lanes are taken out of vectors, not one by one. */
static bool is_of_windows(const IrStmt *s)
{
  Words w;

  return has_windows(s) && (is_row_packed(s) || find_words(s->field, &w));
}

bool row_repeats(const IrStmt *s, int operand)
{
  switch (s->op) {
  case IR_row_load:
    return !is_row_packed(s) || !is_of_windows(s) ||
           (s->operand_count == 1 && !is_in_order(s, 0)) ||
           (s->operand_count == 2 && window_of(s, 0) + window_of(s, 1) > 0);
  case IR_row_store:
    return s->operand_count == 3 || !is_row_packed(s);
  case IR_any_lane: case IR_combine_lanes:
    return true;
  case IR_select:
    return s->lanes > 0 && operand == 0;
  default:
    return s->lanes > 0 && is_by_function(s);
  }
}

static CText row_load_text(Body *b, const IrStmt *s)
{
  const char *text = is_of_windows(s) ? join_windows(b, s) : gather_lanes(b, s);

  if (is_mask(s))
    text = format(b->emit->arena, "SND_ROW_MASK(%d, %s != 0)", s->lanes, text);
  return primary(text);
}

/* ---- one value of lanes ---- */

CText any_lane_text(Body *b, const IrStmt *s)
{
  return (CText){ format(b->emit->arena, "SND_ROW_ANY_%d(%s)", s->operands[0]->lanes,
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

CText lanes_text(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;

  switch (s->op) {
  case IR_get:        return primary(variable_text(b, s->variable));
  case IR_spread:     return spread_text(b, s);
  case IR_row_load:   return row_load_text(b, s);
  case IR_select:     return select_text(b, s);
  case IR_cast:       return cast_text(b, s);
  case IR_loop_index:
    return primary(format(arena, "SND_ROW_COUNT(%s, %d, %s)", s->type->name, s->lanes,
                          b->index[s->index]));
  case IR_row_active:
    return primary(format(arena, "SND_ROW_MASK_OF_BITS(%d, %s)", s->lanes, b->active));
  case IR_bitcast:
    return primary(format(arena, "((snd_%s)%s)", own_vector(b, s), side(b, s->operands[0])));
  case IR_builtin:
    return each_lane(b, s, builtin_function(b, s));
  default:
    return is_mask(s) ? mask_text(b, s) : arithmetic_text(b, s);
  }
}
