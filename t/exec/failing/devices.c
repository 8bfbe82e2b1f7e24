/* The memories of engines become the image's devices, as far as it has them: so programs that know
 * memories alone allocate there, and move by the backend (linked with --wrap=sn_engine_create).
 * The units are called memories still: a body for one has its pointers in either, since an image
 * runs in the program's process.
 */
#include <stdio.h>

#include "runtime/host/exec/engine.h"
#include "t/exec/units/units.h"

int __real_sn_engine_create(const sn_engine_options *, sn_engine **out);
int __wrap_sn_engine_create(const sn_engine_options *, sn_engine **out);

static void call_memory(sn_unit *unit, int number)
{
  unit->kind = SN_UNIT_MEMORY;
  snprintf(unit->name, sizeof unit->name, "memory %d", number);
}

int __wrap_sn_engine_create(const sn_engine_options *given, sn_engine **out)
{
  sn_engine_options options;

  if (!given || given->size < sizeof options || given->backend || given->memories <= 0)
    return __real_sn_engine_create(given, out);
  options = *given;
  options.backend = units_backend();
  options.devices = options.memories < units_devices() ? options.memories : units_devices();
  options.memories -= options.devices;
  SN_TRY(__real_sn_engine_create(&options, out));
  for (int k = 1; k <= given->memories; k++) call_memory(sn_engine_unit(*out, k), k);
  return SN_OK;
}
