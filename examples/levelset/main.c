/* A disk with a slot is turned round once, as the border in a narrow band.
 *
 *   levelset [--disk] [--steps=N] [--frames=N] [--quiet]
 *
 * --disk: one without a slot; progress is shown on a terminal, without --quiet.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <snode/io.h>

#include "levelset.h"

enum { REDISTANCE = 20, TIMES = 8 };   /* each so many steps, by so many half cells */

typedef struct settings {
  long steps, frames;
  int is_disk, is_quiet;
} settings;

static int show(levelset_plane *plane, levelset_picture *picture, long number)
{
  char name[64];

  snprintf(name, sizeof name, "levelset-%03ld.png", number);
  SN_TRY(levelset_look(plane, picture));
  return sn_io_write_png((sn_tree *)picture, "shade", NULL, 0, 1, name);
}

static int step(levelset_plane *plane, long number, long steps, int64_t *tiles)
{
  SN_TRY(levelset_follow(plane, tiles));
  SN_TRY(levelset_turn(plane, (float)(8 * atan(1) / (double)steps)));
  return number % REDISTANCE == 0 ? levelset_redistance(plane, TIMES) : SN_OK;
}

static int run(levelset_plane *plane, levelset_picture *picture, const settings *s)
{
  double before = 0, area = 0, changed = 0;
  int64_t tiles = 0, capacity = 0;

  SN_TRY(levelset_tile_capacity(plane, &capacity));
  SN_TRY(levelset_begin(plane, s->is_disk ? 0 : 0.05f * LEVELSET_SIDE));
  SN_TRY(levelset_redistance(plane, 4 * TIMES));
  SN_TRY(levelset_remember(plane, picture));
  SN_TRY(levelset_area(plane, &before));
  if (s->frames > 0) SN_TRY(show(plane, picture, 0));
  for (long k = 1, frame = 0; k <= s->steps; k++) {
    SN_TRY(step(plane, k, s->steps, &tiles));
    if (k * s->frames / s->steps > frame) SN_TRY(show(plane, picture, ++frame));
    if (!s->is_quiet && k % REDISTANCE == 0)
      fprintf(stderr, "\r%ld of %ld steps, %lld tiles ", k, s->steps, (long long)tiles);
  }
  if (!s->is_quiet) fputc('\n', stderr);
  SN_TRY(levelset_area(plane, &area));
  SN_TRY(levelset_changed(plane, picture, &changed));
  printf("area %.2f, after a turn %.2f (%+.3f %%), on %.2f another shape; %lld of %lld tiles\n",
         before, area, 100 * (area / before - 1), changed, (long long)tiles, (long long)capacity);
  return SN_OK;
}

static int read_option(settings *s, const char *text)
{
  if (sscanf(text, "--steps=%ld", &s->steps) == 1) return s->steps <= 0;
  if (sscanf(text, "--frames=%ld", &s->frames) == 1) return s->frames < 0;
  if (strcmp(text, "--disk") == 0) return !(s->is_disk = 1);
  if (strcmp(text, "--quiet") == 0) return !(s->is_quiet = 1);
  return -1;
}

int main(int argc, char **argv)
{
  settings s = { 1280, 8, 0, !isatty(STDERR_FILENO) };
  sn_context *context = NULL;
  levelset_plane *plane = NULL;
  levelset_picture *picture = NULL;
  int code;

  for (int k = 1; k < argc; k++)
    if (read_option(&s, argv[k]))
      return fputs("usage: levelset [--disk] [--steps=N] [--frames=N] [--quiet]\n", stderr), 2;
  code = sn_context_create(NULL, &context);
  if (code == SN_OK) code = levelset_plane_create(context, NULL, &plane);
  if (code == SN_OK) code = levelset_picture_create(context, NULL, &picture);
  if (code == SN_OK) code = run(plane, picture, &s);
  if (code != SN_OK) fprintf(stderr, "levelset: %s\n", sn_context_error(context));
  levelset_plane_destroy(plane);
  levelset_picture_destroy(picture);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
