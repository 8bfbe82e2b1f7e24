/* Patterns of Gray and Scott grow from a few squares; pictures of the second chemical on the way.
 *
 *   grayscott [--steps=N] [--frames=N] [--all] [--quiet]
 *
 * --all makes all tiles exist, for a comparison; progress is shown on a terminal, without --quiet.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <snode/io.h>

#include "grayscott.h"

enum { SIDE = GRAYSCOTT_SIDE, TOGETHER = GRAYSCOTT_REACH };

typedef struct settings {
  long steps, frames;
  int all, quiet;
} settings;

static int begin(grayscott_plane *plane, const settings *s)
{
  const int32_t at[5][2] = { { SIDE / 2, SIDE / 2 }, { SIDE / 3, SIDE / 3 }, { SIDE / 3, SIDE / 2 },
                             { 2 * SIDE / 3, SIDE / 2 + 40 }, { SIDE / 2, 3 * SIDE / 4 } };

  if (s->all) SN_TRY(grayscott_fill(plane));
  return grayscott_seed(plane, &at[0][0], 5, 10);
}

/* The tiles follow the second chemical, which comes a cell further with each step. */
static int some_steps(grayscott_plane *plane, const settings *s, int64_t *tiles)
{
  SN_TRY(grayscott_spread(plane));
  for (int k = 0; k < TOGETHER; k += 2) {
    SN_TRY(grayscott_step_there(plane, 0.037f, 0.06f));
    SN_TRY(grayscott_step_back(plane, 0.037f, 0.06f));
  }
  return s->all ? grayscott_tile_count(plane, tiles) : grayscott_retire(plane, tiles);
}

static int picture(grayscott_plane *plane, long number)
{
  char name[64];

  snprintf(name, sizeof name, "grayscott-%03ld.png", number);
  return sn_io_write_png((sn_tree *)plane, "v", NULL, 0, 0.4, name);
}

static int run(grayscott_plane *plane, const settings *s)
{
  int64_t tiles = 0, capacity = 0;
  double amount = 0;
  long frame = 0;

  SN_TRY(grayscott_tile_capacity(plane, &capacity));
  SN_TRY(begin(plane, s));
  for (long step = 0; step < s->steps; step += TOGETHER) {
    SN_TRY(some_steps(plane, s, &tiles));
    if (s->frames > 0 && (step + TOGETHER) * s->frames / s->steps > frame)
      SN_TRY(picture(plane, ++frame));
    if (!s->quiet && step / TOGETHER % 64 == 0)
      fprintf(stderr, "\r%ld of %ld steps, %lld of %lld tiles ", step + TOGETHER, s->steps,
              (long long)tiles, (long long)capacity);
  }
  if (!s->quiet) fputc('\n', stderr);
  SN_TRY(grayscott_amount(plane, &amount));
  printf("%ld steps: %.2f of v in %lld of %lld tiles, %ld pictures\n", s->steps, amount,
         (long long)tiles, (long long)capacity, frame);
  return SN_OK;
}

static int read_option(settings *s, const char *text)
{
  if (sscanf(text, "--steps=%ld", &s->steps) == 1) return s->steps <= 0;
  if (sscanf(text, "--frames=%ld", &s->frames) == 1) return s->frames < 0;
  if (strcmp(text, "--all") == 0) return !(s->all = 1);
  if (strcmp(text, "--quiet") == 0) return !(s->quiet = 1);
  return -1;
}

int main(int argc, char **argv)
{
  settings s = { 12000, 8, 0, !isatty(STDERR_FILENO) };
  sn_context *context = NULL;
  grayscott_plane *plane = NULL;
  int code;

  for (int k = 1; k < argc; k++)
    if (read_option(&s, argv[k]))
      return fputs("usage: grayscott [--steps=N] [--frames=N] [--all] [--quiet]\n", stderr), 2;
  code = sn_context_create(NULL, &context);
  if (code == SN_OK) code = grayscott_plane_create(context, NULL, &plane);
  if (code == SN_OK) code = run(plane, &s);
  if (code != SN_OK) fprintf(stderr, "grayscott: %s\n", sn_context_error(context));
  grayscott_plane_destroy(plane);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
