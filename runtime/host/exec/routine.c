/* Routines: an entry with its arrays and the values of its indices, scheduled as jobs. */
#include "runtime/host/exec/array_set.h"
#include "runtime/host/exec/code.h"
#include "runtime/host/exec/job.h"
#include "runtime/host/exec/merge.h"
#include "runtime/host/exec/page.h"

#include <stdio.h>
#include <string.h>

/* ---- one run ---- */

typedef struct run {
  sni_job job;
  sn_routine *routine;
  sni_array *source;             /* streamed; NULL: the queue's merge buffer */
  int copies_source;             /* to the merge buffer first: it is another unit's */
  sn_arguments arguments;
  sni_run_log log;
  void **arrays;                 /* behind it in memory, as are the values */
} run;

/* The memory of the merge buffer, as it is when the routine runs. */
static int find_merge(run *r, void **out)
{
  sn_queue *queue = r->job.queue;
  const sni_entry *entry = r->routine->entry;

  if (r->source && !r->copies_source) {
    *out = r->source->memory;
    return SN_OK;
  }
  if (r->copies_source)
    SN_TRY(sni_merge_fill(queue, entry->merge, sni_array_span(r->source)));
  if (queue->merge.filled != entry->merge)
    return sni_engine_fail(queue->engine, SN_ESTATE, "routine '%s': the transfer of node '%s' to "
                           "the merge buffer of %s has failed", entry->name, entry->merge->name,
                           queue->name);
  *out = queue->merge.memory.data;
  return SN_OK;
}

static int run_routine(void *user, int device)
{
  run *r = user;
  const sni_entry *entry = r->routine->entry;
  int code;

  for (int k = 0; k < entry->use_count; k++)
    if (entry->uses[k].kind == SN_NODE_MERGE)
      SN_TRY(find_merge(r, &r->arrays[k]));
  r->arguments.device = device;
  if (!r->log.write)
    return entry->run(&r->arguments);
  sni_run_log_begin(&r->log, r->routine, &r->arguments);
  code = entry->run(&r->arguments);
  sni_run_log_end(&r->log);
  return code;
}

/* Lock held: whether the queue's merge buffer will hold what it reads. */
static int admit(sni_job *job)
{
  const run *r = (run *)job;
  const sni_entry *entry = r->routine->entry;
  sni_merge *merge = &job->queue->merge;

  if (entry->merge && !r->source && merge->node != entry->merge)
    return sni_engine_fail(r->routine->engine, SN_ESTATE, "routine '%s' expects node '%s' in the "
                           "merge buffer of %s, which holds %s%s%s", entry->name,
                           entry->merge->name, job->queue->name, merge->node ? "'" : "",
                           merge->node ? merge->node->name : "none", merge->node ? "'" : "");
  if (r->source)
    merge->node = NULL;
  r->routine->runs++;
  return SN_OK;
}

static void over(sni_job *job, int code)
{
  (void)code;
  ((run *)job)->routine->runs--;
}

/* ---- scheduling ---- */

static int check_ready(const sn_routine *routine, const sn_queue *queue)
{
  const sni_entry *entry = routine->entry;

  if (!routine->array_set)
    return sni_engine_fail(routine->engine, SN_ESTATE,
                           "routine '%s': its context was destroyed, or began anew", entry->name);
  SN_TRY(sni_array_set_check_queue(routine->array_set, queue, entry->name));
  for (int k = 0; k < entry->index_count; k++)
    if (!routine->has_value[k])
      return sni_engine_fail(routine->engine, SN_ESTATE,
                             "routine '%s': index '%s' has no value", entry->name,
                             entry->indices[k].name);
  return SN_OK;
}

static sni_permission permission_of(sn_node_use_kind kind)
{
  return kind == SN_NODE_READ ? SNI_READ : SNI_WRITE;
}

static void fill_run(run *r, sn_routine *routine, sni_array *source, const sn_queue *queue)
{
  const sni_entry *entry = routine->entry;
  int64_t *values = (int64_t *)(r + 1);

  r->routine = routine;
  r->source = source;
  r->copies_source = source && source->unit != queue->unit;
  r->arrays = (void **)(values + entry->index_count);
  for (int k = 0; k < entry->index_count; k++)
    values[k] = routine->values[k];
  for (int k = 0; k < entry->use_count; k++)
    if (routine->arrays[k]) {
      r->arrays[k] = routine->arrays[k]->memory;
      sni_job_touch(&r->job, routine->arrays[k], permission_of(entry->uses[k].kind));
    }
  if (source)
    sni_job_touch(&r->job, source, SNI_READ);
  r->arguments.size = sizeof r->arguments;
  r->arguments.arrays = r->arrays;
  r->arguments.indices = values;
  r->arguments.user = entry->user;
  r->arguments.context = routine->array_set->context;
  r->log.engine = routine->engine;
  r->log.write = routine->write;
  r->log.write_to = routine->write_to;
  r->log.capture = routine->capture;
}

int sni_routine_prepare(sn_routine *routine, sn_queue *queue, sni_array *source,
                        sni_job **out)
{
  const sni_entry *entry = routine->entry;
  run *r;

  SN_TRY(check_ready(routine, queue));
  r = (run *)sni_job_create(routine->engine,
                                  sizeof *r + (size_t)entry->index_count * sizeof(int64_t) +
                                    (size_t)entry->use_count * sizeof(void *),
                                  entry->use_count + 1);
  if (!r)
    return sni_engine_fail(routine->engine, SN_ENOMEM, "routine '%s': no memory for a run",
                           entry->name);
  fill_run(r, routine, source, queue);
  r->job.item.kind = SNI_WORK;
  r->job.item.run = run_routine;
  r->job.item.name = entry->name;
  r->job.item.category = "routine";
  r->job.admit = admit;
  r->job.over = over;
  *out = &r->job;
  return SN_OK;
}

int sn_routine_schedule(sn_routine *routine, sn_queue *queue, sn_event **done)
{
  sni_job *job = NULL;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(routine)));
  if (!queue)
    return SN_EINVAL;
  sni_mutex_lock(&routine->engine->linking);
  code = sni_routine_prepare(routine, queue, NULL, &job);
  sni_mutex_unlock(&routine->engine->linking);
  return code == SN_OK ? sni_job_enqueue(job, queue, done) : code;
}

/* ---- indices ---- */

static int set_index(sn_routine *routine, const char *name, int64_t value)
{
  const sni_entry *entry = routine->entry;

  for (int k = 0; k < entry->index_count; k++) {
    const sn_static_index *index = &entry->indices[k];
    if (strcmp(index->name, name) != 0)
      continue;
    if (index->extent && (value < 0 || value >= index->extent))
      return sni_engine_fail(routine->engine, SN_EBOUNDS,
                             "routine '%s': index '%s' is %lld, and goes from 0 to %lld",
                             entry->name, name, (long long)value, (long long)index->extent - 1);
    routine->values[k] = value;
    routine->has_value[k] = 1;
    return SN_OK;
  }
  return sni_engine_fail(routine->engine, SN_EINVAL, "routine '%s' has no index '%s'",
                         entry->name, name);
}

int sn_routine_set_index(sn_routine *routine, const char *name, int64_t value)
{
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(routine)));
  if (!name)
    return SN_EINVAL;
  sni_mutex_lock(&routine->engine->linking);
  code = set_index(routine, name, value);
  sni_mutex_unlock(&routine->engine->linking);
  return code;
}

int sn_routine_set_log(sn_routine *routine, sn_capture *capture, sn_text_fn write, void *user)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(routine)));
  sni_mutex_lock(&routine->engine->linking);
  routine->capture = capture;
  routine->write = write;
  routine->write_to = user;
  sni_mutex_unlock(&routine->engine->linking);
  return SN_OK;
}

/* ---- what one can ask ---- */

sn_context *sn_routine_context(sn_routine *routine)
{
  sn_context *context = NULL;

  if (sni_engine_may_call(SNI_ENGINE_OR_NULL(routine)) == SN_OK) {
    sni_mutex_lock(&routine->engine->linking);
    context = routine->array_set ? routine->array_set->context : NULL;
    sni_mutex_unlock(&routine->engine->linking);
  }
  return context;
}

const char *sn_routine_name(const sn_routine *routine)
{
  return routine ? routine->entry->name : "no routine";
}

int sn_routine_explain(sn_routine *routine, sn_text_fn write, void *user)
{
  static const char *const verb[] = { "reads", "writes", "changes", "merges" };
  const sni_entry *entry;
  sni_page page;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OR_NULL(routine)));
  if (!write)
    return SN_EINVAL;
  entry = routine->entry;
  sni_page_begin(&page, routine->engine);
  sni_mutex_lock(&routine->engine->linking);
  sni_page_print(&page, "%s on %s", entry->name, routine->unit->name);
  for (int k = 0; k < entry->use_count; k++)
    sni_page_print(&page, "%s %s %s", k ? "," : ":", verb[entry->uses[k].kind],
                   entry->uses[k].node->name);
  for (int k = 0; k < entry->index_count; k++) {
    sni_page_print(&page, "; %s = ", entry->indices[k].name);
    if (routine->has_value[k])
      sni_page_print(&page, "%lld", (long long)routine->values[k]);
    else
      sni_page_print(&page, "?");
  }
  sni_page_print(&page, "\n");
  sni_mutex_unlock(&routine->engine->linking);
  return sni_page_write(&page, "a routine", write, user);
}
