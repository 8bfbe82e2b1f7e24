/* Sets of slices of memory: ascending, apart, and never side by side. */
#ifndef SNI_TREE_SLICES_H
#define SNI_TREE_SLICES_H

#include "runtime/host/base/memory.h"

typedef struct sni_slice {
  sn_addr at;
  uint64_t bytes;
} sni_slice;

typedef struct sni_slices {
  sni_slice *all;
  size_t count, capacity;
} sni_slices;

/* The slice is in none of the set.  Where there is no memory to note it, it is left out: 0. */
int sni_slices_add(sni_slices *, sni_accounts *, sni_slice);
/* Nothing, where the set has not all of the slice.  Where there is no memory to note what is left
 * of it, the set loses the less of that. */
void sni_slices_remove(sni_slices *, sni_accounts *, sni_slice);
/* Whether all of the slice is in the set. */
int sni_slices_have(const sni_slices *, sni_slice);
/* No bytes: the set is empty. */
sni_slice sni_slices_largest(const sni_slices *);
void sni_slices_free(sni_slices *, sni_accounts *);

#endif
