/* What is known of an index: the interval of its values, the loop's index that it is made of, and
 * the cells that a loop's index counts.
 *
 * It is read off the statements themselves, so it holds while the module is lowered and in every
 * pass.  Locals are looked through where their only declaration is noted (note_declarations of the
 * passes).
 */
#ifndef SNODEGEN_IR_INTERVAL_H
#define SNODEGEN_IR_INTERVAL_H

#include "gen/ir/ir.h"
#include "gen/model/interval.h"

typedef Interval IrRange;           /* of the values of a statement */

/* The least interval known to hold an integer value; false: nothing is known beyond its type,
 * whose limits are given then.  Arithmetic that might overflow its type makes nothing known. */
bool ir_range(const IrStmt *, IrRange *);

/* What a comparison of integers comes to, whatever their values are; false: that is not known. */
bool ir_known_comparison(const IrStmt *, bool *result);

/* Without the casts that keep any integer. */
const IrStmt *ir_without_widening(const IrStmt *s);

/* What s is a widened copy of: without such casts, and the locals that are only declared. */
const IrStmt *ir_without_casts(const IrStmt *s);

/* The bool of which s is 0 or 1 in a wider type, or NULL. */
IrStmt *ir_widened_bool(IrStmt *);

/* What an index is, less the constant that is added to it, and without casts on the way: the
 * language lets index arithmetic assume that it does not overflow. */
IrStmt *ir_without_constant(IrStmt *index, int64_t *constant);

/* What a loop's index runs between, the second excluded; false: it counts cells. */
bool ir_bounds_of_index(const IrStmt *loop_index, const IrStmt *bound[2]);

/* The cells that index k of a loop counts: of an SNode, along an axis. */
typedef struct IrCells {
  const IrSNode *node;
  int axis;
  int slot;
} IrCells;

/* false: it is no loop over cells, whose index counts something else. */
bool ir_cells_of_index(const IrStmt *loop_index, IrCells *);

/* Whether x, less by *plus, is an index over cells of an SNode in the same instance, along the
 * same axis, with the same run-time extent at its top, of which there are no more than of those
 * of `of`. */
bool ir_is_index_below(const IrStmt *x, const IrCells *of, int64_t *plus);

#endif
