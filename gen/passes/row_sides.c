/* On which sides of its container a digit of a position may be outside, as its index tells. */
#include "gen/passes/rows.h"

bool begins_axis(const IrSNode *node, int axis)
{
  for (int k = 0; k < node->parent->path_axis_count; k++)
    if (node->parent->path_axes[k] == axis)
      return false;
  return true;
}

/* Which sides of the extent a digit may be beyond, by the index that it is of. A digit that is a
 * remainder is below where the index is negative, but for powers of
 * two, by which it is masked, and below a hash. */
void rows_find_sides(const IrStmt *linear, int k, bool *below, bool *above)
{
  const IrStmt *digit = linear->operands[k];
  const IrCells cells = { linear->snode, linear->snode->axes[k].axis, linear->slot };
  const int64_t size = linear->snode->axes[k].size;
  int64_t plus;
  IrRange x;

  *below = *above = false;
  if (digit->op != IR_digit)
    return;
  ir_range(digit->operands[0], &x);
  if (!begins_axis(linear->snode, cells.axis)) {
    *below = x.lo < 0 && (size & (size - 1)) != 0 &&
             !(linear->snode->open_axes >> cells.axis & 1);
    return;
  }
  *below = x.lo < 0;
  *above = size == 0 || x.hi >= size * digit->value.i;
  if (*above && size == 0)
    *above = !ir_is_index_below(digit->operands[0], &cells, &plus) || plus > 0;
}

/* The same of a digit in the leaf block, which may be of the leaf's first index plus a constant.
 * That index is 0 or more, but below a hash. */
void rows_find_sides_at(const Rows *r, const IrStmt *linear, int k, const IrStmt *digit,
                          bool *below, bool *above)
{
  const IrStmt *x = digit->op == IR_digit ? digit->operands[0] : digit;
  const IrStmt *first = x->op == IR_add && is_const(x->operands[1]) ? x->operands[0] : x;
  const int64_t plus = first == x ? 0 : x->operands[1]->value.i;
  const IrCells cells = { linear->snode, linear->snode->axes[k].axis, linear->slot };
  const IrSNode *looped = r->task->snode;
  int64_t unused, total;
  bool is_open;
  int axis;

  rows_find_sides(linear, k, below, above);
  if (first->op != IR_first_index || !(*below || *above))
    return;
  axis = looped->path_axes[first->index];
  is_open = looped->open_axes >> axis & 1;       /* below a hash the extents are no limit */
  *below = *below && (plus < 0 || is_open);
  total = looped->total[axis];
  if (plus > 0 || is_open || !*above)
    return;
  *above = !(total > 0 && total <= linear->snode->axes[k].size * linear->operands[k]->value.i) &&
           !ir_is_index_below(linear->operands[k]->operands[0], &cells, &unused);
}

/* Where a condition in the row keeps it inside, it is not found in front of the rows. */
bool rows_may_be_outside(const Rows *r, const IrStmt *s)
{
  const IrStmt *linear = s->op == IR_cell && ir_is_in_place(s->snode) ? s->operands[1] : NULL;
  bool below = false, above = false;

  if (!linear || linear->op != IR_linear)
    return false;
  for (int k = 0; k < linear->operand_count && !below && !above; k++)
    rows_find_sides_at(r, linear, k, linear->operands[k], &below, &above);
  return below || above;
}
