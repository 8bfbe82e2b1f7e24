#include "churn.h"
#include "run.h"

static int leaves(sn_context *ctx, churn_t *t, sn_memory_info *leaf)
{
  sn_memory_info rows[8];
  int n;
  CHECK(churn_t_memory(t, rows, 8, &n));
  for (int k = 0; k < n; k++)
    if (strcmp(rows[k].name, "leaf") == 0) *leaf = rows[k];
  return 0;
}

/* 64,000 leaves of 64 bytes in one task, of which 512 can be active at once: a device gives what
 * the reserve names. */
static int activate_again(sn_context *ctx)
{
  sn_tree_options options = SN_TREE_OPTIONS_INIT;
  sn_memory_info leaf = { 0 };
  churn_t *t;
  double s;

  options.reserve = 8 << 20;
  CHECK(churn_t_create(ctx, &options, &t));
  CHECK(churn_again(t, 1000));
  CHECK(churn_sum(t, &s));
  if (leaves(ctx, t, &leaf)) return 1;
  printf("again: sum %g active %" PRId64 " ever %" PRId64 "\n", s, leaf.active,
         leaf.ever_allocated);
  churn_t_destroy(t);
  return 0;
}

int run_churn(sn_context *ctx)
{
  churn_t *t;
  sn_memory_info leaf = { 0 };
  double s;
  int64_t ever = 0;

  CHECK(churn_t_create(ctx, NULL, &t));
  for (int step = 0; step < 200; step++) {
    CHECK(churn_move(t, step * 7, (step + 1) * 7, 60));
    if (leaves(ctx, t, &leaf)) return 1;
    if (step == 20) ever = leaf.ever_allocated;
  }
  CHECK(churn_sum(t, &s));
  printf("sum %g active %" PRId64 " recycled %" PRId64 "\n", s, leaf.active, leaf.recycled);
  printf("conserved %d level %d\n", leaf.active + leaf.free == leaf.ever_allocated,
         leaf.ever_allocated <= 2 * 512 && ever > 0);
  for (int step = 0; step < 50; step++) CHECK(churn_replace(t));
  if (leaves(ctx, t, &leaf)) return 1;
  CHECK(churn_sum(t, &s));
  printf("replaced: sum %g active %" PRId64 " twice %d\n", s, leaf.active,
         leaf.ever_allocated <= 2 * 512);
  CHECK(churn_tile_deactivate_all(t));
  if (leaves(ctx, t, &leaf)) return 1;
  printf("emptied: active %" PRId64 " recycled %" PRId64 " free %d\n", leaf.active, leaf.recycled,
         leaf.free == leaf.ever_allocated);
  churn_t_destroy(t);
  return activate_again(ctx);
}
