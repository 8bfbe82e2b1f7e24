/* The second form of a struct_for, by rows, while it is made: what its files share, the lowest file
 * first.
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

/* What a local of the body is in the rows. */
typedef struct RowLocal {
  IrVariable *variable;
  bool is_hidden;               /* the program has no such local */
  IrStmt *mask, *first;         /* of its declaration: the lanes that run, and the value */
  IrStmt *last;                 /* what has given it a value last; NULL: it is not known */
} RowLocal;

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
  Map needed;                   /* statements of block 0 that something comes of, */
  Map used;                     /* and those whose values are asked for */
  Map values;                   /* statement of block 0, or of a function in it -> its row form */
  Map variables;                /* local -> RowLocal */
  Map made;                     /* hash_operation -> RowMade, the newest first */
  IrVariable **locals; int local_count;        /* that have been made */
  Map asked;                    /* those whose value is asked for */
  IrStmt **sums; int sum_count; /* updates of block 0 that this piece sums up over the leaf */
  RowLocal *result;             /* of the function whose call is made now; NULL: it is no local */
  bool has_effect;              /* something has been stored */
  Map changed;                  /* fields that other cells have been changed of */
  Map activated;                /* steps of walks that such cells are reached by -> what they are */
  IrStmt *partly;               /* whether the loop's box cuts the leaf; NULL: there is none */
  bool is_whole;                /* the loop at hand is for leaves that it does not cut */
  IrStmt *inside;               /* of the walk being made: whether it is to a place that there is;
                                   NULL: it is, or what is there will not be used */
  int inside_axes;              /* on how many axes that is asked */
  IrStmt **bordered;            /* walks to a cell, or to the ambient one beyond the extents, whose
                                   position alone says which */
  int bordered_count;
  Map left;                     /* conditions by which the row has been left */
  Map satisfied;                /* those of block 0 that all cells satisfy for which the leaf is
                                   not left */
  int64_t bytes;                /* of all lanes of all values */
  const char *why;              /* the first thing that has no row form; NULL: none so far */
  Loc loc;
} Rows;

/* A digit of each index of the loop. */
typedef struct Digits {
  int at[MAX_AXES];
} Digits;

/* ---- row_sides.c ---- */
/* Whether nothing above the SNode divides the axis, so that its digit there is the index. */
bool begins_axis(const IrSNode *, int axis);
/* Whether a cell in place may be outside its container where no lane wants it. */
bool rows_may_be_outside(const Rows *, const IrStmt *cell);
/* Whether digit k of the position may be less than 0, or beyond the extent; of a digit that stands
 * in its place, which is known at some cells. */
void rows_find_sides(const IrStmt *linear, int k, bool *below, bool *above);
void rows_find_sides_at(const Rows *, const IrStmt *linear, int k, const IrStmt *digit, bool *below,
                        bool *above);

/* ---- row_made.c ---- */
/* There is no row form, because of s. */
IrStmt *rows_fail(Rows *, const IrStmt *s, const char *why);
/* The row form of a value that has been met. */
IrStmt *rows_value(Rows *, IrStmt *);
/* Whether what stands in the block is computed before what is made now. */
bool rows_is_seen(const Rows *, const IrBlock *);
IrStmt *rows_new(Rows *, IrOp, const Type *, Loc);
/* Whether an equal one gives the same: in a task that has rows no activity changes, and no
 * kernel-level variable that is read. */
bool rows_may_be_one(const IrStmt *);
/* An equal statement that is seen from here, else s itself, put into the leaf block where all
 * its operands stand there, else here. */
IrStmt *rows_put(Rows *, IrStmt *s);
IrStmt *rows_binary(Rows *, IrOp, const Type *, IrStmt *, IrStmt *);
/* Of indices of cells, which do not overflow. */
IrStmt *rows_plain(Rows *, IrOp, IrStmt *, IrStmt *);
IrStmt *rows_const(Rows *, const Type *, int64_t);
/* An i64 as an i32, the least or the greatest where it is beyond. */
IrStmt *rows_within_i32(Rows *, IrStmt *);
/* The row is run cell by cell where the bool is true. */
void rows_leave(Rows *, IrStmt *outside);
/* Whether it still can be: what has been stored would be stored again. */
bool rows_can_leave(const Rows *);

/* ---- row_stmt.c ---- */
/* The row form of the statements, behind what is there. */
void rows_block(Rows *, const IrBlock *from);
/* Behind the rows: the lanes of each sum are added to what the cells would have added to. */
void rows_put_sums(Rows *);

/* ---- row_target.c ---- */
/* The row form of a store to another cell than the loop's own, or of an update of one. */
void rows_change_other(Rows *, IrStmt *);

/* ---- row_local.c ---- */
/* NULL: it is declared outside of the body. */
RowLocal *rows_local(const Rows *, const IrVariable *);
/* A new one, for a variable of the body or of a sum, that nothing has been assigned to. */
RowLocal *rows_new_local(Rows *, const IrVariable *, int lanes);
/* Its value, and another one, in all lanes. */
IrStmt *rows_get_local(Rows *, const RowLocal *, Loc);
void rows_set_local(Rows *, RowLocal *, IrStmt *value);
/* The row form of a declare, a get, a set. */
void rows_declare(Rows *, const IrStmt *);
IrStmt *rows_get(Rows *, const IrStmt *);
void rows_set(Rows *, const IrStmt *);
/* What a called function returns, where it does so in several places; each assigns a value. */
RowLocal *rows_new_result(Rows *, const IrStmt *call);
void rows_assign(Rows *, RowLocal *, IrStmt *value, Loc);
/* At the end: takes out those whose value no one asks for. */
void rows_drop_locals(Rows *);

/* ---- row_branch.c ---- */
void rows_if(Rows *, const IrStmt *);
/* The row form of the statements, for the lanes of the mask. */
void rows_branch_of_lanes(Rows *, const IrBlock *from, IrStmt *mask);

/* ---- row_jump.c ---- */
/* Whether every way through the block ends with a continue or a return. */
bool rows_ends_in_jump(const IrBlock *);
/* Whether it is an `if` that holds one. */
bool rows_has_jump(const IrStmt *);
/* The row form of an `if` with such, and of what stands behind it: from->stmts[rest] and on. */
void rows_jump(Rows *, const IrStmt *branch, const IrBlock *from, int rest);

/* ---- row_sink.c ---- */
/* At the end: of branches in the leaf block that hold a loop on each side, what only one of them
 * uses goes there. */
void rows_sink(Rows *);

/* ---- row_needed.c ---- */
void rows_find_needed(Rows *);

/* ---- row_leaf.c ---- */
/* The loop's index at the first cell of the leaf, plus `digit`. */
IrStmt *rows_index_at(Rows *, int index, int digit);
/* The value at those digits of the loop's indices, in the leaf block; NULL: it has none there. A
 * walk whose indices may be outside ends at a cell that can be read. */
IrStmt *rows_at_digits(Rows *, const IrStmt *value, const Digits *);
/* Leaves the row where digit k of the position, which is `low` to `high` in its lanes, is outside
 * the container's extent, as far as that is not known. */
void rows_leave_outside(Rows *, const IrStmt *linear, int k, IrStmt *low, IrStmt *high);
/* The position, as of the `linear` of single cells, where its digits are inside, else 0. */
IrStmt *rows_guard_position(Rows *, const IrStmt *linear, IrStmt *position);

/* ---- row_lanes.c ---- */
bool rows_has_lanes(const Type *);
/* Two values as an update combines them, and whether lanes of a type have that. */
IrStmt *rows_combined(Rows *, Op update, IrStmt *, IrStmt *);
bool rows_is_combining(Op update, const Type *);
/* One value in all lanes; lanes as they are. */
IrStmt *rows_spread(Rows *, IrStmt *);
/* The value, and one more in each lane that follows. */
IrStmt *rows_count(Rows *, IrStmt *first);
/* The lanes of a mask that hold; no mask: all lanes. */
IrStmt *rows_mask_and(Rows *, IrStmt *mask, IrStmt *lanes);
IrStmt *rows_not(Rows *, IrStmt *lanes);
/* Whether any lane is true: one bool. */
IrStmt *rows_any(Rows *, IrStmt *mask);
/* In the lanes of the mask `then`, in the others `other`. */
IrStmt *rows_choose(Rows *, IrStmt *mask, IrStmt *then, IrStmt *other);
/* Of lanes that are among the outer ones: which of those they are; NULL: all. */
IrStmt *rows_lanes_since(Rows *, IrStmt *mask, const IrStmt *outer);

/* ---- row_check.c ---- */
void rows_check(Rows *, const IrStmt *check);
IrStmt *rows_inside(Rows *, const IrStmt *inside);
/* The loop's body runs where the condition is true: a leaf is left that has no such cell. Whether
 * it is true of all cells that are gone on with: a run of which it is true in part goes cell by
 * cell; of leaves of which rows satisfy it in part there is a loop of their own. */
bool rows_leave_leaf(Rows *, IrStmt *condition, bool differs_in_row);

/* Where index k of the check is outside, on a side that is not known: of an index that is `low`
 * where it is least, and `high` where it is greatest. NULL: nowhere. */
IrStmt *rows_outside(Rows *, const IrStmt *check, int k, IrStmt *low, IrStmt *high);
/* Whether one of two bools holds; the first may be NULL. */
IrStmt *rows_either(Rows *, IrStmt *, IrStmt *);

/* ---- row_clip.c ---- */
/* Behind the run's block: the row's cells that the loop goes through, and those that it makes runs
 * of, become operands of the each_run, where a run may begin anywhere. */
void rows_clip(Rows *);

/* ---- row_border.c ---- */
/* Of `if inside ..`, behind which a local has what is read there, or else the field's default:
 * whether it has become a load that needs no mask. */
bool rows_read_bordered(Rows *, const IrStmt *branch);

/* ---- row_access.c ---- */
/* The row form of a load: lanes, or one value for the whole row. */
IrStmt *rows_load(Rows *, const IrStmt *load);
/* The values of the field that s names in the row's own cells. */
IrStmt *rows_load_own(Rows *, const IrStmt *s, IrStmt *cell);
/* The cell of a store, at the first cell of the row; NULL: it is not the loop's own. */
IrStmt *rows_own_cell(Rows *, const IrStmt *cell);

/* ---- row_peek.c ---- */
/* The row form of the question whether a cell is inactive. */
IrStmt *rows_is_null(Rows *, const IrStmt *);

#endif
