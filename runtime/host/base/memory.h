/* Memory of the host and of devices, in two layers.
 *
 * Raw memory (sni_raw_...) is the host's allocator and the backend's table as one: nothing else
 * calls either for it, so that another kind of memory (of a NUMA node, pinned, cached) is a case
 * there.  The execution core allocates replicas from it, and counts them itself.
 * The memory that a context is bound to (sni_memory_...) has accounts and statistics.  On the host
 * it is small blocks on cache lines, and large ones as pages that are taken when touched.  On a
 * device it is put on 256 bytes, because the backend's table promises 16.
 */
#ifndef SNI_BASE_MEMORY_H
#define SNI_BASE_MEMORY_H

#include <snode/device/abi.h>

#include "runtime/host/base/accounts.h"

enum { SNI_HOST = -1 };

typedef struct sni_memory {
  sni_accounts *accounts;
  const sn_backend *backend;     /* NULL: not bound */
  int device;                    /* SNI_HOST, or the device's number */
  int is_processor;              /* a device whose image is a processor's */
  uint64_t size;                 /* bytes it has; 0: not known */
  double bytes_moved;            /* between host and device, ever */
} sni_memory;

/* address 0: none.  sn_addr of host memory is the pointer. */
typedef struct sni_block {
  sn_addr address;
  void *raw;                     /* what the allocator gave */
  size_t bytes;                  /* of raw: what came, not what was asked for */
  size_t usable;                 /* from address on */
  int is_pages;
} sni_block;

/* SNI_ANY: to be written as a whole; SNI_ZERO: touched where it is needed; SNI_SPARSE:
 * the same, but here and there only: no huge pages. */
typedef enum sni_content { SNI_ANY, SNI_ZERO, SNI_SPARSE } sni_content;

/* SN_EABI, with a text that says so: the backend was made for another libsnode. */
int sni_check_backend(const sn_backend *, char *text, size_t bytes);

/* Raw memory of the device with that number; of SNI_HOST the backend may be NULL.  From any thread.
 * What is allocated is not zeroed, and on the host begins at a cache line; NULL: there is none. */
void *sni_raw_alloc(const sn_backend *, int device, size_t bytes);
void sni_raw_free(const sn_backend *, int device, void *);
/* SN_OK, or the backend's code.  Where both are the host's they may overlap. */
int sni_raw_copy(const sn_backend *, int to_device, void *to, int from_device, const void *from,
                 size_t bytes);
int sni_raw_fill(const sn_backend *, int device, void *to, uint8_t byte, size_t bytes);

/* SN_ENOMEM with *block empty; SN_EDEVICE when a device's could not be zeroed. */
int sni_memory_alloc(sni_memory *, size_t bytes, sni_content, sni_block *block);
/* Host only: pages as sni_pages_reserve gives them, at least `least` bytes. */
int sni_memory_reserve(sni_memory *, size_t bytes, size_t least, sni_block *block);
void sni_memory_free(sni_memory *, sni_block *block);      /* empties it; empty is fine */
/* SN_OK or SN_EDEVICE.  Plain copies on the host. */
int sni_memory_put(sni_memory *, sn_addr to, const void *from, size_t bytes);
int sni_memory_get(sni_memory *, void *to, sn_addr from, size_t bytes);
int sni_memory_copy(sni_memory *, sn_addr to, sn_addr from, size_t bytes);
int sni_memory_zero(sni_memory *, sn_addr to, size_t bytes);
/* Bytes free on a device now; 0: not known. */
uint64_t sni_memory_available(sni_memory *);

static inline void *sni_pointer(sn_addr address)
{
  return (void *)(uintptr_t)address;
}

static inline sn_addr sni_address(const void *pointer)
{
  return (sn_addr)(uintptr_t)pointer;
}

#endif
