/* What is left of a context in the child of a fork: a host's goes on with one thread, on a copy of
 * the trees; a device's is refused.
 */
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "twice.h"
#include "run.h"

static int is_device(void)
{
  const char *device = getenv("SNODE_DEVICE");

  return device && strncmp(device, "gpu", 3) == 0;
}

/* The number of what is not as it should be, from 1. */
static int on_host(twice_grid *grid)
{
  double s = 0;

  if (twice_dot(grid, grid, &s) != SN_OK || s < 45 || s > 45) return 1;
  if (twice_set(grid, 30, 40, 1.0f) != SN_OK) return 2;
  if (twice_dot(grid, grid, &s) != SN_OK || s < 55 || s > 55) return 3;
  twice_grid_destroy(grid);
  return 0;
}

static int on_device(sn_context *ctx, twice_grid *grid)
{
  double s = 0;
  float v;

  if (twice_dot(grid, grid, &s) != SN_ESTATE) return 4;
  if (!strstr(sn_context_error(ctx), "which fork has made")) return 5;
  if (twice_u_get(grid, 1, &v) != SN_ESTATE) return 6;
  if (sn_context_destroy(ctx) != SN_ESTATE) return 7;
  return 0;
}

int run_forked(sn_context *ctx)
{
  twice_grid *grid;
  int status = 0;
  pid_t child;
  double s;

  CHECK(twice_grid_create(ctx, NULL, &grid));
  CHECK(twice_set(grid, 0, 20, 1.5f));
  CHECK(twice_dot(grid, grid, &s));
  fflush(stdout);
  child = fork();
  if (child == 0) {
    alarm(60);                   /* threads that are not there are waited for for ever */
    _exit(is_device() ? on_device(ctx, grid) : on_host(grid));
  }
  waitpid(child, &status, 0);
  printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  CHECK(twice_dot(grid, grid, &s));
  printf("the parent's sum %g\n", s);
  twice_grid_destroy(grid);
  return 0;
}
