/* The trees of shapes.sn, filled: what is in them t/io/read.py knows.  For the programs of t/io,
 * each of which writes files of them. */
#ifndef T_IO_FILLED_H
#define T_IO_FILLED_H

#include "shapes.h"

#include <snode/io.h>
#include <stdio.h>
#include <string.h>

static sn_context *context;
static shapes_grid *grid;
static shapes_plane *plane;
static shapes_pages *pages;
static shapes_line *line;
static int failures;

static void well(int code, const char *what)
{
  if (code == SN_OK)
    return;
  printf("%s: %s: %s\n", what, sn_strerror(code), sn_context_error(context));
  sn_context_clear(context);
  failures++;
}

/* says: a part of the text that the context has. */
static void refused(int code, int wanted, const char *says)
{
  if (code != wanted || !strstr(sn_context_error(context), says)) {
    printf("no '%s' in: %s: %s\n", says, sn_strerror(code), sn_context_error(context));
    failures++;
  }
  sn_context_clear(context);
}

/* Cells (i, 2 i mod 16, i mod 8), whose tiles are then active. */
static void fill_grid(void)
{
  for (int64_t i = 0; i < 16; i += 5) {
    const float v[3] = { (float)i, (float)-i, 0.25f };
    well(shapes_u_set(grid, i, 2 * i % 16, i % 8, (float)(10 + i)), "set");
    well(shapes_kind_set(grid, i, 2 * i % 16, i % 8, (int16_t)(100 - i)), "set");
    well(shapes_v_set(grid, i, 2 * i % 16, i % 8, v), "set");
  }
}

/* Whether the trees are there. */
static int fill_trees(void)
{
  if (sn_context_create(NULL, &context) || shapes_grid_create(context, NULL, &grid) ||
      shapes_plane_create(context, NULL, &plane) || shapes_pages_create(context, NULL, &pages) ||
      shapes_line_create(context, NULL, &line))
    return 0;
  fill_grid();
  for (int64_t i = 0; i < 6; i++)
    for (int64_t j = 0; j < 5; j++) {
      well(shapes_wide_set(plane, i, j, (double)(5 * i + j)), "set");
      well(shapes_half_set(plane, i, j, sn_f16_of((float)i + 0.5f * (float)j)), "set");
    }
  well(shapes_page_value_set(pages, -5, 3, 7), "set");
  well(shapes_page_value_set(pages, 6, -1, 9), "set");
  for (int64_t i = 1; i < 10; i += 4) {
    const shapes_particle p = { { (float)i, 2, 3 }, 0.5 };
    well(shapes_p_set(line, i, &p), "set");
    well(shapes_on_set(line, i, i > 4), "set");
  }
  return 1;
}

/* The exit status. */
static int end_trees(void)
{
  shapes_grid_destroy(grid);
  shapes_plane_destroy(plane);
  shapes_pages_destroy(pages);
  shapes_line_destroy(line);
  return sn_context_destroy(context) || failures;
}

#endif
