/* The node managers behind dynamic and hash SNodes. */
#ifndef SNI_TREE_POOLS_H
#define SNI_TREE_POOLS_H

#include "runtime/host/tree/tree.h"

int64_t sni_extent_of(const snd_axis_info *, const int64_t *params);
/* From one allocated cell of so many bytes to the next: room for 64-bit slots, and large
 * cells begin on cache lines, so that rows of values do. */
uint64_t sni_cell_stride(uint64_t bytes);
/* How many a tree will have: before its view is made. */
uint32_t sni_count_pools(const sn_tree_info *, const int64_t *params);
/* Cuts a dynamic container into chunks and adds its pools.  SN_ENOMEM: too many. */
int sni_layout_dynamic(sn_tree *, int32_t snode, const int64_t *params);
void sni_layout_hash(sn_tree *, int32_t snode);
/* What the cells of a pool hold when they are handed out. */
int sni_pool_is_zero(const sn_tree *, int32_t pool);
void sni_write_pool_defaults(const sn_tree *, int32_t pool, char *cell);

#endif
