/* Reads that give the field's default outside of the extents, as a border or --bounds=zero has it:
 *
 *   declare element $default
 *   if $inside {                            <f32 x 8> .. = row_load u .. from leaves each of which
 *     .. the walk ..                   =>   may be the ambient one
 *     <f32> $9 = load u $8
 *     set element $9
 *   }
 *
 * An inactive leaf reads as the ambient cell, of which all values are defaults and no cell is
 * active; so does one that is not there at all. The question whether a cell is active is such a
 * read, of which false is the default. Extents are multiples of those of a leaf: no leaf is there
 * in part. So no row asks, and no lane.
 */
#include "gen/passes/row_access.h"

/* Whether the indices that may be outside are those that the walk runs with, and only its first
 * steps see that: below the uppermost one that may end at an ambient cell there are rests. */
static bool ends_at_ambient_cell(const RowAccess *a)
{
  bool has_ambient = false;

  for (const IrStmt *s = a->cell->operands[0]; s->op == IR_cell; s = s->operands[0])
    has_ambient = has_ambient || kind_is(s->snode->kind, KIND_SLOTS);
  for (int k = 0; k < a->cell->snode->axis_count; k++)
    if (begins_axis(a->cell->snode, a->cell->snode->axes[k].axis))
      return false;
  return has_ambient;
}

/* Of `not is_null` the cell that it asks for, where that is a bitmasked one. */
static const IrStmt *asked_cell(const IrStmt *s)
{
  const IrStmt *cell = s->op == IR_logic_not && s->operands[0]->op == IR_is_null
                           ? s->operands[0]->operands[0] : NULL;

  return cell && row_access_is_masked(cell) ? cell : NULL;
}

/* The load at whose value the local is set, or the question whether a cell is active, of a block
 * that does nothing else. */
static const IrStmt *only_read(const IrBlock *block)
{
  const IrStmt *set = block->count > 0 ? block->stmts[block->count - 1] : NULL;

  if (!set || set->op != IR_set || set->operands[0]->parent != block ||
      (set->operands[0]->op != IR_load && !asked_cell(set->operands[0])))
    return NULL;
  for (int k = 0; k + 1 < block->count; k++)
    if (ir_effects(block->stmts[k]) > IR_READS)
      return NULL;
  return set->operands[0];
}

/* Whether the local is what is read of a cell that is not there: a field's default, or false. */
static bool is_default(const RowLocal *local, const IrStmt *read)
{
  const IrStmt *value = local->last && local->last->op == IR_declare ? local->first : NULL;

  if (value && value->op == IR_spread)
    value = value->operands[0];
  return value && is_const(value) &&
         value->value.i == (read->op == IR_load ? read->field->default_value.i : 0);
}

/* What the indices of the walk are made of. */
static void put_indices(Rows *r, const IrBlock *block, const IrStmt *read)
{
  for (int k = 0; k + 1 < block->count; k++) {
    IrBlock one = { &block->stmts[k], 1, NULL };
    if (block->stmts[k] != read && block->stmts[k]->op != IR_is_null)
      rows_block(r, &one);
  }
}

bool rows_read_bordered(Rows *r, const IrStmt *branch)
{
  const IrBlock *block = branch->blocks[0];
  const IrStmt *check = branch->operands[0], *read = only_read(block);
  const IrStmt *asked = read ? asked_cell(read) : NULL;
  RowLocal *local;
  RowAccess a;
  IrStmt *value;

  if (r->by_runs || check->op != IR_inside || check->variable || !read ||
      branch->blocks[1]->count > 0)
    return false;
  local = rows_local(r, block->stmts[block->count - 1]->variable);
  if (!local || local->mask != r->mask || !is_default(local, read) ||
      (!asked && map_get(&r->changed, read->field)) ||
      !row_access_begin(&a, r, asked ? asked : read->operands[0]) || !a.is_in_place ||
      !row_access_cut(&a) || !ends_at_ambient_cell(&a))
    return false;
  put_indices(r, block, read);
  a.check = check;
  value = r->why ? NULL : asked ? row_access_active(&a, asked) : row_access_load(&a, read);
  if (value)
    rows_set_local(r, local, value);
  return true;
}
