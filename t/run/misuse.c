#include "misuse.h"
#include "run.h"

/* A call that must be SN_EINVAL; counted, and named when it is not. */
static int calls, wrong;
#define REFUSED(call)                                                         \
  do {                                                                        \
    const int refused_code = (call);                                          \
    calls++;                                                                  \
    if (refused_code != SN_EINVAL) {                                          \
      printf("%s: %s\n", #call, sn_strerror(refused_code));                   \
      wrong++;                                                                \
    }                                                                         \
  } while (0)

static void of_grid(misuse_grid *g, misuse_line *foreign)
{
  static const int64_t index[2] = { 0, 0 };
  int32_t value[4] = { 0 };
  int64_t n = 7, shape[2];
  int active, rows;
  sn_memory_info row[4];
  const sn_span nothing = sn_span_host(NULL, 0);
  misuse_grid *const grids[] = { NULL, (misuse_grid *)(void *)foreign };

  for (int k = 0; k < 2; k++) {
    misuse_grid *const no = grids[k];
    REFUSED(misuse_x_get(no, 0, 0, value));
    REFUSED(misuse_x_set(no, 0, 0, 1));
    REFUSED(misuse_x_read(no, NULL, sn_span_host(value, sizeof value), NULL));
    REFUSED(misuse_x_write(no, NULL, sn_span_host(value, sizeof value), NULL));
    REFUSED(misuse_x_read_active(no, shape, value, 1, &n));
    REFUSED(misuse_x_write_active(no, index, value, 1));
    REFUSED(misuse_x_fill(no, 1));
    REFUSED(misuse_x_count(no, &n));
    REFUSED(misuse_x_shape(no, shape, shape));
    REFUSED(misuse_tile_activate(no, 0, 0));
    REFUSED(misuse_tile_deactivate(no, 0, 0));
    REFUSED(misuse_tile_is_active(no, 0, 0, &active));
    REFUSED(misuse_tile_deactivate_all(no));
    REFUSED(misuse_tile_count(no, &n));
    REFUSED(misuse_tile_capacity(no, &n));
    REFUSED(misuse_grid_deactivate_all(no));
    REFUSED(misuse_grid_memory(no, row, 4, &rows));
    REFUSED(misuse_plain(no));
    REFUSED(misuse_result(no, &n));
    REFUSED(misuse_both(no, foreign, 1));
    REFUSED(misuse_pair(g, no, &n));
    REFUSED(misuse_pair(no, g, &n));
  }
  REFUSED(misuse_x_get(g, 0, 0, NULL));
  REFUSED(misuse_x_read(g, NULL, nothing, NULL));
  REFUSED(misuse_x_write(g, NULL, nothing, NULL));
  REFUSED(misuse_x_read_active(g, shape, value, 1, NULL));
  REFUSED(misuse_x_write_active(g, NULL, value, 1));
  REFUSED(misuse_x_write_active(g, index, NULL, 1));
  REFUSED(misuse_x_write_active(g, index, value, -1));
  REFUSED(misuse_x_count(g, NULL));
  REFUSED(misuse_tile_is_active(g, 0, 0, NULL));
  REFUSED(misuse_tile_count(g, NULL));
  REFUSED(misuse_tile_capacity(g, NULL));
  REFUSED(misuse_grid_memory(g, row, 4, NULL));
  REFUSED(misuse_grid_memory(g, NULL, 4, &rows));
  REFUSED(misuse_result(g, NULL));
  REFUSED(misuse_pair(g, g, NULL));
  REFUSED(misuse_both(g, NULL, 1));
  printf("results untouched: %" PRId64 "\n", n);
}

static void of_context(sn_context *ctx)
{
  static const int32_t src[3] = { 1, 2, 3 };
  int32_t dst[3];
  misuse_grid *g = NULL;
  misuse_line *l = NULL;

  REFUSED(misuse_grid_create(NULL, NULL, 2, &g));
  REFUSED(misuse_grid_create(ctx, NULL, 2, NULL));
  REFUSED(misuse_grid_create(ctx, NULL, 0, &g));
  REFUSED(misuse_grid_create(ctx, NULL, INT64_MIN, &g));
  REFUSED(misuse_grid_create(ctx, NULL, INT64_MAX, &g));
  REFUSED(misuse_line_create(NULL, NULL, &l));
  REFUSED(misuse_line_create(ctx, NULL, NULL));
  REFUSED(misuse_bind(NULL));
  REFUSED(misuse_load(NULL, src, 3, dst));
  REFUSED(misuse_load(ctx, NULL, 3, dst));
  REFUSED(misuse_load(ctx, src, 3, NULL));
  REFUSED(misuse_load(ctx, src, -1, dst));
  printf("nothing came of it: %d %d\n", g == NULL, l == NULL);
  misuse_grid_destroy(NULL);
  misuse_line_destroy(NULL);
}

/* Trees of different contexts do not meet in one kernel. */
static int of_two_contexts(sn_context *ctx, misuse_grid *g)
{
  sn_context *const first = ctx;
  misuse_grid *other;
  int64_t n;

  CHECK(sn_context_create(NULL, &ctx));
  CHECK(misuse_grid_create(ctx, NULL, 2, &other));
  REFUSED(misuse_pair(g, other, &n));
  CHECK(misuse_plain(other));
  CHECK_FAILS(SN_ESTATE, sn_context_destroy(ctx));
  misuse_grid_destroy(other);
  CHECK(sn_context_destroy(ctx));
  sn_context_clear(first);
  return 0;
}

int run_misuse(sn_context *ctx)
{
  static const int32_t src[3] = { 1, 2, 3 };
  int32_t dst[3], x;
  misuse_grid *g;
  misuse_line *l;
  int64_t n;

  calls = wrong = 0;
  CHECK(misuse_grid_create(ctx, NULL, 2, &g));
  CHECK(misuse_line_create(ctx, NULL, &l));
  of_grid(g, l);
  of_context(ctx);
  if (of_two_contexts(ctx, g)) return 1;
  printf("%d calls, %d wrong\n", calls, wrong);

  /* and all of it still works */
  sn_context_clear(ctx);
  CHECK(misuse_both(g, l, 0.5));
  CHECK(misuse_plain(g));
  CHECK(misuse_result(g, &n));
  CHECK(misuse_x_get(g, 1, 0, &x));
  CHECK(misuse_load(ctx, src, 3, dst));
  CHECK(misuse_load(ctx, NULL, 0, NULL));
  printf("sum %" PRId64 " of which one is even %d, %d %d %d, \"%s\"\n", n, x % 2 == 0, dst[0],
         dst[1], dst[2], sn_context_error(ctx));
  misuse_grid_destroy(g);
  misuse_line_destroy(l);
  return 0;
}
