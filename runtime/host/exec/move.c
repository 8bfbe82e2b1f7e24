/* Transfers by name: between a context's array and the host's, and between contexts. */
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/job.h"

/* linking held.  The array of the node that the context, or one above, holds. */
static int need_array(const sni_array_set *array_set, sn_node *node, const char *what,
                      sni_array **out)
{
  *out = sni_array_set_find(array_set, node);
  if (!*out)
    return sni_engine_fail(array_set->engine, SN_EINVAL,
                           "%s: context '%s' lacks node '%s': add it, or link what writes it",
                           what, array_set->name, node->name);
  return SN_OK;
}

/* linking held.  *out NULL: nothing is to be moved. */
static int prepare(sn_engine *engine, sni_array *to, sni_array *from, const char *what,
                   sni_job **out)
{
  sni_job *job = NULL;

  *out = NULL;
  if (to == from)
    return SN_OK;
  job = sni_job_create(engine, sizeof *job, 2);
  if (!job)
    return sni_engine_fail(engine, SN_ENOMEM, "%s: no memory for an item", what);
  job->item.kind = SNI_COPY;
  job->item.name = what;
  job->item.category = "copy";
  job->item.dst = sni_array_span(to);
  job->item.src = sni_array_span(from);
  sni_job_touch(job, from, SNI_READ);
  sni_job_touch(job, to, SNI_WRITE);
  *out = job;
  return SN_OK;
}

/* linking not held: an immediate queue may wait for work that takes it. */
static int enqueue(sni_job *job, sn_queue *queue, int *moved, sn_event **done)
{
  if (job)
    SN_TRY(sni_job_enqueue(job, queue, done));
  else if (done)
    SN_TRY(sn_queue_record(queue, done));
  if (moved)
    *moved = job != NULL;
  return SN_OK;
}

/* ---- with the host ---- */

static int prepare_host(const sni_array_set *array_set, sn_node *node, const sn_queue *queue,
                        int to_host, sni_job **out)
{
  const char *what = to_host ? "to_host" : "from_host";
  sni_array *array;

  SN_TRY(sni_array_set_check_queue(array_set, queue, what));
  SN_TRY(need_array(array_set, node, what, &array));
  SN_TRY(sni_node_need_host(node, what));
  return to_host ? prepare(array_set->engine, &node->host, array, what, out)
                 : prepare(array_set->engine, array, &node->host, what, out);
}

static int move_host(sn_context *context, sn_node *node, sn_queue *queue, int to_host, int *moved,
                     sn_event **done)
{
  const sni_array_set *array_set = sni_array_set_of(context);
  sni_job *job = NULL;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(array_set)));
  if (!node || !queue)
    return SN_EINVAL;
  sni_mutex_lock(&array_set->engine->linking);
  code = prepare_host(array_set, node, queue, to_host, &job);
  sni_mutex_unlock(&array_set->engine->linking);
  return code == SN_OK ? enqueue(job, queue, moved, done) : code;
}

int sn_context_from_host(sn_context *context, sn_node *node, sn_queue *queue, int *moved,
                         sn_event **done)
{
  return move_host(context, node, queue, 0, moved, done);
}

int sn_context_to_host(sn_context *context, sn_node *node, sn_queue *queue, int *moved,
                       sn_event **done)
{
  return move_host(context, node, queue, 1, moved, done);
}

/* ---- between contexts ---- */

static int prepare_copy(const sni_array_set *to, const sni_array_set *from, sn_node *node,
                        const sn_queue *queue, sni_job **out)
{
  sni_array *dst, *src;

  if (to->engine != from->engine)
    return sni_engine_fail(to->engine, SN_EINVAL, "copy: context '%s' is another engine's",
                           from->name);
  SN_TRY(sni_array_set_check_queue(to, queue, "copy"));
  SN_TRY(need_array(from, node, "copy", &src));
  SN_TRY(need_array(to, node, "copy", &dst));
  return prepare(to->engine, dst, src, "copy", out);
}

int sn_context_copy(sn_context *dst, sn_context *src, sn_node *node, sn_queue *queue, int *moved,
                    sn_event **done)
{
  const sni_array_set *to = sni_array_set_of(dst), *from = sni_array_set_of(src);
  sni_job *job = NULL;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(to)));
  if (!from || !node || !queue)
    return SN_EINVAL;
  sni_mutex_lock(&to->engine->linking);
  code = prepare_copy(to, from, node, queue, &job);
  sni_mutex_unlock(&to->engine->linking);
  return code == SN_OK ? enqueue(job, queue, moved, done) : code;
}
