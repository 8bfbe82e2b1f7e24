/* Conjugate gradients after Polak and Ribiere, and the step in each direction by a parabola.
 *
 * The directions of plain gradient descent undo each other where the loss is a long valley, and
 * the loss of diffusion is one: a detail that diffusion all but removes hardly shows in what is
 * seen.  (J. Nocedal and S. J. Wright, "Numerical Optimization", chapter 5.)
 */
#include "search.h"

#include <math.h>

enum { HALVINGS = 8 };

static double root_of_ratio(double a, double b)
{
  return b > 0 ? sqrt(a / b) : 0;
}

static int look_at(problem *p, int round, double loss, found *f)
{
  double sum[4];

  SN_TRY(inverse_errors(p->head, p->set.every, sum));
  f->round = round;
  f->loss = loss;
  f->off_seen = root_of_ratio(sum[0], sum[2]);
  f->off_unseen = root_of_ratio(sum[1], sum[3]);
  f->off = root_of_ratio(sum[0] + sum[1], sum[2] + sum[3]);
  return SN_OK;
}

/* The least of the parabola through the loss and its slope here and the loss one trial step ahead;
 * twice the trial where it opens downwards. */
static int guess_step(problem *p, double loss, double slope, double trial, double *step)
{
  double ahead, bend;

  SN_TRY(problem_loss(p, (float)trial, 0, &ahead));
  bend = (ahead - loss - slope * trial) / (trial * trial);
  *step = bend > 0 && -slope / (2 * bend) < 4 * trial ? -slope / (2 * bend) : 2 * trial;
  return SN_OK;
}

/* Goes a step in the direction, on which the loss falls, with the derivative at its end; *loss
 * stays where none was found. */
static int descend(problem *p, double slope, double *step, double *loss)
{
  double there = HUGE_VAL;
  int halvings = 0;

  SN_TRY(guess_step(p, *loss, slope, *step, step));
  for (;; halvings++) {
    SN_TRY(problem_loss(p, (float)*step, 1, &there));
    if (there < *loss || halvings == HALVINGS) break;
    *step /= 2;
  }
  if (!(there < *loss)) return SN_OK;
  SN_TRY(problem_derive(p));
  SN_TRY(inverse_go(p->head, (float)*step));
  *loss = there;
  return SN_OK;
}

int search_run(problem *p, int (*say)(void *user, const found *), void *user)
{
  double loss, product[2], square = 0, slope, step = 1;
  found f;

  SN_TRY(inverse_direction_fill(p->head, 0));
  SN_TRY(problem_loss(p, 0, 1, &loss));
  SN_TRY(problem_derive(p));
  SN_TRY(look_at(p, 0, loss, &f));
  for (int round = 1; !say(user, &f) && round <= p->set.rounds; round++) {
    const double last = loss;
    float some;
    SN_TRY(inverse_products(p->head, product));
    some = square > 0 ? (float)fmax(0, (product[0] - product[1]) / square) : 0;
    square = product[0];
    SN_TRY(inverse_turn(p->head, some, &slope));
    if (slope >= 0 && some != 0) SN_TRY(inverse_turn(p->head, 0, &slope));
    if (slope >= 0) break;
    SN_TRY(descend(p, slope, &step, &loss));
    if (!(loss < last)) break;
    SN_TRY(look_at(p, round, loss, &f));
  }
  return SN_OK;
}
