/* Memory of the node managers: of pointer and hash SNodes, and of the pools that serve
 * dynamic and hash SNodes.  Here what every unit needs, and the host's; headroom.c has
 * the devices'.
 *
 * Host: tasks make chunks and lists in the tree's arena (arena.c), as many as the memory limit
 * allows.  Where chunks are is told by tables as long as the capacity, reserved at once and
 * touched where they are used: a word for some 256 KiB of cells, one for 32768 ids.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/arena.h"
#include "runtime/host/tree/call.h"
#include "runtime/host/tree/chunk_pool.h"
#include "runtime/host/tree/defaults.h"
#include "runtime/host/tree/pools.h"
#include "runtime/host/tree/snode_memory.h"

#define CHUNK_BYTES (UINT64_C(256) << 10)        /* about; at least one cell */
#define CHUNK_ALIGN UINT64_C(4096)               /* what a chunk takes at least */
#define SPARE_CELLS (UINT64_C(1) << 20)

/* Cells of the SNode in the whole tree; of one below a hash: more than can be had. */
static uint64_t total_cells(const snd_snode_view *node)
{
  uint64_t cells = node->open_axes ? UINT64_MAX : 1;

  for (int a = 0; a < SN_MAX_AXES && !node->open_axes; a++)
    cells = sni_times(cells, (uint64_t)node->total[a]);
  return cells;
}

/* Cells that can be active at once: of a pool a body, a head chunk or a directory for each
 * container, tail chunks for each of the directory's slots, a key for each cell. */
static uint64_t active_at_most(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *node = sni_view_of(tree, snode);
  const snd_snode_view *owner;
  uint64_t containers;

  if (node->kind != SND_SNODE_POOL)
    return total_cells(node);
  owner = sni_view_of(tree, node->parent);
  containers = total_cells(sni_view_of(tree, owner->parent));
  if (owner->kind == SND_SNODE_HASH)
    return total_cells(owner);
  return snode == owner->pool + (int32_t)owner->heads + 1
           ? sni_times(containers, owner->tail_slots) : containers;
}

/* Ids are 32 bits; those of a dynamic SNode's bodies share a word with the length. */
static uint64_t ids_at_most(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *view = sni_view_of(tree, snode);
  const snd_snode_view *owner = sni_view_of(tree, sni_owner_of(tree, snode));
  const uint64_t ids = UINT32_MAX - (UINT32_C(1) << view->log2_chunk);

  return owner->kind == SND_SNODE_DYNAMIC && snode == owner->pool
           ? sni_least(ids, (UINT64_MAX >> owner->length_bits) - SND_FIRST_BODY) : ids;
}

/* Sizes of chunks, which fill the pages that they take anyway, and how many cells there may
 * ever be: those that can be active, and as many again and more that one task may take out
 * and activate anew before GC. */
static void size_chunks(sn_tree *tree, int32_t snode)
{
  snd_snode_view *view = &tree->view->snode[snode];
  sni_snode *node = &tree->snodes[snode];

  node->cells_at_most = active_at_most(tree, snode);
  while (view->parts == 1 && view->cell_bytes <= CHUNK_BYTES >> (view->log2_chunk + 1) &&
         (UINT64_C(1) << view->log2_chunk < node->cells_at_most ||
          view->cell_bytes << (view->log2_chunk + 1) <= CHUNK_ALIGN))
    view->log2_chunk++;
  node->chunk_bytes = sni_round_chunk(sni_cell_bytes(view) << view->log2_chunk);
  node->cell_limit = sni_least(sni_plus(sni_times(2, node->cells_at_most), SPARE_CELLS),
                               ids_at_most(tree, snode));
}

uint64_t sni_chunks_for(const sn_tree *tree, int32_t snode, uint64_t cells)
{
  const uint32_t shift = tree->view->snode[snode].log2_chunk;

  return (cells + (UINT64_C(1) << shift) - 1) >> shift;
}

static void write_defaults(const sn_tree *tree, int32_t snode, char *cell)
{
  if (sni_is_pool(tree, snode))
    sni_write_pool_defaults(tree, snode, cell);
  else
    sni_write_defaults(tree, snode, cell);
}

/* From the first to the last part, where the cells are split. */
static uint64_t ambient_bytes(const snd_snode_view *view)
{
  return (uint64_t)(view->parts - 1) * (view->cell_bytes << view->log2_chunk) + view->cell_bytes;
}

static int send_defaults(sn_tree *tree, int32_t snode)
{
  sn_context *context = tree->context;
  const snd_snode_view *view = sni_view_of(tree, snode);
  const uint64_t bytes = ambient_bytes(view);
  char *cell = sni_new(&context->accounts, 1, bytes);
  int code;

  if (!cell)
    return SN_ENOMEM;
  write_defaults(tree, snode, cell);
  code = sni_memory_put(&context->memory, view->ambient, cell, bytes);
  sni_delete(&context->accounts, cell, 1, bytes);
  return code;
}

/* What an inactive cell reads as; of a pool what a cell holds when it is handed out, for
 * which nothing is needed where that is zero. */
static int make_ambient(sn_tree *tree, int32_t snode)
{
  sni_memory *memory = &tree->context->memory;
  snd_snode_view *view = &tree->view->snode[snode];
  sni_block *block = &tree->snodes[snode].ambient;

  if (view->kind == SND_SNODE_POOL && view->ambient_is_zero)
    return SN_OK;
  SN_TRY(sni_memory_alloc(memory, ambient_bytes(view), SNI_ZERO, block));
  view->ambient = block->address;
  if (view->ambient_is_zero)
    return SN_OK;
  if (!sni_on_host(tree))
    return send_defaults(tree, snode);
  write_defaults(tree, snode, sni_pointer(view->ambient));
  return SN_OK;
}

/* ---- host ---- */

/* Bytes of all chunks that there can be. */
static uint64_t chunks_at_most(const sn_tree *tree)
{
  uint64_t bytes = 0;

  for (uint32_t k = 1; k < tree->node_count; k++)
    if (sni_has_manager(tree, (int32_t)k)) {
      const sni_snode *node = &tree->snodes[k];
      bytes = sni_plus(bytes, sni_times(sni_chunks_for(tree, (int32_t)k, node->cell_limit),
                                        node->chunk_bytes));
    }
  return sni_least(sni_least(bytes, sni_budget_limit(&tree->budget)), SIZE_MAX / 4);
}

/* Cells that there can be in so many bytes, and a chunk more, so that it is the arena that runs
 * out, and the error is one of memory. */
static uint64_t capacity_of(const sn_tree *tree, int32_t snode, uint64_t bytes)
{
  const sni_snode *node = &tree->snodes[snode];
  const uint64_t fit = sni_times(bytes / node->chunk_bytes + 1,
                                 UINT64_C(1) << sni_view_of(tree, snode)->log2_chunk);

  return sni_least(node->cell_limit, fit);
}

/* What the lists of ids take with so many cells: the free list, at most twice as long, was half
 * and a quarter of that before. */
static uint64_t list_bytes(uint64_t cells)
{
  return sni_recycled_chunks(cells) * SND_RECYCLED_BYTES +
         4 * (cells + SND_SPARE_IDS) * sizeof(uint32_t);
}

/* Address space for the chunks of cells, and for the lists that all of them would need. */
static int make_arena(sn_tree *tree)
{
  const uint64_t chunks = chunks_at_most(tree);
  uint64_t bytes = chunks;

  if (chunks == 0)
    return SN_OK;
  for (uint32_t k = 1; k < tree->node_count; k++)
    if (sni_has_manager(tree, (int32_t)k)) {
      const uint64_t capacity = capacity_of(tree, (int32_t)k, chunks);
      tree->view->snode[k].capacity = capacity;
      bytes = sni_plus(bytes, list_bytes(capacity));
    }
  return sni_arena_create(tree, bytes);
}

/* ---- any unit ---- */

uint64_t sni_recycled_chunks(uint64_t cells)
{
  return (cells + SND_SPARE_IDS + SND_RECYCLED_PLACES - 1) / SND_RECYCLED_PLACES;
}

/* From one table to the next: no cache line is shared. */
static uint64_t table_bytes(uint64_t chunks)
{
  return (chunks * sizeof(sn_addr) + 63) & ~UINT64_C(63);
}

/* Of the chunks of the recycled list that there can ever be. */
static uint64_t recycled_table(const sn_tree *tree, int32_t snode)
{
  const uint64_t cells = sni_on_host(tree) ? sni_view_of(tree, snode)->capacity
                                           : tree->snodes[snode].cell_limit;

  return table_bytes(sni_recycled_chunks(cells));
}

/* Of the chunks of cells, on hosts: headroom.c has the devices'. */
static uint64_t chunk_table(const sn_tree *tree, int32_t snode)
{
  const uint64_t capacity = sni_view_of(tree, snode)->capacity;

  return sni_on_host(tree) ? table_bytes(sni_chunks_for(tree, snode, capacity)) : 0;
}

/* One stretch for all of them: a process can map only so many. */
static int make_tables(sn_tree *tree)
{
  uint64_t bytes = 0;
  sn_addr at;

  for (uint32_t k = 1; k < tree->node_count; k++)
    if (sni_has_manager(tree, (int32_t)k))
      bytes += recycled_table(tree, (int32_t)k) + chunk_table(tree, (int32_t)k);
  if (bytes == 0)
    return SN_OK;
  SN_TRY(sni_memory_alloc(&tree->context->memory, bytes,
                          sni_on_host(tree) ? SNI_SPARSE : SNI_ZERO, &tree->tables_block));
  at = tree->tables_block.address;
  for (uint32_t k = 1; k < tree->node_count; k++)
    if (sni_has_manager(tree, (int32_t)k)) {
      snd_snode_view *view = &tree->view->snode[k];
      view->recycled_chunks = at;
      at += recycled_table(tree, (int32_t)k);
      view->chunks = sni_on_host(tree) ? at : 0;
      at += chunk_table(tree, (int32_t)k);
    }
  return SN_OK;
}

static int has_managers(const sn_tree *tree)
{
  for (uint32_t k = 1; k < tree->node_count; k++)
    if (sni_has_manager(tree, (int32_t)k))
      return 1;
  return 0;
}

int sni_snode_memory_create(sn_tree *tree)
{
  for (uint32_t k = 1; k < tree->node_count; k++) {
    if (sni_has_manager(tree, (int32_t)k))
      size_chunks(tree, (int32_t)k);
    if (sni_has_manager(tree, (int32_t)k) || sni_is_dynamic(tree, (int32_t)k))
      SN_TRY(make_ambient(tree, (int32_t)k));
  }
  if (sni_on_host(tree))
    SN_TRY(make_arena(tree));
  else if (has_managers(tree))
    SN_TRY(sni_chunk_pool_open(tree, &tree->view->arena));
  return make_tables(tree);
}

void sni_snode_memory_destroy(sn_tree *tree)
{
  sni_memory *memory = &tree->context->memory;

  for (uint32_t k = 0; k < tree->node_count; k++) {
    sni_snode *node = &tree->snodes[k];
    sni_memory_free(memory, &node->ambient);
    sni_memory_free(memory, &node->chunks);
    sni_memory_free(memory, &node->free_ids);
    for (size_t s = 0; s < node->segment_count; s++)
      sni_memory_free(memory, &node->segments[s]);
    sni_delete(memory->accounts, node->segments, node->segment_capacity, sizeof *node->segments);
  }
  sni_memory_free(memory, &tree->tables_block);
  sni_chunk_pool_give(tree);
  sni_arena_destroy(tree);
}

uint64_t sni_cells_made(const sn_tree *tree, int32_t snode)
{
  return tree->counters[snode].chunks_made << tree->view->snode[snode].log2_chunk;
}

uint64_t sni_cells_in_use(const sn_tree *tree, int32_t snode)
{
  const snd_snode_counters *counters = &tree->counters[snode];

  return counters->reserved - (counters->free - counters->taken);
}

uint64_t sni_cells_ever(const sn_tree *tree, int32_t snode)
{
  const snd_snode_counters *counters = &tree->counters[snode];

  return counters->reserved - (counters->free - counters->ready);
}

uint64_t sni_cells_ready(const sn_tree *tree, int32_t snode)
{
  return sni_least(sni_cells_made(tree, snode), tree->snodes[snode].cell_limit) -
         sni_cells_in_use(tree, snode);
}
