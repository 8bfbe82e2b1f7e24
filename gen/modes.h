/* What the passes found out about fields with a memory mode, said to the programmer. */
#ifndef SNODEGEN_MODES_H
#define SNODEGEN_MODES_H

#include "gen/ir/ir.h"

/* Behind the pass virtual: what it could not compute where it is read, and why. */
void report_modes(const IrModule *, Diag *);

#endif
