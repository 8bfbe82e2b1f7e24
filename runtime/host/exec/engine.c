/* Engines: made with their units, destroyed when nothing of them is in use. */
#include "runtime/host/exec/engine.h"
#include "runtime/host/exec/node.h"
#include "runtime/host/exec/task.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 1024 };

/* ---- errors ---- */

int sni_engine_fail(sn_engine *engine, int code, const char *format, ...)
{
  va_list arguments;
  int none = 0;

  /* 1: being written; 2: there.  One writer: whoever swaps 0 for 1. */
  if (!atomic_compare_exchange_strong_explicit(&engine->has_error, &none, 1, memory_order_acquire,
                                               memory_order_relaxed))
    return code;
  va_start(arguments, format);
  vsnprintf(engine->error, sizeof engine->error, format, arguments);
  va_end(arguments);
  atomic_store_explicit(&engine->has_error, 2, memory_order_release);
  return code;
}

const char *sn_engine_error(sn_engine *engine)
{
  if (sni_is_gone(engine))
    return "no engine";
  return atomic_load_explicit(&engine->has_error, memory_order_acquire) == 2 ? engine->error : "";
}

void sn_engine_clear(sn_engine *engine)
{
  int there = 2;

  if (engine)
    (void)atomic_compare_exchange_strong_explicit(&engine->has_error, &there, 0,
                                                  memory_order_release, memory_order_relaxed);
}

/* ---- memory, waiting ---- */

void *sni_engine_new(sn_engine *engine, size_t count, size_t bytes)
{
  void *memory;

  sni_mutex_lock(&engine->memory_lock);
  memory = sni_new(&engine->accounts, count, bytes);
  sni_mutex_unlock(&engine->memory_lock);
  return memory;
}

void sni_engine_delete(sn_engine *engine, void *memory, size_t count, size_t bytes)
{
  sni_mutex_lock(&engine->memory_lock);
  sni_delete(&engine->accounts, memory, count, bytes);
  sni_mutex_unlock(&engine->memory_lock);
}

void sni_engine_wait(sn_engine *engine)
{
  engine->waiters++;
  sni_condition_wait(&engine->changed, &engine->lock);
  engine->waiters--;
}

void sni_engine_wake(sn_engine *engine)
{
  if (engine->waiters)
    sni_condition_wake_all(&engine->changed);
}

void sni_engine_changed(sn_engine *engine)
{
  sni_crews_pump(engine);
  if (engine->moved_waiters)
    sni_condition_wake_all(&engine->moved);
}

void sni_engine_wait_moved(sn_engine *engine)
{
  engine->moved_waiters++;
  sni_condition_wait(&engine->moved, &engine->lock);
  engine->moved_waiters--;
}

void sni_engine_await_change(sn_engine *engine)
{
  if (!sni_crews_help(engine))
    sni_engine_wait(engine);
}

/* ---- processors ---- */

/* In turn: the host's workers, then the worker of each unit and its transfers beside it, which
 * run at the same time. */
void sni_engine_bind(sn_unit *unit, int is_transfers)
{
  sn_engine *engine = unit->engine;

  if (!engine->options.bind)
    return;
  if (unit->kind == SN_UNIT_HOST)
    (void)sni_thread_bind(engine->next_bound++);
  else
    (void)sni_thread_bind(engine->options.workers + 2 * (unit->index - 1) + is_transfers);
}

/* ---- making and destroying ---- */

static int take_options(sn_engine *engine, const sn_engine_options *given)
{
  static const sn_engine_options standard = SN_ENGINE_OPTIONS_INIT;

  engine->options = given ? *given : standard;
  if (engine->options.workers < 0)
    engine->options.workers = sni_processors();
  if (engine->options.most_tasks < 0)
    return SN_EINVAL;
  if (engine->options.workers > MOST_WORKERS)
    engine->options.workers = MOST_WORKERS;
  engine->backend = engine->options.backend;
  if (!engine->options.own_scheduler && !sni_scheduler_named(engine->options.scheduler))
    return SN_EINVAL;
  sni_trace_create(&engine->trace, engine->options.trace != NULL);
  return sni_units_create(engine);
}

static void demolish(sn_engine *engine)
{
  sni_alive_end(engine);
  sni_tasks_destroy(engine);
  sni_units_destroy(engine);
  for (int k = 0; k < SNI_ADDING; k++)
    sni_mutex_destroy(&engine->adding[k]);
  sni_trace_destroy(&engine->trace);
  sni_condition_destroy(&engine->moved);
  sni_condition_destroy(&engine->changed);
  sni_mutex_destroy(&engine->linking);
  sni_mutex_destroy(&engine->lock);
  sni_mutex_destroy(&engine->memory_lock);
  free(engine);
}

int sn_engine_create(const sn_engine_options *options, sn_engine **out)
{
  sn_engine *engine;
  int code;

  if (!out || (options && options->size != sizeof *options))
    return SN_EINVAL;
  engine = sni_thread_has_value() ? calloc(1, sizeof *engine) : NULL;
  if (!engine)
    return SN_ENOMEM;
  sni_mutex_create(&engine->memory_lock);
  sni_mutex_create(&engine->lock);
  sni_mutex_create(&engine->linking);
  sni_condition_create(&engine->changed);
  sni_condition_create(&engine->moved);
  for (int k = 0; k < SNI_ADDING; k++)
    sni_mutex_create(&engine->adding[k]);
  sni_accounts_init(&engine->accounts);
  code = take_options(engine, options);
  if (code != SN_OK)
    demolish(engine);
  else
    *out = engine;
  if (code == SN_OK)
    sni_alive_begin(engine);
  return code;
}

static const char *unit_name(void *engine, int index)
{
  return sn_unit_name(sn_engine_unit(engine, index));
}

int sn_engine_write_trace(sn_engine *engine, const char *path)
{
  if (sni_is_gone(engine) || !path)
    return SN_EINVAL;
  if (!engine->trace.is_on)
    return sni_engine_fail(engine, SN_ESTATE,
                           "the engine was made without a trace (options.trace)");
  if (sni_trace_write(&engine->trace, path, unit_name, engine, engine->unit_count) != SN_OK)
    return sni_engine_fail(engine, SN_EIO, "%s: %s", path, strerror(errno));
  return SN_OK;
}

int sn_engine_destroy(sn_engine *engine)
{
  uint64_t queues, events, tensors, tasks, recordings;
  int code = SN_OK, has_contexts;

  if (!engine)
    return SN_OK;
  if (sni_is_gone(engine))
    return SN_EINVAL;
  sni_mutex_lock(&engine->lock);
  queues = engine->queue_count;
  events = engine->event_count;
  tensors = engine->tensor_count;
  recordings = engine->recording_count;
  tasks = engine->tasks ? (uint64_t)engine->tasks->live_count : 0;
  has_contexts = engine->stands != NULL;
  sni_mutex_unlock(&engine->lock);
  if (recordings)
    return sni_engine_fail(engine, SN_ESTATE, "the engine still has %llu recordings",
                           (unsigned long long)recordings);
  if (has_contexts)
    return sni_engine_fail(engine, SN_ESTATE, "contexts still stand on units of the engine");
  if (queues || events || tensors || tasks)
    return sni_engine_fail(engine, SN_ESTATE,
                           "the engine still has %llu queues, %llu events, %llu tensors and %llu "
                           "unfinished tasks", (unsigned long long)queues,
                           (unsigned long long)events, (unsigned long long)tensors,
                           (unsigned long long)tasks);
  SN_TRY(sni_nodes_are_gone(engine));
  if (engine->options.trace)
    code = sn_engine_write_trace(engine, engine->options.trace);
  if (code == SN_OK)
    demolish(engine);
  return code;
}

/* ---- waiting for all of it ---- */

sn_run *sni_engine_running(void)
{
  return sni_thread_value();
}

sn_run *sni_engine_enter(sn_run *run)
{
  sn_run *before = sni_thread_value();

  sni_thread_set_value(run);
  return before;
}

void sni_engine_leave(sn_run *outer)
{
  sni_thread_set_value(outer);
}

int sni_engine_holds_caller(const sn_engine *engine)
{
  const sn_run *running = sni_thread_value();
  int inside = running && running->task->engine == engine;

  for (const sn_queue *queue = engine->queues; queue && !inside; queue = queue->next)
    inside = sni_queue_is_this(queue);
  return inside;
}

int sni_engine_is_inside(sn_engine *engine)
{
  int inside;

  sni_mutex_lock(&engine->lock);
  inside = sni_engine_holds_caller(engine);
  sni_mutex_unlock(&engine->lock);
  return inside;
}

static int is_busy(const sn_engine *engine)
{
  uint64_t busy = engine->tasks ? (uint64_t)engine->tasks->live_count : 0;

  for (int k = 0; k < engine->unit_count; k++)
    busy += engine->units[k].busy;
  return busy != 0;
}

int sn_engine_is_idle(sn_engine *engine, int *idle)
{
  if (sni_is_gone(engine) || !idle)
    return SN_EINVAL;
  sni_mutex_lock(&engine->lock);
  *idle = !is_busy(engine);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}

int sn_engine_await(sn_engine *engine)
{
  if (sni_is_gone(engine))
    return SN_EINVAL;
  if (sni_engine_is_inside(engine))
    return sni_engine_fail(engine, SN_ESTATE,
                           "a task or the work of a queue waits for its engine, and so for itself");
  sni_mutex_lock(&engine->lock);
  while (is_busy(engine))
    sni_engine_await_change(engine);
  sni_mutex_unlock(&engine->lock);
  return SN_OK;
}
