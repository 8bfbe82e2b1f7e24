/* Loads of a row: the values of a field in cells side by side, as a vector.
 *
 * From where they stand side by side they are one load, or parts of two containers put together;
 * else the words of the cells are loaded, and the field's are taken out of them.
 */
#include "gen/emit/body.h"

#include <string.h>

bool is_row_packed(const IrStmt *s)
{
  const IrSNode *node = s->field->snode;

  return node->is_soa ||
         (node->field_count == 1 && node->child_count == 0 && ir_is_in_place(node));
}

/* Whether the cells from `least` behind an operand to `most`, each of which is a lane's, are side
 * by side in memory. Where the operand is not known to begin a row, it is the first of what lanes
 * take if all of it is in one row: on each axis it has the least digit of those that lanes have. */
static bool stand_together(const IrStmt *cell, const IrSNode *node, int least, int most)
{
  const int64_t row = ir_array_cells(node);

  if (!node->is_soa_by_row)
    return true;
  return begins_row(cell) ? least / row == most / row : least == 0 && most < row;
}

/* As many cells side by side as there are lanes, which hold all that lanes take from an operand:
 * from so many behind it on.  -1: there are none that may be read.  Each is a lane's, or is known
 * to be in the row of its container that lanes take from. */
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
    return stand_together(s->operands[operand], node, least, most) ? least : -1;
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

static const char *lanes_in_place(Body *b, const IrStmt *s, int operand)
{
  const CellText cell = cell_text(b, s->operands[operand]);

  return format(b->emit->arena, "SND_ROW_LOAD%s(%sx%d, %s)", s->relaxed ? "_SHARED" : "",
                suffix(s->type), s->lanes,
                field_place_behind(b, cell, s->field, window_of(s, operand)));
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

/* One word, of that type, of each of as many cells as there are lanes. */
static const char *take_words(Body *b, const IrStmt *s, int operand, const Words *w,
                              const char *type)
{
  Arena *arena = b->emit->arena;
  const char *cell = cell_text(b, s->operands[operand]).text;
  const int window = window_of(s, operand);

  if (window > 0)
    cell = format(arena, "%s + %d", cell, window);
  return format(arena, "SND_ROW_GET_%d(%s, %d, %s, %s, %s)", w->words, type, s->lanes,
                s->relaxed ? "SHARED" : "OWN", cell,
                b->emit->trees[s->field->snode->tree->id].field_member[s->field->id]);
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
    return take_words(b, s, operand, &w, suffix(t));
  taken = take_words(b, s, operand, &w, format(arena, "u%d", 8 * w.bytes));
  if (w.shift > 0)
    taken = format(arena, "%s >> %d", taken, w.shift);
  if (!type_is_float(t))
    return format(arena, "SND_ROW_CONVERT(%sx%d, %s)", suffix(t), s->lanes, taken);
  return format(arena, "((snd_%sx%d)SND_ROW_CONVERT(u%dx%d, %s))", suffix(t), s->lanes, t->bits,
                s->lanes, taken);
}

/* Written out where they are four, or in no such order as SND_ROW_LANES gives. */
static const char *lane_list(Body *b, const int *lane, int count)
{
  const int step = lane[1] - lane[0];
  const char *list = "";
  bool is_even = count > 4;

  for (int k = 0; k < count; k++) {
    list = format(b->emit->arena, "%s%s%d", list, k ? ", " : "", lane[k]);
    is_even = is_even && lane[k] == lane[0] + k * step;
  }
  return is_even ? format(b->emit->arena, "SND_ROW_LANES(%d, %d, %d)", count, lane[0], step) : list;
}

/* So many lanes of two rows. Those that follow each other have a macro of their own. */
const char *joined_rows(Body *b, Row of, const char *first, const char *other, const int *lane,
                        int count)
{
  bool follow = of.lanes == count && lane[0] > 0 && lane[0] < count;

  for (int k = 1; k < count; k++)
    follow = follow && lane[k] == lane[0] + k;
  if (follow)
    return format(b->emit->arena, "SND_ROW_SHIFT(%s, %d, %s, %s, %d)", of.type, count, first,
                  other, lane[0]);
  return format(b->emit->arena, "SND_ROW_JOIN(%s, %s, %s)", first, other,
                lane_list(b, lane, count));
}

/* The lanes of one window, or of two, put in their order. */
static const char *join_windows(Body *b, const IrStmt *s)
{
  const char *first = take_lanes(b, s, 0);
  int lane[IR_MOST_LANES];

  if (s->operand_count == 1 && is_in_order(s, window_of(s, 0)))
    return first;
  for (int k = 0; k < s->lanes; k++) {
    const IrLane *from = &s->from[k];
    lane[k] = from->operand * s->lanes + from->cell - window_of(s, from->operand);
  }
  return joined_rows(b, (Row){ suffix(s->type), s->lanes }, first,
                     s->operand_count == 2 ? take_lanes(b, s, 1) : first, lane, s->lanes);
}

/* Fewer cells side by side than there are lanes, as many as a vector has, each of which is a
 * lane's: how many, and from where on; 0: it is otherwise. */
static int narrow_window(const IrStmt *s, int *least)
{
  unsigned taken = 0;

  *least = s->from[0].cell;
  for (int k = 0; k < s->lanes; k++)
    *least = s->from[k].cell < *least ? s->from[k].cell : *least;
  for (int k = 0; k < s->lanes; k++)
    if (s->from[k].cell - *least < s->lanes)
      taken |= 1u << (s->from[k].cell - *least);
    else
      return 0;
  for (int cells = 4; cells < s->lanes; cells *= 2)
    if (taken == (1u << cells) - 1)
      return stand_together(s->operands[0], s->field->snode, *least, *least + cells - 1)
                 ? cells : 0;
  return 0;
}

/* One load of them, as of a coarser field, of which each value goes to several lanes; NULL: they
 * are no such cells. */
static const char *spread_window(Body *b, const IrStmt *s)
{
  int least;
  const int cells = is_row_packed(s) && s->operand_count == 1 ? narrow_window(s, &least) : 0;
  int lane[IR_MOST_LANES];
  const char *load;

  if (cells == 0)
    return NULL;
  for (int k = 0; k < s->lanes; k++)
    lane[k] = s->from[k].cell - least;
  load = format(b->emit->arena, "SND_ROW_LOAD%s(%sx%d, %s)", s->relaxed ? "_SHARED" : "",
                suffix(s->type), cells,
                field_place_behind(b, cell_text(b, s->operands[0]), s->field, least));
  return joined_rows(b, (Row){ suffix(s->type), cells }, load, load, lane, s->lanes);
}

static const char *gather_lanes(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;
  const char *list = "";

  for (int k = 0; k < s->lanes; k++) {
    const CellText cell = cell_text(b, s->operands[s->from[k].operand]);
    const char *place = field_place_behind(b, cell, s->field, s->from[k].cell);
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

bool row_load_repeats(const IrStmt *s)
{
  return !is_row_packed(s) || !is_of_windows(s) ||
         (s->operand_count == 1 && !is_in_order(s, 0)) ||
         (s->operand_count == 2 && window_of(s, 0) + window_of(s, 1) > 0);
}

CText row_load_text(Body *b, const IrStmt *s)
{
  const char *text = is_of_windows(s) ? join_windows(b, s) : spread_window(b, s);

  if (!text)
    text = gather_lanes(b, s);
  if (s->type->kind == TYPE_BOOL)
    text = format(b->emit->arena, "SND_ROW_MASK(%s, u8, %d, %s, !=, 0)", b->mask, s->lanes, text);
  return primary(text);
}

const char *row_kept_text(Body *b, const IrStmt *store)
{
  IrLane lane[IR_MOST_LANES];
  IrStmt *cell = store->operands[0];
  const IrStmt kept = { .op = IR_row_load, .type = store->field->type, .field = store->field,
                        .relaxed = store->relaxed, .lanes = store->operands[1]->lanes,
                        .from = lane, .operands = &cell, .operand_count = 1 };

  for (int k = 0; k < kept.lanes; k++)
    lane[k] = (IrLane){ 0, k };
  return take_lanes(b, &kept, 0);
}
