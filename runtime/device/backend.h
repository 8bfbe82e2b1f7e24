/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend table: what a file compiled by the user's compiler gives libsnode,
 * which itself has no pragma and links no OpenMP.
 *
 *   snd_backend   constant; nothing in it changes
 *
 * SNODE_ABI comes from snode/version.h, by the generated header.
 *
 * A file has a table of its own, and with it the runtime's own tasks, unless the program's files
 * share one: compiled by one compiler with one set of flags, one of them has SN_BACKEND_GIVEN
 * defined and the others SN_BACKEND_TAKEN.  They are compiled in a part of the time.  The table's
 * name is hidden outside of what they are linked into.
 *
 * The calls of libomptarget stand behind SN_OFFLOAD: plain -fopenmp does not link
 * them.  Bad device numbers abort inside that library, so they are refused here.
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
#include <snode/device/gc.h>
#include <snode/device/init.h>
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
#ifdef SN_SERIAL
  return 1;
#else
  return omp_get_max_threads();
#endif
}

SND_FUNCTION int snd_backend_in_parallel(void)
{
#ifdef SN_SERIAL
  return 0;
#else
  return omp_in_parallel();
#endif
}

/* ---- devices ---- */

#ifdef SN_OFFLOAD

SND_FUNCTION int snd_backend_devices(void) { return omp_get_num_devices(); }

SND_FUNCTION int snd_backend_has(int device)
{
  return device >= 0 && device < omp_get_num_devices();
}

/* Runs a region there: what it ran as; 0: on the host, as it does where the file holds no image
 * for the device. */
SND_FUNCTION int snd_backend_probe(int device)
{
  int ran = 0;

  if (!snd_backend_has(device)) return 0;
#pragma omp target device(device) map(tofrom : ran)
  ran = omp_is_initial_device() ? 0 : SND_ON_DEVICE ? SND_RAN_GPU : SND_RAN_PROCESSOR;
  return ran;
}

/* OpenMP tells neither name nor memory. */
SND_FUNCTION int snd_backend_info(int device, snd_device_info *info)
{
  static const char name[] = "OpenMP device";
  size_t k;

  if (!snd_backend_has(device)) return SN_EDEVICE;
  for (k = 0; k < sizeof name; k++) info->name[k] = name[k];
  info->memory_bytes = 0;
  info->memory_free = 0;
  return SN_OK;
}

SND_FUNCTION int snd_backend_alloc(int device, size_t bytes, void **out)
{
  *out = snd_backend_has(device) ? omp_target_alloc(bytes, device) : NULL;
  return *out != NULL ? SN_OK : snd_backend_has(device) ? SN_ENOMEM : SN_EDEVICE;
}

SND_FUNCTION void snd_backend_free(int device, void *memory)
{
  if (memory != NULL && snd_backend_has(device)) omp_target_free(memory, device);
}

SND_FUNCTION int
snd_backend_copy(int to_device, void *to, int from_device, const void *from, size_t bytes)
{
  const int host = omp_get_initial_device();

  if ((to_device >= 0 && !snd_backend_has(to_device)) ||
      (from_device >= 0 && !snd_backend_has(from_device)))
    return SN_EDEVICE;
  if (bytes == 0) return SN_OK;
  return omp_target_memcpy(to, from, bytes, 0, 0, to_device < 0 ? host : to_device,
                           from_device < 0 ? host : from_device) == 0
           ? SN_OK : SN_EDEVICE;
}

/* By a kernel: omp_target_memset copies from the host. */
SND_FUNCTION int snd_backend_fill(int device, void *memory, uint8_t byte, size_t bytes)
{
  const uint64_t pattern = (uint64_t)0x0101010101010101u * byte;
  const sn_addr to = (sn_addr)(uintptr_t)memory;
  const uint64_t count = bytes;
  const snd_args args = { .device = device + 1 };

  if (!snd_backend_has(device)) return SN_EDEVICE;
  if (bytes == 0) return SN_OK;
  SND_TARGET_TEAMS(&args, firstprivate(to, pattern, count))
  SND_TARGET_PARALLEL
  {
    const snd_worker worker = snd_target_worker();
    snd_fill_pattern(to, pattern, count, worker.team * worker.threads + worker.thread,
                     worker.teams * worker.threads);
  }
  return SN_OK;
}

#else

SND_FUNCTION int snd_backend_devices(void) { return 0; }

SND_FUNCTION int snd_backend_probe(int device)
{
  (void)device;
  return 0;
}

SND_FUNCTION int snd_backend_info(int device, snd_device_info *info)
{
  (void)device;
  (void)info;
  return SN_EDEVICE;
}

SND_FUNCTION int snd_backend_alloc(int device, size_t bytes, void **out)
{
  (void)device;
  (void)bytes;
  *out = NULL;
  return SN_EDEVICE;
}

SND_FUNCTION void snd_backend_free(int device, void *memory)
{
  (void)device;
  (void)memory;
}

SND_FUNCTION int
snd_backend_copy(int to_device, void *to, int from_device, const void *from, size_t bytes)
{
  (void)to_device;
  (void)to;
  (void)from_device;
  (void)from;
  (void)bytes;
  return SN_EDEVICE;
}

SND_FUNCTION int snd_backend_fill(int device, void *memory, uint8_t byte, size_t bytes)
{
  (void)device;
  (void)memory;
  (void)byte;
  (void)bytes;
  return SN_EDEVICE;
}

#endif

/* ---- the table ---- */

SND_BACKEND_LINKAGE const sn_backend snd_backend = {
  SNODE_ABI,
  (uint32_t)sizeof(sn_backend),
#if defined(SN_SERIAL)
  "serial",
#elif defined(SN_OFFLOAD)
  "openmp+offload",
#else
  "openmp",
#endif
  /* The address of a function of the OpenMP runtime tells one from another. */
#ifdef SN_SERIAL
  NULL,
#else
  (const void *)(uintptr_t)omp_get_max_threads,
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
  snd_runtime_tasks
};

#endif
#endif
