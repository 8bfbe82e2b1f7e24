/* (being filled in) names, for T in i8 i16 i32 i64 u8 u16 u32 u64 f32 f64:
 *   integers: T snd_OP_T(T, T), OP: add sub mul div mod min max floordiv floormod pow; and or xor
 *             T snd_shl_T(T, int64_t), snd_shr_T(T, int64_t); T snd_OP_T(T): neg not abs sign sqr
 *             i32 snd_OP_T(T): popcount clz ctz -> T;  T snd_clamp_T(x, lo, hi)
 *   floats:   min max sign abs sqr rsqrt clamp mix(a, b, t) floordiv floormod mod; + - * / are C's
 *   casts:    TO snd_cast_TO_FROM(x): FROM f32 f64, TO an integer: saturates, NaN gives 0
 *             (all other casts: C's)
 *   bitcast:  snd_bitcast_TO_FROM(x): i32 u32 <-> f32, i64 u64 <-> f64 */
#ifndef SNODE_DEVICE_ARITH_H
#define SNODE_DEVICE_ARITH_H
#include <snode/device/platform.h>
#endif
