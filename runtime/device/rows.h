/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows: as many values as a row has cells, worked on at once by host threads.
 *
 * The values are vectors of the compiler (GNU C's vector extension, as gcc 12 and clang have it),
 * so arithmetic is written as on scalars, and the compiler splits what is wider than the
 * processor's registers.  What no operator does goes lane by lane, through the same function that
 * a single cell goes through: so a row gives what its cells would give, bit for bit.
 *
 *   snd_f32x8      eight f32
 *   a mask         as many integers, i8 to i64, each 0 or -1: which lanes are true
 *
 * Where SND_ROWS (platform.h) is 0 the loops over cells are compiled.
 */
#ifndef SNODE_DEVICE_ROWS_H
#define SNODE_DEVICE_ROWS_H

#include <snode/device/arith.h>
#include <snode/device/platform.h>

#if SND_ROWS

/* In memory lanes are aligned as one of them is, and belong to a struct. */
#define SND_ROW_TYPE(T, C, N) \
  typedef C snd_##T##x##N __attribute__((vector_size(sizeof(C) * N))); \
  typedef C snd_##T##x##N##_place \
      __attribute__((vector_size(sizeof(C) * N), aligned(sizeof(C)), may_alias)); \
  typedef union snd_##T##x##N##_parts { \
    snd_##T##x##N row; \
    snd_##T##_part part[(sizeof(C) * N - 1) / SND_ROW_BYTES + 1]; \
    snd_##T##_words words[(sizeof(C) * N - 1) / SND_ROW_BYTES + 1]; \
  } snd_##T##x##N##_parts;
#define SND_ROW_TYPES(T, C, W) \
  typedef C snd_##T##_part __attribute__((vector_size(SND_ROW_BYTES))); \
  typedef W snd_##T##_words __attribute__((vector_size(SND_ROW_BYTES))); \
  SND_ROW_TYPE(T, C, 4) SND_ROW_TYPE(T, C, 8) SND_ROW_TYPE(T, C, 16)

SND_ROW_TYPES(i8, int8_t, uint64_t)
SND_ROW_TYPES(u8, uint8_t, uint64_t)
SND_ROW_TYPES(i16, int16_t, uint64_t)
SND_ROW_TYPES(u16, uint16_t, uint64_t)
SND_ROW_TYPES(i32, int32_t, uint64_t)
SND_ROW_TYPES(u32, uint32_t, uint64_t)
SND_ROW_TYPES(i64, int64_t, uint32_t)
SND_ROW_TYPES(u64, uint64_t, uint32_t)
SND_ROW_TYPES(f32, float, uint64_t)
SND_ROW_TYPES(f64, double, uint32_t)

/* The integers as wide as a type. */
#define SND_ROW_BITS_OF_i8 i8
#define SND_ROW_BITS_OF_u8 i8
#define SND_ROW_BITS_OF_i16 i16
#define SND_ROW_BITS_OF_u16 i16
#define SND_ROW_BITS_OF_i32 i32
#define SND_ROW_BITS_OF_u32 i32
#define SND_ROW_BITS_OF_i64 i64
#define SND_ROW_BITS_OF_u64 i64
#define SND_ROW_BITS_OF_f32 i32
#define SND_ROW_BITS_OF_f64 i64

#define SND_ROW_PASTE(a, b, c) a##b##c
#define SND_ROW_NAME(T, N) SND_ROW_PASTE(snd_, T, x##N)
#define SND_ROW_PARTS_OF(T, N) SND_ROW_PASTE(snd_, T, x##N##_parts)

/* ---- rows in parts ----
 * gcc 12 adds and multiplies rows that are wider than a register part by part, but compares and
 * shifts them lane by lane: 110 instructions for a comparison of sixteen floats with AVX2, where
 * two of the processor's will do.  So that is written part by part for it.
 *
 *   SND_ROW_IN_PARTS(M, T, N, ...)   M_WHOLE(T, N, ...) where a register holds N lanes of T, else
 *                                    M_PARTS(EACH, id, T, N, ...): EACH(P, ...) is P(0, ...) and so
 *                                    on for each part, and the id makes names of locals
 *   snd_f32x8_parts                  .row, in memory the same as .part[0] ... and .words[0] ...
 *
 * A part is written as lanes and read as words of another size, which are taken for lanes then:
 * where lanes are read of a row that was put together lane by lane, its bits taken for another
 * type, gcc 12 may use a lane that it has removed (its pass fre), and ends with an internal error
 * (seed 22 of t/29-rows.t). */
#if SND_ROW_BYTES == 128
# define SND_ROW_IN_PARTS(M, T, N, ...) M##_WHOLE(T, N, __VA_ARGS__)
#else
# define SND_ROW_IN_PARTS(M, T, N, ...) \
   SND_ROW_IN_PARTS_OF(M, SND_ROW_BITS_OF_##T, N, __COUNTER__, T, N, __VA_ARGS__)
# define SND_ROW_IN_PARTS_OF(M, I, N, ...) SND_ROW_PASTE(SND_ROW_SPLIT_, I, x##N)(M, __VA_ARGS__)
# define SND_ROW_WHOLE(M, id, ...) M##_WHOLE(__VA_ARGS__)
# define SND_ROW_HALVES(M, ...) M##_PARTS(SND_ROW_EACH_OF_2, __VA_ARGS__)
# define SND_ROW_QUARTERS(M, ...) M##_PARTS(SND_ROW_EACH_OF_4, __VA_ARGS__)
# define SND_ROW_EIGHTHS(M, ...) M##_PARTS(SND_ROW_EACH_OF_8, __VA_ARGS__)
#endif
#define SND_ROW_EACH_OF_2(P, ...) P(0, __VA_ARGS__) P(1, __VA_ARGS__)
#define SND_ROW_EACH_OF_4(P, ...) \
  SND_ROW_EACH_OF_2(P, __VA_ARGS__) P(2, __VA_ARGS__) P(3, __VA_ARGS__)
#define SND_ROW_EACH_OF_8(P, ...) \
  SND_ROW_EACH_OF_4(P, __VA_ARGS__) \
  P(4, __VA_ARGS__) P(5, __VA_ARGS__) P(6, __VA_ARGS__) P(7, __VA_ARGS__)

/* By the bytes of a row; and how many lanes are in a part. */
#define SND_ROW_SPLIT_i8x4 SND_ROW_WHOLE
#define SND_ROW_SPLIT_i8x8 SND_ROW_WHOLE
#define SND_ROW_SPLIT_i8x16 SND_ROW_WHOLE
#define SND_ROW_SPLIT_i16x4 SND_ROW_WHOLE
#define SND_ROW_SPLIT_i16x8 SND_ROW_WHOLE
#define SND_ROW_SPLIT_i16x16 SND_ROW_SPLIT_32
#define SND_ROW_SPLIT_i32x4 SND_ROW_WHOLE
#define SND_ROW_SPLIT_i32x8 SND_ROW_SPLIT_32
#define SND_ROW_SPLIT_i32x16 SND_ROW_SPLIT_64
#define SND_ROW_SPLIT_i64x4 SND_ROW_SPLIT_32
#define SND_ROW_SPLIT_i64x8 SND_ROW_SPLIT_64
#define SND_ROW_SPLIT_i64x16 SND_ROW_SPLIT_128
#if SND_ROW_BYTES == 16
# define SND_ROW_SPLIT_32 SND_ROW_HALVES
# define SND_ROW_SPLIT_64 SND_ROW_QUARTERS
# define SND_ROW_SPLIT_128 SND_ROW_EIGHTHS
# define SND_ROW_IN_PART_i16 8
# define SND_ROW_IN_PART_i32 4
# define SND_ROW_IN_PART_i64 2
#elif SND_ROW_BYTES == 32
# define SND_ROW_SPLIT_32 SND_ROW_WHOLE
# define SND_ROW_SPLIT_64 SND_ROW_HALVES
# define SND_ROW_SPLIT_128 SND_ROW_QUARTERS
# define SND_ROW_IN_PART_i32 8
# define SND_ROW_IN_PART_i64 4
#elif SND_ROW_BYTES == 64
# define SND_ROW_SPLIT_32 SND_ROW_WHOLE
# define SND_ROW_SPLIT_64 SND_ROW_WHOLE
# define SND_ROW_SPLIT_128 SND_ROW_HALVES
# define SND_ROW_IN_PART_i64 8
#endif
#define SND_ROW_IN_PART_u16 SND_ROW_IN_PART_i16
#define SND_ROW_IN_PART_u32 SND_ROW_IN_PART_i32
#define SND_ROW_IN_PART_u64 SND_ROW_IN_PART_i64
#define SND_ROW_IN_PART_f32 SND_ROW_IN_PART_i32
#define SND_ROW_IN_PART_f64 SND_ROW_IN_PART_i64

/* ---- memory: cells that lie side by side ---- */

#define SND_ROW_LOAD(V, place) ((snd_##V)*(const SND_GLB snd_##V##_place *)&(place))
#define SND_ROW_STORE(V, place, value) (*(SND_GLB snd_##V##_place *)&(place) = (value))

#define SND_ROW_LOAD_SHARED(V, place) \
  ((snd_##V)*(const volatile SND_GLB snd_##V##_place *)&(place))
#define SND_ROW_STORE_SHARED(V, place, value) \
  (*(volatile SND_GLB snd_##V##_place *)&(place) = (value))

/* Lanes of two rows: 0 .. of the first one, then of the second. */
#define SND_ROW_JOIN(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
/* As their numbers: N lanes from `first` on, each `step` behind the one before. */
#define SND_ROW_LANES(N, first, step) SND_ROW_LIST_##N(SND_ROW_NTH, first, step)
#define SND_ROW_NTH(lane, first, step) (first) + (lane) * (step)

/* The same of rows of N lanes of T, from lane k of the first one on, 0 < k < N. */
#define SND_ROW_SHIFT(T, N, a, b, k) SND_ROW_IN_PARTS(SND_ROW_SHIFT, T, N, a, b, k)
#define SND_ROW_SHIFT_WHOLE(T, N, a, b, k) SND_ROW_JOIN(a, b, SND_ROW_LANES(N, k, 1))
#define SND_ROW_SHIFT_PARTS(EACH, id, T, N, a, b, k) \
  __extension__({ \
    const SND_ROW_PARTS_OF(T, N) snd_a_##id = { .row = (a) }, snd_b_##id = { .row = (b) }; \
    SND_ROW_PARTS_OF(T, N) snd_c_##id; \
    EACH(SND_ROW_SHIFT_PART, id, T, N, SND_ROW_IN_PART_##T, k) \
    snd_c_##id.row; \
  })
#define SND_ROW_SHIFT_PART(p, id, T, N, L, k) \
  snd_c_##id.part[p] = SND_ROW_SHIFTED_##L(SND_ROW_OF_TWO(id, T, N / L, p + (k) / L), \
                                           SND_ROW_OF_TWO(id, T, N / L, p + (k) / L + 1), (k) % L);
#define SND_ROW_OF_TWO(id, T, parts, p) \
  (snd_##T##_part)((p) < parts ? snd_a_##id.words[(p) % (parts)] : snd_b_##id.words[(p) % (parts)])
#define SND_ROW_SHIFTED_2(x, y, k) SND_ROW_JOIN(x, y, k, k + 1)
#define SND_ROW_SHIFTED_8(x, y, k) SND_ROW_JOIN(x, y, SND_ROW_LANES(8, k, 1))
#define SND_ROW_SHIFTED_16(x, y, k) SND_ROW_JOIN(x, y, SND_ROW_LANES(16, k, 1))
/* SSE2 has no such shift of bytes: two shuffles, by way of the last lane of x and the first of y,
 * which gcc does not find. */
#ifdef __SSSE3__
# define SND_ROW_SHIFTED_4(x, y, k) SND_ROW_JOIN(x, y, SND_ROW_LANES(4, k, 1))
#else
# define SND_ROW_SHIFTED_4(x, y, k) \
   ((k) == 1   ? SND_ROW_JOIN(x, SND_ROW_JOIN(x, y, 3, 3, 4, 4), 1, 2, 4, 6) \
    : (k) == 3 ? SND_ROW_JOIN(SND_ROW_JOIN(x, y, 3, 3, 4, 4), y, 0, 2, 5, 6) \
               : SND_ROW_JOIN(x, y, SND_ROW_LANES(4, k, 1)))
#endif

/* ---- making ---- */

/* The value in every lane: less 0 it is what it was, -0.0 too. */
#define SND_ROW_SPREAD(V, value) ((value) - (snd_##V){ 0 })

#define SND_ROW_FIRST_4 0, 1, 2, 3
#define SND_ROW_FIRST_8 SND_ROW_FIRST_4, 4, 5, 6, 7
#define SND_ROW_FIRST_16 SND_ROW_FIRST_8, 8, 9, 10, 11, 12, 13, 14, 15

/* first, first + 1 ... */
#define SND_ROW_COUNT(T, N, first) ((first) + (snd_##T##x##N){ SND_ROW_FIRST_##N })

#define SND_ROW_CONVERT(V, lanes) __builtin_convertvector(lanes, snd_##V)

/* Floats of type F to i32, as snd_cast_i32_F does it: what is outside, NaN too, is 0 while it is
 * converted.  The float lanes are a name. */
#define SND_ROW_TO_I32(F, N, a) \
  (SND_ROW_CONVERT(i32x##N, \
                   (snd_##F##x##N)((SND_ROW_NAME(SND_ROW_BITS_OF_##F, N))(a) & \
                                   (SND_ROW_IS(F, N, a, >=, -2147483648.0f) & \
                                    SND_ROW_IS(F, N, a, <, 2147483648.0f)))) | \
   (SND_ROW_MASK(i32, F, N, a, <, -2147483648.0f) & INT32_MIN) | \
   (SND_ROW_MASK(i32, F, N, a, >=, 2147483648.0f) & INT32_MAX))

/* ---- masks ---- */

/* Of a comparison of N lanes of T, or of one value with them: lanes of M. */
#define SND_ROW_MASK(M, T, N, a, sign, b) \
  SND_ROW_CONVERT(M##x##N, SND_ROW_IS(T, N, a, sign, b))
/* The same with as many integers as wide as they are. */
#define SND_ROW_IS(T, N, a, sign, b) SND_ROW_IN_PARTS(SND_ROW_IS, T, N, a, sign, b)
#define SND_ROW_IS_WHOLE(T, N, a, sign, b) ((a) sign (b))
#define SND_ROW_IS_PARTS(EACH, id, T, N, a, sign, b) \
  __extension__({ \
    const SND_ROW_PARTS_OF(T, N) snd_a_##id = { .row = SND_ROW_SPREAD(T##x##N, a) }, \
                              snd_b_##id = { .row = SND_ROW_SPREAD(T##x##N, b) }; \
    SND_ROW_PARTS_OF(SND_ROW_BITS_OF_##T, N) snd_is_##id; \
    EACH(SND_ROW_IS_PART, T, id, sign) \
    snd_is_##id.row; \
  })
#define SND_ROW_IS_PART(p, T, id, sign) \
  snd_is_##id.part[p] = (__typeof__(snd_is_##id.part[p])) \
      ((snd_##T##_part)snd_a_##id.words[p] sign (snd_##T##_part)snd_b_##id.words[p]);
#define SND_ROW_MASK_SPREAD(V, condition) \
  ((__typeof__((*(snd_##V *)0)[0]))(-(int32_t)(condition)) - (snd_##V){ 0 })

#define SND_ROW_BITS_4 1, 2, 4, 8
#define SND_ROW_BITS_8 SND_ROW_BITS_4, 16, 32, 64, 128
#define SND_ROW_BITS_16 SND_ROW_BITS_8, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768

/* Lane k is bit k: by shifts, bit k goes to the sign of lane k, which is in all bits then. */
#if SND_ROW_BITS_BY_SHIFTS
# define SND_ROW_MASK_OF_BITS(T, N, bits) \
   SND_ROW_CONVERT(T##x##N, \
                   (snd_i32x##N)((uint32_t)(bits) << \
                                 (31u - (snd_u32x##N){ SND_ROW_LANES(N, 0, 1) })) >> 31)
#else
# define SND_ROW_MASK_OF_BITS(T, N, bits) \
   SND_ROW_MASK(T, i32, N, (int32_t)(bits) & ((snd_i32x##N){ SND_ROW_BITS_##N }), !=, 0)
#endif

/* Whether a lane is true, of a mask of T. */
#define SND_ROW_ANY_4(T, mask) \
  __extension__({ \
    const snd_##T##x4 snd_4_ = (mask); \
    (snd_4_[0] | snd_4_[1] | snd_4_[2] | snd_4_[3]) != 0; \
  })
#define SND_ROW_ANY_8(T, mask) \
  __extension__({ \
    const snd_##T##x8 snd_8_ = (mask); \
    SND_ROW_ANY_4(T, __builtin_shufflevector(snd_8_, snd_8_, 0, 1, 2, 3) | \
                         __builtin_shufflevector(snd_8_, snd_8_, 4, 5, 6, 7)); \
  })
#define SND_ROW_ANY_16(T, mask) \
  __extension__({ \
    const snd_##T##x16 snd_16_ = (mask); \
    SND_ROW_ANY_8(T, __builtin_shufflevector(snd_16_, snd_16_, 0, 1, 2, 3, 4, 5, 6, 7) | \
                         __builtin_shufflevector(snd_16_, snd_16_, 8, 9, 10, 11, 12, 13, 14, 15)); \
  })

/* In each lane the first value where the mask is true, else the second.  The mask is a name. */
#define SND_ROW_SELECT(T, N, mask, then, other) \
  ((snd_##T##x##N)(SND_ROW_KEPT(T, N, mask, then) | SND_ROW_KEPT(T, N, ~(mask), other)))
#define SND_ROW_KEPT(T, N, mask, value) \
  ((SND_ROW_NAME(SND_ROW_BITS_OF_##T, N))(value) & \
   __builtin_convertvector(mask, SND_ROW_NAME(SND_ROW_BITS_OF_##T, N)))

/* A row of cells is stored as a whole: where the mask is false with what is there.  Only for cells
 * that no other thread stores to meanwhile.  The mask is a name. */
#define SND_ROW_STORE_WHERE(T, N, mask, place, value) \
  SND_ROW_STORE(T##x##N, place, \
                SND_ROW_SELECT(T, N, mask, value, SND_ROW_LOAD(T##x##N, place)))
#define SND_ROW_STORE_WHERE_SHARED(T, N, mask, place, value) \
  SND_ROW_STORE_SHARED(T##x##N, place, \
                       SND_ROW_SELECT(T, N, mask, value, SND_ROW_LOAD(T##x##N, place)))

/* ---- lane by lane ----
 * Written out: where a lane's number is a variable, clang works out the whole vector's value once
 * more for each lane. */

#define SND_ROW_LIST_4(M, ...) \
  M(0, __VA_ARGS__), M(1, __VA_ARGS__), M(2, __VA_ARGS__), M(3, __VA_ARGS__)
#define SND_ROW_LIST_8(M, ...) \
  SND_ROW_LIST_4(M, __VA_ARGS__), M(4, __VA_ARGS__), M(5, __VA_ARGS__), M(6, __VA_ARGS__), \
  M(7, __VA_ARGS__)
#define SND_ROW_LIST_16(M, ...) \
  SND_ROW_LIST_8(M, __VA_ARGS__), M(8, __VA_ARGS__), M(9, __VA_ARGS__), M(10, __VA_ARGS__), \
  M(11, __VA_ARGS__), M(12, __VA_ARGS__), M(13, __VA_ARGS__), M(14, __VA_ARGS__), \
  M(15, __VA_ARGS__)

/* Bits are counted in the type of what they are of, whatever that of the lanes. */
#define SND_ROW_CALL1(lane, V, function, a) \
  (__typeof__((*(snd_##V *)0)[0])) function((a)[lane])
#define SND_ROW_CALL2(lane, function, a, b) function((a)[lane], (b)[lane])
#define SND_ROW_CALL3(lane, function, a, b, c) function((a)[lane], (b)[lane], (c)[lane])

/* a, b, c: names, for they stand there once for each lane. */
#define SND_ROW_EACH1(V, N, function, a) \
  ((snd_##V){ SND_ROW_LIST_##N(SND_ROW_CALL1, V, function, a) })
#define SND_ROW_EACH2(V, N, function, a, b) \
  ((snd_##V){ SND_ROW_LIST_##N(SND_ROW_CALL2, function, a, b) })
#define SND_ROW_EACH3(V, N, function, a, b, c) \
  ((snd_##V){ SND_ROW_LIST_##N(SND_ROW_CALL3, function, a, b, c) })

/* ---- built-ins that operators do ----
 * With the bits of arith.h's functions, for NAN and -0 too.  Arguments are names. */

#define SND_ROW_MIN(T, N, a, b) SND_ROW_SELECT(T, N, SND_ROW_IS(T, N, b, <, a), b, a)
#define SND_ROW_MAX(T, N, a, b) SND_ROW_SELECT(T, N, SND_ROW_IS(T, N, b, >, a), b, a)
#define SND_ROW_FMIN(T, N, a, b) \
  SND_ROW_SELECT(T, N, SND_ROW_IS(T, N, b, <, a) | SND_ROW_IS(T, N, a, !=, a), b, a)
#define SND_ROW_FMAX(T, N, a, b) \
  SND_ROW_SELECT(T, N, SND_ROW_IS(T, N, b, >, a) | SND_ROW_IS(T, N, a, !=, a), b, a)
#define SND_ROW_FABS(T, N, a) \
  ((snd_##T##x##N)((SND_ROW_NAME(SND_ROW_BITS_OF_##T, N))(a) & SND_ROW_BUT_SIGN_##T))
#define SND_ROW_BUT_SIGN_f32 INT32_MAX
#define SND_ROW_BUT_SIGN_f64 INT64_MAX

/* Square roots are rounded correctly by every processor; sqrt() may set errno, and so is called
 * lane by lane. */
#if SND_ROW_ROOTS == 1
# define SND_ROW_SQRT(T, N, a) __builtin_elementwise_sqrt(a)
#elif SND_ROW_ROOTS >= 2
# define SND_ROW_SQRT(T, N, a) SND_ROW_SQRT_##T##x##N(a)
# define SND_ROW_SQRT_f32x4(a) __builtin_ia32_sqrtps(a)
# define SND_ROW_SQRT_f64x2(a) __builtin_ia32_sqrtpd(a)
# if SND_ROW_ROOTS == 3
#  define SND_ROW_SQRT_f32x8(a) __builtin_ia32_sqrtps256(a)
#  define SND_ROW_SQRT_f64x4(a) __builtin_ia32_sqrtpd256(a)
# else
#  define SND_ROW_SQRT_f32x8(a) SND_ROW_HALVES_8(SND_ROW_SQRT_f32x4, a)
#  define SND_ROW_SQRT_f64x4(a) SND_ROW_HALVES_4(SND_ROW_SQRT_f64x2, a)
# endif
# define SND_ROW_SQRT_f64x8(a) SND_ROW_HALVES_8(SND_ROW_SQRT_f64x4, a)
# define SND_ROW_SQRT_f32x16(a) SND_ROW_HALVES_16(SND_ROW_SQRT_f32x8, a)
# define SND_ROW_SQRT_f64x16(a) SND_ROW_HALVES_16(SND_ROW_SQRT_f64x8, a)
# define SND_ROW_HALVES_4(M, a) \
  SND_ROW_JOIN(M(SND_ROW_JOIN(a, a, 0, 1)), M(SND_ROW_JOIN(a, a, 2, 3)), SND_ROW_FIRST_4)
# define SND_ROW_HALVES_8(M, a) \
  SND_ROW_JOIN(M(SND_ROW_JOIN(a, a, 0, 1, 2, 3)), M(SND_ROW_JOIN(a, a, 4, 5, 6, 7)), \
               SND_ROW_FIRST_8)
# define SND_ROW_HALVES_16(M, a) \
  SND_ROW_JOIN(M(SND_ROW_JOIN(a, a, SND_ROW_FIRST_8)), \
               M(SND_ROW_JOIN(a, a, 8, 9, 10, 11, 12, 13, 14, 15)), SND_ROW_FIRST_16)
#else
# define SND_ROW_SQRT(T, N, a) SND_ROW_SQRT_OF_##T(N, a)
# define SND_ROW_SQRT_OF_f32(N, a) SND_ROW_EACH1(f32x##N, N, sqrtf, a)
# define SND_ROW_SQRT_OF_f64(N, a) SND_ROW_EACH1(f64x##N, N, sqrt, a)
#endif

/* ---- memory: a member of the cells from one on ----
 * HOW: OWN, or SHARED, where other threads may store to it or load it meanwhile. */

/* Of N cells, each of which is 1, 2, 3 or 4 values of T: the one in which the member begins.  The
 * cells are loaded as memory, vector after vector, and lanes are put together. */
#define SND_ROW_GET_1(T, N, HOW, cell, member) SND_ROW_PART_##HOW(T##x##N, cell, 0)
#define SND_ROW_GET_2(T, N, HOW, cell, member) \
  SND_ROW_OF_MEMBER(T, cell, member, \
                    SND_ROW_JOIN(SND_ROW_PART_##HOW(T##x##N, cell, 0), \
                                 SND_ROW_PART_##HOW(T##x##N, cell, 1), \
                                 SND_ROW_LANES(N, snd_word_, 2)))
#define SND_ROW_GET_3(T, N, HOW, cell, member) \
  SND_ROW_OF_MEMBER(T, cell, member, SND_ROW_PARTS_3(T, N, HOW, cell, 3))
#define SND_ROW_GET_4(T, N, HOW, cell, member) \
  SND_ROW_OF_MEMBER(T, cell, member, \
                    SND_ROW_MORE(T, N, HOW, cell, 4, 3, SND_ROW_PARTS_3(T, N, HOW, cell, 4)))

#define SND_ROW_PART_OWN(V, cell, part) \
  ((snd_##V)((const SND_GLB snd_##V##_place *)(const SND_GLB void *)(cell))[part])
#define SND_ROW_PART_SHARED(V, cell, part) \
  ((snd_##V)((const volatile SND_GLB snd_##V##_place *)(const SND_GLB void *)(cell))[part])

/* lanes, with the number of the word at which the member begins. */
#define SND_ROW_OF_MEMBER(T, cell, member, lanes) \
  __extension__({ \
    enum { snd_word_ = offsetof(__typeof__(*(cell)), member) / (sizeof(snd_##T##x4) / 4) }; \
    lanes; \
  })
/* What is taken of the vectors before `part`, and what is in that one; of the first three. */
#define SND_ROW_MORE(T, N, HOW, cell, words, part, taken) \
  SND_ROW_JOIN(taken, SND_ROW_PART_##HOW(T##x##N, cell, part), \
               SND_ROW_LIST_##N(SND_ROW_WORD, N, words, part))
#define SND_ROW_PARTS_3(T, N, HOW, cell, words) \
  SND_ROW_MORE(T, N, HOW, cell, words, 2, \
               SND_ROW_MORE(T, N, HOW, cell, words, 1, SND_ROW_PART_##HOW(T##x##N, cell, 0)))
/* Where a lane of it is, whose value is word number lane * words + snd_word_ in memory. */
#define SND_ROW_WORD(lane, N, words, part) \
  (lane) * (words) + snd_word_ >= ((part) + 1) * (N) ? 0 \
  : (lane) * (words) + snd_word_ >= (part) * (N) \
    ? (N) + (lane) * (words) + snd_word_ - (part) * (N) \
  : (part) == 1 ? (lane) * (words) + snd_word_ \
                : (lane)

/* The values are stored: in all of them, or where the mask is true. */
#define SND_ROW_PLACE_OWN(place) (place)
#define SND_ROW_PLACE_SHARED(place) (*(volatile SND_GLB __typeof__(place) *)&(place))
#define SND_ROW_PUT_ONE(lane, HOW, cells, member, value) \
  (void)(SND_ROW_PLACE_##HOW((cells)[lane].member) = \
             (__typeof__((cells)[lane].member))(value)[lane])
#define SND_ROW_PUT_IF(lane, HOW, mask, cells, member, value) \
  (void)((mask)[lane] ? SND_ROW_PUT_ONE(lane, HOW, cells, member, value) : (void)0)
#define SND_ROW_PUT(N, HOW, cells, member, value) \
  do { \
    __extension__ const __auto_type snd_put_ = (value); \
    SND_ROW_LIST_##N(SND_ROW_PUT_ONE, HOW, cells, member, snd_put_); \
  } while (0)
/* The mask is a name. */
#define SND_ROW_PUT_WHERE(N, HOW, mask, cells, member, value) \
  do { \
    __extension__ const __auto_type snd_put_ = (value); \
    SND_ROW_LIST_##N(SND_ROW_PUT_IF, HOW, mask, cells, member, snd_put_); \
  } while (0)
/* The same for lanes of T that are kept where it is false. */
#define SND_ROW_PUT_SELECT(T, N, HOW, mask, cells, member, value, kept) \
  do { \
    const snd_##T##x##N snd_both_ = SND_ROW_SELECT(T, N, mask, value, kept); \
    SND_ROW_PUT(N, HOW, cells, member, snd_both_); \
  } while (0)

/* Where the run ends that cell c is in: of so many cells of a row, of which c is number `digit` and
 * which ends at `end`. */
SND_INLINE int64_t snd_run_end(int64_t c, int64_t digit, int64_t lanes, int64_t end)
{
  return snd_min_i64(c - digit % lanes + lanes, end);
}

/* The cell of a row's part that has the index; one of the part's ends where that is beyond. The
 * part is begin <= c < end, and its first cell has index `first`, which is not negative. */
SND_INLINE int64_t snd_row_cell(int64_t begin, int64_t end, int64_t first, int64_t index)
{
  if (index <= first)
    return begin;
  return index - first < end - begin ? begin + (index - first) : end;
}

/* Of the cells from *c on and below `end`: whether so many make a run, of those from `least` on and
 * below `most`; and *next, behind what is worked on now. Runs but the first begin at a multiple of
 * their length, a power of two; the last goes back, so that it has that length: *c is where it
 * begins. Cells that are not of a run are worked on one by one. */
SND_INLINE int snd_next_run(int64_t *c, int64_t *next, int64_t least, int64_t most, int64_t lanes,
                            int64_t end)
{
  if (*c < least) {
    *next = snd_min_i64(least, end);
    return 0;
  }
  *next = (*c + lanes) & -lanes;
  if (*c + lanes < most)
    return 1;
  if (*c >= most || most - least < lanes) {
    *next = end;
    return 0;
  }
  *c = most - lanes;
  *next = most;
  return 1;
}

/* The lanes as one value, first to last. */
#define SND_ROW_COMBINE(C, N, function, lanes) \
  __extension__({ \
    const __typeof__(lanes) snd_a_ = (lanes); \
    C snd_all_ = snd_a_[0]; \
    for (int snd_lane_ = 1; snd_lane_ < N; snd_lane_++) /* once a leaf */ \
      snd_all_ = function(snd_all_, snd_a_[snd_lane_]); \
    snd_all_; \
  })
SND_INLINE float snd_row_add_f32(float a, float b) { return a + b; }
SND_INLINE double snd_row_add_f64(double a, double b) { return a + b; }
SND_INLINE float snd_row_mul_f32(float a, float b) { return a * b; }
SND_INLINE double snd_row_mul_f64(double a, double b) { return a * b; }

#endif
#endif
