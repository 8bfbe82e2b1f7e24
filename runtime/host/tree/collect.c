/* Garbage collection over an SNode and all below it, after a task that may deactivate:
 *
 *   sweep     bitmasked: what was written to cells after they were taken out goes
 *   expand    what lies below recycled cells, or bodies, is recycled too
 *   phases    move, account, refill, for each node manager that has recycled cells
 *   rehash    where many keys have lost their cells
 *
 * Top-down: ids ascend from parents to children, and to the pools behind all SNodes.  What
 * the device does in each: snode/device/gc.h.
 *
 * It also follows a task that failed: then the tree is as clean as after any other.
 */
#include "runtime/host/tree/hash.h"
#include "runtime/host/tree/sequencer.h"

/* Whether the SNode, or the owner of the pool, is `top` or below it. */
static int is_concerned(const sn_tree *tree, int32_t snode, int32_t top)
{
  return sni_is_below(tree, snode, top);
}

/* Whether anything waits to be collected.  What only lies below recycled cells
 * is not counted yet, but then those cells are. */
static int has_work(const sn_tree *tree, int32_t top)
{
  for (uint32_t k = 1; k < tree->node_count; k++)
    if ((tree->counters[k].recycled || tree->counters[k].taken_out) &&
        is_concerned(tree, (int32_t)k, top))
      return 1;
  return 0;
}

/* The unit's counters after a step that changed them. */
static void fetch(sn_call *call, sn_tree *tree)
{
  if (call->code == SN_OK && sni_tree_fetch_counters(tree) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the counters could not be read");
}

/* A container that is not in the list any more lies in a cell that is swept with what holds
 * it, or refilled.  No list changes: nothing in a cell that is swept is in any. */
static void sweep(sn_call *call, int32_t slot, int32_t top)
{
  sn_tree *tree = call->trees[slot];

  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (tree->counters[k].taken_out && is_concerned(tree, (int32_t)k, top)) {
      sni_list_refresh_entries(call, slot, (int32_t)k);
      sni_call_runtime(call, SND_RT_SWEEP, slot, (int32_t)k, NULL);
      fetch(call, tree);
    }
}

/* Whether recycled cells of the SNode, or its bodies, can hold cells of others. */
static int has_allocated_below(const sn_tree *tree, int32_t snode)
{
  if (sni_is_dynamic(tree, snode))
    return sni_view_of(tree, snode)->pool_count > 1;
  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (sni_view_of(tree, (int32_t)k)->holder == snode &&
        (sni_is_allocated(tree, (int32_t)k) || sni_is_dynamic(tree, (int32_t)k)))
      return 1;
  return 0;
}

static uint64_t to_expand(const sn_tree *tree, int32_t snode)
{
  if (!has_allocated_below(tree, snode))
    return 0;
  return tree->counters[sni_is_dynamic(tree, snode) ? sni_view_of(tree, snode)->pool
                                                    : snode].recycled;
}

/* What lies below recycled cells joins the recycled lists. */
static void expand(sn_call *call, int32_t slot, int32_t top)
{
  sn_tree *tree = call->trees[slot];

  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (is_concerned(tree, (int32_t)k, top) && to_expand(tree, (int32_t)k)) {
      sni_call_runtime(call, SND_RT_GC_EXPAND, slot, (int32_t)k, NULL);
      fetch(call, tree);
    }
}

static void reclaim(sn_call *call, int32_t slot, int32_t snode)
{
  if (call->trees[slot]->counters[snode].recycled == 0)
    return;
  sni_call_runtime(call, SND_RT_GC_MOVE, slot, snode, NULL);
  sni_call_runtime(call, SND_RT_GC_ACCOUNT, slot, snode, NULL);
  sni_call_runtime(call, SND_RT_GC_REFILL, slot, snode, NULL);
  if (call->code == SN_OK)
    call->context->statistics.own[STATISTIC_gc]++;
}

/* All but a hash's keys, which rehash may still recycle. */
static void reclaim_cells(sn_call *call, int32_t slot, int32_t top)
{
  const sn_tree *tree = call->trees[slot];

  for (uint32_t k = 1; k < tree->node_count; k++)
    if (is_concerned(tree, (int32_t)k, top) && sni_has_manager(tree, (int32_t)k) &&
        !(sni_is_pool(tree, (int32_t)k) && sni_owner_of(tree, (int32_t)k) == tree->hash))
      reclaim(call, slot, (int32_t)k);
}

static void reclaim_keys(sn_call *call, int32_t slot, int32_t top)
{
  sn_tree *tree = call->trees[slot];

  if (tree->hash < 0 || !is_concerned(tree, tree->hash, top))
    return;
  fetch(call, tree);
  sni_hash_tidy(call, slot, tree->hash);
  reclaim(call, slot, sni_view_of(tree, tree->hash)->pool);
}

static void collect(sn_call *call, int32_t slot, int32_t top)
{
  sn_tree *tree = call->trees[slot];
  const sni_timer timer = sni_call_timer(call);

  sweep(call, slot, top);
  expand(call, slot, top);
  reclaim_cells(call, slot, top);
  reclaim_keys(call, slot, top);
  fetch(call, tree);
  sni_count_activated(call, slot, 0);
  sni_call_spent(call, (sni_profile_key){ PROFILE_gc, tree->info->name,
                                          top ? tree->info->snodes[top].name : NULL, 0, NULL },
                 timer, 0);
}

void sni_collect(sn_call *call, int32_t slot, int32_t top)
{
  const snd_status status = call->launch->status;
  const int code = call->code;

  if (code == SN_EDEVICE || !has_work(call->trees[slot], top))
    return;
  if (code != SN_OK)
    sni_call_forgive(call);
  collect(call, slot, top);
  if (code != SN_OK) {
    call->launch->status = status;
    call->code = code;
  }
}
