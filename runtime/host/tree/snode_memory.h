/* The memory of node managers. */
#ifndef SNI_TREE_SNODE_MEMORY_H
#define SNI_TREE_SNODE_MEMORY_H

#include "runtime/host/tree/tree.h"

/* For all node managers of a new tree. */
int sni_snode_memory_create(sn_tree *);
void sni_snode_memory_destroy(sn_tree *);
/* Chunks of the recycled list that so many cells need. */
uint64_t sni_recycled_chunks(uint64_t cells);
/* Cells that a slot may hold now or that GC will have put back. */
uint64_t sni_cells_in_use(const sn_tree *, int32_t snode);
/* Cells that were ever handed out. */
uint64_t sni_cells_ever(const sn_tree *, int32_t snode);
uint64_t sni_cells_made(const sn_tree *, int32_t snode);
uint64_t sni_chunks_for(const sn_tree *, int32_t snode, uint64_t cells);
/* Cells that can be activated without another chunk. */
uint64_t sni_cells_ready(const sn_tree *, int32_t snode);

#endif
