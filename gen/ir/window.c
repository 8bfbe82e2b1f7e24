/* Windows: blocks of an SNode's cells, and what a `window` holds of them. */
#include "gen/ir/window.h"

#include <string.h>

enum { LEAST_BLOCK = 4, LEAST_LANES = 4 };

/* ---- blocks ---- */

/* How many cells a block has on an axis, at most: with several axes it has as many in all. */
static int64_t most_cells(int axes)
{
  static const int64_t most[] = { 256, 256, 16, 8 };

  return axes < 4 ? most[axes] : LEAST_BLOCK;
}

/* The whole extent, or the largest power of two that divides it; 0: there is no such. */
static int64_t block_of_extent(int64_t extent, int64_t most)
{
  if (extent <= most)
    return extent;
  while (most >= LEAST_BLOCK && extent % most != 0)
    most /= 2;
  return most >= LEAST_BLOCK ? most : 0;
}

static int wide_axes(const IrSNode *n)
{
  int count = 0;

  for (int k = 0; k < n->axis_count; k++)
    count += n->axes[k].size > 1;
  return count;
}

static int64_t own_extent(const IrSNode *n, int axis)
{
  for (int k = 0; k < n->axis_count; k++)
    if (n->axes[k].axis == axis)
      return n->axes[k].size;
  return 1;
}

/* Above it a list would give it cells by a position, and a hash cells at any coordinate. */
static bool has_closed_path(const IrSNode *n)
{
  if (n->open_axes != 0)
    return false;
  for (; n; n = n->parent)
    if (kind_is(n->kind, KIND_LIST))
      return false;
  return true;
}

bool ir_window_blocks(const IrSNode *n, int64_t block[MAX_AXES])
{
  if (!kind_is(n->kind, KIND_DENSE) || !has_closed_path(n))
    return false;
  for (int k = 0; k < n->path_axis_count; k++) {
    const int axis = n->path_axes[k];
    if (n->total[axis] == 0)
      return false;
    block[k] = block_of_extent(own_extent(n, axis), most_cells(wide_axes(n)));
    if (block[k] == 0)
      return false;
  }
  return n->path_axis_count > 0;
}

/* ---- a window ---- */

/* The field whose name the text begins with, and where the next name begins; NULL: none of n. */
static const IrField *next_field(const IrSNode *n, const char **text)
{
  const size_t length = strcspn(*text, " ");

  for (int k = 0; k < n->field_count; k++)
    if (strlen(n->fields[k]->name) == length && memcmp(n->fields[k]->name, *text, length) == 0) {
      *text += length + ((*text)[length] == ' ');
      return n->fields[k];
    }
  return NULL;
}

static bool take_fields(const IrStmt *s, IrWindow *w)
{
  const char *text = s->text;

  while (*text) {
    const IrField *field = next_field(s->snode, &text), *before;
    before = w->field_count > 0 ? w->field[w->field_count - 1] : NULL;
    if (!field || w->field_count == IR_WINDOW_FIELDS ||
        (before && (before->id >= field->id || before->type != field->type)))
      return false;
    w->field[w->field_count++] = field;
  }
  return w->field_count > 0;
}

bool ir_window_has_fields(const IrStmt *s)
{
  IrWindow w = { .stmt = s };

  return s->text && take_fields(s, &w);
}

IrWindow ir_window(const IrStmt *s)
{
  const IrSNode *n = s->snode;
  IrWindow w = { .stmt = s, .axes = n->path_axis_count, .lanes = 1 };

  if (!take_fields(s, &w))
    ICE("a window holds no fields");
  w.is_added_to = s->index & IR_WINDOW_ADDED;
  w.leaves_inactive = s->index & IR_WINDOW_LEAVES_INACTIVE;
  w.is_in_block = s->index & IR_WINDOW_IN_BLOCK;
  if (w.field_count > 1)
    for (w.lanes = LEAST_LANES; w.lanes < w.field_count; w.lanes *= 2)
      ;
  if (!ir_window_blocks(n, w.block))
    ICE("%s has no blocks for a window", n->label);
  for (int k = 0; k < w.axes; k++) {
    w.extent[k] = w.block[k] + s->operands[w.axes + k]->value.i - 1;
    w.blocks[k] = n->total[n->path_axes[k]] / w.block[k];
  }
  return w;
}

int64_t ir_window_cells(const IrWindow *w)
{
  int64_t cells = 1;

  for (int k = 0; k < w->axes; k++)
    cells *= w->extent[k];
  return cells;
}

int ir_window_element(const IrWindow *w, const IrField *field)
{
  int k = 0;

  while (w->field[k] != field)
    k++;
  return k;
}
