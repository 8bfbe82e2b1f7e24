/* Side-by-side measurement: programs in turn, A B C A B C ..., so that all of
 * them see the same machine.
 *
 * A row has a first contender, ours, and peers.  Each is run once to warm up, then
 * `rounds` times in turn; a figure is the median of the ratios peer / ours of one
 * round, with the spread (quartiles).  A ratio above 1: ours is faster.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdio.h>

typedef struct contender {
  const char *name;
  int (*run)(void *state);      /* the timed work; 0: success */
  void *state;
} contender;

typedef struct row {
  const char *name;
  const char *unit;             /* of work, such as "voxel" */
  double work;                  /* how much of it a run does */
  const contender *contenders;  /* the first is ours */
  int count;
} row;

enum { BENCH_ROUNDS = 9, BENCH_CONTENDERS = 8 };

/* Measures and writes a table to text and, where json is not NULL, an object to
 * json.  0, or -1 where a contender failed. */
int bench_row(const row *, int rounds, FILE *text, FILE *json);

/* Seconds since some point in the past. */
double bench_now(void);

#endif
