/* A hash's buckets and its size: what libsnode keeps up between tasks.
 *
 * Buckets are many from the start, since what is not touched takes no memory on the host;
 * they grow fourfold when there are more keys than buckets.  A cell's position is its
 * key's id: so a hash has as many cells as keys were made.
 */
#include "runtime/host/tree/sequencer.h"

#define FIRST_LOG2 20
#define MOST_LOG2 32                             /* keys have ids of 32 bits */
#define LEAST_IDLE 1024                          /* keys without a cell: below that, let be */

static uint64_t keys_made(const sn_tree *tree, int32_t snode)
{
  return tree->counters[sni_view_of(tree, snode)->pool].reserved;
}

/* Keys that stand in chains: also those whose cell was taken out. */
static uint64_t keys_in_use(const sn_tree *tree, int32_t snode)
{
  const int32_t pool = sni_view_of(tree, snode)->pool;

  return sni_cells_in_use(tree, pool) - tree->counters[pool].recycled;
}

void sni_hash_layout(sn_tree *tree, int32_t snode)
{
  tree->hash = snode;
  tree->view->snode[snode].log2_buckets = FIRST_LOG2;
}

void sni_hash_resize(sn_tree *tree)
{
  sn_snode_view *node;
  uint64_t cells;

  if (tree->hash < 0)
    return;
  node = &tree->view->snode[tree->hash];
  cells = keys_made(tree, tree->hash);
  if (node->cells != cells) {
    node->cells = cells;
    node->mask_words = (uint32_t)((cells + 63) / 64);
    tree->view_is_stale = 1;
  }
}

/* Into new buckets, 1 << log2 of them.  Without memory for them the old ones stay: chains
 * get longer, nothing fails. */
static void rehash(sn_call *call, int32_t slot, int32_t snode, uint32_t log2)
{
  sn_tree *tree = call->trees[slot];
  sni_unit *unit = &tree->context->unit;
  sn_snode_view *node = &tree->view->snode[snode];
  sni_block old = tree->nodes[snode].container, fresh;

  if (sni_unit_alloc(unit, sizeof(uint64_t) << log2, SNI_ZERO, &fresh) != SN_OK)
    return;
  tree->nodes[snode].container = fresh;
  node->container = fresh.address;
  node->log2_buckets = log2;
  tree->view_is_stale = 1;
  sni_call_runtime(call, SN_RT_REHASH, slot, snode, NULL);
  sni_unit_free(unit, &old);
  /* Keys were recycled: tables that grow keep as many ids as the counters say. */
  if (call->code == SN_OK && sni_tree_fetch_counters(tree) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the counters could not be read");
}

void sni_hash_grow(sn_call *call, int32_t slot)
{
  const sn_tree *tree = call->trees[slot];

  uint32_t now, log2;

  if (tree->hash < 0 || call->code != SN_OK)
    return;
  now = log2 = sni_view_of(tree, tree->hash)->log2_buckets;
  while (log2 < MOST_LOG2 && keys_in_use(tree, tree->hash) > UINT64_C(1) << log2)
    log2 += 2;
  if (log2 != now)
    rehash(call, slot, tree->hash, log2);
}

/* Worth a pass over the keys: more than half of them, and many, have lost their cell. */
void sni_hash_tidy(sn_call *call, int32_t slot, int32_t snode)
{
  const sn_tree *tree = call->trees[slot];
  const uint64_t keys = keys_in_use(tree, snode);
  const uint64_t cells = sni_cells_in_use(tree, snode) - tree->counters[snode].recycled;

  if (call->code == SN_OK && keys - cells > LEAST_IDLE && keys - cells > keys / 2)
    rehash(call, slot, snode, sni_view_of(tree, snode)->log2_buckets);
}
