/* What is said of a module's accesses, and what -Wperf says. */
#ifndef SNODEGEN_PERF_H
#define SNODEGEN_PERF_H

#include "gen/ir/ir.h"

/* Warns of what costs more than it seems; wants a lowered module. */
void report_performance(const IrModule *, Diag *);
/* What the pass atomics has found. */
void report_lost_updates(const IrModule *, Diag *);

#endif
