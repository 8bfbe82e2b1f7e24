/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: a thread folds its own iterations, then adds once.
 *
 *   void snd_reduce_OP_T(SND_GLB T *into, T value)
 *   OP: add mul min max, integers also and or xor;  T: i8 .. u64, f32, f64
 *
 * value starts at the operation's neutral element.  One atomic a thread; on
 * NVPTX one a warp, whose lanes must all arrive: call it after the loops, outside
 * any condition (`reduction` there costs ten times the code and a copy a launch).
 */
#ifndef SNODE_DEVICE_REDUCE_H
#define SNODE_DEVICE_REDUCE_H

#include <snode/device/atomic.h>
#include <snode/device/lanes.h>

#if SND_HAS_LANES
# define SND_DEFINE_REDUCE(OP, T, C, shuffle, B, to, from) \
  SND_INLINE void snd_reduce_##OP##_##T(SND_GLB C *into, C value) \
  { \
    for (int distance = 16; distance > 0; distance >>= 1) \
      value = snd_##OP##_##T(value, (C)from(shuffle((B)to(value), distance))); \
    if (snd_lane() == 0) snd_atomic_##OP##_##T(into, value); \
  }
#else
# define SND_DEFINE_REDUCE(OP, T, C, shuffle, B, to, from) \
  SND_INLINE void snd_reduce_##OP##_##T(SND_GLB C *into, C value) \
  { \
    snd_atomic_##OP##_##T(into, value); \
  }
#endif

#define SND_DEFINE_REDUCES(T, C, shuffle, B, to, from) \
  SND_DEFINE_REDUCE(add, T, C, shuffle, B, to, from) \
  SND_DEFINE_REDUCE(mul, T, C, shuffle, B, to, from) \
  SND_DEFINE_REDUCE(min, T, C, shuffle, B, to, from) \
  SND_DEFINE_REDUCE(max, T, C, shuffle, B, to, from)
#define SND_DEFINE_INTEGER(T, C, U, W, bits) \
  SND_DEFINE_REDUCES(T, C, SND_SHUFFLE_##bits, W, (W), (C)) \
  SND_DEFINE_REDUCE(and, T, C, SND_SHUFFLE_##bits, W, (W), (C)) \
  SND_DEFINE_REDUCE(or, T, C, SND_SHUFFLE_##bits, W, (W), (C)) \
  SND_DEFINE_REDUCE(xor, T, C, SND_SHUFFLE_##bits, W, (W), (C))
#define SND_SHUFFLE_8 snd_lane_below_32
#define SND_SHUFFLE_16 snd_lane_below_32
#define SND_SHUFFLE_32 snd_lane_below_32
#define SND_SHUFFLE_64 snd_lane_below

SND_INTEGER_TYPES(SND_DEFINE_INTEGER)
SND_DEFINE_REDUCES(f32, float, snd_lane_below_32, uint32_t, snd_bitcast_u32_f32,
                   snd_bitcast_f32_u32)
SND_DEFINE_REDUCES(f64, double, snd_lane_below, uint64_t, snd_bitcast_u64_f64,
                   snd_bitcast_f64_u64)

#undef SND_DEFINE_INTEGER
#undef SND_DEFINE_REDUCES
#undef SND_DEFINE_REDUCE
#undef SND_SHUFFLE_8
#undef SND_SHUFFLE_16
#undef SND_SHUFFLE_32
#undef SND_SHUFFLE_64

#endif
