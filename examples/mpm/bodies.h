/* A ring, a disk in it, and two bars, in the unit square: where their particles are at first. */
#ifndef MPM_BODIES_H
#define MPM_BODIES_H

#include <stdint.h>

double bodies_area(void);

/* Makes n places of two numbers, spread evenly over the bodies, and n numbers of the body of each,
 * from 0; free() gives them back.  -1 where there is no memory. */
int bodies_make(long n, float **at, int32_t **of);

#endif
