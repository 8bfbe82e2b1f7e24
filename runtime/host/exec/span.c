/* Copies and fills between any memories of an engine's units. */
#include "runtime/host/base/memory.h"
#include "runtime/host/exec/engine.h"

int sni_engine_reaches(const sn_engine *engine, const sn_span *span)
{
  return span->device == 0 ||
         (span->device > 0 && engine->backend && span->device <= engine->backend->devices());
}

int sni_engine_copy(sn_engine *engine, sn_span dst, sn_span src)
{
  const int code = sni_raw_copy(engine->backend, dst.device - 1, dst.data, src.device - 1,
                                src.data, src.bytes);

  if (code != SN_OK)
    return sni_engine_fail(engine, code,
                           "%llu bytes could not be copied from device %d to device %d "
                           "(0: the host)", (unsigned long long)src.bytes, src.device,
                           dst.device);
  return SN_OK;
}

int sni_engine_fill(sn_engine *engine, sn_span dst, uint8_t byte)
{
  const int code = sni_raw_fill(engine->backend, dst.device - 1, dst.data, byte, dst.bytes);

  if (code != SN_OK)
    return sni_engine_fail(engine, code, "%llu bytes of device %d could not be filled",
                           (unsigned long long)dst.bytes, dst.device);
  return SN_OK;
}
