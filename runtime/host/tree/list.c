/* Lists: room for them, and which of them are stale.
 *
 * The list of an SNode's containers stands on the versions of all pointer SNodes
 * from the root down to it (its own too: the masks).  Versions only rise, so their
 * sum is a stamp: it is the same if and only if none of them has changed.
 */
#include "runtime/host/tree/sequencer.h"

#include <stdint.h>

/* The versions that the SNode's list stands on. */
static uint64_t stamp_of(const sn_tree *tree, int32_t snode)
{
  uint64_t stamp = 0;

  for (; snode > 0; snode = sni_view_of(tree, snode)->parent)
    if (sni_is_pointer(tree, snode))
      stamp += tree->counters[snode].version;
  return stamp;
}

static int is_fresh(const sn_tree *tree, int32_t snode)
{
  const sni_node *node = &tree->nodes[snode];

  return node->list_is_made && node->list_stamp == stamp_of(tree, snode);
}

/* Containers of the SNode at most: so many lie in each cell of the nearest pointer
 * SNode above, times its cells. */
static uint64_t containers_at_most(const sn_tree *tree, int32_t snode)
{
  uint64_t count = 1;

  for (int32_t s = sni_view_of(tree, snode)->parent; s > 0; s = sni_view_of(tree, s)->parent) {
    const int is_pointer = sni_is_pointer(tree, s);
    const uint64_t factor = is_pointer ? sni_cells_in_use(tree, s) : sni_view_of(tree, s)->cells;
    if (factor && count > UINT64_MAX / factor)
      return UINT64_MAX;
    count *= factor;
    if (is_pointer)
      break;
  }
  return count;
}

/* Twice what is needed, so that a growing tree seldom comes here.  The old entries
 * are not kept: a list is made anew. */
static int make_room(sn_tree *tree, int32_t snode, uint64_t need)
{
  sni_unit *unit = &tree->context->unit;
  sni_node *node = &tree->nodes[snode];
  sn_snode_view *view = &tree->view->snode[snode];
  const uint64_t words = view->entry_words + (uint64_t)view->mask_words;
  const uint64_t capacity = need > 1 ? need + need / 2 : 1;

  if (need == 0 || need <= view->list_capacity)
    return SN_OK;
  node->list_is_made = 0;
  view->list_capacity = 0;
  sni_unit_free(unit, &node->entries);
  sni_unit_free(unit, &node->masks);
  tree->view_is_stale = 1;
  if (need > SIZE_MAX / 4 / sizeof(uint64_t) / words)
    return SN_ENOMEM;
  SN_TRY(sni_unit_alloc(unit, capacity * view->entry_words * sizeof(uint64_t), SNI_ANY,
                        &node->entries));
  if (view->mask_words)
    SN_TRY(sni_unit_alloc(unit, capacity * view->mask_words * sizeof(uint64_t), SNI_ANY,
                          &node->masks));
  view->entries = node->entries.address;
  view->masks = node->masks.address;
  view->list_capacity = capacity;
  return SN_OK;
}

/* From the parent's list, which is fresh. */
static void generate(sn_call *call, int32_t slot, int32_t snode)
{
  sn_context *context = call->context;
  sn_tree *tree = call->trees[slot];
  sni_node *node = &tree->nodes[snode];
  const double began = call->is_timed ? sni_seconds() : 0;

  node->list_is_made = 0;
  if (make_room(tree, snode, containers_at_most(tree, snode)) != SN_OK) {
    sni_call_fail(call, SN_ENOMEM, "no memory for the list of the containers of %s",
                  tree->info->snodes[snode].name);
    return;
  }
  sni_call_runtime(call, SN_RT_LISTGEN, slot, snode, NULL);
  if (call->code != SN_OK)
    return;
  node->list_is_made = 1;
  node->list_stamp = stamp_of(tree, snode);
  context->statistics.own[STATISTIC_listgen]++;
  if (call->is_timed)
    sni_profile_add(&context->profile, &context->accounts, PROFILE_listgen, tree->info->name,
                    tree->info->snodes[snode].name, sni_seconds() - began, 0);
}

/* Top-down: a layer is made from the one above it. */
void sni_list_refresh(sn_call *call, int32_t slot, int32_t snode)
{
  const sn_tree *tree = call->trees[slot];

  if (call->code != SN_OK || snode <= 0 || is_fresh(tree, snode))
    return;
  sni_list_refresh(call, slot, sni_view_of(tree, snode)->parent);
  if (call->code == SN_OK)
    generate(call, slot, snode);
}
