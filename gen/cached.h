/* What [[cache]] does not stage: warnings, after all passes. */
#ifndef SNODEGEN_CACHED_H
#define SNODEGEN_CACHED_H

#include "gen/ir/ir.h"

void report_cached(const IrModule *, Diag *);

#endif
