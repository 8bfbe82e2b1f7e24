/* chain STEPS PLACES...: a program of so many steps (t/run/tape.sn) reversed with each number of
 * places: derivatives as from a reversal by hand that keeps every state; calls that run again, and
 * memory, as the formulas of snode/tape.h say, and as the context's own account of allocations.
 */
#include "tape.h"

#include "runtime/host/base/context.h"
#include "t/tap.h"

#include <snode/module.h>
#include <snode/tape.h>

enum { CELLS = 64, FIRST = 8, ACTIVE = 40 };    /* cells FIRST .. FIRST + ACTIVE - 1 are active */

static const double DT = 0.125;

/* ---- the kernels, joined with their adjoints as the compiler joins them ---- */

typedef struct pair {
  sn_kernel_info kernel, gradient;
} pair;

typedef struct loss_arguments { float weight; double adjoint; } loss_arguments;
static const snd_adjoint_result loss_adjoint = {
  SN_TYPE_F64, 0, offsetof(loss_arguments, adjoint) };

static pair there, back, loss;

static void join(pair *p, const char *name, const char *gradient,
                 const snd_adjoint_result *result)
{
  p->kernel = *sn_module_find_kernel(tape_module(), name);
  p->gradient = *sn_module_find_kernel(tape_module(), gradient);
  p->gradient.adjoints = result;
  p->gradient.adjoint_count = result != NULL;
  p->kernel.gradient = &p->gradient;
}

static int make_grid(sn_context *context, tape_grid **grid)
{
  SN_TRY(tape_grid_create(context, NULL, grid));
  for (int i = 0; i < ACTIVE; i++)
    SN_TRY(tape_u_set(*grid, FIRST + i, 0.5 + 0.25 * (i % 5)));
  SN_TRY(tape_u_grad_fill(*grid, 0.0));
  return tape_v_grad_fill(*grid, 0.0);
}

static int run_chain(tape_grid *grid, int64_t steps)
{
  double dt = DT, out;
  loss_arguments a = { 1.0f, 0 };

  for (int64_t k = 0; k < steps; k++)
    SN_TRY(sn_kernel_call(k % 2 ? &back.kernel : &there.kernel, NULL, SN_TREES(grid), &dt, NULL));
  return sn_kernel_call(&loss.kernel, NULL, SN_TREES(grid), &a, &out);
}

/* ---- by hand ---- */

static double at(const double *x, int i)
{
  return i >= 0 && i < ACTIVE ? x[i] : 0.0;
}

/* x: (steps + 1) states of ACTIVE; g: the derivative by the first. */
static void reverse_by_hand(double *x, int64_t steps, double *g)
{
  double before[ACTIVE];

  for (int i = 0; i < ACTIVE; i++) x[i] = 0.5 + 0.25 * (i % 5);
  for (int64_t k = 0; k < steps; k++) {
    const double *u = x + k * ACTIVE;
    for (int i = 0; i < ACTIVE; i++)
      x[(k + 1) * ACTIVE + i] =
        u[i] + DT * (at(u, i - 1) - 2 * u[i] + at(u, i + 1) - u[i] * u[i] * u[i]);
  }
  for (int i = 0; i < ACTIVE; i++) g[i] = 2 * x[steps * ACTIVE + i];
  for (int64_t k = steps - 1; k >= 0; k--) {
    const double *u = x + k * ACTIVE;
    for (int i = 0; i < ACTIVE; i++)
      before[i] = g[i] + DT * (at(g, i - 1) - (2 + 3 * u[i] * u[i]) * g[i] + at(g, i + 1));
    memcpy(g, before, sizeof before);
  }
}

static int agrees(tape_grid *grid, int64_t steps)
{
  double got[CELLS], g[ACTIVE], *x = malloc((size_t)(steps + 1) * ACTIVE * sizeof *x);
  double largest = 0, apart = 0;

  if (!x) bail("no memory");
  reverse_by_hand(x, steps, g);
  free(x);
  if (tape_u_grad_read(grid, NULL, sn_span_host(got, sizeof got), NULL) != SN_OK) return 0;
  for (int i = 0; i < ACTIVE; i++) {
    largest = fmax(largest, fabs(g[i]));
    apart = fmax(apart, fabs(got[FIRST + i] - g[i]));
  }
  return largest > 0 && apart <= 1e-9 * largest;
}

/* ---- formulas ---- */

static int64_t binomial(int64_t n, int64_t k)
{
  double value = 1;

  for (int64_t i = 1; i <= k; i++) value = value * (double)(n - k + i) / (double)i;
  return (int64_t)(value + 0.5);
}

/* Calls that run again, of n that are noted; *times: the least r for which C(c + r, c) >= n - 1. */
static int64_t calls_again(int64_t n, int64_t c, int64_t *times)
{
  const int64_t m = n - 1;
  int64_t r = 0;

  while (binomial(c + r, c) < m) r++;
  *times = r;
  return r * m - (r ? binomial(c + r, c + 1) : 0) + m;
}

/* ---- one chain ---- */

typedef struct course {
  sn_tape_statistics statistics;
  int64_t held;                  /* bytes that were allocated at most, beyond those of the trees */
  int agrees;
} course;

static int run_inside(sn_context *context, int64_t steps, int64_t places, course *c)
{
  tape_grid *grid;
  sn_tape *tape;
  uint64_t before;

  SN_TRY(make_grid(context, &grid));
  before = context->accounts.bytes;
  SN_TRY(sn_tape_create(context, places, &tape));
  SN_TRY(sn_tape_begin(tape));
  SN_TRY(run_chain(grid, steps));
  SN_TRY(sn_tape_end(tape));
  SN_TRY(sn_tape_backward(tape));
  c->statistics = (sn_tape_statistics)SN_TAPE_STATISTICS_INIT;
  SN_TRY(sn_tape_statistics_of(tape, &c->statistics));
  c->held = (int64_t)(context->accounts.peak_bytes - before);
  c->agrees = agrees(grid, steps);
  sn_tape_destroy(tape);
  tape_grid_destroy(grid);
  return SN_OK;
}

static int run_tape(int64_t steps, int64_t places, course *c)
{
  sn_context *context;

  SN_TRY(sn_context_create(NULL, &context));
  if (run_inside(context, steps, places, c) != SN_OK) diag("%s", sn_context_error(context));
  return sn_context_destroy(context);
}

static void check_course(int64_t steps, int64_t places, const course *c)
{
  const sn_tape_statistics *s = &c->statistics;
  int64_t times;
  const int64_t again = calls_again(s->calls, places, &times);

  diag("%d places: %d calls noted, %d run again (formula %d, r = %d); %d checkpoints of %d bytes; "
       "%d bytes at most, notes %d", (int)places, (int)s->calls, (int)s->calls_again, (int)again,
       (int)times, (int)s->checkpoints, (int)s->checkpoint_bytes, (int)s->most_bytes,
       (int)s->note_bytes);
  ok(c->agrees, "%d steps, %d places: the derivative is that by hand", (int)steps, (int)places);
  is_int(s->calls_again, again, "calls run again, by the formula");
  is_int(s->checkpoints, places, "all places are used, and no more");
  is_int(s->checkpoint_bytes, 2 * ACTIVE * 8, "a checkpoint: two fields of the active cells");
  is_int(s->most_bytes, s->note_bytes + (places + 1) * s->checkpoint_bytes,
         "memory: notes, the places, and the fields as they are found");
}

int main(int argc, char **argv)
{
  const int64_t steps = argc > 1 ? atoi(argv[1]) : 0;
  course least = { .held = 0 };
  int64_t least_places = 0;

  join(&there, "there", "there_grad", NULL);
  join(&back, "back", "back_grad", NULL);
  join(&loss, "loss", "loss_grad", &loss_adjoint);
  for (int k = 2; k < argc; k++) {
    const int64_t places = atoi(argv[k]);
    course c;
    const int64_t more = places - least_places;
    if (!ok(run_tape(steps, places, &c) == SN_OK, "%d places: it runs", (int)places)) continue;
    check_course(steps, places, &c);
    if (least_places) {
      /* a place has the values and some words for what lists them */
      const int64_t grown = c.held - least.held, values = more * c.statistics.checkpoint_bytes;
      ok(grown >= values && grown <= values + more * 256,
         "%d places more take %d bytes by the account of allocations: %d of values",
         (int)more, (int)grown, (int)values);
    } else {
      least = c;
      least_places = places;
    }
  }
  return done_testing();
}
