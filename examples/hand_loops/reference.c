/* What main.c does, on a dense array, in one thread. */
#include "spiral.h"

static double dense[EDGE][EDGE];

static double mass_of_tile(int ti, int tj)
{
  double sum = 0;

  for (int c = 0; c < 64; c++) sum += dense[ti * 8 + c / 8][tj * 8 + c % 8];
  return sum;
}

double reference(int64_t n, int64_t *tiles)
{
  double left = 0, x, y;

  for (int64_t k = 0; k < n; k++) {
    place(k, n, &x, &y);
    for (int c = 0; c < 4; c++)
      dense[(int64_t)x + c / 2][(int64_t)y + c % 2] += share(x, y, c / 2, c % 2);
  }
  *tiles = 0;
  for (int t = 0; t < EDGE / 8 * EDGE / 8; t++) {
    const double sum = mass_of_tile(t / (EDGE / 8), t % (EDGE / 8));
    if (sum >= LIGHT) left += sum;
    *tiles += sum >= LIGHT;
  }
  return left;
}
