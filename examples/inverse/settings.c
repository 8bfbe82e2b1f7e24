/* The command line of inverse: one table of options. */
#include "settings.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "inverse.h"

/* Debian's package mricron-data; configure may name another (BRAIN_VOLUME=...). */
#ifndef BRAIN_VOLUME
# define BRAIN_VOLUME "/usr/share/mricron/templates/ch2bet.nii.gz"
#endif

/* OPTION(name, letter, argument, help) */
#define OPTIONS(OPTION)                                                              \
  OPTION("steps", 's', "N", "steps of diffusion (50)")                               \
  OPTION("rate", 'a', "X", "of a step; at most 1/6, where it is stable (0.05)")      \
  OPTION("kappa", 'k', "X", "steeper than X, less heat flows (0.5 of the greatest value)")\
  OPTION("every", 'e', "N", "each N-th axial slice is seen (2)")                     \
  OPTION("times", 'm', "N", "seen at N times, 1 to 4, the last one at the end (4)")  \
  OPTION("noise", 'z', "X", "errors of measurement (0.002 of the greatest value)")   \
  OPTION("rounds", 'i', "N", "rounds of the search at most (20)")                    \
  OPTION("places", 'p', "N", "of the tape, for checkpoints (8)")                     \
  OPTION("threshold", 't', "X", "store the voxels above X (0.1 of the greatest value)")\
  OPTION("crop", 'c', "N", "only the cube of N voxels in the middle")                \
  OPTION("threads", 'j', "N", "host threads (all)")                                  \
  OPTION("device", 'd', "NAME", "host, gpu:N or auto (host)")                        \
  OPTION("output", 'o', "DIR", "folder of the pictures and the table (the current one)")\
  OPTION("no-pictures", 'n', NULL, "write none")                                     \
  OPTION("check", 'x', NULL, "compare the derivative with a difference, no more")    \
  OPTION("help", 'h', NULL, "print this")

static void help(FILE *to)
{
  static const struct { const char *name, *argument, *text; } row[] = {
#define OPTION(name, letter, argument, text) { name, argument, text },
    OPTIONS(OPTION)
#undef OPTION
  };

  fprintf(to, "Usage: inverse [options] [VOLUME.nii[.gz]]\n"
              "Finds the first temperature of a volume from slices of it that are seen after\n"
              "steps of diffusion.\n"
              "The volume is " BRAIN_VOLUME " unless named.\n\n");
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const int used = fprintf(to, "  --%s%s%s", row[i].name, row[i].argument ? "=" : "",
                             row[i].argument ? row[i].argument : "");
    fprintf(to, "%*s%s\n", used < 24 ? 24 - used : 1, "", row[i].text);
  }
}

/* A number in [low, high], or says what is wrong. */
static int number(const char *option, const char *text, double low, double high, double *out)
{
  char *end;
  const double x = strtod(text, &end);

  if (end == text || *end || !(x >= low && x <= high)) {
    fprintf(stderr, "inverse: --%s=%s: not a number from %g to %g\n", option, text, low, high);
    return -1;
  }
  *out = x;
  return 0;
}

static int count(const char *option, const char *text, double low, double high, int *out)
{
  double x = 0;

  if (number(option, text, low, high, &x)) return -1;
  if (x != floor(x)) {
    fprintf(stderr, "inverse: --%s=%s: not a whole number\n", option, text);
    return -1;
  }
  *out = (int)x;
  return 0;
}

static int take(int letter, const char *name, const char *text, settings *s)
{
  int n = 0;

  switch (letter) {
    case 's': return count(name, text, 1, 1e6, &s->steps);
    case 'a': return number(name, text, 1e-6, 1.0 / 6, &s->rate);
    case 'k': return number(name, text, 1e-6, 1e6, &s->kappa);
    case 'e': return count(name, text, 1, 1e4, &s->every);
    case 'm': return count(name, text, 1, INVERSE_TIMES, &s->times);
    case 'z': return number(name, text, 0, 1e3, &s->noise);
    case 'i': return count(name, text, 0, 1e6, &s->rounds);
    case 'p': return count(name, text, 1, 1e6, &s->places);
    case 't': return number(name, text, -1e6, 1e6, &s->threshold);
    case 'c':
      if (count(name, text, 1, 1e6, &n)) return -1;
      s->crop = n;
      return 0;
    case 'j':
      if (count(name, text, 1, 1e4, &n)) return -1;
      s->threads = text;
      return 0;
    case 'd': s->device = text; return 0;
    case 'o': s->output = text; return 0;
    case 'n': s->output = NULL; return 0;
    case 'x': s->check = 1; return 0;
    default: return -1;
  }
}

int settings_read(int argc, char **argv, settings *out)
{
  static const struct option options[] = {
#define OPTION(name, letter, argument, text) \
  { name, (argument) ? required_argument : no_argument, NULL, letter },
    OPTIONS(OPTION)
#undef OPTION
    { NULL, 0, NULL, 0 }
  };
  settings s = { .path = BRAIN_VOLUME, .output = ".", .threshold = 0.1, .kappa = 0.5,
                 .noise = 0.002, .rate = 0.05, .steps = 50, .times = 4, .every = 2, .rounds = 20,
                 .places = 8 };
  int letter, index = 0;

  while ((letter = getopt_long(argc, argv, "", options, &index)) != -1) {
    if (letter == 'h') {
      help(stdout);
      return 1;
    }
    if (letter == '?' || take(letter, options[index].name, optarg, &s)) return -1;
  }
  if (optind + 1 < argc) {
    fprintf(stderr, "inverse: one volume, not %d\n", argc - optind);
    return -1;
  }
  if (optind < argc) s.path = argv[optind];
  if (s.times > s.steps) {
    fprintf(stderr, "inverse: --times=%d: there are %d steps\n", s.times, s.steps);
    return -1;
  }
  *out = s;
  return 0;
}
