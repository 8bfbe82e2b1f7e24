#include "axes.h"
#include "run.h"

#include <stddef.h>

/* ---- sn_tree_axes ---- */

static int show_axes(sn_context *ctx, void *tree, const char *name)
{
  sn_axes axes = SN_AXES_INIT;

  CHECK(sn_tree_axes(tree, name, &axes));
  printf("%s:", name);
  for (int k = 0; k < axes.count; k++)
    printf(" %c>=%" PRId64, "ijklmnopqrst"[axes.index[k]], axes.origin[k]);
  printf(axes.index[axes.count] == -1 ? " |" : " index?");
  for (int a = 0; a < 12; a++) {
    const sn_axis *axis = &axes.axis[a];
    if (axis->position >= 0)
      printf(" %c:%d %" PRId64 "/%" PRId64 " %d/%d", "ijklmnopqrst"[a], axis->position,
             axis->extent, axis->total, axis->bits, axis->total_bits);
    else if (axis->extent != 1 || axis->total != 1 || axis->bits || axis->total_bits)
      printf(" %d?", a);
  }
  printf("\n");
  return 0;
}

/* What is given beyond the caller's struct is left alone; what is not there is told. */
static int ask_wrongly(sn_context *ctx, axes_points *points)
{
  sn_axes axes = SN_AXES_INIT;

  axes.count = 99;
  CHECK_FAILS(SN_EINVAL, sn_tree_axes(NULL, "grid", &axes));
  CHECK_FAILS(SN_EINVAL, sn_tree_axes((sn_tree *)points, NULL, &axes));
  CHECK_FAILS(SN_EINVAL, sn_tree_axes((sn_tree *)points, "grid", NULL));
  sn_context_clear(ctx);
  CHECK_FAILS(SN_EINVAL, sn_tree_axes((sn_tree *)points, "gri", &axes));
  printf("%s, %d\n", sn_context_error(ctx), axes.count);
  sn_context_clear(ctx);
  axes.size = offsetof(sn_axes, axis);
  axes.axis[0].position = 77;
  CHECK(sn_tree_axes((sn_tree *)points, "near", &axes));
  printf("%d index, %d\n", axes.count, axes.axis[0].position);
  return 0;
}

static int run_maps(sn_context *ctx)
{
  static const char *const names[] = { "columns", "parts", "bits", "v", "v.y", "tiles", "list",
                                       "listed", "keys", "cells", "far", "alone" };
  axes_kinds *kinds;
  axes_points *points;
  axes_rows_tree *rows;

  CHECK(axes_kinds_create(ctx, NULL, 33, &kinds));
  CHECK(axes_points_create(ctx, NULL, &points));
  CHECK(axes_rows_tree_create(ctx, NULL, &rows));
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    if (show_axes(ctx, kinds, names[k]))
      return 1;
  if (show_axes(ctx, rows, "rows") || show_axes(ctx, points, "grid") || ask_wrongly(ctx, points))
    return 1;
  axes_kinds_destroy(kinds);
  axes_points_destroy(points);
  axes_rows_tree_destroy(rows);
  return 0;
}

int run_axes(sn_context *ctx)
{
  axes_wide *wide;
  axes_crossed *crossed;
  int64_t n, s;
  int32_t value;

  CHECK(axes_wide_create(ctx, NULL, &wide));
  CHECK(axes_crossed_create(ctx, NULL, &crossed));
  CHECK(axes_fill(wide));
  CHECK(axes_top_count(wide, &n));
  CHECK(axes_sum(wide, &s));
  printf("top %" PRId64 " sum %" PRId64 "\n", n, s);
  CHECK(axes_z_get(wide, 1, 1, 0, 0, 1, 0, 1, 0, 2, 0, 1, 1, &value));
  printf("z = %d\n", value);
  CHECK(axes_z_count(wide, &n));
  printf("cells %" PRId64 "\n", n);
  CHECK_FAILS(SN_EBOUNDS, axes_z_get(wide, 1, 2, 0, 0, 1, 0, 1, 0, 2, 0, 1, 1, &value));

  CHECK(axes_fill_w(crossed));
  CHECK(axes_outer_count(crossed, &n));
  CHECK(axes_sum_w(crossed, &s));
  printf("outer %" PRId64 " sum %" PRId64 "\n", n, s);
  CHECK(axes_w_get(crossed, 4, 9, &value));
  printf("w[4, 9] = %d\n", value);
  axes_wide_destroy(wide);
  axes_crossed_destroy(crossed);
  return run_maps(ctx);
}
