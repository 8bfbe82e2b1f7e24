/* Headroom: memory for cells on a device, made before the tasks that may take them.
 *
 * What is more than that tasks cut off the context's pool (chunk_pool.c), one thread for each
 * chunk; chunks that are made ahead are written by all threads together.
 * They are, for each SNode, the more of 64 MiB and half of what there is; where there is no pool,
 * the first time a share of the device's free memory, so that a first call that
 * activates much does not fail where memory is there.  Never more than can be used, unless
 * the reserve names it, or than the SNode's share of the limit.  The node
 * managers of one SNode divide what it gets: half is for a dynamic's bodies.  Chunks come in
 * segments, one allocation for many; the tables grow by copying.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/device_tables.h"
#include "runtime/host/tree/headroom.h"
#include "runtime/host/tree/snode_memory.h"
#include "runtime/host/tree/task_chunks.h"

#include <stddef.h>

#define HEADROOM (UINT64_C(64) << 20)
#define LEAST_HEADROOM (UINT64_C(1) << 20)       /* of a pool, where it can be used */
#define FIRST_SHARE 4                            /* of the device's free memory */
#define FIRST_UNKNOWN (UINT64_C(256) << 20)      /* where that is not known */

/* Node managers that get a whole share: not the pools, whose owners do. */
static uint64_t sharing(const sn_tree *tree)
{
  uint64_t count = 0;

  for (uint32_t k = 1; k < tree->info->snode_count; k++)
    count += sni_is_allocated(tree, (int32_t)k) || sni_is_dynamic(tree, (int32_t)k);
  return count;
}

/* What the node manager gets of the bytes that are for its SNode. */
static uint64_t share_of(const sn_tree *tree, int32_t snode, uint64_t bytes)
{
  const snd_snode_view *owner = sni_view_of(tree, sni_owner_of(tree, snode));

  if (!sni_is_pool(tree, snode) || owner->pool_count == 1)
    return bytes;
  return snode == owner->pool ? bytes / 2 : bytes / 2 / (uint64_t)(owner->pool_count - 1);
}

/* Those that a task could use: all that may be active at once anew, and some more for
 * what it takes out and activates again, which can be any number: the reserve names more. */
static uint64_t usable_cells(const sn_tree *tree, int32_t snode)
{
  const uint64_t all = sni_times(2, tree->snodes[snode].cells_at_most);
  const uint64_t rest = all - sni_least(sni_cells_in_use(tree, snode), all);
  const uint64_t named = sni_most(LEAST_HEADROOM, share_of(tree, snode, tree->reserve));

  return sni_most(rest, named / sni_cell_bytes(sni_view_of(tree, snode)));
}

uint64_t sni_headroom(const sn_tree *tree, int32_t snode)
{
  const int32_t owner = sni_owner_of(tree, snode);
  const uint64_t made = sni_cells_made(tree, snode);
  uint64_t bytes = sni_most(HEADROOM, tree->reserve), cells;

  if (sni_is_pool(tree, snode) && sni_view_of(tree, owner)->kind == SND_SNODE_HASH)
    return sni_headroom(tree, owner);            /* a key for each cell */
  if (made == 0 && !tree->view->arena) {
    const uint64_t free = sni_memory_available(&tree->context->memory);
    bytes = sni_most(bytes, (free ? free / FIRST_SHARE : FIRST_UNKNOWN) / sharing(tree));
  }
  /* A limit is for all: what comes first must not take it whole. */
  bytes = sni_least(bytes, sni_budget_limit(&tree->budget) / sharing(tree));
  cells = share_of(tree, snode, bytes) / sni_cell_bytes(sni_view_of(tree, snode));
  return sni_least(sni_most(sni_most(cells, 1), made / 2), usable_cells(tree, snode));
}

/* For so many cells. */
static int grow_tables(sn_tree *tree, int32_t snode, uint64_t cells)
{
  SN_TRY(sni_chunk_table(tree, snode, sni_chunks_for(tree, snode, cells)));
  return sni_grow_free_ids(tree, snode, cells);
}

/* Memory that is given back with the tree. */
static int add_segment(sn_tree *tree, int32_t snode, uint64_t bytes, sn_addr *address)
{
  sni_memory *memory = &tree->context->memory;
  sni_snode *node = &tree->snodes[snode];
  void *segments = node->segments;
  sni_block segment;

  if (!sni_grow(memory->accounts, &segments, &node->segment_capacity, node->segment_count + 1,
                sizeof *node->segments))
    return SN_ENOMEM;
  node->segments = segments;
  SN_TRY(sni_memory_alloc(memory, bytes, SNI_ANY, &segment));
  node->segments[node->segment_count++] = segment;
  *address = segment.address;
  return SN_OK;
}

/* Chunks of the recycled list for so many cells.  Those that were made stay on failure. */
static int grow_recycled(sn_tree *tree, int32_t snode, uint64_t cells)
{
  sni_snode *node = &tree->snodes[snode];
  sn_addr chunk;

  for (; node->recycled_made < sni_recycled_chunks(cells); node->recycled_made++) {
    const sn_addr place =
      sni_view_of(tree, snode)->recycled_chunks + node->recycled_made * sizeof chunk;
    SN_TRY(add_segment(tree, snode, SND_RECYCLED_BYTES, &chunk));
    SN_TRY(sni_memory_put(&tree->context->memory, place, &chunk, sizeof chunk));
  }
  return SN_OK;
}

/* A segment of at most *chunks chunks, halving until it can be had. */
static int new_segment(sn_tree *tree, int32_t snode, uint64_t *chunks, sn_addr *segment)
{
  for (; *chunks; *chunks /= 2) {
    const uint64_t bytes = *chunks * tree->snodes[snode].chunk_bytes;
    if (!sni_budget_take(&tree->budget, bytes))
      continue;
    if (add_segment(tree, snode, bytes, segment) == SN_OK)
      return SN_OK;
    sni_budget_give(&tree->budget, bytes);
  }
  return SN_ENOMEM;
}

/* Writes the new chunks' addresses behind the others. */
static int enter_chunks(sn_tree *tree, int32_t snode, sn_addr segment, uint64_t chunks)
{
  sni_memory *memory = &tree->context->memory;
  const uint64_t bytes = tree->snodes[snode].chunk_bytes;
  const uint64_t made = tree->counters[snode].chunks_made;
  sn_addr *addresses = sni_new(memory->accounts, chunks, sizeof *addresses);
  int code;

  if (!addresses)
    return SN_ENOMEM;
  for (uint64_t k = 0; k < chunks; k++)
    addresses[k] = segment + k * bytes;
  code = sni_memory_put(memory, tree->view->snode[snode].chunks + made * sizeof *addresses,
                        addresses, chunks * sizeof *addresses);
  sni_delete(memory->accounts, addresses, chunks, sizeof *addresses);
  return code;
}

/* Bytes that the limits leave to a node manager: others that have nothing yet keep
 * a chunk each, and a hash's cells and keys grow together. */
static uint64_t left_for(const sn_tree *tree, int32_t snode)
{
  const uint32_t all = tree->view->snode_count + tree->view->pool_count;
  const snd_snode_view *owner = sni_view_of(tree, sni_owner_of(tree, snode));
  const uint64_t rest = sni_budget_left(&tree->budget);
  uint64_t left = rest;

  for (uint32_t k = 1; k < all; k++)
    if ((int32_t)k != snode && sni_has_manager(tree, (int32_t)k) &&
        sni_cells_made(tree, (int32_t)k) == 0)
      left -= sni_least(left, tree->snodes[k].chunk_bytes);
  if (owner->kind == SND_SNODE_HASH) {
    const uint64_t key = sni_view_of(tree, owner->pool)->cell_bytes;
    left = left / (sni_cell_bytes(owner) + key) * sni_cell_bytes(sni_view_of(tree, snode));
  }
  if (sni_cells_made(tree, snode) == 0)
    left = sni_most(left, sni_least(tree->snodes[snode].chunk_bytes, rest));
  return left;
}

/* How many chunks to add for `want` ready cells: as the limits allow; half of that
 * at least, so that tasks which activate a little do not each add a little. */
static uint64_t chunks_to_add(const sn_tree *tree, int32_t snode, uint64_t want)
{
  const sni_snode *node = &tree->snodes[snode];
  const uint64_t ready = sni_cells_ready(tree, snode);
  const uint64_t made = sni_cells_made(tree, snode);
  uint64_t cells;

  if (ready >= want || made >= node->cell_limit)
    return 0;
  cells = sni_least(sni_most(want - ready, want / 2), node->cell_limit - made);
  return sni_least(sni_chunks_for(tree, snode, cells), left_for(tree, snode) / node->chunk_bytes);
}

int sni_snode_grow(sn_call *call, int32_t slot, int32_t snode, uint64_t want)
{
  sn_tree *tree = call->trees[slot];
  snd_snode_view *view = &tree->view->snode[snode];
  const uint64_t first = sni_cells_made(tree, snode);
  uint64_t chunks = chunks_to_add(tree, snode, want);
  sn_addr segment = 0;
  snd_init_params init;

  /* Those of a task that could not be accounted for come first. */
  if (chunks == 0 || view->chunks_ahead != tree->counters[snode].chunks_made ||
      grow_tables(tree, snode, first + (chunks << view->log2_chunk)) != SN_OK ||
      grow_recycled(tree, snode, first + (chunks << view->log2_chunk)) != SN_OK ||
      new_segment(tree, snode, &chunks, &segment) != SN_OK ||
      enter_chunks(tree, snode, segment, chunks) != SN_OK ||
      sni_publish_counter(tree, snode, offsetof(snd_snode_counters, chunks_made),
              (first >> view->log2_chunk) + chunks) != SN_OK)
    return 0;
  init.first = first;
  init.last = first + (chunks << view->log2_chunk);
  view->capacity = sni_least(init.last, tree->snodes[snode].cell_limit);
  view->chunks_ahead = (uint32_t)((first >> view->log2_chunk) + chunks);
  tree->view_is_stale = 1;
  sni_call_runtime(call, SND_RT_INIT, slot, snode, &init);
  return call->code == SN_OK;
}

int sni_call_made_room(sn_call *call)
{
  const snd_status status = call->launch->status;
  const sn_tree *tree;
  int has_more;

  if (call->context->memory.device == SNI_HOST || call->code != SN_OK ||
      status.code != SN_ENOMEM || status.manager <= 0)
    return 0;
  tree = call->trees[status.slot];
  sni_call_forgive(call);
  has_more = sni_snode_grow(call, status.slot, status.manager,
                            sni_headroom(tree, status.manager) +
                              sni_cells_made(tree, status.manager));
  has_more |= sni_chunks_refill(call);
  if (!has_more)
    call->launch->status = status;
  return has_more;
}
