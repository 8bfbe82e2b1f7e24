/* What the command line of inverse says. */
#ifndef INVERSE_SETTINGS_H
#define INVERSE_SETTINGS_H

#include <stdint.h>

typedef struct settings {
  const char *path;             /* the volume */
  const char *output;           /* folder of the pictures and the table; NULL: none are written */
  const char *device;           /* as sn_config_set's "device"; NULL: the environment's */
  const char *threads;          /* host threads; NULL: the environment's */
  double threshold;             /* share of the greatest value; voxels above it are stored */
  double kappa, noise;          /* shares of the greatest value */
  double rate;                  /* of a step of diffusion */
  int steps, times, every;      /* seen: each `every`-th plane, at so many times */
  int rounds, places;           /* of the search; of the tape */
  int64_t crop;                 /* 0: the whole volume */
  int check;                    /* compare the derivative with a difference, no more */
} settings;

/* Fills in the defaults and what argv says.  0; 1 when only help was asked for (and
 * printed); -1 for wrong usage (said on stderr). */
int settings_read(int argc, char **argv, settings *out);

#endif
