/* Tables of node managers on a device, which grow by copying. */
#include <stddef.h>
#include <string.h>

#include "runtime/host/tree/chunk_pool.h"
#include "runtime/host/tree/device_tables.h"

int sni_publish_counter(sn_tree *tree, int32_t snode, size_t offset, uint64_t value)
{
  const sn_addr place =
    tree->view->counters + (uint64_t)snode * sizeof(snd_snode_counters) + offset;

  SN_TRY(sni_memory_put(&tree->context->memory, place, &value, sizeof value));
  memcpy((char *)&tree->counters[snode] + offset, &value, sizeof value);
  return SN_OK;
}

/* A longer table, whose first `kept` bytes are those at `from`. */
static int copied(sni_memory *memory, sn_addr from, uint64_t kept, uint64_t bytes,
                  sni_content content, sni_block *grown)
{
  int code;

  SN_TRY(sni_memory_alloc(memory, bytes, content, grown));
  code = sni_memory_copy(memory, grown->address, from, kept);
  if (code != SN_OK)
    sni_memory_free(memory, grown);
  return code;
}

int sni_chunk_table(sn_tree *tree, int32_t snode, uint64_t chunks)
{
  sni_memory *memory = &tree->context->memory;
  sni_block *block = &tree->snodes[snode].chunks;
  const uint64_t bytes = chunks * sizeof(sn_addr);
  sni_block grown;

  if (block->usable >= bytes)
    return SN_OK;
  SN_TRY(copied(memory, block->address, tree->counters[snode].chunks_made * sizeof(sn_addr), bytes,
                SNI_ZERO, &grown));
  sni_memory_free(memory, block);
  *block = grown;
  tree->view->snode[snode].chunks = grown.address;
  tree->view_is_stale = 1;
  return SN_OK;
}

sni_slice sni_free_ids(const sni_snode *node)
{
  const sni_slice own = { node->free_ids.address, node->free_ids.usable };

  return node->cut_free_ids.bytes ? node->cut_free_ids : own;
}

void sni_give_free_ids(sn_tree *tree, int32_t snode)
{
  sni_snode *node = &tree->snodes[snode];

  sni_memory_free(&tree->context->memory, &node->free_ids);
  sni_chunk_pool_give_slice(tree, node->cut_free_ids);
  memset(&node->cut_free_ids, 0, sizeof node->cut_free_ids);
}

int sni_grow_free_ids(sn_tree *tree, int32_t snode, uint64_t cells)
{
  const snd_snode_counters *counters = &tree->counters[snode];
  sni_block grown;

  if (counters->free_places >= cells)
    return SN_OK;
  SN_TRY(copied(&tree->context->memory, counters->free_ids, counters->free * sizeof(uint32_t),
                cells * sizeof(uint32_t), SNI_ANY, &grown));
  sni_give_free_ids(tree, snode);
  tree->snodes[snode].free_ids = grown;
  SN_TRY(sni_publish_counter(tree, snode, offsetof(snd_snode_counters, free_ids), grown.address));
  return sni_publish_counter(tree, snode, offsetof(snd_snode_counters, free_places), cells);
}
