/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend table: what a file compiled by the user's compiler gives libsnode,
 * which itself has no pragma and links neither OpenMP nor OpenACC.
 *
 *   snd_backend   constant; nothing in it changes
 *
 * SNODE_ABI comes from snode/version.h, by the generated header.
 *
 * A file has a table of its own, and with it the runtime's own tasks, unless the program's files
 * share one: compiled by one compiler with one set of flags, one of them has SN_BACKEND_GIVEN
 * defined and the others SN_BACKEND_TAKEN.  They are compiled in a part of the time.  The table's
 * name is hidden outside of what they are linked into.  A serial one comes with how the interpreter
 * reaches trees (interpret.h), so that files for the interpreter may be among the others.
 */
#ifndef SNODE_DEVICE_BACKEND_H
#define SNODE_DEVICE_BACKEND_H

#include <snode/device/task.h>

#if defined(SN_BACKEND_GIVEN) && defined(SN_BACKEND_TAKEN)
# error "SN_BACKEND_GIVEN and SN_BACKEND_TAKEN exclude each other"
#endif
#if defined(SN_BACKEND_GIVEN) || defined(SN_BACKEND_TAKEN)
extern SND_OF_PROGRAM const sn_backend snd_backend;
# define SND_BACKEND_LINKAGE
#else
# define SND_BACKEND_LINKAGE static
#endif

#ifndef SN_BACKEND_TAKEN

#include <snode/device/box.h>
#include <snode/device/devices.h>
#include <snode/device/gc.h>
#include <snode/device/init.h>
#if defined(SN_BACKEND_GIVEN) && defined(SN_SERIAL)
# include <snode/device/interpret.h>
#endif
#include <snode/device/listgen.h>
#include <snode/device/rehash.h>
#include <snode/device/settle.h>
#include <snode/device/sweep.h>
#include <snode/device/transfer.h>

#ifndef SNODE_ABI
# error "include the generated header, or snode/snode.h, before the device headers"
#endif

/* ---- the runtime's own tasks: X(snd_runtime_task, function, flags), in their order ---- */

#define SND_RUNTIME_TASKS(X) \
  X(SND_RT_LISTGEN, listgen, SND_TASK_PARALLEL) \
  X(SND_RT_LISTMASKS, listmasks, SND_TASK_PARALLEL) \
  X(SND_RT_DEACTIVATE_ALL, deactivate_all, SND_TASK_PARALLEL | SND_TASK_DEACTIVATES) \
  X(SND_RT_SWEEP, sweep, SND_TASK_PARALLEL) \
  X(SND_RT_GC_EXPAND, gc_expand, SND_TASK_PARALLEL) \
  X(SND_RT_GC_MOVE, gc_move, SND_TASK_PARALLEL) \
  X(SND_RT_GC_ACCOUNT, gc_account, 0) \
  X(SND_RT_GC_REFILL, gc_refill, SND_TASK_PARALLEL) \
  X(SND_RT_REHASH, rehash, SND_TASK_PARALLEL) \
  X(SND_RT_TASK_END, task_end, 0) \
  X(SND_RT_INIT, init, SND_TASK_PARALLEL) \
  X(SND_RT_ACCESS, access, SND_TASK_PARALLEL | SND_TASK_ACTIVATES | SND_TASK_DEACTIVATES) \
  X(SND_RT_TRANSFER, transfer, SND_TASK_PARALLEL | SND_TASK_ACTIVATES)

static const snd_task snd_runtime_tasks[SND_RT_COUNT] = {
#define X(ROW, name, flags) \
  [ROW] = { #name, snd_##name##_host, SND_TARGET(snd_##name##_target), flags, 0 },
  SND_RUNTIME_TASKS(X)
#undef X
};

/* ---- threads ---- */

SND_FUNCTION int snd_backend_threads(void)
{
#if SND_HAS_THREADS
  return omp_get_max_threads();
#else
  return 1;
#endif
}

SND_FUNCTION int snd_backend_in_parallel(void)
{
#if SND_HAS_THREADS
  return omp_in_parallel();
#else
  return 0;
#endif
}

/* ---- the table ---- */

SND_BACKEND_LINKAGE const sn_backend snd_backend = {
  SNODE_ABI,
  (uint32_t)sizeof(sn_backend),
#if defined(SN_SERIAL)
  "serial",
#elif defined(SN_ACC)
  "openacc",
#elif defined(SN_OFFLOAD)
  "openmp+offload",
#else
  "openmp",
#endif
  /* The address of a function of the OpenMP runtime tells one from another. */
#if SND_HAS_THREADS
  (const void *)(uintptr_t)omp_get_max_threads,
#else
  NULL,
#endif
  snd_backend_devices,
  snd_backend_threads,
  snd_backend_in_parallel,
  snd_backend_probe,
  snd_backend_info,
  snd_backend_alloc,
  snd_backend_free,
  snd_backend_copy,
  snd_backend_fill,
  snd_runtime_tasks,
  SND_CAN_FLUSH
};

#endif
#endif
