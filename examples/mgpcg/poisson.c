/* The problem in plain arrays. */
#include "poisson.h"

#include <math.h>
#include <stddef.h>

static int is_inside(int side, int i, int j, int k)
{
  const double at[3] = { (i + 0.5) / side - 0.5, (j + 0.5) / side - 0.5, (k + 0.5) / side - 0.5 };
  const double turn = 8 * atan(1) * 2.2;
  double gyroid = 0;

  for (int a = 0; a < 3; a++) gyroid += sin(turn * at[a]) * cos(turn * at[(a + 1) % 3]);
  return at[0] * at[0] + at[1] * at[1] + at[2] * at[2] < 0.48 * 0.48 && gyroid < 0.6 &&
         i > 0 && j > 0 && k > 0 && i < side - 1 && j < side - 1 && k < side - 1;
}

int64_t poisson_region(int side, uint8_t *inside)
{
  int64_t cells = 0, at = 0;

  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++)
      for (int k = 0; k < side; k++) cells += inside[at++] = (uint8_t)is_inside(side, i, j, k);
  return cells;
}

void poisson_sources(int side, const uint8_t *inside, double *b)
{
  size_t at = 0;

  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++)
      for (int k = 0; k < side; k++, at++)
        b[at] = inside[at] ? 1 + 4 * sin(12.0 * i / side) * sin(9.0 * j / side) : 0;
}

double poisson_residual(int side, const uint8_t *inside, const double *b, const double *x)
{
  const size_t plane = (size_t)side * (size_t)side, row = (size_t)side;
  double left = 0, right = 0;

  for (size_t at = plane; at < plane * (row - 1); at++) {
    if (!inside[at]) continue;
    const double of_x = 6 * x[at] - x[at - plane] - x[at + plane] - x[at - row] - x[at + row] -
                        x[at - 1] - x[at + 1];
    left += (b[at] - of_x) * (b[at] - of_x);
    right += b[at] * b[at];
  }
  return sqrt(left / right);
}
