/* What the passes found out about fields with a memory mode, said to the programmer. */
#ifndef SNODEGEN_MODE_FINDINGS_H
#define SNODEGEN_MODE_FINDINGS_H

#include "gen/ir/ir.h"

/* Behind the pass virtual: what it could not compute where it is read, and why. */
void report_modes(const IrModule *, Diag *);

#endif
