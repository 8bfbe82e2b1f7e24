/* A field has all steps of a simulation along an axis: a tape keeps nothing and runs nothing again
 * as long as no call overwrites what the adjoint of an earlier one needs, and sees where one does.
 * What it comes to is what the adjoints give that are called by hand, up to the order of sums. */
#include "run.h"
#include "march.h"

#include <math.h>
#include <snode/tape.h>

enum { CELLS = 16, STEPS = 40 };

static int make_path(sn_context *ctx, march_path **path)
{
  SN_TRY(march_path_create(ctx, NULL, path));
  SN_TRY(march_open(*path));
  for (int i = 0; i < CELLS; i++) SN_TRY(march_u_set(*path, i, 0.5 + 0.03 * i));
  return SN_OK;
}

static int march(march_path *path)
{
  SN_TRY(march_first(path));
  for (int t = 0; t < STEPS; t++) {
    SN_TRY(march_step(path, t));
    SN_TRY(march_wave(path, (uint8_t)t));
  }
  return SN_OK;
}

static int march_back(march_path *path)
{
  SN_TRY(march_total_grad(path, STEPS, 1.0));
  for (int t = STEPS - 1; t >= 0; t--) {
    SN_TRY(march_wave_grad(path, (uint8_t)t));
    SN_TRY(march_step_grad(path, t));
  }
  return march_first_grad(path);
}

static int zero(march_path *path)
{
  SN_TRY(march_x_grad_fill(path, 0.0));
  SN_TRY(march_y_grad_fill(path, 0.0));
  SN_TRY(march_z_grad_fill(path, 0.0));
  return march_u_grad_fill(path, 0.0);
}

static int read_gradient(march_path *path, double *g)
{
  for (int i = 0; i < CELLS; i++) SN_TRY(march_u_grad_get(path, i, &g[i]));
  return SN_OK;
}

static int agree(const double *g, const double *expected)
{
  for (int i = 0; i < CELLS; i++)
    if (!(fabs(g[i] - expected[i]) <= 1e-12 * (fabs(expected[i]) + 1e-6))) return 0;
  return 1;
}

static int by_hand(sn_context *ctx, double *g)
{
  march_path *path;

  CHECK(make_path(ctx, &path));
  CHECK(march(path));
  CHECK(zero(path));
  CHECK(march_back(path));
  CHECK(read_gradient(path, g));
  march_path_destroy(path);
  return 0;
}

static int refused(sn_context *ctx, int code)
{
  printf("%s: %s\n", sn_strerror(code), sn_context_error(ctx));
  sn_context_clear(ctx);
  return code == SN_ESTATE ? SN_OK : SN_EBUG;
}

/* What comes between the march and its sum, where the tape has no places. */
static int disturb(sn_context *ctx, march_path *path, march_path *other)
{
  SN_TRY(march_first(other));                    /* another tree is another matter */
  SN_TRY(march_scale(path, 50));                 /* so are steps that nobody needs */
  SN_TRY(refused(ctx, march_first(path)));
  SN_TRY(refused(ctx, march_step(path, 0)));
  SN_TRY(refused(ctx, march_step(path, STEPS - 2)));
  SN_TRY(refused(ctx, march_wave(path, 17)));
  return refused(ctx, march_jump(path, 55));     /* its loop says where, and no parameter */
}

static int with_places(sn_context *ctx, int64_t places, int overwrites, const double *expected)
{
  sn_tape_statistics s = SN_TAPE_STATISTICS_INIT;
  march_path *path, *other;
  double sum, g[CELLS];
  sn_tape *tape;

  CHECK(make_path(ctx, &path));
  CHECK(make_path(ctx, &other));
  CHECK(sn_tape_create(ctx, places, &tape));
  CHECK(sn_tape_begin(tape));
  CHECK(march(path));
  if (!places) CHECK(disturb(ctx, path, other));
  if (overwrites) CHECK(march_step(path, 5));    /* by what it was */
  CHECK(march_total(path, STEPS, &sum));
  CHECK(sn_tape_end(tape));
  CHECK(zero(path));
  CHECK(sn_tape_backward(tape));
  CHECK(read_gradient(path, g));
  CHECK(sn_tape_statistics_of(tape, &s));
  printf("%d places: %s, %s run again, %s held\n", (int)places,
         agree(g, expected) ? "right" : "wrong", s.calls_again ? "calls" : "none",
         s.checkpoints > 1 ? "checkpoints" : s.checkpoints ? "the first state" : "nothing");
  sn_tape_destroy(tape);
  march_path_destroy(other);
  march_path_destroy(path);
  return 0;
}

/* Where an index outside is another one, no parameter says which cells they are. */
static int clamped(sn_context *ctx)
{
  march_path *path;
  sn_tape *tape;

  CHECK(make_path(ctx, &path));
  CHECK(sn_tape_create(ctx, 0, &tape));
  CHECK(sn_tape_begin(tape));
  CHECK(march_clamped(path, 6));
  CHECK(march_reads(path, 9));
  CHECK(refused(ctx, march_clamped(path, 2)));
  CHECK(sn_tape_end(tape));
  sn_tape_destroy(tape);
  march_path_destroy(path);
  return 0;
}

int run_march(sn_context *ctx)
{
  double expected[CELLS], sum = 0.0;

  if (by_hand(ctx, expected)) return 1;
  for (int i = 0; i < CELLS; i++) sum += expected[i];
  printf("the gradient's sum is %.6f\n", sum);
  return with_places(ctx, 0, 0, expected) || with_places(ctx, 3, 0, expected) ||
         with_places(ctx, 3, 1, expected) || with_places(ctx, 100, 1, expected) || clamped(ctx);
}
