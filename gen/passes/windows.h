/* Boxes of cells that a body goes to: what the pass windows looks for.
 *
 * Of an access whose index on each axis is one value, the same throughout the body, and a constant
 * or the index of a serial loop between constants, that value is its base.  Accesses with the same
 * bases go to a box of cells: from base + lo to base + hi.
 */
#ifndef SNODEGEN_PASSES_WINDOWS_H
#define SNODEGEN_PASSES_WINDOWS_H

#include "gen/ir/window.h"
#include "gen/passes/tools.h"

/* A coordinate: base + constant + turn. */
typedef struct Place {
  IrStmt *base;               /* behind casts and locals that are only declared; NULL: 0 */
  IrStmt *shown;              /* what the program has for it */
  IrStmt *turn;               /* the index of a serial loop in the body; NULL: none */
  int64_t constant, lo, hi;   /* constant + turn: least and greatest */
} Place;

/* Of each axis of an SNode's path. */
typedef struct Places {
  Place axis[MAX_AXES];
} Places;

typedef struct Access {
  IrStmt *stmt;               /* a load or a cell_atomic */
  Places at;
  int64_t turns;              /* how often it is done in an iteration */
} Access;

typedef struct Box {
  IrSNode *snode;
  int slot;
  bool is_added_to, leaves_inactive, is_worth, is_at_once;
  bool lacks_corners;         /* some are not added to, which may lie in blocks that none is in */
  Access *accesses; int access_count;
  Place axis[MAX_AXES];       /* base, shown; lo and hi of all accesses */
  const IrField *field[IR_WINDOW_FIELDS]; int field_count;
  const IrField *held[IR_WINDOW_FIELDS]; int held_count;   /* those of the form's window */
  int position;               /* of the statement of the body behind which all bases are known */
  const char *why;            /* it gets no window; NULL: it gets one */
  Loc loc;                    /* because of what stands there */
  IrStmt *window;
} Box;

typedef struct Boxes {
  IrModule *module;
  IrFunction *function;
  IrStmt *task;
  const IrBlock *body;        /* block 0 */
  const int *uses;            /* by id */
  Box *boxes; int count;
} Boxes;

/* ---- window_place.c ---- */
/* Where the cell stands, of a walk from the root; false: its coordinates are no such sums. */
bool places_of_cell(const IrStmt *cell, Places *);
/* Where the indices of a check_bounds of a field or an SNode are, in cells. */
bool places_of_check(const IrStmt *check, Places *);
/* Whether both have the same bases. */
bool has_same_bases(const Box *, const Places *);
/* Whether it is in the box. */
bool is_in_box(const Box *, const Places *);

/* ---- window_box.c ---- */
/* Whether the field is one of so many. */
bool is_among(const IrField *const *fields, int count, const IrField *);
/* The boxes of the task's body. */
Boxes boxes_of_task(IrModule *, IrFunction *, IrStmt *task);

/* ---- window_team.c ---- */
/* Has the loop's caches say what teams of a device stage, and boxes hold these fields alone; false:
 * that is nothing. */
bool team_stages(Boxes *);

/* ---- window_check.c ---- */
/* Says of each box whether it can have a window, and whether that is worth it. */
void boxes_check(Boxes *);

#endif
