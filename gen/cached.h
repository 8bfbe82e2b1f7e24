/* What [[cache]] could not stage: an error for each access, after all passes. */
#ifndef SNODEGEN_CACHED_H
#define SNODEGEN_CACHED_H

#include "gen/ir/ir.h"

void report_cached(const IrModule *, Diag *);

#endif
