#include "merged.h"
#include "run.h"

/* p of two instances, and of one that is sent to itself. */
static int run_add(sn_context *ctx, merged_p_tree *mine, merged_p_tree *theirs)
{
  float v[5];

  for (int64_t i = 0; i < 5; i++) {
    CHECK(merged_p_set(mine, i, (float)i));
    CHECK(merged_p_set(theirs, i, 10 * (float)i));
  }
  CHECK(merged_add(mine, theirs));
  CHECK(merged_p_read(mine, NULL, sn_span_host(v, sizeof v), NULL));
  printf("added %g %g %g\n", (double)v[0], (double)v[1], (double)v[4]);
  CHECK(merged_fold_p(mine, mine));
  CHECK(merged_p_read(mine, NULL, sn_span_host(v, sizeof v), NULL));
  printf("doubled %g %g\n", (double)v[1], (double)v[4]);
  CHECK(merged_p_read(theirs, NULL, sn_span_host(v, sizeof v), NULL));
  printf("theirs %g %g\n", (double)v[1], (double)v[4]);
  CHECK_FAILS(SN_EINVAL, merged_add(mine, NULL));
  return 0;
}

static int run_blocks(sn_context *ctx, merged_blocks *mine, merged_blocks *theirs)
{
  float v[2];
  int64_t b;

  CHECK(merged_v_fill(mine, (const float[]){ 1, 2 }));
  CHECK(merged_v_fill(theirs, (const float[]){ 5, 6 }));
  CHECK(merged_mean(mine, theirs, 0.75f));
  CHECK(merged_v_get(mine, -2, v));
  printf("mean %g %g", (double)v[0], (double)v[1]);
  CHECK(merged_v_get(mine, 9, v));
  printf(", %g %g\n", (double)v[0], (double)v[1]);
  CHECK(merged_many_set(theirs, 0, 7));
  CHECK(merged_many_set(theirs, 11, 9));
  CHECK(merged_border(theirs, &b));
  printf("border %" PRId64 "\n", b);
  CHECK(merged_fold_many(mine, theirs));
  CHECK(merged_fold_many(mine, theirs));
  CHECK(merged_many_get(mine, 11, &b));
  printf("twice %" PRId64 "\n", b);
  return 0;
}

static int run_single(sn_context *ctx, merged_single *mine, merged_single *theirs)
{
  float s;

  CHECK(merged_s_set(mine, 1));
  CHECK(merged_s_set(theirs, 4));
  CHECK(merged_scalar(mine, theirs));
  CHECK(merged_s_get(mine, &s));
  printf("scalar %g\n", (double)s);
  return 0;
}

static int run_members(sn_context *ctx, merged_q_tree *mine, merged_q_tree *theirs)
{
  merged_pair q;

  CHECK(merged_q_set(mine, 0, &(const merged_pair){ 1, 2 }));
  CHECK(merged_q_set(theirs, 0, &(const merged_pair){ 10, 20 }));
  CHECK(merged_q_set(theirs, 1, &(const merged_pair){ 30, 40 }));
  CHECK(merged_members(mine, theirs));
  CHECK(merged_q_get(mine, 0, &q));
  printf("members %g %d\n", (double)q.merge, (int)q.b);
  return 0;
}

static int run_named(sn_context *ctx, merged_single *single)
{
  merged_merge_tree *mine, *theirs;
  float m;

  CHECK(merged_merge_tree_create(ctx, NULL, &mine));
  CHECK(merged_merge_tree_create(ctx, NULL, &theirs));
  CHECK(merged_merge_set(theirs, 2, 3));
  CHECK(merged_named(mine, single, theirs, single));
  CHECK(merged_merge_get(mine, 2, &m));
  printf("named %g\n", (double)m);
  merged_merge_tree_destroy(mine);
  merged_merge_tree_destroy(theirs);
  return 0;
}

int run_merged(sn_context *ctx)
{
  merged_p_tree *p[2];
  merged_blocks *blocks[2];
  merged_single *single[2];
  merged_q_tree *q[2];
  int failed;

  for (int k = 0; k < 2; k++) {
    CHECK(merged_p_tree_create(ctx, NULL, &p[k]));
    CHECK(merged_blocks_create(ctx, NULL, &blocks[k]));
    CHECK(merged_single_create(ctx, NULL, &single[k]));
    CHECK(merged_q_tree_create(ctx, NULL, &q[k]));
  }
  failed = run_add(ctx, p[0], p[1]) || run_blocks(ctx, blocks[0], blocks[1]) ||
           run_single(ctx, single[0], single[1]) || run_members(ctx, q[0], q[1]) ||
           run_named(ctx, single[0]);
  for (int k = 0; k < 2; k++) {
    merged_p_tree_destroy(p[k]);
    merged_blocks_destroy(blocks[k]);
    merged_single_destroy(single[k]);
    merged_q_tree_destroy(q[k]);
  }
  return failed;
}
