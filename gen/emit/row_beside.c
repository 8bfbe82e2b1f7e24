/* A cell that stands in one container or in the one beside it, by the row: the places of both, of
 * which one is chosen.
 *
 *   (row_i < 1 ? &leaf_2->cell[row_i * 64 + 448] : &leaf->cell[row_i * 64 - 64])[row_j * 8]
 *
 * is the cell
 *
 *   (row_i < 1 ? leaf_2 : leaf)->cell[(((row_i + 7) & 7) * 8 + row_j) * 8]
 *
 * of which gcc computes the position anew for each row; a pointer that does not change while row_j
 * runs it keeps, and counts on from it. Where the choice is by row_j, whose loop is written out,
 * nothing is left of it, and the position is as good.
 */
#include "gen/emit/body.h"

/* Of a cell in select(digit < limit, one, other), at a position one of whose digits is that of the
 * row and as much more as leads from the limit to the extent, within the extent. */
typedef struct Beside {
  const IrStmt *digit;                   /* the row's */
  int operand;                           /* of the position */
  int64_t limit, extent, stride;
} Beside;

static bool is_named(Body *b, const IrStmt *s)
{
  return value_info(b, s)->state == VALUE_NAMED;
}

/* The row's digit, on an axis whose loop has another in it, is less than a constant. */
static bool is_test(const IrStmt *s, const IrSNode *rows)
{
  return s->op == IR_cmp_lt && s->operands[0]->op == IR_row_digit &&
         s->operands[1]->op == IR_const &&
         axis_of_index(rows, s->operands[0]->index) < rows->axis_count - 2;
}

/* (digit of the row + extent - limit) % extent */
static bool is_beside(Body *b, const IrStmt *s, const Beside *beside)
{
  const IrStmt *sum = s->op == IR_digit ? s->operands[0] : NULL;

  return sum && !is_named(b, s) && s->value.i == 1 && !is_top_of_axis(s->snode, s->index) &&
         sum->op == IR_add && sum->plain && sum->operands[0]->op == IR_row_digit &&
         sum->operands[0]->index == beside->digit->index && sum->operands[1]->op == IR_const &&
         own_extent(s->snode, s->index) == beside->limit + sum->operands[1]->value.i;
}

/* Which digit of the position it is, and how far apart its cells are. */
static bool find_operand(Body *b, const IrStmt *position, Beside *beside)
{
  int64_t stride = 1;

  beside->operand = -1;
  for (int k = position->operand_count - 1; k >= 0; k--) {
    const int64_t extent = position->snode->axes[k].size;
    if (extent < 1 || stride > INT32_MAX / extent)
      return false;
    if (is_beside(b, position->operands[k], beside)) {
      beside->operand = k;
      beside->extent = extent;
      beside->stride = stride;
    }
    stride *= extent;
  }
  return beside->operand >= 0;
}

static bool find_beside(Body *b, const IrStmt *cell, Beside *beside)
{
  const IrStmt *choice = cell->operands[0], *position, *test;
  const IrSNode *rows = b->rows ? b->task->snode : NULL;

  if (!rows || cell->snode->is_soa || choice->op != IR_select || is_named(b, choice))
    return false;
  position = cell->operands[1];
  test = choice->operands[0];
  if (position->op != IR_linear || is_named(b, position) || !is_test(test, rows))
    return false;
  beside->digit = test->operands[0];
  beside->limit = test->operands[1]->value.i;
  return find_operand(b, position, beside) &&
         rows->axes[axis_of_index(rows, beside->digit->index)].size <= beside->extent;
}

/* The address of the cell that the row's digit leads to, so many digits further on. */
static const char *place_of(Body *b, const IrStmt *cell, const IrStmt *above, const Beside *beside,
                            int64_t further)
{
  const long long stride = (long long)beside->stride, cells = (long long)further * stride;

  return format(b->emit->arena, "&%s[%s * %lld %c %lld]",
                container_in(b, cell->snode, cell_text(b, above)).text,
                value_text(b, beside->digit).text, stride, cells < 0 ? '-' : '+',
                cells < 0 ? -cells : cells);
}

bool row_beside_text(Body *b, const IrStmt *cell, CellText *text)
{
  const IrStmt *choice = cell->operands[0];
  const char *one, *other;
  Beside beside;

  if (!find_beside(b, cell, &beside))
    return false;
  one = place_of(b, cell, choice->operands[1], &beside, beside.extent - beside.limit);
  other = place_of(b, cell, choice->operands[2], &beside, -beside.limit);
  *text = (CellText){ .slot = cell->slot, .bound = BOUND_PRIMARY, .is_place = true,
                      .is_const = true };
  text->text = format(b->emit->arena, "(%s ? %s : %s)[%s]", value_text(b, choice->operands[0]).text,
                      one, other, position_but(b, cell->operands[1], beside.operand).text);
  return true;
}
