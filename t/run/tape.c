/* Tapes: the derivative of a program of many calls is that of a reversal by hand which keeps all
 * states, however few places there are; fields and random numbers are left as they were; what
 * cannot be reversed is refused, with a reason; memory that runs out loses nothing.
 */
#define _POSIX_C_SOURCE 200809L  /* setenv */

#include "tape.h"
#include "run.h"

#include <math.h>
#include <snode/module.h>
#include <snode/tape.h>

enum { CELLS = 64, STEPS = 60, AT = 20, LENGTH = 3 };

static const double DT = 0.125;

/* A kernel with its adjoint, as the compiler joins them. */
typedef struct pair {
  sn_kernel_info kernel, gradient;
} pair;

static pair there, back, loss, source, noise, tainted, tells, draws, grow, fails;

static void join(pair *p, const char *name, const char *gradient,
                 const snd_adjoint_result *result)
{
  p->kernel = *sn_module_find_kernel(tape_module(), name);
  p->gradient = *sn_module_find_kernel(tape_module(), gradient);
  p->gradient.adjoints = result;
  p->gradient.adjoint_count = result != NULL;
  p->kernel.gradient = &p->gradient;
}

typedef struct loss_arguments { float weight; double adjoint; } loss_arguments;
static const snd_adjoint_result loss_adjoint = {
  SN_TYPE_F64, 0, offsetof(loss_arguments, adjoint) };
typedef struct source_arguments { sn_addr s; int64_t n; int32_t at; } source_arguments;
typedef struct tells_arguments { sn_addr s; int64_t n; } tells_arguments;

static void join_all(void)
{
  join(&there, "there", "there_grad", NULL);
  join(&back, "back", "back_grad", NULL);
  join(&loss, "loss", "loss_grad", &loss_adjoint);
  join(&source, "source", "source_grad", NULL);
  join(&noise, "noise", "noise_grad", NULL);
  join(&tainted, "tainted", "tainted_grad", NULL);
  join(&tells, "tells", "tells_grad", NULL);
  join(&draws, "draws", "draws_grad", NULL);
  join(&grow, "grow", "grow_grad", NULL);
  join(&fails, "fails", "fails_grad", NULL);
}

/* ---- calls ---- */

static int call_step(tape_grid *grid, int k)
{
  double dt = DT;

  return sn_kernel_call(k % 2 ? &back.kernel : &there.kernel, NULL, SN_TREES(grid), &dt, NULL);
}

static int call_loss(tape_grid *grid, float weight, double *out)
{
  loss_arguments a = { weight, 0 };

  return sn_kernel_call(&loss.kernel, NULL, SN_TREES(grid), &a, out);
}

/* The array is the caller's again when the call is over. */
static int call_source(tape_grid *grid, int k)
{
  double s[LENGTH] = { 0.25, -0.5, 0.03125 * (k % 7) };
  source_arguments a = { SN_HOST_ARRAY(s), LENGTH, AT };
  int code = sn_kernel_call(&source.kernel, NULL, SN_TREES(grid), &a, NULL);

  memset(s, 0, sizeof s);
  return code;
}

static int call_at(const sn_kernel_info *kernel, tape_grid *grid, int32_t at)
{
  return sn_kernel_call(kernel, NULL, SN_TREES(grid), &at, NULL);
}

/* ---- a grid and what it holds ---- */

static int make_grid(sn_context *ctx, tape_grid **grid)
{
  SN_TRY(tape_grid_create(ctx, NULL, grid));
  for (int t = 0; t < 8; t++)
    if (t == 2 || t == 3 || t == 6)
      SN_TRY(tape_tile_activate(*grid, t));
  for (int i = 0; i < CELLS; i++)
    if (i / 8 == 2 || i / 8 == 3 || i / 8 == 6)
      SN_TRY(tape_u_set(*grid, i, 0.5 + 0.25 * (i % 5)));
  return SN_OK;
}

static int zero_adjoints(tape_grid *grid)
{
  SN_TRY(tape_u_grad_fill(grid, 0.0));
  return tape_v_grad_fill(grid, 0.0);
}

typedef struct values {
  double u[CELLS], v[CELLS];
} values;

static int read_fields(tape_grid *grid, values *x)
{
  SN_TRY(tape_u_read(grid, NULL, sn_span_host(x->u, sizeof x->u), NULL));
  return tape_v_read(grid, NULL, sn_span_host(x->v, sizeof x->v), NULL);
}

static int read_adjoints(tape_grid *grid, values *x)
{
  SN_TRY(tape_u_grad_read(grid, NULL, sn_span_host(x->u, sizeof x->u), NULL));
  return tape_v_grad_read(grid, NULL, sn_span_host(x->v, sizeof x->v), NULL);
}

/* ---- the same by hand: every state is kept ---- */

static int is_active(int i)
{
  return i / 8 == 2 || i / 8 == 3 || i / 8 == 6;
}

static double at(const double *x, int i)
{
  return i >= 0 && i < CELLS ? x[i] : 0.0;
}

/* Adds to `before` what `after` makes of the step from x. */
static void reverse_step(const double *x, double *before, double *after)
{
  for (int i = 0; i < CELLS; i++)
    if (is_active(i))
      before[i] += after[i] + DT * (at(after, i - 1) - (2 + 3 * x[i] * x[i]) * after[i] +
                                    at(after, i + 1));
  memset(after, 0, CELLS * sizeof *after);
}

/* The program: steps, noise and a source behind every tenth, the loss at the end and behind step
 * 30. */
static int run_program(tape_grid *grid, int steps, values *states)
{
  double out;

  for (int k = 0; k < steps; k++) {
    SN_TRY(call_step(grid, k));
    if (k % 10 == 4) SN_TRY(call_at(&noise.kernel, grid, k));
    if (k % 10 == 9) SN_TRY(call_source(grid, k));
    SN_TRY(read_fields(grid, &states[k + 1]));
    if (k == 30) SN_TRY(call_loss(grid, 3.0f, &out));
  }
  return call_loss(grid, 1.0f, &out);
}

static void reverse_by_hand(const values *states, int steps, double early, values *g)
{
  memset(g, 0, sizeof *g);
  for (int i = 0; i < CELLS; i++) g->u[i] = 2 * states[steps].u[i];
  for (int k = steps - 1; k >= 0; k--) {
    if (k == 30)
      for (int i = 0; i < CELLS; i++) g->u[i] += 2 * 3.0 * early * states[31].u[i];
    if (k % 2 == 0) reverse_step(states[k].u, g->u, g->v);
    else reverse_step(states[k].v, g->v, g->u);
  }
}

static int differ(const values *a, const values *b)
{
  int count = 0;

  for (int i = 0; i < CELLS; i++)
    count += !(fabs(a->u[i] - b->u[i]) <= 1e-9 * (1 + fabs(b->u[i]))) +
             !(fabs(a->v[i] - b->v[i]) <= 1e-9 * (1 + fabs(b->v[i])));
  return count;
}

/* ---- the derivative ---- */

/* Fewer in the sweep of failing allocations (t/58-run-memory.t). */
static int steps_of(void)
{
  const char *small = getenv("SN_SMALL");

  return small && *small ? 40 : STEPS;
}

static int record(sn_context *ctx, int64_t places, values *states, sn_tape **tape,
                  tape_grid **grid)
{
  SN_TRY(make_grid(ctx, grid));
  SN_TRY(read_fields(*grid, &states[0]));
  SN_TRY(sn_tape_create(ctx, places, tape));
  SN_TRY(sn_tape_begin(*tape));
  SN_TRY(run_program(*grid, steps_of(), states));
  SN_TRY(sn_tape_end(*tape));
  return zero_adjoints(*grid);
}

static int lines;

/* Backward, twice: once with the loss alone, once with both losses. */
static int derive(sn_context *ctx, int64_t places)
{
  static values states[STEPS + 1], now, g, expected;
  const double early = -0.5, late = 1.0;
  sn_tape_statistics s = SN_TAPE_STATISTICS_INIT;
  tape_grid *grid;
  sn_tape *tape;
  int wrong;

  lines = 0;
  CHECK(record(ctx, places, states, &tape, &grid));
  wrong = lines != steps_of() / 10;
  CHECK(sn_tape_backward(tape));
  CHECK(read_adjoints(grid, &g));
  reverse_by_hand(states, steps_of(), 0, &expected);
  wrong += differ(&g, &expected);
  CHECK(read_fields(grid, &now));
  wrong += memcmp(&now, &states[steps_of()], sizeof now) != 0;
  CHECK(sn_tape_seed(tape, 37, &early));
  CHECK(sn_tape_seed(tape, -1, &late));
  CHECK(zero_adjoints(grid));
  CHECK(sn_tape_backward(tape));
  CHECK(read_adjoints(grid, &g));
  reverse_by_hand(states, steps_of(), early, &expected);
  wrong += differ(&g, &expected);
  CHECK(read_fields(grid, &now));
  wrong += memcmp(&now, &states[steps_of()], sizeof now) != 0;
  CHECK(sn_tape_statistics_of(tape, &s));
  wrong += s.calls != steps_of() + steps_of() / 5 + 2 || s.checkpoints > places ||
           s.checkpoint_bytes != 3 * 8 * 2 * 8 ||
           s.most_bytes > s.note_bytes + (places + 1) * s.checkpoint_bytes;
  wrong += lines != steps_of() / 10;             /* what runs again prints nothing */
  if (wrong) printf("%d places: %d values are wrong\n", (int)places, wrong);
  sn_tape_destroy(tape);
  tape_grid_destroy(grid);
  return 0;
}

/* A tape without places, of calls that overwrite nothing; the fields stay. */
static int plain(sn_context *ctx)
{
  static values states[2], g, expected;
  tape_grid *grid;
  sn_tape *tape;
  double out;

  CHECK(make_grid(ctx, &grid));
  CHECK(read_fields(grid, &states[0]));
  CHECK(sn_tape_create(ctx, 0, &tape));
  CHECK(sn_tape_begin(tape));
  CHECK(call_step(grid, 0));
  CHECK(call_loss(grid, 1.0f, &out));
  CHECK_FAILS(SN_ESTATE, call_step(grid, 1));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK(sn_tape_end(tape));
  CHECK(zero_adjoints(grid));
  CHECK(sn_tape_backward(tape));
  CHECK(read_adjoints(grid, &g));
  memset(&expected, 0, sizeof expected);
  for (int i = 0; i < CELLS; i++) expected.u[i] = 2 * states[0].u[i];
  printf("no places: %d values are wrong\n", differ(&g, &expected));
  sn_tape_destroy(tape);
  tape_grid_destroy(grid);
  return 0;
}

/* ---- what is refused ---- */

static int told(sn_context *ctx)
{
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  return 0;
}

#define REFUSED(call) do { CHECK_FAILS(SN_ESTATE, call); (void)told(ctx); } while (0)

/* In this state one step is noted, and all of this leaves it as it was. */
static int refuse_calls(sn_context *ctx, tape_grid *grid, sn_tape *tape)
{
  double s[CELLS];
  tells_arguments t = { SN_HOST_ARRAY(s), CELLS };
  const int64_t first[] = { 16 };
  double one = 1.0;
  sn_tape *other;
  tape_grid *copy;

  REFUSED(sn_tape_begin(tape));
  CHECK(sn_tape_create(ctx, 2, &other));
  REFUSED(sn_tape_begin(other));
  REFUSED(sn_tape_end(other));
  REFUSED(sn_tape_backward(tape));
  REFUSED(tape_half(grid));
  CHECK(tape_taint(grid));
  REFUSED(sn_kernel_call(&tainted.kernel, NULL, SN_TREES(grid), NULL, NULL));
  REFUSED(sn_kernel_call(&tells.kernel, NULL, SN_TREES(grid), &t, NULL));
  REFUSED(sn_kernel_call(&draws.kernel, NULL, SN_TREES(grid), NULL, NULL));
  REFUSED(tape_u_set(grid, 16, 1.0));
  REFUSED(tape_u_write_active(grid, first, &one, 1));
  REFUSED(tape_v_fill(grid, 1.0));
  REFUSED(tape_grid_deactivate_all(grid));
  CHECK(tape_grid_create(ctx, NULL, &copy));
  REFUSED(tape_grid_copy(grid, copy));
  CHECK(tape_grid_copy(copy, grid));
  CHECK(tape_u_grad_set(grid, 16, 1.0));         /* adjoints are free, so is what nobody uses */
  CHECK(tape_count_set(grid, 3));
  CHECK_FAILS(SN_EINVAL, sn_tape_seed(tape, -1, &one));
  (void)told(ctx);
  CHECK_FAILS(SN_EINVAL, sn_tape_seed(tape, 7, &one));
  (void)told(ctx);
  tape_grid_destroy(copy);
  sn_tape_destroy(other);
  return 0;
}

static int begin_step(sn_context *ctx, int64_t places, tape_grid **grid, sn_tape **tape)
{
  SN_TRY(make_grid(ctx, grid));
  SN_TRY(sn_tape_create(ctx, places, tape));
  SN_TRY(sn_tape_begin(*tape));
  SN_TRY(call_step(*grid, 0));
  return call_step(*grid, 1);
}

/* What is found when it has been done: the tape is lost, and nothing else. */
static int spoil(sn_context *ctx)
{
  tape_grid *grid, *other;
  sn_tape *tape;

  CHECK(begin_step(ctx, 2, &grid, &tape));
  REFUSED(call_at(&grow.kernel, grid, 8));
  CHECK(call_step(grid, 0));
  REFUSED(sn_tape_end(tape));
  REFUSED(sn_tape_backward(tape));

  CHECK(sn_tape_begin(tape));
  CHECK(call_step(grid, 0));
  CHECK(tape_tile_deactivate(grid, 1));
  REFUSED(call_step(grid, 1));

  CHECK(sn_tape_end(tape) == SN_ESTATE ? SN_OK : SN_EBUG);
  sn_context_clear(ctx);
  CHECK(sn_tape_begin(tape));
  CHECK_FAILS(SN_EASSERT, call_at(&fails.kernel, grid, 3));
  sn_context_clear(ctx);
  REFUSED(sn_tape_end(tape));

  CHECK(sn_tape_begin(tape));
  CHECK(call_step(grid, 0));
  CHECK(sn_tape_end(tape));
  CHECK(tape_v_set(grid, 17, 1.0));
  REFUSED(sn_tape_backward(tape));

  CHECK(sn_tape_begin(tape));
  CHECK(make_grid(ctx, &other));
  CHECK(call_step(grid, 0));
  CHECK(call_step(other, 0));
  CHECK(sn_tape_end(tape));
  CHECK(call_step(grid, 1));
  REFUSED(sn_tape_backward(tape));

  CHECK(sn_tape_begin(tape));
  CHECK(call_step(other, 0));
  CHECK(sn_tape_end(tape));
  tape_grid_destroy(other);
  REFUSED(sn_tape_backward(tape));
  tape_grid_destroy(grid);
  REFUSED(sn_context_destroy(ctx));
  sn_tape_destroy(tape);
  return 0;
}

static int misuse(sn_context *ctx)
{
  tape_grid *grid;
  sn_tape *tape = NULL;

  CHECK_FAILS(SN_EINVAL, sn_tape_create(ctx, -1, &tape));
  (void)told(ctx);
  CHECK_FAILS(SN_EINVAL, sn_tape_create(ctx, 1, NULL));
  (void)told(ctx);
  CHECK_FAILS(SN_EINVAL, sn_tape_begin(NULL));
  CHECK_FAILS(SN_EINVAL, sn_tape_backward(NULL));
  sn_tape_destroy(NULL);
  CHECK(begin_step(ctx, 1, &grid, &tape));
  if (refuse_calls(ctx, grid, tape)) return 1;
  CHECK(sn_tape_end(tape));
  CHECK(zero_adjoints(grid));
  CHECK(sn_tape_backward(tape));
  tape_grid_destroy(grid);
  CHECK(sn_tape_begin(tape));                    /* and destroyed while it records */
  sn_tape_destroy(tape);
  return spoil(ctx);
}

/* ---- memory that runs out ---- */

/* One allocation fails: the call is SN_ENOMEM, and made again it succeeds. */
typedef struct shortage {
  sn_context *context;
  tape_grid *grid;
  sn_tape *tape;
  int failed;                    /* calls that had no memory */
  values g, now, end;
} shortage;

static int step_of(shortage *s, int k)
{
  return k % 3 == 2 ? call_source(s->grid, k) : call_step(s->grid, k / 3 * 2 + k % 3);
}

static int record_short(shortage *s)
{
  SN_TRY(sn_tape_begin(s->tape));
  for (int k = 0; k < 12; k++) {
    int code = step_of(s, k);
    if (code == SN_ENOMEM) {
      s->failed++;
      code = step_of(s, k);
    }
    SN_TRY(code);
  }
  SN_TRY(sn_tape_end(s->tape));
  return read_fields(s->grid, &s->end);
}

static int seed_adjoints(shortage *s)
{
  SN_TRY(zero_adjoints(s->grid));
  return tape_u_grad_fill(s->grid, 1.0);
}

static int reverse_short(shortage *s)
{
  int code;

  SN_TRY(seed_adjoints(s));
  code = sn_tape_backward(s->tape);
  if (code == SN_ENOMEM) {
    s->failed++;
    SN_TRY(read_fields(s->grid, &s->now));
    if (memcmp(&s->now, &s->end, sizeof s->now) != 0) return SN_EBUG;
    SN_TRY(seed_adjoints(s));
    code = sn_tape_backward(s->tape);
  }
  SN_TRY(code);
  return read_adjoints(s->grid, &s->g);
}

static int use_short(shortage *s)
{
  SN_TRY(make_grid(s->context, &s->grid));
  SN_TRY(sn_tape_create(s->context, 2, &s->tape));
  SN_TRY(record_short(s));
  return reverse_short(s);
}

/* Allocation n of its context fails; 0: none. */
static int run_once(const sn_config *config, int n, shortage *s)
{
  char number[16];
  int code;

  memset(s, 0, sizeof *s);
  snprintf(number, sizeof number, "%d", n);
  setenv("SNODE_FAIL_ALLOCATION", number, 1);
  code = sn_context_create(config, &s->context);
  unsetenv("SNODE_FAIL_ALLOCATION");
  if (code == SN_OK) code = use_short(s);
  sn_tape_destroy(s->tape);
  tape_grid_destroy(s->grid);
  if (sn_context_destroy(s->context) != SN_OK) return SN_EBUG;
  return code;
}

/* Until twenty in turn found nothing that failed: what a call can do without is not told. */
static int shortages(const sn_config *config)
{
  static shortage all, s;
  const char *small = getenv("SN_SMALL");
  int wrong = 0, since = 0;

  if (run_once(config, 0, &all) != SN_OK) return 1;
  for (int n = 1; since < 20; n += small && *small ? 20 : 1) {
    const int code = run_once(config, n, &s);
    since = code == SN_OK && !s.failed ? since + 1 : 0;
    wrong += code != SN_OK && code != SN_ENOMEM;
    wrong += code == SN_OK && differ(&s.g, &all.g);
  }
  printf("memory ran out: %d times wrongly\n", wrong);
  return 0;
}

static void print_line(void *user, const char *text)
{
  (void)user;
  (void)text;
  lines++;
}

int run_tape(sn_context *ctx)
{
  static const int64_t places[] = { 1, 2, 3, 5, 8, 100 };
  sn_config *config;
  sn_context *quiet;
  int failed;

  join_all();
  CHECK(sn_config_create(&config));
  CHECK(sn_config_set_print(config, print_line, NULL));
  CHECK(sn_context_create(config, &quiet));
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    if (derive(quiet, places[k])) return 1;
  CHECK(sn_context_destroy(quiet));
  failed = shortages(config);
  sn_config_destroy(config);
  if (failed || plain(ctx)) return 1;
  return misuse(ctx);
}
