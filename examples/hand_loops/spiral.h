/* Where the particles are, and the same work on a dense array (reference.c). */
#ifndef SPIRAL_H
#define SPIRAL_H

#include <math.h>
#include <stdint.h>

#include "hand_loops.h"

enum { EDGE = HAND_LOOPS_EDGE };
#define LIGHT 40.0               /* a tile with less mass goes */

/* Particle k of n, on an arm of the spiral. */
static inline void place(int64_t k, int64_t n, double *x, double *y)
{
  const double turn = 25.0 * (double)k / (double)n, radius = 18 * turn + (double)(k % 7);

  *x = EDGE / 2 + radius * cos(turn);
  *y = EDGE / 2 + radius * sin(turn);
}

/* Cell (i + a, j + b) gets its share of a mass of 1: the nearer, the more. */
static inline double share(double x, double y, int a, int b)
{
  const double u = x - floor(x), v = y - floor(y);
  return (a ? u : 1 - u) * (b ? v : 1 - v);
}

/* What is left, and in how many tiles. */
double reference(int64_t n, int64_t *tiles);

#endif
