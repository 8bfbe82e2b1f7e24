/* Tables of node managers on a device: where chunks are, free lists, counters. */
#ifndef SNI_TREE_DEVICE_TABLES_H
#define SNI_TREE_DEVICE_TABLES_H

#include "runtime/host/tree/tree.h"

/* Tells the device, and the copy here, what a counter is now: its offset among the SNode's. */
int sni_publish_counter(sn_tree *, int32_t snode, size_t offset, uint64_t value);
/* Places for the addresses of so many chunks; SN_OK, or nothing has changed. */
int sni_chunk_table(sn_tree *, int32_t snode, uint64_t chunks);
/* A free list for so many cells. */
int sni_grow_free_ids(sn_tree *, int32_t snode, uint64_t cells);
/* The free list, as libsnode knows it; it is given back. */
sni_slice sni_free_ids(const sni_snode *);
void sni_give_free_ids(sn_tree *, int32_t snode);

#endif
