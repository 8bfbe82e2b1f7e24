#include "flow.h"
#include "run.h"

int run_flow(sn_context *ctx)
{
  flow_t *t;
  int32_t k, seen[16];
  int64_t n;
  const int tests[] = { -5, 4, 5, 10, 11 };

  CHECK(flow_t_create(ctx, NULL, &t));
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    CHECK(flow_choose(t, tests[i], &k));
    printf("choose %d: %" PRId32 "\n", tests[i], k);
  }
  CHECK(flow_relax(t, 1.0, &k));
  printf("relax: %" PRId32 " turns\n", k);
  CHECK(flow_relax(t, -1.0, &k));
  printf("relax: %" PRId32 " turns\n", k);
  CHECK(flow_steps(t, 5, 1, 3, &n));
  printf("steps %" PRId64 "\n", n);
  CHECK(flow_steps(t, 0, 1, 3, &n));
  printf("steps %" PRId64 "\n", n);
  CHECK(flow_ranges(ctx, 2, 9, &n));
  printf("ranges %" PRId64 "\n", n);
  CHECK(flow_ranges(ctx, 2, 0, &n));
  printf("ranges %" PRId64 "\n", n);
  for (int32_t where = 0; where < 10; where += where == 6 ? 3 : 1) {
    CHECK(flow_leave(t, where, &k));
    printf("leave %" PRId32 ": %" PRId32 "\n", where, k);
  }
  CHECK(flow_nothing(t, -2));
  CHECK(flow_seen_read(t, NULL, sn_span_host(seen, sizeof seen), NULL));
  printf("nothing %" PRId32 " %" PRId32 "\n", seen[0], seen[15]);
  CHECK(flow_turmoil(t, 7, &n));
  printf("turmoil %" PRId64 "\n", n);
  CHECK_FAILS(SN_EBOUNDS, flow_trapped(t, 16, &k));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK_FAILS(SN_EASSERT, flow_failed(t, 3, &k));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK(flow_told(ctx, 5));
  flow_t_destroy(t);
  return 0;
}
