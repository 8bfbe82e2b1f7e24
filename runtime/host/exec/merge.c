/* Merge buffers: a queue's second array of a node, sent to it by another context.
 *
 * Which node a buffer will hold is decided when the transfer is enqueued, and asked when a routine
 * is; what it does hold changes in the queue's work alone, which is why it needs no order of
 * its own.
 */
#include "runtime/host/base/sized.h"
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/code.h"
#include "runtime/host/exec/job.h"
#include "runtime/host/exec/merge.h"
#include "runtime/host/exec/tensor.h"

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

/* ---- sending a node ---- */

typedef struct sending {
  sni_job job;
  sn_node *node;
  sn_span source;
} sending;

static int send(void *user, int device)
{
  sending *s = user;

  (void)device;
  return sni_merge_fill(s->job.queue, s->node, s->source);
}

static int occupy(sni_job *job)
{
  job->queue->merge.node = ((sending *)job)->node;
  return SN_OK;
}

/* linking held. */
static int find_source(sn_queue *queue, sn_context *src, sn_node *node, sni_array **out)
{
  const sni_array_set *from = sni_array_set_of(src);

  if (!from)
    return SN_EINVAL;
  if (from->engine != queue->engine)
    return sni_engine_fail(queue->engine, SN_EINVAL, "merge: context '%s' is another engine's",
                           from->name);
  *out = sni_array_set_find(from, node);
  if (!*out)
    return sni_engine_fail(queue->engine, SN_EINVAL, "merge: context '%s' lacks node '%s'",
                           from->name, node->name);
  return SN_OK;
}

static int prepare(sn_queue *queue, sn_context *src, sn_node *node, sni_job **out)
{
  sni_array *source;
  sending *s;

  SN_TRY(find_source(queue, src, node, &source));
  s = (sending *)sni_job_create(queue->engine, sizeof *s, 1);
  if (!s)
    return sni_engine_fail(queue->engine, SN_ENOMEM, "merge: no memory for an item");
  s->node = node;
  s->source = sni_array_span(source);
  s->job.item.kind = SNI_WORK;
  s->job.item.run = send;
  s->job.item.name = "merge";
  s->job.item.category = "copy";
  s->job.admit = occupy;
  sni_job_touch(&s->job, source, SNI_READ);
  *out = &s->job;
  return SN_OK;
}

int sn_queue_merge(sn_queue *queue, sn_context *src, sn_node *node, sn_event **done)
{
  sni_job *job = NULL;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (!src || !node)
    return SN_EINVAL;
  sni_mutex_lock(&queue->engine->linking);
  code = prepare(queue, src, node, &job);
  sni_mutex_unlock(&queue->engine->linking);
  return code == SN_OK ? sni_job_enqueue(job, queue, done) : code;
}

/* ---- streaming it ---- */

static int prepare_streaming(sn_queue *queue, sn_context *src, sn_node *node, sn_routine *routine,
                             sni_array **source, sni_job **out)
{
  SN_TRY(find_source(queue, src, node, source));
  if (routine->entry->merge != node)
    return sni_engine_fail(queue->engine, SN_ESTATE, "routine '%s' expects node '%s' in the merge "
                           "buffer, and '%s' is streamed to it", routine->entry->name,
                           sn_node_name(routine->entry->merge), node->name);
  return sni_routine_prepare(routine, queue, *source, out);
}

int sn_queue_merge_streaming(sn_queue *queue, sn_context *src, sn_node *node, sn_routine *routine,
                             int *copied, sn_event **done)
{
  sni_job *job = NULL;
  sni_array *source = NULL;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (!src || !node || !routine)
    return SN_EINVAL;
  sni_mutex_lock(&queue->engine->linking);
  code = prepare_streaming(queue, src, node, routine, &source, &job);
  sni_mutex_unlock(&queue->engine->linking);
  if (code != SN_OK)
    return code;
  if (copied)
    *copied = source->unit != queue->unit;
  return sni_job_enqueue(job, queue, done);
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
