#include "control.h"
#include "run.h"

int run_control(sn_context *ctx)
{
  control_t *t;
  control_rows *rows;
  control_lists *lists;
  int64_t n;

  CHECK(control_t_create(ctx, NULL, &t));
  CHECK(control_fill(t));
  CHECK(control_primes(t, &n));
  printf("primes %" PRId64 "\n", n);
  CHECK(control_longest(t, &n));
  printf("longest %" PRId64 "\n", n);
  CHECK(control_coprime(ctx, 100, &n));
  printf("coprime %" PRId64 "\n", n);
  CHECK(control_skips(ctx, &n));
  printf("skips %" PRId64 "\n", n);
  CHECK(control_serial(ctx, 50, &n));
  printf("serial %" PRId64 "\n", n);
  CHECK(control_counts(ctx, 6, &n));
  printf("counts %" PRId64 "\n", n);
  CHECK(control_rounds(ctx, 4, &n));
  printf("rounds %" PRId64 "\n", n);
  CHECK(control_rows_create(ctx, NULL, &rows));
  CHECK(control_spans(rows, &n));
  printf("spans %" PRId64 "\n", n);
  control_rows_destroy(rows);
  CHECK(control_lists_create(ctx, NULL, &lists));
  CHECK(control_lengths(lists, &n));
  printf("lengths %" PRId64 "\n", n);
  control_lists_destroy(lists);
  CHECK(control_early(ctx, 16, &n));
  printf("early %" PRId64 "\n", n);
  CHECK(control_gates(ctx, 1, &n));
  printf("gates %" PRId64 "\n", n);
  CHECK(control_lazy(t, 7, &n));
  printf("lazy %" PRId64 "\n", n);
  CHECK(control_empty_ranges(ctx, &n));
  printf("ranges %" PRId64 "\n", n);
  control_t_destroy(t);
  return 0;
}
