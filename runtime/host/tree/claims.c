/* Where the iterations of a task with [[unique]] claim what they name, under --check=race:
 * the table of snode/device/claim.h, in the unit, made by the first such kernel and kept
 * with the call.
 */
#include "runtime/host/tree/claims.h"

#include <stddef.h>

/* Of an entry: an iteration's indices and what it claims.  Longer ones make fewer. */
enum { ENTRY_WORDS = 8 };

static const uint64_t most_claims = UINT64_C(1) << 31;   /* their numbers have 32 bits */

static int claims(const sn_kernel_info *kernel)
{
  for (uint32_t k = 0; kernel && k < kernel->task_count; k++)
    if (kernel->tasks[k].flags & SND_TASK_CLAIMS)
      return 1;
  return 0;
}

/* At least twice as many as there can be entries: a search soon ends at an empty one. */
static uint64_t slots_for(uint64_t capacity)
{
  uint64_t count = 2;

  while (count < 2 * capacity)
    count *= 2;
  return count;
}

/* One block: the head, the slots, the entries. */
static int make_table(sn_call *call)
{
  const uint64_t asked = (uint64_t)call->context->options.value[OPTION_claims];
  snd_claims *head = &call->claims;
  uint64_t slots_at = sizeof *head, entries_at;

  *head = (snd_claims){ .capacity = asked < most_claims ? asked : most_claims };
  head->slot_count = slots_for(head->capacity);
  head->entry_words = ENTRY_WORDS * head->capacity;
  entries_at = slots_at + head->slot_count * sizeof(uint64_t);
  SN_TRY(sni_memory_alloc(&call->context->memory,
                          (size_t)(entries_at + head->entry_words * sizeof(int64_t)), SNI_ZERO,
                          &call->claims_block));
  head->slots = call->claims_block.address + slots_at;
  head->entries = call->claims_block.address + entries_at;
  return SN_OK;
}

int sni_claims_begin(sn_call *call)
{
  if (!claims(call->kernel))
    return SN_OK;
  if (!call->claims_block.address)
    SN_TRY(make_table(call));
  call->launch->claims = call->claims_block.address;
  return SN_OK;
}

/* What the slots hold of tasks before counts as empty; after 2^32 - 1 tasks they are emptied. */
int sni_claims_next(sn_call *call)
{
  snd_claims *head = &call->claims;
  sni_memory *memory = &call->context->memory;

  if (head->task == UINT32_MAX) {
    head->task = 0;
    SN_TRY(sni_memory_zero(memory, head->slots, (size_t)(head->slot_count * sizeof(uint64_t))));
  }
  head->task++;
  return sni_memory_put(memory, call->claims_block.address, head, sizeof *head);
}
