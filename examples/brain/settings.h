/* What the command line of brain says. */
#ifndef BRAIN_SETTINGS_H
#define BRAIN_SETTINGS_H

#include <stdint.h>

typedef struct settings {
  const char *path;             /* the volume */
  const char *output;           /* folder of the pictures; NULL: none are written */
  const char *device;           /* as sn_config_set's "device"; NULL: the environment's */
  const char *threads;          /* host threads; NULL: the environment's */
  const char *reduce;           /* a picture to print reduced instead of all else */
  float threshold;              /* voxels above it are stored */
  int threshold_given;          /* else a tenth of the greatest value */
  float kappa;                  /* edges much steeper stay; 0: a fiftieth of the greatest value */
  int steps, dilations;
  int64_t crop;                 /* 0: the whole volume */
  int check;                    /* compare with the dense reference */
} settings;

/* Fills in the defaults and what argv says.  0; 1 when only help was asked for (and
 * printed); -1 for wrong usage (said on stderr). */
int settings_read(int argc, char **argv, settings *out);

#endif
