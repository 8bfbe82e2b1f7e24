/* The command line of brain: one table of options. */
#include "settings.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Debian's package mricron-data; configure may name another (BRAIN_VOLUME=...). */
#ifndef BRAIN_VOLUME
# define BRAIN_VOLUME "/usr/share/mricron/templates/ch2bet.nii.gz"
#endif

/* OPTION(name, letter, argument, help) */
#define OPTIONS(OPTION)                                                           \
  OPTION("threshold", 't', "X", "store the voxels above X (a tenth of the greatest)") \
  OPTION("steps", 's', "N", "steps of diffusion (50)")                            \
  OPTION("kappa", 'k', "X", "edges steeper than X stay (a fiftieth of the greatest)") \
  OPTION("dilations", 'g', "N", "rounds by which the stored set grows (3)")       \
  OPTION("crop", 'c', "N", "only the cube of N voxels in the middle")             \
  OPTION("threads", 'j', "N", "host threads (all)")                               \
  OPTION("device", 'd', "NAME", "host, gpu:N or auto (host)")                     \
  OPTION("output", 'o', "DIR", "folder of the pictures (the current one)")        \
  OPTION("no-pictures", 'n', NULL, "write none")                                  \
  OPTION("check", 'x', NULL, "compare with a dense loop in C")                    \
  OPTION("reduce", 'r', "FILE.png", "print a picture as 32 x 32 brightnesses, no more") \
  OPTION("help", 'h', NULL, "print this")

static void help(FILE *to)
{
  static const struct { const char *name, *argument, *text; } row[] = {
#define OPTION(name, letter, argument, text) { name, argument, text },
    OPTIONS(OPTION)
#undef OPTION
  };

  fprintf(to, "Usage: brain [options] [VOLUME.nii[.gz]]\n"
              "Diffuses and dilates the voxels of a volume that lie above a threshold.\n"
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
    fprintf(stderr, "brain: --%s=%s: not a number from %g to %g\n", option, text, low, high);
    return -1;
  }
  *out = x;
  return 0;
}

static int take(int letter, const char *name, const char *text, settings *s)
{
  double x = 0;

  switch (letter) {
    case 't':
      if (number(name, text, -HUGE_VAL, HUGE_VAL, &x)) return -1;
      s->threshold = (float)x;
      s->threshold_given = 1;
      return 0;
    case 's': if (number(name, text, 0, 1e6, &x)) return -1; s->steps = (int)x; return 0;
    case 'k': if (number(name, text, 1e-30, 1e30, &x)) return -1; s->kappa = (float)x; return 0;
    case 'g': if (number(name, text, 0, 1e6, &x)) return -1; s->dilations = (int)x; return 0;
    case 'c': if (number(name, text, 1, 1e6, &x)) return -1; s->crop = (int64_t)x; return 0;
    case 'j': if (number(name, text, 1, 1e4, &x)) return -1; s->threads = text; return 0;
    case 'd': s->device = text; return 0;
    case 'o': s->output = text; return 0;
    case 'n': s->output = NULL; return 0;
    case 'x': s->check = 1; return 0;
    case 'r': s->reduce = text; return 0;
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
  settings s = { BRAIN_VOLUME, ".", NULL, NULL, NULL, 0, 0, 0, 50, 3, 0, 0 };
  int letter, index = 0;

  while ((letter = getopt_long(argc, argv, "", options, &index)) != -1) {
    if (letter == 'h') {
      help(stdout);
      return 1;
    }
    if (letter == '?' || take(letter, options[index].name, optarg, &s)) return -1;
  }
  if (optind + 1 < argc) {
    fprintf(stderr, "brain: one volume, not %d\n", argc - optind);
    return -1;
  }
  if (optind < argc) s.path = argv[optind];
  *out = s;
  return 0;
}
