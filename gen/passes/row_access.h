/* One load of the row form while it is made (row_access.c), where in a leaf its cells are
 * (row_position.c), and what is read outside of the extents (row_border.c).
 */
#ifndef SNODEGEN_PASSES_ROW_ACCESS_H
#define SNODEGEN_PASSES_ROW_ACCESS_H

#include "gen/passes/rows.h"

enum { MOST_PIECES = 4 };

typedef struct Pieces {
  int count;
  int first[MOST_PIECES];       /* digits; ascending, first[0] is 0 */
} Pieces;

typedef struct RowAccess {
  Rows *rows;
  const IrStmt *cell;           /* what is walked to */
  const IrStmt *check;          /* `inside`, where a default is read outside; NULL: none is */
  bool is_in_place;             /* its last step is into a leaf; else the cell itself is found */
  const IrStmt *index[MAX_AXES];       /* on each axis of the tree, */
  Stride stride[MAX_AXES];             /* and how it runs */
  unsigned axes;                /* which of them there are */
  unsigned kept;                /* those on which a run that is not all in one leaf is left */
  Pieces pieces[MAX_AXES];      /* by the loop's index */
} RowAccess;

/* ---- row_access.c ---- */
/* Looks at the indices of the walk; whether it is known how they run. */
bool row_access_begin(RowAccess *, Rows *, const IrStmt *cell);
/* Whether there are few enough leaves, at most one for each combination of pieces. */
bool row_access_cut(RowAccess *);
/* The cells, in leaves, that the row reads; which of them, and how many cells behind it, each lane
 * is. Their count; 0: they have no place. */
int row_access_cells(RowAccess *, IrStmt *cells[MOST_PIECES], IrLane lane[IR_MOST_LANES]);
/* Whether it differs along the row which cell is read. */
bool row_access_varies(const RowAccess *);
/* The load of what has been begun and cut. */
IrStmt *row_access_load(RowAccess *, const IrStmt *load);

/* ---- row_peek.c ---- */
/* Whether what is asked for is a bit of a mask. */
bool row_access_is_masked(const IrStmt *cell);
/* Which of the bitmasked cells are active that the walk, begun and cut, goes to. */
IrStmt *row_access_active(RowAccess *, const IrStmt *peeked);

/* ---- row_position.c ---- */
/* Of the container that the last step is into; 1 where it does not divide the axis. */
int64_t row_access_extent(const RowAccess *, int axis);
/* Whether the index on the axis grows along the row. */
bool row_access_runs_along(const RowAccess *, int axis);
/* Where the row stands in its container, on the axis of a loop's index. */
IrStmt *row_access_digit(Rows *, int index);
/* The cell of the leaf that the lanes at digits first .. end - 1 count from; how many cells behind
 * it each is stands in lane[].cell.  NULL: it has none. */
IrStmt *row_position_cell(RowAccess *, IrStmt *leaf, const Digits *, int first, int end,
                          IrLane *lane);
/* Leaves the row where it is not in one leaf that is there. */
void row_position_leave(RowAccess *);

/* ---- row_check.c ---- */
/* Whether the leaf at those digits is there, as one bool; NULL: it is known to be. */
IrStmt *row_border_inside(const RowAccess *, const Digits *);

#endif
