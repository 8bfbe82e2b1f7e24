/* Memory of the unit: lines and pages of the host, or what the backend gives. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#include "runtime/host/base/unit.h"

#include <stdlib.h>
#include <string.h>

#include <snode/error.h>
#include <snode/version.h>

#include "runtime/host/base/platform.h"
#include "runtime/host/base/text.h"

enum {
  LINE = 64,                     /* of a small host block */
  DEVICE_ALIGN = 256             /* what coalesced loads want */
};
/* From here on a host block is pages: zero without being touched. */
#define PAGES_FROM ((size_t)64 << 10)

int sni_check_backend(const sn_backend *backend, char *text, size_t bytes)
{
  if (backend->abi == SNODE_ABI && backend->bytes == sizeof *backend)
    return SN_OK;
  (void)sni_text_format(text, bytes, "the backend was made for ABI %u, this libsnode has ABI %d: "
                        "run snodegen again", (unsigned)backend->abi, SNODE_ABI);
  return SN_EABI;
}

static int take_pages(sni_unit *unit, size_t bytes, size_t least, sni_content content,
                      sni_block *block)
{
  block->raw = sni_pages_reserve(&bytes, least, content != SNI_SPARSE);
  if (!block->raw)
    return SN_ENOMEM;
  block->address = sni_address(block->raw);
  block->bytes = bytes;
  block->usable = bytes;
  block->is_pages = 1;
  sni_accounts_took(unit->accounts, bytes);
  return SN_OK;
}

static int take_lines(sni_unit *unit, size_t bytes, sni_content content, sni_block *block)
{
  const size_t whole = (bytes + LINE - 1) / LINE * LINE;
  char *memory = aligned_alloc(LINE, whole);

  if (!memory)
    return SN_ENOMEM;
  if (content != SNI_ANY)
    memset(memory, 0, whole);
  block->raw = memory;
  block->address = sni_address(memory);
  block->bytes = whole;
  block->usable = whole;
  sni_accounts_took(unit->accounts, whole);
  return SN_OK;
}

static int take_device(sni_unit *unit, size_t bytes, sni_content content, sni_block *block)
{
  const size_t more = bytes + DEVICE_ALIGN;
  void *raw = NULL;

  if (more < bytes || unit->backend->alloc(unit->device, more, &raw) != SN_OK || !raw)
    return SN_ENOMEM;
  block->raw = raw;
  block->address = (sni_address(raw) + DEVICE_ALIGN - 1) & ~(sn_addr)(DEVICE_ALIGN - 1);
  block->bytes = more;
  block->usable = bytes;
  sni_accounts_took(unit->accounts, more);
  if (content != SNI_ANY && sni_unit_zero(unit, block->address, bytes) != SN_OK) {
    sni_unit_free(unit, block);
    return SN_EDEVICE;
  }
  return SN_OK;
}

int sni_unit_alloc(sni_unit *unit, size_t bytes, sni_content content, sni_block *block)
{
  memset(block, 0, sizeof *block);
  bytes = bytes ? bytes : 1;
  if (!sni_accounts_admit(unit->accounts))
    return SN_ENOMEM;
  if (unit->device != SNI_HOST)
    return take_device(unit, bytes, content, block);
  /* What will be written as a whole cannot be more than the machine has; asking the
   * system would succeed, and end the process later. */
  if (content == SNI_ANY && unit->memory && bytes > unit->memory)
    return SN_ENOMEM;
  if (bytes >= PAGES_FROM)
    return take_pages(unit, bytes, bytes, content, block);
  return take_lines(unit, bytes, content, block);
}

int sni_unit_reserve(sni_unit *unit, size_t bytes, size_t least, sni_block *block)
{
  memset(block, 0, sizeof *block);
  if (!sni_accounts_admit(unit->accounts))
    return SN_ENOMEM;
  return take_pages(unit, bytes, least, SNI_ZERO, block);
}

void sni_unit_free(sni_unit *unit, sni_block *block)
{
  if (!block->raw)
    return;
  if (unit->device != SNI_HOST)
    unit->backend->free(unit->device, block->raw);
  else if (block->is_pages)
    sni_pages_release(block->raw, block->bytes);
  else
    free(block->raw);
  sni_accounts_gave(unit->accounts, block->bytes);
  memset(block, 0, sizeof *block);
}

static int copy(sni_unit *unit, int to_device, sn_addr to, int from_device, sn_addr from,
                size_t bytes)
{
  if (bytes == 0)
    return SN_OK;
  unit->bytes_moved += to_device == from_device ? 0.0 : (double)bytes;
  return unit->backend->copy(to_device, sni_pointer(to), from_device, sni_pointer(from), bytes)
           == SN_OK ? SN_OK : SN_EDEVICE;
}

int sni_unit_put(sni_unit *unit, sn_addr to, const void *from, size_t bytes)
{
  if (unit->device != SNI_HOST)
    return copy(unit, unit->device, to, SNI_HOST, sni_address(from), bytes);
  if (bytes)
    memmove(sni_pointer(to), from, bytes);
  return SN_OK;
}

int sni_unit_get(sni_unit *unit, void *to, sn_addr from, size_t bytes)
{
  if (unit->device != SNI_HOST)
    return copy(unit, SNI_HOST, sni_address(to), unit->device, from, bytes);
  if (bytes)
    memmove(to, sni_pointer(from), bytes);
  return SN_OK;
}

int sni_unit_copy(sni_unit *unit, sn_addr to, sn_addr from, size_t bytes)
{
  if (unit->device != SNI_HOST)
    return copy(unit, unit->device, to, unit->device, from, bytes);
  if (bytes)
    memmove(sni_pointer(to), sni_pointer(from), bytes);
  return SN_OK;
}

int sni_unit_zero(sni_unit *unit, sn_addr to, size_t bytes)
{
  if (bytes == 0)
    return SN_OK;
  if (unit->device == SNI_HOST) {
    memset(sni_pointer(to), 0, bytes);
    return SN_OK;
  }
  return unit->backend->fill(unit->device, sni_pointer(to), 0, bytes) == SN_OK ? SN_OK : SN_EDEVICE;
}

uint64_t sni_unit_free_memory(sni_unit *unit)
{
  sn_device_info info;

  memset(&info, 0, sizeof info);
  if (unit->device == SNI_HOST || unit->backend->info(unit->device, &info) != SN_OK)
    return 0;
  return info.memory_free;
}
