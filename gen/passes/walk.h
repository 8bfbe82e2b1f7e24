/* A walk: the way of one access from its indices to the cell.
 *
 * The pass lower_access puts walks in the place of accesses.  It takes the indices, puts the check
 * (or the test) that they are inside, takes the coordinates, which count cells on each axis, and
 * then puts the chain of statements `root`, `digit`, `linear`, `cell` that leads to an SNode's
 * cell.  All statements go to where `make` stands.
 */
#ifndef SNODEGEN_PASSES_WALK_H
#define SNODEGEN_PASSES_WALK_H

#include "gen/passes/tools.h"

typedef struct Walk {
  Maker make;
  IrFunction *function;
  IrStmt *origin;             /* the access, which is replaced */
  IrField *field;             /* or NULL: the access is of snode itself */
  IrSNode *snode;
  int slot;
  IrStmt *index[MAX_AXES];    /* as written */
  int index_count;
  bool has_bounds;            /* one of them can be outside */
  IrStmt *coordinate[MAX_AXES];     /* by axis; the field's origin is taken off */
} Walk;

/* A statement of the walk's tree, which is not put yet. */
IrStmt *walk_stmt(Walk *, IrOp, const Type *);

/* ---- indices, and the check that they are inside ---- */

/* The index as an i32 or an i64; one that does not fit in i64 becomes negative: still outside. */
IrStmt *walk_coordinate(Walk *, IrStmt *index);
/* The first `count` operands of the access are its indices. */
void walk_take_indices(Walk *, int count);
/* Whether an `if` has to ask whether the indices are inside. */
bool walk_is_tested(const Walk *);
/* The check that ends the iteration, where the module's bounds ask for it. */
void walk_put_check(Walk *);
/* The bool that says whether the indices are inside. */
IrStmt *walk_put_inside(Walk *);

/* ---- the chain of statements ---- */

/* From here on the indices are known to be inside. */
void walk_take_coordinates(Walk *);
/* From the root to the cell of the SNode. */
IrStmt *walk_put(Walk *, IrSNode *, IrMode);
/* The last step of it: from the cell of its parent. */
IrStmt *walk_put_cell(Walk *, IrSNode *, IrStmt *parent, IrMode);
/* Adds what a cell of the SNode is found by in its container, the position or a hash's key, to the
 * operands of s; and puts s. */
IrStmt *walk_put_at_position(Walk *, IrStmt *s, IrSNode *);

#endif
