/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over the cells of a box: of an SNode's list only the containers that it meets.
 *
 *   const snd_within within = snd_within_of(view, SNODE, 2, (const int64_t[]){ 0, n, 1, m });
 *   while (snd_next_block(thread, &block)) {
 *     if (!snd_within_meets(&within, &block))
 *       continue;
 *
 * Of a container that the box meets some cells may lie outside: the loop's body asks.
 */
#ifndef SNODE_DEVICE_WITHIN_H
#define SNODE_DEVICE_WITHIN_H

#include <snode/device/index.h>
#include <snode/device/loop.h>

typedef struct snd_within {
  int32_t axes;                  /* of the SNode's path */
  int32_t rank[SN_MAX_AXES];     /* of each, among the coordinates of an origin; -1: the box leaves
                                    no container out on it */
  int64_t first[SN_MAX_AXES], last[SN_MAX_AXES];   /* the origins of the containers that it meets */
} snd_within;

/* a / b towards the lesser whole number; b > 0. */
SND_INLINE int64_t snd_within_floor(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* bounds: lo and hi of each axis of the SNode's path, in axis order; its cells are lo .. hi - 1.
 * INT64_MIN and INT64_MAX leave an axis without a limit.  The SNode is not a hash, whose cells'
 * coordinates an origin does not tell.
 *
 * axes, the number of axes, is a constant of the caller's: loops over it are unrolled, and what is
 * told of each axis stays in a GPU's registers. */
SND_INLINE snd_within
snd_within_of(const SND_GLB snd_tree_view *view, int32_t snode, int32_t axes, const int64_t *bounds)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const uint32_t above = view->snode[node->parent].path_axes;
  uint32_t rest = node->path_axes;
  snd_within within;

  within.axes = axes;
  for (int32_t k = 0; k < axes; k++, rest &= rest - 1) {
    const int32_t axis = snd_ctz(rest);
    const int64_t extent = node->own_axes >> axis & 1 ? node->extent[axis] : 1;
    const int64_t lo = bounds[2 * k], hi = bounds[2 * k + 1];
    const int is_limit = (int)(above >> axis & 1) && (lo != INT64_MIN || hi != INT64_MAX);

    within.rank[k] = is_limit ? snd_axis_rank(above, axis) : -1;
    within.first[k] = snd_within_floor(lo, extent);
    within.last[k] = hi == INT64_MIN ? INT64_MIN : snd_within_floor(hi - 1, extent);
  }
  return within;
}

SND_INLINE int snd_within_meets(const snd_within *within, const snd_block *block)
{
  for (int32_t k = 0; k < within->axes; k++) {
    int64_t at;
    if (within->rank[k] < 0) continue;
    at = block->origin[within->rank[k]];
    if (at < within->first[k] || at > within->last[k]) return 0;
  }
  return 1;
}

#endif
