#include "run.h"
#include "under.h"

int run_under(sn_context *ctx)
{
  under_t *t;
  int64_t leaves, whole;
  int32_t jumps;

  CHECK(under_t_create(ctx, NULL, &t));
  CHECK(under_fill(t));
  CHECK(under_leaves(t, &leaves));
  CHECK(under_whole(t, &whole));
  printf("leaf by leaf %" PRId64 ", as a whole %" PRId64 "\n", leaves, whole);
  CHECK(under_jumps(t, &jumps));
  printf("jumps %" PRId32 "\n", jumps);
  CHECK(under_leaves(t, &leaves));
  CHECK(under_whole(t, &whole));
  printf("leaf by leaf %" PRId64 ", as a whole %" PRId64 "\n", leaves, whole);
  under_t_destroy(t);
  return 0;
}
