/* The arena of a tree on the host: memory for its node managers, chunks of cells and lists of ids.
 *
 * Address space is reserved in stretches, when a chunk asks for more: the first is small, and each
 * further one as large as all before it, so that a tree holds at most about twice what its cells
 * take; memory is taken only where it is touched.  A stretch reads as zero.  Chunks come out of the
 * last one, in order; what an older one has left is too small for a chunk that did not fit.
 *
 * A task's threads ask while it runs, those of different SNodes at once: the context's memory lock
 * is held for what they share, the accounts too.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/arena.h"

#include <stdatomic.h>

#define FIRST_STRETCH (UINT64_C(32) << 20)

/* 0: the last stretch has not so much left. */
static sn_addr take_from_last(sn_tree *tree, uint64_t bytes)
{
  const sni_block *last = tree->stretch_count ? &tree->stretches[tree->stretch_count - 1] : NULL;
  sn_addr at;

  if (!last || bytes > last->bytes - tree->stretch_used)
    return 0;
  at = last->address + tree->stretch_used;
  tree->stretch_used += bytes;
  return at;
}

/* Tells tasks of the last stretch.  Release: who finds the count finds what is counted. */
static void tell_stretch(const sn_tree *tree, const sni_block *block)
{
  snd_arena *arena = sni_pointer(tree->arena_block.address);
  const uint64_t at = arena->stretch_count;

  if (at == SND_STRETCHES)
    return;
  arena->stretch[at] = (snd_stretch){ block->address, block->bytes };
  atomic_store_explicit((_Atomic uint64_t *)&arena->stretch_count, at + 1, memory_order_release);
}

/* A stretch of at least so many bytes; 0: it could not be had. */
static int add_stretch(sn_tree *tree, uint64_t bytes)
{
  sn_context *context = tree->context;
  const uint64_t rest = tree->arena_most - sni_least(tree->arena_most, tree->stretch_bytes);
  const uint64_t wanted = sni_least(sni_most(tree->stretch_bytes, FIRST_STRETCH), rest);
  void *stretches = tree->stretches;
  sni_block block;

  if (!sni_grow(&context->accounts, &stretches, &tree->stretch_capacity, tree->stretch_count + 1,
                sizeof *tree->stretches))
    return 0;
  tree->stretches = stretches;
  if (sni_memory_reserve(&context->memory, sni_most(wanted, bytes), bytes, &block) != SN_OK)
    return 0;
  tree->stretches[tree->stretch_count++] = block;
  tree->stretch_bytes += block.bytes;
  tree->stretch_used = 0;
  tell_stretch(tree, &block);
  return 1;
}

/* snd_arena's take: a memory limit counts cells. */
static sn_addr take(void *user, uint64_t bytes, int is_cells)
{
  sn_tree *tree = user;
  const uint64_t whole = sni_round_chunk(bytes), counted = is_cells ? whole : 0;
  sn_addr at = 0;

  sni_mutex_lock(&tree->context->memory_lock);
  if (sni_budget_take(&tree->budget, counted)) {
    at = take_from_last(tree, whole);
    if (!at && add_stretch(tree, whole))
      at = take_from_last(tree, whole);
    if (!at)
      sni_budget_give(&tree->budget, counted);
  }
  sni_mutex_unlock(&tree->context->memory_lock);
  return at;
}

int sni_arena_create(sn_tree *tree, uint64_t most)
{
  snd_arena *arena;

  tree->arena_most = most;
  SN_TRY(sni_memory_alloc(&tree->context->memory, sizeof *arena, SNI_ZERO, &tree->arena_block));
  arena = sni_pointer(tree->arena_block.address);
  arena->user = sni_address(tree);
  arena->take = (sn_addr)(uintptr_t)take;
  tree->view->arena = tree->arena_block.address;
  return SN_OK;
}

void sni_arena_destroy(sn_tree *tree)
{
  sn_context *context = tree->context;

  for (size_t k = 0; k < tree->stretch_count; k++)
    sni_memory_free(&context->memory, &tree->stretches[k]);
  sni_delete(&context->accounts, tree->stretches, tree->stretch_capacity,
             sizeof *tree->stretches);
  sni_memory_free(&context->memory, &tree->arena_block);
}
