/* Writes one file of each kind; what is in them t/io/read.py knows. */
#include "filled.h"

static void write_grid(void)
{
  sn_tree *const tree = (sn_tree *)grid;
  sn_io_options o = SN_IO_OPTIONS_INIT;
  sn_box box = { { 3, 8, 2 }, { 7, 12, 7 } }, slice = { { 5, 0, 0 }, { 6, 16, 8 } };

  o.origin[0] = -1.5;
  o.spacing[1] = 0.25;
  well(sn_io_write_vti(tree, "u, kind v", &o, "grid.vti"), "vti");
  o.compress = 0;
  well(sn_io_write_vti(tree, NULL, &o, "plain.vti"), "vti without compression");
  well(sn_io_write_vtu(tree, "u v", &o, "grid.vtu"), "vtu");
  o.box = &box;
  well(sn_io_write_vti(tree, "u", &o, "box.vti"), "vti of a box");
  well(sn_io_write_vtu(tree, "u", &o, "box.vtu"), "vtu of a box");
  well(sn_io_write_npy(tree, "u", NULL, "u.npy"), "npy");
  well(sn_io_write_npy(tree, "v", &o, "v.npy"), "npy of vectors");
  well(sn_io_write_npy_active(tree, "v", "index.npy", "value.npy"), "npy of active cells");
  o.box = &slice;
  if (sn_io_has_png())
    well(sn_io_write_png(tree, "u", &o, 0.5, 15.5, "slice.png"), "png");
}

static void refuse_pictures(sn_tree *whole, sn_tree *bits)
{
  if (!sn_io_has_png()) {
    refused(sn_io_write_png(whole, "u", NULL, 0, 1, "no.png"), SN_ENOTSUP, "without libpng");
    return;
  }
  refused(sn_io_write_png(whole, "u", NULL, 0, 1, "no.png"), SN_EINVAL, "is a slice");
  refused(sn_io_write_png(whole, "v", NULL, 0, 1, "no.png"), SN_EINVAL, "v has 3 elements");
  refused(sn_io_write_png(bits, "p.mass", NULL, 1, 1, "no.png"), SN_EINVAL, "below its high");
}

static void refuse(sn_tree *whole, sn_tree *bits)
{
  sn_io_options o = SN_IO_OPTIONS_INIT;
  const sn_box none = { { 3, 3, 3 }, { 3, 4, 4 } }, outside = { { 0, 0, 0 }, { 99, 1, 1 } };

  refused(sn_io_write_vti(whole, "u, w", NULL, "no.vti"), SN_EINVAL,
          "shapes_grid has no field w");
  refused(sn_io_write_vti(whole, "u, kind u", NULL, "no.vti"), SN_EINVAL,
          "shapes_grid: u is named twice");
  refused(sn_io_write_vti(whole, "", NULL, "no.vti"), SN_EINVAL, "no field with indices is named");
  refused(sn_io_write_vti(whole, "u", NULL, NULL), SN_EINVAL, "the path of a file is NULL");
  refused(sn_io_write_vti(whole, "u", NULL, "no/folder/no.vti"), SN_EIO,
          "no/folder/no.vti could not be written: No such file or directory");
  o.box = &none;
  refused(sn_io_write_vti(whole, "u", &o, "no.vti"), SN_EINVAL, "is empty along index 0");
  o.box = &outside;
  refused(sn_io_write_vti(whole, "u", &o, "no.vti"), SN_EBOUNDS, "");
  refuse_pictures(whole, bits);
  refused(sn_io_write_npy(bits, "p", NULL, "no.npy"), SN_EINVAL,
          "the elements of p are not of one type");
  if (sn_io_write_vti(NULL, "u", NULL, "no.vti") != SN_EINVAL ||
      sn_io_append_pvd("no/folder/a.pvd", 0, "a") != SN_EIO ||
      sn_io_append_pvd("grid.vti", 0, "a") != SN_EINVAL)
    printf("errors without a context\n");
}

static void write_others(void)
{
  well(sn_io_write_vti((sn_tree *)plane, NULL, NULL, "plane.vti"), "vti of two indices");
  well(sn_io_write_npy((sn_tree *)plane, "half", NULL, "half.npy"), "npy of f16");
  if (sn_io_has_png())
    well(sn_io_write_png((sn_tree *)plane, "wide", NULL, 0, 29, "plane.png"), "png of a plane");
  well(sn_io_write_vti((sn_tree *)pages, NULL, NULL, "pages.vti"), "vti of a hash");
  well(sn_io_write_vtu((sn_tree *)pages, NULL, NULL, "pages.vtu"), "vtu of a hash");
  well(sn_io_write_vtu((sn_tree *)line, "p.at on", NULL, "line.vtu"), "vtu of a line");
  well(sn_io_write_vti((sn_tree *)grid, NULL, NULL, "same.vti"), "vti for snode-info");
  well(sn_io_write_vtu((sn_tree *)grid, NULL, NULL, "same.vtu"), "vtu for snode-info");
  well(sn_io_append_pvd("all.pvd", 0, "a&b.vti"), "pvd");
  well(sn_io_append_pvd("all.pvd", 0.5, "plane.vti"), "pvd");
  well(sn_io_append_pvd("all.pvd", 1.5, "grid.vti"), "pvd");
  well(sn_io_append_pvd("all.pvd", 0.5, "grid.vtu"), "pvd, again from a time");
}

/* Fields of one node with other offsets, and in another order. */
static void write_mixed(void)
{
  sn_io_options o = SN_IO_OPTIONS_INIT;
  const sn_box box = { { 2, 0 }, { 5, 4 } };
  shapes_mixed *mixed;

  well(shapes_mixed_create(context, NULL, &mixed), "create");
  well(shapes_own_set(mixed, 2, 5, 1.5f), "set");
  well(shapes_moved_set(mixed, 1, 0, 7), "set");
  well(shapes_turned_set(mixed, 1, 4, 8), "set");
  well(sn_io_write_vtu((sn_tree *)mixed, NULL, NULL, "mixed.vtu"), "vtu of those with one index");
  well(sn_io_write_vtu((sn_tree *)mixed, "own flow", NULL, "named.vtu"), "vtu of these by name");
  refused(sn_io_write_vtu((sn_tree *)mixed, "own moved", NULL, "no.vtu"), SN_EINVAL,
          "own and moved are not held by one node with the same indices");
  o.box = &box;
  well(sn_io_write_vtu((sn_tree *)mixed, NULL, &o, "mixed_box.vtu"), "vtu of a box");
  well(sn_io_write_npy((sn_tree *)mixed, "turned", &o, "turned_box.npy"), "npy of a box");
  well(shapes_mixed_save(mixed, "mixed.tree"), "save");
  shapes_mixed_destroy(mixed);
}

/* Two cells that are so far from each other that no box around them is written. */
static void write_space(void)
{
  shapes_space *space;

  well(shapes_space_create(context, NULL, &space), "create");
  well(shapes_star_set(space, -((int64_t)1 << 40), 0, 1), "set");
  well(shapes_star_set(space, 1, (int64_t)1 << 40, 2), "set");
  refused(sn_io_write_npy((sn_tree *)space, "star", NULL, "no.npy"), SN_ENOMEM,
          "has too many cells: write a part of it (options.box; snode-info: --box)");
  well(shapes_space_save(space, "space.tree"), "save");
  shapes_space_destroy(space);
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
  if (!fill_trees())
    return 1;
  write_grid();
  write_others();
  refuse((sn_tree *)grid, (sn_tree *)line);
  well(shapes_grid_save(grid, "grid.tree"), "save");
  well(shapes_plane_save(plane, "plane.tree"), "save");
  well(shapes_pages_save(pages, "pages.tree"), "save");
  well(shapes_line_save(line, "line.tree"), "save");
  save_lists();
  write_mixed();
  write_space();
  return end_trees();
}
