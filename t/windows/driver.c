/* Calls the kernels of a program made by generate.pl, each on trees that are filled anew, and
 * prints a line for each call: what it returned, what it left in the fields, as a number, and how
 * many cells are active.
 *
 *   run           all of them
 *   run KERNEL    the fields' values behind that call too
 *
 * SN_WINDOWS_LIE=KERNEL: one value that it left is another, as if the compiler had erred.
 */
#include "p.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"

enum { POINTS = 1500 };

static double values[VALUES][CELLS];
static int32_t active[CELLS];

typedef struct World {
  sn_context *context;
  p_g *g;
  p_points *points;
} World;

static void stop(const World *w, const char *what)
{
  printf("%s: %s\n", what, w->context ? sn_context_error(w->context) : "no context");
  exit(1);
}

/* 0 of both signs is one: what -0 is added to the compiler may choose. */
static uint64_t mixed(uint64_t hash, double value)
{
  uint64_t bits;

  value = value == 0 ? 0 : value;
  memcpy(&bits, &value, sizeof bits);
  return (hash ^ bits) * UINT64_C(0x100000001b3);
}

static void look(const World *w, int number, int code, double result, int in_full)
{
  const char *lie = getenv("SN_WINDOWS_LIE");
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  double of_points;
  int count = 0;

  if (p_look(w->g, &values[0][0], active) || p_look_at_points(w->points, &of_points))
    stop(w, "look");
  if (lie && *lie && atoi(lie) == number) values[VALUES - 1][CELLS / 2] += 1;
  for (int v = 0; v < VALUES; v++)
    for (int c = 0; c < CELLS; c++) hash = mixed(hash, values[v][c]);
  for (int c = 0; c < CELLS; c++) count += active[c];
  printf("k%d: %d %.17g %.17g %016" PRIx64 " %d\n", number, code, code ? 0 : result, of_points,
         hash, count);
  for (int c = 0; in_full && c < CELLS; c++) {
    printf("%d %d", c, active[c]);
    for (int v = 0; v < VALUES; v++) printf(" %.17g", values[v][c]);
    printf("\n");
  }
}

static void call(const World *w, int number, int how, int only,
                 int (*kernel)(p_g *, p_points *, int32_t, double *))
{
  double result = 0;
  int code;

  if (only >= 0 && only != number) return;
  if (p_fill(w->g, w->points, POINTS, (uint32_t)number * 977u, how) || p_sort(w->g, w->points))
    stop(w, "fill");
  code = kernel(w->g, w->points, POINTS, &result);
  look(w, number, code, result, only >= 0);
}

int main(int argc, char **argv)
{
  const int only = argc > 1 ? atoi(argv[1]) : -1;
  World w = { NULL, NULL, NULL };

  if (sn_context_create(NULL, &w.context) || p_g_create(w.context, NULL, &w.g) ||
      p_points_create(w.context, NULL, &w.points))
    stop(&w, "create");
#define K(number, fill) call(&w, number, fill, only, p_k##number);
  KERNELS(K)
  p_g_destroy(w.g);
  p_points_destroy(w.points);
  return sn_context_destroy(w.context) != SN_OK;
}
