/* Contexts with a trace (option trace), in what may go wrong with one.
 *
 *   launches one FILE     kernels in one context
 *   launches two FILE     two contexts at once on one file, and one after them
 *   launches twice FILE   a context that is destroyed a second time where the first attempt fails
 */
#include "launches.h"

#include <stdio.h>
#include <string.h>

static sn_context *make(const char *path)
{
  sn_config *config = NULL;
  sn_context *context = NULL;

  if (sn_config_create(&config) != SN_OK || sn_config_set(config, "trace", path) != SN_OK ||
      sn_context_create(config, &context) != SN_OK)
    printf("no context\n");
  sn_config_destroy(config);
  return context;
}

/* The kernels, each once: the first that fails ends it. */
static int work(sn_context *context)
{
  launches_grid *grid = NULL;
  double sum = 0;
  int code = launches_grid_create(context, NULL, &grid);

  if (code == SN_OK) code = launches_fill(grid, 1000);
  if (code == SN_OK) code = launches_sum(grid, &sum);
  if (code == SN_OK) code = launches_clear(grid);
  launches_grid_destroy(grid);
  if (code != SN_OK) printf("  %s\n", sn_context_error(context));
  return code;
}

static void one(const char *path)
{
  sn_context *context = make(path);

  if (!context) return;
  printf("work: %s\n", sn_strerror(work(context)));
  printf("destroyed: %s\n", sn_strerror(sn_context_destroy(context)));
}

static void two(const char *path)
{
  sn_context *first = make(path), *second = make(path);

  printf("work: %s\n", sn_strerror(work(first)));
  printf("in the second: %s\n", sn_strerror(work(second)));
  printf("destroyed: %s\n", sn_strerror(sn_context_destroy(first)));
  sn_context_clear(second);
  printf("in the second, alone: %s\n", sn_strerror(work(second)));
  printf("destroyed: %s\n", sn_strerror(sn_context_destroy(second)));
}

static void twice(const char *path)
{
  sn_context *context = make(path);
  int code;

  printf("work: %s\n", sn_strerror(work(context)));
  code = sn_context_destroy(context);
  printf("destroyed: %s\n", sn_strerror(code));
  if (code != SN_OK) {
    printf("  %s\n", sn_context_error(context));
    printf("again: %s\n", sn_strerror(sn_context_destroy(context)));
  }
}

int main(int argc, char **argv)
{
  const char *what = argc == 3 ? argv[1] : "";

  if (strcmp(what, "one") == 0) one(argv[2]);
  else if (strcmp(what, "two") == 0) two(argv[2]);
  else if (strcmp(what, "twice") == 0) twice(argv[2]);
  else return 2;
  return 0;
}
