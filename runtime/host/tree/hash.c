/* A hash's buckets and its size: what libsnode keeps up between tasks.
 *
 * Buckets are many from the start, since what is not touched takes no memory on the host;
 * they grow fourfold when there are more keys than buckets.  A cell's position is its
 * key's id: so a hash has as many cells as keys were made.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/hash.h"
#include "runtime/host/tree/sequencer.h"
#include "runtime/host/tree/snode_memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_LOG2 20
#define MOST_LOG2 32                             /* keys have ids of 32 bits */
#define LEAST_IDLE 1024                          /* keys without a cell: below that, let be */

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

/* ---- keys in order ---- */

/* A key without its place: its words behind `next`, and those of axes that it has not are 0. */
typedef struct key_row {
  int64_t at[SN_MAX_AXES];
  uint64_t slot;
} key_row;

typedef struct key_rows {
  key_row *rows;                 /* of the keys that stand in chains, in the order of their ids */
  size_t count;
  uint32_t axes;
} key_rows;

/* The key's words on the host, snode/device/hash.h: next, slot, coordinates. */
static uint64_t *key_words(const sn_tree *tree, uint64_t id)
{
  const snd_snode_view *pool = sni_view_of(tree, sni_view_of(tree, tree->hash)->pool);
  const sn_addr *chunks = sni_pointer(pool->chunks);
  const uint64_t in_chunk = (UINT64_C(1) << pool->log2_chunk) - 1;

  return sni_pointer(chunks[id >> pool->log2_chunk] + (id & in_chunk) * pool->cell_bytes);
}

static int compare_rows(const void *a, const void *b)
{
  const key_row *x = a, *y = b;

  for (int k = 0; k < SN_MAX_AXES; k++)
    if (x->at[k] != y->at[k])
      return x->at[k] < y->at[k] ? -1 : 1;
  return 0;
}

static void read_rows(const sn_tree *tree, key_rows *keys)
{
  const uint64_t made = sni_keys_made(tree, tree->hash);

  keys->count = 0;
  for (uint64_t id = 0; id < made; id++) {
    const uint64_t *words = key_words(tree, id);
    key_row *row = &keys->rows[keys->count];
    if (words[0] == 0)
      continue;
    memset(row, 0, sizeof *row);
    row->slot = words[1];
    memcpy(row->at, words + 2, keys->axes * sizeof *words);
    keys->count++;
  }
}

static int are_sorted(const key_rows *keys)
{
  for (size_t k = 1; k < keys->count; k++)
    if (compare_rows(&keys->rows[k - 1], &keys->rows[k]) > 0)
      return 0;
  return 1;
}

/* Over the same ids, ascending. */
static void write_rows(const sn_tree *tree, const key_rows *keys)
{
  const key_row *row = keys->rows;

  for (uint64_t id = 0; row < keys->rows + keys->count; id++) {
    uint64_t *words = key_words(tree, id);
    if (words[0] == 0)
      continue;
    words[1] = row->slot;
    memcpy(words + 2, row->at, keys->axes * sizeof *words);
    row++;
  }
}

/* ---- buckets ---- */

/* Into new buckets, 1 << log2 of them; sorted: first the keys take their places, NULL: they have
 * them.  0: there was no memory for the buckets, and nothing has changed. */
static int fill_buckets(sn_call *call, int32_t slot, int32_t snode, uint32_t log2,
                        const key_rows *sorted)
{
  sn_tree *tree = call->trees[slot];
  sni_memory *memory = &tree->context->memory;
  snd_snode_view *node = &tree->view->snode[snode];
  sni_block old = tree->snodes[snode].container, fresh;

  if (sni_memory_alloc(memory, sizeof(uint64_t) << log2, SNI_ZERO, &fresh) != SN_OK)
    return 0;
  if (sorted)
    write_rows(tree, sorted);
  tree->snodes[snode].container = fresh;
  node->container = fresh.address;
  node->log2_buckets = log2;
  tree->view_is_stale = 1;
  sni_call_runtime(call, SND_RT_REHASH, slot, snode, NULL);
  sni_memory_free(memory, &old);
  /* Keys were recycled: the counters say that there is something to collect. */
  if (call->code == SN_OK && sni_tree_fetch_counters(tree) != SN_OK)
    sni_call_fail(call, SN_EDEVICE, "the counters could not be read");
  return 1;
}

/* Without memory the old buckets stay: chains get longer, nothing fails. */
static void rehash(sn_call *call, int32_t slot, int32_t snode, uint32_t log2)
{
  (void)fill_buckets(call, slot, snode, log2, NULL);
}

void sni_hash_sort(sn_call *call, int32_t slot)
{
  sn_tree *tree = call->trees[slot];
  sni_accounts *accounts = &call->context->accounts;
  int done = 1;
  key_rows keys;
  size_t made;

  if (tree->hash < 0 || call->code != SN_OK || !sni_on_host(tree) ||
      !sni_is_deterministic(call->context))
    return;
  made = (size_t)sni_keys_made(tree, tree->hash);
  keys.axes = sni_count_bits(sni_view_of(tree, tree->hash)->own_axes);
  keys.rows = made ? sni_new(accounts, made, sizeof *keys.rows) : NULL;
  if (keys.rows) {
    read_rows(tree, &keys);
    if (!are_sorted(&keys)) {
      qsort(keys.rows, keys.count, sizeof *keys.rows, compare_rows);
      done = fill_buckets(call, slot, tree->hash, sni_view_of(tree, tree->hash)->log2_buckets,
                          &keys);
    }
    sni_delete(accounts, keys.rows, made, sizeof *keys.rows);
  }
  if ((made && !keys.rows) || !done)
    sni_call_fail(call, SN_ENOMEM, "no memory to sort the keys of %s, as deterministic asks",
                  tree->info->snodes[tree->hash].name);
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
