/* Garbage collection: expand over the SNode and its pointer descendants, top-down,
 * then the three phases for each (snode/device/gc.h says what they do).
 */
#include "runtime/host/tree/sequencer.h"

/* Whether the SNode is a pointer one, `top` or below it. */
static int is_concerned(const sn_tree *tree, int32_t snode, int32_t top)
{
  if (!sni_is_pointer(tree, snode))
    return 0;
  while (snode > top)
    snode = sni_view_of(tree, snode)->parent;
  return snode == top;
}

/* Whether anything waits to be collected.  What only lies below recycled cells
 * is not counted yet, but then those cells are. */
static int has_work(const sn_tree *tree, int32_t top)
{
  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (tree->counters[k].recycled && is_concerned(tree, (int32_t)k, top))
      return 1;
  return 0;
}

static int has_pointer_below(const sn_tree *tree, int32_t snode)
{
  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (sni_view_of(tree, (int32_t)k)->holder == snode && sni_is_pointer(tree, (int32_t)k))
      return 1;
  return 0;
}

/* What lies below recycled cells joins the recycled lists.  Ids ascend from
 * parents to children, so this is top-down. */
static void expand(sn_call *call, int32_t slot, int32_t top)
{
  const sn_tree *tree = call->trees[slot];

  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (is_concerned(tree, (int32_t)k, top) && has_pointer_below(tree, (int32_t)k))
      sni_call_runtime(call, SN_RT_GC_EXPAND, slot, (int32_t)k, NULL);
}

static void reclaim(sn_call *call, int32_t slot, int32_t snode)
{
  sni_call_runtime(call, SN_RT_GC_MOVE, slot, snode, NULL);
  sni_call_runtime(call, SN_RT_GC_ACCOUNT, slot, snode, NULL);
  sni_call_runtime(call, SN_RT_GC_REFILL, slot, snode, NULL);
  if (call->code == SN_OK)
    call->context->statistics.own[STATISTIC_gc]++;
}

void sni_collect(sn_call *call, int32_t slot, int32_t top)
{
  sn_context *context = call->context;
  sn_tree *tree = call->trees[slot];
  const double began = call->is_timed ? sni_seconds() : 0;

  if (call->code != SN_OK || !has_work(tree, top))
    return;
  expand(call, slot, top);
  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    if (is_concerned(tree, (int32_t)k, top))
      reclaim(call, slot, (int32_t)k);
  if (sni_tree_fetch_counters(tree) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the counters could not be read");
  if (call->is_timed)
    sni_profile_add(&context->profile, &context->accounts, PROFILE_gc, tree->info->name,
                    top ? tree->info->snodes[top].name : NULL, sni_seconds() - began, 0);
}
