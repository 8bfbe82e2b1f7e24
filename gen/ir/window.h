/* Windows: what a thread has of its own of a block of cells, and of the cells that a box which
 * begins in the block reaches beyond it, its halo.
 *
 * A `window` (ops.def) names the SNode, which is dense, the fields and the box.  How the SNode's
 * cells are cut into blocks follows from its extents.
 */
#ifndef SNODEGEN_IR_WINDOW_H
#define SNODEGEN_IR_WINDOW_H

#include "gen/ir/ir.h"

enum { IR_WINDOW_FIELDS = 16 };     /* that a cell of a window has, at most */

/* index of a `window`. */
typedef enum IrWindowBits {
  IR_WINDOW_CHECKED = 1,            /* the box may be outside the extents: it has no window then */
  IR_WINDOW_AT_ONCE = 2,            /* a window is worth it from the first iteration on */
  IR_WINDOW_ADDED = 4,              /* the fields are added to, else read */
  IR_WINDOW_LEAVES_INACTIVE = 8,    /* cells that are inactive stay so, and get nothing */
  IR_WINDOW_IN_BLOCK = 16           /* a box that reaches beyond its block has no window */
} IrWindowBits;

typedef struct IrWindow {
  const IrStmt *stmt;
  const IrField *field[IR_WINDOW_FIELDS];   /* in the order of their ids, all of one type */
  int field_count;
  int lanes;                        /* elements of a cell: as many as fields, rounded up to what a
                                       vector has */
  bool is_added_to;                 /* else it is read */
  bool leaves_inactive;             /* what is added to inactive cells is dropped */
  bool is_in_block;                 /* it is for boxes that lie in one block alone */
  int axes;                         /* of the SNode's path */
  int64_t block[MAX_AXES], extent[MAX_AXES];    /* cells of a block, of a window, on each axis */
  int64_t blocks[MAX_AXES];         /* of all cells */
} IrWindow;

/* The blocks of an SNode's cells; false: it has none: it is not dense, an extent is known at run
 * time only, or has no part that is small enough. */
bool ir_window_blocks(const IrSNode *, int64_t block[MAX_AXES]);
/* Whether a `window` holds fields of its SNode, of one type, in their order. */
bool ir_window_has_fields(const IrStmt *);
/* What such a statement is. */
IrWindow ir_window(const IrStmt *);
/* Cells of a window. */
int64_t ir_window_cells(const IrWindow *);
/* Which of a cell's elements the field is. */
int ir_window_element(const IrWindow *, const IrField *);

#endif
