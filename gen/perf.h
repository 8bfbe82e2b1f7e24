/* What -Wperf says about a module. */
#ifndef SNODEGEN_PERF_H
#define SNODEGEN_PERF_H

#include "gen/ir/ir.h"

/* Warns of what costs more than it seems; wants a lowered module. */
void report_performance(const IrModule *, Diag *);

#endif
