/* Writes one file of each kind; what is in them t/io/read.py knows. */
#include "shapes.h"

#include <snode/io.h>
#include <stdio.h>
#include <string.h>

static sn_context *context;
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
static void fill_grid(shapes_grid *grid)
{
  for (int64_t i = 0; i < 16; i += 5) {
    const float v[3] = { (float)i, (float)-i, 0.25f };
    well(shapes_u_set(grid, i, 2 * i % 16, i % 8, (float)(10 + i)), "set");
    well(shapes_kind_set(grid, i, 2 * i % 16, i % 8, (int16_t)(100 - i)), "set");
    well(shapes_v_set(grid, i, 2 * i % 16, i % 8, v), "set");
  }
}

static void write_grid(sn_tree *grid)
{
  sn_io_options o = SN_IO_OPTIONS_INIT;
  sn_box box = { { 3, 8, 2 }, { 7, 12, 7 } }, slice = { { 5, 0, 0 }, { 6, 16, 8 } };

  o.origin[0] = -1.5;
  o.spacing[1] = 0.25;
  well(sn_io_write_vti(grid, "u, kind v", &o, "grid.vti"), "vti");
  o.compress = 0;
  well(sn_io_write_vti(grid, NULL, &o, "plain.vti"), "vti without compression");
  well(sn_io_write_vtu(grid, "u v", &o, "grid.vtu"), "vtu");
  o.box = &box;
  well(sn_io_write_vti(grid, "u", &o, "box.vti"), "vti of a box");
  well(sn_io_write_vtu(grid, "u", &o, "box.vtu"), "vtu of a box");
  well(sn_io_write_npy(grid, "u", NULL, "u.npy"), "npy");
  well(sn_io_write_npy(grid, "v", &o, "v.npy"), "npy of vectors");
  well(sn_io_write_npy_active(grid, "v", "index.npy", "value.npy"), "npy of active cells");
  o.box = &slice;
  well(sn_io_write_png(grid, "u", &o, 0.5, 15.5, "slice.png"), "png");
}

static void refuse(sn_tree *grid, sn_tree *line)
{
  sn_io_options o = SN_IO_OPTIONS_INIT;
  const sn_box none = { { 3, 3, 3 }, { 3, 4, 4 } }, outside = { { 0, 0, 0 }, { 99, 1, 1 } };

  refused(sn_io_write_vti(grid, "u, w", NULL, "no.vti"), SN_EINVAL,
          "shapes_grid has no field w");
  refused(sn_io_write_vti(grid, "", NULL, "no.vti"), SN_EINVAL, "no field with indices is named");
  refused(sn_io_write_vti(grid, "u", NULL, NULL), SN_EINVAL, "the path of a file is NULL");
  refused(sn_io_write_vti(grid, "u", NULL, "no/folder/no.vti"), SN_EIO,
          "no/folder/no.vti could not be written: No such file or directory");
  o.box = &none;
  refused(sn_io_write_vti(grid, "u", &o, "no.vti"), SN_EINVAL, "is empty along index 0");
  o.box = &outside;
  refused(sn_io_write_vti(grid, "u", &o, "no.vti"), SN_EBOUNDS, "");
  refused(sn_io_write_png(grid, "u", NULL, 0, 1, "no.png"), SN_EINVAL, "is a slice");
  refused(sn_io_write_png(grid, "v", NULL, 0, 1, "no.png"), SN_EINVAL, "v has 3 elements");
  refused(sn_io_write_png(line, "p.mass", NULL, 1, 1, "no.png"), SN_EINVAL, "below its high");
  refused(sn_io_write_npy(line, "p", NULL, "no.npy"), SN_EINVAL,
          "the elements of p are not of one type");
  if (sn_io_write_vti(NULL, "u", NULL, "no.vti") != SN_EINVAL ||
      sn_io_append_pvd("no/folder/a.pvd", 0, "a") != SN_EIO ||
      sn_io_append_pvd("grid.vti", 0, "a") != SN_EINVAL)
    printf("errors without a context\n");
}

static void write_others(sn_tree *grid, sn_tree *plane, sn_tree *pages, sn_tree *line)
{
  well(sn_io_write_vti(plane, NULL, NULL, "plane.vti"), "vti of two indices");
  well(sn_io_write_npy(plane, "half", NULL, "half.npy"), "npy of f16");
  well(sn_io_write_png(plane, "wide", NULL, 0, 29, "plane.png"), "png of a plane");
  well(sn_io_write_vti(pages, NULL, NULL, "pages.vti"), "vti of a hash");
  well(sn_io_write_vtu(pages, NULL, NULL, "pages.vtu"), "vtu of a hash");
  well(sn_io_write_vtu(line, "p.at on", NULL, "line.vtu"), "vtu of a line");
  well(sn_io_write_vti(grid, NULL, NULL, "same.vti"), "vti for snode-info");
  well(sn_io_write_vtu(grid, NULL, NULL, "same.vtu"), "vtu for snode-info");
  well(sn_io_append_pvd("all.pvd", 0, "a&b.vti"), "pvd");
  well(sn_io_append_pvd("all.pvd", 0.5, "plane.vti"), "pvd");
  well(sn_io_append_pvd("all.pvd", 1.5, "grid.vti"), "pvd");
  well(sn_io_append_pvd("all.pvd", 0.5, "grid.vtu"), "pvd, again from a time");
}

/* Two pages with lists, one with a mark. */
static void save_lists(void)
{
  shapes_lists *lists;

  well(shapes_lists_create(context, NULL, &lists), "create");
  well(shapes_weight_set(lists, -4, 0, 2), "set");
  well(shapes_weight_set(lists, -4, 1, 3), "set");
  well(shapes_weight_set(lists, 3, 0, 4), "set");
  well(shapes_m_set(lists, -4, 7, 5), "set");
  well(shapes_lists_save(lists, "lists.tree"), "save");
  shapes_lists_destroy(lists);
}

int main(void)
{
  shapes_grid *grid;
  shapes_plane *plane;
  shapes_pages *pages;
  shapes_line *line;

  if (sn_context_create(NULL, &context) || shapes_grid_create(context, NULL, &grid) ||
      shapes_plane_create(context, NULL, &plane) || shapes_pages_create(context, NULL, &pages) ||
      shapes_line_create(context, NULL, &line))
    return 1;
  fill_grid(grid);
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
  write_grid((sn_tree *)grid);
  write_others((sn_tree *)grid, (sn_tree *)plane, (sn_tree *)pages, (sn_tree *)line);
  refuse((sn_tree *)grid, (sn_tree *)line);
  well(shapes_grid_save(grid, "grid.tree"), "save");
  well(shapes_plane_save(plane, "plane.tree"), "save");
  well(shapes_pages_save(pages, "pages.tree"), "save");
  well(shapes_line_save(line, "line.tree"), "save");
  save_lists();
  shapes_grid_destroy(grid);
  shapes_plane_destroy(plane);
  shapes_pages_destroy(pages);
  shapes_line_destroy(line);
  return sn_context_destroy(context) || failures;
}
