/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over the cells of a box: of an SNode's list only the containers that it meets.
 *
 *   const snd_within within = snd_within_of(view, SNODE, (const int64_t[]){ 0, n, 1, m });
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
  int32_t limits;                /* axes on which the box leaves containers out */
  int32_t rank[SN_MAX_AXES];     /* of such an axis, among the coordinates of an origin */
  int64_t first[SN_MAX_AXES], last[SN_MAX_AXES];   /* the origins of the containers that it meets */
} snd_within;

/* a / b towards the lesser whole number; b > 0. */
SND_INLINE int64_t snd_within_floor(int64_t a, int64_t b)
{
  return a / b - (a % b < 0);
}

/* bounds: lo and hi of each axis of the SNode's path, in axis order; its cells are lo .. hi - 1.
 * INT64_MIN and INT64_MAX leave an axis without a limit.  The SNode is not a hash, whose cells'
 * coordinates an origin does not tell. */
SND_INLINE snd_within
snd_within_of(const SND_GLB snd_tree_view *view, int32_t snode, const int64_t *bounds)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const uint32_t above = view->snode[node->parent].path_axes;
  snd_within within;

  within.limits = 0;
  for (uint32_t axes = node->path_axes; axes != 0; axes &= axes - 1, bounds += 2) {
    const int32_t axis = snd_ctz(axes), k = within.limits;
    const int64_t extent = node->own_axes >> axis & 1 ? node->extent[axis] : 1;

    if (!(above >> axis & 1) || (bounds[0] == INT64_MIN && bounds[1] == INT64_MAX)) continue;
    within.rank[k] = snd_axis_rank(above, axis);
    within.first[k] = snd_within_floor(bounds[0], extent);
    within.last[k] = bounds[1] == INT64_MIN ? INT64_MIN : snd_within_floor(bounds[1] - 1, extent);
    within.limits++;
  }
  return within;
}

SND_INLINE int snd_within_meets(const snd_within *within, const snd_block *block)
{
  for (int32_t k = 0; k < within->limits; k++) {
    const int64_t at = block->origin[within->rank[k]];
    if (at < within->first[k] || at > within->last[k]) return 0;
  }
  return 1;
}

#endif
