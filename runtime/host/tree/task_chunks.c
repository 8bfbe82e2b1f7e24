/* Chunks that a device's tasks make: what is done before the task and behind it. */
#include <string.h>

#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/arena.h"
#include "runtime/host/tree/device_tables.h"
#include "runtime/host/tree/snode_memory.h"
#include "runtime/host/tree/task_chunks.h"

#define GROWTH (UINT64_C(1) << 30)               /* the pool grows to that much at once, or */
#define GROWTH_TIMES 8                           /* to so many times its size */

/* ---- before a task ---- */

/* What the memory limits leave to all trees of the call together. */
static uint64_t limit_of(const sn_call *call)
{
  uint64_t left = UINT64_MAX;

  for (uint32_t k = 0; k < call->slot_count; k++)
    left = sni_least(left, sni_budget_left(&call->trees[k]->budget));
  return left;
}

/* Ids for as many cells as there can be chunks for, and one chunk more, so that it is memory which
 * runs out. */
static int make_places(sn_call *call, sn_tree *tree, int32_t snode, uint64_t bytes)
{
  const sni_snode *node = &tree->snodes[snode];
  const uint32_t shift = sni_view_of(tree, snode)->log2_chunk;
  const uint64_t chunks = sni_least(sni_chunks_for(tree, snode, node->cell_limit),
                                    tree->counters[snode].chunks_made + bytes / node->chunk_bytes +
                                      1);
  const uint64_t capacity = sni_least(node->cell_limit, chunks << shift);

  if (sni_chunk_table(tree, snode, chunks) != SN_OK) {
    sni_call_fail(call, SN_ENOMEM, "no memory for the table of %llu chunks of %s",
                  (unsigned long long)chunks, sni_owner_name(tree, snode));
    return 0;
  }
  if (tree->view->snode[snode].capacity != capacity) {
    tree->view->snode[snode].capacity = capacity;
    tree->view_is_stale = 1;
  }
  return 1;
}

static int may_grow(const sn_call *call, uint32_t slot, int32_t snode)
{
  const sn_tree *tree = call->trees[slot];

  return sni_has_manager(tree, snode) &&
         sni_call_may_change(call, slot, sni_owner_of(tree, snode)) &&
         sni_cells_made(tree, snode) < tree->snodes[snode].cell_limit;
}

static int is_wanted(const sn_call *call)
{
  for (uint32_t k = 0; k < call->slot_count; k++)
    for (uint32_t s = 1; s < call->trees[k]->node_count; s++)
      if (may_grow(call, k, (int32_t)s))
        return 1;
  return 0;
}

void sni_chunks_prepare(sn_call *call)
{
  sn_context *context = call->context;
  sni_chunk_pool *pool = context->pool;
  const uint64_t limit = limit_of(call);
  snd_arena before;

  if (!pool || call->code != SN_OK || !is_wanted(call))
    return;
  before = pool->arena;
  pool->arena.missed = 0;
  if (sni_chunk_pool_refill(context, limit) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the memory that tasks make chunks of could not be zeroed");
  pool->is_stale |= memcmp(&before, &pool->arena, sizeof before) != 0;
  if (call->code != SN_OK)
    return;
  for (uint32_t k = 0; k < call->slot_count; k++)
    for (uint32_t s = 1; s < call->trees[k]->node_count; s++)
      if (may_grow(call, k, (int32_t)s) &&
          !make_places(call, call->trees[k], (int32_t)s, pool->arena.end - pool->arena.next))
        return;
  if (pool->is_stale && sni_chunk_pool_send(context) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the record of the pool could not be written");
}

int sni_chunks_refill(sn_call *call)
{
  const sni_chunk_pool *pool = call->context->pool;
  uint64_t before;

  if (!pool)
    return 0;
  before = pool->arena.end - pool->arena.next;
  sni_chunks_prepare(call);
  return call->code == SN_OK && pool->arena.end - pool->arena.next > before;
}

void sni_chunks_withhold(sn_tree *tree)
{
  if (sni_on_host(tree) || !tree->view->arena)
    return;
  tree->view->arena = 0;
  for (uint32_t s = 1; s < tree->node_count; s++)
    if (sni_has_manager(tree, (int32_t)s))
      tree->view->snode[s].capacity =
        sni_least(tree->view->snode[s].capacity, sni_cells_made(tree, (int32_t)s));
  tree->view_is_stale = 1;
}

void sni_chunks_allow(sn_tree *tree)
{
  if (sni_on_host(tree) || !tree->context->pool)
    return;
  tree->view->arena = tree->context->pool->record.address;
  tree->view_is_stale = 1;
}

/* ---- behind a task ---- */

/* The slice is the tree's.  What cannot be noted is free when the context is destroyed. */
static void give_to(sn_tree *tree, sn_addr at, uint64_t bytes)
{
  sni_accounts *accounts = &tree->context->accounts;
  const sni_slice slice = { at, sni_round_chunk(bytes) };

  sni_slices_remove(&tree->context->pool->cut, accounts, slice);
  (void)sni_slices_add(&tree->slices, accounts, slice);
}

/* Addresses first .. first + count - 1 of a table; NULL: they could not be had. */
static sn_addr *fetch_table(sn_tree *tree, sn_addr table, uint64_t first, uint64_t count)
{
  sni_memory *memory = &tree->context->memory;
  sn_addr *entries = sni_new(memory->accounts, count, sizeof *entries);

  if (entries &&
      sni_memory_get(memory, entries, table + first * sizeof *entries,
                     count * sizeof *entries) != SN_OK) {
    sni_delete(memory->accounts, entries, count, sizeof *entries);
    return NULL;
  }
  return entries;
}

/* New chunks of the recycled list: entries follow each other, the one behind them is 0. */
static int account_recycled(sn_tree *tree, int32_t snode)
{
  const snd_snode_view *view = sni_view_of(tree, snode);
  sni_snode *node = &tree->snodes[snode];
  const uint64_t cells = sni_least(sni_cells_made(tree, snode) + (UINT64_C(1) << view->log2_chunk),
                                   node->cell_limit);
  const uint64_t first = node->recycled_made;
  const uint64_t last = (cells + SND_RECYCLED_PLACES - 1) / SND_RECYCLED_PLACES;
  sn_addr *chunks;

  if (last <= first)
    return 1;
  chunks = fetch_table(tree, view->recycled_chunks, first, last - first);
  if (!chunks)
    return 0;
  for (uint64_t k = 0; k < last - first && chunks[k]; k++, node->recycled_made++)
    give_to(tree, chunks[k], SND_RECYCLED_BYTES);
  sni_delete(&tree->context->accounts, chunks, last - first, sizeof *chunks);
  return 1;
}

/* A longer free list. */
static void account_free_ids(sn_tree *tree, int32_t snode)
{
  const snd_snode_counters *counters = &tree->counters[snode];
  sni_snode *node = &tree->snodes[snode];

  if (counters->free_ids == sni_free_ids(node).at)
    return;
  sni_give_free_ids(tree, snode);
  give_to(tree, counters->free_ids, counters->free_places * sizeof(uint32_t));
  node->cut_free_ids = (sni_slice){ counters->free_ids,
                                    sni_round_chunk(counters->free_places * sizeof(uint32_t)) };
}

/* New chunks of cells.  The limits were looked at before the task. */
static int account_chunks(sn_call *call, int32_t slot, int32_t snode)
{
  const snd_task *fill = &call->backend->runtime_tasks[SND_RT_INIT];
  sn_tree *tree = call->trees[slot];
  const snd_snode_view *view = sni_view_of(tree, snode);
  const uint64_t bytes = tree->snodes[snode].chunk_bytes;
  const uint64_t first = view->chunks_ahead, last = tree->counters[snode].chunks_made;
  const snd_init_params init = {
    sni_most(first << view->log2_chunk, tree->counters[snode].reserved), last << view->log2_chunk
  };
  sn_addr *chunks;

  if (last <= first)
    return 1;
  chunks = fetch_table(tree, view->chunks, first, last - first);
  if (!chunks)
    return 0;
  for (uint64_t k = 0; k < last - first; k++)
    give_to(tree, chunks[k], bytes);
  sni_delete(&tree->context->accounts, chunks, last - first, sizeof *chunks);
  (void)sni_budget_take(&tree->budget, (last - first) * bytes);
  sni_call_made_chunks(call, slot, snode, last - first);
  /* Their cells that were not handed out are from now on as those of chunks made ahead. */
  if (init.first < init.last &&
      sni_call_launch(call, fill, slot, snode, &init) != SN_OK)
    return 0;
  tree->view->snode[snode].chunks_ahead = (uint32_t)last;
  tree->view_is_stale = 1;
  return 1;
}

static int account_tree(sn_call *call, uint32_t slot)
{
  sn_tree *tree = call->trees[slot];
  int done = 1;

  for (uint32_t s = 1; s < tree->node_count; s++)
    if (sni_has_manager(tree, (int32_t)s)) {
      done &= account_recycled(tree, (int32_t)s);
      account_free_ids(tree, (int32_t)s);
      done &= account_chunks(call, (int32_t)slot, (int32_t)s);
    }
  return done;
}

/* For the next task: twice as much, and for all that this one missed, as far as that is known: who
 * misses a cell does not ask for those below it, and one cell may be missed by many. */
static void want_more(sn_call *call, uint64_t missed)
{
  const snd_status *status = &call->launch->status;
  sni_chunk_pool *pool = call->context->pool;
  const sn_tree *tree = call->trees[status->slot];
  const uint64_t chunk = tree->snodes[status->manager].chunk_bytes;
  const uint64_t most = sni_most(sni_most(GROWTH, sni_times(2, chunk)),
                                 sni_times(GROWTH_TIMES, pool->wanted));
  const uint64_t more = sni_times(2, sni_plus(missed, chunk));

  pool->wanted = sni_round_chunk(
    sni_least(sni_most(sni_times(2, pool->wanted), sni_plus(pool->wanted, more)), most));
}

/* What was cut and is no tree's is free: lists that were made and found too short, or for a chunk
 * that could not be had.  Where the tables could not be read it is kept until the context is
 * destroyed. */
static int account_cut(sn_call *call, sni_slice cut)
{
  sni_chunk_pool *pool = call->context->pool;
  sni_accounts *accounts = &call->context->accounts;
  int done = call->code != SN_EDEVICE && sni_slices_add(&pool->cut, accounts, cut);

  for (uint32_t k = 0; k < call->slot_count && done; k++)
    done = account_tree(call, k);
  for (size_t k = 0; k < pool->cut.count && done; k++)
    (void)sni_slices_add(&pool->free, accounts, pool->cut.all[k]);
  pool->cut.count = 0;
  return done;
}

/* Chunks that could not be accounted for, for want of memory, behind the task that made them. */
static int is_owing(const sn_call *call)
{
  for (uint32_t k = 0; k < call->slot_count; k++) {
    const sn_tree *tree = call->trees[k];
    for (uint32_t s = 1; s < tree->node_count; s++)
      if (tree->counters[s].chunks_made > tree->view->snode[s].chunks_ahead)
        return 1;
  }
  return 0;
}

void sni_chunks_account(sn_call *call)
{
  sn_context *context = call->context;
  sni_chunk_pool *pool = context->pool;
  const snd_status status = call->launch->status;
  sni_slice cut;
  snd_arena now;

  /* What the record will be no task has had yet. */
  if (!pool || pool->is_stale)
    return;
  if (sni_chunk_pool_fetch(context, &now) != SN_OK) {
    sni_call_fail(call, SN_EDEVICE, "the record of the pool could not be read");
    return;
  }
  cut.at = pool->arena.next;
  cut.bytes = now.next - pool->arena.next;
  pool->arena = now;
  if ((cut.bytes || is_owing(call)) && !account_cut(call, cut))
    sni_call_fail(call, SN_ENOMEM, "no memory to read which chunks a task has made");
  if (status.code == SN_ENOMEM && status.manager > 0)
    want_more(call, now.missed);
}
