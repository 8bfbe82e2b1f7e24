/* Memory: lines and pages of the host, or what the backend gives. */
#ifdef HAVE_CONFIG_H
# include <config.h>
#endif
#include "runtime/host/base/memory.h"

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

/* ---- raw memory ---- */

static int is_host(int device)
{
  return device == SNI_HOST;
}

static size_t whole_lines(size_t bytes)
{
  return (bytes + LINE - 1) / LINE * LINE;
}

void *sni_raw_alloc(const sn_backend *backend, int device, size_t bytes)
{
  void *at = NULL;

  bytes = bytes ? bytes : 1;
  if (bytes > SIZE_MAX - LINE)
    return NULL;
  if (is_host(device))
    return aligned_alloc(LINE, whole_lines(bytes));
  return backend->alloc(device, bytes, &at) == SN_OK ? at : NULL;
}

void sni_raw_free(const sn_backend *backend, int device, void *at)
{
  if (is_host(device))
    free(at);
  else
    backend->free(device, at);
}

int sni_raw_copy(const sn_backend *backend, int to_device, void *to, int from_device,
                 const void *from, size_t bytes)
{
  if (bytes == 0)
    return SN_OK;
  if (!is_host(to_device) || !is_host(from_device))
    return backend->copy(to_device, to, from_device, from, bytes);
  memmove(to, from, bytes);
  return SN_OK;
}

int sni_raw_fill(const sn_backend *backend, int device, void *to, uint8_t byte, size_t bytes)
{
  if (bytes == 0)
    return SN_OK;
  if (!is_host(device))
    return backend->fill(device, to, byte, bytes);
  memset(to, byte, bytes);
  return SN_OK;
}

/* ---- a context's memory ---- */

static int take_pages(sni_memory *memory, size_t bytes, size_t least, sni_content content,
                      sni_block *block)
{
  block->raw = sni_pages_reserve(&bytes, least, content != SNI_SPARSE);
  if (!block->raw)
    return SN_ENOMEM;
  block->address = sni_address(block->raw);
  block->bytes = bytes;
  block->usable = bytes;
  block->is_pages = 1;
  sni_accounts_took(memory->accounts, bytes);
  return SN_OK;
}

static int take_lines(sni_memory *memory, size_t bytes, sni_content content, sni_block *block)
{
  const size_t whole = whole_lines(bytes);

  block->raw = sni_raw_alloc(NULL, SNI_HOST, whole);
  if (!block->raw)
    return SN_ENOMEM;
  if (content != SNI_ANY)
    memset(block->raw, 0, whole);
  block->address = sni_address(block->raw);
  block->bytes = whole;
  block->usable = whole;
  sni_accounts_took(memory->accounts, whole);
  return SN_OK;
}

static int take_device(sni_memory *memory, size_t bytes, sni_content content, sni_block *block)
{
  const size_t more = bytes + DEVICE_ALIGN;

  block->raw = more < bytes ? NULL : sni_raw_alloc(memory->backend, memory->device, more);
  if (!block->raw)
    return SN_ENOMEM;
  block->address = (sni_address(block->raw) + DEVICE_ALIGN - 1) & ~(sn_addr)(DEVICE_ALIGN - 1);
  block->bytes = more;
  block->usable = bytes;
  sni_accounts_took(memory->accounts, more);
  if (content != SNI_ANY && sni_memory_zero(memory, block->address, bytes) != SN_OK) {
    sni_memory_free(memory, block);
    return SN_EDEVICE;
  }
  return SN_OK;
}

int sni_memory_alloc(sni_memory *memory, size_t bytes, sni_content content, sni_block *block)
{
  memset(block, 0, sizeof *block);
  bytes = bytes ? bytes : 1;
  if (!sni_accounts_admit(memory->accounts))
    return SN_ENOMEM;
  if (memory->device != SNI_HOST)
    return take_device(memory, bytes, content, block);
  /* What will be written as a whole cannot be more than the machine has; asking the
   * system would succeed, and end the process later. */
  if (content == SNI_ANY && memory->size && bytes > memory->size)
    return SN_ENOMEM;
  if (bytes >= PAGES_FROM)
    return take_pages(memory, bytes, bytes, content, block);
  return take_lines(memory, bytes, content, block);
}

int sni_memory_reserve(sni_memory *memory, size_t bytes, size_t least, sni_block *block)
{
  memset(block, 0, sizeof *block);
  if (!sni_accounts_admit(memory->accounts))
    return SN_ENOMEM;
  return take_pages(memory, bytes, least, SNI_ZERO, block);
}

void sni_memory_free(sni_memory *memory, sni_block *block)
{
  if (!block->raw)
    return;
  if (block->is_pages)
    sni_pages_release(block->raw, block->bytes);
  else
    sni_raw_free(memory->backend, memory->device, block->raw);
  sni_accounts_gave(memory->accounts, block->bytes);
  memset(block, 0, sizeof *block);
}

static int copy(sni_memory *memory, int to_device, sn_addr to, int from_device, sn_addr from,
                size_t bytes)
{
  memory->bytes_moved += to_device == from_device ? 0.0 : (double)bytes;
  return sni_raw_copy(memory->backend, to_device, sni_pointer(to), from_device,
                      sni_pointer(from), bytes) == SN_OK ? SN_OK : SN_EDEVICE;
}

int sni_memory_put(sni_memory *memory, sn_addr to, const void *from, size_t bytes)
{
  return copy(memory, memory->device, to, SNI_HOST, sni_address(from), bytes);
}

int sni_memory_get(sni_memory *memory, void *to, sn_addr from, size_t bytes)
{
  return copy(memory, SNI_HOST, sni_address(to), memory->device, from, bytes);
}

int sni_memory_copy(sni_memory *memory, sn_addr to, sn_addr from, size_t bytes)
{
  return copy(memory, memory->device, to, memory->device, from, bytes);
}

int sni_memory_zero(sni_memory *memory, sn_addr to, size_t bytes)
{
  return sni_raw_fill(memory->backend, memory->device, sni_pointer(to), 0, bytes) == SN_OK
           ? SN_OK : SN_EDEVICE;
}

uint64_t sni_memory_available(sni_memory *memory)
{
  snd_device_info info;

  memset(&info, 0, sizeof info);
  if (memory->device == SNI_HOST || memory->backend->info(memory->device, &info) != SN_OK)
    return 0;
  return info.memory_free;
}
