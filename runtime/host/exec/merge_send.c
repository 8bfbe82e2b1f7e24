/* Sending a node of another context to a queue's merge buffer, and streaming it to a routine. */
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/code.h"
#include "runtime/host/exec/job.h"
#include "runtime/host/exec/merge.h"

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
  if (!routine->entry->merge)
    return sni_engine_fail(queue->engine, SN_ESTATE, "routine '%s' reads no merge buffer, and node "
                           "'%s' is streamed to it", routine->entry->name, node->name);
  if (routine->entry->merge != node)
    return sni_engine_fail(queue->engine, SN_ESTATE, "routine '%s' expects node '%s' in the merge "
                           "buffer, and '%s' is streamed to it", routine->entry->name,
                           routine->entry->merge->name, node->name);
  return sni_routine_prepare(routine, queue, *source, out);
}

int sn_queue_merge_streaming(sn_queue *queue, sn_context *src, sn_node *node, sn_routine *routine,
                             int *copied, sn_event **done)
{
  sni_job *job = NULL;
  sni_array *source = NULL;
  int code, is_copied = 0;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (!src || !node || !routine)
    return SN_EINVAL;
  sni_mutex_lock(&queue->engine->linking);
  code = prepare_streaming(queue, src, node, routine, &source, &job);
  if (code == SN_OK)
    is_copied = source->unit != queue->unit;
  sni_mutex_unlock(&queue->engine->linking);
  if (code == SN_OK)
    code = sni_job_enqueue(job, queue, done);
  if (code == SN_OK && copied)
    *copied = is_copied;
  return code;
}
