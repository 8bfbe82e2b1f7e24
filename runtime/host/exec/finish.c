/* The end of tasks: what follows them, what their failure means, and continuations.
 *
 * A task whose body is over with exactly one child left, below another such task, hands its
 * place to the child and is gone: recursion at the end of a body takes no more memory the deeper
 * it goes.  Whether it may is asked whenever it might have become so, in whatever order the bodies
 * end: when a body is over, and when the last but one of a task's children has ended.  So of a
 * chain of continuations there are left its first task, those whose bodies are not over, and at
 * most one below each of these.
 */
#include "runtime/host/exec/buffer.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/finish.h"
#include "runtime/host/exec/graph.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/recording.h"
#include "runtime/host/exec/scope.h"

/* ---- what a failure means ---- */

static void tell(const sni_task *task)
{
  char name[SNI_NAME];

  if (task->code != SN_OK && task->code != SN_ECANCELED)
    sni_engine_fail(task->engine, task->code, "'%s' has failed: %s", sni_task_name(task, name),
                    sn_strerror(task->code));
}

/* For all that stand behind it in the order.  Those before it have ended; those beside it, that
 * accumulate as it does, need no value: nobody else can see when this happens. */
static void lose_blocks(const sni_task *task)
{
  for (int k = 0; k < task->part_count; k++)
    if (sni_task_parts(task)[k].permission > SNI_READ)
      sni_task_parts(task)[k].block->is_lost = 1;
}

/* ---- leaving ---- */

static void leave_order(sni_task *task)
{
  for (int k = 0; k < task->part_count; k++)
    sni_order_leave(&sni_task_parts(task)[k].member);
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

/* One task less, and whoever waits for all of them, or for half of the most, goes on.  The count
 * falls here alone and one by one, so that it misses neither. */
static void count_less(sn_engine *engine)
{
  const int64_t live = --engine->tasks->live_count;

  if (!live || live == engine->options.most_tasks / 2)
    sni_engine_wake(engine);
}

static void free_task(sni_task *task)
{
  sni_scope_unlink(task);
  count_less(task->engine);
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
    sni_graph_note_end(task);
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

/* ---- continuations ---- */

/* Neither it nor one of its children has failed. */
static int is_well(const sni_task *task)
{
  return task->code == SN_OK && task->child_code == SN_OK;
}

/* Its body is over, and it has a single child. */
static int has_one_left(const sni_task *task)
{
  return task->state == SNI_TASK_CHILDREN && task->children == 1;
}

/* The heir takes the task's place below its parent, where nobody else is or will come: no order is
 * left to keep there. */
static void hand_over(sni_task *task, sni_task *heir)
{
  sn_event **last = &heir->done;

  leave_order(task);
  for (int k = 0; k < heir->part_count; k++)
    sni_order_leave(&sni_task_parts(heir)[k].member);
  while (*last)
    last = &(*last)->next;
  *last = task->done;
  for (sn_event *event = task->done; event; event = event->next)
    event->task = heir;
  sni_scope_unlink(heir);
  heir->parent = task->parent;
  heir->place = task->place;
  sni_scope_link(heir);
  task->engine->tasks->counters.continuations++;
  task->engine->tasks->counters.finished++;
  if (task->engine->options.record_graph)
    sni_graph_note_end(task);
  free_task(task);
}

/* Below it, one after the other. */
static void hand_over_below(sni_task *task)
{
  while (has_one_left(task) && has_one_left(task->child) && is_well(task->child))
    hand_over(task->child, task->child->child);
}

/* It has come to have one left: it may be in the middle of a chain, or the first of one. */
static void shorten(sni_task *task)
{
  sni_task *parent = task->parent;

  hand_over_below(parent && has_one_left(parent) && is_well(task) ? parent : task);
}

/* ---- the end ---- */

/* Its parent may have waited for just this one. */
static void leave_parent(sni_task *task, sni_task **ended)
{
  sni_task *parent = task->parent;

  if (!parent)
    return;
  if (task->code != SN_OK &&
      (parent->child_code == SN_OK || task->place < parent->child_place)) {
    parent->child_code = task->code;
    parent->child_place = task->place;
  }
  if (--parent->children == 0 && parent->state == SNI_TASK_CHILDREN) {
    parent->next = *ended;
    *ended = parent;
  }
}

/* One after the other, not one inside the other: chains of tasks are long. */
static void end(sni_task *task)
{
  sni_task *ended = task;

  task->next = NULL;
  while (ended) {
    sni_task *parent = ended->parent;
    task = ended;
    ended = task->next;
    task->state = SNI_TASK_ENDED;
    if (task->code == SN_OK)
      task->code = task->child_code;
    if (task->code != SN_OK)
      lose_blocks(task);
    count_end(task);
    leave_order(task);
    release_later(task, &ended);
    complete_events(task);
    leave_parent(task, &ended);
    free_task(task);
    if (parent && has_one_left(parent))
      shorten(parent);
  }
}

/* ---- the body ---- */

void sni_task_body_over(sni_task *task)
{
  if (task->code != SN_OK)
    tell(task);
  if (!task->children) {
    end(task);
    return;
  }
  task->state = SNI_TASK_CHILDREN;
  if (has_one_left(task))
    shorten(task);
}

void sni_task_body_returned(sni_task *task)
{
  sn_engine *engine = task->engine;
  const int had_buffers = task->buffer_count || task->extra;

  if (had_buffers) {
    const int code = sni_buffers_end(task);
    task->code = task->code == SN_OK ? code : task->code;
  }
  /* The queue is told before the event is done: who awaited that finds both.  What its children
   * come to the event tells. */
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
