/* The keys of a hash, and its buckets. */
#ifndef SNI_TREE_HASH_H
#define SNI_TREE_HASH_H

#include "runtime/host/tree/call.h"

/* The buckets that a new hash begins with. */
void sni_hash_layout(sn_tree *, int32_t snode);

/* More buckets where there are more keys than that; and where many keys have lost
 * their cells, only the others: GC collects those. */
void sni_hash_grow(sn_call *, int32_t slot);
void sni_hash_tidy(sn_call *, int32_t slot, int32_t snode);
/* Where the option deterministic is set, on the host: the keys stand in ascending order of their
 * coordinates, whichever thread made them, and with them the lists. */
void sni_hash_sort(sn_call *, int32_t slot);

#endif
