/* The loss of a first temperature, and its derivative by the tape. */
#define _POSIX_C_SOURCE 200809L
#include "problem.h"

#include <time.h>

double seconds_now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int problem_step_of(const problem *p, int t)
{
  return (int)((int64_t)p->set.steps * (t + 1) / p->set.times);
}

/* Steps alternate: after an odd number of them the temperature is in `next`, else in `u`. */
static int step(problem *p, int s)
{
  const float rate = (float)p->set.rate;

  return s % 2 == 0 ? inverse_step_there(p->head, rate, p->inverse_kappa)
                    : inverse_step_back(p->head, rate, p->inverse_kappa);
}

int problem_observe(problem *p)
{
  int t = 0;

  SN_TRY(inverse_begin(p->head, 0));
  for (int s = 0; s < p->set.steps; s++) {
    SN_TRY(step(p, s));
    if (s + 1 != problem_step_of(p, t)) continue;
    SN_TRY(s % 2 == 0
               ? inverse_look_there(p->head, t, p->set.every, p->noise, &p->seen)
               : inverse_look_back(p->head, t, p->set.every, p->noise, &p->seen));
    t++;
  }
  return SN_OK;
}

/* The simulation, with the misfit behind each step that is seen. */
static int simulate(problem *p, float by, int is_noted, double *loss)
{
  const double one = 1;
  int64_t calls = 1;
  int t = 0;

  *loss = 0;
  SN_TRY(inverse_begin(p->head, by));
  for (int s = 0; s < p->set.steps; s++) {
    double part;
    SN_TRY(step(p, s));
    calls++;
    if (s + 1 != problem_step_of(p, t)) continue;
    SN_TRY(s % 2 == 0 ? inverse_misfit_there(p->head, t, p->set.every, &part)
                      : inverse_misfit_back(p->head, t, p->set.every, &part));
    if (is_noted) SN_TRY(sn_tape_seed(p->tape, calls, &one));      /* the loss is the sum */
    calls++;
    *loss += part;
    t++;
  }
  return SN_OK;
}

int problem_loss(problem *p, float by, int is_noted, double *loss)
{
  const double from = seconds_now();

  if (is_noted) SN_TRY(sn_tape_begin(p->tape));
  SN_TRY(simulate(p, by, is_noted, loss));
  if (is_noted) SN_TRY(sn_tape_end(p->tape));
  p->seconds_run += seconds_now() - from;
  p->runs++;
  return SN_OK;
}

int problem_derive(problem *p)
{
  const double from = seconds_now();

  SN_TRY(inverse_start_grad_fill(p->head, 0));
  SN_TRY(inverse_u_grad_fill(p->head, 0));
  SN_TRY(inverse_next_grad_fill(p->head, 0));
  SN_TRY(sn_tape_backward(p->tape));
  p->seconds_derivative += seconds_now() - from;
  p->derivatives++;
  return SN_OK;
}
