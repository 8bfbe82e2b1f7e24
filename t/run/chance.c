#include "chance.h"
#include "run.h"

int run_chance(sn_context *ctx)
{
  chance_deep *deep;
  chance_keyed *keyed;
  chance_rest *rest;
  chance_flat *flat;
  chance_line *line;
  chance_round *round;
  chance_stairs *stairs;
  chance_paper *paper;
  int64_t sum;

  CHECK(chance_deep_create(ctx, NULL, &deep));
  CHECK(chance_keyed_create(ctx, NULL, &keyed));
  CHECK(chance_rest_create(ctx, NULL, &rest));
  CHECK(chance_flat_create(ctx, NULL, &flat));
  CHECK(chance_line_create(ctx, NULL, &line));
  CHECK(chance_begin(deep, keyed, rest, line));
  CHECK(chance_two_walks(deep, &sum));
  printf("two walks to one position: %" PRId64 "\n", sum);
  CHECK(chance_below_zero(keyed, rest, &sum));
  printf("beside what begins at 0: %" PRId64 "\n", sum);
  for (int32_t n = 3; n < 5; n++) {
    CHECK(chance_stored(keyed, n, &sum));
    printf("stored, %" PRId32 ": %" PRId64 "\n", n, sum);
  }
  CHECK(chance_asked(line, &sum));
  printf("asked from a rest on: %" PRId64 "\n", sum);
  for (int32_t m = -1; m < 10; m += 10) {
    CHECK(chance_unused(flat, line, m, &sum));
    printf("unused, %" PRId32 ": %" PRId64 "\n", m, sum);
  }
  CHECK(chance_sums(flat, 1, &sum));
  printf("two sums: %" PRId64 "\n", sum);
  CHECK(chance_far_keys(keyed, line, &sum));
  printf("far keys: %" PRId64 "\n", sum);
  CHECK(chance_stairs_create(ctx, NULL, &stairs));
  CHECK(chance_shared_walk(stairs, &sum));
  printf("a walk for two: %" PRId64 "\n", sum);
  chance_stairs_destroy(stairs);
  CHECK(chance_round_create(ctx, NULL, &round));
  CHECK(chance_paper_create(ctx, NULL, &paper));
  CHECK(chance_unread_box(round, paper, 4, &sum));
  printf("a box that nobody reads: %" PRId64 "\n", sum);
  chance_paper_destroy(paper);
  chance_round_destroy(round);
  CHECK(chance_one_branch(deep, line, &sum));
  printf("in one branch: %" PRId64 "\n", sum);
  chance_line_destroy(line);
  chance_flat_destroy(flat);
  chance_rest_destroy(rest);
  chance_keyed_destroy(keyed);
  chance_deep_destroy(deep);
  return 0;
}
