/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/tree.h: what calls on trees take and give.
 *
 * The calls themselves are generated for each tree, field and SNode (foo.h);
 * they stand on the functions of snode/module.h.
 */
#ifndef SNODE_TREE_H
#define SNODE_TREE_H

#include <snode/declare.h>
#include <snode/types.h>

SN_BEGIN_DECLS

/* An instance of any tree; foo_grid * is one. */
typedef struct sn_tree sn_tree;

/* How a tree is created.  Start from SN_TREE_OPTIONS_INIT. */
typedef struct sn_tree_options {
  size_t size;                   /* of this struct */
  uint64_t memory_limit;         /* of this tree (snode/context.h); 0: the context's alone */
  uint64_t reserve;              /* as the context's option; 0: that one */
} sn_tree_options;
#define SN_TREE_OPTIONS_INIT { sizeof(sn_tree_options), 0, 0 }

/* Cells lo[k] .. hi[k] - 1 on axis k of a field, in its own order; entries
 * beyond its axes are not read.  Empty where hi[k] <= lo[k]. */
typedef struct sn_box {
  int64_t lo[SN_MAX_AXES], hi[SN_MAX_AXES];
} sn_box;

/* A stretch of memory: device 0 is the host, n + 1 OpenMP device n. */
typedef struct sn_span {
  void *data;
  size_t bytes;
  int device;
} sn_span;

/* Host memory; a source is only read, whence const. */
static inline sn_span sn_span_host(const void *data, size_t bytes)
{
  sn_span span;

  span.data = (void *)(uintptr_t)data;
  span.bytes = bytes;
  span.device = 0;
  return span;
}

/* What an SNode holds.
 *   pointer, hash      cells; chunks and bytes of a hash count its keys' too
 *   dynamic            pieces of memory: a list has one for its beginning, and one more for
 *                      each further chunk (how many cells it has: foo_list_length, _count)
 *   dense, bitmasked   active: cells in all its containers that are there, whether a bit is
 *                      set or not; bytes; the rest is 0
 * Bytes that lie in another SNode's cells are counted there. */
typedef struct sn_memory_info {
  const char *name;              /* the tree's, until it is destroyed */
  int64_t active;                /* in use */
  int64_t free;                  /* ready for use */
  int64_t recycled;              /* that await garbage collection */
  int64_t ever_allocated;        /* ever handed out for the first time */
  int64_t chunks;                /* of cells: allocations */
  int64_t bytes;                 /* of cells, lists and tables on the unit */
} sn_memory_info;

/* Where the indices of an SNode or a field are found in memory.  Start from SN_AXES_INIT.
 * Coordinates count cells from 0; those of a field begin `origin` before its indices. */
typedef struct sn_axis {
  int position;                  /* physical: of the axes that are divided from the root down to
                                    here, in the order of memory, outermost first: 0, 1, ..; axes
                                    of one SNode are ordered as named.  -1: it is not divided */
  int bits;                      /* of the SNode's own digit: the least that hold 0 .. extent - 1;
                                    64 where extent is 0 */
  int total_bits;                /* of a coordinate: the same of total */
  int64_t extent;                /* cells of one container along the axis; 1 where this SNode does
                                    not divide it, as a field never does; 0: any number (hash) */
  int64_t total;                 /* of all containers from the root down to here; 1: not divided;
                                    0: any number, here or above */
} sn_axis;

typedef struct sn_axes {
  size_t size;                   /* of this struct */
  int count;                     /* indices that calls on it take */
  int index[12];                 /* virtual: the axis of index k, for k below count: of an SNode in
                                    axis order, of a field in its own order; -1 beyond */
  int64_t origin[12];            /* where index k begins; 0 but for `offset` of a field */
  sn_axis axis[12];              /* by axis: 0 is i, 11 is t */
} sn_axes;
#define SN_AXES_INIT { sizeof(sn_axes), 0, { 0 }, { 0 }, { { 0, 0, 0, 0, 0 } } }

/* The map of the SNode or the field that has the name in the .sn file; of a field of vectors,
 * matrices or structs its own or an element's ("v", "v.x"): all are the same.  Index k of a
 * field lies at physical position axis[index[k]].position.  Nothing of it changes while the
 * tree lives.  SN_EINVAL: NULL, or no such name (a virtual field is in no memory); then *out is as
 * it was.  Threads: as the context's: one at a time. */
SN_API SN_NODISCARD int sn_tree_axes(sn_tree *, const char *name, sn_axes *out);

SN_END_DECLS

#endif
