/* Writes grids, by WRITE as files that end in END; what is in them t/io/read_grids.py knows.  With
 * an argument: one file where no room is left, which is refused. */
#include "filled.h"

static void write_all(void)
{
  sn_tree *const tree = (sn_tree *)grid;
  sn_io_options o = SN_IO_OPTIONS_INIT;
  const sn_box box = { { 3, 8, 2 }, { 7, 12, 7 } }, nothing = { { 4, 0, 0 }, { 5, 1, 1 } };

  o.origin[0] = -1.5;
  o.spacing[1] = 0.25;
  o.units = "K,, m/s";
  o.length_unit = "mm";
  well(WRITE(tree, "u, kind v", &o, "grid" END), "fields");
  o.compress = 0;
  o.units = NULL;
  o.box = &box;
  well(WRITE(tree, "u", &o, "box" END), "a box, without compression");
  o.box = &nothing;
  well(WRITE(tree, "u", &o, "nothing" END), "no active cells");
  well(WRITE((sn_tree *)plane, NULL, NULL, "plane" END), "f16 and f64");
  well(WRITE((sn_tree *)pages, NULL, NULL, "pages" END), "a hash");
  well(WRITE((sn_tree *)line, "on p.at p.mass", NULL, "line" END), "bool");
}

/* u64, u32 and vectors of two and of integers; what no grid holds. */
static void write_counts(void)
{
  sn_io_options o = SN_IO_OPTIONS_INIT;
  shapes_counts *counts;
  sn_tree *tree;

  well(shapes_counts_create(context, NULL, &counts), "create");
  tree = (sn_tree *)counts;
  for (int64_t i = 0; i < 3; i++) {
    const double pair[2] = { (double)i, 0.1 };
    const int32_t three[3] = { (int32_t)i, INT32_MAX, INT32_MIN };
    well(shapes_many_set(counts, i, INT64_MAX - (uint64_t)i), "set");
    well(shapes_some_set(counts, i, UINT32_MAX - (uint32_t)i), "set");
    well(shapes_pair_set(counts, i, pair), "set");
    well(shapes_three_set(counts, i, three), "set");
  }
  well(WRITE(tree, "many some pair three", NULL, "counts" END), "counts");
  well(shapes_many_set(counts, 1, UINT64_C(1) << 63), "set");
  refused(WRITE(tree, "many", NULL, "no" END), SN_EINVAL, "many has a value of 2^63 or more");
  refused(WRITE(tree, "four", NULL, "no" END), SN_EINVAL, "four has 4 elements");
  o.spacing[2] = 0;
  refused(WRITE(tree, "some", &o, "no" END), SN_EINVAL, "options.spacing[2] of a grid is above 0");
  refused(WRITE(tree, "some", NULL, "no/folder/no" END), SN_EIO, "No such file or directory");
  shapes_counts_destroy(counts);
}

int main(int argc, char **argv)
{
  (void)argv;
  if (!fill_trees())
    return 1;
  if (argc > 1) {
    sn_io_options o = SN_IO_OPTIONS_INIT;
    o.compress = 0;
    refused(WRITE((sn_tree *)grid, NULL, &o, "full" END), SN_EIO,
            "full" END " could not be written: File too large");
  } else {
    write_all();
    write_counts();
  }
  return end_trees();
}
