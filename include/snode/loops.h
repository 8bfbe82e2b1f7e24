/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/loops.h: what the functions of foo_device.h stand on, for loops that a program writes
 * itself over a tree (snodegen --emit=device).
 *
 *   foo_grid_view view;
 *
 *   SN_TRY(foo_grid_device_begin(grid, SN_READ | SN_ACTIVATE, &view));
 *   #pragma omp parallel for
 *   for (int64_t k = 0; k < n; k++)
 *     foo_rho_add(view, at[k][0], at[k][1], 1.0f);
 *   SN_TRY(foo_grid_device_end(grid));
 *
 * Between the two calls the tree is open: all other calls that are given it are SN_ESTATE.  The
 * view is the same until the end, and means nothing behind it.
 */
#ifndef SNODE_LOOPS_H
#define SNODE_LOOPS_H

#include <snode/declare.h>
#include <snode/tree.h>
#include <snode/types.h>

SN_BEGIN_DECLS

/* What the loops do with the tree; one of them at least.  READ: they read, and write to cells that
 * are active, which each of the others allows too. */
enum { SN_READ = 1, SN_ACTIVATE = 2, SN_DEACTIVATE = 4 };

/* For which tree the header was generated, and whether the file that includes it is compiled for
 * devices. */
typedef struct sn_loops_type {
  const char *c_name;            /* "foo_grid" */
  uint64_t layout_hash;
  int has_devices;
} sn_loops_type;

typedef struct sn_loops {
  sn_addr tree, launch;          /* in the unit's memory */
  int32_t device;                /* of OpenMP; -1: the host */
  uint32_t uses;
} sn_loops;

/* The list of an SNode's containers, of a dynamic one of pieces of them. */
typedef struct sn_loops_list {
  int32_t snode;                 /* given */
  int32_t is_pieces;
  int64_t containers, cells;     /* the list's length; of each: cells of a hash: its keys */
} sn_loops_list;

/* Opens the tree: makes anew what has changed of the lists of these SNodes, and on a device memory
 * for cells.  SN_ESTATE: it is open already, or a tape is recording calls that use it.  SN_EDEVICE:
 * the tree is a device's, and the file has no code for devices.  SN_EABI: the header is of another
 * tree than the C file.  SN_ENOTSUP: the context belongs to an engine. */
SN_API SN_NODISCARD int sn_loops_begin(sn_tree *, const sn_loops_type *, int uses,
                                       sn_loops_list *lists, int count, sn_loops *out);
/* Closes it, after the loops: does what follows a task, garbage collection too where they may
 * deactivate, and gives the first error that one of their calls has met. */
SN_API SN_NODISCARD int sn_loops_end(sn_tree *);

SN_END_DECLS

#endif
