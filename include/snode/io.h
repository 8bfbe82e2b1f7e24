/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/io.h: files of a tree's fields for others to look at.
 *
 *   .vti, .vtu, .pvd   for ParaView and VTK       -lsnode_io
 *   .npy               for NumPy                  -lsnode_io
 *   .png               a slice as a picture       -lsnode_io
 *   HDF5               for h5py and others        -lsnode_io_hdf5
 *   .vdb               OpenVDB, for Blender       -lsnode_io_vdb
 *   .nvdb              NanoVDB, for GPUs          -lsnode_io_nvdb
 *
 * All stand on libsnode's public calls alone: -lsnode is linked behind them.  What needs a library
 * of its own is a library of its own, so that nobody links what he does not call: HDF5, say, of
 * which a program may have another build, the one for MPI.  It is there where configure found what
 * it needs.  pkg-config: snode-io, snode-io-hdf5, snode-io-vdb, snode-io-nvdb.
 * Those for OpenVDB and NanoVDB are written in C++ inside; a program in C links the shared ones as
 * any other library.
 *
 * A tree of any generated type is given as (sn_tree *)grid; fields are named as in the .sn file.
 *
 * A file appears whole: it is written as PATH.partial, which then takes its place.  Errors: the
 * text is in the tree's context (sn_context_error).  SN_EINVAL: NULL, a name that the tree has not,
 * what such a file cannot hold.  SN_EIO: the file cannot be written.  SN_ENOMEM.
 * Threads: as the context's: one at a time.
 */
#ifndef SNODE_IO_H
#define SNODE_IO_H

#include <snode/context.h>
#include <snode/tree.h>

SN_BEGIN_DECLS

/* Start from SN_IO_OPTIONS_INIT; NULL is the same. */
typedef struct sn_io_options {
  size_t size;                   /* of this struct */
  const sn_box *box;             /* indices of the field, in its own order; NULL: all of it; of a
                                    field without extents (hash) the box around its active cells */
  double origin[3], spacing[3];  /* where index 0 begins, and from one cell to the next, along the
                                    first three indices; all but .npy and .png */
  int compress;                  /* where the library was built so; all but .npy and .png */
  const char *units;             /* of the fields' values, in their order, with commas between them:
                                    "K, m/s"; nothing between commas, NULL: none is told; HDF5,
                                    .vdb */
  const char *length_unit;       /* of origin and spacing: "m"; NULL: none is told; HDF5, .vdb */
} sn_io_options;
#define SN_IO_OPTIONS_INIT { sizeof(sn_io_options), NULL, { 0, 0, 0 }, { 1, 1, 1 }, 1, NULL, NULL }

/* fields: names, with blanks or commas between them; the name of a vector, a matrix or a part of a
 * struct whose elements are of one type is a value of several components.  NULL: all fields
 * of the SNode of the first one with indices that have the same indices as that one, in the same
 * order and with the same offsets.  They have the same 1 to 3 indices, which are x, y and z. */

/* VTK image data: the values of a box, with defaults where cells are inactive, as data of cells. */
SN_API SN_NODISCARD int sn_io_write_vti(sn_tree *, const char *fields, const sn_io_options *,
                                        const char *path);
/* VTK unstructured grid: the active cells of one SNode, in ascending order of their indices, as
 * lines, squares or cubes that share their corners.  options->box: those that lie in it. */
SN_API SN_NODISCARD int sn_io_write_vtu(sn_tree *, const char *fields, const sn_io_options *,
                                        const char *path);
/* A file of a series is added to the .pvd file, which is made where there is none; `file` is told
 * as it is, and is looked for beside the .pvd file.  Entries of this time and later ones are taken
 * out before: a run that begins again from a checkpoint leaves one series.  Without a context: the
 * code is all that there is. */
SN_API SN_NODISCARD int sn_io_append_pvd(const char *path, double time, const char *file);

/* The values of a box, of any number of indices, in C's order; behind them, of a value with
 * components, an axis for these. */
SN_API SN_NODISCARD int sn_io_write_npy(sn_tree *, const char *field, const sn_io_options *,
                                        const char *path);
/* The active cells, in ascending order of their indices: int64 [cells, indices]; their values. */
SN_API SN_NODISCARD int sn_io_write_npy_active(sn_tree *, const char *field, const char *indices,
                                               const char *values);

/* HDF5, of fields with any number of indices.  Both files have for each field a dataset fields/NAME
 * of its own type (bool as h5py has it: an enumeration FALSE, TRUE).  Its attributes are `default`,
 * what inactive cells read as, a value for each component, and `units`, where it is told.  Those of
 * the root are `tree` and `indices` (their letters: "i j"), both texts, `origin` and `spacing` (f64
 * for each of the first three indices), and `length_units` where it is told.
 * The file stands in memory until it is whole, and is written then.  Threads: two calls at the same
 * time, in two contexts, need an HDF5 library that was built for threads.
 *
 * The values of a box, in C's order, behind them an axis for components; the root has `lo` and `hi`
 * too, int64 for each index: the box holds lo .. hi - 1. */
SN_API SN_NODISCARD int sn_io_write_hdf5(sn_tree *, const char *fields, const sn_io_options *,
                                         const char *path);
/* The active cells, in ascending order of their indices: the dataset `index` is int64 [cells,
 * indices], fields are [cells] or [cells, components].  options->box: those that lie in it. */
SN_API SN_NODISCARD int sn_io_write_hdf5_active(sn_tree *, const char *fields,
                                                const sn_io_options *, const char *path);

/* OpenVDB and NanoVDB, of fields with one to three indices, which are x, y and z: a grid for each
 * field, of its name.  Active cells are active voxels, in 32 bits of each index; what is inactive
 * has the field's default, the grid's background.  A voxel's centre is its cell's: index i lies at
 * origin + spacing (i + 1/2).  options->box: the active cells that lie in it.
 *
 *   f16, f32                  float             two or three elements: a vector of floats where
 *   f64                       double            these hold each value of the type, else of doubles;
 *   i8, u8, i16, u16, i32     int32             a third one that lacks is 0
 *   u32, i64, u64             int64
 *   bool                      bool; .nvdb: int32
 *
 * In .vdb the grids have the metadata `tree`, and `units`, `length_units` where they are told. */
SN_API SN_NODISCARD int sn_io_write_vdb(sn_tree *, const char *fields, const sn_io_options *,
                                        const char *path);
SN_API SN_NODISCARD int sn_io_write_nvdb(sn_tree *, const char *fields, const sn_io_options *,
                                         const char *path);

/* A slice as a picture of 8 bits of grey: a box of two indices, or of more where all but two are
 * one cell wide.  The first of both goes down, the second to the right; values of `low` and less
 * are black, of `high` and more white.  SN_ENOTSUP: the library was built without libpng. */
SN_API SN_NODISCARD int sn_io_write_png(sn_tree *, const char *field, const sn_io_options *,
                                        double low, double high, const char *path);

/* Whether libsnode_io compresses; whether it writes pictures. */
SN_API int sn_io_has_zlib(void);
SN_API int sn_io_has_png(void);

SN_END_DECLS

#endif
