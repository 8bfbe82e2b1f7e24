/* The order of a call's parameters, in the plain form and in the one that submits: each argument
 * has a value of its own, so that two that change places give another result.
 */
#include "run.h"

#include <snode/node.h>
#include <snode/submit.h>

#include "parameters.h"

typedef struct trees {
  parameters_first *first, *sent;
  parameters_second *second;
  parameters_pool *a, *b;
} trees;

static int show_pools(sn_context *ctx, trees *t, const char *what)
{
  int32_t a[8], b[8];

  CHECK(parameters_level_read(t->a, NULL, sn_span_host(a, sizeof a), NULL));
  CHECK(parameters_level_read(t->b, NULL, sn_span_host(b, sizeof b), NULL));
  printf("%s: %d %d %d, %d %d %d\n", what, (int)a[0], (int)a[1], (int)a[7], (int)b[0], (int)b[1],
         (int)b[7]);
  return 0;
}

static int show_pair(sn_context *ctx, trees *t, const char *what)
{
  int32_t early[4], late[4];

  CHECK(parameters_early_read(t->first, NULL, sn_span_host(early, sizeof early), NULL));
  CHECK(parameters_late_read(t->second, NULL, sn_span_host(late, sizeof late), NULL));
  printf("%s: %d %d, %d %d\n", what, (int)early[0], (int)early[3], (int)late[0], (int)late[3]);
  return 0;
}

static int begin(sn_context *ctx, trees *t)
{
  for (int64_t i = 0; i < 8; i++) {
    CHECK(parameters_level_set(t->a, i, (int32_t)i));
    CHECK(parameters_level_set(t->b, i, 100 + (int32_t)i));
  }
  CHECK(parameters_early_fill(t->first, 0));
  CHECK(parameters_early_fill(t->sent, 1000));
  CHECK(parameters_late_fill(t->second, 0));
  return 0;
}

static int call(sn_context *ctx, trees *t)
{
  const int32_t at[2][3] = { { 0, 1, 2 }, { 3, 4, 5 } };
  const float w[2] = { 0.5f, 0.25f };
  int64_t sums[3] = { 7, 8, 9 }, shape = 0;
  parameters_span s = { 5, { 1, 2 } };
  int32_t difference = 0;

  CHECK(parameters_both(t->second, t->first, 3));
  if (show_pair(ctx, t, "both")) return 1;
  CHECK(parameters_pour(2, t->a, 1, t->b));
  if (show_pools(ctx, t, "pour")) return 1;
  CHECK(parameters_gather(&at[0][0], 2, 3, t->a, (const float[]){ 1, 50 }, sums, &shape));
  printf("gather: %" PRId64 ", %" PRId64 " %" PRId64 " %" PRId64 "\n", shape, sums[0], sums[1],
         sums[2]);
  CHECK(parameters_mixed(t->first, &s, t->a, (const int32_t[]){ 1, 2 }, w, 2, t->b, &s));
  printf("mixed: %d, %g %g\n", (int)s.first, (double)s.ends[0], (double)s.ends[1]);
  CHECK(parameters_merged(t->first, t->sent, 2, t->b));
  if (show_pair(ctx, t, "merged")) return 1;
  CHECK(parameters_move_level(t->second, 3, t->b, 20, t->a));
  if (show_pools(ctx, t, "moved")) return 1;
  CHECK(parameters_called(t->first, 1, t->b, t->a, &difference));
  printf("called: %d\n", (int)difference);
  return 0;
}

/* The same, by way of a queue. */
static int submit(sn_context *ctx, sn_queue *queue, trees *t)
{
  const int32_t at[2][3] = { { 0, 1, 2 }, { 3, 4, 5 } };
  const float w[2] = { 0.5f, 0.25f };
  int64_t sums[3] = { 7, 8, 9 }, shape = 0;
  parameters_span s = { 5, { 1, 2 } }, made = { 0, { 0, 0 } };
  int32_t difference = 0;

  CHECK(parameters_both_submit(queue, t->second, t->first, 3, NULL));
  CHECK(parameters_pour_submit(queue, 2, t->a, 1, t->b, NULL));
  CHECK(parameters_gather_submit(queue, &at[0][0], 2, 3, t->a, (const float[]){ 1, 50 }, sums,
                                 &shape, NULL));
  CHECK(parameters_mixed_submit(queue, t->first, &s, t->a, (const int32_t[]){ 1, 2 }, w, 2, t->b,
                                &made, NULL));
  CHECK(parameters_merged_submit(queue, t->first, t->sent, 2, t->b, NULL));
  CHECK(parameters_move_level_submit(queue, t->second, 3, t->b, 20, t->a, NULL));
  CHECK(parameters_called_submit(queue, t->first, 1, t->b, t->a, &difference, NULL));
  CHECK(sn_queue_await(queue));
  printf("submitted: %" PRId64 ", %" PRId64 " %" PRId64 " %" PRId64 "; %d, %g %g; %d\n", shape,
         sums[0], sums[1], sums[2], (int)made.first, (double)made.ends[0], (double)made.ends[1],
         (int)difference);
  return show_pools(ctx, t, "submitted") || show_pair(ctx, t, "submitted");
}

/* A tree of another type in a place is refused, as NULL is. */
static int refuse(trees *t)
{
  CHECK_FAILS(SN_EINVAL, parameters_pour(2, NULL, 1, t->b));
  CHECK_FAILS(SN_EINVAL, parameters_pour(2, t->a, 1, NULL));
  CHECK_FAILS(SN_EINVAL, parameters_pour(2, t->a, 1, (parameters_pool *)t->first));
  CHECK_FAILS(SN_EINVAL, parameters_merged(t->first, NULL, 2, t->b));
  return 0;
}

/* Extents that are called as a node, a field and a func. */
static int extents(sn_context *ctx)
{
  const int32_t v[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  int64_t w[4][2][3], out;

  CHECK(parameters_extents(ctx, &v[0][0], 2, 3, 3, &w[0][0][0], 4, &out));
  printf("extents: %" PRId64 ", %" PRId64 " %" PRId64 "\n", out, w[0][1][2], w[3][0][1]);
  return 0;
}

static int create(sn_context *ctx, trees *t)
{
  CHECK(parameters_first_create(ctx, NULL, &t->first));
  CHECK(parameters_first_create(ctx, NULL, &t->sent));
  CHECK(parameters_second_create(ctx, NULL, &t->second));
  CHECK(parameters_pool_create(ctx, NULL, &t->a));
  CHECK(parameters_pool_create(ctx, NULL, &t->b));
  return begin(ctx, t);
}

static void destroy(trees *t)
{
  parameters_first_destroy(t->first);
  parameters_first_destroy(t->sent);
  parameters_second_destroy(t->second);
  parameters_pool_destroy(t->a);
  parameters_pool_destroy(t->b);
}

static int run_submitted(sn_context *ctx)
{
  sn_engine *engine;
  sn_context *on_host;
  sn_queue *queue;
  trees t;

  CHECK(sn_engine_create(NULL, &engine));
  CHECK(sn_context_create_on(sn_engine_unit(engine, 0), NULL, "host", &on_host));
  CHECK(sn_context_attach(on_host, NULL));
  CHECK(sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue));
  if (create(on_host, &t) || submit(on_host, queue, &t)) return 1;
  destroy(&t);
  CHECK(sn_context_destroy(on_host));
  CHECK(sn_queue_destroy(queue));
  CHECK(sn_engine_destroy(engine));
  return 0;
}

int run_parameters(sn_context *ctx)
{
  trees t;

  if (create(ctx, &t) || call(ctx, &t) || refuse(&t) || extents(ctx)) return 1;
  destroy(&t);
  return run_submitted(ctx);
}
