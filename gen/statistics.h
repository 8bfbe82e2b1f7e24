/* Statistics of a compile: sums by name, as those that libsnode keeps of a context
 * (sn_stat_add of snode/context.h) are of its calls.
 */
#ifndef SNODEGEN_STATISTICS_H
#define SNODEGEN_STATISTICS_H

#include "gen/passes/passes.h"

typedef struct Statistic {
  const char *name;
  long long sum;
} Statistic;

typedef struct Statistics {
  Arena *arena;
  Statistic *sums;            /* in the order in which the names came */
  int count;
} Statistics;

/* To the sum of that name, which begins with 0. */
void statistics_add(Statistics *, const char *name, long long value);
/* What the module consists of before the passes, and behind them: trees, functions, kernels,
 * statements, tasks by their kind. */
void statistics_written(Statistics *, const IrModule *);
void statistics_made(Statistics *, const IrModule *);
/* What each pass that has run left. */
void statistics_passes(Statistics *, const Pipeline *);
/* An object of JSON: a member each, a line each. */
void statistics_json(const Statistics *, Text *out);

#endif
