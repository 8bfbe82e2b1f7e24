#define _POSIX_C_SOURCE 200809L          /* getpid */
#include "checkpoint.h"
#include "run.h"

#include <unistd.h>

static const char *path_of(void)
{
  static char path[512];
  const char *folder = getenv("TMPDIR");

  snprintf(path, sizeof path, "%s/snode-run-%ld", folder && *folder ? folder : "/tmp",
           (long)getpid());
  return path;
}

/* ---- dense, pointer and bitmasked ---- */

static int furnish_grid(sn_context *ctx, checkpoint_grid *g)
{
  CHECK(checkpoint_level_set(g, -7.5));
  CHECK(checkpoint_on_set(g, 1));
  for (int64_t k = 0; k < 40; k++) {
    CHECK(checkpoint_u_set(g, k * 5 % 12, k * 7 % 32, (float)k));
    CHECK(checkpoint_v_set(g, k * 3 % 32, k * 11 % 12, (int32_t)k));
    CHECK(checkpoint_flag_set(g, k * 5 % 24, k % 24, (uint8_t)k));
    CHECK(checkpoint_where_set(g, k, k * k));
  }
  CHECK(checkpoint_w_set(g, 2, 7, 14, 0.25f));
  CHECK(checkpoint_sub_activate(g, 1, 1, 4));          /* active, with nothing but defaults */
  CHECK(checkpoint_mark_activate(g, 0, 23));
  CHECK(checkpoint_tile_activate(g, 2, 6));
  CHECK(checkpoint_mark_deactivate(g, 0, 0));
  return 0;
}

static int show_grid(sn_context *ctx, checkpoint_grid *g, const char *what)
{
  static float u[12 * 32];
  static int32_t v[32 * 12];
  static uint8_t flag[24 * 24];
  static float w[3 * 8 * 15];
  int64_t where[70], tiles, nodes, marks, subs, rows, sum = 0;
  double level, all = 0;
  int on, active;

  CHECK(checkpoint_level_get(g, &level));
  CHECK(checkpoint_on_get(g, &on));
  CHECK(checkpoint_tile_count(g, &tiles));
  CHECK(checkpoint_node_count(g, &nodes));
  CHECK(checkpoint_mark_count(g, &marks));
  CHECK(checkpoint_sub_count(g, &subs));
  CHECK(checkpoint_row_count(g, &rows));
  CHECK(checkpoint_u_read(g, NULL, sn_span_host(u, sizeof u), NULL));
  CHECK(checkpoint_v_read(g, NULL, sn_span_host(v, sizeof v), NULL));
  CHECK(checkpoint_flag_read(g, NULL, sn_span_host(flag, sizeof flag), NULL));
  CHECK(checkpoint_w_read(g, NULL, sn_span_host(w, sizeof w), NULL));
  CHECK(checkpoint_where_read(g, NULL, sn_span_host(where, sizeof where), NULL));
  for (int k = 0; k < 12 * 32; k++) all += (double)u[k] * (k + 1);
  for (int k = 0; k < 3 * 8 * 15; k++) all += (double)w[k] * (k + 1);
  for (int k = 0; k < 12 * 32; k++) sum += (int64_t)v[k] * (k + 1);
  for (int k = 0; k < 24 * 24; k++) sum += (int64_t)flag[k] * (k + 1);
  for (int k = 0; k < 70; k++) sum += where[k] * (k + 1);
  CHECK(checkpoint_mark_is_active(g, 0, 23, &active));
  printf("%s: %g %d; %" PRId64 " tiles %" PRId64 " nodes %" PRId64 " marks %" PRId64 " subs %"
         PRId64 " rows; %g %" PRId64 " %d\n", what, level, on, tiles, nodes, marks, subs, rows, all,
         sum, active);
  return 0;
}

static int try_grid(sn_context *ctx)
{
  checkpoint_grid *a, *b;

  CHECK(checkpoint_grid_create(ctx, NULL, 3, &a));
  CHECK(checkpoint_grid_create(ctx, NULL, 3, &b));
  if (show_grid(ctx, a, "new") || furnish_grid(ctx, a) || show_grid(ctx, a, "furnished")) return 1;
  CHECK(checkpoint_grid_save(a, path_of()));
  CHECK(checkpoint_u_fill(a, 3));
  CHECK(checkpoint_tile_deactivate(a, 2, 6));
  CHECK(checkpoint_grid_load(a, path_of()));
  if (show_grid(ctx, a, "loaded")) return 1;
  CHECK(checkpoint_u_set(b, 0, 0, 99));
  CHECK(checkpoint_grid_copy(b, a));
  CHECK(checkpoint_grid_deactivate_all(a));
  if (show_grid(ctx, a, "emptied") || show_grid(ctx, b, "copied")) return 1;
  CHECK(checkpoint_grid_copy(b, a));
  if (show_grid(ctx, b, "copied empty")) return 1;
  checkpoint_grid_destroy(b);
  CHECK(checkpoint_grid_create(ctx, NULL, 4, &b));
  CHECK_FAILS(SN_EINVAL, checkpoint_grid_copy(b, a));
  printf("%s\n", sn_context_error(ctx));
  sn_context_clear(ctx);
  CHECK_FAILS(SN_EINVAL, checkpoint_grid_load(b, path_of()));
  sn_context_clear(ctx);
  checkpoint_grid_destroy(a);
  checkpoint_grid_destroy(b);
  return 0;
}

/* ---- dynamic in bitmasked, and activity without data ---- */

static int show_lists(sn_context *ctx, checkpoint_lists *t, const char *what)
{
  int64_t cells, entries, alive, length, lengths = 0, sum = 0;
  int16_t x, y;
  int active;

  CHECK(checkpoint_cell_count(t, &cells));
  CHECK(checkpoint_list_count(t, &entries));
  CHECK(checkpoint_alive_count(t, &alive));
  for (int64_t i = 0; i < 5; i++)
    for (int64_t j = 0; j < 7; j++) {
      CHECK(checkpoint_list_length(t, i, j, &length));
      lengths += length * (7 * i + j + 1);
      for (int64_t l = 0; l < length; l += 97) {
        CHECK(checkpoint_x_get(t, i, j, l, &x));
        CHECK(checkpoint_y_get(t, i, j, l, &y));
        sum += (int64_t)x * (l + 1) + y;
      }
    }
  CHECK(checkpoint_alive_is_active(t, 8, &active));
  printf("%s: %" PRId64 " cells %" PRId64 " entries %" PRId64 " alive; %" PRId64 " %" PRId64
         " %d\n", what, cells, entries, alive, lengths, sum, active);
  return 0;
}

static int try_lists(sn_context *ctx)
{
  checkpoint_lists *a, *b;

  CHECK(checkpoint_lists_create(ctx, NULL, &a));
  CHECK(checkpoint_lists_create(ctx, NULL, &b));
  for (int64_t k = 0; k < 12; k++) {
    CHECK(checkpoint_x_set(a, k % 5, k * 3 % 7, k * k * 20, (int16_t)k));
    CHECK(checkpoint_list_activate(a, k % 4, k % 6, k));
  }
  CHECK(checkpoint_cell_activate(a, 4, 6));            /* active, and its list is empty */
  CHECK(checkpoint_alive_activate(a, 8));
  CHECK(checkpoint_alive_activate(a, 3));
  CHECK(checkpoint_list_deactivate(a, 2, 2));
  if (show_lists(ctx, a, "lists")) return 1;
  CHECK(checkpoint_lists_save(a, path_of()));
  CHECK(checkpoint_alive_deactivate(a, 8));
  CHECK(checkpoint_x_set(a, 4, 6, 2999, 1));
  if (show_lists(ctx, a, "changed")) return 1;
  CHECK(checkpoint_lists_load(a, path_of()));
  if (show_lists(ctx, a, "loaded")) return 1;
  CHECK(checkpoint_x_set(b, 4, 6, 2999, 1));
  CHECK(checkpoint_lists_copy(b, a));
  if (show_lists(ctx, b, "copied")) return 1;
  checkpoint_lists_destroy(a);
  checkpoint_lists_destroy(b);
  return 0;
}

/* ---- hash: any index ---- */

static int show_far(sn_context *ctx, checkpoint_far *t, const char *what)
{
  int64_t index[2 * 64], n, tiles, weighted = 0;
  uint64_t value[64], sum = 0;

  CHECK(checkpoint_region_count(t, &tiles));
  CHECK(checkpoint_key_read_active(t, index, value, 64, &n));
  for (int64_t k = 0; k < n && k < 64; k++) {
    weighted += (index[2 * k] - 3 * index[2 * k + 1]) % 1000 * ((int64_t)value[k] + 1);
    sum += value[k];
  }
  printf("%s: %" PRId64 " tiles %" PRId64 " leaves; %" PRIu64 " %" PRId64 "\n", what, tiles, n,
         sum, weighted);
  return 0;
}

static int try_far(sn_context *ctx)
{
  checkpoint_far *a, *b;

  CHECK(checkpoint_far_create(ctx, NULL, &a));
  CHECK(checkpoint_far_create(ctx, NULL, &b));
  for (int64_t k = 0; k < 30; k++)
    CHECK(checkpoint_key_set(a, (k - 15) * 100000007, k % 4 - 2, (uint64_t)k));
  CHECK(checkpoint_region_activate(a, -1000000000000, 5));
  CHECK(checkpoint_leaf_deactivate(a, -15 * INT64_C(100000007), -2));
  if (show_far(ctx, a, "far")) return 1;
  CHECK(checkpoint_far_save(a, path_of()));
  CHECK(checkpoint_key_set(b, 17, 17, 17));
  CHECK(checkpoint_far_load(b, path_of()));
  if (show_far(ctx, b, "loaded")) return 1;
  CHECK(checkpoint_region_deactivate_all(a));
  if (show_far(ctx, a, "emptied")) return 1;
  CHECK(checkpoint_far_copy(a, b));
  if (show_far(ctx, a, "copied")) return 1;
  checkpoint_far_destroy(a);
  checkpoint_far_destroy(b);
  return 0;
}

int run_checkpoint(sn_context *ctx)
{
  const int failed = try_grid(ctx) || try_lists(ctx) || try_far(ctx);

  (void)remove(path_of());
  return failed;
}
