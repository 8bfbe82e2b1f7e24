/* A tape over kernels `with grad`: the derivative of 20 steps is what differences of each cell say,
 * with few places and with many, and going against it the loss falls.
 */
#include "descent.h"
#include "run.h"

#include <math.h>
#include <snode/tape.h>

enum { N = 12, M = 24, STEPS = 20, ROUNDS = 3 };

static const double rate = 0.2;

static int simulate(descent_plane *plane, double *loss)
{
  SN_TRY(descent_begin(plane));
  for (int s = 0; s < STEPS; s++)
    SN_TRY(s % 2 == 0 ? descent_there(plane, rate) : descent_back(plane, rate));
  return loss ? descent_misfit(plane, loss) : SN_OK;
}

static int derive(descent_plane *plane, sn_tape *tape, double *loss)
{
  SN_TRY(sn_tape_begin(tape));
  SN_TRY(simulate(plane, loss));
  SN_TRY(sn_tape_end(tape));
  SN_TRY(descent_start_grad_fill(plane, 0));
  SN_TRY(descent_u_grad_fill(plane, 0));
  SN_TRY(descent_next_grad_fill(plane, 0));
  return sn_tape_backward(tape);
}

static int difference(descent_plane *plane, int i, int j, double *slope)
{
  const double by = 1e-4;
  double value, more, less;

  SN_TRY(descent_start_get(plane, i, j, &value));
  SN_TRY(descent_start_set(plane, i, j, value + by));
  SN_TRY(simulate(plane, &more));
  SN_TRY(descent_start_set(plane, i, j, value - by));
  SN_TRY(simulate(plane, &less));
  *slope = (more - less) / (2 * by);
  return descent_start_set(plane, i, j, value);
}

/* How many of some cells have another derivative, of how many. */
static int compare(descent_plane *plane, int *wrong, int *compared)
{
  double slope, adjoint;
  uint8_t inside;

  *wrong = *compared = 0;
  for (int k = 0; k < N * M; k += 17) {
    SN_TRY(descent_inside_get(plane, k / M, k % M, &inside));
    if (!inside) continue;
    SN_TRY(descent_start_grad_get(plane, k / M, k % M, &adjoint));
    SN_TRY(difference(plane, k / M, k % M, &slope));
    *wrong += !(fabs(adjoint - slope) <= 1e-7);
    ++*compared;
  }
  return SN_OK;
}

static int derivative(sn_context *ctx, descent_plane *plane, int64_t places)
{
  sn_tape_statistics s = SN_TAPE_STATISTICS_INIT;
  sn_tape *tape;
  double loss;
  int wrong, compared;

  CHECK(sn_tape_create(ctx, places, &tape));
  CHECK(derive(plane, tape, &loss));
  CHECK(sn_tape_statistics_of(tape, &s));
  sn_tape_destroy(tape);
  CHECK(compare(plane, &wrong, &compared));
  printf("%d places: %d calls, %d again; %d of %d derivatives are wrong\n", (int)places,
         (int)s.calls, (int)s.calls_again, wrong, compared);
  return 0;
}

static int falls(sn_context *ctx, descent_plane *plane)
{
  sn_tape *tape;
  double loss, last = HUGE_VAL, first = 0;

  CHECK(sn_tape_create(ctx, 4, &tape));
  for (int round = 0; round < ROUNDS; round++) {
    CHECK(derive(plane, tape, &loss));
    if (!(loss < last)) printf("round %d: the loss is %g behind %g\n", round, loss, last);
    if (round == 0) first = loss;
    last = loss;
    CHECK(descent_go(plane, 1.0));
  }
  printf("the loss fell to less than half: %d\n", loss < first / 2);
  sn_tape_destroy(tape);
  return 0;
}

int run_descent(sn_context *ctx)
{
  descent_plane *plane;

  CHECK(descent_plane_create(ctx, NULL, N / 4, M / 8, &plane));
  CHECK(descent_fill(plane, N, M));
  CHECK(simulate(plane, NULL));
  CHECK(descent_look(plane));
  CHECK(descent_even(plane, 1.5));
  CHECK(descent_start_set(plane, 3, 12, 1.75));
  if (derivative(ctx, plane, 3) || derivative(ctx, plane, 40) || falls(ctx, plane)) return 1;
  descent_plane_destroy(plane);
  return 0;
}
