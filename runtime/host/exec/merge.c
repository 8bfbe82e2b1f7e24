/* Merge buffers: a queue's second array of a node, sent to it by another context.
 *
 * Which node a buffer will hold is decided when the transfer is enqueued, and asked when a routine
 * is; what it does hold changes in the queue's work alone, which is why it needs no order of
 * its own.
 */
#include "runtime/host/base/sized.h"
#include "runtime/host/exec/merge.h"
#include "runtime/host/exec/replica.h"

/* Lock held.  At least so much, with nothing of what it held. */
static int grow(sn_queue *queue, size_t bytes)
{
  sni_merge *merge = &queue->merge;
  void *memory;

  if (merge->memory.bytes >= bytes)
    return SN_OK;
  memory = sni_room_take(queue->unit, bytes);
  if (!memory)
    return sni_engine_fail(queue->engine, SN_ENOMEM,
                           "%s: %s has no room for a merge buffer of %llu bytes", queue->name,
                           queue->unit->name, (unsigned long long)bytes);
  sni_room_give(queue->unit, merge->memory.data, merge->memory.bytes);
  merge->memory = sn_span_host(memory, bytes);
  merge->memory.device = queue->unit->device;
  merge->allocations++;
  return SN_OK;
}

int sni_merge_fill(sn_queue *queue, sn_node *node, sn_span source)
{
  sni_merge *merge = &queue->merge;
  sn_span to;
  int code;

  sni_mutex_lock(&queue->engine->lock);
  merge->filled = NULL;
  code = grow(queue, source.bytes);
  to = merge->memory;
  sni_mutex_unlock(&queue->engine->lock);
  if (code != SN_OK)
    return code;
  to.bytes = source.bytes;
  SN_TRY(sni_engine_copy(queue->engine, to, source));
  sni_mutex_lock(&queue->engine->lock);
  merge->filled = node;
  merge->copied += source.bytes;
  sni_mutex_unlock(&queue->engine->lock);
  return SN_OK;
}

void sni_merge_free(sn_queue *queue)
{
  sni_mutex_lock(&queue->engine->lock);
  sni_room_give(queue->unit, queue->merge.memory.data, queue->merge.memory.bytes);
  sni_mutex_unlock(&queue->engine->lock);
}

int sn_queue_merge_info(sn_queue *queue, sn_merge_info *out)
{
  sn_merge_info info = SN_MERGE_INFO_INIT;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (!out)
    return SN_EINVAL;
  sni_mutex_lock(&queue->engine->lock);
  info.node = queue->merge.node;
  info.bytes = queue->merge.memory.bytes;
  info.allocations = queue->merge.allocations;
  info.copied = queue->merge.copied;
  sni_mutex_unlock(&queue->engine->lock);
  sni_sized_fill(out, &info, sizeof info);
  return SN_OK;
}
