/* Poisson's equation in a ball full of tunnels, to a relative residual of 1e-10.
 *
 *   mgpcg [--picture=FILE] [--quiet]
 *
 * The picture is a PNG of the solution's middle plane.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snode/io.h>

#include "mgpcg.h"
#include "poisson.h"

enum { SIDE = MGPCG_SIDE, MOST = 100 };
static const size_t CELLS = (size_t)SIDE * SIDE * SIDE;

typedef struct problem {
  uint8_t *inside;
  double *b, *x;
} problem;

/* Conjugate gradients: the loop is here, what they do to the cells is in the kernels. */
static int solve(mgpcg_region *region, double tolerance, int is_quiet, int *iterations)
{
  double rz = 0, before, rr = 0, first = 0;

  SN_TRY(mgpcg_left(region, &first));
  rr = first;
  for (*iterations = 0; *iterations < MOST && sqrt(rr / first) > tolerance; ++*iterations) {
    before = rz;
    SN_TRY(mgpcg_precondition(region, &rz));
    SN_TRY(mgpcg_advance(region, *iterations ? rz / before : 0, rz, &rr));
    if (!is_quiet) fprintf(stderr, "\r%3d: %.2e ", *iterations + 1, sqrt(rr / first));
  }
  if (!is_quiet) fputc('\n', stderr);
  return SN_OK;
}

static int run(mgpcg_region *region, mgpcg_picture *picture, const problem *p, const char *path,
               int is_quiet)
{
  const int64_t cells = poisson_region(SIDE, p->inside);
  int iterations = 0;

  poisson_sources(SIDE, p->inside, p->b);
  SN_TRY(mgpcg_begin(region, p->inside, p->b));
  SN_TRY(solve(region, 1e-10, is_quiet, &iterations));
  SN_TRY(mgpcg_x_read(region, NULL, sn_span_host(p->x, CELLS * sizeof *p->x), NULL));
  printf("%lld of %zu cells: %d iterations, residual %.3g\n", (long long)cells, CELLS, iterations,
         poisson_residual(SIDE, p->inside, p->b, p->x));
  if (!path) return SN_OK;
  SN_TRY(mgpcg_look(region, picture));
  return sn_io_write_png((sn_tree *)picture, "shade", NULL, 0, 1, path);
}

int main(int argc, char **argv)
{
  problem p = { malloc(CELLS), malloc(CELLS * sizeof *p.b), malloc(CELLS * sizeof *p.x) };
  int code = p.inside && p.b && p.x ? SN_OK : SN_ENOMEM, is_quiet = !isatty(STDERR_FILENO);
  const char *path = NULL;
  sn_context *context = NULL;
  mgpcg_region *region = NULL;
  mgpcg_picture *picture = NULL;

  for (int k = 1; k < argc; k++)
    if (strncmp(argv[k], "--picture=", 10) == 0) path = argv[k] + 10;
    else if (strcmp(argv[k], "--quiet") == 0) is_quiet = 1;
    else return fputs("usage: mgpcg [--picture=FILE] [--quiet]\n", stderr), 2;
  if (code == SN_OK) code = sn_context_create(NULL, &context);
  if (code == SN_OK) code = mgpcg_region_create(context, NULL, &region);
  if (code == SN_OK) code = mgpcg_picture_create(context, NULL, &picture);
  if (code == SN_OK) code = run(region, picture, &p, path, is_quiet);
  if (code != SN_OK) fprintf(stderr, "mgpcg: %s\n", sn_context_error(context));
  mgpcg_region_destroy(region);
  mgpcg_picture_destroy(picture);
  free(p.inside);
  free(p.b);
  free(p.x);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
