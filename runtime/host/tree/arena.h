/* Address space on the host, out of which node managers take their memory. */
#ifndef SNI_TREE_ARENA_H
#define SNI_TREE_ARENA_H

#include "runtime/host/tree/tree.h"

/* Makes the view's arena, for so many bytes at most; nothing is reserved yet. */
int sni_arena_create(sn_tree *, uint64_t most);
void sni_arena_destroy(sn_tree *);       /* of a tree without one too */

/* Bytes of a chunk: whole pages, so that no page is shared by two. */
static inline uint64_t sni_round_chunk(uint64_t bytes)
{
  return (bytes + 4095) & ~UINT64_C(4095);
}

#endif
