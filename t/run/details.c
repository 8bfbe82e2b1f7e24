#include "details.h"
#include "run.h"

int run_details(sn_context *ctx)
{
  details_t *t;
  details_plane *plane;
  int64_t loose;
  int32_t before;

  CHECK(details_t_create(ctx, NULL, &t));
  CHECK(details_plane_create(ctx, NULL, &plane));
  fflush(stdout);
  CHECK(details_expressions(ctx, 1.0 / 3.0, 2.0f, 0, 200, 1));
  CHECK(details_functions(ctx, 2, -3, 0.0 / 0.0, 0.5f, INT32_MIN));
  CHECK_FAILS(SN_EBOUNDS, details_beyond(t, UINT64_MAX, &before));
  sn_context_clear(ctx);
  CHECK(details_beyond(t, 0, &before));
  CHECK(details_factors(ctx, 1.0));
  CHECK(details_words(ctx));
  CHECK(details_statements(t, 3));
  CHECK(details_nodes(t, plane, 3));
  CHECK(details_filled(t));
  CHECK_FAILS(SN_ECAPACITY, details_full(t));
  CHECK(details_loose_get(t, &loose));
  printf("after a failed append later tasks do not run: %" PRId64 "\n", loose);
  sn_context_clear(ctx);
  CHECK(details_emptied(t));
  CHECK(details_left(t));
  CHECK(details_numbers(ctx, 5, 6));
  CHECK(details_choices(t, 3, 1));
  CHECK(details_in_c(t, 5, 60));
  fflush(stdout);
  details_plane_destroy(plane);
  details_t_destroy(t);
  return 0;
}
