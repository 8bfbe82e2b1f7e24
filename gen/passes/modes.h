/* What the passes of memory modes share: virtual.c, local.c. */
#ifndef SNODEGEN_PASSES_MODES_H
#define SNODEGEN_PASSES_MODES_H

#include "gen/passes/tools.h"

/* ---- cover.c: an assignment to all cells of a field ---- */

/* field[i, j] = e, directly in a parallel loop whose variables are i and j and that goes
 * over all cells: afterwards each has its value.  Index k of the field is the loop's index
 * dimension[k] plus plus[k]. */
typedef struct Cover {
  IrStmt *write, *loop;
  int dimension[IR_MAX_AXES];
  int64_t plus[IR_MAX_AXES];
} Cover;

/* NULL where `write` is one, else why it is none: "it is assigned ... here". */
const char *find_cover(IrStmt *write, Cover *);
/* Whether the access, in that loop, has the indices of the assignment. */
bool is_own_access(const Cover *, const IrStmt *access);
/* Whether s stands in the loop, of any kind. */
bool stands_in(const IrStmt *s, const IrStmt *loop);
/* The statement around s, or s, that stands in the block; NULL: none. */
IrStmt *statement_in(const IrBlock *, const IrStmt *s);
/* Whether no parallel loop stands around s, of a kernel. */
bool is_at_kernel_level(const IrStmt *s);

/* ---- slice.c: what a value is computed by, and again at other indices ---- */

typedef struct Slice {
  IrModule *module;
  IrFunction *function;
  const Cover *cover;
  bool *needed;                          /* by id */
  const IrField **fields; int field_count;     /* what it reads */
  const IrVariable **variables; int variable_count;
  const char *why_not;                   /* NULL, or why it cannot be done again */
  int count;                             /* statements in it */
} Slice;

/* Of the value that the cover's write assigns; gives ids. */
Slice make_slice(IrModule *, IrFunction *, const Cover *);
/* The first statement in the block, or in a function that it calls, that changes what the
 * slice reads; statements with ids up to `after` are passed over. */
const IrStmt *find_change(const Slice *, IrBlock *, int after);
const IrStmt *find_change_in(const Slice *, IrStmt *);
/* The name of what it changes. */
const char *changed_name(const Slice *, const IrStmt *change);
/* Puts a copy before `where`, for the cell of the field's indices that `access` has. */
IrStmt *put_slice(Slice *, IrStmt *where, const IrStmt *access);

/* ---- virtual.c: what is said about a field; text and names live as long as the module ---- */
IrFinding *add_finding(IrModule *, const IrField *, const IrFunction *, Loc, const char *text);

#endif
