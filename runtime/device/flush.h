/* SPDX-License-Identifier: BSD-3-Clause */
/* Denormal numbers as zeros while a task of the host runs (snd_args.flush; the option
 * flush_denormals).
 *
 *   SND_CAN_FLUSH             1 where the processor and the compiler are known here
 *   SND_IN_MODE(args, call)   does the call in the mode that the task asks for, in this thread
 *
 * Many processors take some hundred cycles for an operation whose operand or result is denormal.
 * A thread has the mode in a register of its own, so each thread of a task sets it and puts it back
 * as it was: a program that calls a kernel, and OpenMP's threads in regions of others, compute as
 * before.  What a task reads and writes is in memory, and the instructions that change the register
 * are barriers for the compiler: so no operation of the task is done outside of the mode.
 *
 *   x86_64   MXCSR: bit 15 (FTZ), a result that would be denormal is 0; bit 6 (DAZ), so is an
 *            operand.  The x87's registers have no such mode, and nothing here computes in them.
 *   AArch64  FPCR: bit 24 (FZ), both, of f32 and f64.
 */
#ifndef SNODE_DEVICE_FLUSH_H
#define SNODE_DEVICE_FLUSH_H

#include <snode/device/platform.h>

#if !SND_ON_DEVICE && SND_HAS_BUILTINS && defined(__x86_64__)

# define SND_CAN_FLUSH 1
typedef uint32_t snd_float_mode;
# define SND_FLUSHING 0x8040u

SND_INLINE snd_float_mode snd_float_mode_get(void)
{
  snd_float_mode mode;
  __asm__ volatile("stmxcsr %0" : "=m"(mode) : : "memory");
  return mode;
}

SND_INLINE void snd_float_mode_put(snd_float_mode mode)
{
  __asm__ volatile("ldmxcsr %0" : : "m"(mode) : "memory");
}

#elif !SND_ON_DEVICE && SND_HAS_BUILTINS && defined(__aarch64__)

# define SND_CAN_FLUSH 1
typedef uint64_t snd_float_mode;
# define SND_FLUSHING (UINT64_C(1) << 24)

SND_INLINE snd_float_mode snd_float_mode_get(void)
{
  snd_float_mode mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode) : : "memory");
  return mode;
}

SND_INLINE void snd_float_mode_put(snd_float_mode mode)
{
  __asm__ volatile("msr fpcr, %0\n\tisb" : : "r"(mode) : "memory");
}

#else

# define SND_CAN_FLUSH 0
typedef int snd_float_mode;
# define SND_FLUSHING 0

SND_INLINE snd_float_mode snd_float_mode_get(void) { return 0; }
SND_INLINE void snd_float_mode_put(snd_float_mode mode) { (void)mode; }

#endif

#define SND_IN_MODE(args, call) \
  do { \
    const int snd_flushes = (args)->flush; \
    const snd_float_mode snd_mode_before = snd_flushes ? snd_float_mode_get() : 0; \
    if (snd_flushes) snd_float_mode_put(snd_mode_before | SND_FLUSHING); \
    call; \
    if (snd_flushes) snd_float_mode_put(snd_mode_before); \
  } while (0)

#endif
