/* Which cells of its fields a kernel has assigned, point by point of the program. */
#ifndef SNODEGEN_PASSES_ASSIGNED_H
#define SNODEGEN_PASSES_ASSIGNED_H

#include "gen/passes/tools.h"

/* ---- cells.c: sets of cells of one field, as indices say them ---- */

/* One of a field's indices, counted from the field's origin: where value is not NULL, that value
 * and a constant; else each of lo .. hi, half open. */
typedef struct Span {
  const IrStmt *value;
  int64_t plus, lo, hi;
} Span;

/* The union of the boxes of a list, the newest first, which never changes: a set that
 * grows begins with a new box.  NULL: no cells. */
typedef struct Cells {
  const struct Cells *before;
  int depth;                             /* of the list from here on */
  Span *spans;                           /* one for each of the field's indices */
} Cells;

/* The set and the cell of the access's indices. */
const Cells *cells_with_access(Arena *, const Cells *, const IrStmt *access);
/* Every cell of the field. */
const Cells *cells_all(Arena *, const IrField *);
bool cells_are_all(const Cells *, const IrField *);
/* Whether it has each cell that the access may meet inside the extents. */
bool cells_have_access(const Cells *, const IrStmt *access);
/* What both have. */
const Cells *cells_meet(Arena *, const Cells *a, const Cells *b, const IrField *);
/* Behind a loop each of whose iterations, which begin with `before`, ends with `within`. */
const Cells *cells_behind(Arena *, const Cells *before, const Cells *within, const IrStmt *loop,
                          const IrField *, int slot);

/* ---- assigned.c: what a kernel does to a field ---- */

typedef struct FieldUse {                /* of a field in a slot */
  IrField *field;
  int slot;
  const IrStmt *first;                   /* access in the kernel itself; NULL: in funcs only */
  bool is_read, is_written;
  bool needs_old;                        /* it may read a cell that it has not assigned before */
  bool is_whole;                         /* it leaves every cell assigned, whichever way it goes */
  bool is_set;                           /* for the pass local: to its default, where it begins */
} FieldUse;

typedef struct FieldUses {
  FieldUse *uses;
  int count;
} FieldUses;

/* Of the fields that are wanted, in the order of their first uses. */
FieldUses find_field_uses(IrModule *, IrFunction *kernel, bool (*is_wanted)(const IrField *));

#endif
