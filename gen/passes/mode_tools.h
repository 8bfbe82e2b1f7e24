/* What the passes of memory modes share: virtual.c, local.c. */
#ifndef SNODEGEN_PASSES_MODE_TOOLS_H
#define SNODEGEN_PASSES_MODE_TOOLS_H

#include "gen/ir/finding.h"
#include "gen/passes/tools.h"

/* ---- cover.c: an assignment to all cells of a field ---- */

/* field[i, j] = e, directly in a parallel loop whose variables are i and j and that goes
 * over all cells: afterwards each has its value.  Index k of the field is the loop's index
 * dimension[k] plus plus[k]. */
typedef struct Cover {
  IrStmt *write, *loop;
  int dimension[MAX_AXES];
  int64_t plus[MAX_AXES];
} Cover;

/* NULL where `write` is one, else why it is none: "it is assigned ... here". */
const char *find_cover(IrStmt *write, Cover *);
/* Whether the access, in that loop, has the indices of the assignment. */
bool is_own_access(const Cover *, const IrStmt *access);
/* Whether s stands in the loop, of any kind. */
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
const IrStmt *find_change(const Slice *, const IrBlock *, int after);
const IrStmt *find_change_in(const Slice *, IrStmt *);
/* The name of what it changes. */
const char *changed_name(const Slice *, const IrStmt *change);
/* Puts a copy before `where`, for the cell of the field's indices that `access` has. */
IrStmt *put_slice(Slice *, IrStmt *where, const IrStmt *access);

/* ---- computed.c: reads of what a kernel computes ---- */

typedef struct Computed {
  IrModule *module;
  IrFunction *function;
  bool (*is_meant)(const IrStmt *, const struct Computed *);     /* of an access: its field */
  const IrField *field;                  /* for is_meant */
  int slot;
  IrStmt **writes; int write_count;      /* in the order of the program */
  IrStmt **reads;  int read_count;
  IrStmt **others; int other_count;      /* atomics, caches */
  int *position;                         /* by number of the read: its first id */
  int *write_position;
} Computed;

typedef struct ComputedRead {
  IrStmt *read;
  Cover cover;                           /* of the assignment that computes it */
  bool is_own;                           /* it is the value that its iteration assigns */
  Slice slice;                           /* if not */
  const IrStmt *change;                  /* of what the slice reads, in between; or NULL */
} ComputedRead;

/* Finds the accesses; gives ids. */
void note_computed(Computed *);
/* NULL: the assignment tells of all cells, and is the first of its field. */
const char *check_definition(const Computed *, int which);
/* NULL: it can be computed, by *r; else why it cannot be. */
const char *plan_read(Computed *, int which, ComputedRead *r);
/* The value, put before the read where it is not there. */
IrStmt *put_computed(Computed *, ComputedRead *);
void replace_read(const Computed *, IrStmt *read, IrStmt *value);
/* With its loop, where that does nothing else. */
void remove_write(IrStmt *write);

/* ---- virtual.c: what is said about a field; text and names live as long as the module ---- */
IrFinding *add_finding(IrModule *, const IrField *, const IrFunction *, Loc, const char *text);

/* ---- virtual_tree.c: trees of which nothing is stored ---- */

/* The access's indices, tested against the extents: an `inside`, or a check that traps; in numbers
 * where the function is given no instance.  NULL: they are inside, nothing was put. */
IrStmt *put_bounds_test(Maker *, const IrFunction *, const IrStmt *access, IrOp);
/* No function takes a slot that is_virtual any more. */
void drop_virtual_slots(IrModule *);

#endif
