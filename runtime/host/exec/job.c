/* Jobs: what is enqueued and touches arrays, in an order that misses no hazard.
 *
 * Each array has the order of its users, the rule of order.h over jobs.  A job
 * is put into the order of all its arrays, and into its queue, under one hold of the engine's
 * lock: so each waits for those that were enqueued before it and for nobody else, and no
 * circle can close.  What stands before it in its own queue needs no waiting; for each of the
 * others the queue gets a wait.
 *
 * A queue without a thread runs a job in the thread that enqueues it, which waits there: for
 * those that enqueued before it and have not run yet, then for its ticket.
 */
#include "runtime/host/exec/job.h"

static size_t aligned(size_t bytes)
{
  return (bytes + 15) & ~(size_t)15;
}

sni_job *sni_job_create(sn_engine *engine, size_t bytes, int touches)
{
  const size_t all = aligned(bytes) + (size_t)touches * sizeof(sni_touch);
  sni_job *job = sni_engine_new(engine, all, 1);
  sn_event *event = job ? sni_event_create(engine, 1) : NULL;

  if (!event) {
    sni_engine_delete(engine, job, job ? all : 0, 1);
    return NULL;
  }
  job->bytes = all;
  job->event = event;
  job->touches = (sni_touch *)((char *)job + aligned(bytes));
  return job;
}

/* Lock held. */
static void free_job(sn_engine *engine, sni_job *job)
{
  sni_event_drop(job->event);
  sni_engine_delete(engine, job, job->bytes, 1);
}

void sni_job_drop(sn_engine *engine, sni_job *job)
{
  sni_mutex_lock(&engine->lock);
  free_job(engine, job);
  sni_mutex_unlock(&engine->lock);
}

void sni_job_touch(sni_job *job, sni_array *array, sni_permission permission)
{
  sni_touch *touch = job->touches;

  while (touch < job->touches + job->touch_count && touch->array != array)
    touch++;
  if (touch == job->touches + job->touch_count) {
    job->touch_count++;
    touch->array = array;
    touch->member.who = job;
  }
  touch->permission = sni_permission_merge(touch->permission, permission);
}

/* ---- whom it has to follow ---- */

typedef struct collecting {
  sn_engine *engine;
  const sn_queue *queue;         /* NULL: the host's */
  uint64_t mark;
  sni_item *waits;
  int code;
} collecting;

/* What the engine refuses to wait for: the host itself, in the host's own thread. */
static int refuse_held(collecting *c, const sni_job *earlier)
{
  return sni_engine_fail(c->engine, SN_ESTATE,
                         "%s would wait for the array of node '%s' on the host, which is acquired: "
                         "release it first", c->queue ? c->queue->name : "the host",
                         earlier->touches[0].array->node->name);
}

static void collect(collecting *c, sni_job *earlier)
{
  const int waits_here = !c->queue || c->queue->is_immediate;
  sni_item *wait;

  if (c->code != SN_OK || earlier->mark == c->mark)
    return;
  earlier->mark = c->mark;
  if (!waits_here && earlier->queue == c->queue)
    return;
  if (waits_here && !earlier->queue) {
    c->code = refuse_held(c, earlier);
    return;
  }
  wait = sni_engine_new(c->engine, 1, sizeof *wait);
  if (!wait) {
    c->code = sni_engine_fail(c->engine, SN_ENOMEM, "no memory for an item");
    return;
  }
  wait->kind = SNI_WAIT;
  wait->before = earlier->event;
  sni_event_keep(earlier->event);
  wait->next = c->waits;
  c->waits = wait;
}

/* Lock held. */
static int collect_waits(sn_engine *engine, const sni_job *job, const sn_queue *queue,
                         sni_item **waits)
{
  collecting c = { engine, queue, ++engine->next_job, NULL, SN_OK };

  for (int k = 0; k < job->touch_count; k++) {
    const sni_member *first =
      sni_order_first(&job->touches[k].array->hazard, job->touches[k].permission);
    for (const sni_member *each = first; each; each = sni_order_next(each, first))
      collect(&c, each->who);
  }
  *waits = c.waits;
  return c.code;
}

static void drop_waits(sn_engine *engine, sni_item *waits)
{
  while (waits) {
    sni_item *next = waits->next;
    sni_event_drop(waits->before);
    sni_engine_delete(engine, waits, 1, sizeof *waits);
    waits = next;
  }
}

static void enter(sni_job *job)
{
  for (int k = 0; k < job->touch_count; k++) {
    sni_touch *touch = &job->touches[k];
    sni_order_enter(&touch->array->hazard, &touch->member, touch->permission);
  }
}

/* Lock held; the host waits for all of them. */
static void await_all(sn_engine *engine, const sni_item *waits)
{
  for (; waits; waits = waits->next)
    while (!atomic_load_explicit(&waits->before->done, memory_order_relaxed))
      sni_engine_await_change(engine);
}

/* ---- its end ---- */

/* Lock held. */
static void end(sn_engine *engine, sni_job *job, int code)
{
  for (int k = 0; k < job->touch_count; k++)
    sni_order_leave(&job->touches[k].member);
  if (job->over)
    job->over(job, code);
  sni_event_complete(job->event, code);
  free_job(engine, job);
}

/* Lock held: the queue has run it. */
static void finish(void *user, int code)
{
  sni_job *job = user;
  sn_queue *queue = job->queue;

  if (code != SN_OK && queue->code == SN_OK)
    queue->code = code;
  end(queue->engine, job, code);
}

/* ---- enqueueing ---- */

/* Lock held. */
static int prepare(sni_job *job, sn_queue *queue, sni_item **waits)
{
  int code = sni_queue_may_take(queue);

  *waits = NULL;
  if (code == SN_OK)
    code = sni_queue_take_code(queue);
  if (code == SN_OK)
    code = collect_waits(queue->engine, job, queue, waits);
  if (code == SN_OK && job->admit) {
    job->queue = queue;
    code = job->admit(job);
  }
  return code;
}

static void push(sn_queue *queue, sni_job *job, sni_item *waits)
{
  while (waits) {
    sni_item *next = waits->next;
    waits->next = NULL;
    sni_queue_push(queue, waits);
    waits = next;
  }
  sni_queue_push(queue, &job->item);
}

int sni_job_enqueue(sni_job *job, sn_queue *queue, sn_event **done)
{
  sn_engine *engine = queue->engine;
  sni_item *waits;
  int code;

  sni_mutex_lock(&engine->lock);
  code = prepare(job, queue, &waits);
  if (code != SN_OK) {
    drop_waits(engine, waits);
    free_job(engine, job);
    sni_mutex_unlock(&engine->lock);
    return code;
  }
  job->queue = queue;
  job->item.user = job;
  job->item.finish = finish;
  enter(job);
  if (done) {
    sni_event_keep(job->event);
    *done = job->event;
  }
  if (queue->is_immediate) {
    sni_queue_number(queue, &job->item);
    await_all(engine, waits);
    drop_waits(engine, waits);
  } else {
    push(queue, job, waits);
  }
  sni_mutex_unlock(&engine->lock);
  if (queue->is_immediate)
    sni_queue_run_at_once(queue, &job->item);
  return SN_OK;
}

/* ---- the host's ---- */

int sni_job_hold(sn_engine *engine, sni_job *job)
{
  sni_item *waits;
  int code;

  sni_mutex_lock(&engine->lock);
  code = collect_waits(engine, job, NULL, &waits);
  if (code == SN_OK && waits)
    code = sni_engine_may_wait(engine, "sn_node_acquire of '%s'",
                               job->touches[0].array->node->name);
  if (code == SN_OK) {
    enter(job);
    await_all(engine, waits);
  } else {
    free_job(engine, job);
  }
  drop_waits(engine, waits);
  sni_mutex_unlock(&engine->lock);
  return code;
}

void sni_job_end(sn_engine *engine, sni_job *job, int code)
{
  sni_mutex_lock(&engine->lock);
  end(engine, job, code);
  sni_mutex_unlock(&engine->lock);
}
