/* Arrays of the host that a task reads or writes. */
#ifndef SNI_TREE_ARRAYS_H
#define SNI_TREE_ARRAYS_H

#include "runtime/host/tree/call.h"

/* An array parameter. */
typedef struct sni_array_argument {
  sn_addr *place;                /* in the parameters */
  void *host;
  size_t bytes;
  int mode;                      /* 1 in, 2 out, 3 inout */
  sni_block block;               /* on the device; empty on the host */
} sni_array_argument;

/* *place becomes the address of the host's memory in the memory that the task can reach: on the
 * host the same.  mode: 1 in, 2 out, 3 both. */
void sni_call_array(sn_call *, sn_addr *place, const void *host, size_t bytes, int mode);
/* Copies back what goes out; nothing after an error. */
void sni_call_return_arrays(sn_call *);
void sni_call_free_arrays(sn_call *);

#endif
