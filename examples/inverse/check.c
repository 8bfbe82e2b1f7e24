/* The derivative beside central differences.
 *
 * A direction by chance has hardly anything in common with the derivative, and its slope is as
 * large as chance makes it: the difference of both slopes is compared with what they are on
 * average, the length of the derivative times the direction's mean size.
 */
#include "check.h"

#include <math.h>
#include <stdio.h>

enum { DIRECTIONS = 3 };

static const double tolerance = 2e-3;

/* (loss(by) - loss(-by)) / (2 by), where the error of by^2 is taken out with a second one. */
static int difference(problem *p, double by, double *slope)
{
  double quotient[2];

  for (int k = 0; k < 2; k++, by *= 2) {
    double ahead, behind;
    SN_TRY(problem_loss(p, (float)by, 0, &ahead));
    SN_TRY(problem_loss(p, (float)-by, 0, &behind));
    quotient[k] = (ahead - behind) / (2 * by);
  }
  *slope = (4 * quotient[0] - quotient[1]) / 3;
  return SN_OK;
}

int check_derivative(problem *p, int *differs)
{
  const double by = 0.03 / (double)p->inverse_kappa;
  double loss, square, slope[2], quotient, apart;

  *differs = 0;
  SN_TRY(inverse_direction_fill(p->head, 0));
  SN_TRY(problem_loss(p, 0, 1, &loss));
  SN_TRY(problem_derive(p));
  for (int k = 0; k < DIRECTIONS; k++) {
    SN_TRY(inverse_scatter(p->head, &square));
    SN_TRY(inverse_slopes(p->head, slope));
    SN_TRY(difference(p, by, &quotient));
    apart = fabs(slope[0] - quotient) / sqrt(slope[1] * square / (double)p->stored);
    printf("check: slope %.7g, by a difference %.7g: apart %.1e of what is usual\n", slope[0],
           quotient, apart);
    if (!(apart <= tolerance)) *differs = 1;
  }
  return SN_OK;
}
