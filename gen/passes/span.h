/* Over what a value of a struct_for's body is constant: the leaf, a row of it, or one cell.
 *
 * A leaf is the container whose cells the loop stands on, a row those of its cells that differ
 * in the last axis only.  Of a large container each run, some cells of a row, counts as a leaf.
 * An index of the loop is its value at the leaf's first cell, plus the digit of the cell in the
 * leaf.  Of an index that the program computes from one of them the analysis keeps how it runs
 * over the digits, number by number; so any chain of sums, products, divisions and remainders by
 * constants is followed exactly.
 */
#ifndef SNODEGEN_PASSES_SPAN_H
#define SNODEGEN_PASSES_SPAN_H

#include "gen/passes/tools.h"

enum { SPAN_MOST = 64 };      /* digits that an index is followed over */

typedef enum Span { SPAN_LEAF, SPAN_ROW, SPAN_CELL } Span;

/* What else than the loop's index `index` is in a Stride: nothing, what is constant throughout the
 * task, or over the leaf. */
typedef enum Shift { SHIFT_NONE, SHIFT_TASK, SHIFT_LEAF } Shift;

/* An integer as the sum of what is constant over the leaf, a multiple of `multiple` (0: nothing),
 * and of at[d], where d is the digit of the loop's index `index` (-1: of none, there is at[0]).
 * What is constant is `step` for each leaf along the axis of that index, and a shift. */
typedef struct Stride {
  int index, digits;
  int64_t multiple, step;
  Shift shift;
  int64_t at[SPAN_MOST];
} Stride;

/* The digits of a loop's index: its SNode's own extent; in a container that is gone through by
 * runs, the cells of a run for the index along the row, and 1 for the others. */
int span_digits(const IrStmt *task, int index);
/* What the index at digit 0 is a multiple of. */
int64_t span_multiple(const IrStmt *task, int index);
/* Cells of a run, into which the rows of a container are cut that is no one block of a loop: an
 * axis has more than SPAN_MOST cells, or their number is known at run time, or a block of it may
 * hold a part of a row.  0: the container is gone through whole. */
int span_run(const IrStmt *task);
/* The index that runs along a row, or -1. */
int span_row_index(const IrStmt *task);
/* Over what a pure value of the task's body is constant; locals count as not constant unless
 * they are only declared. */
Span span_of(const IrStmt *task, const IrStmt *value);
/* false: the value is not known to be such a sum. */
bool span_stride(const IrStmt *task, const IrStmt *value, Stride *);
/* Whether the condition is that an index has one of the rests by a number, of which each occurs
 * among so many cells side by side: so it is true of one of them, wherever they are. */
bool span_has_each(const IrStmt *task, const IrStmt *condition, int cells);
/* Whether it differs within the leaf. */
bool span_runs(const Stride *);
/* x / by, rounded down, and x less by times that, for by > 0. */
bool span_quotient(const Stride *x, int64_t by, Stride *to);
bool span_rest(const Stride *x, int64_t by, Stride *to);

#endif
