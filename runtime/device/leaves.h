/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over ranges, by the containers of the cells that they assign (hosts).
 *
 * A range-for that assigns a field at its own indices goes through the containers that the
 * box of its ranges meets, so that one walk serves all cells of a container.  They are
 * numbered row-major over the axes of the path; a thread makes one active when it comes to
 * it, as an assignment to one of its cells would.  The cells outside of the box are left
 * out by the loop's body.
 *
 *   SND_INLINE void fill_leaves_0(snd_thread *thread, const snd_leaves *leaves)
 *   {
 *     int64_t origin[SN_MAX_AXES];
 *     snd_block block;
 *
 *     while (snd_next_leaf(thread, leaves, origin, &block)) ...
 *   }
 *   SND_LOOP_LEAVES(fill_task_0, snd_blocks_of_range(..), fill_leaves_0, 0, GRID_CELL, 0, n, 0, m)
 */
#ifndef SNODE_DEVICE_LEAVES_H
#define SNODE_DEVICE_LEAVES_H

#include <snode/device/loop.h>
#include <snode/device/walk.h>

typedef struct snd_leaves {
  snd_blocks blocks;             /* of a container as of a struct-for's, without entries */
  const SND_GLB snd_tree_view *view;
  int32_t snode;
  int32_t slot;                  /* the tree's number in the launch, for an error */
  int32_t axes;                  /* of the path: of the arrays below, in axis order */
  int are_inside;                /* the box lies inside the extents, or is empty */
  int64_t lo[SN_MAX_AXES], hi[SN_MAX_AXES];      /* the box's cells: lo .. hi - 1 */
  int64_t extent[SN_MAX_AXES];                   /* cells of a container */
  int64_t first[SN_MAX_AXES], count[SN_MAX_AXES];        /* the containers that it meets */
} snd_leaves;

/* bounds: lo and hi of each axis of the SNode's path, in axis order, counting cells from 0.
 * The SNode is dense; no hash and no dynamic SNode is on its path. */
SND_INLINE snd_leaves snd_leaves_of(const SND_GLB snd_tree_view *view, int32_t snode, int32_t slot,
                                    const int64_t *bounds)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  int64_t containers = 1;
  snd_leaves leaves;

  leaves.view = view;
  leaves.snode = snode;
  leaves.slot = slot;
  leaves.axes = 0;
  leaves.are_inside = 1;
  for (uint32_t axes = node->path_axes; axes != 0; axes &= axes - 1) {
    const int32_t axis = snd_ctz(axes), k = leaves.axes++;
    const int64_t lo = bounds[2 * k], hi = bounds[2 * k + 1];
    const int64_t extent = node->own_axes >> axis & 1 ? node->extent[axis] : 1;

    leaves.lo[k] = lo;
    leaves.hi[k] = hi;
    leaves.extent[k] = extent;
    leaves.are_inside &= lo >= 0 && hi <= node->total[axis];
    leaves.first[k] = lo / extent;
    leaves.count[k] = hi > lo && leaves.are_inside ? (hi - 1) / extent - lo / extent + 1 : 0;
    containers *= leaves.count[k];
  }
  for (int32_t k = 0; k < leaves.axes; k++) leaves.are_inside |= leaves.hi[k] <= leaves.lo[k];
  leaves.blocks = snd_blocks_of_range((int64_t)node->cells);
  leaves.blocks.block_cells = snd_block_cells(containers, (int64_t)node->cells);
  leaves.blocks.per_container = snd_ceil_div(leaves.blocks.cells, leaves.blocks.block_cells);
  leaves.blocks.count = containers * leaves.blocks.per_container;
  leaves.blocks.grab =
    snd_grab(leaves.blocks.count, snd_min_i64(leaves.blocks.cells, leaves.blocks.block_cells));
  return leaves;
}

/* The coordinates of container `number`: of the cell that holds it, for the block's origin, on
 * the axes of the parent's path; of its first cell that is in the box. */
SND_INLINE void
snd_leaf_place(const snd_leaves *leaves, int64_t number, int64_t *origin, int64_t *cell)
{
  const SND_GLB snd_snode_view *node = &leaves->view->snode[leaves->snode];
  const uint32_t above = leaves->view->snode[node->parent].path_axes;
  uint32_t axes = node->path_axes;
  int64_t container[SN_MAX_AXES];
  int32_t at = 0;

  for (int32_t k = leaves->axes - 1; k >= 0; k--) {
    container[k] = leaves->first[k] + number % leaves->count[k];
    number /= leaves->count[k];
    cell[k] = snd_max_i64(container[k] * leaves->extent[k], leaves->lo[k]);
  }
  for (int32_t k = 0; k < leaves->axes; k++, axes &= axes - 1)
    if (above >> snd_ctz(axes) & 1) origin[at++] = container[k];
}

/* Of a large container only what the box meets, in whole words of a mask: as blocks are cut. */
SND_INLINE void snd_leaf_clip(const snd_leaves *leaves, const int64_t *cell, snd_block *block)
{
  const SND_GLB snd_snode_view *node = &leaves->view->snode[leaves->snode];
  uint32_t axes = node->path_axes;
  int64_t first = 0, last = 0;

  for (int32_t k = 0; k < leaves->axes; k++, axes &= axes - 1) {
    const int64_t extent = leaves->extent[k], begin = cell[k] - cell[k] % extent;
    if (!(node->own_axes >> snd_ctz(axes) & 1)) continue;
    first = first * extent + cell[k] % extent;
    last = last * extent + snd_min_i64(leaves->hi[k] - begin, extent) - 1;
  }
  block->first = snd_max_i64(block->first, first & ~INT64_C(63));
  block->last = snd_min_i64(block->last, (last | 63) + 1);
}

/* The container that holds the cell, made active; 0: no memory, which is noted in the launch. */
SND_INLINE sn_addr
snd_leaf_container(SND_GLB snd_launch *launch, const snd_leaves *leaves, const int64_t *cell)
{
  const SND_GLB snd_snode_view *node = &leaves->view->snode[leaves->snode];
  const snd_index index = snd_index_of_snode(node, (const SND_GLB int64_t *)cell);
  return snd_walk_container(leaves->view, leaves->snode, &index, SND_ACTIVATE, launch,
                            leaves->slot);
}

/* The next block for this thread; 0 when none is left.  origin: room for the block's. */
SND_INLINE int
snd_next_leaf(snd_thread *thread, const snd_leaves *leaves, int64_t *origin, snd_block *block)
{
  const int64_t per_container = leaves->blocks.per_container;
  int64_t cell[SN_MAX_AXES];

  while (snd_next_block(thread, block)) {
    snd_leaf_place(leaves, (thread->next - 1) / per_container, origin, cell);
    if (per_container > 1) snd_leaf_clip(leaves, cell, block);
    if (block->first >= block->last) continue;
    block->container = snd_leaf_container(thread->launch, leaves, cell);
    block->origin = (const SND_GLB int64_t *)origin;
    if (block->container != 0) return 1;
  }
  return 0;
}

/* A range-for whose box, given by its bounds, host threads go through by leaves where it lies
 * inside the extents; else, and on devices, it goes iteration by iteration. */
#define SND_LEAVES_HOST(name, blocks_of, by_leaves, slot, snode, ...) \
  SND_LOOP_HOST(name##_plain, name, blocks_of) \
  SND_FUNCTION void \
  name##_leaves(const snd_args *args, const snd_leaves *leaves, int number, int threads) \
  { \
    snd_thread thread = snd_host_thread(args, &leaves->blocks, number, threads); \
    by_leaves(&thread, leaves); \
  } \
  SND_FUNCTION int name##_host(const snd_args *args) \
  { \
    const snd_thread first = snd_host_thread(args, NULL, 0, 1), *thread = &first; \
    snd_blocks_share shares[SND_SHARES]; \
    snd_leaves leaves = \
      snd_leaves_of(SND_VIEW(thread, slot), snode, slot, (const int64_t[]){ __VA_ARGS__ }); \
    if (!leaves.are_inside) return name##_plain_host(args); \
    snd_share_out(&leaves.blocks, shares, snd_host_threads(args, leaves.blocks.count)); \
    SND_HOST_PARALLEL(args, leaves.blocks.count, name##_leaves, args, &leaves); \
    return SN_OK; \
  }

#define SND_LOOP_LEAVES(name, blocks_of, ...) \
  SND_LEAVES_HOST(name, blocks_of, __VA_ARGS__) \
  SND_LOOP_TARGET(name, blocks_of, SND_TEAM_THREADS, )
#define SND_LOOP_LEAVES_BY(threads, name, blocks_of, ...) \
  SND_LEAVES_HOST(name, blocks_of, __VA_ARGS__) \
  SND_LOOP_TARGET(name, blocks_of, threads, _OF(threads))

#endif
