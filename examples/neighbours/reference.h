/* The pairs by loops over plain arrays, for comparison. */
#ifndef NEIGHBOURS_REFERENCE_H
#define NEIGHBOURS_REFERENCE_H

#include <stdint.h>

typedef struct pairs_found {
  uint64_t marks;            /* the sum of the marks of all pairs */
  int64_t total;             /* neighbours of all particles: twice the pairs */
} pairs_found;

/* Whether plain loops find the same pairs and the same numbers of neighbours, near[n], among n
 * particles at `at`, in cells of a box of side^3 cells, which they use as lists; side 0: they
 * compare each particle with each.  0 where they find others, or no memory. */
int reference_agrees(const float *at, int64_t n, int side, float radius, const int32_t *near,
                     pairs_found found);

#endif
