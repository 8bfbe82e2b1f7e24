/* The node managers behind a tree's SNodes: how a dynamic SNode is cut into chunks, and
 * what the cells of its pools, and of a hash's, look like. */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/defaults.h"
#include "runtime/host/tree/pools.h"

#include <string.h>

#define FIRST_BYTES UINT64_C(256)                /* of a growing chunk 0, about */
#define FIRST_CELLS_LOG2 2                       /* but so many cells at least */
#define HEAD_BYTES (UINT64_C(1) << 20)           /* no growing head chunk is larger */
#define CHUNK_BYTES (UINT64_C(1) << 30)          /* none at all is: offsets are 32 bits */
#define TAIL_SLOTS (UINT64_C(1) << 20)           /* beyond that growing chunks grow on */
#define TAIL_SLOTS_EVER (UINT64_C(1) << 28)
#define MOST_THREADS (UINT64_C(1) << 24)         /* each may count once past the extent */
#define LENGTH_BITS 32                           /* 2^32 bodies: as many as there are ids */

uint64_t sni_cell_stride(uint64_t bytes)
{
  const uint64_t align = bytes >= 256 ? 64 : 8;

  return (bytes + align - 1) & ~(align - 1);
}

int64_t sni_extent_of(const snd_axis_info *axis, const int64_t *params)
{
  return axis->size ? axis->size : axis->extent(params);
}

/* How the cells of one dynamic container are cut; see snd_snode_view. */
typedef struct cut {
  uint32_t log2_first, log2_tail, heads;
  uint64_t tail_slots;
} cut;

static int fits(uint64_t cell_bytes, uint32_t log2, uint64_t bytes)
{
  return cell_bytes <= bytes >> log2;
}

/* Tail chunks of 1 << log2_tail cells for what the heads leave of the extent. */
static void cut_tail(cut *c, uint64_t extent)
{
  const uint64_t covered = UINT64_C(1) << (c->log2_first + c->heads - 1);
  const uint64_t rest = extent > covered ? extent - covered : 0;

  c->tail_slots = (rest >> c->log2_tail) + ((rest & ((UINT64_C(1) << c->log2_tail) - 1)) != 0);
}

static cut cut_fixed(uint64_t cell_bytes, uint64_t extent, uint64_t chunk)
{
  cut c = { 0, 0, 1, 0 };

  c.log2_first = sni_log2(chunk < extent ? chunk : extent);
  while (c.log2_first && !fits(cell_bytes, c.log2_first, CHUNK_BYTES))
    c.log2_first--;
  c.log2_tail = c.log2_first;
  cut_tail(&c, extent);
  return c;
}

/* Small lists stay small, long ones have few chunks: heads double until they cover the
 * extent or are large. */
static cut cut_growing(uint64_t cell_bytes, uint64_t extent)
{
  cut c = { FIRST_CELLS_LOG2, 0, 1, 0 };

  while (fits(cell_bytes, c.log2_first + 1, FIRST_BYTES))
    c.log2_first++;
  if (c.log2_first > sni_log2(extent))
    c.log2_first = sni_log2(extent);
  while (UINT64_C(1) << (c.log2_first + c.heads - 1) < extent &&
         fits(cell_bytes, c.log2_first + c.heads - 1, HEAD_BYTES))
    c.heads++;
  c.log2_tail = c.heads > 1 ? c.log2_first + c.heads - 2 : c.log2_first;
  cut_tail(&c, extent);
  while (c.tail_slots > TAIL_SLOTS && fits(cell_bytes, c.log2_tail + 1, CHUNK_BYTES)) {
    c.log2_tail++;
    cut_tail(&c, extent);
  }
  return c;
}

/* A dynamic SNode has one axis. */
static cut cut_of(const snd_snode_info *info, const int64_t *params)
{
  const int64_t extent = sni_extent_of(&info->axes[0], params);
  const uint64_t cells = extent > 0 ? (uint64_t)extent : 1;

  return info->chunk > 0 ? cut_fixed(info->cell_bytes, cells, (uint64_t)info->chunk)
                         : cut_growing(info->cell_bytes, cells);
}

/* Bodies, head chunks 1 .. heads - 1, and where there is a tail its directories and chunks. */
static uint32_t pools_of(const cut *c)
{
  return c->heads + (c->tail_slots ? 2 : 0);
}

uint32_t sni_count_pools(const sn_tree_info *info, const int64_t *params)
{
  uint32_t count = 0;

  for (uint32_t k = 1; k < info->snode_count; k++) {
    const cut c = info->snodes[k].kind == SND_SNODE_DYNAMIC ? cut_of(&info->snodes[k], params)
                                                           : (cut){ 0 };
    count += info->snodes[k].kind == SND_SNODE_DYNAMIC ? pools_of(&c)
             : info->snodes[k].kind == SND_SNODE_HASH;
  }
  return count;
}

/* The next pool of the SNode: its cells are `bytes` and the id behind them. */
static void add_pool(sn_tree *tree, int32_t owner, uint64_t bytes)
{
  snd_tree_view *view = tree->view;
  snd_snode_view *node = &view->snode[owner];
  snd_snode_view *pool = &view->snode[view->snode_count + view->pool_count];

  if (node->pool_count == 0)
    node->pool = (int32_t)(view->snode_count + view->pool_count);
  node->pool_count++;
  view->pool_count++;
  pool->kind = SND_SNODE_POOL;
  pool->parent = owner;
  pool->id_offset = (uint32_t)((bytes + 3) & ~UINT64_C(3));
  pool->cell_bytes = sni_cell_stride(pool->id_offset + sizeof(uint32_t));
}

int sni_layout_dynamic(sn_tree *tree, int32_t snode, const int64_t *params)
{
  const snd_snode_info *info = &tree->info->snodes[snode];
  snd_snode_view *node = &tree->view->snode[snode];
  const cut c = cut_of(info, params);

  if (c.tail_slots > TAIL_SLOTS_EVER || !fits(node->cell_bytes, c.log2_first, CHUNK_BYTES))
    return sni_fail(tree->context, SN_ENOMEM,
                    "%s: %s would have %llu chunks, or too large ones: choose another chunk",
                    tree->info->c_name, info->name, (unsigned long long)c.tail_slots);
  node->log2_first = c.log2_first;
  node->log2_tail = c.log2_tail;
  node->heads = c.heads;
  node->tail_slots = c.tail_slots;
  /* the slots of head chunks 1 .. heads - 1, the directory's slot */
  node->first_offset = (uint32_t)((c.heads - 1 + (c.tail_slots > 0)) * sizeof(uint64_t));
  node->length_bits = (uint32_t)sni_most(LENGTH_BITS, sni_log2(node->cells + MOST_THREADS));
  add_pool(tree, snode, node->first_offset + (node->cell_bytes << c.log2_first));
  for (uint32_t k = 1; k < c.heads; k++)
    add_pool(tree, snode, node->cell_bytes << (c.log2_first + k - 1));
  if (c.tail_slots) {
    add_pool(tree, snode, c.tail_slots * sizeof(uint64_t));
    add_pool(tree, snode, node->cell_bytes << c.log2_tail);
  }
  return SN_OK;
}

/* Keys: the next one of the chain, the slot, the own coordinates. */
void sni_layout_hash(sn_tree *tree, int32_t snode)
{
  add_pool(tree, snode, (2 + (uint64_t)tree->info->snodes[snode].axis_count) * sizeof(uint64_t));
}

/* ---- what the cells of a pool hold when they are handed out ---- */

int sni_pool_is_zero(const sn_tree *tree, int32_t pool)
{
  const snd_snode_view *owner = sni_view_of(tree, sni_view_of(tree, pool)->parent);
  const int32_t number = pool - owner->pool;

  /* keys, and directories of tails, hold words that begin as 0 */
  return owner->kind == SND_SNODE_HASH || owner->ambient_is_zero ||
         (owner->tail_slots && number == (int32_t)owner->heads);
}

void sni_write_pool_defaults(const sn_tree *tree, int32_t pool, char *cell)
{
  const int32_t snode = sni_view_of(tree, pool)->parent;
  const snd_snode_view *owner = sni_view_of(tree, snode);
  const int32_t number = pool - owner->pool;
  uint32_t log2 = owner->log2_first;
  uint64_t bytes;

  if (sni_pool_is_zero(tree, pool))
    return;
  if (number == 0)
    cell += owner->first_offset;
  else if (number < (int32_t)owner->heads)
    log2 += (uint32_t)number - 1;
  else
    log2 = owner->log2_tail;
  sni_write_defaults(tree, snode, cell);
  bytes = owner->cell_bytes << log2;
  for (uint64_t done = owner->cell_bytes; done < bytes; done += done)   /* few and long copies */
    memcpy(cell + done, cell, done);
}
