/* Particles along a knot, and their neighbours within a radius.
 *
 *   neighbours [--particles=N] [--check=brute | --check=grid] [--picture=FILE]
 *
 * --check compares with loops in plain C: each with each, or by cells.  The picture is a PNG.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <snode/io.h>

#include "knot.h"
#include "neighbours.h"
#include "reference.h"

/* Cells are a little wider than the radius, so that no rounding puts a neighbour two cells away. */
static const float RADIUS = 1 / 1.001f;
enum { SIDE = NEIGHBOURS_SIDE };

typedef struct settings {
  long particles;
  char check[16], picture[256];
} settings;

static int run(neighbours_box *box, neighbours_picture *picture, const settings *s)
{
  float *at = malloc((size_t)s->particles * 3 * sizeof *at);
  int32_t *near = malloc((size_t)s->particles * sizeof *near);
  pairs_found found = { 0, 0 };
  int differs = 0;
  int code = at && near ? SN_OK : SN_ENOMEM;

  if (code == SN_OK) knot_scatter(at, s->particles, SIDE);
  if (code == SN_OK) code = neighbours_sort(box, at, s->particles);
  if (code == SN_OK) code = neighbours_pairs(box, RADIUS, &found.marks);
  if (code == SN_OK) code = neighbours_total(box, &found.total);
  if (code == SN_OK) code = neighbours_counts(box, near, s->particles);
  if (code == SN_OK)
    printf("%ld particles, %lld pairs, marks %016llx\n", s->particles,
           (long long)found.total / 2, (unsigned long long)found.marks);
  if (code == SN_OK && *s->check)
    differs = !reference_agrees(at, s->particles, *s->check == 'g' ? SIDE : 0, RADIUS, near, found);
  if (code == SN_OK && *s->check)
    puts(differs ? "other pairs by plain loops" : "the same pairs by plain loops");
  if (code == SN_OK && *s->picture) code = neighbours_look(box, picture);
  if (code == SN_OK && *s->picture)
    code = sn_io_write_png((sn_tree *)picture, "shadow", NULL, 0, 1000, s->picture);
  free(near);
  free(at);
  return code != SN_OK ? code : differs ? SN_EASSERT : SN_OK;
}

static int read_option(settings *s, const char *text)
{
  if (sscanf(text, "--particles=%ld", &s->particles) == 1) return s->particles <= 0;
  if (sscanf(text, "--picture=%255s", s->picture) == 1) return 0;
  if (sscanf(text, "--check=%15s", s->check) != 1) return -1;
  return strcmp(s->check, "brute") && strcmp(s->check, "grid");
}

int main(int argc, char **argv)
{
  settings s = { 1000000, "", "" };
  sn_context *context = NULL;
  neighbours_box *box = NULL;
  neighbours_picture *picture = NULL;
  int code;

  for (int k = 1; k < argc; k++)
    if (read_option(&s, argv[k]))
      return fputs("usage: neighbours [--particles=N] [--check=brute | --check=grid] "
                   "[--picture=FILE]\n", stderr), 2;
  code = sn_context_create(NULL, &context);
  if (code == SN_OK) code = neighbours_box_create(context, NULL, &box);
  if (code == SN_OK) code = neighbours_picture_create(context, NULL, &picture);
  if (code == SN_OK) code = run(box, picture, &s);
  if (code != SN_OK) fprintf(stderr, "neighbours: %s\n", sn_context_error(context));
  neighbours_box_destroy(box);
  neighbours_picture_destroy(picture);
  return sn_context_destroy(context) != SN_OK || code != SN_OK;
}
