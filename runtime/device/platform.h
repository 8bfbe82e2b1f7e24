/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs between the compilers and processors that compile these headers.
 *
 * A generated file is compiled for host threads (OpenMP), for one thread
 * (SN_SERIAL, any C11 compiler), with SN_OFFLOAD once more for each device, or with
 * SN_ACC for the devices of OpenACC and one thread of the host (gcc).
 * Only this file and atomic.h look at the macros that compilers predefine.
 *
 *   SND_HAS_THREADS   1: tasks on the host take threads, OpenMP's
 *   SND_HAS_DEVICES   1: tasks have their forms for devices (region.h)
 *   SND_ON_DEVICE   1 while compiling for a GPU.  The x86_64 device image cannot
 *                   be told from the host by the preprocessor: what must differ
 *                   there is decided by data (snd_arena.take is 0, ...)
 *   SND_GLB         the global address space, on pointers to trees, lists and
 *                   launch records: loads through generic pointers are slower,
 *                   and 64-bit atomics through them grow a shared-memory loop
 *   SND_INLINE      inlined always, but on a host without optimization: a call costs a stack
 *                   and team state on a GPU, and a reduction's accumulator must stay in a register
 *   SND_HAS_LANES, SND_HAS_BUILTINS   0 or 1
 *   SND_FUNCTION    what the host calls through a table
 *   SND_COLD        out of line on hosts: slow paths, that should not fill the fast
 *                   ones' cache lines, and what is written once for all trees, that
 *                   every generated file has to compile; inlined on GPUs
 *   SND_APART       out of line on GPUs too: what is rare, and so large that a kernel with many
 *                   such calls would be made of it.  It takes and gives values, no address of the
 *                   caller's, whose variables then stay in registers
 */
#ifndef SNODE_DEVICE_PLATFORM_H
#define SNODE_DEVICE_PLATFORM_H

#if !defined(_OPENMP) && !defined(SN_SERIAL) && !defined(SN_ACC)
# error "compile generated files with -fopenmp, or with -DSN_SERIAL for one thread"
#endif
#if defined(SN_ACC) && !defined(_OPENACC)
# error "compile files for OpenACC with -fopenacc, or without -DSN_ACC those for --target=omp"
#endif
#if defined(SN_SERIAL) + defined(SN_OFFLOAD) + defined(SN_ACC) > 1
# error "SN_SERIAL, SN_OFFLOAD and SN_ACC exclude each other"
#endif

#if defined(SN_SERIAL) || defined(SN_ACC)
# define SND_HAS_THREADS 0
#else
# define SND_HAS_THREADS 1
#endif
#if defined(SN_OFFLOAD) || defined(SN_ACC)
# define SND_HAS_DEVICES 1
#else
# define SND_HAS_DEVICES 0
#endif

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#if SND_HAS_THREADS
# include <omp.h>
#elif defined(SN_ACC)
# include <openacc.h>
#endif

#include <snode/device/abi.h>
#include <snode/error.h>

/* The GPU macros first: clang defines __x86_64__ too in its AMDGCN pass. */
#if defined(__NVPTX__) || defined(__AMDGCN__)
# define SND_ON_DEVICE 1
# define SND_GLB __attribute__((address_space(1)))
#else
# define SND_ON_DEVICE 0
# define SND_GLB
#endif

/* Lanes of a warp can talk to each other (lanes.h). */
#if defined(__NVPTX__)
# define SND_HAS_LANES 1
#else
# define SND_HAS_LANES 0
#endif

/* The builtins of gcc and clang; tcc has neither. */
#if defined(__GNUC__) && !defined(__TINYC__)
# define SND_HAS_BUILTINS 1
#else
# define SND_HAS_BUILTINS 0
#endif

#define SND_PRAGMA_(...) _Pragma(#__VA_ARGS__)

/* Functions that are inlined (SND_INLINE), and those that are so seldom called that they are not
 * (SND_COLD).  Without optimization the host inlines nothing: the same functions inlined in each
 * place take up to three times as long to compile, and gcc leaves out only inline functions that
 * nothing calls.  gcc knows no routine of OpenACC that is marked unused before; and on a device
 * other than the host there is no function that is neither inlined nor a routine. */
#if SND_ON_DEVICE
# define SND_INLINE static inline __attribute__((always_inline, unused))
# define SND_COLD static inline __attribute__((always_inline, unused))
# define SND_APART static __attribute__((noinline, unused))
#elif defined(SN_ACC) && (defined(__OPTIMIZE__) || !defined(SND_DEVICE_IS_HOST))
# define SND_INLINE static inline __attribute__((always_inline, unused))
# define SND_COLD SND_PRAGMA_(acc routine seq) static inline
#elif defined(SN_ACC)
# define SND_INLINE static inline __attribute__((unused))
# define SND_COLD SND_PRAGMA_(acc routine seq) static inline
#elif SND_HAS_BUILTINS && defined(__OPTIMIZE__)
# define SND_INLINE static inline __attribute__((always_inline, unused))
# define SND_COLD static __attribute__((noinline, unused))
#elif SND_HAS_BUILTINS
# define SND_INLINE static inline __attribute__((unused))
# define SND_COLD static inline __attribute__((unused))
#else
# define SND_INLINE static inline
# define SND_COLD static inline
#endif
#if !SND_ON_DEVICE || defined(SN_ACC)
# define SND_APART SND_COLD
#endif

/* A function of the host's own: a task's two forms, the backend's. */
#if SND_HAS_BUILTINS && defined(__OPTIMIZE__)
# define SND_FUNCTION static __attribute__((unused))
#elif SND_HAS_BUILTINS
# define SND_FUNCTION static inline __attribute__((unused))
#else
# define SND_FUNCTION static inline
#endif

/* Whether memory is set and copied by the C library, which no GPU has.  gcc's preprocessor sees
 * the host only, whatever device the code is for: who compiles for no other device than the host
 * (-foffload=disable) may say so, by -DSND_DEVICE_IS_HOST, as the tests do.  With the reference
 * form of the atomics hosts do as GPUs do here: so that form of fill.h is tested without one. */
#if SND_ON_DEVICE || defined(SND_ATOMIC_REFERENCE) || \
    (SND_HAS_DEVICES && !defined(__clang__) && !defined(SND_DEVICE_IS_HOST))
# define SND_LIBRARY_FILLS 0
#else
# define SND_LIBRARY_FILLS 1
#endif

/* A name that the files of a program share, and nothing outside of it. */
#if SND_HAS_BUILTINS
# define SND_OF_PROGRAM __attribute__((visibility("hidden")))
#else
# define SND_OF_PROGRAM
#endif

#if SND_HAS_BUILTINS
# define SND_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
# define SND_UNLIKELY(x) (x)
#endif

/* The line at an address, soon to be written, is asked for; nothing is read. */
#if SND_HAS_BUILTINS && !SND_ON_DEVICE
# define SND_WILL_WRITE(address) __builtin_prefetch((const void *)(uintptr_t)(address), 1)
#else
# define SND_WILL_WRITE(address) ((void)(address))
#endif

/* The line at an address, soon to be read, is asked for, if it can be read at all. */
#if SND_HAS_BUILTINS && !SND_ON_DEVICE
# define SND_WILL_READ(address) __builtin_prefetch((const void *)(uintptr_t)(address))
#else
# define SND_WILL_READ(address) ((void)(address))
#endif

/* One of OpenMP's. */
#if SND_HAS_THREADS
# define SND_PRAGMA(...) SND_PRAGMA_(__VA_ARGS__)
#else
# define SND_PRAGMA(...)
#endif

/* Before a loop whose iterations neither wait for nor synchronise with each other:
 * gcc vectorises it at -O2 only when told (2.5 times as fast); clang does so by
 * itself, and warns where it was told and cannot. */
#if defined(__GNUC__) && !defined(__clang__)
# define SND_HOST_SIMD SND_PRAGMA(omp simd)
#else
# define SND_HOST_SIMD
#endif

/* Before such a loop that reads what was staged, side by side: clang must be told, since a masked
 * store seems too dear to it (examples/brain, staged: 5.5 for 7.8 ns a voxel), and need not warn;
 * gcc is better not told (conv27: 5.8 for 8.1 ns a cell). */
#ifdef __clang__
# define SND_HOST_SIMD_NEAR \
    SND_PRAGMA(clang diagnostic ignored "-Wpass-failed") SND_PRAGMA(omp simd)
#else
# define SND_HOST_SIMD_NEAR
#endif

/* At the beginning of a function: its products and sums are not fused, whatever the rest
 * of the file is compiled with; gcc fuses none under -std=c11 and knows no pragma. */
#if defined(__clang__)
# define SND_NO_CONTRACTION _Pragma("STDC FP_CONTRACT OFF")
#else
# define SND_NO_CONTRACTION
#endif

/* Whether rows of cells are worked on as vectors (rows.h), by host threads: the compiler has GNU
 * C's vectors and can shuffle and convert them, as gcc 12 and clang do, and the processor keeps the
 * low byte first (parts of wider words are taken by shifts).  Not with OpenACC, where gcc compiles
 * one text for both sides, and at -O0 finds no device's form of what the host alone calls. */
#if SND_ON_DEVICE || defined(SN_ACC)
# undef SND_ROWS
# define SND_ROWS 0
#endif
#ifndef SND_ROWS
# if defined(__has_builtin) && defined(__GNUC__)
#  if __has_builtin(__builtin_shufflevector) && __has_builtin(__builtin_convertvector) && \
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_POINTER__ == 8
#   define SND_ROWS 1
#  endif
# endif
#endif
#ifndef SND_ROWS
# define SND_ROWS 0
#endif

/* How many bytes of a row are worked on at once by what the compiler does badly with more: as many
 * as a register of the processor has.  clang needs no such help. */
#ifdef __clang__
# define SND_ROW_BYTES 128
#elif defined(__AVX512F__)
# define SND_ROW_BYTES 64
#elif defined(__AVX2__)
# define SND_ROW_BYTES 32
#else
# define SND_ROW_BYTES 16
#endif

/* Whether bits become a mask by shifts of each lane by a number of its own, which AVX2 has: gcc
 * compares vectors worse than it shifts them. */
#if defined(__AVX2__) && !defined(__clang__)
# define SND_ROW_BITS_BY_SHIFTS 1
#else
# define SND_ROW_BITS_BY_SHIFTS 0
#endif

/* Who takes the square roots of a vector: the compiler's own operation on vectors (1), a
 * processor's instruction for 16 bytes (2), or for 32 (3); 0: sqrt() of each lane. */
#ifdef __clang__
# if __has_builtin(__builtin_elementwise_sqrt)
#  define SND_ROW_ROOTS 1
# endif
#elif defined(__AVX__)
# define SND_ROW_ROOTS 3
#elif defined(__SSE2__)
# define SND_ROW_ROOTS 2
#endif
#ifndef SND_ROW_ROOTS
# define SND_ROW_ROOTS 0
#endif

/* The loop over rows that follows is written out, all n turns of it: then the containers that rows
 * are read from, and where in them, are numbers. */
#ifdef __clang__
# define SND_ROW_UNROLL(n) SND_PRAGMA_(clang loop unroll_count(n))
#else
# define SND_ROW_UNROLL(n) SND_PRAGMA_(GCC unroll n)
#endif

/* Rows that other threads may store into, or load, meanwhile, or into members beside theirs, which
 * are loaded with them and left.  A lane is an element at its own alignment, and processors move
 * such a one whole, as a part of a vector too; volatile keeps the compiler from loading it a second
 * time.  C knows no such access, so for the thread sanitizer, which would call it a race, cells are
 * loaded one by one. */
#ifndef SND_ROWS_SHARED
# if defined(__SANITIZE_THREAD__)
#  define SND_ROWS_SHARED 0
# elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#   define SND_ROWS_SHARED 0
#  endif
# endif
#endif
#ifndef SND_ROWS_SHARED
# define SND_ROWS_SHARED SND_ROWS
#endif

/* An address of the ABI as a pointer to T in the unit's memory. */
#define SND_POINTER(T, address) ((SND_GLB T *)(uintptr_t)(address))
/* The same to a constant T: a tree's view, ambient cells, list entries. */
#define SND_CONST_POINTER(T, address) ((const SND_GLB T *)(uintptr_t)(address))
/* What snd_pointer_read, _peek and _activate give, as a cell. */
#define SND_CELL(T, address) SND_POINTER(T, address)
/* A device address, unqualified: what a target region captures. */
#define SND_DEVICE_POINTER(address) ((void *)(uintptr_t)(address))

/* The compiler must take x for changed here: it keeps the shape of loops that
 * wait (LLVM moves the critical section of a done-loop behind the loop, which
 * is a deadlock between lanes without independent scheduling). */
#if defined(__NVPTX__)
# define SND_OPAQUE(x) __asm__ volatile("" : "+r"(x))
#elif defined(__AMDGCN__)
# define SND_OPAQUE(x) __asm__ volatile("" : "+v"(x))
#elif SND_HAS_BUILTINS
# define SND_OPAQUE(x) __asm__ volatile("" : "+r"(x))
#else
# define SND_OPAQUE(x) ((void)(x))
#endif

#endif
