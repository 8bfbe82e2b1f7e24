/* Writes HDF5 files; what is in them t/io/read_hdf5.py knows.  With an argument: one file where no
 * room is left, which is refused. */
#include "filled.h"

/* What h5py reads by chunks: 2.4 MB. */
static void write_broad(void)
{
  shapes_broad *broad;

  well(shapes_broad_create(context, NULL, &broad), "create");
  for (int64_t i = 0; i < 600; i++)
    for (int64_t j = 0; j < 512; j += 100)
      well(shapes_height_set(broad, i, j, (double)i + (double)j / 1000), "set");
  well(sn_io_write_hdf5((sn_tree *)broad, NULL, NULL, "broad.h5"), "hdf5 in chunks");
  shapes_broad_destroy(broad);
}

static void write_all(void)
{
  sn_tree *const tree = (sn_tree *)grid;
  sn_io_options o = SN_IO_OPTIONS_INIT;
  const sn_box box = { { 3, 8, 2 }, { 7, 12, 7 } }, nothing = { { 4, 0, 0 }, { 5, 1, 1 } };

  o.origin[0] = -1.5;
  o.spacing[1] = 0.25;
  o.units = "K,, m/s";
  o.length_unit = "mm";
  well(sn_io_write_hdf5(tree, "u, kind v", &o, "grid.h5"), "hdf5");
  well(sn_io_write_hdf5_active(tree, "u kind v", &o, "active.h5"), "hdf5 of active cells");
  o.compress = 0;
  o.units = o.length_unit = NULL;
  o.box = &box;
  well(sn_io_write_hdf5(tree, "u", &o, "box.h5"), "hdf5 of a box");
  well(sn_io_write_hdf5_active(tree, "u", &o, "box_active.h5"), "active cells of a box");
  o.box = &nothing;
  well(sn_io_write_hdf5_active(tree, "u v", NULL, "all.h5"), "with options that are NULL");
  o.compress = 1;
  well(sn_io_write_hdf5_active(tree, "u v", &o, "nothing.h5"), "no active cells");
  well(sn_io_write_hdf5((sn_tree *)plane, NULL, NULL, "plane.h5"), "hdf5 of f16 and f64");
  well(sn_io_write_hdf5((sn_tree *)pages, NULL, NULL, "pages.h5"), "hdf5 of a hash");
  well(sn_io_write_hdf5_active((sn_tree *)line, "on p.at", NULL, "line.h5"), "hdf5 of bool");
  write_broad();
}

static void refuse(void)
{
  sn_tree *const tree = (sn_tree *)grid;
  sn_io_options o = SN_IO_OPTIONS_INIT;

  o.units = "K, m";
  refused(sn_io_write_hdf5(tree, "u", &o, "no.h5"), SN_EINVAL,
          "options.units has more units than there are fields: K, m");
  refused(sn_io_write_hdf5(tree, "u", NULL, NULL), SN_EINVAL, "the path of a file is NULL");
  refused(sn_io_write_hdf5_active(tree, "u", NULL, "no/folder/no.h5"), SN_EIO,
          "no/folder/no.h5 could not be written: No such file or directory");
  refused(sn_io_write_hdf5_active((sn_tree *)line, "p", NULL, "no.h5"), SN_EINVAL,
          "the elements of p are not of one type");
}

int main(int argc, char **argv)
{
  (void)argv;
  if (!fill_trees())
    return 1;
  if (argc > 1) {
    sn_io_options o = SN_IO_OPTIONS_INIT;
    o.compress = 0;
    refused(sn_io_write_hdf5((sn_tree *)grid, NULL, &o, "full.h5"), SN_EIO,
            "full.h5 could not be written: File too large");
  } else {
    write_all();
    refuse();
  }
  return end_trees();
}
