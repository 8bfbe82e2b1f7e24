/* Checks of indices that are known to be inside the extents. */
#include "gen/passes/tools.h"

/* The sides of an extent on which an index cannot be outside. */
enum { BELOW = 1, ABOVE = 2 };

static int sides_of_range(const IrStmt *x, int64_t origin, int64_t extent)
{
  IrRange r;

  if (!ir_range(x, &r))
    return 0;
  return (r.lo >= origin ? BELOW : 0) | (extent > 0 && r.hi < origin + extent ? ABOVE : 0);
}

static int sides_of_axis(const IrStmt *s, int k)
{
  const IrSNode *node = s->field ? s->field->snode : s->snode;
  const IrCells cells = { node, s->field ? s->field->axes[k] : node->path_axes[k], s->slot };
  const int64_t origin = s->field ? s->field->origin[k] : 0;
  int64_t plus;

  if (node->open_axes >> cells.axis & 1)
    return BELOW | ABOVE;
  return sides_of_range(s->operands[k], origin, node->total[cells.axis]) |
         (ir_is_index_below(s->operands[k], &cells, &plus) && plus <= origin ? ABOVE : 0);
}

/* foreach (i in 0 .. n) over an array of n elements. */
static bool is_below_parameter(const IrStmt *x, const IrVariable *extent)
{
  int64_t plus;
  const IrStmt *index = ir_without_casts(
                   ir_without_constant((IrStmt *)(uintptr_t)ir_without_casts(x), &plus)),
               *bound[2];

  return index->op == IR_loop_index && plus <= 0 && ir_bounds_of_index(index, bound) &&
         ir_without_casts(bound[1])->op == IR_param &&
         ir_without_casts(bound[1])->variable == extent;
}

static int sides_of_element(const IrStmt *s, int k)
{
  const IrVariable *array = s->variable, *extent = array->extent_variable[k];
  const int sides = sides_of_range(s->operands[k], 0, extent ? 0 : array->extent_constant[k]);

  return sides | (extent && is_below_parameter(s->operands[k], extent) ? ABOVE : 0);
}

bool note_inside(IrStmt *s)
{
  const bool is_array = !s->field && !s->snode;
  int all = 0;

  for (int k = 0; k < s->operand_count; k++)
    all |= (is_array ? sides_of_element(s, k) : sides_of_axis(s, k)) << (2 * k);
  s->index = all;
  return all == (1 << (2 * s->operand_count)) - 1;
}

bool is_element_inside(const IrStmt *s)
{
  return sides_of_range(s->operands[0], 0, s->index) == (BELOW | ABOVE);
}
