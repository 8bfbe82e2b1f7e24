#include "t/exec/units/units.h"

#include <stdlib.h>
#include <string.h>

#include <snode/version.h>
#include <snode/device/runtime.h>

int units_devices(void)
{
  const int devices = snd_backend.devices();

  return devices < UNITS - 1 ? devices : UNITS - 1;
}

const sn_backend *units_backend(void)
{
  return &snd_backend;
}

int units_engine(sn_engine_options options, sn_engine **out)
{
  options.backend = &snd_backend;
  options.devices = units_devices();
  options.memories = UNITS - 1 - options.devices;
#ifdef SN_OFFLOAD
  if (!options.devices) return SN_EDEVICE;       /* memories would say nothing of the image */
#endif
  return sn_engine_create(&options, out);
}

/* ---- memory ---- */

int units_get(int device, void *to, const void *from, size_t bytes)
{
  if (device) return snd_backend.copy(-1, to, device - 1, from, bytes);
  memcpy(to, from, bytes);
  return SN_OK;
}

int units_put(int device, void *to, const void *from, size_t bytes)
{
  if (device) return snd_backend.copy(device - 1, to, -1, from, bytes);
  memcpy(to, from, bytes);
  return SN_OK;
}

static void change(int64_t *values, int64_t count, int64_t factor, int64_t more)
{
  for (int64_t k = 0; k < count; k++) values[k] = factor * values[k] + more;
}

int units_change(int device, int64_t *values, int64_t count, int64_t factor, int64_t more)
{
#ifdef SN_OFFLOAD
  if (device) {
    int is_there = 0;
#pragma omp target device(device - 1) is_device_ptr(values) map(from : is_there)
    {
      for (int64_t k = 0; k < count; k++) values[k] = factor * values[k] + more;
      is_there = !omp_is_initial_device();
    }
    return is_there ? SN_OK : SN_EDEVICE;
  }
#endif
  if (device) return SN_EDEVICE;
  change(values, count, factor, more);
  return SN_OK;
}

int units_alloc(int device, size_t bytes, void **out)
{
  if (device) return snd_backend.alloc(device - 1, bytes, out);
  *out = malloc(bytes);
  return *out ? SN_OK : SN_ENOMEM;
}

void units_free(int device, void *memory)
{
  if (device) snd_backend.free(device - 1, memory);
  else free(memory);
}

/* ---- buffers ---- */

static int device_of(sn_run *run)
{
  return sn_unit_device(sn_run_unit(run));
}

int64_t buffer_value(sn_run *run, sn_buffer *buffer, int64_t element)
{
  int64_t value = -1;

  if (units_get(device_of(run), &value, (int64_t *)sn_buffer_data(buffer) + element,
                sizeof value) != SN_OK)
    return -1;
  return value;
}

int buffer_set(sn_run *run, sn_buffer *buffer, int64_t element, int64_t value)
{
  return units_put(device_of(run), (int64_t *)sn_buffer_data(buffer) + element, &value,
                   sizeof value);
}

int buffer_change(sn_run *run, sn_buffer *buffer, int64_t factor, int64_t more)
{
  return units_change(device_of(run), sn_buffer_data(buffer),
                      (int64_t)(sn_buffer_bytes(buffer) / sizeof(int64_t)), factor, more);
}
