/* SPDX-License-Identifier: BSD-3-Clause */
/* Lanes of a warp (NVPTX): electing one of several, and sums over all.
 *
 * Without SND_HAS_LANES a lane is alone: the functions do not exist, and callers have the
 * plain form beside them.
 */
#ifndef SNODE_DEVICE_LANES_H
#define SNODE_DEVICE_LANES_H

#include <snode/device/platform.h>

#if SND_HAS_LANES
#pragma omp begin assumes ext_spmd_amenable ext_no_call_asm no_openmp

SND_INLINE uint32_t snd_lane(void) { return (uint32_t)__nvvm_read_ptx_sreg_laneid(); }

/* The lanes that run together with this one and have the same key. */
SND_INLINE uint32_t snd_lanes_alike(uint64_t key)
{
  return (uint32_t)__nvvm_match_any_sync_i64((unsigned)__nvvm_activemask(), (long long)key);
}

/* What `lane` holds in v; all lanes of `lanes` must arrive. */
SND_INLINE uint64_t snd_lane_value(uint32_t lanes, uint32_t lane, uint64_t v)
{
  const uint32_t low =
    (uint32_t)__nvvm_shfl_sync_idx_i32(lanes, (int)(uint32_t)v, (int)lane, 31);
  const uint32_t high =
    (uint32_t)__nvvm_shfl_sync_idx_i32(lanes, (int)(uint32_t)(v >> 32), (int)lane, 31);
  return (uint64_t)high << 32 | low;
}

/* What the lane `distance` further on holds; all 32 must arrive. */
SND_INLINE uint64_t snd_lane_below(uint64_t v, int distance)
{
  const uint32_t low =
    (uint32_t)__nvvm_shfl_sync_down_i32(~0u, (int)(uint32_t)v, distance, 31);
  const uint32_t high =
    (uint32_t)__nvvm_shfl_sync_down_i32(~0u, (int)(uint32_t)(v >> 32), distance, 31);
  return (uint64_t)high << 32 | low;
}

SND_INLINE uint32_t snd_lane_below_32(uint32_t v, int distance)
{
  return (uint32_t)__nvvm_shfl_sync_down_i32(~0u, (int)v, distance, 31);
}

#pragma omp end assumes
#endif

#endif
