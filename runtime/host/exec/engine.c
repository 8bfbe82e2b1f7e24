/* Engines: made with their units, destroyed when nothing of them is in use. */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/engine.h"
#include "runtime/host/exec/node.h"
#include "runtime/host/exec/scheduler.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 1024 };

/* ---- making and destroying ---- */

static int no_scheduler(sn_engine *engine, const char *name)
{
  char names[256] = "";
  size_t length = 0;

  for (const char *const *known = sn_engine_schedulers(); *known; known++)
    length += sni_text_format(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                             *known);
  return sni_engine_fail(engine, SN_EINVAL, "there is no scheduler '%s', but %s", name, names);
}

/* What the options name is copied: they are the caller's again when the engine is made. */
static int take_scheduler(sn_engine *engine)
{
  sn_engine_options *o = &engine->options;
  const sn_scheduler *named = sni_scheduler_named(o->scheduler);

  if (!named && !o->own_scheduler)
    return no_scheduler(engine, o->scheduler);
  engine->scheduler = o->own_scheduler ? *o->own_scheduler : *named;
  o->own_scheduler = NULL;
  o->scheduler = NULL;
  return SN_OK;
}

static int take_trace(sn_engine *engine)
{
  const char *path = engine->options.trace;

  engine->options.trace = NULL;
  sni_trace_create(&engine->trace, path != NULL);
  if (!path)
    return SN_OK;
  engine->trace_path = sni_engine_new(engine, strlen(path) + 1, 1);
  if (!engine->trace_path)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for the path of a trace");
  strcpy(engine->trace_path, path);
  return SN_OK;
}

static int take_options(sn_engine *engine, const sn_engine_options *given)
{
  static const sn_engine_options standard = SN_ENGINE_OPTIONS_INIT;
  sn_engine_options *o = &engine->options, own;
  const sn_engine_options *sized = sni_engine_sized(engine, "the options of an engine", given, &own,
                                                    &standard, sizeof own);

  if (!sized)
    return SN_EINVAL;
  *o = *sized;
  if (o->most_tasks < 0)
    return sni_engine_fail(engine, SN_EINVAL, "at most %d tasks (most_tasks): below 0",
                           o->most_tasks);
  if (o->workers < 0)
    o->workers = sni_processors();
  if (o->workers > MOST_WORKERS)
    o->workers = MOST_WORKERS;
  if (!o->stack)
    o->stack = SNI_STACK_BYTES;
  engine->backend = o->backend;
  SN_TRY(take_trace(engine));
  SN_TRY(take_scheduler(engine));
  return sni_units_create(engine);
}

/* Everything of it but its last error. */
static void demolish(sn_engine *engine)
{
  sni_alive_end(engine);
  sni_tasks_destroy(engine);
  sni_units_destroy(engine);
  for (int k = 0; k < SNI_ADDING; k++)
    sni_mutex_destroy(&engine->adding[k]);
  if (engine->trace_path)
    sni_engine_delete(engine, engine->trace_path, strlen(engine->trace_path) + 1, 1);
  sni_trace_destroy(&engine->trace);
  sni_condition_destroy(&engine->moved);
  sni_condition_destroy(&engine->changed);
  sni_mutex_destroy(&engine->linking);
  sni_mutex_destroy(&engine->lock);
  sni_mutex_destroy(&engine->memory_lock);
}

static sn_engine *new_engine(void)
{
  sn_engine *engine = sni_thread_has_value() ? calloc(1, sizeof *engine) : NULL;

  if (!engine)
    return NULL;
  engine->forks = sni_process_watch_forks();
  sni_mutex_create(&engine->memory_lock);
  sni_mutex_create(&engine->lock);
  sni_mutex_create(&engine->linking);
  sni_mutex_create(&engine->error_lock);
  sni_condition_create(&engine->changed);
  sni_condition_create(&engine->moved);
  for (int k = 0; k < SNI_ADDING; k++)
    sni_mutex_create(&engine->adding[k]);
  sni_accounts_init(&engine->accounts);
  return engine;
}

int sn_engine_create(const sn_engine_options *options, sn_engine **out)
{
  sn_engine *engine;
  int code;

  sni_engine_keep_text(out ? "" : "an engine is made, and the place where to put it is NULL");
  if (!out)
    return SN_EINVAL;
  engine = new_engine();
  if (!engine) {
    sni_engine_keep_text("no memory for an engine");
    return SN_ENOMEM;
  }
  code = take_options(engine, options);
  if (code != SN_OK) {
    sni_engine_keep_text(engine->error);
    demolish(engine);
    sni_engine_free(engine);
    return code;
  }
  sni_alive_begin(engine);
  *out = engine;
  return SN_OK;
}

static const char *unit_name(void *engine, int index)
{
  return sn_unit_name(sn_engine_unit(engine, index));
}

int sn_engine_write_trace(sn_engine *engine, const char *path)
{
  int failed;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!path)
    return SN_EINVAL;
  if (!engine->trace.is_on)
    return sni_engine_fail(engine, SN_ESTATE,
                           "the engine was made without a trace (options.trace)");
  failed = sni_trace_write(&engine->trace, path, unit_name, engine, engine->unit_count);
  return failed ? sni_engine_fail(engine, SN_EIO, "the trace is not written: %s: %s", path,
                                  strerror(failed))
                : SN_OK;
}

/* Whether nothing of it is in use. */
static int check_unused(sn_engine *engine)
{
  uint64_t queues, events, tensors, tasks, recordings;
  int has_contexts;

  sni_mutex_lock(&engine->lock);
  queues = engine->queue_count;
  events = engine->event_count;
  tensors = engine->tensor_count;
  recordings = engine->recording_count;
  tasks = engine->tasks ? (uint64_t)engine->tasks->live_count : 0;
  has_contexts = engine->attachments != NULL;
  sni_mutex_unlock(&engine->lock);
  if (recordings)
    return sni_engine_fail(engine, SN_ESTATE, "the engine still has %llu recordings",
                           (unsigned long long)recordings);
  if (has_contexts)
    return sni_engine_fail(engine, SN_ESTATE, "contexts are still attached to units of the engine");
  if (queues || events || tensors || tasks)
    return sni_engine_fail(engine, SN_ESTATE,
                           "the engine still has %llu queues, %llu events, %llu tensors and %llu "
                           "unfinished tasks", (unsigned long long)queues,
                           (unsigned long long)events, (unsigned long long)tensors,
                           (unsigned long long)tasks);
  return sni_nodes_are_gone(engine);
}

/* The trace comes last, and what becomes of it does not keep the engine. */
int sn_engine_destroy(sn_engine *engine)
{
  int code = SN_OK;

  if (!engine || sni_engine_drop_ended(engine))
    return SN_OK;
  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  SN_TRY(check_unused(engine));
  if (engine->trace_path) {
    sn_engine_clear(engine);
    code = sn_engine_write_trace(engine, engine->trace_path);
  }
  demolish(engine);
  if (code == SN_OK)
    sni_engine_free(engine);
  else
    sni_engine_keep_ended(engine);
  return code;
}

/* ---- waiting for all of it ---- */

static int is_busy(const sn_engine *engine)
{
  uint64_t busy = engine->tasks ? (uint64_t)engine->tasks->live_count : 0;

  for (int k = 0; k < engine->unit_count; k++)
    busy += engine->units[k].busy;
  return busy != 0;
}

int sn_engine_is_idle(sn_engine *engine, int *idle)
{
  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  if (!idle)
    return SN_EINVAL;
  sni_mutex_lock(&engine->lock);
  *idle = !is_busy(engine);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

int sn_engine_await(sn_engine *engine)
{
  int idle = 0;

  SN_TRY(sni_engine_may_call(SNI_ALIVE(engine)));
  SN_TRY(sni_engine_may_wait(engine, "sn_engine_await"));
  sni_mutex_lock(&engine->lock);
  while (is_busy(engine))
    sni_engine_await_tasks(engine, 0, &idle);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}
