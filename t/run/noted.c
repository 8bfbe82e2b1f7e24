/* What a tape has to know of calls beside the cells that they name: deactivate_all assigns all
 * cells below, what a kernel makes of an adjoint is in no other one, and a call that came to
 * nothing needs nothing. */
#include "run.h"
#include "noted.h"

#include <math.h>
#include <snode/tape.h>

typedef struct trees {
  noted_path *path;
  noted_weights *weights;
  noted_sums *sums;
  sn_tape *tape;
} trees;

static int make(sn_context *ctx, trees *t)
{
  SN_TRY(noted_path_create(ctx, NULL, &t->path));
  SN_TRY(noted_weights_create(ctx, NULL, &t->weights));
  SN_TRY(noted_sums_create(ctx, NULL, &t->sums));
  for (int i = 0; i < 4; i++) SN_TRY(noted_x_set(t->path, 0, i, 0.5 + 0.1 * i));
  SN_TRY(noted_w_fill(t->weights, 3.0));
  SN_TRY(sn_tape_create(ctx, 0, &t->tape));
  return sn_tape_begin(t->tape);
}

static void give_back(trees *t)
{
  sn_tape_destroy(t->tape);
  noted_sums_destroy(t->sums);
  noted_weights_destroy(t->weights);
  noted_path_destroy(t->path);
}

static int refused(sn_context *ctx, int code)
{
  printf("%s: %s\n", sn_strerror(code), sn_context_error(ctx));
  sn_context_clear(ctx);
  return code == SN_ESTATE ? SN_OK : SN_EBUG;
}

static int back(trees *t)
{
  SN_TRY(sn_tape_end(t->tape));
  return sn_tape_backward(t->tape);
}

/* w of step 0 is needed, and all of w has its default again. */
static int deactivates(sn_context *ctx)
{
  trees t = { 0 };
  double g;

  CHECK(make(ctx, &t));
  CHECK(noted_weigh(t.path, t.weights, 0));
  CHECK(refused(ctx, noted_renew(t.path, t.weights, 9)));
  CHECK(noted_x_grad_set(t.path, 1, 2, 1.0));
  CHECK(back(&t));
  CHECK(noted_x_grad_get(t.path, 0, 2, &g));
  printf("the weight was %g\n", g);
  give_back(&t);
  return 0;
}

/* A kernel sets an adjoint, or reads one, that the tape sums up. */
static int uses_adjoints(sn_context *ctx)
{
  trees t = { 0 };

  CHECK(make(ctx, &t));
  CHECK(refused(ctx, noted_restart(t.path, t.sums, 0)));
  CHECK(noted_descend(t.path, t.sums, 0));
  CHECK(refused(ctx, noted_keep(t.path, t.sums, 0)));
  CHECK(back(&t));
  CHECK(sn_tape_begin(t.tape));
  CHECK(noted_keep(t.path, t.sums, 0));
  CHECK(refused(ctx, noted_descend(t.path, t.sums, 0)));
  CHECK(back(&t));
  give_back(&t);
  return 0;
}

/* The step that was canceled needs nothing of what comes behind it. */
static int canceled(sn_context *ctx)
{
  trees t = { 0 };
  double g, expected = 1.0;
  int code;

  CHECK(make(ctx, &t));
  for (int k = 0; k < 10; k++) CHECK(noted_step(t.path, k));
  sn_context_cancel(ctx);
  code = noted_step(t.path, 20);
  printf("%s\n", sn_strerror(code));
  sn_context_clear(ctx);
  CHECK(noted_step(t.path, 10));
  CHECK(noted_x_grad_set(t.path, 11, 0, 1.0));
  for (int k = 0; k <= 10; k++) {
    double x;
    CHECK(noted_x_get(t.path, k, 0, &x));
    expected *= cos(x);
  }
  CHECK(back(&t));
  CHECK(noted_x_grad_get(t.path, 0, 0, &g));
  printf("the gradient of eleven steps is %s\n", fabs(g - expected) <= 1e-14 ? "right" : "wrong");
  give_back(&t);
  return 0;
}

static int mean(sn_context *ctx)
{
  trees t = { 0 };
  double g;

  CHECK(make(ctx, &t));
  CHECK(noted_mean(t.path, t.weights));
  CHECK(noted_q_grad_set(t.path, 4, 1.0));
  CHECK(back(&t));
  CHECK(noted_x_grad_get(t.path, 4, 1, &g));
  printf("the mean has %g of it\n", g);
  give_back(&t);
  return 0;
}

int run_noted(sn_context *ctx)
{
  return deactivates(ctx) || uses_adjoints(ctx) || canceled(ctx) || mean(ctx);
}
