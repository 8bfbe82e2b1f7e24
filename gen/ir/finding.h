/* What passes have found out about the program, for the driver to tell: errors and warnings. */
#ifndef SNODEGEN_IR_FINDING_H
#define SNODEGEN_IR_FINDING_H

#include "gen/ir/ir.h"

/* What a pass found out about a field of a mode: the driver tells (gen/mode_findings.c). */
typedef struct IrFinding {
  const IrField *field;
  const IrFunction *kernel;
  enum {
    IR_FOUND_ERROR,                 /* what the mode says cannot be kept */
    IR_FOUND_COMPUTED,              /* local: it is computed where it is read */
    IR_FOUND_SET,                   /* local: set to its default where the kernel begins */
    IR_FOUND_ASSIGNED,              /* all its cells are assigned before they are read */
    IR_FOUND_PART,                  /* some are, and no others are read */
    IR_FOUND_READ,                  /* the kernel does not write it */
    IR_FOUND_KEPT                   /* it reads what was there before */
  } kind;
  Loc loc;
  const char *text;                 /* "it is updated here ..." */
  const char *changed;              /* NULL, or what is changed at changed_loc: a note */
  Loc changed_loc;
} IrFinding;

/* A plain store whose value is computed from what was there, of a place in which iterations
 * meet, found by the pass atomics: the driver tells (gen/perf.c). */
typedef struct IrLostUpdate {
  const char *name;                 /* of the field or the array */
  Loc loc;
} IrLostUpdate;

/* What keeps a loop over leaves from being run by rows, or a box of cells from having windows: what
 * the passes rows and windows have found, the driver tells (gen/perf.c). */
typedef struct IrUnrowed {
  Loc loc;
  const char *why;
  const IrStmt *task;                   /* that goes cell by cell; else NULL */
} IrUnrowed;

/* What a `cache` asks for and the pass stage leaves as it was: the driver tells (gen/cached.c). */
typedef struct IrUnstaged {
  const char *name;                 /* of the field as the program has it */
  enum {
    IR_UNSTAGED_ACCESS,             /* this one goes to the cells */
    IR_UNSTAGED_FIELD,              /* all of the loop do */
    IR_UNSTAGED_TEAM,               /* all of the loop do on a device */
    IR_UNSTAGED_UNUSED              /* there is none */
  } kind;
  Loc loc;
  const char *why;                  /* NULL of what is unused */
} IrUnstaged;

#define IR_TEAM_TOO_SMALL "the block and its halo do not fit into the memory of a team"

/* Why a kernel has no derivative, found by the passes reverse and forward: an error
 * (gen/underived.c). */
typedef struct IrUnderived {
  const IrFunction *kernel;
  Loc loc;
  const char *text;                 /* "'u' is read here, and overwritten later" */
  Loc other;                        /* line 0: there is none */
  const char *note;                 /* what stands there */
} IrUnderived;

#endif
