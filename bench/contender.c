/* The lines of contender.h. */
#include "contender.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
  const char *clock = getenv("BENCH_CLOCK");
  struct timespec t;

  clock_gettime(clock && strcmp(clock, "cpu") == 0 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC,
                &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long resident_kib(void)
{
  long size = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");

  if (f) {
    if (fscanf(f, "%ld %ld", &size, &resident) != 2) resident = 0;
    fclose(f);
  }
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void *bench_pages(size_t bytes)
{
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (at == MAP_FAILED) return NULL;
  madvise(at, bytes, MADV_HUGEPAGE);
  return at;
}

static double told;              /* by run; 0: the clock's time stands */

void contender_took(double seconds)
{
  told = seconds;
}

static int one_round(const contender *c, void *state, int repeats)
{
  double seconds = 0, result = 0;

  for (int n = 0; n < repeats; n++) {
    double start;
    if (c->before && c->before(state)) return -1;
    start = now();
    if (c->run(state)) return -1;
    seconds += told ? told : now() - start;
  }
  if (c->after(state, &result)) return -1;
  printf("%.9f %.17g %ld\n", seconds, result, resident_kib());
  return fflush(stdout);
}

static int rounds(const contender *c, int64_t size, int repeats)
{
  void *state = NULL;
  char line[64];

  if (c->create(&state, size)) return -1;
  puts("ready");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin))
    if (one_round(c, state, repeats)) return -1;
  return 0;
}

int contend(const contender *contenders, int count, int argc, char **argv)
{
  for (int c = 0; argc == 5 && c < count; c++)
    if (strcmp(argv[1], contenders[c].row) == 0 && strcmp(argv[2], contenders[c].name) == 0) {
      const int failed = rounds(&contenders[c], atoll(argv[3]), atoi(argv[4]));
      if (failed) fprintf(stderr, "bench: %s, %s: failed\n", argv[1], argv[2]);
      return failed ? 1 : 0;
    }
  fprintf(stderr, "usage: %s ROW NAME SIZE REPEATS, of\n", argv[0]);
  for (int c = 0; c < count; c++)
    fprintf(stderr, "  %s %s\n", contenders[c].row, contenders[c].name);
  return 2;
}
