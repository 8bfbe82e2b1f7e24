/* The second form of a struct_for being made: by rows (rows.c, row_stmt.c, row_needed.c,
 * row_leaf.c, row_check.c, row_access.c, row_position.c).
 *
 * Its statements stand in three places: in the leaf block, once for each container that the loop
 * stands on; in the block of the each_row; and in blocks within that.  By runs there is one place
 * more, the block of the each_part, for what is constant over a row.
 */
#ifndef SNODEGEN_PASSES_ROWS_H
#define SNODEGEN_PASSES_ROWS_H

#include "gen/base/map.h"
#include "gen/passes/span.h"

/* Statements of the row form that an equal one need not be made beside. */
typedef struct RowMade {
  IrStmt *stmt;
  const struct RowMade *next;
} RowMade;

typedef struct Rows {
  IrModule *module;
  IrFunction *function;
  IrStmt *task;                 /* the struct_for */
  int lanes, row_index;
  bool by_runs;                 /* the containers are gone through by runs (span.h) */
  int first;                    /* the digit of the first lane: where the piece of a row begins */
  IrBlock *leaf;
  IrStmt *part;                 /* by runs: the loop over parts of rows */
  IrStmt *each;                 /* the loop over rows at hand, or over runs in that */
  IrBlock *here;                /* where the next statement goes */
  IrStmt *mask;                 /* which lanes run what is made now; NULL: all of them */
  Map needed;                   /* statements of block 0 that something comes of */
  Map values;                   /* statement of block 0, or of a function in it -> its row form */
  Map variables;                /* local -> RowLocal */
  Map made;                     /* hash_operation -> RowMade, the newest first */
  IrStmt **sums; int sum_count; /* updates of block 0 that this piece sums up over the leaf */
  bool has_effect;              /* something has been stored */
  IrStmt *partly;               /* whether the loop's box cuts the leaf; NULL: there is none */
  bool is_whole;                /* the loop at hand is for leaves that it does not cut */
  Map left;                     /* conditions by which the row has been left */
  int64_t bytes;                /* of all lanes of all values */
  const char *why;              /* the first thing that has no row form; NULL: none so far */
  Loc loc;
} Rows;

/* A digit of each index of the loop. */
typedef struct Digits {
  int at[MAX_AXES];
} Digits;

/* ---- row_stmt.c ---- */
/* There is no row form, because of s. */
IrStmt *rows_fail(Rows *, const IrStmt *s, const char *why);
/* The row form of a value that has been met. */
IrStmt *rows_value(Rows *, IrStmt *);
/* The row form of the statements, behind what is there. */
void rows_block(Rows *, const IrBlock *from);
/* Behind the rows: the lanes of each sum are added to what the cells would have added to. */
void rows_put_sums(Rows *);

/* ---- row_branch.c ---- */
void rows_if(Rows *, const IrStmt *);
/* The row form of the statements, for the lanes of the mask. */
void rows_branch_of_lanes(Rows *, const IrBlock *from, IrStmt *mask);

/* ---- row_needed.c ---- */
void rows_find_needed(Rows *);

/* ---- row_leaf.c ---- */
IrStmt *rows_new(Rows *, IrOp, const Type *, Loc);
/* An equal statement that is seen from here, else s itself, put into the leaf block where all
 * its operands stand there, else here. */
IrStmt *rows_put(Rows *, IrStmt *s);
IrStmt *rows_binary(Rows *, IrOp, const Type *, IrStmt *, IrStmt *);
IrStmt *rows_const(Rows *, const Type *, int64_t);
/* One value in all lanes; lanes as they are. */
IrStmt *rows_spread(Rows *, IrStmt *);
/* The lanes of a mask that hold; no mask: all lanes. */
IrStmt *rows_mask_and(Rows *, IrStmt *mask, IrStmt *lanes);
IrStmt *rows_not(Rows *, IrStmt *lanes);
/* Whether any lane is true: one bool. */
IrStmt *rows_any(Rows *, IrStmt *mask);
/* In the lanes that run `then`, in the others `other`. */
IrStmt *rows_blend(Rows *, IrStmt *then, IrStmt *other);
/* The loop's index at the first cell of the leaf, plus `digit`. */
IrStmt *rows_index_at(Rows *, int index, int digit);
/* The value at those digits of the loop's indices, in the leaf block; NULL: it has none there. A
 * walk whose indices may be outside ends at a cell that can be read. */
IrStmt *rows_at_digits(Rows *, const IrStmt *value, const Digits *);
/* Leaves the row where digit k of the position, which is `low` to `high` in its lanes, is outside
 * the container's extent, as far as that is not known. */
void rows_leave_outside(Rows *, const IrStmt *linear, int k, IrStmt *low, IrStmt *high);
/* Whether nothing above the SNode divides the axis, so that its digit there is the index. */
bool begins_axis(const IrSNode *, int axis);

/* ---- row_check.c ---- */
/* The row is run cell by cell where the bool is true. */
void rows_leave(Rows *, IrStmt *outside);
/* Whether it still can be: what has been stored would be stored again. */
bool rows_can_leave(const Rows *);
void rows_check(Rows *, const IrStmt *check);
IrStmt *rows_inside(Rows *, const IrStmt *inside);
/* The loop's body runs where the condition is true: a leaf is left that has no such cell. Whether
 * it is true of all cells that are gone on with: a run of which it is true in part goes cell by
 * cell; of leaves of which rows satisfy it in part there is a loop of their own. */
bool rows_leave_leaf(Rows *, const IrStmt *condition, bool differs_in_row);

/* ---- row_access.c ---- */
/* The row form of a load: lanes, or one value for the whole row. */
IrStmt *rows_load(Rows *, const IrStmt *load);
/* The values of the field that s names in the row's own cells. */
IrStmt *rows_load_own(Rows *, const IrStmt *s, IrStmt *cell);
/* The cell of a store, at the first cell of the row; NULL: it is not the loop's own. */
IrStmt *rows_own_cell(Rows *, const IrStmt *cell);

#endif
