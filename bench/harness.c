/* Pairs in turn, medians and quartiles. */
#define _POSIX_C_SOURCE 200809L
#include "harness.h"

#include <stdlib.h>
#include <time.h>

enum { ROUNDS_MOST = 101 };

typedef struct figure {         /* of some numbers: the middle, and half of them lie between */
  double median, low, high;
} figure;

double bench_now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static figure figure_of(double *x, int n)
{
  figure f;

  qsort(x, (size_t)n, sizeof *x, ascending);
  f.median = n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
  f.low = x[n / 4];
  f.high = x[n - 1 - n / 4];
  return f;
}

static int measure(const row *r, int rounds, double seconds[][ROUNDS_MOST])
{
  for (int round = -1; round < rounds; round++) {
    for (int c = 0; c < r->count; c++) {
      const double start = bench_now();
      if (r->contenders[c].run(r->contenders[c].state)) {
        fprintf(stderr, "bench: %s: %s failed\n", r->name, r->contenders[c].name);
        return -1;
      }
      if (round >= 0) seconds[c][round] = bench_now() - start;
    }
  }
  return 0;
}

static void write_contender(const row *r, int c, int rounds, double seconds[][ROUNDS_MOST],
                            FILE *text, FILE *json)
{
  double ratio[ROUNDS_MOST], each[ROUNDS_MOST];
  figure of_ratio, of_each;

  for (int i = 0; i < rounds; i++) {
    ratio[i] = seconds[c][i] / seconds[0][i];
    each[i] = 1e9 * seconds[c][i] / r->work;
  }
  of_ratio = figure_of(ratio, rounds);
  of_each = figure_of(each, rounds);
  fprintf(text, "| %s | %s | %.2f | %.2f to %.2f | %.2f |\n", r->name, r->contenders[c].name,
          of_ratio.median, of_ratio.low, of_ratio.high, of_each.median);
  if (json)
    fprintf(json, "%s{\"name\":\"%s\",\"ratio\":%.4f,\"low\":%.4f,\"high\":%.4f,\"ns\":%.4f}",
            c ? "," : "", r->contenders[c].name, of_ratio.median, of_ratio.low, of_ratio.high,
            of_each.median);
}

int bench_row(const row *r, int rounds, FILE *text, FILE *json)
{
  static double seconds[BENCH_CONTENDERS][ROUNDS_MOST];

  if (rounds < 1) rounds = 1;
  if (rounds > ROUNDS_MOST) rounds = ROUNDS_MOST;
  if (measure(r, rounds, seconds)) return -1;
  fprintf(text, "| row | contender | time, ours = 1 | half of the rounds | ns a %s |\n"
                "| --- | --- | --- | --- | --- |\n", r->unit);
  if (json)
    fprintf(json, "{\"row\":\"%s\",\"unit\":\"%s\",\"work\":%.0f,\"rounds\":%d,\"contenders\":[",
            r->name, r->unit, r->work, rounds);
  for (int c = 0; c < r->count; c++) write_contender(r, c, rounds, seconds, text, json);
  if (json) fprintf(json, "]}\n");
  return 0;
}
