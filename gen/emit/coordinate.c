/* The coordinates of a struct-for's cells.
 *
 * A coordinate is that of the containing cell times the SNode's own extent, plus the cell's digit:
 * the first part is constant in a block.  Cells of a hash have their coordinates in their keys.
 *
 * Both are numbers of the coordinate's own type, and a digit is seen to be less than its extent
 * where that is a power of 2: so a compiler knows that i / 8 is what the block says where the
 * extent is 8, and takes walks by that out of the loop over cells, for teams of a device too.
 */
#include "gen/emit/task.h"

#include <string.h>

static const IrSNode *looped(const Skeleton *s)
{
  return s->task->stmt->snode;
}

bool uses_index(const Skeleton *s, int k)
{
  return s->task->needs.indices >> k & 1;
}

const char *snode_id(const Skeleton *s)
{
  const IrSNode *n = looped(s);

  return s->emit->trees[n->tree->id].snode[n->id].id;
}

const char *axis_extent(const Skeleton *s, int own)
{
  const IrAxis *axis = &looped(s)->axes[own];

  if (axis->size)
    return format(s->emit->arena, "%lld", (long long)axis->size);
  return format(s->emit->arena, "%s->snode[%s].extent[%d]", s->view[s->task->stmt->slot],
                snode_id(s), axis->axis);
}

/* Product of the extents behind own axis `own`: 0 where one is given at creation. */
static int64_t below(const IrSNode *n, int own)
{
  int64_t product = 1;

  for (int k = own + 1; k < n->axis_count; k++)
    product *= n->axes[k].size;
  return product;
}

static const char *below_text(const Skeleton *s, int own)
{
  const char *product = "";

  for (int k = own + 1; k < looped(s)->axis_count; k++)
    product = format(s->emit->arena, "%s%s%s", product, *product ? " * " : "", axis_extent(s, k));
  return product;
}

/* The view of the SNode. */
const char *node_text(const Skeleton *s)
{
  return format(s->emit->arena, "&%s->snode[%s]", s->view[s->task->stmt->slot], snode_id(s));
}

/* The digit of cell c on own axis `own`; c is not negative. */
const char *digit_of(const Skeleton *s, int own)
{
  Arena *arena = s->emit->arena;
  const IrSNode *n = looped(s);
  int64_t divisor = below(n, own), extent = n->axes[own].size;
  const char *digit = s->c;
  bool is_shifted = false;

  if (s->row_digit[own])
    return s->row_digit[own];
  if (kind_is(n->kind, KIND_KEYS))
    return format(arena, "snd_hash_key(%s, %s, %s, %d)", s->view[s->task->stmt->slot], snode_id(s),
                  s->c, own);

  if (divisor == 0)
    digit = format(arena, "%s / (%s)", s->c, below_text(s, own));
  else if (divisor > 1) {
    is_shifted = log2_of(divisor) >= 0;
    digit = is_shifted ? format(arena, "%s >> %d", s->c, log2_of(divisor))
                       : format(arena, "%s / %lld", s->c, (long long)divisor);
  }
  if (own == 0 && (divisor <= 1 || extent <= 0 || log2_of(extent) < 0))
    return is_shifted ? format(arena, "(%s)", digit) : digit;
  if (extent > 0 && log2_of(extent) >= 0)
    return format(arena, divisor != 1 ? "((%s) & %lld)" : "(%s & %lld)", digit,
                  (long long)extent - 1);
  return format(arena, is_shifted ? "(%s) %% %s" : "%s %% %s", digit, axis_extent(s, own));
}

/* Whether brackets stand around all of it. */
static bool is_bracketed(const char *text)
{
  int depth = 0;

  for (; *text; text++) {
    depth += (*text == '(') - (*text == ')');
    if (depth == 0 && text[1] != '\0')
      return false;
  }
  return true;
}

/* As what a cast stands before. */
static const char *bracketed(const Skeleton *s, const char *text)
{
  return strchr(text, ' ') && !is_bracketed(text) ? format(s->emit->arena, "(%s)", text) : text;
}

/* Where the containers of a block begin on own axis `own`, -1: the SNode has none there. */
static const char *origin_text(const Skeleton *s, const Type *type, int above, int own)
{
  Arena *arena = s->emit->arena;
  const char *origin = format(arena, "%s.origin[%d]", s->block, above);

  if (own < 0)
    return type->kind == TYPE_I64 ? origin : format(arena, "(%s)%s", c_type(type), origin);
  if (type->kind == TYPE_I64)
    return format(arena, "%s * %s", origin, axis_extent(s, own));
  return format(arena, looped(s)->axes[own].size ? "(%s)%s * %s" : "(%s)(%s * %s)", c_type(type),
                origin, axis_extent(s, own));
}

static bool has_origin(const Skeleton *s, int k)
{
  return index_of_axis(looped(s)->parent, looped(s)->path_axes[k]) >= 0;
}

/* The part of each coordinate that is constant in a block. */
void write_origins(Skeleton *s)
{
  const IrSNode *n = looped(s);
  Emit *e = s->emit;

  for (int k = 0; k < n->path_axis_count; k++) {
    int axis = n->path_axes[k], own = own_axis(n, axis), above = index_of_axis(n->parent, axis);
    const Type *type = s->task->stmt->variables[k]->type;
    if (!uses_index(s, k) || above < 0)
      continue;
    if (!s->origin[k])
      s->origin[k] = names_take(&s->names, format(e->arena, "%s_origin",
                                                  s->task->stmt->variables[k]->name));
    write_line(e, "const %s %s = %s;", c_type(type), s->origin[k],
               origin_text(s, type, above, own));
  }
}

const char *coordinate(const Skeleton *s, int k, const char *digit)
{
  Arena *arena = s->emit->arena;
  const Type *type = s->task->stmt->variables[k]->type;

  if (!digit)
    return s->origin[k];
  if (type->kind != TYPE_I64)
    digit = format(arena, "(%s)%s", c_type(type), bracketed(s, digit));
  return has_origin(s, k) ? format(arena, "%s + %s", s->origin[k], digit) : digit;
}

/* `const int32_t i = ...;` for each index that the body takes, but for one. */
void write_coordinates(Skeleton *s, int except)
{
  const IrSNode *n = looped(s);

  for (int k = 0; k < n->path_axis_count; k++) {
    int own = axis_of_index(n, k);
    if (!uses_index(s, k) || k == except)
      continue;
    write_line(s->emit, "const %s %s = %s;", c_type(s->task->stmt->variables[k]->type), s->index[k],
               coordinate(s, k, own >= 0 ? digit_of(s, own) : NULL));
  }
}

const char *index_at(const Skeleton *s, int k, const char *digit)
{
  const Type *type = s->task->stmt->variables[k]->type;
  const int axis = looped(s)->path_axes[k], own = own_axis(looped(s), axis);
  const int above = index_of_axis(looped(s)->parent, axis);
  Arena *arena = s->emit->arena;

  if (type->kind != TYPE_I64)
    digit = format(arena, "(%s)%s", c_type(type), bracketed(s, digit));
  if (above < 0)
    return digit;
  return own < 0 ? origin_text(s, type, above, own)
                 : format(arena, "%s + %s", origin_text(s, type, above, own), digit);
}

/* Of the containers's first cell. */
void write_first_coordinates(Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  const unsigned used = s->task->needs.indices | s->task->needs.first_indices;

  for (int k = 0; k < looped(s)->path_axis_count; k++) {
    const Type *type = task->variables[k]->type;
    const int axis = looped(s)->path_axes[k];
    const int above = index_of_axis(looped(s)->parent, axis), own = own_axis(looped(s), axis);
    if (!(used >> k & 1))
      continue;
    write_line(s->emit, "const %s %s = %s;", c_type(type), s->first[k],
               above < 0 ? "0" : origin_text(s, type, above, own));
  }
}

/* A row begins where the last digit is 0. */
void write_row_coordinates(Skeleton *s)
{
  const IrStmt *task = s->task->stmt;
  const int last = looped(s)->axes[looped(s)->axis_count - 1].axis;

  for (int k = 0; k < looped(s)->path_axis_count; k++) {
    const char *type = c_type(task->variables[k]->type);
    const int axis = looped(s)->path_axes[k], own = own_axis(looped(s), axis);
    if (!(s->here.indices >> k & 1) || axis == last)
      continue;
    if (own < 0)
      write_line(s->emit, "const %s %s = %s;", type, s->index[k], s->first[k]);
    else if (s->row_digit[own])
      write_line(s->emit, "const %s %s = %s + %s;", type, s->index[k], s->first[k],
                 s->row_digit[own]);
    else
      write_line(s->emit, "const %s %s = %s + (%s)%s;", type, s->index[k], s->first[k], type,
                 bracketed(s, digit_of(s, own)));
  }
}
