/* The end of tasks: what follows them, what their failure means, and continuations.
 *
 * A body that returns with exactly one child left, and whose parent's body is over with nobody
 * else left there, hands its place to the child and is gone: recursion at the end of a body takes
 * no more memory the deeper it goes.
 */
#include "runtime/host/exec/task.h"

/* ---- what a failure means ---- */

static void tell(const sni_task *task)
{
  char name[SNI_NAME];

  if (task->code != SN_OK && task->code != SN_ECANCELED)
    sni_engine_fail(task->engine, task->code, "'%s' has failed: %s", sni_task_name(task, name),
                    sn_strerror(task->code));
}

static void lose_blocks(const sni_task *task)
{
  for (int k = 0; k < task->part_count; k++)
    if (task->parts[k].permission != SNI_READ)
      task->parts[k].block->is_lost = 1;
}

/* ---- the end ---- */

static void leave_order(sni_task *task)
{
  for (int k = 0; k < task->part_count; k++)
    sni_order_leave(&task->parts[k].member);
  sni_task_drop_tensors(task);
}

static void complete_events(sni_task *task)
{
  sn_event *event = task->done, *next;

  for (; event; event = next) {
    next = event->next;
    event->next = NULL;
    event->task = NULL;
    sni_event_complete(event, task->code);
    sni_event_drop(event);
  }
}

static void free_task(sni_task *task)
{
  sni_tasks *tasks = task->engine->tasks;

  sni_scope_unlink(task);
  tasks->live_count--;
  sni_scope_destroy(task);
  if (task->replay && task->replay == task->user)
    sni_replay_over(task->replay);
  sni_pool_give(task->engine, task, task->bytes);
}

static void count_end(sni_task *task)
{
  sn_task_counters *counters = &task->engine->tasks->counters;

  counters->finished += task->code == SN_OK;
  counters->canceled += task->code == SN_ECANCELED;
  counters->failed += task->code != SN_OK && task->code != SN_ECANCELED;
  if (task->engine->options.record_graph)
    sni_record_end(task);
}

/* Who waited for it is ready, or ends now because it was canceled; *ended: those, linked.  A
 * queue's ends when the queue comes to it. */
static void release_later(sni_task *task, sni_task **ended)
{
  for (sni_edge *edge = task->later, *next; edge; edge = next) {
    sni_task *later = edge->later;
    next = edge->next;
    later->is_canceled |= task->code != SN_OK;
    if (--later->waits)
      continue;
    if (later->is_canceled)
      later->code = SN_ECANCELED;
    if (later->is_canceled && !later->queue) {
      later->next = *ended;
      *ended = later;
    } else {
      sni_task_is_ready(later);
    }
  }
}

/* Its parent may have waited for just this one. */
static void leave_parent(sni_task *task, sni_task **ended)
{
  sni_task *parent = task->parent;

  if (!parent)
    return;
  if (parent->code == SN_OK)
    parent->code = task->code;
  if (--parent->children == 0 && parent->state == SNI_TASK_CHILDREN) {
    parent->next = *ended;
    *ended = parent;
  }
}

/* One after the other, not one inside the other: chains of tasks are long. */
static void end(sni_task *task)
{
  sn_engine *engine = task->engine;
  sni_task *ended = task;

  task->next = NULL;
  while (ended) {
    task = ended;
    ended = task->next;
    task->state = SNI_TASK_ENDED;
    if (task->code != SN_OK)
      lose_blocks(task);
    count_end(task);
    leave_order(task);
    release_later(task, &ended);
    complete_events(task);
    leave_parent(task, &ended);
    free_task(task);
  }
  if (engine->tasks->live_count <= engine->options.most_tasks / 2)
    sni_engine_wake(engine);
}

/* ---- continuations ---- */

static sni_task *heir_of(const sni_task *task)
{
  const sni_task *parent = task->parent;

  if (task->children != 1 || task->code != SN_OK || !parent || parent->children != 1 ||
      !parent->body_is_over)
    return NULL;
  return task->child;
}

/* The heir takes the task's place among its parent's children, where nobody else is. */
static void hand_over(sni_task *task, sni_task *heir)
{
  sn_event **last = &heir->done;

  for (int k = 0; k < task->part_count; k++)
    sni_order_leave(&task->parts[k].member);
  for (int k = 0; k < heir->part_count; k++) {
    sni_part *part = &heir->parts[k];
    sni_hazard *hazard = sni_scope_hazard(task->parent, part->block);
    sni_order_leave(&part->member);
    if (hazard)
      sni_order_enter(hazard, &part->member, part->permission);
  }
  sni_task_drop_tensors(task);
  while (*last)
    last = &(*last)->next;
  *last = task->done;
  for (sn_event *event = task->done; event; event = event->next)
    event->task = heir;
  sni_scope_unlink(heir);
  heir->parent = task->parent;
  sni_scope_link(heir);
  task->engine->tasks->counters.continuations++;
  task->engine->tasks->counters.finished++;
  if (task->engine->options.record_graph)
    sni_record_end(task);
  free_task(task);
}

/* ---- the body ---- */

void sni_task_body_over(sni_task *task)
{
  sni_task *heir;

  task->body_is_over = 1;
  if (task->code != SN_OK)
    tell(task);
  if (!task->children) {
    end(task);
    return;
  }
  task->state = SNI_TASK_CHILDREN;
  heir = heir_of(task);
  if (heir)
    hand_over(task, heir);
}

void sni_task_body_returned(sni_task *task)
{
  sn_engine *engine = task->engine;
  const int had_buffers = task->buffer_count || task->extra;
  const int code = sni_buffers_end(task);

  if (task->code == SN_OK)
    task->code = code;
  /* The queue is told before the event is done: who awaited that finds both. */
  if (task->queue && task->queue->code == SN_OK)
    task->queue->code = task->code;
  if (task->code != SN_OK)
    sni_commits_end(task);
  if (task->commits) {
    task->is_committing = 1;
    task->is_reserved = 0;
    sni_task_is_committing(task);        /* before what waits for the same blocks */
  } else {
    sni_task_body_over(task);
  }
  if (had_buffers)
    sni_engine_changed(engine);
}
