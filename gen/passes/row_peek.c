/* Whether cells are active, asked for the lanes of a row:
 *
 *   .. the walk ..                                        .. the walk for the leaf, which may
 *   <cell> $9 = cell S2bitmasked grid peek $7 $8      =>  be the ambient one ..
 *   <bool> $10 = is_null $9                               <bool x 8> .. = active_cells S2bitmasked
 *
 * The masks of an ambient cell are zeros: nothing in it is active. So where the loop stands the
 * walk is the one that loads make, and no step of it is asked about.
 */
#include "gen/passes/row_access.h"

/* Of so many cells, each with its container and its position in that; no lanes: of one cell. */
static IrStmt *put_active(Rows *r, const IrStmt *peeked, IrStmt **cells, int count, int lanes,
                          const IrLane *lane)
{
  IrStmt *s = rows_new(r, IR_active_cells, TY(BOOL), peeked->loc);

  s->snode = peeked->snode;
  s->slot = peeked->slot;
  s->lanes = lanes;
  s->from = NEW_ARRAY(r->module->arena, IrLane, lanes);
  for (int k = 0; k < lanes; k++)
    s->from[k] = lane[k];
  for (int k = 0; k < count; k++) {
    ir_add_operand(r->module, s, cells[k]->operands[0]);
    ir_add_operand(r->module, s, cells[k]->operands[1]);
  }
  return rows_put(r, s);
}

IrStmt *row_access_active(RowAccess *a, const IrStmt *peeked)
{
  IrStmt *cells[MOST_PIECES];
  IrLane lane[IR_MOST_LANES] = { { 0, 0 } };
  const int count = row_access_cells(a, cells, lane);

  if (count == 0)
    return NULL;
  return row_access_varies(a) ? put_active(a->rows, peeked, cells, count, a->rows->lanes, lane)
                              : put_active(a->rows, peeked, cells, 1, 0, NULL);
}

/* Of a bitmasked SNode beside the loop's own, at the loop's own place. */
static IrStmt *own_active(Rows *r, const IrStmt *peeked, IrStmt *own)
{
  IrLane lane[IR_MOST_LANES];

  for (int k = 0; k < r->lanes; k++)
    lane[k] = (IrLane){ 0, k };
  return put_active(r, peeked, &own, 1, r->lanes, lane);
}

bool row_access_is_masked(const IrStmt *cell)
{
  return cell->op == IR_cell && kind_is(cell->snode->kind, KIND_MASKED);
}

IrStmt *rows_is_null(Rows *r, const IrStmt *s)
{
  const IrStmt *peeked = s->operands[0];
  IrStmt *own, *active;
  RowAccess a;

  if (!row_access_is_masked(peeked))
    return rows_fail(r, s, "it is worked out cell by cell");
  own = rows_own_cell(r, peeked);
  if (own) {
    active = own_active(r, peeked, own);
    return rows_not(r, active);
  }
  if (!row_access_begin(&a, r, peeked))
    return rows_fail(r, s, "an index of it is not known to be constant over a leaf or a row");
  if (!row_access_cut(&a))
    return rows_fail(r, s, "a row of it is in too many leaves");
  if (r->by_runs || peeked->snode->parent->kind == SNODE_ROOT)
    row_position_leave(&a);
  active = r->why ? NULL : row_access_active(&a, peeked);
  return active ? rows_not(r, active) : NULL;
}
