/* Places in trees as C: fields in cells that stand in place.
 *
 *   leaf->cell[l].u    a cell is a struct
 *   leaf->cell.u[l]    soa: the container is a struct of arrays
 *   leaf->cell[l >> 3].u[l & 7]
 *                      soa rows: a row is one
 *   u[l]               soa under the root: the arrays have names where a function begins
 */
#include "gen/emit/body.h"

#include <stdlib.h>
#include <string.h>

static const char *member(Body *b, CellText cell, const char *name)
{
  return format(b->emit->arena, "%s%s%s", cell.text, cell.is_place ? "." : "->", name);
}

/* ---- arrays under the root ---- */

static const char *array_name(Body *b, int slot, const IrField *f)
{
  NamedArray array = { slot, f, NULL };

  for (int k = 0; k < b->array_count; k++)
    if (b->arrays[k].slot == slot && b->arrays[k].field == f)
      return b->arrays[k].name;
  array.name = names_take(&b->names, f->name);
  vec_push(b->emit->arena, b->arrays, b->array_count, array);
  return array.name;
}

void declare_arrays(Body *b, size_t begin)
{
  const char *rest;

  if (b->array_count == 0)
    return;
  rest = cut_text(b->emit, begin);
  for (int k = 0; k < b->array_count; k++) {
    const IrField *f = b->arrays[k].field;
    TreeNames *t = &b->emit->trees[f->snode->tree->id];
    t->uses_array[f->id] = true;
    write_line(b->emit, "SND_GLB %s *const %s = %s(%s);", array_type(f->type), b->arrays[k].name,
               t->array[f->id], b->view[b->arrays[k].slot]);
  }
  text_add(b->emit->out, rest);
}

/* ---- cells ---- */

/* What the cells of a container are reached by, from the cell that it stands in: an array of
 * structs, or a struct of arrays. */
CellText container_in(Body *b, const IrSNode *n, CellText above)
{
  above.text = format(b->emit->arena, kind_is(n->kind, KIND_MASKED) ? "%s.cell" : "%s",
                      member(b, above, b->emit->trees[n->tree->id].snode[n->id].member));
  above.is_place = true;
  above.is_array = n->is_soa_by_row;
  return above;
}

static CellText container_text(Body *b, const IrStmt *s)
{
  const IrSNode *n = s->snode;
  CellText container = { .slot = s->slot, .bound = BOUND_PRIMARY };

  if (has_named_arrays(n))
    return container;
  if (n->parent->kind != SNODE_ROOT)
    return container_in(b, n, cell_text(b, s->operands[0]));
  container.text = format(b->emit->arena, "%s(%s)", use_walk(b, n, WALK_CELLS), b->view[s->slot]);
  return container;
}

CellText place_text(Body *b, const IrStmt *s)
{
  CellText cell;

  if (row_beside_text(b, s, &cell))
    return cell;
  cell = container_text(b, s);
  if (s->snode->is_soa) {
    cell.at = value_text(b, s->operands[1]);
    cell.begins_row = begins_row(s);
    return cell;
  }
  cell.text = format(b->emit->arena, "%s[%s]", cell.text, loose(b, s->operands[1]));
  cell.is_place = true;
  return cell;
}

/* ---- fields ---- */

/* x + n */
static const char *plus(Body *b, CText x, int n)
{
  char *end;
  const long long number = strtoll(x.text, &end, 10);

  if (n == 0)
    return x.text;
  if (*end == '\0')
    return format(b->emit->arena, "%lld", number + n);
  return format(b->emit->arena, "%s + %d", within(b, x, BOUND_ADD), n);
}

static int shift_of(int64_t cells)
{
  int shift = 0;

  while (INT64_C(1) << shift < cells)
    shift++;
  return INT64_C(1) << shift == cells ? shift : -1;
}

static bool is_number(const char *text)
{
  return text[strspn(text, "0123456789")] == '\0';
}

/* In which row of so many cells a position is, and where in it. */
static void split_position(Body *b, CText at, int64_t row, const char **number, const char **rest)
{
  Arena *arena = b->emit->arena;
  const char *text = within(b, at, BOUND_UNARY);
  const int shift = shift_of(row);

  if (is_number(at.text)) {
    *number = format(arena, "%lld", strtoll(at.text, NULL, 10) / row);
    *rest = format(arena, "%lld", strtoll(at.text, NULL, 10) % row);
    return;
  }
  *number = shift < 0 ? format(arena, "%s / %lld", text, (long long)row)
                      : format(arena, "%s >> %d", text, shift);
  *rest = shift < 0 ? format(arena, "%s %% %lld", text, (long long)row)
                    : format(arena, "%s & %lld", text, (long long)row - 1);
}

/* A row is a struct of arrays. */
static const char *place_in_row(Body *b, CellText cell, const IrField *field, int cells)
{
  const bool is_behind = cell.begins_row && !is_number(cell.at.text);
  const int64_t row = ir_array_cells(field->snode);
  const char *number, *rest;
  CText at = cell.at;

  if (!is_behind && cells > 0)
    at = (CText){ plus(b, at, cells), BOUND_ADD };
  split_position(b, at, row, &number, &rest);
  if (is_behind)
    rest = format(b->emit->arena, "%lld", (long long)(cells % row));
  if (is_behind && cells >= row)
    number = format(b->emit->arena, "(%s) + %lld", number, (long long)(cells / row));
  return format(b->emit->arena, "%s[%s].%s[%s]", cell.text, number,
                b->emit->trees[field->snode->tree->id].field_member[field->id], rest);
}

const char *field_place_behind(Body *b, CellText cell, const IrField *field, int cells)
{
  const char *name = b->emit->trees[field->snode->tree->id].field_member[field->id];
  Arena *arena = b->emit->arena;

  if (field->snode->is_soa_by_row)
    return place_in_row(b, cell, field, cells);
  if (field->snode->is_soa)
    return format(arena, "%s[%s]",
                  cell.text ? member(b, cell, name) : array_name(b, cell.slot, field),
                  plus(b, cell.at, cells));
  return cells ? format(arena, "%s[%d].%s", cell.text, cells, name) : member(b, cell, name);
}

const char *field_place(Body *b, CellText cell, const IrField *field)
{
  return field_place_behind(b, cell, field, 0);
}

/* ---- names ---- */

static bool is_word(const char *text)
{
  return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
         strlen(text);
}

/* It stands wherever a field of the cell does. */
static CText name_position(Body *b, CText at)
{
  const char *name;

  if (!at.text || is_word(at.text))
    return at;
  name = names_take(&b->names, "at");
  write_line(b->emit, "const int64_t %s = %s;", name, at.text);
  return (CText){ name, BOUND_PRIMARY };
}

/* A cell in arrays is known by its container and its position: what is looked up is whether it is
 * there. */
static CellText name_look(Body *b, const IrStmt *s)
{
  const char *call = walk_text(b, s);
  CellText cell = place_text(b, s);

  if (s->mode == IR_MODE_ACTIVATE && !cell.null_test) {
    write_line(b->emit, "%s;", call);
    return cell;
  }
  cell.null_test = names_take(&b->names, "is_there");
  cell.tests_flag = true;
  write_line(b->emit, "const bool %s = %s;", cell.null_test, call);
  return cell;
}

static CellText name_pointer(Body *b, const IrStmt *s)
{
  CellText cell = cell_text(b, s);
  const char *pointer, *name;

  cell.at = name_position(b, cell.at);
  if (!cell.text)
    return cell;
  pointer = cell_pointer(b, s);
  name = names_take(&b->names, suggest_name(b->emit->arena, s));
  write_line(b->emit, "%sSND_GLB %s *%s = %s;", cell.is_const ? "const " : "", cell_type(b, s),
             name, pointer);
  cell.text = name;
  cell.is_place = false;
  cell.null_test = cell.null_test ? name : NULL;
  return cell;
}

void name_cell(Body *b, const IrStmt *s)
{
  ValueInfo *info = value_info(b, s);

  info->named = is_walked(s) && s->snode->is_soa ? name_look(b, s) : name_pointer(b, s);
  info->text = (CText){ info->named.text, BOUND_PRIMARY };
  info->state = VALUE_NAMED;
}
