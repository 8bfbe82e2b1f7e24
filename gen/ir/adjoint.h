/* What an adjoint's calls are checked by, beside its body. */
#ifndef SNODEGEN_IR_ADJOINT_H
#define SNODEGEN_IR_ADJOINT_H

#include <stdbool.h>
#include <stdint.h>

/* Two slots, by their names, that a call may not give one tree: an adjoint reads in the first what
 * its kernel overwrites later in the other. */
typedef struct IrApart {
  const char *slot, *other;
} IrApart;

/* One index of all cells of a field that the kernel assigns, or whose values the adjoint needs:
 * from base + lo to base + hi. */
typedef struct IrSpan {
  const char *slot;                 /* by its name */
  const struct IrField *field;
  int index;
  bool is_assigned;                 /* else needed */
  const struct IrVariable *base;    /* a parameter; NULL: 0 */
  int64_t lo, hi;
} IrSpan;

#endif
