/* One side of a row: a program that runs a piece of work a round, when it is told to.
 *
 * Programs of all languages speak the same lines, so that bench/turns can let them
 * take turns: once set up a program writes "ready"; for each line it reads it runs
 * one round and writes
 *
 *     SECONDS RESULT KIB      the work's wall time (BENCH_CLOCK=cpu in the environment: the
 *                             processor's, of all threads together); a number that all
 *                             contenders of the row must agree on to the last bit; its memory
 *
 * and at the end of its input it ends.
 */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include <stddef.h>
#include <stdint.h>

typedef struct contender {
  const char *row, *name;       /* "fill_random", "ours" */
  int (*create)(void **state, int64_t size);
  int (*before)(void *state);   /* puts the stage up again, outside the clock; NULL: nothing */
  int (*run)(void *state);      /* the work */
  int (*after)(void *state, double *result);     /* outside the clock */
} contender;                    /* 0: success */

/* From run: what is measured is no time of its own, but this many seconds. */
void contender_took(double seconds);

/* What main returns: runs the contender that the arguments
 * ROW NAME SIZE REPEATS choose; a round is so many times before and run. */
int contend(const contender *, int count, int argc, char **argv);

/* Zeroed memory in huge pages where there are such; NULL: none. */
void *bench_pages(size_t bytes);

/* The finaliser of MurmurHash3 (Austin Appleby, public domain): which cells a row takes.
 * The .sn files and taichi_rows.py have the same. */
static inline uint32_t scramble(uint32_t q)
{
  uint32_t h = q;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  return h;
}

#endif
