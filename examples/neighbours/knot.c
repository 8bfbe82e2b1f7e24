/* Particles around a trefoil knot. */
#include "knot.h"

#include <math.h>
#include <stdint.h>

/* In [0, 1). */
static double uniform(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

static double aside(uint64_t *state)
{
  return uniform(state) + uniform(state) + uniform(state) - 1.5;
}

void knot_scatter(float *at, long n, int side)
{
  uint64_t state = 1;

  for (long p = 0; p < n; p++) {
    const double t = 8 * atan(1) * uniform(&state);
    const double knot[3] = { sin(t) + 2 * sin(2 * t), cos(t) - 2 * cos(2 * t), -sin(3 * t) };
    for (int k = 0; k < 3; k++)
      at[3 * p + k] = (float)(side * (0.5 + 0.125 * (knot[k] + 0.3 * aside(&state))));
  }
}
