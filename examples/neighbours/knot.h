/* Particles around a trefoil knot, most of them near the middle of its rope. */
#ifndef NEIGHBOURS_KNOT_H
#define NEIGHBOURS_KNOT_H

/* Puts n places of three numbers at `at`, the same ones each time, in cells of a box of side^3
 * cells; those at its borders stay empty. */
void knot_scatter(float *at, long n, int side);

#endif
