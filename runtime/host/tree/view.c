/* The view and the counters of a tree between tasks: the device's copies, the size of a hash. */
#include "runtime/host/tree/tree.h"

int sni_tree_send_view(sn_tree *tree)
{
  if (!tree->view_is_stale || sni_on_host(tree))
    return SN_OK;
  SN_TRY(sni_memory_put(&tree->context->memory, tree->view_block.address, tree->view,
                        tree->view_bytes));
  tree->view_is_stale = 0;
  return SN_OK;
}

int sni_tree_fetch_counters(sn_tree *tree)
{
  if (sni_on_host(tree))
    return SN_OK;
  return sni_memory_get(&tree->context->memory, tree->counters, tree->counters_block.address,
                        tree->node_count * sizeof(snd_snode_counters));
}

void sni_hash_resize(sn_tree *tree)
{
  snd_snode_view *node;
  uint64_t cells;

  if (tree->hash < 0)
    return;
  node = &tree->view->snode[tree->hash];
  cells = sni_keys_made(tree, tree->hash);
  if (node->cells != cells) {
    node->cells = cells;
    node->mask_words = (uint32_t)((cells + 63) / 64);
    tree->view_is_stale = 1;
  }
}
