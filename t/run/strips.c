/* Serial loops that begin and end anywhere: in a container, at its border, nowhere. */
#include "strips.h"
#include "run.h"

enum { CELLS = 64 };

static int part(sn_context *ctx, int32_t from, int32_t to)
{
  strips_grid *grid;
  strips_line *line;
  strips_result *result;
  int64_t sum, expected = 0, tiles, some = 0;

  CHECK(strips_grid_create(ctx, NULL, &grid));
  CHECK(strips_line_create(ctx, NULL, &line));
  CHECK(strips_result_create(ctx, NULL, &result));
  CHECK(strips_start(line, result));
  CHECK(strips_copy_part(grid, line, from, to));
  CHECK(strips_add_up(grid, line, from, to, &sum));
  CHECK(strips_tile_count(grid, &tiles));
  for (int32_t j = from; j < to; j++) {
    expected += j % 3 == 1 ? 0 : 201 + 2 * j;
    some += j == from || j % 8 == 0;
  }
  if (sum != expected || tiles != some)
    printf("%d to %d: %" PRId64 " instead of %" PRId64 ", %" PRId64 " tiles instead of %" PRId64
           "\n", (int)from, (int)to, sum, expected, tiles, some);
  strips_grid_destroy(grid);
  strips_line_destroy(line);
  strips_result_destroy(result);
  return 0;
}

static int any_index(sn_context *ctx, int64_t from, int64_t to)
{
  strips_space *space;
  int64_t keys, value, some = 0;

  CHECK(strips_space_create(ctx, NULL, &space));
  CHECK(strips_mark(space, from, to));
  CHECK(strips_key_count(space, &keys));
  for (int64_t j = from; j < to; j++) {
    some += j == from || (j & 15) == 0;
    CHECK(strips_far_get(space, j, &value));
    if (value != j) printf("far[%" PRId64 "] is %" PRId64 "\n", j, value);
  }
  if (keys != some)
    printf("%" PRId64 " to %" PRId64 ": %" PRId64 " keys instead of %" PRId64 "\n", from, to, keys,
           some);
  strips_space_destroy(space);
  return 0;
}

int run_strips(sn_context *ctx)
{
  static const int32_t at[] = { 0, 1, 7, 8, 9, 30, 31, 32, 63, CELLS };
  enum { COUNT = sizeof at / sizeof at[0] };
  strips_grid *grid;
  strips_line *line;
  int32_t value, sum = 0;
  strips_small *small;
  strips_wide *wide;
  int64_t tiles, narrow;

  for (int a = 0; a < COUNT; a++)
    for (int b = 0; b < COUNT; b++)
      if (part(ctx, at[a], at[b])) return 1;
  for (int64_t from = -33; from < 20; from += 7)
    for (int64_t to = from - 1; to < from + 40; to += 13)
      if (any_index(ctx, from, to)) return 1;

  CHECK(strips_grid_create(ctx, NULL, &grid));
  CHECK(strips_line_create(ctx, NULL, &line));
  CHECK_FAILS(SN_EBOUNDS, strips_copy_part(grid, line, 60, 70));
  printf("%s\n", sn_context_error(ctx));
  CHECK(strips_x_get(grid, 5, 63, &value));
  CHECK(strips_tile_count(grid, &tiles));
  printf("before it: %" PRId32 ", %" PRId64 " tile\n", value, tiles);
  CHECK_FAILS(SN_EBOUNDS, strips_copy_part(grid, line, -1, 3));
  CHECK(strips_tile_count(grid, &tiles));
  printf("then: %" PRId64 " tile\n", tiles);
  CHECK(strips_table(grid, 20));
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < CELLS; j++) {
      CHECK(strips_x_get(grid, i, j, &value));
      sum += value;
    }
  printf("table %" PRId32 "\n", sum);
  strips_grid_destroy(grid);
  strips_line_destroy(line);
  CHECK(strips_small_create(ctx, NULL, &small));
  CHECK(strips_wide_create(ctx, NULL, &wide));
  CHECK(strips_narrow(small, wide, 3, 21, 29990, 30000, &narrow));
  printf("narrow: %" PRId64 "\n", narrow);
  strips_small_destroy(small);
  strips_wide_destroy(wide);
  return 0;
}
