/* Lists: room for them, and which of them are stale.
 *
 * The entries of an SNode's list stand on the versions of all sparse SNodes above it, its
 * masks on its own too; the entries of a dynamic SNode, whose lengths they hold, as well.
 * Versions only rise, so their sum is a stamp: it is the same if and only if none of them
 * has changed.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/hash.h"
#include "runtime/host/tree/sequencer.h"
#include "runtime/host/tree/snode_memory.h"

/* ---- what is stale ---- */

static uint64_t versions_to(const sn_tree *tree, int32_t snode)
{
  uint64_t sum = 0;

  for (; snode > 0; snode = sni_view_of(tree, snode)->parent)
    if (sni_is_sparse(tree, snode))
      sum += tree->counters[snode].version;
  return sum;
}

static uint64_t entries_stamp(const sn_tree *tree, int32_t snode)
{
  return versions_to(tree, sni_is_dynamic(tree, snode) ? snode : sni_view_of(tree, snode)->parent);
}

/* A hash has a bit for each key, also for those whose cell could not be had. */
static uint64_t masks_stamp(const sn_tree *tree, int32_t snode)
{
  const uint64_t keys = snode == tree->hash
                          ? tree->counters[sni_view_of(tree, snode)->pool].reserved : 0;

  return versions_to(tree, snode) + keys;
}

static int entries_are_fresh(const sn_tree *tree, int32_t snode)
{
  const sni_snode *node = &tree->snodes[snode];

  return node->list_is_made && node->entries_stamp == entries_stamp(tree, snode);
}

/* How many words a hash has is as old as the last task: keys may have come since, the first ones
 * too. */
static int masks_are_fresh(const sn_tree *tree, int32_t snode)
{
  return (snode != tree->hash && sni_view_of(tree, snode)->mask_words == 0) ||
         tree->snodes[snode].masks_stamp == masks_stamp(tree, snode);
}

/* ---- how long it can be ---- */

static uint64_t cells_alive(const sn_tree *tree, int32_t snode)
{
  return sni_cells_in_use(tree, snode) - tree->counters[snode].recycled;
}

/* So many containers lie in each cell of the nearest SNode above that is allocated, times
 * its cells. */
static uint64_t containers_at_most(const sn_tree *tree, int32_t snode)
{
  uint64_t count = 1;

  for (int32_t s = sni_view_of(tree, snode)->parent; s > 0; s = sni_view_of(tree, s)->parent) {
    const int is_holder = sni_is_allocated(tree, s);
    count = sni_times(count, is_holder ? cells_alive(tree, s) : sni_view_of(tree, s)->cells);
    if (is_holder)
      break;
  }
  return count;
}

/* Pieces of dynamic containers: each chunk begins at most one that is not full. */
static uint64_t pieces_at_most(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *node = sni_view_of(tree, snode);
  uint64_t pieces = 0;

  for (int32_t k = 0; k < node->pool_count; k++) {
    const int is_tail = k > (int32_t)node->heads;
    const uint32_t log2 = is_tail ? node->log2_tail
                                  : node->log2_first + (uint32_t)(k > 0 ? k - 1 : 0);
    if (k != (int32_t)node->heads)               /* directories hold no cells */
      pieces = sni_plus(pieces, sni_times(cells_alive(tree, node->pool + k),
                                          1 + ((UINT64_C(1) << log2) / SND_PIECE_CELLS)));
  }
  return pieces;
}

/* No more than there are cells in the list of the parent, which is fresh; that counts
 * where bitmasked SNodes lie between.  How long it is, a device has to be asked: only where
 * there is no room for the most. */
static uint64_t entries_at_most(sn_call *call, sn_tree *tree, int32_t snode)
{
  const int32_t parent = sni_view_of(tree, snode)->parent;
  uint64_t count;

  if (sni_is_dynamic(tree, snode))
    return pieces_at_most(tree, snode);
  count = containers_at_most(tree, snode);
  if (count <= sni_view_of(tree, snode)->list_capacity || parent == 0)
    return count;
  if (sni_tree_fetch_counters(tree) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the counters could not be read");
  return sni_least(count, sni_times(tree->counters[parent].list_length,
                                    sni_view_of(tree, parent)->cells));
}

/* ---- room ---- */

static int room_for_entries(sn_tree *tree, int32_t snode, uint64_t need)
{
  sni_memory *memory = &tree->context->memory;
  sni_snode *node = &tree->snodes[snode];
  snd_snode_view *view = &tree->view->snode[snode];
  /* More than is needed, so that a growing tree seldom comes here. */
  const uint64_t capacity = need > 1 ? sni_plus(need, need / 2) : 1;
  const uint64_t bytes = sni_times(capacity, view->entry_words * sizeof(uint64_t));

  if (need <= view->list_capacity)
    return SN_OK;
  /* The old entries are not kept: a list is made anew. */
  view->list_capacity = 0;
  sni_memory_free(memory, &node->entries);
  tree->view_is_stale = 1;
  if (bytes > SIZE_MAX / 2)
    return SN_ENOMEM;
  SN_TRY(sni_memory_alloc(memory, bytes, SNI_ANY, &node->entries));
  view->entries = node->entries.address;
  view->list_capacity = capacity;
  return SN_OK;
}

/* As many words as the entries may have; of a hash, which has one entry, they grow. */
static int room_for_masks(sn_tree *tree, int32_t snode)
{
  sni_memory *memory = &tree->context->memory;
  sni_snode *node = &tree->snodes[snode];
  snd_snode_view *view = &tree->view->snode[snode];
  const uint64_t words = sni_times(view->list_capacity, view->mask_words);
  const uint64_t more = snode == tree->hash ? words / 2 : 0;
  const uint64_t bytes = sni_times(sni_plus(words, more), sizeof(uint64_t));

  if (words <= node->masks.usable / sizeof(uint64_t))
    return SN_OK;
  sni_memory_free(memory, &node->masks);
  view->masks = 0;
  tree->view_is_stale = 1;
  if (bytes > SIZE_MAX / 2)
    return SN_ENOMEM;
  SN_TRY(sni_memory_alloc(memory, bytes, SNI_ANY, &node->masks));
  view->masks = node->masks.address;
  return SN_OK;
}

static void make_room(sn_call *call, sn_tree *tree, int32_t snode, uint64_t need)
{
  int code = room_for_entries(tree, snode, need);

  if (code == SN_OK)
    code = room_for_masks(tree, snode);
  if (code != SN_OK)
    sni_call_fail(call, code, "no memory for the list of the containers of %s",
                  tree->info->snodes[snode].name);
}

/* ---- making ---- */

static void note(sn_call *call, const sn_tree *tree, int32_t snode, sni_statistic which,
                 sni_timer timer)
{
  sn_context *context = call->context;

  context->statistics.own[which]++;
  sni_call_spent(call, (sni_profile_key){ PROFILE_listgen, tree->info->name,
                                          tree->info->snodes[snode].name, 0, NULL },
                 timer, 0);
}

/* Entries and masks, from the parent's list, which is fresh. */
static void generate(sn_call *call, int32_t slot, int32_t snode)
{
  sn_tree *tree = call->trees[slot];
  sni_snode *node = &tree->snodes[snode];
  const sni_timer timer = sni_call_timer(call);

  node->list_is_made = 0;
  node->listed_are_known = 0;
  sni_hash_resize(tree);
  make_room(call, tree, snode, entries_at_most(call, tree, snode));
  sni_call_runtime(call, SND_RT_LISTGEN, slot, snode, NULL);
  if (call->code != SN_OK)
    return;
  node->list_is_made = 1;
  node->entries_stamp = entries_stamp(tree, snode);
  node->masks_stamp = masks_stamp(tree, snode);
  note(call, tree, snode, STATISTIC_listgen, timer);
}

static void generate_masks(sn_call *call, int32_t slot, int32_t snode)
{
  sn_tree *tree = call->trees[slot];
  sni_snode *node = &tree->snodes[snode];
  const sni_timer timer = sni_call_timer(call);

  sni_hash_resize(tree);
  make_room(call, tree, snode, 0);
  sni_call_runtime(call, SND_RT_LISTMASKS, slot, snode, NULL);
  if (call->code != SN_OK)
    return;
  node->masks_stamp = masks_stamp(tree, snode);
  node->listed_are_known = 0;
  note(call, tree, snode, STATISTIC_listmasks, timer);
}

/* Top-down: a layer is made from the one above it. */
void sni_list_refresh(sn_call *call, int32_t slot, int32_t snode)
{
  const sn_tree *tree = call->trees[slot];

  if (call->code != SN_OK || snode <= 0)
    return;
  if (!entries_are_fresh(tree, snode)) {
    sni_list_refresh(call, slot, sni_view_of(tree, snode)->parent);
    if (call->code == SN_OK)
      generate(call, slot, snode);
  } else if (!masks_are_fresh(tree, snode)) {
    generate_masks(call, slot, snode);
  } else {
    call->context->statistics.own[STATISTIC_lists_reused]++;
  }
}

void sni_list_refresh_entries(sn_call *call, int32_t slot, int32_t snode)
{
  if (!entries_are_fresh(call->trees[slot], snode))
    sni_list_refresh(call, slot, snode);
}

/* ---- the cells of a list, for the profile ---- */

static uint64_t count_listed(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *node = sni_view_of(tree, snode);
  const uint64_t length = tree->counters[snode].list_length;
  const uint64_t words = length * node->mask_words;
  const uint64_t *entry = sni_pointer(node->entries), *mask = sni_pointer(node->masks);
  uint64_t cells = 0;

  if (sni_is_dynamic(tree, snode))
    for (uint64_t k = 1; k <= length; k++)
      cells += entry[k * node->entry_words - 2] - entry[k * node->entry_words - 3];
  else if (words)
    for (uint64_t k = 0; k < words; k++)
      cells += sni_count_bits(mask[k]);
  else
    cells = length * node->cells;
  return cells;
}

double sni_list_cells(sn_tree *tree, int32_t snode)
{
  sni_snode *node = &tree->snodes[snode];

  if (!sni_on_host(tree) || !node->list_is_made)
    return -1;
  if (!node->listed_are_known)
    node->listed = count_listed(tree, snode);
  node->listed_are_known = 1;
  return (double)node->listed;
}
