/* The problem in plain arrays of side^3 values: a region, a right hand side, what is left of it. */
#ifndef MGPCG_POISSON_H
#define MGPCG_POISSON_H

#include <stdint.h>

/* A ball, through which the tunnels of a gyroid go: 1 where a cell belongs to it; gives how many
 * do.  At least one layer of cells at the box's borders does not. */
int64_t poisson_region(int side, uint8_t *inside);

/* Sources and sinks in the region. */
void poisson_sources(int side, const uint8_t *inside, double *b);

/* |b - A x| / |b|, where A is 6 on a cell and -1 on its neighbours in the region. */
double poisson_residual(int side, const uint8_t *inside, const double *b, const double *x);

#endif
