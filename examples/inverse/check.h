/* How right the derivative is. */
#ifndef INVERSE_CHECK_H
#define INVERSE_CHECK_H

#include "problem.h"

/* Compares the slopes of the loss in a few directions, by the derivative and by a central
 * difference, and prints them.  *differs: 1 if they are not the same but for rounding. */
int check_derivative(problem *, int *differs);

#endif
