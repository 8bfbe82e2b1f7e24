/* Kernels' spans of a Chrome trace, as the engine writes it: one on each line. */
#include "overlap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 2, COLUMNS = 88, SHOWN = 14 };

typedef struct span {
  char letter;
  int unit;
  double begin, end;             /* microseconds */
} span;

typedef struct spans {
  span *at;
  size_t count;
} spans;

static int add_span(spans *s, span one)
{
  span *grown = s->count % 1024 ? s->at : realloc(s->at, (s->count + 1024) * sizeof *grown);

  if (!grown) return 1;
  s->at = grown;
  s->at[s->count++] = one;
  return 0;
}

/* A kernel's line: {"name":"waves_kick","cat":"task",...,"pid":0,"tid":3,"ts":12.5,"dur":3.25} */
static int read_line(spans *s, const char *line)
{
  static const char begins[] = "{\"name\":\"waves_";
  const char *rest = strstr(line, ",\"pid\":");
  span one;
  double duration;
  int row;

  if (strncmp(line, begins, sizeof begins - 1) != 0 || !rest) return 0;
  if (sscanf(rest, ",\"pid\":%d,\"tid\":%d,\"ts\":%lf,\"dur\":%lf", &one.unit, &row, &one.begin,
             &duration) != 4)
    return 0;
  one.letter = line[sizeof begins - 1];
  one.end = one.begin + duration;
  return one.unit < UNITS ? add_span(s, one) : 0;
}

static int by_begin(const void *a, const void *b)
{
  const span *x = a, *y = b;

  return (x->begin > y->begin) - (x->begin < y->begin);
}

static int read_trace(const char *path, spans *s)
{
  FILE *file = fopen(path, "r");
  char line[1024];
  int failed = 0;

  if (!file) return 1;
  while (!failed && fgets(line, sizeof line, file)) failed = read_line(s, line);
  fclose(file);
  if (s->count) qsort(s->at, s->count, sizeof *s->at, by_begin);
  return failed || !s->count;
}

/* From the middle on, when both have long begun. */
static void print_chart(const spans *s)
{
  const size_t first = s->count / 2, last = first + SHOWN < s->count ? first + SHOWN : s->count - 1;
  const double from = s->at[first].begin, step = (s->at[last].end - from) / COLUMNS;
  char row[UNITS][COLUMNS + 1];

  memset(row, '.', sizeof row);
  for (size_t k = first; k <= last; k++)
    for (int c = 0; c < COLUMNS; c++) {
      const double at = from + (c + 0.5) * step;
      if (s->at[k].begin <= at && at < s->at[k].end) row[s->at[k].unit][c] = s->at[k].letter;
    }
  printf("%.2f ms of the trace (s spread, k kick, d drift, e energy, . none):\n",
         COLUMNS * step / 1000);
  for (int u = 0; u < UNITS; u++) printf("  unit %d  %.*s\n", u, COLUMNS, row[u]);
}

/* The time that any of the unit's kernels and any of the other's have in common; each unit's
 * kernels run one after the other. */
static double common(const spans *s)
{
  double both = 0, until[UNITS] = { 0, 0 };

  for (size_t k = 0; k < s->count; k++) {
    const span *one = &s->at[k];
    const double other = until[1 - one->unit];
    if (other > one->begin) both += (other < one->end ? other : one->end) - one->begin;
    if (one->end > until[one->unit]) until[one->unit] = one->end;
  }
  return both;
}

int report_overlap(const char *path)
{
  spans s = { NULL, 0 };
  double busy[UNITS] = { 0, 0 }, both;

  if (read_trace(path, &s)) {
    free(s.at);
    return 1;
  }
  print_chart(&s);
  for (size_t k = 0; k < s.count; k++) busy[s.at[k].unit] += s.at[k].end - s.at[k].begin;
  both = common(&s);
  printf("%zu kernels, %.1f and %.1f ms; both units at once for %.1f ms: %.0f %% of the time in "
         "which one runs any\n", s.count, busy[0] / 1000, busy[1] / 1000, both / 1000,
         100 * both / (busy[0] + busy[1] - both));
  free(s.at);
  return 0;
}
