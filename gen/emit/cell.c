/* Cells of trees, and elements of arrays: walks as C.
 *
 * A step to a cell that stands in place is an index into the parent's cell (place.c); any
 * other is a call of that SNode's walk function (tree_walk.c), whose result has a name:
 * to allocated cells, and to bitmasked ones whose bit is looked at or set.
 */
#include "gen/emit/body.h"

#include <string.h>

static const SNodeNames *snode_names(Body *b, const IrSNode *n)
{
  return &b->emit->trees[n->tree->id].snode[n->id];
}

const char *use_walk(Body *b, const IrSNode *n, int walk)
{
  SNodeNames *names = &b->emit->trees[n->tree->id].snode[n->id];

  names->used[walk] = true;
  return names->walk[walk];
}

/* ---- cells ---- */

static const IrSNode *snode_of(Body *b, const IrStmt *cell)
{
  switch (cell->op) {
  case IR_root:
    return b->function->slots[cell->slot].tree->snodes[0];
  case IR_own_cell: case IR_cell: case IR_appended: case IR_append_cell: case IR_found_cell:
    return cell->snode;
  case IR_select:
    return snode_of(b, cell->operands[1]);
  default:
    ICE("'%s' gives no cell", ir_op_info[cell->op].name);
  }
}

const char *cell_type(Body *b, const IrStmt *cell)
{
  return snode_names(b, snode_of(b, cell))->cell;
}

static CellText own_cell_text(const Body *b, const IrStmt *s)
{
  const IrSNode *n = b->task->snode;
  CellText cell = { .text = has_named_arrays(n) ? NULL : b->cell, .slot = b->task->slot,
                    .bound = BOUND_PRIMARY, .begins_row = begins_row(s) };

  if (n->is_soa)
    cell.at = (CText){ b->position, BOUND_PRIMARY };
  return cell;
}

/* As can_be_null, but of a cell that has been looked at. */
static bool may_be_null(Body *b, const IrStmt *s)
{
  Nullness nullness = NULL_AS_PARENT;

  for (; s->op == IR_cell && nullness == NULL_AS_PARENT; s = s->operands[0]) {
    const ValueInfo *info = value_info(b, s);
    if (info->state == VALUE_NAMED)
      return info->named.null_test != NULL;
    nullness = nullness_of(s);
  }
  return nullness == NULL_MAYBE;
}

/* One of two cells that are never null. */
static CellText chosen_text(Body *b, const IrStmt *s)
{
  const char *text = format(b->emit->arena, "(%s ? %s : %s)", value_text(b, s->operands[0]).text,
                            cell_pointer(b, s->operands[1]), cell_pointer(b, s->operands[2]));

  return (CellText){ .text = text, .bound = BOUND_PRIMARY, .is_const = true };
}

CellText cell_text(Body *b, const IrStmt *s)
{
  const ValueInfo *info = value_info(b, s);
  CellText cell = { .bound = BOUND_PRIMARY };

  if (info->state == VALUE_NAMED)
    return info->named;
  if (s->op == IR_own_cell && s->snode == b->task->snode)
    return own_cell_text(b, s);
  if (s->op == IR_own_cell) {
    cell.text = b->parent;
    return cell;
  }
  if (s->op == IR_select)
    return chosen_text(b, s);
  if (s->op == IR_appended) {
    cell.text = value_info(b, s->operands[0])->cell;
    return cell;
  }
  if (s->op == IR_root) {
    cell.text = format(b->emit->arena, "%s(%s)", use_walk(b, snode_of(b, s), WALK_CELLS),
                       b->view[s->slot]);
    return cell;
  }
  if (!is_walked(s))
    return place_text(b, s);
  cell.text = walk_text(b, s);           /* on its way to a name */
  cell.is_const = s->mode == IR_MODE_READ;
  cell.null_test = may_be_null(b, s) ? cell.text : NULL;
  return cell;
}

const char *cell_pointer(Body *b, const IrStmt *s)
{
  CellText cell = cell_text(b, s);

  if (!cell.is_place)
    return cell.text;
  if (!cell.is_array)
    cell.text = format(b->emit->arena, "&%s", cell.text);
  if (!cell.null_test)
    return cell.text;
  return format(b->emit->arena, "%s ? %s : NULL", cell.null_test, cell.text);
}

/* ---- walks ---- */

/* ", tile" where the container lies in a cell, "" where it is under the root. */
static const char *above_argument(Body *b, const IrStmt *s)
{
  if (s->snode->parent->kind == SNODE_ROOT)
    return "";
  return format(b->emit->arena, ", %s", cell_pointer(b, s->operands[0]));
}

/* In a task that changes no activity the slots are constants: plain loads, which the C
 * compiler may keep and move out of loops: in functions that such tasks alone call, too. */
static bool is_settled(Body *b)
{
  const bool is_known = b->task || b->needs->is_settled || b->function->is_settled;

  return is_known && !b->needs->activates && !b->needs->deactivates;
}

static int walk_of(Body *b, IrMode mode)
{
  switch (mode) {
  case IR_MODE_READ: return is_settled(b) ? WALK_READ_SETTLED : WALK_READ;
  case IR_MODE_PEEK: return is_settled(b) ? WALK_PEEK_SETTLED : WALK_PEEK;
  default: return WALK_ACTIVATE;
  }
}

/* A coordinate of a key: the walk takes int64_t anyway. */
static const char *key_text(Body *b, const IrStmt *digit)
{
  if (digit->op == IR_cast && value_info(b, digit)->state != VALUE_NAMED)
    digit = digit->operands[0];
  return loose(b, digit);
}

/* ", l": where in its container; ", i, j" where a hash finds it by its key; "": all of a list. */
static const char *position_arguments(Body *b, const IrStmt *s)
{
  const char *list = "";

  if (!kind_is(s->snode->kind, KIND_KEYS))
    return s->operand_count == 1 ? ""
                                 : format(b->emit->arena, ", %s", loose(b, s->operands[1]));
  for (int k = 1; k < s->operand_count; k++)
    list = format(b->emit->arena, "%s, %s", list, key_text(b, s->operands[k]));
  return list;
}

/* The condition that a walk is made at all; NULL: it always is. Else the default is read: what was
 * to be activated could not be had, or a row asks beyond the extents. */
static const char *walk_condition(Body *b, const IrStmt *s)
{
  if (kind_is(s->snode->kind, KIND_SLOTS) && s->operand_count == 3)
    return within(b, value_text(b, s->operands[2]), BOUND_OR);
  return s->mode == IR_MODE_READ && s->snode->parent->parent
             ? cell_text(b, s->operands[0]).null_test : NULL;
}

/* Whether what a walk has read is a cell, and not what stands for none. */
static const char *is_found_text(Body *b, const IrStmt *read)
{
  return format(b->emit->arena, "SND_IS_FOUND(%s, &%s->snode[%s])", cell_pointer(b, read),
                b->view[read->slot], snode_names(b, read->snode)->id);
}

/* As a cell that may be stored to. */
static const char *found_text(Body *b, const IrStmt *read)
{
  return format(b->emit->arena, "SND_POINTER(%s, %s)", cell_type(b, read), cell_pointer(b, read));
}

void emit_found(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);
  const char *name, *declared = "";

  write_line(b->emit, "if (!%s)", is_found_text(b, s->operands[0]));
  b->emit->indent++;
  write_line(b->emit, "goto %s;", b->in_tree);
  b->emit->indent--;
  if (gang_keeps(b, s)) {
    name = gang_place(b, s);
  } else {
    name = names_take(&b->names, s->snode->name);
    declared = format(b->emit->arena, "SND_GLB %s *", cell_type(b, s));
  }
  write_line(b->emit, "%s%s = %s;", declared, name, found_text(b, s->operands[0]));
  info->named = (CellText){ .text = name, .bound = BOUND_PRIMARY };
  info->state = VALUE_NAMED;
}

const char *walk_text(Body *b, const IrStmt *s)
{
  Arena *arena = b->emit->arena;
  const char *extra = "", *call, *condition, *look = list_look(b, s);

  if (look)
    return format(arena, "SND_CONST_POINTER(%s, snd_list_read(&%s, %s))", cell_type(b, s), look,
                  loose(b, s->operands[1]));
  if (s->mode == IR_MODE_ACTIVATE)
    extra = format(arena, ", %s, %s", b->slot_number[s->slot], b->launch);
  call = format(arena, "%s(%s%s%s%s)", use_walk(b, s->snode, walk_of(b, s->mode)),
                b->view[s->slot], extra, above_argument(b, s), position_arguments(b, s));
  if (kind_is(s->snode->kind, KIND_LIST) && s->operand_count == 3)
    return format(arena, "%s ? %s : %s", is_found_text(b, s->operands[2]),
                  found_text(b, s->operands[2]), call);
  condition = walk_condition(b, s);
  if (!condition)
    return call;
  if (s->mode == IR_MODE_ACTIVATE)
    return format(arena, "%s ? %s : NULL", condition, call);
  return format(arena, "%s ? %s : SND_CONST_POINTER(%s, %s->snode[%s].ambient)", condition, call,
                cell_type(b, s), b->view[s->slot], snode_names(b, s->snode)->id);
}

const char *release_text(Body *b, const IrStmt *s)
{
  return format(b->emit->arena, "%s(%s%s%s)", use_walk(b, s->snode, WALK_DEACTIVATE),
                b->view[s->slot], above_argument(b, s), position_arguments(b, s));
}

/* ---- dynamic containers ---- */

/* An append to no cell is one outside the extents. */
const char *append_text(Body *b, const IrStmt *s)
{
  const char *view = b->view[s->slot], *id = snode_names(b, s->snode)->id;
  const char *hint = map_get(&b->hints, s);
  Arena *arena = b->emit->arena;
  const int site = site_number(b->emit, s);

  if (s->operand_count == 0)
    return format(arena, "snd_dynamic_full(%s, %d, %s, %s, %s->snode[%s].cells, "
                         "%s->snode[%s].cells + 1)",
                  b->launch, site, b->slot_number[s->slot], id, view, id, view, id);
  if (value_info(b, s)->gives_cell)
    return format(arena, "%s(%s, %s, %s%s, %d, %s, &%s)",
                  use_walk(b, s->snode, WALK_APPEND_CELL), view, b->slot_number[s->slot],
                  b->launch, above_argument(b, s), site, hint, value_info(b, s)->cell);
  return format(arena, "%s(%s, %s, %s%s, %d, %s)", use_walk(b, s->snode, WALK_APPEND), view,
                b->slot_number[s->slot], b->launch, above_argument(b, s), site, hint);
}

const char *length_text(Body *b, const IrStmt *s)
{
  int walk = is_settled(b) ? WALK_LENGTH_SETTLED : WALK_LENGTH;

  return format(b->emit->arena, "%s(%s%s)", use_walk(b, s->snode, walk), b->view[s->slot],
                above_argument(b, s));
}

const char *bits_text(Body *b, const IrStmt *s, int pair, int behind)
{
  const IrStmt *above = s->operands[2 * pair], *position = s->operands[2 * pair + 1];
  Arena *arena = b->emit->arena;
  const char *container = "", *at = loose(b, position);

  if (s->snode->parent->kind != SNODE_ROOT)
    container = format(arena, ", %s", cell_pointer(b, above));
  if (behind > 0)
    at = format(arena, "%s + %d", within(b, value_text(b, position), BOUND_ADD), behind);
  return format(arena, "%s(%s%s, %s)", use_walk(b, s->snode, WALK_BITS), b->view[s->slot],
                container, at);
}

/* ---- positions ---- */

/* x / by and x % by; on an open axis x may be negative: rounded down, as shifts and masks
 * do by themselves. */
static CText floored(Body *b, const char *function, const Type *t, CText x, int64_t by)
{
  return (CText){ format(b->emit->arena, "snd_%s_%s(%s, %lld)", function, suffix(t), x.text,
                         (long long)by), BOUND_PRIMARY };
}

CText quotient_text(Body *b, const Type *t, bool is_open, CText x, int64_t by)
{
  int shift = log2_of(by);

  if (by == 1)
    return x;
  if (is_open && shift < 0)
    return floored(b, "floordiv", t, x, by);
  if (shift >= 0)
    return (CText){ format(b->emit->arena, "%s >> %d", within(b, x, BOUND_UNARY), shift),
                     BOUND_SHIFT };
  return (CText){ format(b->emit->arena, "%s / %lld", within(b, x, BOUND_MUL), (long long)by),
                   BOUND_MUL };
}

CText rest_text(Body *b, const Type *t, bool is_open, CText x, int64_t by)
{
  if (by == 1)
    return (CText){ "0", BOUND_PRIMARY };
  if (is_open && log2_of(by) < 0)
    return floored(b, "floormod", t, x, by);
  if (log2_of(by) >= 0)
    return (CText){ format(b->emit->arena, "%s & %lld", within(b, x, BOUND_UNARY),
                            (long long)by - 1),
                     BOUND_BITS };
  return (CText){ format(b->emit->arena, "%s %% %lld", within(b, x, BOUND_MUL), (long long)by),
                   BOUND_MUL };
}

static int64_t floor_mod(int64_t a, int64_t b)
{
  return (a % b + b) % b;
}

static int64_t constant_digit(const IrStmt *s)
{
  int64_t x = s->operands[0]->value.i, by = s->value.i;
  int64_t digit = (x - floor_mod(x, by)) / by;

  return is_top_of_axis(s->snode, s->index) ? digit
                                            : floor_mod(digit, own_extent(s->snode, s->index));
}

/* (x / VALUE) % extent.  The coordinate is inside, so not negative but on an open axis:
 * shifts and masks do for powers of two. */
CText digit_text(Body *b, const IrStmt *s)
{
  int axis = s->index;
  const IrStmt *x = s->operands[0];
  const Type *type = x->type;
  bool is_open = s->snode->open_axes >> axis & 1;
  CText text;

  if (is_only_digit(s))
    return (CText){ "0", BOUND_PRIMARY };
  if (x->op == IR_const)
    return (CText){ format(b->emit->arena, "%lld", (long long)constant_digit(s)), BOUND_PRIMARY };
  text = value_text(b, x);
  if (!type->is_signed) {                /* positions are signed */
    type = type->bits < 32 ? TY(I32) : TY(I64);
    text = (CText){ format(b->emit->arena, "(%s)%s", c_type(type), within(b, text, BOUND_UNARY)),
                    BOUND_UNARY };
  }
  text = quotient_text(b, type, is_open, text, s->value.i);
  if (!is_top_of_axis(s->snode, axis))
    text = rest_text(b, type, is_open, text, own_extent(s->snode, axis));
  if (s->type != type && s->type->bits < 64)
    text = (CText){ format(b->emit->arena, "(%s)%s", c_type(s->type), within(b, text, BOUND_UNARY)),
                    BOUND_UNARY };
  return text;
}

static const char *own_extent_text(Body *b, const IrStmt *s, int axis)
{
  int64_t size = own_extent(s->snode, axis);

  if (size)
    return format(b->emit->arena, "%lld", (long long)size);
  return format(b->emit->arena, "%s->snode[%s].extent[%d]", b->view[s->slot],
                snode_names(b, s->snode)->id, axis);
}

/* Whether every position in a container of n fits into an int32_t. */
static bool is_small(const IrSNode *n)
{
  int64_t cells = 1;

  for (int k = 0; k < n->axis_count; k++) {
    int64_t size = n->axes[k].size;
    if (size < 1 || size > INT32_MAX / cells)
      return false;
    cells *= size;
  }
  return true;
}

/* The digits, first axis slowest. */
CText position_but(Body *b, const IrStmt *s, int left_out)
{
  Arena *arena = b->emit->arena;
  bool is_wide = !is_small(s->snode);
  CText sum = { "0", BOUND_PRIMARY };

  for (int k = 0; k < s->operand_count; k++) {
    CText digit = k == left_out ? (CText){ "0", BOUND_PRIMARY } : value_text(b, s->operands[k]);
    const char *extent = own_extent_text(b, s, s->snode->axes[k].axis);
    if (strcmp(sum.text, "0") != 0 && strcmp(digit.text, "0") == 0) {
      sum = (CText){ format(arena, "%s * %s", within(b, sum, BOUND_MUL), extent), BOUND_MUL };
      continue;
    }
    if (strcmp(sum.text, "0") != 0) {
      sum = (CText){ format(arena, "%s * %s + %s", within(b, sum, BOUND_MUL), extent,
                            within(b, digit, BOUND_MUL)), BOUND_ADD };
      continue;
    }
    sum = digit;
    if (is_wide && k + 1 < s->operand_count && strcmp(digit.text, "0") != 0)
      sum = (CText){ format(arena, "(int64_t)%s", within(b, digit, BOUND_UNARY)), BOUND_UNARY };
  }
  return sum;
}

CText position_text(Body *b, const IrStmt *s)
{
  return position_but(b, s, -1);
}

/* ---- arrays ---- */

static CText array_index(Body *b, const IrStmt *index, bool is_multiplied)
{
  CText text = value_text(b, index);

  if (index->op == IR_const)
    return (CText){ constant_text(b->emit->arena, index->type, index->value, true), BOUND_UNARY };
  if (index->type->kind == TYPE_I64 || (!is_multiplied && index->type->kind != TYPE_U64))
    return text;
  return (CText){ format(b->emit->arena, "(int64_t)%s", within(b, text, BOUND_UNARY)),
                   BOUND_UNARY };
}

const char *element_place(Body *b, const IrStmt *s)
{
  const IrVariable *a = s->variable;
  int dimensions = a->extent_count;
  Arena *arena = b->emit->arena;
  CText sum;

  if (dimensions == 0)
    return format(arena, "*%s", variable_text(b, a));
  sum = array_index(b, s->operands[0], dimensions > 1);
  for (int k = 1; k < dimensions; k++) {
    const char *extent = a->extent_variable && a->extent_variable[k]
                             ? variable_text(b, a->extent_variable[k])
                             : format(arena, "%lld", (long long)a->extent_constant[k]);
    sum.text = format(arena, "%s * %s + %s", within(b, sum, BOUND_MUL), extent,
                      within(b, array_index(b, s->operands[k], true), BOUND_MUL));
    sum.bound = BOUND_ADD;
  }
  return format(arena, "%s[%s]", variable_text(b, a), sum.text);
}
