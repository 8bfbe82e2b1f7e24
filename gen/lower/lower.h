/* From the checked program to the IR as written.
 *
 * Needs a program that check() accepted.  Guarantees a module that
 * ir_verify(module, 0) accepts, statement for statement in the source's order:
 * no optimisation happens here.
 */
#ifndef SNODEGEN_LOWER_LOWER_H
#define SNODEGEN_LOWER_LOWER_H

#include "gen/front/ast.h"
#include "gen/ir/ir.h"

/* Bits of LowerOptions.checks; of CHECK_GRAD only the files that are written know. */
enum { CHECK_DIV = 1, CHECK_INACTIVE = 2, CHECK_RACE = 4, CHECK_GRAD = 8 };

typedef struct LowerOptions {
  unsigned checks;            /* --check */
  bool no_assert;             /* asserts are left out */
  IrBounds bounds;            /* what an index outside does */
  bool has_one_thread;        /* the target */
  bool keeps_source;          /* each store says which statement of the source it is of */
} LowerOptions;

/* NULL after errors (what is not built yet), which were reported.  The module
 * lives in the program's arena and does not point into the program. */
IrModule *lower(const Program *, Diag *, const LowerOptions *);

#endif
