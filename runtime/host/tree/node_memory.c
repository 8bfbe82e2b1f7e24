/* Memory for the cells of pointer SNodes.
 *
 * Host: one arena of reserved address space per tree, as large as the tree could
 * need and its memory limit allows; tasks make chunks in it, and only what they
 * touch takes memory.  The tables are as long as the capacity, and as lazy.
 *
 * Devices: tasks cannot allocate, so chunks are made before them (headroom): the
 * more of 64 MiB and half of what there is; the first time a share of the
 * device's free memory, so that a first call that activates much does not fail
 * where memory is there.  Never more than the SNode can use or the limit allows.
 * Chunks come in segments, one allocation for many; the tables grow by copying.
 */
#include "runtime/host/tree/call.h"

#include <stddef.h>
#include <string.h>

#define CHUNK_BYTES (UINT64_C(256) << 10)        /* about; at least one cell */
#define CHUNK_ALIGN UINT64_C(128)                /* as snode/device/node.h makes them */
#define HEADROOM (UINT64_C(64) << 20)
#define FIRST_SHARE 4                            /* of the device's free memory */
#define FIRST_UNKNOWN (UINT64_C(256) << 20)      /* where that is not known */

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* a * b, or UINT64_MAX where that does not fit. */
static uint64_t times(uint64_t a, uint64_t b)
{
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Slots of the SNode in the whole tree. */
static uint64_t total_cells(const sn_snode_view *node)
{
  uint64_t cells = 1;

  for (int a = 0; a < SN_MAX_AXES; a++)
    cells *= (uint64_t)node->total[a];
  return cells;
}

/* Sizes of chunks, and how many cells there may ever be: each slot holds one, and
 * a task may take as many out and activate them again before GC. */
static void size_chunks(sn_tree *tree, int32_t snode)
{
  sn_snode_view *view = &tree->view->snode[snode];
  sni_node *node = &tree->nodes[snode];
  const uint64_t cells = total_cells(view);

  view->log2_chunk = 0;
  while ((UINT64_C(2) << view->log2_chunk) * view->cell_bytes <= CHUNK_BYTES &&
         UINT64_C(1) << view->log2_chunk < cells)
    view->log2_chunk++;
  node->chunk_bytes = view->cell_bytes << view->log2_chunk;
  node->chunk_bytes = (node->chunk_bytes + CHUNK_ALIGN - 1) & ~(CHUNK_ALIGN - 1);
  node->cell_limit = least(2 * cells, UINT32_MAX - (UINT32_C(1) << view->log2_chunk));
}

static uint64_t chunks_for(const sn_tree *tree, int32_t snode, uint64_t cells)
{
  const uint32_t shift = tree->view->snode[snode].log2_chunk;

  return (cells + (UINT64_C(1) << shift) - 1) >> shift;
}

/* What an inactive cell reads as. */
static int make_ambient(sn_tree *tree, int32_t snode)
{
  sn_context *context = tree->context;
  sn_snode_view *view = &tree->view->snode[snode];
  sni_block *block = &tree->nodes[snode].ambient;
  char *cell;
  int code;

  SN_TRY(sni_unit_alloc(&context->unit, view->cell_bytes, SNI_ZERO, block));
  view->ambient = block->address;
  if (view->ambient_is_zero)
    return SN_OK;
  cell = sni_new(&context->accounts, 1, view->cell_bytes);
  if (!cell)
    return SN_ENOMEM;
  sni_write_defaults(tree, snode, cell);
  code = sni_unit_put(&context->unit, view->ambient, cell, view->cell_bytes);
  sni_delete(&context->accounts, cell, 1, view->cell_bytes);
  return code;
}

/* ---- host ---- */

static int make_arena(sn_tree *tree)
{
  sni_unit *unit = &tree->context->unit;
  uint64_t need = 0, first = 0;
  sn_arena *arena;

  for (uint32_t k = 1; k < tree->view->snode_count; k++)
    if (sni_is_pointer(tree, (int32_t)k)) {
      const sni_node *node = &tree->nodes[k];
      need = plus(need, times(chunks_for(tree, (int32_t)k, node->cell_limit), node->chunk_bytes));
      first = plus(first, node->chunk_bytes);
    }
  if (need == 0)
    return SN_OK;
  need = least(need, tree->memory_limit);
  need = least(need, SIZE_MAX / 2);
  SN_TRY(sni_unit_alloc(unit, sizeof *arena, SNI_ZERO, &tree->arena_block));
  SN_TRY(sni_unit_reserve(unit, need, least(need, first), &tree->arena_pages));
  arena = sni_pointer(tree->arena_block.address);
  arena->base = tree->arena_pages.address;
  arena->bytes = least(tree->arena_pages.bytes, tree->memory_limit);
  tree->view->arena = tree->arena_block.address;
  return SN_OK;
}

/* Tables for as many cells as the arena can hold and a chunk more, so that it is
 * the arena that runs out, and the error is one of memory. */
static int make_host_tables(sn_tree *tree, int32_t snode)
{
  sni_unit *unit = &tree->context->unit;
  const sn_arena *arena = sni_pointer(tree->arena_block.address);
  sn_snode_view *view = &tree->view->snode[snode];
  sni_node *node = &tree->nodes[snode];
  const uint64_t fit = times(arena->bytes / node->chunk_bytes + 1, UINT64_C(1) << view->log2_chunk);

  view->capacity = least(node->cell_limit, fit);
  node->table_cells = view->capacity;
  SN_TRY(sni_unit_alloc(unit, chunks_for(tree, snode, view->capacity) * sizeof(sn_addr), SNI_ZERO,
                        &node->chunks));
  SN_TRY(sni_unit_alloc(unit, view->capacity * sizeof(uint32_t), SNI_ZERO, &node->free_ids));
  SN_TRY(sni_unit_alloc(unit, view->capacity * sizeof(uint32_t), SNI_ZERO, &node->recycled_ids));
  view->chunks = node->chunks.address;
  view->free_ids = node->free_ids.address;
  view->recycled_ids = node->recycled_ids.address;
  return SN_OK;
}

/* ---- any unit ---- */

int sni_node_memory_create(sn_tree *tree)
{
  for (uint32_t k = 1; k < tree->view->snode_count; k++)
    if (sni_is_pointer(tree, (int32_t)k)) {
      size_chunks(tree, (int32_t)k);
      SN_TRY(make_ambient(tree, (int32_t)k));
    }
  if (!sni_on_host(tree))
    return SN_OK;
  SN_TRY(make_arena(tree));
  for (uint32_t k = 1; k < tree->view->snode_count; k++)
    if (sni_is_pointer(tree, (int32_t)k))
      SN_TRY(make_host_tables(tree, (int32_t)k));
  return SN_OK;
}

void sni_node_memory_destroy(sn_tree *tree)
{
  sni_unit *unit = &tree->context->unit;

  for (uint32_t k = 0; k < tree->info->snode_count; k++) {
    sni_node *node = &tree->nodes[k];
    sni_unit_free(unit, &node->ambient);
    sni_unit_free(unit, &node->chunks);
    sni_unit_free(unit, &node->free_ids);
    sni_unit_free(unit, &node->recycled_ids);
    for (size_t s = 0; s < node->segment_count; s++)
      sni_unit_free(unit, &node->segments[s]);
    sni_delete(unit->accounts, node->segments, node->segment_capacity, sizeof *node->segments);
  }
  sni_unit_free(unit, &tree->arena_pages);
  sni_unit_free(unit, &tree->arena_block);
}

uint64_t sni_cells_made(const sn_tree *tree, int32_t snode)
{
  return tree->counters[snode].chunks_made << tree->view->snode[snode].log2_chunk;
}

uint64_t sni_cells_in_use(const sn_tree *tree, int32_t snode)
{
  const sn_counters *counters = &tree->counters[snode];

  return counters->reserved - (counters->free - counters->taken);
}

uint64_t sni_cells_ready(const sn_tree *tree, int32_t snode)
{
  return least(sni_cells_made(tree, snode), tree->nodes[snode].cell_limit) -
         sni_cells_in_use(tree, snode);
}

/* ---- devices ---- */

uint64_t sni_headroom(const sn_tree *tree, int32_t snode)
{
  const uint64_t made = sni_cells_made(tree, snode);
  uint64_t bytes = most(HEADROOM, tree->reserve);
  uint64_t nodes = 0;

  for (uint32_t k = 1; k < tree->view->snode_count; k++)
    nodes += (uint64_t)sni_is_pointer(tree, (int32_t)k);
  if (made == 0) {
    const uint64_t free = sni_unit_free_memory(&tree->context->unit);
    bytes = most(bytes, (free ? free / FIRST_SHARE : FIRST_UNKNOWN) / nodes);
  }
  return most(bytes / tree->view->snode[snode].cell_bytes, made / 2);
}

/* A longer table; the first `kept` bytes stay.  Nothing changes on failure. */
static int regrow(sni_unit *unit, sni_block *block, uint64_t kept, uint64_t bytes)
{
  sni_block grown;
  int code;

  if (block->usable >= bytes)
    return SN_OK;
  SN_TRY(sni_unit_alloc(unit, bytes, SNI_ANY, &grown));
  code = sni_unit_copy(unit, grown.address, block->address, kept);
  if (code != SN_OK) {
    sni_unit_free(unit, &grown);
    return code;
  }
  sni_unit_free(unit, block);
  *block = grown;
  return SN_OK;
}

static int grow_tables(sn_tree *tree, int32_t snode, uint64_t cells)
{
  sni_unit *unit = &tree->context->unit;
  sni_node *node = &tree->nodes[snode];
  sn_snode_view *view = &tree->view->snode[snode];
  const sn_counters *counters = &tree->counters[snode];
  int code;

  code = regrow(unit, &node->chunks, counters->chunks_made * sizeof(sn_addr),
                chunks_for(tree, snode, cells) * sizeof(sn_addr));
  if (code == SN_OK)
    code = regrow(unit, &node->free_ids, counters->free * sizeof(uint32_t),
                  cells * sizeof(uint32_t));
  if (code == SN_OK)
    code = regrow(unit, &node->recycled_ids, counters->recycled * sizeof(uint32_t),
                  cells * sizeof(uint32_t));
  /* Those that did grow have moved. */
  view->chunks = node->chunks.address;
  view->free_ids = node->free_ids.address;
  view->recycled_ids = node->recycled_ids.address;
  tree->view_is_stale = 1;
  return code;
}

/* A segment of at most *chunks chunks, halving until it can be had. */
static int new_segment(sn_tree *tree, int32_t snode, uint64_t *chunks, sni_block *segment)
{
  sni_unit *unit = &tree->context->unit;
  sni_node *node = &tree->nodes[snode];
  void *segments = node->segments;

  if (!sni_grow(unit->accounts, &segments, &node->segment_capacity, node->segment_count + 1,
                sizeof *node->segments))
    return SN_ENOMEM;
  node->segments = segments;
  for (; *chunks; *chunks /= 2)
    if (sni_unit_alloc(unit, *chunks * node->chunk_bytes, SNI_ANY, segment) == SN_OK) {
      node->segments[node->segment_count++] = *segment;
      tree->chunk_bytes += *chunks * node->chunk_bytes;
      return SN_OK;
    }
  return SN_ENOMEM;
}

/* Writes the new chunks' addresses behind the others. */
static int enter_chunks(sn_tree *tree, int32_t snode, const sni_block *segment, uint64_t chunks)
{
  sni_unit *unit = &tree->context->unit;
  const uint64_t bytes = tree->nodes[snode].chunk_bytes;
  const uint64_t made = tree->counters[snode].chunks_made;
  sn_addr *addresses = sni_new(unit->accounts, chunks, sizeof *addresses);
  int code;

  if (!addresses)
    return SN_ENOMEM;
  for (uint64_t k = 0; k < chunks; k++)
    addresses[k] = segment->address + k * bytes;
  code = sni_unit_put(unit, tree->view->snode[snode].chunks + made * sizeof *addresses, addresses,
                      chunks * sizeof *addresses);
  sni_delete(unit->accounts, addresses, chunks, sizeof *addresses);
  return code;
}

/* Tells the device how many chunks there are now. */
static int publish_chunks(sn_tree *tree, int32_t snode, uint64_t made)
{
  const sn_addr place = tree->view->counters + (uint64_t)snode * sizeof(sn_counters) +
                        offsetof(sn_counters, chunks_made);

  SN_TRY(sni_unit_put(&tree->context->unit, place, &made, sizeof made));
  tree->counters[snode].chunks_made = made;
  return SN_OK;
}

/* How many chunks to add for `want` ready cells: as the limits allow; half of that
 * at least, so that tasks which activate a little do not each add a little. */
static uint64_t chunks_to_add(const sn_tree *tree, int32_t snode, uint64_t want)
{
  const sni_node *node = &tree->nodes[snode];
  const uint64_t ready = sni_cells_ready(tree, snode);
  const uint64_t made = sni_cells_made(tree, snode);
  uint64_t cells;

  if (ready >= want || made >= node->cell_limit)
    return 0;
  cells = least(most(want - ready, want / 2), node->cell_limit - made);
  return least(chunks_for(tree, snode, cells),
               (tree->memory_limit - least(tree->chunk_bytes, tree->memory_limit)) /
                 node->chunk_bytes);
}

int sni_node_grow(sn_call *call, int32_t slot, int32_t snode, uint64_t want)
{
  sn_tree *tree = call->trees[slot];
  sn_snode_view *view = &tree->view->snode[snode];
  const uint64_t first = sni_cells_made(tree, snode);
  uint64_t chunks = chunks_to_add(tree, snode, want);
  sni_block segment;
  sn_init init;

  if (chunks == 0 ||
      grow_tables(tree, snode, first + (chunks << view->log2_chunk)) != SN_OK ||
      new_segment(tree, snode, &chunks, &segment) != SN_OK ||
      enter_chunks(tree, snode, &segment, chunks) != SN_OK ||
      publish_chunks(tree, snode, (first >> view->log2_chunk) + chunks) != SN_OK)
    return 0;
  init.first = first;
  init.last = first + (chunks << view->log2_chunk);
  view->capacity = least(init.last, tree->nodes[snode].cell_limit);
  tree->view_is_stale = 1;
  sni_call_runtime(call, SN_RT_INIT, slot, snode, &init);
  return call->code == SN_OK;
}
