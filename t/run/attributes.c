#include "attributes.h"
#include "run.h"

static void refused(const sn_context *ctx, int code)
{
  printf("%s: %s\n", sn_strerror(code), strstr(sn_context_error(ctx), "2^63") != NULL ? "too many"
                                         : sn_context_error(ctx));
}

int run_attributes(sn_context *ctx)
{
  attributes_grid *grid;
  attributes_space *space;
  attributes_rows *rows;
  attributes_sorted *sorted;
  attributes_plane *plane;
  attributes_cube *cube;
  attributes_heap *heap;
  attributes_strip *strip;
  int64_t plain, staged, count, word, host[100] = { 0 };
  int32_t n;

  CHECK(attributes_grid_create(ctx, NULL, &grid));
  CHECK(attributes_space_create(ctx, NULL, &space));
  CHECK(attributes_rows_create(ctx, NULL, &rows));
  CHECK(attributes_fill(grid, space, rows));
  CHECK(attributes_ordered(grid, &word));
  printf("ordered %" PRId64 "\n", word);
  CHECK(attributes_keys(space));
  CHECK(attributes_listed(rows, &word));
  printf("listed %" PRId64 "\n", word);
  CHECK(attributes_ranges(ctx, 3, &word));
  printf("ranges %" PRId64 "\n", word);
  refused(ctx, attributes_too_many(ctx, INT64_MAX, 2, &word));
  refused(ctx, attributes_too_many_pairs(ctx, INT64_MAX / 2, 3, &word));
  refused(ctx, attributes_too_many_turns(ctx, 2, UINT64_MAX, &word));
  CHECK(attributes_too_many_pairs(ctx, INT64_MAX / 2, 0, &word));
  printf("none %" PRId64 "\n", word);
  CHECK(attributes_shared(grid, 1000, &word));
  CHECK(attributes_seen_get(grid, &n));
  printf("shared %" PRId64 " %" PRId32 "\n", word, n);
  CHECK(attributes_unrolled(grid, &n));
  printf("unrolled %" PRId32, n);
  for (int64_t k = 0; k < 4; k++) {
    CHECK(attributes_y_get(grid, k, &n));
    printf(" %" PRId32, n);
  }
  CHECK(attributes_changing(grid, &n));
  printf("\nchanging %" PRId32 "\n", n);
  CHECK(attributes_sorted_create(ctx, NULL, &sorted));
  CHECK(attributes_permuted(sorted, host, 100, &word));
  printf("permuted %" PRId64 " %" PRId64 "\n", word, host[49]);
  attributes_sorted_destroy(sorted);
  CHECK(attributes_plane_create(ctx, NULL, &plane));
  CHECK(attributes_cube_create(ctx, NULL, &cube));
  CHECK(attributes_paint(plane, cube));
  CHECK(attributes_plain_sums(plane, cube, &word));
  CHECK(attributes_clear_sums(plane, cube));
  CHECK(attributes_staged_sums(plane, cube, &staged));
  CHECK(attributes_u_count(plane, &count));
  printf("staged %" PRId64 " %" PRId64 " %" PRId64 "\n", word, staged, count);
  CHECK(attributes_heap_create(ctx, NULL, &heap));
  CHECK(attributes_twice_dropped(cube, heap, 0));     /* of a list that never had an entry */
  CHECK(attributes_drop(plane, heap));
  CHECK(attributes_weighed(heap, &word));
  CHECK(attributes_heap_deactivate_all(heap));
  CHECK(attributes_staged_drop(plane, heap));
  CHECK(attributes_weighed(heap, &staged));
  printf("dropped %" PRId64 " %" PRId64 "\n", word, staged);
  CHECK(attributes_twice_dropped(cube, heap, 0));
  CHECK(attributes_weighed(heap, &word));
  CHECK(attributes_twice_dropped(cube, heap, 1));
  CHECK(attributes_weighed(heap, &staged));
  printf("twice %" PRId64 " %" PRId64 "\n", word, staged);
  for (int32_t d = 1; d < 8; d += 6) {
    CHECK(attributes_heap_deactivate_all(heap));
    CHECK(attributes_plain_at(plane, heap, d, &word));
    CHECK(attributes_weighed(heap, &plain));
    CHECK(attributes_heap_deactivate_all(heap));
    CHECK(attributes_staged_at(plane, heap, d, &staged));
    CHECK(attributes_weighed(heap, &count));
    printf("at %" PRId32 ": %" PRId64 " %" PRId64, d, word, staged);
    printf(" %" PRId64 " %" PRId64 "\n", plain, count);
  }
  CHECK(attributes_strip_create(ctx, NULL, &strip));
  CHECK(attributes_lay(strip));
  CHECK(attributes_left_plain(strip, &word));
  CHECK(attributes_strip_deactivate_all(strip));
  CHECK(attributes_lay(strip));
  CHECK(attributes_left_staged(strip, &staged));
  printf("left %" PRId64 " %" PRId64 "\n", word, staged);
  attributes_strip_destroy(strip);
  attributes_heap_destroy(heap);
  attributes_plane_destroy(plane);
  attributes_cube_destroy(cube);
  attributes_grid_destroy(grid);
  attributes_space_destroy(space);
  attributes_rows_destroy(rows);
  return 0;
}
