/* METG(50%), the smallest task that pays (Slaughter et al., Task Bench, SC 2020): a grid of tasks,
 * each behind its three neighbours of the step before, is run with smaller and smaller
 * tasks until less than half of the processors' time is theirs.
 */
#ifndef BENCH_LADDER_H
#define BENCH_LADDER_H

#include <stdint.h>

enum { LADDER_WIDTH = 16 };

/* What a task does: so many dependent multiply-adds, from an average of its neighbours. */
double ladder_busy(double left, double own, double right, int64_t turns);
static inline int ladder_left(int column) { return column ? column - 1 : 0; }
static inline int ladder_right(int column)
{
  return column + 1 < LADDER_WIDTH ? column + 1 : column;
}

/* run: `steps` rows of LADDER_WIDTH tasks with so many turns each; 0: success.  Tells the harness
 * the seconds of one task and what is spent on it, at an efficiency of one half; 0: success. */
int ladder_climb(int (*run)(void *state, int64_t turns), void *state, int64_t steps,
                 int processors);

#endif
