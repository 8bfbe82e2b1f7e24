/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/io.h: files of a tree's fields for others to look at; the library libsnode_io.
 *
 *   .vti, .vtu, .pvd   for ParaView and VTK
 *   .npy               for NumPy
 *   .png               a slice as a picture
 *
 * It stands on libsnode's public calls alone: a program links -lsnode_io -lsnode.  A tree of any
 * generated type is given as (sn_tree *)grid; fields are named as in the .sn file.
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
  double origin[3], spacing[3];  /* VTK: where index 0 begins, and from one cell to the next */
  int compress;                  /* VTK: by zlib, where the library was built with it */
} sn_io_options;
#define SN_IO_OPTIONS_INIT { sizeof(sn_io_options), NULL, { 0, 0, 0 }, { 1, 1, 1 }, 1 }

/* fields: names, with blanks or commas between them; the name of a vector, a matrix or a part of a
 * struct whose elements are of one type is a value of several components.  NULL: all fields that
 * share the SNode of the first one.  They have the same 1 to 3 indices, which are x, y and z. */

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

/* A slice as a picture of 8 bits of grey: a box of two indices, or of more where all but two are
 * one cell wide.  The first of both goes down, the second to the right; values of `low` and less
 * are black, of `high` and more white. */
SN_API SN_NODISCARD int sn_io_write_png(sn_tree *, const char *field, const sn_io_options *,
                                        double low, double high, const char *path);

/* Whether the library compresses. */
SN_API int sn_io_has_zlib(void);

SN_END_DECLS

#endif
