/* (being filled in) names, for T in i8 i16 i32 i64 u8 u16 u32 u64 f32 f64; a bool is a u8:
 *   T    snd_load_T(p), void snd_store_T(p, v)                 relaxed
 *   void snd_atomic_OP_T(p, v)     OP: add sub mul div mod min max and or xor shl shr (mod and or xor shl shr: integers)
 *   T    snd_fetch_OP_T(p, v)      the same, giving the old value
 *   T    snd_exchange_T(p, v), snd_compare_exchange_T(p, expected, desired): the old value
 * p: (SND_GLB T *); shl and shr: v is int64_t (the count, taken modulo the width). */
#ifndef SNODE_DEVICE_ATOMIC_H
#define SNODE_DEVICE_ATOMIC_H
#include <snode/device/arith.h>
#endif
