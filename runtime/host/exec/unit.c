/* Units: the host, stretches of host memory, devices. */
#include "runtime/host/base/memory.h"
#include "runtime/host/base/sized.h"
#include "runtime/host/exec/scheduler.h"

#include <stdio.h>

/* ---- making them ---- */

static int check_backend(sn_engine *engine, const sn_backend *backend)
{
  char text[SNI_ENGINE_TEXT];
  const int code = backend ? sni_check_backend(backend, text, sizeof text) : SN_OK;

  return code == SN_OK ? SN_OK : sni_engine_fail(engine, code, "%s", text);
}

static int count_devices(sn_engine *engine, int *count)
{
  const sn_backend *backend = engine->backend;
  const int there = backend ? backend->devices() : 0;
  const int wanted = engine->options.devices;

  *count = wanted < 0 ? there : wanted;
  if (*count > there)
    return sni_engine_fail(engine, SN_EDEVICE, "%d devices are wanted, and there are %d%s", wanted,
                           there, backend ? "" : ": no backend was given");
  return SN_OK;
}

static sn_unit *next_unit(sn_engine *engine, sn_unit_kind kind, int device)
{
  sn_unit *unit = &engine->units[engine->unit_count];

  sni_alive_begin(unit);
  unit->engine = engine;
  unit->index = engine->unit_count++;
  unit->kind = kind;
  unit->device = device;
  unit->memory.capacity = kind == SN_UNIT_HOST ? 0 : engine->options.capacity;
  return unit;
}

static int add_device(sn_engine *engine, int device)
{
  sn_unit *unit = next_unit(engine, SN_UNIT_DEVICE, device + 1);

  snprintf(unit->name, sizeof unit->name, "device %d", device);
  if (!engine->backend->probe(device))
    return sni_engine_fail(engine, SN_EDEVICE, "device %d does not run what the backend brings",
                           device);
  return SN_OK;
}

int sni_units_create(sn_engine *engine)
{
  const int memories = engine->options.memories;
  int devices;

  SN_TRY(check_backend(engine, engine->backend));
  SN_TRY(count_devices(engine, &devices));
  if (memories < 0)
    return sni_engine_fail(engine, SN_EINVAL, "%d memories are wanted", memories);
  engine->units = sni_engine_new(engine, (size_t)(1 + memories + devices), sizeof *engine->units);
  if (!engine->units)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for the units");
  snprintf(next_unit(engine, SN_UNIT_HOST, 0)->name, SNI_NAME, "host");
  for (int k = 1; k <= memories; k++)
    snprintf(next_unit(engine, SN_UNIT_MEMORY, 0)->name, SNI_NAME, "memory %d", k);
  for (int k = 0; k < devices; k++)
    SN_TRY(add_device(engine, k));
  return SN_OK;
}

void sni_units_destroy(sn_engine *engine)
{
  /* As many as were allocated: those that were not reached count too. */
  const int devices = engine->options.devices < 0
                        ? (engine->backend ? engine->backend->devices() : 0)
                        : engine->options.devices;

  for (int k = 0; k < engine->unit_count; k++) {
    sni_unit_end_transfers(&engine->units[k]);
    sni_alive_end(&engine->units[k]);
  }
  if (engine->units)
    sni_engine_delete(engine, engine->units, (size_t)(1 + engine->options.memories + devices),
                      sizeof *engine->units);
}

/* ---- what one can ask ---- */

int sn_engine_unit_count(const sn_engine *engine)
{
  return sni_is_gone(engine) ? 0 : engine->unit_count;
}

sn_unit *sn_engine_unit(sn_engine *engine, int index)
{
  return engine && index >= 0 && index < engine->unit_count ? &engine->units[index] : NULL;
}

const char *sn_unit_name(const sn_unit *unit)
{
  return sni_is_gone(unit) ? "no unit" : unit->name;
}

int sn_unit_index(const sn_unit *unit)
{
  return unit ? unit->index : -1;
}

sn_unit_kind sn_unit_kind_of(const sn_unit *unit)
{
  return unit ? unit->kind : SN_UNIT_HOST;
}

int sn_unit_device(const sn_unit *unit)
{
  return unit ? unit->device : 0;
}

sn_engine *sn_unit_engine(sn_unit *unit)
{
  return unit ? unit->engine : NULL;
}

int sn_unit_memory_of(sn_unit *unit, sn_unit_memory *out)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  if (!out)
    return SN_EINVAL;
  sni_mutex_lock(&unit->engine->lock);
  sni_sized_fill(out, &unit->memory, sizeof unit->memory);
  sni_mutex_unlock(&unit->engine->lock);
  return SN_OK;
}

int sni_unit_is_busy(const sn_unit *unit)
{
  return unit->busy || (sni_unit_load(unit) > 0);
}

int sn_unit_is_idle(sn_unit *unit, int *idle)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  if (!idle)
    return SN_EINVAL;
  sni_mutex_lock(&unit->engine->lock);
  *idle = !sni_unit_is_busy(unit);
  sni_mutex_unlock(&unit->engine->lock);
  return SN_OK;
}

int sn_unit_await(sn_unit *unit)
{
  sn_engine *engine;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  engine = unit->engine;
  SN_TRY(sni_engine_may_wait(engine, "sn_unit_await of %s", unit->name));
  sni_mutex_lock(&engine->lock);
  while (sni_unit_is_busy(unit))
    sni_engine_await_change(engine);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}
