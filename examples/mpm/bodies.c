/* The bodies, and particles in them. */
#include "bodies.h"

#include <math.h>
#include <stdlib.h>

/* From one radius to another around a middle; or, where the first is negative, a box of which the
 * second and the third are the half sides. */
static const struct body {
  double x, y, from, to, height;
} body[] = {
  { 0.5, 0.60, 0.13, 0.20, 0 },
  { 0.5, 0.55, 0.00, 0.06, 0 },
  { 0.32, 0.16, -1, 0.09, 0.10 },
  { 0.70, 0.14, -1, 0.08, 0.06 }
};
enum { BODIES = sizeof body / sizeof *body };

static double area_of(const struct body *b)
{
  return b->from < 0 ? 4 * b->to * b->height
                     : 4 * atan(1) * (b->to * b->to - b->from * b->from);
}

double bodies_area(void)
{
  double area = 0;

  for (int k = 0; k < BODIES; k++) area += area_of(&body[k]);
  return area;
}

/* Particle p of n: rows of a box; circles of a ring, each particle a golden angle further. */
static void put(const struct body *b, long p, long n, float *at)
{
  if (b->from < 0) {
    const double columns = ceil(sqrt((double)n * b->to / b->height));
    const double rows = ceil((double)n / columns);
    at[0] = (float)(b->x + b->to * (2 * (fmod((double)p, columns) + 0.5) / columns - 1));
    at[1] = (float)(b->y + b->height * (2 * (floor((double)p / columns) + 0.5) / rows - 1));
  } else {
    const double inner = b->from * b->from, outer = b->to * b->to;
    const double radius = sqrt(inner + (outer - inner) * ((double)p + 0.5) / (double)n);
    const double angle = 4 * atan(1) * (3 - sqrt(5)) * (double)p;
    at[0] = (float)(b->x + radius * cos(angle));
    at[1] = (float)(b->y + radius * sin(angle));
  }
}

static void fill(long n, float *at, int32_t *of)
{
  const double all = bodies_area();
  double area = 0;
  long first = 0;

  for (int k = 0; k < BODIES; k++) {
    long end;
    area += area_of(&body[k]);
    end = k == BODIES - 1 ? n : (long)((double)n * area / all);
    for (long p = first; p < end; p++) {
      put(&body[k], p - first, end - first, at + 2 * p);
      of[p] = k;
    }
    first = end;
  }
}

int bodies_make(long n, float **at, int32_t **of)
{
  *at = malloc((size_t)n * 2 * sizeof **at);
  *of = malloc((size_t)n * sizeof **of);
  if (!*at || !*of) return -1;
  fill(n, *at, *of);
  return 0;
}
