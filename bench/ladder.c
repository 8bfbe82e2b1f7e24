/* See ladder.h. */
#include "bench/ladder.h"
#include "bench/contender.h"

#include <math.h>
#include <time.h>

double ladder_busy(double left, double own, double right, int64_t turns)
{
  double x = 0.25 * left + 0.5 * own + 0.25 * right;

  for (int64_t k = 0; k < turns; k++) x = x * 0.999999 + 1e-6;
  return x;
}

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Of one turn, alone: the best of a few. */
static double turn_seconds(void)
{
  double best = 1, kept = 0;

  for (int n = 0; n < 20; n++) {
    const double start = now();
    double seconds;
    kept += ladder_busy(1, 2, kept, 100000);
    seconds = (now() - start) / 100000;
    if (seconds < best) best = seconds;
  }
  return kept > 0 ? best : 0;
}

/* Seconds of processors for a task, the best of a few: other programs take turns away. */
static double grain_of(int (*run)(void *, int64_t), void *state, int64_t turns, double share)
{
  double best = -1;

  for (int n = 0; n < 3; n++) {
    const double start = now();
    double grain;
    if (run(state, turns)) return -1;
    grain = (now() - start) * share;
    if (best < 0 || grain < best) best = grain;
  }
  return best;
}

/* Between the last rung that paid and the first that did not, along a straight line of logarithms;
 * where the first did not pay (a busy machine) that is all that can be said. */
static double half_way(double paid, double efficiency, double lost, double inefficiency)
{
  return paid > 0 ? paid * pow(lost / paid, (efficiency - 0.5) / (efficiency - inefficiency))
                  : lost;
}

int ladder_climb(int (*run)(void *, int64_t), void *state, int64_t steps, int processors)
{
  const double turn = turn_seconds(), share = processors / ((double)steps * LADDER_WIDTH);
  double last = 0, last_efficiency = 1;

  for (double work = 64e-6; work > 20e-9; work *= sqrt(0.5)) {
    const int64_t turns = (int64_t)(work / turn);
    const double grain = grain_of(run, state, turns, share);
    const double efficiency = (double)turns * turn / grain;
    if (grain < 0) return -1;
    if (efficiency < 0.5) {
      contender_took(half_way(last, last_efficiency, grain, efficiency));
      return 0;
    }
    last = grain;
    last_efficiency = efficiency;
  }
  contender_took(last);
  return 0;
}
