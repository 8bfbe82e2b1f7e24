/* What --check adds: tests of what the language otherwise gives a meaning to.
 *
 *   div       the divisor of an integer is not 0
 *   inactive  a cell that is read is active
 *   race      no two iterations have the same p of a [[unique(p)]]
 *
 * The first two are a `require`, the third is a `claim`: each ends the iteration as a trap
 * does.  The update of a cell is no read: it activates.
 */
#include "gen/lower/scope.h"

#include <stddef.h>

/* ---- inactive ---- */

static bool is_sparse(const IrSNode *n)
{
  while (n && !ir_is_sparse(n))
    n = n->parent;
  return n != NULL;
}

/* Index k as a number of cells. */
static IrStmt *cell_index(Lowering *l, const Place *p, int k)
{
  IrStmt *index = convert(l, p->indices[k], TY(I64), p->loc);

  if (p->field->origin[k] == 0)
    return index;
  return lower_binary(l, OP_SUB, index, emit_int(l, TY(I64), p->field->origin[k], p->loc), p->loc);
}

/* Where reads give something outside the extents there is no cell, and nothing inactive. */
static IrStmt *or_outside(Lowering *l, const Place *p, IrStmt *good, IrStmt *const *by_axis)
{
  for (int k = 0; k < p->field->axis_count; k++) {
    int axis = p->field->axes[k];
    IrStmt *at = by_axis[axis], *end;
    if (p->field->snode->open_axes >> axis & 1)
      continue;
    good = lower_binary(l, OP_OR, good,
                        lower_binary(l, OP_LT, at, emit_int(l, TY(I64), 0, p->loc), p->loc),
                        p->loc);
    end = total_extent(l, p->field, p->slot, axis, p->loc);
    good = lower_binary(l, OP_OR, good, lower_binary(l, OP_GE, at, end, p->loc), p->loc);
  }
  return good;
}

/* "x[%lld, %lld] is read: its cell is inactive" */
static const char *inactive_text(Lowering *l, const Place *p)
{
  Arena *arena = l->module->arena;
  const char *name = ir_whole_name(arena, p->field->name), *list = "";

  for (int k = 0; k < p->field->axis_count; k++)
    list = intern_format(arena, "%s%s%%d", list, k ? ", " : "");
  return intern_format(arena, "%s[%s] is read: its cell is inactive", name, list);
}

/* Stands behind the read, whose index is inside then, or has trapped. */
void check_read(Lowering *l, const Place *p)
{
  IrStmt *by_axis[MAX_AXES] = { NULL }, *good, *require;

  if (!(l->options->checks & CHECK_INACTIVE) || !p->field || !is_sparse(p->field->snode))
    return;
  good = ir_stmt(l->module, IR_is_active, TY(BOOL), p->loc, NULL);
  good->snode = p->field->snode;
  good->slot = p->slot;
  for (int k = 0; k < p->field->axis_count; k++)
    by_axis[p->field->axes[k]] = cell_index(l, p, k);
  for (int k = 0; k < p->field->snode->path_axis_count; k++)
    ir_add_operand(l->module, good, by_axis[p->field->snode->path_axes[k]]);
  emit(l, good);
  if (l->options->bounds == IR_BOUNDS_ZERO || p->field->border == BORDER_DEFAULT)
    good = or_outside(l, p, good, by_axis);
  require = emit_require(l, IR_FAULT_INACTIVE, inactive_text(l, p), good, p->loc);
  for (int k = 0; k < p->field->axis_count; k++)
    ir_add_operand(l->module, require, p->indices[k]);
}

/* ---- race ---- */

/* "(%d, %d)", of one word "%d" alone. */
static const char *words_text(Lowering *l, int count)
{
  const char *list = "";

  for (int k = 0; k < count; k++)
    list = intern_format(l->module->arena, "%s%s%%d", list, k ? ", " : "");
  return count == 1 ? list : intern_format(l->module->arena, "(%s)", list);
}

/* "p = %d in the iterations %d and %d: [[unique(p)]] does not hold" */
static const char *claim_text(Lowering *l, const char *name, int elements)
{
  Arena *arena = l->module->arena;
  const char *index = words_text(l, l->own_count);

  if (!ir_claim_tells(elements, l->own_count))
    return intern_format(arena, "two iterations have the same %s: [[unique(%s)]] does not hold",
                         name, name);
  return intern_format(arena, "%s = %s in the iterations %s and %s: [[unique(%s)]] does not hold",
                       name, words_text(l, elements), index, index, name);
}

void check_unique(Lowering *l, const IrStmt *unique, const char *name)
{
  IrStmt *claim;

  if (!(l->options->checks & CHECK_RACE))
    return;
  claim = ir_stmt(l->module, IR_claim, TY(VOID), unique->loc, NULL);
  claim->index = unique->operand_count;
  claim->text = claim_text(l, name, unique->operand_count);
  for (int k = 0; k < unique->operand_count; k++)
    ir_add_operand(l->module, claim, unique->operands[k]);
  for (int k = 0; k < l->own_count; k++)
    ir_add_operand(l->module, claim, l->own[k]);
  emit(l, claim);
}
