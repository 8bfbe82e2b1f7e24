/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/tensor.h: index spaces, tensors of blocks, slices, buffers.
 *
 * A **space** is a range of indices cut into tiles.  A **tensor** has a space for each of its
 * dimensions; a **block** is one tile of each, numbered row-major by the tiles; of a
 * block-sparse tensor some blocks are zero and take no memory.  Every block has its home on
 * the host and, in other units, at most one replica each, which the engine moves about.
 *
 * Blocks are reached through the engine only: by a **buffer** that a task is given, or by
 * the calls below, which wait for the tasks that are in the way.
 *
 * Ownership: a tensor outlives the tasks that use it (SN_ESTATE on destruction otherwise); it
 * keeps its spaces.
 */
#ifndef SNODE_TENSOR_H
#define SNODE_TENSOR_H

#include <snode/engine.h>
#include <snode/types.h>

SN_BEGIN_DECLS

enum { SN_MAX_DIMENSIONS = 12 };

typedef struct sn_space sn_space;
typedef struct sn_tensor sn_tensor;
typedef struct sn_buffer sn_buffer;

/* ---- spaces ---- */

/* Tiles of `tile` indices, the last one of what is left. */
SN_API SN_NODISCARD int sn_space_create(sn_engine *, int64_t extent, int64_t tile, sn_space **out);
/* Tiles of these lengths, one after the other. */
SN_API SN_NODISCARD int sn_space_create_tiled(sn_engine *, const int64_t *tiles, int64_t count,
                                              sn_space **out);
SN_API void sn_space_release(sn_space *);                       /* NULL is fine; tensors keep it */
SN_API int64_t sn_space_extent(const sn_space *);
SN_API int64_t sn_space_tiles(const sn_space *);
SN_API int64_t sn_space_tile_first(const sn_space *, int64_t tile);
SN_API int64_t sn_space_tile_length(const sn_space *, int64_t tile);

/* ---- tensors ---- */

typedef struct sn_tensor_options {
  size_t size;
  const char *name;              /* in messages and traces; NULL: a number */
  /* Block-sparse: whether the block is stored; tile: one per dimension.  NULL: all are. */
  int (*is_stored)(void *user, const int64_t *tile);
  void *user;
  void *home;                    /* memory for the blocks, end to end in block order, owned by the
                                    caller and alive as long as the tensor; NULL: its own, zero */
} sn_tensor_options;
#define SN_TENSOR_OPTIONS_INIT { sizeof(sn_tensor_options), NULL, NULL, NULL, NULL }

/* type: SN_TYPE_F64 ...; dimensions 0 (one block of one element) to 12. */
SN_API SN_NODISCARD int sn_tensor_create(sn_engine *, sn_type type, int dimensions,
                                         sn_space *const *spaces, const sn_tensor_options *,
                                         sn_tensor **out);
SN_API SN_NODISCARD int sn_tensor_destroy(sn_tensor *);         /* NULL is fine */
SN_API const char *sn_tensor_name(const sn_tensor *);
SN_API int sn_tensor_dimensions(const sn_tensor *);
SN_API sn_type sn_tensor_type(const sn_tensor *);
SN_API int64_t sn_tensor_blocks(const sn_tensor *);             /* stored or not */
SN_API int sn_tensor_is_stored(const sn_tensor *, int64_t block);
/* Number of the block of these tiles; -1: there is none. */
SN_API int64_t sn_tensor_block(const sn_tensor *, const int64_t *tile);
/* Indices along each dimension; SN_EBOUNDS. */
SN_API SN_NODISCARD int sn_tensor_block_dims(const sn_tensor *, int64_t block, int64_t *dims);

/* The whole tensor or a block from and to host memory, row-major; zero blocks read as zero and take
 * no writes.  They wait for the tasks before them, as a task with that access would.
 * SN_ESTATE: a block whose writer failed is lost until it is written whole; inside a task. */
SN_API SN_NODISCARD int sn_tensor_read(sn_tensor *, void *dst, size_t bytes);
SN_API SN_NODISCARD int sn_tensor_write(sn_tensor *, const void *src, size_t bytes);
SN_API SN_NODISCARD int sn_tensor_read_block(sn_tensor *, int64_t block, void *dst, size_t bytes);
SN_API SN_NODISCARD int sn_tensor_write_block(sn_tensor *, int64_t block, const void *src,
                                              size_t bytes);
/* Every element; 0 takes no memory that is not there yet.  Integers leave out what is behind the
 * point; SN_EINVAL: a value that their type has not. */
SN_API SN_NODISCARD int sn_tensor_fill(sn_tensor *, double value);
/* What every unit holds that the home does not, goes home. */
SN_API SN_NODISCARD int sn_tensor_flush(sn_tensor *);
/* Text of shape, tiles and values, block by block, through write, which a task calls. */
SN_API SN_NODISCARD int sn_tensor_print(sn_tensor *, sn_text_fn write, void *user);
/* ---- slices: sets of whole blocks ---- */

typedef struct sn_slice {
  sn_tensor *tensor;
  int64_t lo[SN_MAX_DIMENSIONS], hi[SN_MAX_DIMENSIONS];         /* tiles lo .. hi - 1 */
} sn_slice;

SN_API sn_slice sn_slice_whole(sn_tensor *);
SN_API sn_slice sn_slice_block(sn_tensor *, int64_t block);     /* empty: no such block */
SN_API int64_t sn_slice_blocks(const sn_slice *);               /* 0: empty, or beyond the tensor */

/* Begins to bring the slice's blocks to the unit, as reading there would, and does not wait; a
 * block that tasks hold, or that finds no room, stays where it is, which is no error. */
SN_API SN_NODISCARD int sn_tensor_prefetch(const sn_slice *, sn_unit *);


/* ---- labels: which dimension is which ---- */

/* A slice whose dimensions are named, as A("ij"): one character each, no two the same. */
typedef struct sn_labeled {
  sn_slice slice;
  char label[SN_MAX_DIMENSIONS + 1];
} sn_labeled;

/* As many labels as the tensor has dimensions; SN_EINVAL. */
SN_API SN_NODISCARD int sn_label(const sn_slice *, const char *labels, sn_labeled *out);

/* lhs = factor * rhs, or lhs += factor * rhs where add is not 0; rhs' dimensions are permuted as
 * the labels say.  Submits a task for each stored block of lhs and does not wait; each writes (or
 * accumulates into) its block and reads one of rhs.  Integers by a factor that is an integer, of 64
 * bits, are exact and wrap; by another one they go through a double, leave out what is behind the
 * point, and end at the least and the greatest of their type (a NaN is 0).  SN_EINVAL, and nothing
 * submitted: other labels, types or engines, tiles of other lengths, one block read and written. */
SN_API SN_NODISCARD int sn_assign(const sn_labeled *lhs, double factor, const sn_labeled *rhs,
                                  int add);

SN_END_DECLS

#endif
