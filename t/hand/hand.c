/* Loops of one's own over every kind of SNode, on host threads and in target regions, against plain
 * arrays.  Valid as C11 and as C++11; built as both (t/63-device-header.t).  Prints what is wrong.
 */
#include "hand_device.h"

#include <stdio.h>
#include <string.h>

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#if defined(SN_SERIAL)
# define PARALLEL(...)
#elif defined(SN_OFFLOAD)
# define PARALLEL(...) \
    PRAGMA(omp target teams distribute parallel for device(view.device) firstprivate(view) \
           __VA_ARGS__)
#else
# define PARALLEL(...) PRAGMA(omp parallel for __VA_ARGS__)
#endif
#ifdef SN_OFFLOAD
# define TO_AND_FROM(x) map(tofrom : x)
#else
# define TO_AND_FROM(x)
#endif

enum { ROWS = 6, I = ROWS * 8, J = 24, ADDS = 20000 };

static sn_context *context;
static int wrong;

static void check(const char *what, int64_t got, int64_t wanted)
{
  if (got == wanted) return;
  printf("%s: got %lld, expected %lld\n", what, (long long)got, (long long)wanted);
  wrong++;
}

/* The call's code, and a part of the text. */
static void check_error(const char *what, int code, int wanted, const char *part)
{
  check(what, code, wanted);
  if (part != NULL && strstr(sn_context_error(context), part) == NULL) {
    printf("%s: \"%s\" is not in: %s\n", what, part, sn_context_error(context));
    wrong++;
  }
  sn_context_clear(context);
}

static void good(const char *what, int code)
{
  check_error(what, code, SN_OK, NULL);
}

/* Some cell, the same for the same k. */
SND_INLINE int64_t mixed(int64_t k, int64_t n) { return (k * 7919 + k * k % 31) % n; }

/* ---- pointer, dense ---- */

static int32_t hits[I][J];

static void count_hits(hand_grid *grid)
{
  hand_grid_view view = { 0, 0, 0, 0, { 0 } };
  int64_t bad = 0, sum = 0, nulls = 0;

  memset(hits, 0, sizeof hits);
  for (int64_t k = 0; k < ADDS; k++) hits[mixed(k, I / 2)][mixed(k, J / 3)]++;
  good("begin", hand_grid_device_begin(grid, SN_READ | SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < ADDS; k++) hand_hits_add(view, mixed(k, I / 2), mixed(k, J / 3), 1);
  good("end", hand_grid_device_end(grid));
  for (int i = 0; i < I; i++)
    for (int j = 0; j < J; j++) {
      int32_t got = -1;
      good("get", hand_hits_get(grid, i, j, &got));
      check("hits", got, hits[i][j]);
    }
  good("begin", hand_grid_device_begin(grid, SN_READ, &view));
  PARALLEL(reduction(+ : bad, sum, nulls) TO_AND_FROM(bad) TO_AND_FROM(sum) TO_AND_FROM(nulls))
  for (int64_t k = 0; k < I * J; k++) {
    const int32_t *at = hand_hits_at(view, k / J, k % J);
    const int32_t got = hand_hits_load(view, k / J, k % J);
    bad += at != NULL ? *at != got : got != 0;
    bad += (at == NULL) == hand_tile_is_active_at(view, k / J / 8, k % J / 4);
    nulls += at == NULL;
    sum += got;
  }
  good("end", hand_grid_device_end(grid));
  check("loads that differ", bad, 0);
  check("their sum", sum, ADDS);
  check("inactive cells", nulls, I * J - I / 2 * J / 3);
}

static void go_over_hits(hand_grid *grid)
{
  hand_grid_view view = { 0, 0, 0, 0, { 0 } };
  int64_t sum = 0, cells = 0, bad = 0;

  good("begin", hand_grid_device_begin(grid, SN_READ, &view));
  check("blocks", view.blocks[0], 6);
  PARALLEL(reduction(+ : sum, cells, bad) TO_AND_FROM(sum) TO_AND_FROM(cells) TO_AND_FROM(bad))
  HAND_FOREACH_HITS(view, b) {
    const hand_grid_block block = hand_hits_block(view, b);
    HAND_CELLS_HITS(block, c) {
      int64_t i, j;
      hand_hits_index(view, &block, c, &i, &j);
      bad += hand_hits_in(view, &block, c) != hand_hits_at(view, i, j);
      sum += *hand_hits_in(view, &block, c) * (i * 100 + j);
      cells++;
    }
  }
  good("end", hand_grid_device_end(grid));
  for (int64_t i = 0; i < I; i++)
    for (int64_t j = 0; j < J; j++) sum -= hits[i][j] * (i * 100 + j);
  check("sum over blocks", sum, 0);
  check("cells of blocks", cells, I / 2 * J / 3);
  check("addresses", bad, 0);
}

static void take_tiles_out(hand_grid *grid)
{
  sn_memory_info rows[8];
  hand_grid_view view = { 0, 0, 0, 0, { 0 } };
  int64_t n = 0;
  int count = 8;

  good("begin", hand_grid_device_begin(grid, SN_READ | SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < ROWS * 6; k++)
    if (k % 2 == 0) hand_tile_deactivate_at(view, k / 6, k % 6);
  good("end", hand_grid_device_end(grid));
  good("count", hand_tile_count(grid, &n));
  check("tiles that are left", n, 3);
  good("memory", hand_grid_memory(grid, rows, 8, &count));
  check("recycled", rows[0].recycled, 0);
  check("free", rows[0].free, 3);
  good("count", hand_count(grid, &n));
  check("what a kernel finds", n, 3 * 32);
  good("begin", hand_grid_device_begin(grid, SN_READ | SN_ACTIVATE | SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < ROWS * 6; k++) hand_tile_activate_at(view, k / 6, k % 6);
  good("end", hand_grid_device_end(grid));
  good("count", hand_tile_count(grid, &n));
  check("all tiles", n, ROWS * 6);
  {
    int32_t got = -1;
    float rho = 0;
    good("get", hand_hits_get(grid, 0, 0, &got));
    check("a cell that was taken out", got, 0);
    good("get", hand_rho_get(grid, -8, 16, &rho));
    check("its default", (int64_t)(rho * 2), 1);
  }
}

/* Each type of element, each in a tile of its own. */
static void store_elements(hand_grid *grid)
{
  hand_grid_view view = { 0, 0, 0, 0, { 0 } };
  int64_t bad = 0;

  good("empty", hand_grid_deactivate_all(grid));
  good("begin", hand_grid_device_begin(grid, SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < I; k++) {
    const float v[3] = { (float)k, (float)k + 1, -2 };
    const hand_body star = { { 1, 2, (float)k }, (int32_t)k, k % 3 == 0 };
    hand_rho_store(view, -8, 16 + k, (float)k);
    hand_rho_add(view, -8, 16 + k, 0.25f);
    hand_vel_store(view, k, 4, v);
    hand_vel_add(view, k, 4, v);
    hand_on_store(view, k, 8, k % 2 == 0 ? 2 : 0);
    hand_half_store(view, k, 12, (sn_f16)0x3c00);
    hand_half_add(view, k, 12, (sn_f16)0x4000);
    hand_star_store(view, k, 16, &star);
    hand_total_add(view, 1);
  }
  good("end", hand_grid_device_end(grid));
  good("begin", hand_grid_device_begin(grid, SN_READ, &view));
  PARALLEL(reduction(+ : bad) TO_AND_FROM(bad))
  for (int64_t k = 0; k < I; k++) {
    float v[3] = { 0, 0, 0 };
    hand_body star = { { 0, 0, 0 }, 0, 0 };
    const hand_body *there = hand_star_at(view, k, 16);
    hand_vel_load(view, k, 4, v);
    hand_star_load(view, k, 16, &star);
    bad += hand_rho_load(view, -8, 16 + k) != (float)k + 0.25f;
    bad += hand_rho_load(view, 15, 16 + k) != 0.5f;
    bad += v[0] != (float)(2 * k) || v[1] != (float)(2 * k) + 2 || v[2] != -4;
    bad += hand_vel_at(view, k, 4)[1] != v[1];
    bad += hand_on_load(view, k, 8) != (k % 2 == 0);
    bad += hand_half_load(view, k, 12) != (sn_f16)0x4200;
    bad += star.x[2] != (float)k || star.n != k || star.on != (k % 3 == 0);
    bad += there->n != k;
    bad += hand_total_load(view) != I;
  }
  good("end", hand_grid_device_end(grid));
  check("elements", bad, 0);
}

/* ---- bitmasked, soa ---- */

static void go_over_masks(hand_masks *masks)
{
  hand_masks_view view = { 0, 0, 0, 0, { 0 } };
  int64_t sum = 0, cells = 0, bad = 0, n = 0;

  good("begin", hand_masks_device_begin(masks, SN_READ | SN_ACTIVATE | SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 10000; k++) {
    const hand_body moon = { { 0, 1, (float)k }, (int32_t)k, 1 };
    if (k % 3 == 0) hand_mark_store(view, k, (int32_t)k);
    if (k < 500 && k % 100 < 60) hand_a_add(view, k, k % 3, (uint64_t)k);
    if (k < 500 && k % 100 < 60) hand_b_store(view, k, k % 3, 1);
    if (k < 96) hand_moon_store(view, k / 16, k % 16, &moon);
  }
  good("end", hand_masks_device_end(masks));
  good("begin", hand_masks_device_begin(masks, SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 10000; k++) {
    if (k % 6 == 0) hand_spot_deactivate_at(view, k);
    if (k < 100) hand_bit_deactivate_at(view, k, k % 3);
  }
  good("end", hand_masks_device_end(masks));
  good("begin", hand_masks_device_begin(masks, SN_READ, &view));
  PARALLEL(reduction(+ : sum, cells, bad) TO_AND_FROM(sum) TO_AND_FROM(cells) TO_AND_FROM(bad))
  HAND_FOREACH_MARK(view, b) {
    const hand_masks_block block = hand_mark_block(view, b);
    for (int64_t c = block.first; c < block.last; c++) {
      int64_t i;
      if (hand_mark_in(view, &block, c) == NULL) continue;
      hand_mark_index(view, &block, c, &i);
      bad += i % 6 != 3 || *hand_mark_in(view, &block, c) != i;
      cells++;
    }
  }
  check("bitmasked cells", cells, 1667);
  PARALLEL(reduction(+ : sum, bad) TO_AND_FROM(sum) TO_AND_FROM(bad))
  HAND_FOREACH_A(view, b) {
    const hand_masks_block block = hand_a_block(view, b);
    HAND_CELLS_A(block, c) {
      int64_t j, k;
      hand_a_index(view, &block, c, &j, &k);
      bad += k != j % 3 || *hand_a_in(view, &block, c) != (uint64_t)j;
      bad += *hand_b_in(view, &block, c) != 1;
      sum += j;
    }
  }
  PARALLEL(reduction(+ : bad) TO_AND_FROM(bad))
  for (int64_t k = 0; k < 96; k++) {
    hand_body moon;
    hand_moon_load(view, k / 16, k % 16, &moon);
    bad += moon.n != k || moon.x[2] != (float)k || moon.x[0] != 0 || moon.on != 1;
    bad += hand_a_load(view, k, k % 3) != 0;
  }
  good("end", hand_masks_device_end(masks));
  check("soa cells", sum, 4 * (29 * 30) + 60 * (100 + 200 + 300 + 400) + 4 * 30 * 30);
  check("of masks", bad, 0);
  good("count", hand_bit_count(masks, &n));
  check("bits", n, 240);
}

/* ---- dynamic ---- */

static void go_over_lists(hand_lists *lists)
{
  hand_lists_view view = { 0, 0, 0, 0, { 0 } };
  int64_t sum = 0, cells = 0, bad = 0, n = -1;

  good("begin", hand_lists_device_begin(lists, SN_READ | SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 21000; k++) {
    const int64_t at = hand_items_append_at(view, k % 7);
    hand_id_store(view, k % 7, at, (int32_t)k);
  }
  good("end", hand_lists_device_end(lists));
  good("begin", hand_lists_device_begin(lists, SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 7; k++)
    if (k == 3) hand_items_deactivate_at(view, k);
  good("end", hand_lists_device_end(lists));
  good("begin", hand_lists_device_begin(lists, SN_READ, &view));
  PARALLEL(reduction(+ : sum, cells, bad) TO_AND_FROM(sum) TO_AND_FROM(cells) TO_AND_FROM(bad))
  HAND_FOREACH_ID(view, b) {
    const hand_lists_block block = hand_id_block(view, b);
    HAND_CELLS_ID(block, c) {
      int64_t i, l;
      hand_id_index(view, &block, c, &i, &l);
      bad += *hand_id_in(view, &block, c) % 7 != i || l >= 3000 || i == 3;
      bad += hand_id_at(view, i, l) != hand_id_in(view, &block, c);
      sum += *hand_id_in(view, &block, c) / 7;
      cells++;
    }
  }
  PARALLEL(reduction(+ : bad) TO_AND_FROM(bad))
  for (int64_t k = 0; k < 7; k++) bad += hand_items_length_at(view, k) != (k == 3 ? 0 : 3000);
  good("end", hand_lists_device_end(lists));
  check("ids", sum, INT64_C(6) * 2999 * 1500);
  check("cells of lists", cells, 18000);
  check("of lists", bad, 0);
  good("length", hand_items_length(lists, 3, &n));
  check("the one that was emptied", n, 0);
}

/* ---- hash ---- */

static void go_over_keys(hand_keys *keys)
{
  hand_keys_view view = { 0, 0, 0, 0, { 0 } };
  int64_t sum = 0, cells = 0, bad = 0;

  good("begin", hand_keys_device_begin(keys, SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < ADDS; k++) hand_far_add(view, k % 100 - 50, -1000000 * (k % 7), k);
  good("end", hand_keys_device_end(keys));
  good("begin", hand_keys_device_begin(keys, SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 50; k++) hand_key_deactivate_at(view, k - 50, 0);
  good("end", hand_keys_device_end(keys));
  good("begin", hand_keys_device_begin(keys, SN_READ, &view));
  PARALLEL(reduction(+ : sum, cells, bad) TO_AND_FROM(sum) TO_AND_FROM(cells) TO_AND_FROM(bad))
  HAND_FOREACH_FAR(view, b) {
    const hand_keys_block block = hand_far_block(view, b);
    HAND_CELLS_FAR(block, c) {
      int64_t i, j;
      hand_far_index(view, &block, c, &i, &j);
      bad += i < -50 || i >= 50 || (i < 0 && j == 0) || j % 1000000 != 0;
      bad += hand_far_load(view, i, j) != *hand_far_in(view, &block, c);
      sum += *hand_far_in(view, &block, c);
      cells++;
    }
  }
  good("end", hand_keys_device_end(keys));
  for (int64_t k = 0; k < ADDS; k++)
    if (k % 100 >= 50 || k % 7 != 0) sum -= k;
  check("sum of a hash", sum, 0);
  check("its cells", cells, 650);
  check("of keys", bad, 0);
}

static void go_over_pages(hand_pages *pages)
{
  hand_pages_view view = { 0, 0, 0, 0, { 0 } };
  int64_t cells = 0, bad = 0;

  good("begin", hand_pages_device_begin(pages, SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = -500; k < 500; k++) hand_near_store(view, k, -3 * k, (int32_t)k);
  good("end", hand_pages_device_end(pages));
  good("begin", hand_pages_device_begin(pages, SN_DEACTIVATE, &view));
  PARALLEL()
  for (int64_t k = -500; k < 500; k++)
    if (k % 5 == 0) hand_leaf_deactivate_at(view, k, -3 * k);
  good("end", hand_pages_device_end(pages));
  good("begin", hand_pages_device_begin(pages, SN_READ, &view));
  PARALLEL(reduction(+ : cells, bad) TO_AND_FROM(cells) TO_AND_FROM(bad))
  HAND_FOREACH_NEAR(view, b) {
    const hand_pages_block block = hand_near_block(view, b);
    HAND_CELLS_NEAR(block, c) {
      int64_t i, j;
      hand_near_index(view, &block, c, &i, &j);
      bad += j != -3 * i || i % 5 == 0 || *hand_near_in(view, &block, c) != i;
      bad += hand_near_load(view, i, j + 1) != -1;
      cells++;
    }
  }
  good("end", hand_pages_device_end(pages));
  check("pointer cells below a hash", cells, 800);
  check("of pages", bad, 0);
}

/* ---- errors ---- */

static void make_errors(hand_grid *grid, hand_lists *lists)
{
  hand_grid_view view = { 0, 0, 0, 0, { 0 } };
  hand_lists_view items;
  hand_grid *other = NULL;
  int64_t n = 0;
  int32_t got;

  good("empty", hand_grid_deactivate_all(grid));
  check_error("no uses", hand_grid_device_begin(grid, 0, &view), SN_EINVAL, "SN_READ");
  check_error("no view", hand_grid_device_begin(grid, SN_READ, NULL), SN_EINVAL, "NULL");
  check_error("no tree", hand_grid_device_begin(NULL, SN_READ, &view), SN_EINVAL, NULL);
  check_error("another tree", hand_grid_device_begin((hand_grid *)lists, SN_READ, &view), SN_EINVAL,
              "hand_grid_device_begin was given a hand_lists");
  check_error("nothing is open", hand_grid_device_end(grid), SN_ESTATE, "no loops are open");

  good("begin", hand_grid_device_begin(grid, SN_READ, &view));
  check_error("twice", hand_grid_device_begin(grid, SN_READ, &view), SN_ESTATE, "open already");
  check_error("a kernel", hand_count(grid, &n), SN_ESTATE, "hand_grid_device_end comes first");
  check_error("a get", hand_hits_get(grid, 0, 0, &got), SN_ESTATE, "comes first");
  good("another", hand_grid_create(context, NULL, ROWS, &other));
  check_error("a copy of it", hand_grid_copy(other, grid), SN_ESTATE, "comes first");
  good("a kernel on the other one", hand_count(other, &n));
  hand_grid_destroy(grid);
  check_error("its end", SN_OK, SN_OK, "hand_grid_destroy: the tree stays");
  good("another tree at once", hand_lists_device_begin(lists, SN_READ, &items));
  good("its end", hand_lists_device_end(lists));
  PARALLEL()
  for (int64_t k = 0; k < 40; k++) hand_hits_store(view, 9, 9, 1);
  check_error("an activation", hand_grid_device_end(grid), SN_EPERMISSION,
              "the cell of hits at (9, 9) is inactive, and loops that begin without SN_ACTIVATE");
  good("count", hand_tile_count(grid, &n));
  check("nothing is activated", n, 0);

  good("begin", hand_grid_device_begin(grid, SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 1; k++) {
    hand_hits_store(view, 9, 9, 1);
    hand_tile_deactivate_at(view, 5, 5);
    hand_tile_deactivate_at(view, 1, 2);
  }
  check_error("a deactivation", hand_grid_device_end(grid), SN_EPERMISSION,
              "the cell of tile at (1, 2) is taken out, and loops that begin without "
              "SN_DEACTIVATE");
  good("count", hand_tile_count(grid, &n));
  check("and what was done is there", n, 1);

  good("begin", hand_grid_device_begin(grid, SN_READ, &view));
  PARALLEL()
  for (int64_t k = 0; k < 1; k++) hand_hits_add(view, 9, 9, 1);
  good("an active cell", hand_grid_device_end(grid));
  good("get", hand_hits_get(grid, 9, 9, &got));
  check("was added to", got, 2);

  good("begin", hand_grid_device_begin(grid, SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 1; k++) hand_rho_store(view, 16, 16, 1);
  check_error("an index outside", hand_grid_device_end(grid), SN_EBOUNDS,
              "index (16, 16) of rho is outside the extents");
  hand_grid_destroy(other);
}

static void fill_a_list(hand_lists *lists)
{
  hand_lists_view view = { 0, 0, 0, 0, { 0 } };

  good("begin", hand_lists_device_begin(lists, SN_ACTIVATE, &view));
  PARALLEL()
  for (int64_t k = 0; k < 5001; k++) (void)hand_items_append_at(view, 0);
  check_error("a list that is full", hand_lists_device_end(lists), SN_ECAPACITY, "append to items");
}

int main(void)
{
  hand_grid *grid = NULL;
  hand_masks *masks = NULL;
  hand_lists *lists = NULL;
  hand_keys *keys = NULL;
  hand_pages *pages = NULL;

  good("context", sn_context_create(NULL, &context));
  good("grid", hand_grid_create(context, NULL, ROWS, &grid));
  good("masks", hand_masks_create(context, NULL, 10000, &masks));
  good("lists", hand_lists_create(context, NULL, &lists));
  good("keys", hand_keys_create(context, NULL, &keys));
  good("pages", hand_pages_create(context, NULL, &pages));
  if (wrong) return 1;
  count_hits(grid);
  go_over_hits(grid);
  take_tiles_out(grid);
  store_elements(grid);
  go_over_masks(masks);
  go_over_lists(lists);
  go_over_keys(keys);
  go_over_pages(pages);
  make_errors(grid, lists);
  fill_a_list(lists);
  hand_grid_destroy(grid);
  hand_masks_destroy(masks);
  hand_lists_destroy(lists);
  hand_keys_destroy(keys);
  hand_pages_destroy(pages);
  good("destroy", sn_context_destroy(context));
  if (!wrong) puts("all is well");
  return wrong != 0;
}
