/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations on one element in the unit's memory.
 *
 * For T in i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 (a bool is a u8), p a SND_GLB T *:
 *
 *   T    snd_load_T(p)               void snd_store_T(p, v)
 *   void snd_atomic_OP_T(p, v)       T    snd_fetch_OP_T(p, v)    the old value
 *   T    snd_exchange_T(p, v)        T    snd_compare_exchange_T(p, expected, desired)
 *        OP: add sub mul div min max; integers also mod and or xor shl shr (v of
 *        the shifts: int64_t)
 *
 * All of these are relaxed: the language orders nothing between iterations but
 * the value of the element itself, and the runtime's counters are read by others
 * only after the task.  Floats are compared by their bits.  What publishes memory
 * has its order in its name, and exists for u64 only:
 *
 *   snd_load_acquire_u64, snd_store_release_u64, snd_compare_exchange_acquire_u64,
 *   snd_compare_exchange_release_u64, snd_compare_exchange_acq_rel_u64 (acquire where it
 *   fails), snd_fetch_add_acquire_u64, snd_fetch_and_release_u64
 *
 * This is the only file that knows compilers apart.  Forms:
 *
 *   plain      SN_SERIAL: one thread, any compiler
 *   PTX        inline assembly: LLVM 19 has no acquire load for NVPTX and drops
 *              the order of its read-modify-writes without a word
 *   builtin    hosts and AMDGCN (there with the device's scope): clang's
 *              `omp atomic read acquire` is a call of 21 ns, the builtin 0.4 ns.
 *              SN_ACC too: OpenACC has neither compare-and-swap nor an order, and
 *              gcc takes its builtins in routines of devices
 *   reference  SND_ATOMIC_REFERENCE: plain OpenMP, hosts and the x86_64 image: what
 *              the other forms are tested against
 */
#ifndef SNODE_DEVICE_ATOMIC_H
#define SNODE_DEVICE_ATOMIC_H

#include <snode/device/arith.h>
#include <snode/device/platform.h>

/* Floats are accessed through the word that holds them. */
#if SND_HAS_BUILTINS
# define SND_MAY_ALIAS __attribute__((may_alias))
#else
# define SND_MAY_ALIAS
#endif
typedef SND_MAY_ALIAS uint8_t snd_word_u8;
typedef SND_MAY_ALIAS uint16_t snd_word_u16;
typedef SND_MAY_ALIAS uint32_t snd_word_u32;
typedef SND_MAY_ALIAS uint64_t snd_word_u64;

/* Where a GPU has no swaps of 8 and 16 bits: in the aligned word around them, whose low byte
 * comes first. */
#define SND_DEFINE_IN_WORD(T, C) \
  SND_INLINE C snd_compare_exchange_##T(SND_GLB snd_word_##T *p, C expected, C desired) \
  { \
    SND_GLB snd_word_u32 *word = (SND_GLB snd_word_u32 *)((uintptr_t)p & ~(uintptr_t)3); \
    const uint32_t shift = (uint32_t)((uintptr_t)p & 3) * 8; \
    const uint32_t mask = (uint32_t)(C)-1 << shift; \
    uint32_t old = snd_load_u32(word); \
    while ((C)(old >> shift) == expected) { \
      const uint32_t wanted = (old & ~mask) | (uint32_t)desired << shift; \
      const uint32_t seen = snd_compare_exchange_u32(word, old, wanted); \
      if (seen == old) break; \
      old = seen; \
    } \
    return (C)(old >> shift); \
  } \
  SND_INLINE C snd_exchange_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    C old = snd_load_##T(p); \
    for (;;) { \
      const C seen = snd_compare_exchange_##T(p, old, v); \
      if (seen == old) return old; \
      old = seen; \
    } \
  }

/* ---- each form defines, for its widths: load store exchange compare_exchange;
 * for u32 and u64 also fetch_add _and _or _xor; and the seven ordered ones ---- */

#if defined(SN_SERIAL)

#define SND_DEFINE_WIDTH(T, C) \
  SND_INLINE C snd_load_##T(const SND_GLB snd_word_##T *p) { return *p; } \
  SND_INLINE void snd_store_##T(SND_GLB snd_word_##T *p, C v) { *p = v; } \
  SND_INLINE C snd_exchange_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    const C old = *p; \
    *p = v; \
    return old; \
  } \
  SND_INLINE C snd_compare_exchange_##T(SND_GLB snd_word_##T *p, C expected, C desired) \
  { \
    const C old = *p; \
    if (old == expected) *p = desired; \
    return old; \
  }
#define SND_DEFINE_FETCH(T, C, OP, op) \
  SND_INLINE C snd_fetch_##OP##_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    const C old = *p; \
    *p = old op v; \
    return old; \
  }
#define SND_WIDTHS(X) X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)
#define SND_FETCHES(X, T, C) X(T, C, add, +) X(T, C, and, &) X(T, C, or, |) X(T, C, xor, ^)

SND_INLINE uint64_t snd_load_acquire_u64(const SND_GLB snd_word_u64 *p) { return *p; }
SND_INLINE void snd_store_release_u64(SND_GLB snd_word_u64 *p, uint64_t v) { *p = v; }
SND_INLINE uint64_t
snd_compare_exchange_acquire_u64(SND_GLB snd_word_u64 *p, uint64_t expected, uint64_t desired)
{
  const uint64_t old = *p;
  if (old == expected) *p = desired;
  return old;
}
SND_INLINE uint64_t
snd_compare_exchange_release_u64(SND_GLB snd_word_u64 *p, uint64_t expected, uint64_t desired)
{
  return snd_compare_exchange_acquire_u64(p, expected, desired);
}
SND_INLINE uint64_t
snd_compare_exchange_acq_rel_u64(SND_GLB snd_word_u64 *p, uint64_t expected, uint64_t desired)
{
  return snd_compare_exchange_acquire_u64(p, expected, desired);
}
SND_INLINE uint64_t snd_fetch_add_acquire_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  const uint64_t old = *p;
  *p = old + v;
  return old;
}
SND_INLINE uint64_t snd_fetch_and_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  const uint64_t old = *p;
  *p = old & v;
  return old;
}
SND_INLINE void snd_pause(void) {}

#elif defined(__NVPTX__)

#pragma omp begin assumes ext_spmd_amenable ext_no_call_asm no_openmp

/* T, C type, PTX size, register constraint, type of the register */
#define SND_DEFINE_ACCESS(T, C, size, r, R) \
  SND_INLINE C snd_load_##T(const SND_GLB snd_word_##T *p) \
  { \
    R v; \
    __asm__ volatile("ld.relaxed.gpu.global.u" size " %0,[%1];" : "=" r(v) : "l"(p) : "memory"); \
    return (C)v; \
  } \
  SND_INLINE void snd_store_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    __asm__ volatile("st.relaxed.gpu.global.u" size " [%0],%1;" ::"l"(p), r((R)v) : "memory"); \
  }
SND_DEFINE_ACCESS(u8, uint8_t, "8", "r", uint32_t)
SND_DEFINE_ACCESS(u16, uint16_t, "16", "r", uint32_t)
#undef SND_DEFINE_FETCH
#define SND_DEFINE_FETCH(NAME, C, W, r, text) \
  SND_INLINE C snd_fetch_##NAME(SND_GLB W *p, C v) \
  { \
    C old; \
    __asm__ volatile("atom.relaxed.gpu.global." text " %0,[%1],%2;" \
                     : "=" r(old) : "l"(p), r(v) : "memory"); \
    return old; \
  } \
  SND_INLINE void snd_atomic_##NAME(SND_GLB W *p, C v) \
  { \
    __asm__ volatile("red.relaxed.gpu.global." text " [%0],%1;" ::"l"(p), r(v) : "memory"); \
  }
#define SND_DEFINE_WIDE(T, C, S, S_C, size, r) \
  SND_DEFINE_ACCESS(T, C, size, r, C) \
  SND_INLINE C snd_exchange_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    C old; \
    __asm__ volatile("atom.relaxed.gpu.global.exch.b" size " %0,[%1],%2;" \
                     : "=" r(old) : "l"(p), r(v) : "memory"); \
    return old; \
  } \
  SND_INLINE C snd_compare_exchange_##T(SND_GLB snd_word_##T *p, C expected, C desired) \
  { \
    C old; \
    __asm__ volatile("atom.relaxed.gpu.global.cas.b" size " %0,[%1],%2,%3;" \
                     : "=" r(old) : "l"(p), r(expected), r(desired) : "memory"); \
    return old; \
  } \
  SND_DEFINE_FETCH(add_##T, C, snd_word_##T, r, "add.u" size) \
  SND_DEFINE_FETCH(and_##T, C, snd_word_##T, r, "and.b" size) \
  SND_DEFINE_FETCH(or_##T, C, snd_word_##T, r, "or.b" size) \
  SND_DEFINE_FETCH(xor_##T, C, snd_word_##T, r, "xor.b" size) \
  SND_DEFINE_FETCH(min_##T, C, snd_word_##T, r, "min.u" size) \
  SND_DEFINE_FETCH(max_##T, C, snd_word_##T, r, "max.u" size) \
  SND_DEFINE_FETCH(min_##S, S_C, S_C, r, "min.s" size) \
  SND_DEFINE_FETCH(max_##S, S_C, S_C, r, "max.s" size)
SND_DEFINE_WIDE(u32, uint32_t, i32, int32_t, "32", "r")
SND_DEFINE_WIDE(u64, uint64_t, i64, int64_t, "64", "l")
SND_DEFINE_FETCH(add_f32, float, float, "f", "add.f32")
SND_DEFINE_FETCH(add_f64, double, double, "d", "add.f64")

SND_INLINE uint64_t snd_load_acquire_u64(const SND_GLB snd_word_u64 *p)
{
  uint64_t v;
  __asm__ volatile("ld.acquire.gpu.global.u64 %0,[%1];" : "=l"(v) : "l"(p) : "memory");
  return v;
}
SND_INLINE void snd_store_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  __asm__ volatile("st.release.gpu.global.u64 [%0],%1;" ::"l"(p), "l"(v) : "memory");
}
#define SND_DEFINE_SWAP(order) \
  SND_INLINE uint64_t snd_compare_exchange_##order##_u64(SND_GLB snd_word_u64 *p, \
                                                         uint64_t expected, uint64_t desired) \
  { \
    uint64_t old; \
    __asm__ volatile("atom." #order ".gpu.global.cas.b64 %0,[%1],%2,%3;" \
                     : "=l"(old) : "l"(p), "l"(expected), "l"(desired) : "memory"); \
    return old; \
  }
SND_DEFINE_SWAP(acquire)
SND_DEFINE_SWAP(release)
SND_DEFINE_SWAP(acq_rel)
#undef SND_DEFINE_SWAP
SND_INLINE uint64_t snd_fetch_add_acquire_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  uint64_t old;
  __asm__ volatile("atom.acquire.gpu.global.add.u64 %0,[%1],%2;"
                   : "=l"(old) : "l"(p), "l"(v) : "memory");
  return old;
}
SND_INLINE uint64_t snd_fetch_and_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  uint64_t old;
  __asm__ volatile("atom.release.gpu.global.and.b64 %0,[%1],%2;"
                   : "=l"(old) : "l"(p), "l"(v) : "memory");
  return old;
}
SND_INLINE void snd_pause(void) { __nvvm_nanosleep(64); }

SND_DEFINE_IN_WORD(u8, uint8_t)
SND_DEFINE_IN_WORD(u16, uint16_t)
#undef SND_DEFINE_ACCESS
#undef SND_DEFINE_FETCH
#undef SND_DEFINE_WIDE

#pragma omp end assumes

#elif defined(SND_ATOMIC_REFERENCE) && !defined(__AMDGCN__) && !defined(SN_ACC)

#define SND_DEFINE_WIDTH(T, C) \
  SND_INLINE C snd_load_##T(const SND_GLB snd_word_##T *p) \
  { \
    C v; \
    SND_PRAGMA(omp atomic read) \
    v = *p; \
    return v; \
  } \
  SND_INLINE void snd_store_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    SND_PRAGMA(omp atomic write) \
    *p = v; \
    (void)v; /* gcc-12 overlooks uses in atomics */ \
  } \
  SND_INLINE C snd_exchange_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    C old; \
    SND_PRAGMA(omp atomic capture) \
    { old = *p; *p = v; } \
    (void)v; \
    return old; \
  } \
  SND_INLINE C snd_compare_exchange_##T(SND_GLB snd_word_##T *p, C expected, C desired) \
  { \
    C old; \
    SND_PRAGMA(omp atomic compare capture) \
    { old = *p; if (*p == expected) { *p = desired; } } \
    (void)desired; \
    return old; \
  }
#define SND_DEFINE_FETCH(T, C, OP, op) \
  SND_INLINE C snd_fetch_##OP##_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    C old; \
    SND_PRAGMA(omp atomic capture) \
    { old = *p; *p = *p op v; } \
    return old; \
  }
#define SND_WIDTHS(X) X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)
#define SND_FETCHES(X, T, C) X(T, C, add, +) X(T, C, and, &) X(T, C, or, |) X(T, C, xor, ^)

SND_INLINE uint64_t snd_load_acquire_u64(const SND_GLB snd_word_u64 *p)
{
  uint64_t v;
  SND_PRAGMA(omp atomic read acquire)
  v = *p;
  return v;
}
SND_INLINE void snd_store_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  SND_PRAGMA(omp atomic write release)
  *p = v;
  (void)v;
}
#define SND_DEFINE_SWAP(order) \
  SND_INLINE uint64_t snd_compare_exchange_##order##_u64(SND_GLB snd_word_u64 *p, \
                                                         uint64_t expected, uint64_t desired) \
  { \
    uint64_t old; \
    SND_PRAGMA(omp atomic compare capture order) \
    { old = *p; if (*p == expected) { *p = desired; } } \
    (void)desired; \
    return old; \
  }
SND_DEFINE_SWAP(acquire)
SND_DEFINE_SWAP(release)
SND_DEFINE_SWAP(acq_rel)
#undef SND_DEFINE_SWAP
SND_INLINE uint64_t snd_fetch_add_acquire_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  uint64_t old;
  SND_PRAGMA(omp atomic capture acquire)
  { old = *p; *p += v; }
  (void)v;
  return old;
}
SND_INLINE uint64_t snd_fetch_and_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  uint64_t old;
  SND_PRAGMA(omp atomic capture release)
  { old = *p; *p &= v; }
  (void)v;
  return old;
}
SND_INLINE void snd_pause(void) {}

#else /* builtin */

#if defined(__AMDGCN__)
# define SND_BUILTIN(op, ...) __scoped_atomic_##op(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)
#else
# define SND_BUILTIN(op, ...) __atomic_##op(__VA_ARGS__)
#endif

#define SND_DEFINE_ACCESS(T, C) \
  SND_INLINE C snd_load_##T(const SND_GLB snd_word_##T *p) \
  { \
    return SND_BUILTIN(load_n, p, __ATOMIC_RELAXED); \
  } \
  SND_INLINE void snd_store_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    SND_BUILTIN(store_n, p, v, __ATOMIC_RELAXED); \
  }
#define SND_DEFINE_WIDTH(T, C) \
  SND_DEFINE_ACCESS(T, C) \
  SND_INLINE C snd_exchange_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    return SND_BUILTIN(exchange_n, p, v, __ATOMIC_RELAXED); \
  } \
  SND_INLINE C snd_compare_exchange_##T(SND_GLB snd_word_##T *p, C expected, C desired) \
  { \
    SND_BUILTIN(compare_exchange_n, p, &expected, desired, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected; \
  }
#define SND_DEFINE_FETCH(T, C, OP, op) \
  SND_INLINE C snd_fetch_##OP##_##T(SND_GLB snd_word_##T *p, C v) \
  { \
    return SND_BUILTIN(fetch_##OP, p, v, __ATOMIC_RELAXED); \
  }
#ifdef SN_ACC                    /* nvptx: gcc would call libatomic, which links do not name */
# define SND_WIDTHS(X) X(u32, uint32_t) X(u64, uint64_t)
# define SND_WIDTHS_IN_WORD(X) X(u8, uint8_t) X(u16, uint16_t)
#else
# define SND_WIDTHS(X) X(u8, uint8_t) X(u16, uint16_t) X(u32, uint32_t) X(u64, uint64_t)
#endif
#define SND_FETCHES(X, T, C) X(T, C, add, +) X(T, C, and, &) X(T, C, or, |) X(T, C, xor, ^)

SND_INLINE uint64_t snd_load_acquire_u64(const SND_GLB snd_word_u64 *p)
{
  return SND_BUILTIN(load_n, p, __ATOMIC_ACQUIRE);
}
SND_INLINE void snd_store_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  SND_BUILTIN(store_n, p, v, __ATOMIC_RELEASE);
}
SND_INLINE uint64_t
snd_compare_exchange_acquire_u64(SND_GLB snd_word_u64 *p, uint64_t expected, uint64_t desired)
{
  SND_BUILTIN(compare_exchange_n, p, &expected, desired, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  return expected;
}
SND_INLINE uint64_t
snd_compare_exchange_release_u64(SND_GLB snd_word_u64 *p, uint64_t expected, uint64_t desired)
{
  SND_BUILTIN(compare_exchange_n, p, &expected, desired, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  return expected;
}
SND_INLINE uint64_t
snd_compare_exchange_acq_rel_u64(SND_GLB snd_word_u64 *p, uint64_t expected, uint64_t desired)
{
  SND_BUILTIN(compare_exchange_n, p, &expected, desired, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}
SND_INLINE uint64_t snd_fetch_add_acquire_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  return SND_BUILTIN(fetch_add, p, v, __ATOMIC_ACQUIRE);
}
SND_INLINE uint64_t snd_fetch_and_release_u64(SND_GLB snd_word_u64 *p, uint64_t v)
{
  return SND_BUILTIN(fetch_and, p, v, __ATOMIC_RELEASE);
}

#if defined(__AMDGCN__)
SND_INLINE void snd_pause(void) { __builtin_amdgcn_s_sleep(1); }
#elif (defined(__x86_64__) || defined(__i386__)) && !defined(SN_ACC)  /* devices have none */
SND_INLINE void snd_pause(void) { __builtin_ia32_pause(); }
#else
SND_INLINE void snd_pause(void) {}
#endif

#endif

#ifdef SND_WIDTHS
SND_WIDTHS(SND_DEFINE_WIDTH)
# ifdef SND_WIDTHS_IN_WORD
SND_WIDTHS_IN_WORD(SND_DEFINE_ACCESS)
SND_WIDTHS_IN_WORD(SND_DEFINE_IN_WORD)
#  undef SND_WIDTHS_IN_WORD
# endif
SND_FETCHES(SND_DEFINE_FETCH, u32, uint32_t)
SND_FETCHES(SND_DEFINE_FETCH, u64, uint64_t)
# undef SND_DEFINE_ACCESS
# undef SND_DEFINE_WIDTH
# undef SND_DEFINE_FETCH
# undef SND_FETCHES
# undef SND_WIDTHS
#endif
#undef SND_DEFINE_IN_WORD

/* ---- from here on the same for every form ---- */

/* Loads, stores and exchanges of the types that lie in a word of another one. */
#define SND_DEFINE_VIA(T, C, B, BC, to, from) \
  SND_INLINE C snd_load_##T(const SND_GLB C *p) \
  { \
    return from(snd_load_##B((const SND_GLB snd_word_##B *)p)); \
  } \
  SND_INLINE void snd_store_##T(SND_GLB C *p, C v) \
  { \
    snd_store_##B((SND_GLB snd_word_##B *)p, to(v)); \
  } \
  SND_INLINE C snd_exchange_##T(SND_GLB C *p, C v) \
  { \
    return from(snd_exchange_##B((SND_GLB snd_word_##B *)p, to(v))); \
  } \
  SND_INLINE C snd_compare_exchange_##T(SND_GLB C *p, C expected, C desired) \
  { \
    return from(snd_compare_exchange_##B((SND_GLB snd_word_##B *)p, to(expected), to(desired))); \
  }
SND_DEFINE_VIA(i8, int8_t, u8, uint8_t, (uint8_t), (int8_t))
SND_DEFINE_VIA(i16, int16_t, u16, uint16_t, (uint16_t), (int16_t))
SND_DEFINE_VIA(i32, int32_t, u32, uint32_t, (uint32_t), (int32_t))
SND_DEFINE_VIA(i64, int64_t, u64, uint64_t, (uint64_t), (int64_t))
SND_DEFINE_VIA(f16, sn_f16, u16, uint16_t, (uint16_t), (sn_f16))
SND_DEFINE_VIA(f32, float, u32, uint32_t, snd_bitcast_u32_f32, snd_bitcast_f32_u32)
SND_DEFINE_VIA(f64, double, u64, uint64_t, snd_bitcast_u64_f64, snd_bitcast_f64_u64)
#undef SND_DEFINE_VIA

/* Updates that no processor does for us: compare-and-swap loops on the word.
 * Nobody waits in them: a swap that fails means that another one has succeeded.
 * A value that would not change is left alone, which is what makes min and max
 * cheap once they have settled. */
#define SND_DEFINE_LOOP(OP, T, C, V, B, BC, to, from) \
  SND_INLINE C snd_fetch_##OP##_##T(SND_GLB C *p, V v) \
  { \
    SND_GLB snd_word_##B *const word = (SND_GLB snd_word_##B *)p; \
    BC old = snd_load_##B(word); \
    for (;;) { \
      const BC wanted = (BC)to(snd_##OP##_##T(from(old), v)); \
      BC seen; \
      if (wanted == old) break; \
      seen = snd_compare_exchange_##B(word, old, wanted); \
      if (seen == old) break; \
      old = seen; \
    } \
    return from(old); \
  }
#define SND_DEFINE_VOID(OP, T, C, V) \
  SND_INLINE void snd_atomic_##OP##_##T(SND_GLB C *p, V v) { (void)snd_fetch_##OP##_##T(p, v); }
#define SND_DEFINE_LOOPED(OP, T, C, V, B, BC, to, from) \
  SND_DEFINE_LOOP(OP, T, C, V, B, BC, to, from) \
  SND_DEFINE_VOID(OP, T, C, V)

#define SND_DEFINE_INTEGER(T, C, B, BC) \
  SND_DEFINE_LOOPED(mul, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(div, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(mod, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(shl, T, C, int64_t, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(shr, T, C, int64_t, B, BC, (BC), (C))
SND_DEFINE_INTEGER(i8, int8_t, u8, uint8_t)
SND_DEFINE_INTEGER(u8, uint8_t, u8, uint8_t)
SND_DEFINE_INTEGER(i16, int16_t, u16, uint16_t)
SND_DEFINE_INTEGER(u16, uint16_t, u16, uint16_t)
SND_DEFINE_INTEGER(i32, int32_t, u32, uint32_t)
SND_DEFINE_INTEGER(u32, uint32_t, u32, uint32_t)
SND_DEFINE_INTEGER(i64, int64_t, u64, uint64_t)
SND_DEFINE_INTEGER(u64, uint64_t, u64, uint64_t)
#undef SND_DEFINE_INTEGER

#define SND_DEFINE_NARROW(T, C, B, BC) \
  SND_DEFINE_LOOPED(add, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(sub, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(and, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(or, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(xor, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(min, T, C, C, B, BC, (BC), (C)) \
  SND_DEFINE_LOOPED(max, T, C, C, B, BC, (BC), (C))
SND_DEFINE_NARROW(i8, int8_t, u8, uint8_t)
SND_DEFINE_NARROW(u8, uint8_t, u8, uint8_t)
SND_DEFINE_NARROW(i16, int16_t, u16, uint16_t)
SND_DEFINE_NARROW(u16, uint16_t, u16, uint16_t)
#undef SND_DEFINE_NARROW

/* 32 and 64 bits.  x - v is x + (-v) and signed is unsigned in two's complement. */
#define SND_DEFINE_SIGNED(OP, T, C, B, BC) \
  SND_INLINE C snd_fetch_##OP##_##T(SND_GLB C *p, C v) \
  { \
    return (C)snd_fetch_##OP##_##B((SND_GLB snd_word_##B *)p, (BC)v); \
  } \
  SND_INLINE void snd_atomic_##OP##_##T(SND_GLB C *p, C v) \
  { \
    snd_atomic_##OP##_##B((SND_GLB snd_word_##B *)p, (BC)v); \
  }
#define SND_DEFINE_SUB(T, C) \
  SND_INLINE C snd_fetch_sub_##T(SND_GLB C *p, C v) \
  { \
    return snd_fetch_add_##T(p, snd_neg_##T(v)); \
  } \
  SND_INLINE void snd_atomic_sub_##T(SND_GLB C *p, C v) { snd_atomic_add_##T(p, snd_neg_##T(v)); }
#if defined(__NVPTX__)
# define SND_DEFINE_WIDE(S, S_C, U, U_C)
#else
# define SND_DEFINE_WIDE(S, S_C, U, U_C) \
  SND_DEFINE_VOID(add, U, U_C, U_C) \
  SND_DEFINE_VOID(and, U, U_C, U_C) \
  SND_DEFINE_VOID(or, U, U_C, U_C) \
  SND_DEFINE_VOID(xor, U, U_C, U_C) \
  SND_DEFINE_LOOPED(min, U, U_C, U_C, U, U_C, (U_C), (U_C)) \
  SND_DEFINE_LOOPED(max, U, U_C, U_C, U, U_C, (U_C), (U_C)) \
  SND_DEFINE_LOOPED(min, S, S_C, S_C, U, U_C, (U_C), (S_C)) \
  SND_DEFINE_LOOPED(max, S, S_C, S_C, U, U_C, (U_C), (S_C))
#endif
#define SND_DEFINE_PAIR(S, S_C, U, U_C) \
  SND_DEFINE_WIDE(S, S_C, U, U_C) \
  SND_DEFINE_SIGNED(add, S, S_C, U, U_C) \
  SND_DEFINE_SIGNED(and, S, S_C, U, U_C) \
  SND_DEFINE_SIGNED(or, S, S_C, U, U_C) \
  SND_DEFINE_SIGNED(xor, S, S_C, U, U_C) \
  SND_DEFINE_SUB(S, S_C) \
  SND_DEFINE_SUB(U, U_C)
SND_DEFINE_PAIR(i32, int32_t, u32, uint32_t)
SND_DEFINE_PAIR(i64, int64_t, u64, uint64_t)
#undef SND_DEFINE_PAIR
#undef SND_DEFINE_WIDE
#undef SND_DEFINE_SIGNED
#undef SND_DEFINE_SUB

#define SND_DEFINE_FLOAT(T, C, B, BC) \
  SND_DEFINE_LOOPED(mul, T, C, C, B, BC, snd_bitcast_##B##_##T, snd_bitcast_##T##_##B) \
  SND_DEFINE_LOOPED(div, T, C, C, B, BC, snd_bitcast_##B##_##T, snd_bitcast_##T##_##B) \
  SND_DEFINE_LOOPED(min, T, C, C, B, BC, snd_bitcast_##B##_##T, snd_bitcast_##T##_##B) \
  SND_DEFINE_LOOPED(max, T, C, C, B, BC, snd_bitcast_##B##_##T, snd_bitcast_##T##_##B)
SND_DEFINE_FLOAT(f32, float, u32, uint32_t)
SND_DEFINE_FLOAT(f64, double, u64, uint64_t)
#undef SND_DEFINE_FLOAT
#define SND_DEFINE_HALF(OP) \
  SND_DEFINE_LOOPED(OP, f16, sn_f16, sn_f16, u16, uint16_t, (uint16_t), (sn_f16))
SND_DEFINE_HALF(add)
SND_DEFINE_HALF(sub)
SND_DEFINE_HALF(mul)
SND_DEFINE_HALF(div)
SND_DEFINE_HALF(min)
SND_DEFINE_HALF(max)
#undef SND_DEFINE_HALF
#if !defined(__NVPTX__)
SND_DEFINE_LOOPED(add, f32, float, float, u32, uint32_t, snd_bitcast_u32_f32,
                  snd_bitcast_f32_u32)
SND_DEFINE_LOOPED(add, f64, double, double, u64, uint64_t, snd_bitcast_u64_f64,
                  snd_bitcast_f64_u64)
#endif
/* x - v and x + (-v) are the same in IEEE arithmetic. */
#define SND_DEFINE_FLOAT_SUB(T, C) \
  SND_INLINE C snd_fetch_sub_##T(SND_GLB C *p, C v) { return snd_fetch_add_##T(p, -v); } \
  SND_INLINE void snd_atomic_sub_##T(SND_GLB C *p, C v) { snd_atomic_add_##T(p, -v); }
SND_DEFINE_FLOAT_SUB(f32, float)
SND_DEFINE_FLOAT_SUB(f64, double)
#undef SND_DEFINE_FLOAT_SUB
#undef SND_DEFINE_LOOPED
#undef SND_DEFINE_LOOP
#undef SND_DEFINE_VOID

/* Stores 1 into a flag that many threads raise: looked at first, so that the line
 * stays shared between their caches once it is up.  Relaxed: read after the task. */
SND_INLINE void snd_raise(SND_GLB uint64_t *flag)
{
  if (snd_load_u64(flag) != 1) snd_store_u64(flag, 1);
}

#endif
