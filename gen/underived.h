/* Why kernels `with grad` or `with dual` have no derivative: errors, with both lines. */
#ifndef SNODEGEN_UNDERIVED_H
#define SNODEGEN_UNDERIVED_H

#include "gen/ir/ir.h"

void report_underived(const IrModule *, Diag *);

#endif
