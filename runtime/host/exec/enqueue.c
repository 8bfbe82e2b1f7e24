/* Tasks of a queue.  One takes its place in the queue when it is submitted, and its place in the
 * order of tasks too: the queue's thread, when it comes to it, waits for those that the task is
 * ordered behind, runs it and ends it.
 *
 * Nobody waits in a circle: whatever a task waits for, in the order and in its queue, was
 * submitted before it, and only tasks of the root scope stand in queues: one that waits for a
 * task waits for its children too, which no queue can hold up.
 */
#include "runtime/host/exec/enqueue.h"
#include "runtime/host/exec/finish.h"
#include "runtime/host/exec/wake.h"

#include <stdio.h>

int sni_queue_check_task(const sn_queue *queue, const sni_task *parent, const sn_task_spec *spec,
                         const char *name)
{
  sn_engine *engine = queue->engine;

  if (parent)
    return sni_engine_fail(engine, SN_EINVAL, "'%s': a child runs by a worker, in no queue", name);
  if (spec->unit && spec->unit != queue->unit)
    return sni_engine_fail(engine, SN_EINVAL, "'%s': %s is a queue of %s, not of %s", name,
                           queue->name, queue->unit->name, spec->unit->name);
  for (int k = 0; k < spec->use_count; k++)
    if (sni_use_mode(spec->uses[k].kind) >= SN_ACCESS_READ_BUFFER)
      return sni_engine_fail(engine, SN_EINVAL, "'%s': a task of a queue declares permissions, and "
                             "asks for its buffers when it runs", name);
  return sni_queue_may_take(queue);
}

/* A wait is shown where there was one. */
static void wait_for_order(sn_queue *queue, const sni_task *task)
{
  sn_engine *engine = queue->engine;
  const double began = sni_trace_now(&engine->trace);
  const int has_waited = task->waits != 0;

  while (task->waits)
    if (queue->is_immediate)
      sni_engine_await_change(engine);   /* the caller's thread may have to run what it awaits */
    else
      sni_engine_wait(engine);
  if (has_waited)
    sni_trace_add(&engine->trace, "wait", "wait", queue->unit->index, queue->number, began, 0);
}

/* Lock held, and let go meanwhile. */
static int run_body(sn_queue *queue, sni_task *task)
{
  sn_engine *engine = queue->engine;
  sni_inside inside;
  char name[SNI_NAME];
  double began;
  int code;

  sni_mutex_unlock(&engine->lock);
  began = sni_trace_now(&engine->trace);
  sni_inside_body(&inside, &task->run);
  sni_alive_begin(&task->run);
  code = task->body[queue->unit->kind](&task->run, task->user);
  sni_alive_end(&task->run);
  sni_inside_end(&inside);
  if (engine->trace.is_on)
    sni_trace_add(&engine->trace, sni_task_name(task, name), "task", queue->unit->index,
                  queue->number, began, 0);
  sni_mutex_lock(&engine->lock);
  return code;
}

void sni_queue_run_task(sn_queue *queue, sni_task *task)
{
  sn_engine *engine = queue->engine;

  sni_mutex_lock(&engine->lock);
  wait_for_order(queue, task);
  task->state = SNI_TASK_RUNNING;
  task->run.unit = queue->unit;
  if (task->code == SN_OK)       /* not canceled */
    task->code = run_body(queue, task);
  sni_task_body_returned(task);
  sni_crews_wake(engine, NULL);
  sni_mutex_unlock(&engine->lock);
}
