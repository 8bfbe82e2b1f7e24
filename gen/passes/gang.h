/* Several iterations at once, each in a lane: what the pass gang is made of. */
#ifndef SNODEGEN_PASSES_GANG_H
#define SNODEGEN_PASSES_GANG_H

#include "gen/ir/window.h"
#include "gen/passes/tools.h"

enum { GANG = 8 };                     /* iterations */

/* What a statement of the near form has in all iterations of a gang. */
typedef enum Form {
  SAME,                                /* one value */
  EACH,                                /* one for each iteration: it stands in an each_lane */
  LANES                                /* one in each lane */
} Form;

/* Values in lanes that an each_lane takes: one, or those of the elements of a cell. */
typedef struct Taken {
  IrStmt *value[IR_MOST_LANES];
  int count;
  IrStmt *behind;                      /* the last of them that is computed */
  IrStmt *made;
} Taken;

typedef struct Gang {
  IrModule *module;
  IrFunction *function;
  IrStmt *task;
  const IrBlock *near;
  const int *uses;                     /* by id, of all statements */
  Form *form;                          /* by id, of those in `near` */
  int *phase;                          /* by id; even: of an each_lane; -1: in front of all */
  int left;                            /* phase: of what an iteration may not get beyond, so far */
  int last;                            /* phase: of the changes */
  Map read_before;                     /* a load or a get -> an earlier one of the same */
  Map touched;                         /* variable -> 1 + the phase in which it was named last */
  Taken *taken; int taken_count;
  Map whole;                           /* near_add -> the Taken of its cell; of the first of them */
  Map left_out;                        /* near_adds that another one does */
  Copy copy;
  Map in_lanes;                        /* statement of `near` -> the in_lanes of its copy */
  IrStmt *gang;
} Gang;

/* ---- gang_form.c ---- */
/* Gives each statement of the near form its form and its phase; false: there is no gang. */
bool gang_forms(Gang *);
Form gang_form(const Gang *, const IrStmt *);
/* A local that is only declared is what it was declared with, where that is not in lanes. */
IrStmt *gang_resolved(const Gang *, IrStmt *);
/* What is only another name for a value, or for a part of the program. */
bool gang_is_name(const Gang *, const IrStmt *);

#endif
