/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices and their memory: the functions of the backend's table (backend.h) that ask OpenMP, or
 * OpenACC, for them.
 *
 * The calls of libomptarget stand behind SN_OFFLOAD: plain -fopenmp does not link them.  Bad
 * device numbers end the process inside that library, and inside OpenACC's, so they are refused
 * here.
 */
#ifndef SNODE_DEVICE_DEVICES_H
#define SNODE_DEVICE_DEVICES_H

#include <snode/device/fill.h>
#include <snode/device/worker.h>

#ifdef SN_ACC
# include <stdlib.h>
# include <string.h>
#endif

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

#elif defined(SN_ACC)

/* Those of the type that ACC_DEVICE_TYPE names, else the first type that has some; where that
 * is the host, one.  This call alone bears a type that is not there: others end the process. */
SND_FUNCTION int snd_backend_devices(void) { return acc_get_num_devices(acc_device_default); }

/* It stands in each image, as the functions of regions do. */
SND_COLD int snd_backend_ran(void)
{
  return acc_on_device(acc_device_host) ? SND_RAN_PROCESSOR : SND_RAN_GPU;
}

/* Without an image for the device a region would end the process. */
SND_FUNCTION int snd_backend_probe(int device)
{
  int ran = 0;

  if (!snd_acc_use(device)) return 0;
  if (acc_deviceptr((void *)(uintptr_t)snd_backend_ran) == NULL) return 0;
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(32) copy(ran)
  ran = snd_backend_ran();
  return ran;
}

SND_FUNCTION int snd_backend_info(int device, snd_device_info *info)
{
  static const char host[] = "OpenACC's host device";
  const char *name;
  size_t k;

  if (!snd_acc_use(device)) return SN_EDEVICE;
  name = acc_get_property_string(device, acc_device_default, acc_property_name);
  if (snd_acc_is_host() || name == NULL) name = host;
  for (k = 0; name[k] != '\0' && k + 1 < sizeof info->name; k++) info->name[k] = name[k];
  info->name[k] = '\0';
  info->memory_bytes = acc_get_property(device, acc_device_default, acc_property_memory);
  info->memory_free = acc_get_property(device, acc_device_default, acc_property_free_memory);
  return SN_OK;
}

SND_FUNCTION int snd_backend_alloc(int device, size_t bytes, void **out)
{
  const int is_there = snd_acc_use(device);

  *out = is_there ? acc_malloc(bytes) : NULL;
  return *out != NULL ? SN_OK : is_there ? SN_ENOMEM : SN_EDEVICE;
}

SND_FUNCTION void snd_backend_free(int device, void *memory)
{
  if (memory != NULL && snd_acc_use(device)) acc_free(memory);
}

/* From one device to another, or the same one, by way of the host: gcc has no other. */
SND_FUNCTION int
snd_backend_pass(int to_device, char *to, int from_device, const char *from, size_t bytes)
{
  const size_t most = bytes < 1 << 20 ? bytes : 1 << 20;
  char *piece = (char *)malloc(most);

  if (piece == NULL) return SN_ENOMEM;
  for (size_t at = 0; at < bytes; at += most) {
    const size_t n = bytes - at < most ? bytes - at : most;
    (void)snd_acc_use(from_device);
    acc_memcpy_from_device(piece, (void *)(uintptr_t)(from + at), n);
    (void)snd_acc_use(to_device);
    acc_memcpy_to_device(to + at, piece, n);
  }
  free(piece);
  return SN_OK;
}

SND_FUNCTION int
snd_backend_copy(int to_device, void *to, int from_device, const void *from, size_t bytes)
{
  void *const source = (void *)(uintptr_t)from;

  if ((to_device >= 0 && !snd_acc_use(to_device)) ||
      (from_device >= 0 && !snd_acc_use(from_device)))
    return SN_EDEVICE;
  if (bytes == 0) return SN_OK;
  if (to_device >= 0 && from_device >= 0)
    return snd_backend_pass(to_device, (char *)to, from_device, (const char *)from, bytes);
  if (to_device >= 0) acc_memcpy_to_device(to, source, bytes);
  else if (from_device >= 0) acc_memcpy_from_device(to, source, bytes);
  else memmove(to, from, bytes);
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

#if SND_HAS_DEVICES

/* By a kernel: omp_target_memset copies from the host, and OpenACC has no such call. */
SND_FUNCTION int snd_backend_fill(int device, void *memory, uint8_t byte, size_t bytes)
{
  const uint64_t pattern = (uint64_t)0x0101010101010101u * byte;
  const sn_addr to = (sn_addr)(uintptr_t)memory;
  const uint64_t count = bytes;
  const snd_args args = { .device = device + 1 };

  if (!snd_target_ready(&args)) return SN_EDEVICE;
  if (bytes == 0) return SN_OK;
  SND_TARGET_TEAMS(&args, firstprivate(to, pattern, count))
  SND_TARGET_PARALLEL
  {
    const snd_worker worker = SND_TARGET_WORKER;
    snd_fill_pattern(to, pattern, count, worker.team * worker.threads + worker.thread,
                     worker.teams * worker.threads);
  }
  return SN_OK;
}

#endif

#endif
