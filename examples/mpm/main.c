/* Elastic bodies fall on each other; pictures of them on the way.
 *
 *   mpm [--particles=N] [--steps=N] [--frames=N] [--quiet]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snode/io.h>

#include "bodies.h"
#include "mpm.h"

typedef struct settings {
  long particles, steps, frames;
  int is_quiet;
} settings;

typedef struct trees {
  mpm_particles *particles;
  mpm_grid *grid;
  mpm_picture *picture;
} trees;

static int show(const trees *t, long number)
{
  char name[64];

  snprintf(name, sizeof name, "mpm-%03ld.png", number);
  SN_TRY(mpm_look(t->particles, t->picture));
  return sn_io_write_png((sn_tree *)t->picture, "shade", NULL, 0, 1, name);
}

static int begin(const trees *t, long n)
{
  float *at = NULL;
  int32_t *of = NULL;
  const int code = bodies_make(n, &at, &of) ? SN_ENOMEM : mpm_seed(t->particles, at, n, of, 2);

  free(of);
  free(at);
  return code;
}

static int run(const trees *t, const settings *s)
{
  const float volume = (float)(bodies_area() / (double)s->particles);
  double mass = bodies_area() * MPM_DENSITY, of_grid = 0, of_particles = 0, deformation = 0;
  long frame = 0;

  SN_TRY(begin(t, s->particles));
  if (s->frames > 0) SN_TRY(show(t, 0));
  for (long k = 1; k <= s->steps; k++) {
    SN_TRY(mpm_give(t->particles, t->grid, volume));
    SN_TRY(mpm_move(t->grid));
    SN_TRY(mpm_take(t->particles, t->grid));
    if (k * s->frames / s->steps > frame) SN_TRY(show(t, ++frame));
    if (!s->is_quiet && k % 20 == 0) fprintf(stderr, "\r%ld of %ld steps ", k, s->steps);
  }
  if (!s->is_quiet) fputc('\n', stderr);
  SN_TRY(mpm_mass_of_grid(t->grid, &of_grid));
  SN_TRY(mpm_mass_of_particles(t->particles, volume, &of_particles));
  SN_TRY(mpm_deformation(t->particles, &deformation));
  printf("%ld particles, %ld steps: mass %.6f; %+.2e of it on the grid, %+.2e in the square; "
         "deformed by %.3f\n", s->particles, s->steps, mass, of_grid / mass - 1,
         of_particles / mass - 1, deformation);
  return SN_OK;
}

static int read_option(settings *s, const char *text)
{
  if (sscanf(text, "--particles=%ld", &s->particles) == 1) return s->particles <= 0;
  if (sscanf(text, "--steps=%ld", &s->steps) == 1) return s->steps <= 0;
  if (sscanf(text, "--frames=%ld", &s->frames) == 1) return s->frames < 0;
  return strcmp(text, "--quiet") != 0 || !(s->is_quiet = 1);
}

int main(int argc, char **argv)
{
  settings s = { 100000, 6000, 24, !isatty(STDERR_FILENO) };
  trees t = { NULL, NULL, NULL };
  sn_context *context = NULL;
  int code;

  for (int k = 1; k < argc; k++)
    if (read_option(&s, argv[k]))
      return fputs("usage: mpm [--particles=N] [--steps=N] [--frames=N] [--quiet]\n", stderr), 2;
  code = sn_context_create(NULL, &context);
  if (code == SN_OK) code = mpm_particles_create(context, NULL, &t.particles);
  if (code == SN_OK) code = mpm_grid_create(context, NULL, &t.grid);
  if (code == SN_OK) code = mpm_picture_create(context, NULL, &t.picture);
  if (code == SN_OK) code = run(&t, &s);
  if (code != SN_OK) fprintf(stderr, "mpm: %s\n", sn_context_error(context));
  mpm_particles_destroy(t.particles);
  mpm_grid_destroy(t.grid);
  mpm_picture_destroy(t.picture);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
