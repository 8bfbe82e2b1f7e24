/* Queues: first in, first out, on a thread of their own or at once.
 *
 * The thread takes an item under the engine's lock and runs it without.  A wait blocks
 * the queue and nobody else.  An item that fails leaves its code with its event and with
 * the queue, and the next item runs.
 *
 * An immediate queue's items run in the threads that bring them, each when its ticket has
 * come.  Who waits for that is inside of no task and of no queue's work (sni_queue_may_take), and
 * the item that is served waits for what came earlier alone, so that every ticket is served.  The
 * engine's lock guards tickets, as it does all that a queue holds: who has ended an item and let
 * the lock go does not look at the queue again, which may then be destroyed.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/merge.h"

#include <stdio.h>

/* ---- running an item ---- */

static const char *const kind_name[] = { "work", "copy", "fill", "wait", "record", "task" };

/* Lock held.  An immediate queue's item runs in its caller's thread, which may have to run the very
 * tasks that it waits for. */
static void wait_for_change(const sn_queue *queue)
{
  if (queue->is_immediate)
    sni_engine_await_change(queue->engine);
  else
    sni_engine_wait(queue->engine);
}

static int wait_for(const sn_queue *queue, const sn_event *event)
{
  sni_mutex_lock(&queue->engine->lock);
  while (!atomic_load_explicit(&event->done, memory_order_relaxed))
    wait_for_change(queue);
  sni_mutex_unlock(&queue->engine->lock);
  return SN_OK;                  /* what failed there is told there */
}

static int run_work(const sn_queue *queue, const sni_item *item)
{
  sni_inside inside;
  int code;

  sni_inside_queue(&inside, queue);
  code = item->run(item->user, queue->unit->device);
  sni_inside_end(&inside);
  return code;
}

static int run_item(sn_queue *queue, const sni_item *item)
{
  sn_engine *engine = queue->engine;
  const double began = sni_trace_now(&engine->trace);
  int code = SN_OK;

  switch (item->kind) {
  case SNI_WORK: code = run_work(queue, item); break;
  case SNI_COPY: code = sni_engine_copy(engine, item->dst, item->src); break;
  case SNI_FILL: code = sni_engine_fill(engine, item->dst, item->byte); break;
  case SNI_WAIT: code = wait_for(queue, item->before); break;
  case SNI_RECORD: return SN_OK;
  case SNI_TASK:                 /* which traces itself, and says what failed */
    item->run_task(queue, item->task);
    return SN_OK;
  }
  sni_trace_add(&engine->trace,
                item->name ? item->name
                : item->kind == SNI_WORK ? queue->name : kind_name[item->kind],
                item->category ? item->category
                : item->finish ? "transfer" : kind_name[item->kind], queue->unit->index,
                queue->number, began, item->dst.bytes);
  return code;
}

/* Lock held: the item is over, and gone unless it is someone's. */
static void finish_item(sn_queue *queue, sni_item *item, int code)
{
  queue->busy--;
  queue->unit->busy--;
  if (item->finish) {
    item->finish(item->user, code);
    return;
  }
  if (code != SN_OK)
    sni_engine_fail(queue->engine, code, "%s: %s has failed: %s", queue->name,
                    kind_name[item->kind], sn_strerror(code));
  if (code != SN_OK && queue->code == SN_OK)
    queue->code = code;
  if (item->before)
    sni_event_drop(item->before);
  if (item->done) {
    sni_event_complete(item->done, code);
    sni_event_drop(item->done);
  }
  sni_engine_wake(queue->engine);
  sni_engine_delete(queue->engine, item, 1, sizeof *item);
}

static void *run_queue(void *user)
{
  sn_queue *queue = user;
  sn_engine *engine = queue->engine;

  sni_mutex_lock(&engine->lock);
  if (queue->is_internal)
    sni_engine_bind(queue->unit, 1);
  for (;;) {
    sni_item *item = queue->head;
    int code;
    if (!item && queue->is_closing)
      break;
    if (!item) {
      sni_condition_wait(&queue->filled, &engine->lock);
      continue;
    }
    queue->head = item->next;
    if (!queue->head)
      queue->tail = &queue->head;
    sni_mutex_unlock(&engine->lock);
    code = run_item(queue, item);
    sni_mutex_lock(&engine->lock);
    finish_item(queue, item, code);
  }
  sni_mutex_unlock(&engine->lock);
  return NULL;
}

/* ---- giving it items ---- */

int sni_queue_take_code(sn_queue *queue)
{
  const int code = queue->code;

  queue->code = SN_OK;
  return code;
}

static void enqueue(sn_queue *queue, sni_item *item)
{
  *queue->tail = item;
  queue->tail = &item->next;
  sni_condition_wake_one(&queue->filled);
}

static void count(sn_queue *queue)
{
  queue->busy++;
  queue->unit->busy++;
}

void sni_queue_number(sn_queue *queue, sni_item *item)
{
  count(queue);
  item->number = queue->tickets++;
}

/* Runs it here, when those before it have run. */
void sni_queue_run_at_once(sn_queue *queue, sni_item *item)
{
  sn_engine *engine = queue->engine;
  int code;

  sni_mutex_lock(&engine->lock);
  while (queue->now_serving != item->number)
    sni_engine_await_change(engine);
  sni_mutex_unlock(&engine->lock);
  code = run_item(queue, item);
  sni_mutex_lock(&engine->lock);
  queue->now_serving++;
  finish_item(queue, item, code);
  sni_engine_wake(engine);       /* the next one */
  sni_mutex_unlock(&engine->lock);
}

void sni_queue_push(sn_queue *queue, sni_item *item)
{
  count(queue);
  enqueue(queue, item);
}

int sni_queue_may_take(const sn_queue *queue)
{
  return queue->is_immediate
           ? sni_engine_may_wait(queue->engine, "%s is immediate: what it is given", queue->name)
           : SN_OK;
}

int sni_queue_admit(sn_queue *queue, sni_item **out)
{
  SN_TRY(sni_queue_take_code(queue));
  *out = sni_engine_new(queue->engine, 1, sizeof **out);
  return *out ? SN_OK : sni_engine_fail(queue->engine, SN_ENOMEM, "%s: no memory for a task",
                                        queue->name);
}

void sni_queue_place(sn_queue *queue, sni_item *item, struct sni_task *task,
                     void (*run)(sn_queue *, struct sni_task *))
{
  item->kind = SNI_TASK;
  item->task = task;
  item->run_task = run;
  if (queue->is_immediate)
    sni_queue_number(queue, item);
  else
    sni_queue_push(queue, item);
}

/* An item like `what`; its event goes to *done, where that is not NULL. */
static int submit(sn_queue *queue, const sni_item *what, sn_event **done)
{
  sn_engine *engine = queue->engine;
  sni_item *item;
  sn_event *event;
  int code;

  SN_TRY(sni_queue_may_take(queue));
  item = sni_engine_new(engine, 1, sizeof *item);
  event = done ? sni_event_create(engine, 2) : NULL;
  sni_mutex_lock(&engine->lock);
  code = sni_queue_take_code(queue);
  if (code == SN_OK && (!item || (done && !event)))
    code = sni_engine_fail(engine, SN_ENOMEM, "%s: no memory for an item", queue->name);
  if (code != SN_OK) {
    if (event) {
      sni_event_drop(event);
      sni_event_drop(event);
    }
    sni_mutex_unlock(&engine->lock);
    sni_engine_delete(engine, item, item ? 1 : 0, sizeof *item);
    return code;
  }
  *item = *what;
  item->done = event;
  if (item->before)
    sni_event_keep(item->before);
  if (done)
    *done = event;
  if (queue->is_immediate)
    sni_queue_number(queue, item);
  else
    sni_queue_push(queue, item);
  sni_mutex_unlock(&engine->lock);
  if (queue->is_immediate)
    sni_queue_run_at_once(queue, item);
  return SN_OK;
}

int sn_queue_submit(sn_queue *queue, sn_work_fn run, void *user, sn_event **done)
{
  const sni_item item = { .kind = SNI_WORK, .run = run, .user = user };

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  return run ? submit(queue, &item, done) : SN_EINVAL;
}

static int check_span(sn_queue *queue, const sn_span *span, const char *which)
{
  if (!span->data && span->bytes)
    return sni_engine_fail(queue->engine, SN_EINVAL, "%s: the %s is NULL", queue->name, which);
  if (!sni_engine_reaches(queue->engine, span))
    return sni_engine_fail(queue->engine, SN_EINVAL,
                           "%s: the %s is on device %d, which the engine has not", queue->name,
                           which, span->device);
  return SN_OK;
}

int sn_queue_copy(sn_queue *queue, sn_span dst, sn_span src, int *moved, sn_event **done)
{
  const sni_item item = { .kind = SNI_COPY, .dst = dst, .src = src };
  const sni_item nothing = { .kind = SNI_RECORD };
  const int is_move = src.bytes > 0 && !(dst.data == src.data && dst.device == src.device);

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  SN_TRY(check_span(queue, &dst, "destination"));
  SN_TRY(check_span(queue, &src, "source"));
  if (dst.bytes != src.bytes)
    return sni_engine_fail(queue->engine, SN_EINVAL, "%s: a copy of %llu bytes into %llu",
                           queue->name, (unsigned long long)src.bytes,
                           (unsigned long long)dst.bytes);
  SN_TRY(submit(queue, is_move ? &item : &nothing, done));
  if (moved)
    *moved = is_move;
  return SN_OK;
}

int sn_queue_fill(sn_queue *queue, sn_span dst, uint8_t byte, sn_event **done)
{
  const sni_item item = { .kind = SNI_FILL, .dst = dst, .byte = byte };

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  SN_TRY(check_span(queue, &dst, "destination"));
  return submit(queue, &item, done);
}

int sn_queue_record(sn_queue *queue, sn_event **out)
{
  const sni_item item = { .kind = SNI_RECORD };

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  return out ? submit(queue, &item, out) : SN_EINVAL;
}

int sn_queue_wait(sn_queue *queue, sn_event *event)
{
  const sni_item item = { .kind = SNI_WAIT, .before = event };

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (sni_is_gone(event))
    return SN_EINVAL;
  if (event->engine != queue->engine)
    return sni_engine_fail(queue->engine, SN_EINVAL, "%s: the event belongs to another engine",
                           queue->name);
  return submit(queue, &item, NULL);
}

/* ---- asking and waiting ---- */

int sn_queue_is_idle(sn_queue *queue, int *idle)
{
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  if (!idle)
    return SN_EINVAL;
  sni_mutex_lock(&queue->engine->lock);
  *idle = queue->busy == 0;
  sni_mutex_unlock(&queue->engine->lock);
  return SN_OK;
}

int sn_queue_await(sn_queue *queue)
{
  sn_engine *engine;
  int code;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  engine = queue->engine;
  SN_TRY(sni_engine_may_wait(engine, "sn_queue_await of %s", queue->name));
  sni_mutex_lock(&engine->lock);
  while (queue->busy)
    sni_engine_await_change(engine);
  code = sni_queue_take_code(queue);
  sni_mutex_unlock(&engine->lock);
  return code;
}

/* ---- making and destroying ---- */

/* Lock held.  With its thread, which waits for the lock: nobody sees the one without the
 * other.  0: no thread could be had, and nothing was linked. */
static int link_queue(sn_queue *queue)
{
  sn_engine *engine = queue->engine;
  char name[SNI_NAME + 4];
  int is_started = 1;

  queue->number = engine->next_queue++;
  if (!queue->name[0])
    snprintf(queue->name, sizeof queue->name, "queue %d", queue->number);
  sni_trace_name_row(&engine->trace, queue->unit->index, queue->number, queue->name);
  snprintf(name, sizeof name, "sn:%s", queue->name);
  if (!queue->is_immediate)
    is_started = sni_thread_start(&queue->thread, name, engine->options.stack, run_queue, queue);
  if (is_started) {
    queue->next = engine->queues;
    engine->queues = queue;
    engine->queue_count += !queue->is_internal;
  }
  return is_started;
}

static void unlink_queue(sn_queue *queue)
{
  sn_engine *engine = queue->engine;
  sn_queue **link = &engine->queues;

  sni_mutex_lock(&engine->lock);
  while (*link != queue)
    link = &(*link)->next;
  *link = queue->next;
  engine->queue_count -= !queue->is_internal;
  sni_mutex_unlock(&engine->lock);
}

static void free_queue(sn_queue *queue)
{
  sni_merge_free(queue);
  sni_condition_destroy(&queue->filled);
  sni_engine_delete(queue->engine, queue, 1, sizeof *queue);
}

static sn_queue *new_queue(sn_unit *unit, const char *name)
{
  sn_queue *queue = sni_engine_new(unit->engine, 1, sizeof *queue);

  if (!queue)
    return NULL;
  queue->engine = unit->engine;
  queue->unit = unit;
  queue->tail = &queue->head;
  (void)sni_text_copy(queue->name, sizeof queue->name, name ? name : "");
  sni_condition_create(&queue->filled);
  return queue;
}

sn_queue *sni_queue_start(sn_unit *unit, const char *name)
{
  sn_queue *queue = new_queue(unit, name);

  if (!queue)
    return NULL;
  queue->is_internal = 1;
  if (!link_queue(queue)) {
    free_queue(queue);
    return NULL;
  }
  sni_alive_begin(queue);
  return queue;
}

int sn_queue_create(sn_unit *unit, const sn_queue_options *options, sn_queue **out)
{
  static const sn_queue_options standard = SN_QUEUE_OPTIONS_INIT;
  sn_queue_options own;
  const sn_queue_options *o;
  sn_queue *queue;
  int is_linked;

  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(unit)));
  o = sni_engine_sized(unit->engine, "the options of a queue", options, &own, &standard,
                       sizeof own);
  if (!out || !o)
    return SN_EINVAL;
  queue = new_queue(unit, o->name);
  if (!queue)
    return sni_engine_fail(unit->engine, SN_ENOMEM, "no memory for a queue");
  queue->is_immediate = o->immediate;
  sni_mutex_lock(&unit->engine->lock);
  is_linked = link_queue(queue);
  sni_mutex_unlock(&unit->engine->lock);
  if (!is_linked) {
    free_queue(queue);
    return sni_engine_fail(unit->engine, SN_ENOMEM, "no thread could be had for a queue");
  }
  sni_alive_begin(queue);
  *out = queue;
  return SN_OK;
}

int sn_queue_destroy(sn_queue *queue)
{
  sn_engine *engine;
  int code;

  if (!queue)
    return SN_OK;
  SN_TRY(sni_engine_may_call(SNI_ENGINE_OF(queue)));
  engine = queue->engine;
  SN_TRY(sni_engine_may_wait(engine, "sn_queue_destroy of %s", queue->name));
  code = sn_queue_await(queue);
  if (!queue->is_immediate) {
    sni_mutex_lock(&engine->lock);
    queue->is_closing = 1;
    sni_condition_wake_one(&queue->filled);
    sni_mutex_unlock(&engine->lock);
    sni_thread_join(queue->thread);
  }
  unlink_queue(queue);
  sni_alive_end(queue);
  free_queue(queue);
  return code;
}
