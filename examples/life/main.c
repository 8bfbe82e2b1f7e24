/* life: Conway's Game of Life on an unbounded plane.
 *
 * Plays a pattern, says how it grows and what it takes, writes a picture of the end, and
 * can leave a checkpoint and go on from one.  With --check a dense board in plain C plays
 * the same game and the living cells are compared, one by one.
 */
#define _POSIX_C_SOURCE 200809L
#include "life.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pattern.h"
#include "reference.h"

typedef struct settings {
  const char *pattern, *output, *save, *load, *device, *threads;
  int64_t generations, every;
  int check;
} settings;

typedef struct game {
  settings set;
  pattern start;
  sn_context *context;
  life_plane *plane;
  double seconds;
} game;

/* ---- the command line ---- */

/* OPTION(name, letter, argument, help) */
#define OPTIONS(OPTION)                                                         \
  OPTION("generations", 'g', "N", "how many to make (2000)")                    \
  OPTION("every", 'e', "N", "a line every N generations (a tenth of them)")     \
  OPTION("output", 'o', "FILE.pgm", "a picture of the last one")                \
  OPTION("save", 's', "FILE", "a checkpoint of the last one")                   \
  OPTION("load", 'l', "FILE", "go on from a checkpoint instead of a pattern")   \
  OPTION("threads", 'j', "N", "host threads (all)")                             \
  OPTION("device", 'd', "NAME", "host, gpu:N or auto (host)")                   \
  OPTION("check", 'x', NULL, "compare with a dense board in C")                 \
  OPTION("help", 'h', NULL, "print this")

static void help(FILE *to)
{
  static const struct { const char *name, *argument, *text; } row[] = {
#define OPTION(name, letter, argument, text) { name, argument, text },
    OPTIONS(OPTION)
#undef OPTION
  };

  fprintf(to, "Usage: life [options] [PATTERN]\n"
              "Plays the Game of Life on an unbounded plane. PATTERN: %s (acorn\n"
              "unless named), or a file in RLE format.\n\n", pattern_names());
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const int used = fprintf(to, "  --%s%s%s", row[k].name, row[k].argument ? "=" : "",
                             row[k].argument ? row[k].argument : "");
    fprintf(to, "%*s%s\n", used < 24 ? 24 - used : 1, "", row[k].text);
  }
}

/* Says what went wrong and gives -1. */
static int wrong(const char *text)
{
  fprintf(stderr, "life: %s\n", text);
  return -1;
}

static int number(const char *option, const char *text, int64_t *out)
{
  char *end;
  const long long n = strtoll(text, &end, 10);

  if (end == text || *end || n < 0 || n > INT64_C(1000000000)) {
    fprintf(stderr, "life: --%s=%s: not a number from 0 to a milliard\n", option, text);
    return -1;
  }
  *out = n;
  return 0;
}

/* 0; 1 help was printed; -1 wrong. */
static int read_settings(int argc, char **argv, settings *s)
{
  static const struct option options[] = {
#define OPTION(name, letter, argument, text) \
    { name, (argument) ? required_argument : no_argument, NULL, letter },
    OPTIONS(OPTION)
#undef OPTION
    { NULL, 0, NULL, 0 }
  };
  int letter;

  memset(s, 0, sizeof *s);
  s->pattern = "acorn";
  s->generations = 2000;
  while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1)
    switch (letter) {
      case 'g': if (number("generations", optarg, &s->generations)) return -1; break;
      case 'e': if (number("every", optarg, &s->every)) return -1; break;
      case 'o': s->output = optarg; break;
      case 's': s->save = optarg; break;
      case 'l': s->load = optarg; break;
      case 'j': s->threads = optarg; break;
      case 'd': s->device = optarg; break;
      case 'x': s->check = 1; break;
      case 'h': help(stdout); return 1;
      default: return -1;
    }
  if (optind + 1 < argc) return wrong("one pattern at a time");
  if (optind < argc) s->pattern = argv[optind];
  if (s->load && s->check) return wrong("--check begins with a pattern, not with --load");
  if (!s->every) s->every = s->generations > 10 ? s->generations / 10 : 1;
  return 0;
}

/* ---- the steps of a run: 0, or -1 after saying what is wrong ---- */

/* 0 for SN_OK, else says what the context says. */
static int settle(game *g, int code)
{
  const char *text = sn_context_error(g->context);

  if (code == SN_OK) return 0;
  return wrong(g->context && *text ? text : sn_strerror(code));
}

static int open_context(game *g)
{
  sn_config *config = NULL;
  int code = sn_config_create(&config);

  if (!code && g->set.device) code = sn_config_set(config, "device", g->set.device);
  if (!code && g->set.threads) code = sn_config_set(config, "threads", g->set.threads);
  if (code) wrong(config ? sn_config_error(config) : sn_strerror(code));
  else code = settle(g, sn_context_create(config, &g->context));
  sn_config_destroy(config);
  return code ? -1 : 0;
}

static int begin(game *g)
{
  char message[512];

  if (settle(g, life_plane_create(g->context, NULL, &g->plane))) return -1;
  if (g->set.load) return settle(g, life_plane_load(g->plane, g->set.load));
  if (pattern_read(g->set.pattern, &g->start, message, sizeof message)) return wrong(message);
  return settle(g, life_seed(g->plane, g->start.at, g->start.cells));
}

static double now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int say(game *g, int64_t generation, int64_t living)
{
  int64_t pages;

  if (settle(g, life_page_count(g->plane, &pages))) return -1;
  printf("%10" PRId64 "  %8" PRId64 " cells on %6" PRId64 " pages\n", generation, living, pages);
  return 0;
}

static int play(game *g)
{
  int64_t living;
  double start;

  if (settle(g, life_alive_count(g->plane, &living))) return -1;
  printf("generation\n");
  if (say(g, 0, living)) return -1;
  start = now();
  for (int64_t n = 1; n <= g->set.generations; n++) {
    if (settle(g, life_step(g->plane, &living))) return -1;
    if ((n % g->set.every == 0 || n == g->set.generations) && say(g, n, living)) return -1;
  }
  g->seconds = now() - start;
  return 0;
}

static int report(game *g)
{
  enum { ROWS = 8 };
  sn_memory_info rows[ROWS];
  int count;
  int64_t bytes = 0;

  if (settle(g, life_plane_memory(g->plane, rows, ROWS, &count))) return -1;
  for (int k = 0; k < count && k < ROWS; k++) bytes += rows[k].bytes;
  printf("%.3f s, %.1f us a generation; the tree holds %.2f MB\n", g->seconds,
         g->set.generations ? 1e6 * g->seconds / (double)g->set.generations : 0.0,
         1e-6 * (double)bytes);
  return 0;
}

/* ---- the living cells: through the activity of a node that has no value ---- */

/* Those of the rectangle that all living pages lie in.  `neighbours` stands on every cell
 * of a page: its active cells name the pages' cells. */
static int living(game *g, pattern *out)
{
  int64_t cells, *at, n = 0;
  int32_t *unused;

  memset(out, 0, sizeof *out);
  if (settle(g, life_neighbours_count(g->plane, &cells))) return -1;
  at = malloc((size_t)(cells + 1) * 2 * sizeof *at);
  unused = malloc((size_t)(cells + 1) * sizeof *unused);
  if (!at || !unused ||
      settle(g, life_neighbours_read_active(g->plane, at, unused, cells, &cells))) {
    free(at);
    free(unused);
    return wrong("the living cells could not be read");
  }
  free(unused);
  for (int64_t k = 0; k < cells; k++) {
    int lives;
    if (settle(g, life_alive_is_active(g->plane, at[2 * k], at[2 * k + 1], &lives))) {
      free(at);
      return -1;
    }
    if (!lives) continue;
    at[2 * n] = at[2 * k];
    at[2 * n + 1] = at[2 * k + 1];
    n++;
  }
  out->at = at;
  out->cells = n;
  return 0;
}

static int compare_places(const void *a, const void *b)
{
  const int64_t *p = a, *q = b;

  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return (p[1] > q[1]) - (p[1] < q[1]);
}

static int check(game *g)
{
  pattern mine, theirs;
  int differ;

  if (living(g, &mine)) return -1;
  if (reference_run(&g->start, g->set.generations, &theirs)) {
    pattern_free(&mine);
    return wrong("no memory for the dense board");
  }
  qsort(mine.at, (size_t)mine.cells, 2 * sizeof *mine.at, compare_places);
  differ = mine.cells != theirs.cells ||
           memcmp(mine.at, theirs.at, (size_t)mine.cells * 2 * sizeof *mine.at) != 0;
  printf("check: %" PRId64 " cells live here, %" PRId64 " on the dense board%s\n", mine.cells,
         theirs.cells, differ ? "" : ", in the same places");
  pattern_free(&mine);
  pattern_free(&theirs);
  return differ ? wrong("the dense board disagrees") : 0;
}

/* ---- the picture: a binary PGM, each pixel the density of 1, 2, 4 ... cells squared ---- */

static int write_picture(const game *g, const int64_t size[2], const uint8_t *pixel)
{
  FILE *file = fopen(g->set.output, "wb");
  const size_t pixels = (size_t)(size[0] * size[1]);
  int failed = !file;

  if (file) {
    failed = fprintf(file, "P5\n%" PRId64 " %" PRId64 "\n255\n", size[1], size[0]) < 0 ||
             fwrite(pixel, 1, pixels, file) != pixels;
    failed = fclose(file) != 0 || failed;
  }
  if (failed) perror(g->set.output);
  else printf("wrote %s\n", g->set.output);
  return failed ? -1 : 0;
}

static int picture(game *g)
{
  enum { WIDEST = 1024 };
  pattern p;
  int64_t lo[2] = { 0, 0 }, hi[2] = { 1, 1 }, size[2], zoom = 1;
  uint8_t *pixel;
  int failed;

  if (living(g, &p)) return -1;
  for (int64_t k = 0; k < 2 * p.cells; k++) {
    if (k < 2 || p.at[k] < lo[k % 2]) lo[k % 2] = p.at[k];
    if (k < 2 || p.at[k] + 1 > hi[k % 2]) hi[k % 2] = p.at[k] + 1;
  }
  while ((hi[0] - lo[0]) / zoom > WIDEST || (hi[1] - lo[1]) / zoom > WIDEST) zoom *= 2;
  for (int a = 0; a < 2; a++) size[a] = (hi[a] - lo[a] + zoom - 1) / zoom;
  pixel = calloc((size_t)(size[0] * size[1]), 1);
  for (int64_t k = 0; pixel && k < p.cells; k++) {
    uint8_t *at = pixel + (p.at[2 * k] - lo[0]) / zoom * size[1] +
                  (p.at[2 * k + 1] - lo[1]) / zoom;
    *at = (uint8_t)(*at + (255 - *at) / (zoom == 1 ? 1 : 2));
  }
  failed = pixel ? write_picture(g, size, pixel) : wrong("no memory for the picture");
  free(pixel);
  pattern_free(&p);
  return failed;
}

/* ---- all of it ---- */

static int work(game *g)
{
  if (open_context(g) || begin(g) || play(g) || report(g)) return -1;
  if (g->set.output && picture(g)) return -1;
  if (g->set.save && settle(g, life_plane_save(g->plane, g->set.save))) return -1;
  return g->set.check ? check(g) : 0;
}

int main(int argc, char **argv)
{
  game g;
  int failed;

  memset(&g, 0, sizeof g);
  failed = read_settings(argc, argv, &g.set);
  if (failed) return failed < 0 ? 2 : 0;
  failed = work(&g);
  life_plane_destroy(g.plane);
  if (g.context && sn_context_destroy(g.context) != SN_OK)
    failed = wrong("the context is still in use");
  pattern_free(&g.start);
  return failed ? 1 : 0;
}
