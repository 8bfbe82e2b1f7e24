/* Where what tasks may cut off stands, and how the pool grows: chunk_pool.h.
 *
 * The pool has segments, each one allocation.  Of their memory a part belongs to trees, a part is
 * free, and one slice of what is free is the current one, which tasks cut from.  A GPU's is zeroed
 * when it becomes current: its tasks rely on it (node.h).  A processor's image does not, and the
 * memory is not touched before it is used.
 */
#include "runtime/host/base/allowed.h"
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/arena.h"
#include "runtime/host/tree/chunk_pool.h"

#define MILLION UINT64_C(1000000)                /* a share is told in millionths */
#define UNKNOWN (UINT64_C(256) << 20)            /* where what is free cannot be asked */

/* ---- the record ---- */

int sni_chunk_pool_send(sn_context *context)
{
  sni_chunk_pool *pool = context->pool;

  SN_TRY(sni_memory_put(&context->memory, pool->record.address, &pool->arena,
                        sizeof pool->arena));
  pool->is_stale = 0;
  return SN_OK;
}

int sni_chunk_pool_fetch(sn_context *context, snd_arena *arena)
{
  return sni_memory_get(&context->memory, arena, context->pool->record.address, sizeof *arena);
}

static uint64_t rest_of(const sni_chunk_pool *pool)
{
  return pool->end - pool->arena.next;
}

/* ---- making and ending ---- */

static void free_pool(sn_context *context)
{
  sni_chunk_pool *pool = context->pool;

  for (size_t k = 0; k < pool->segment_count; k++)
    sni_memory_free(&context->memory, &pool->segments[k]);
  sni_delete(&context->accounts, pool->segments, pool->segment_capacity, sizeof *pool->segments);
  sni_slices_free(&pool->free, &context->accounts);
  sni_slices_free(&pool->cut, &context->accounts);
  sni_memory_free(&context->memory, &pool->record);
  sni_delete(&context->accounts, pool, 1, sizeof *pool);
  context->pool = NULL;
}

static int make_pool(sn_context *context)
{
  int code;

  context->pool = sni_new(&context->accounts, 1, sizeof *context->pool);
  if (!context->pool)
    return SN_ENOMEM;
  context->free_pool = free_pool;
  code = sni_memory_alloc(&context->memory, sizeof(snd_arena), SNI_ZERO, &context->pool->record);
  if (code != SN_OK)
    free_pool(context);
  return code;
}

int sni_chunk_pool_open(sn_tree *tree, sn_addr *record)
{
  sn_context *context = tree->context;

  *record = 0;
  if (context->options.value[OPTION_pool] == 0)
    return SN_OK;
  if (!context->pool)
    SN_TRY(make_pool(context));
  *record = context->pool->record.address;
  return SN_OK;
}

/* What the option says: bytes, or a share of what is free now; of a processor's image, which
 * touches of it what it uses, of what this process may have. */
static uint64_t size_asked(sn_context *context)
{
  const int64_t asked = context->options.value[OPTION_pool];
  uint64_t free;

  if (asked > 0)
    return sni_round_chunk((uint64_t)asked);
  free = context->memory.is_processor ? sni_memory_allowed()
                                      : sni_memory_available(&context->memory);
  return free ? sni_round_chunk(free / MILLION * (uint64_t)-asked) : UNKNOWN;
}

/* ---- refilling ---- */

/* The current slice is no longer one. */
static void lay_down(sn_context *context)
{
  sni_chunk_pool *pool = context->pool;
  const sni_slice rest = { pool->arena.next, rest_of(pool) };

  (void)sni_slices_add(&pool->free, &context->accounts, rest);
  pool->arena.next = pool->arena.end = pool->end = 0;
}

/* The memory of a segment that slices may lie in.  Those of two segments never touch: behind this
 * there is more of the allocation. */
static sni_slice inside(const sni_block *segment)
{
  const sn_addr at = sni_round_chunk(segment->address);
  const sni_slice slice = {
    at, (segment->address + segment->usable - at) & ~(uint64_t)(SND_ARENA_ALIGN - 1)
  };

  return slice;
}

/* A segment of so many bytes, halving until it can be had, but of more than `have`; without one
 * nothing changes. */
static void add_segment(sn_context *context, uint64_t bytes, uint64_t have)
{
  sni_chunk_pool *pool = context->pool;
  void *segments = pool->segments;
  sni_block segment;
  sni_slice slice;

  if (!sni_grow(&context->accounts, &segments, &pool->segment_capacity, pool->segment_count + 1,
                sizeof *pool->segments))
    return;
  pool->segments = segments;
  for (; bytes > have && bytes >= SND_ARENA_ALIGN; bytes /= 2) {
    /* An end of a page more, as chunks begin on pages. */
    if (sni_memory_alloc(&context->memory, bytes + SND_ARENA_ALIGN, SNI_ANY, &segment) != SN_OK)
      continue;
    slice = inside(&segment);
    if (!sni_slices_add(&pool->free, &context->accounts, slice)) {
      sni_memory_free(&context->memory, &segment);
      return;
    }
    pool->segments[pool->segment_count++] = segment;
    return;
  }
}

/* The largest free slice becomes the current one.  SN_EDEVICE: it could not be zeroed. */
static int take_up(sn_context *context, uint64_t limit)
{
  sni_chunk_pool *pool = context->pool;
  const sni_slice slice = sni_slices_largest(&pool->free);

  sni_slices_remove(&pool->free, &context->accounts, slice);
  pool->arena.next = slice.at;
  pool->arena.end = slice.at + sni_least(slice.bytes, limit);
  pool->end = slice.at + slice.bytes;
  if (slice.bytes == 0 || context->memory.is_processor)
    return SN_OK;
  return sni_memory_zero(&context->memory, slice.at, slice.bytes);
}

int sni_chunk_pool_refill(sn_context *context, uint64_t limit)
{
  sni_chunk_pool *pool = context->pool;
  uint64_t wanted, largest;

  if (pool->wanted == 0)
    pool->wanted = size_asked(context);
  wanted = sni_least(pool->wanted, sni_round_chunk(sni_least(limit, UINT64_MAX / 2)));
  if (rest_of(pool) >= (wanted + 1) / 2) {
    pool->arena.end = pool->arena.next + sni_least(rest_of(pool), limit);
    return SN_OK;
  }
  lay_down(context);
  largest = sni_slices_largest(&pool->free).bytes;
  if (largest < (wanted + 1) / 2)
    add_segment(context, wanted, largest);
  return take_up(context, limit);
}

sni_chunk_pool_state sni_chunk_pool_look(sn_context *context)
{
  const sni_chunk_pool *pool = context->pool;
  sni_chunk_pool_state state = { 0, 0, 0 };
  snd_arena now;

  if (!pool)
    return state;
  state.size = pool->wanted;
  if (!pool->is_stale && sni_chunk_pool_fetch(context, &now) == SN_OK) {
    state.left = now.end - now.next;
    state.cut = now.next - pool->arena.next;
  }
  return state;
}

/* ---- a tree ends ---- */

/* Segments of which nothing is used go back to the device, but for the largest of them. */
static void shrink(sn_context *context)
{
  sni_chunk_pool *pool = context->pool;
  sni_block *kept = NULL;
  size_t count = 0;

  for (size_t k = 0; k < pool->segment_count; k++)
    if (sni_slices_have(&pool->free, inside(&pool->segments[k])) &&
        (!kept || pool->segments[k].usable > kept->usable))
      kept = &pool->segments[k];
  for (size_t k = 0; k < pool->segment_count; k++) {
    sni_block *segment = &pool->segments[k];
    if (segment != kept && sni_slices_have(&pool->free, inside(segment))) {
      sni_slices_remove(&pool->free, &context->accounts, inside(segment));
      sni_memory_free(&context->memory, segment);
    }
  }
  for (size_t k = 0; k < pool->segment_count; k++)
    if (pool->segments[k].raw)
      pool->segments[count++] = pool->segments[k];
  pool->segment_count = count;
}

void sni_chunk_pool_give_slice(sn_tree *tree, sni_slice slice)
{
  sn_context *context = tree->context;

  if (slice.bytes == 0)
    return;
  sni_slices_remove(&tree->slices, &context->accounts, slice);
  (void)sni_slices_add(&context->pool->free, &context->accounts, slice);
}

void sni_chunk_pool_give(sn_tree *tree)
{
  sn_context *context = tree->context;

  for (size_t k = 0; k < tree->slices.count; k++)
    (void)sni_slices_add(&context->pool->free, &context->accounts, tree->slices.all[k]);
  if (tree->slices.count) {
    lay_down(context);
    shrink(context);
    context->pool->is_stale = 1;
  }
  sni_slices_free(&tree->slices, &context->accounts);
}
