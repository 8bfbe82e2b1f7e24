/* The simulation and what is asked of it: which first temperature leads to the slices that are
 * seen later?  Its loss, and by the tape the derivative of it by each voxel's first temperature.
 *
 * All functions return SN_OK or a code, with the text in the context.
 */
#ifndef INVERSE_PROBLEM_H
#define INVERSE_PROBLEM_H

#include <snode/tape.h>

#include "inverse.h"
#include "settings.h"

typedef struct problem {
  settings set;
  float inverse_kappa, noise;   /* in units of the volume */
  int64_t planes;               /* of the volume */
  inverse_head *head;
  sn_tape *tape;
  int64_t stored, seen;         /* voxels: of all, of those that are seen at one time */
  int64_t runs, derivatives;    /* how many there were, and what they took: */
  double seconds_run, seconds_derivative;
} problem;

double seconds_now(void);

/* The step, counted from 1, after which time t is seen. */
int problem_step_of(const problem *, int t);

/* Simulates the temperature in `start`, and sees slices of it. */
int problem_observe(problem *);

/* The loss of `start` + by * `direction`: half the sum of squares over all that is seen.  Noted
 * by the tape, or not. */
int problem_loss(problem *, float by, int is_noted, double *loss);

/* Sets start.grad to the derivative of the loss that was noted last. */
int problem_derive(problem *);

#endif
