/* The search for the first temperature: conjugate gradients. */
#ifndef INVERSE_SEARCH_H
#define INVERSE_SEARCH_H

#include "problem.h"

/* What is known behind a round; round 0 is the first guess. */
typedef struct found {
  int round;
  double loss;
  double off_seen, off_unseen, off;     /* relative errors: in slices that are seen, in the others,
                                           in all; 0 where there are no such slices */
} found;

/* Goes down from `start` for the rounds that the settings say, and tells each one's end: say
 * returns 0 to go on.  Ends early where the loss does not fall any more.  SN_OK, or a code with
 * the text in the context. */
int search_run(problem *, int (*say)(void *user, const found *), void *user);

#endif
