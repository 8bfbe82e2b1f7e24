/* Workers, and threads that help them: how they come to tasks, run them, and what follows.
 */
#include "runtime/host/exec/buffer.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/finish.h"
#include "runtime/host/exec/scheduler.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/wake.h"

#include <stdio.h>

enum { AT_ONCE = 16, HELPERS_ROW = 10000 };

typedef struct runner {          /* a thread that runs tasks: a worker, or one that helps */
  sni_crew *crew;
  int row;                       /* in traces */
  int unmeasured;                /* bodies to go until one is measured */
  unsigned ran;                  /* tasks since it woke */
  sni_inside inside;             /* of the task that it runs */
} runner;

static void begin_running(runner *r, sni_crew *crew)
{
  r->crew = crew;
  r->row = 0;
  r->unmeasured = 0;
  r->ran = 0;
  sni_inside_bodies(&r->inside, crew->unit->engine);
}

/* ---- running ---- */

static int reads_what_is_lost(const sni_task *task)
{
  char text[SNI_BLOCK_NAME], name[SNI_NAME];

  for (int k = 0; k < task->buffer_count; k++) {
    const sni_request *request = &task->buffers[k].request;
    if (request->block->is_lost && sni_needs_value(request->mode)) {
      sni_engine_fail(task->engine, SN_ESTATE,
                      "'%s' needs %s, which is lost: the task that wrote it has failed",
                      sni_task_name(task, name), sni_block_name(request->block, text));
      return 1;
    }
  }
  return 0;
}

/* Declared buffers, before the body can have children: the first of them first. */
static void hold_declared(sni_task *task)
{
  for (int k = task->buffer_count; k-- > 0;)
    if (task->buffers[k].request.mode != SNI_OP_TMP)
      sni_buffer_hold(&task->buffers[k]);
}

static int call_body(runner *r, sni_task *task)
{
  const sn_body_fn body = task->body[r->crew->unit->kind];
  double began;
  int code;

  if (!r->crew->is_measured || r->unmeasured-- > 0)
    return body(&task->run, task->user);
  began = sni_seconds();
  code = body(&task->run, task->user);
  r->unmeasured = sni_crew_measure(r->crew, sni_seconds() - began);
  return code;
}

static int begin_and_call(runner *r, sni_task *task)
{
  const int code = task->buffer_count ? sni_buffers_begin(task) : SN_OK;

  return code == SN_OK ? call_body(r, task) : code;
}

static int call_traced(runner *r, sni_task *task)
{
  sni_trace *trace = &task->engine->trace;
  const double began = sni_trace_now(trace);
  const int code = begin_and_call(r, task);
  char name[SNI_NAME];

  sni_trace_add(trace, sni_task_name(task, name), "task", r->crew->unit->index, r->row, began, 0);
  return code;
}

/* No lock held. */
static int run_body(runner *r, sni_task *task)
{
  int code;

  r->inside.run = &task->run;
  sni_alive_begin(&task->run);
  code = task->engine->trace.is_on ? call_traced(r, task) : begin_and_call(r, task);
  sni_alive_end(&task->run);
  r->inside.run = NULL;
  return code;
}

static void run_commits(sni_task *task)
{
  sn_engine *engine = task->engine;
  int code;

  sni_mutex_unlock(&engine->lock);
  code = sni_commits_run(task);
  sni_mutex_lock(&engine->lock);
  if (task->code == SN_OK)
    task->code = code;
  sni_commits_end(task);
  sni_task_body_over(task);
}

/* Lock held, and let go while the body runs; the scheduler is told how long that took. */
static int run_unlocked(runner *r, sni_task *task)
{
  sn_engine *engine = task->engine;
  const int is_told = engine->tasks->scheduler->cost != NULL;
  double began = 0;
  int code;

  sni_mutex_unlock(&engine->lock);
  if (is_told)
    began = sni_seconds();
  code = run_body(r, task);
  if (is_told)
    began = sni_seconds() - began;
  sni_mutex_lock(&engine->lock);
  if (is_told)
    sni_measure_add(task, r->crew->unit, began);
  return code;
}

/* Lock held, and let go while the body runs.  The task was counted as running when it was taken. */
static void run_task(runner *r, sni_task *task)
{
  sni_crew *crew = r->crew;
  sn_engine *engine = task->engine;

  task->state = SNI_TASK_RUNNING;
  task->run.unit = crew->unit;
  if (task->is_committing) {
    run_commits(task);
  } else {
    if (task->buffer_count && task->code == SN_OK && reads_what_is_lost(task))
      task->code = SN_ESTATE;
    if (task->code == SN_OK) {
      hold_declared(task);
      task->code = run_unlocked(r, task);
    }
    crew->load -= (double)task->expected;
    sni_task_body_returned(task);
  }
  crew->running--;
  if (engine->waiters && !sni_unit_is_busy(crew->unit))
    sni_engine_wake(engine);
}

/* ---- what has come back ---- */

/* Lock held: what follows from the end of their bodies. */
static void finish(sni_crew *crew, sni_task *task)
{
  crew->out--;
  crew->load -= (double)task->expected;
  sni_task_body_returned(task);
  if (crew->unit->engine->waiters && !sni_unit_is_busy(crew->unit))
    sni_engine_wake(crew->unit->engine);
}

static void finish_all(sni_crew *crew, sni_task *returned)
{
  while (returned) {
    sni_task *task = returned;
    returned = task->next;
    finish(crew, task);
  }
}

/* Lock held: all that has come back is finished, and the ring is full again. */
static void settle(sni_crew *crew)
{
  if (sni_handoff_has_returned(&crew->handoff))
    finish_all(crew, sni_handoff_collect(&crew->handoff, 0));
  if (crew->ready.head) {
    sni_crew_hand_over_next(crew);
    sni_crew_note_lines(crew);
  }
}

int sni_crews_serve(sn_engine *engine)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;

  if (!crew || !crew->out)
    return 0;
  finish_all(crew, sni_handoff_collect(&crew->handoff, 1));
  return 1;
}

/* The last look is short: what had come back before it is finished first. */
void sni_crews_unserve(sn_engine *engine)
{
  sni_crew *crew = &engine->tasks->crews[0];

  if (sni_handoff_has_returned(&crew->handoff))
    finish_all(crew, sni_handoff_collect(&crew->handoff, 1));
  finish_all(crew, sni_handoff_collect(&crew->handoff, 0));
  settle(crew);
  sni_crews_wake(engine, NULL);
}

/* ---- a worker ---- */

/* One that was handed over. */
static sni_task *take_handed(sni_crew *crew)
{
  return atomic_load_explicit(&crew->lined, memory_order_relaxed) == SNI_LINED_NOW
           ? NULL : sni_handoff_take(&crew->handoff);
}

/* No lock held.  Work comes in streams, and to be woken takes longer than to look a few times.
 * NULL: nothing was handed over; something may stand in a line. */
static sni_task *look_around(sni_crew *crew, unsigned seen)
{
  sni_task *task = NULL;

  for (int look = 0; look < SNI_LOOKS && !task; look++) {
    sni_thread_yield();
    if (atomic_load_explicit(&crew->arrived, memory_order_relaxed) != seen)
      break;
    task = take_handed(crew);
    if (!task && sni_handoff_count(&crew->handoff))
      break;                     /* behind what is lined */
  }
  return task;
}

/* No lock held.  Of one whose body is over: what follows is left to who holds the lock, where
 * somebody does and will look. */
static void give_back(sni_crew *crew, sni_task *task)
{
  sn_engine *engine = crew->unit->engine;
  const int is_free = sni_mutex_try(&engine->lock);

  if (!is_free && sni_handoff_return(&crew->handoff, task))
    return;
  if (is_free)
    finish(crew, task);
  else
    sni_mutex_lock(&engine->lock);
  settle(crew);
  sni_crews_wake(engine, crew);
  sni_mutex_unlock(&engine->lock);
}

/* No lock held.  One that was handed over. */
static void run_handed(runner *r, sni_task *task)
{
  sni_crew_wake_next(r->crew);
  atomic_store_explicit(&task->has_begun, 1, memory_order_relaxed);
  task->code = run_body(r, task);
  give_back(r->crew, task);
}

/* Ceases to look: before it looks whether there is work for one more. */
static void begin_work(sni_crew *crew)
{
  atomic_fetch_sub_explicit(&crew->looking, 1, memory_order_seq_cst);
}

/* No lock held.  It and those that come behind it; while bodies are short not all of them, since
 * they may be left to others: the first one after waking tells. */
static void run_all_handed(runner *r, sni_task *task)
{
  begin_work(r->crew);
  do
    run_handed(r, task);
  while (!(r->ran++ % AT_ONCE == 0 && sni_crew_is_short(r->crew)) &&
         (task = take_handed(r->crew)) != NULL);
  atomic_fetch_add_explicit(&r->crew->looking, 1, memory_order_seq_cst);
}

/* Lock held.  What is prepared was ready before it, where its priority is as great. */
static int takes_handed_first(const sni_crew *crew)
{
  return !crew->prepared.head || crew->out_priority > crew->prepared.head->priority;
}

/* Lock held, and let go meanwhile.  Tasks by way of the lock: 0: there is none. */
static int work_in_lock(runner *r)
{
  sni_crew *crew = r->crew;
  sn_engine *engine = crew->unit->engine;
  sni_task *task;

  settle(crew);
  task = takes_handed_first(crew) ? sni_handoff_take(&crew->handoff) : NULL;
  if (task) {
    sni_mutex_unlock(&engine->lock);
    run_all_handed(r, task);
    sni_mutex_lock(&engine->lock);
    return 1;
  }
  task = sni_crew_take(crew);
  if (task) {
    begin_work(crew);
    sni_crew_note_lines(crew);
    sni_crews_wake(engine, NULL);
    run_task(r, task);
    r->ran++;
    sni_crews_wake(engine, crew);
    atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
  }
  return task != NULL;
}

/* Lock held, and let go meanwhile.  There was nothing: 0: and there still is not. */
static int look_again(runner *r)
{
  sni_crew *crew = r->crew;
  sn_engine *engine = crew->unit->engine;
  const unsigned seen = atomic_load_explicit(&crew->arrived, memory_order_relaxed);
  sni_task *task;

  sni_mutex_unlock(&engine->lock);
  task = look_around(crew, seen);
  if (task)
    run_all_handed(r, task);
  sni_mutex_lock(&engine->lock);
  settle(crew);
  return task || atomic_load_explicit(&crew->arrived, memory_order_relaxed) != seen ||
         sni_handoff_count(&crew->handoff);
}

void *sni_crew_work(void *user)
{
  sni_crew *crew = user;
  sn_engine *engine = crew->unit->engine;
  char name[SNI_NAME];
  runner r;

  begin_running(&r, crew);
  sni_mutex_lock(&engine->lock);
  r.row = engine->next_queue++;
  snprintf(name, sizeof name, "worker %d", r.row);
  sni_trace_name_row(&engine->trace, crew->unit->index, r.row, name);
  sni_engine_bind(crew->unit, 0);
  atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
  for (;;) {
    if (!r.ran || !sni_crew_may_sleep(crew)) {
      if (work_in_lock(&r))
        continue;
      if (crew->is_closing)
        break;
      if (look_again(&r))
        continue;
    }
    sni_crew_sleep(crew);
    r.ran = 0;
    r.unmeasured = 0;
  }
  sni_mutex_unlock(&engine->lock);
  sni_inside_end(&r.inside);
  return NULL;
}

/* ---- threads that help ---- */

/* NULL: there is none. */
static sni_task *take_any(sni_crew *crew)
{
  sni_task *task = crew->out && takes_handed_first(crew) ? sni_handoff_take(&crew->handoff) : NULL;

  if (task) {
    crew->out--;
    crew->running++;
    return task;
  }
  task = sni_crew_take(crew);
  if (sni_crew_is_awake(crew))
    sni_crew_note_lines(crew);
  return task;
}

static int help(sn_engine *engine, sni_crew *crew, int64_t until)
{
  sni_task *task = take_any(crew);
  runner r;

  if (!task)
    return 0;
  begin_running(&r, crew);
  r.unmeasured = crew->unmeasured;
  if (crew->thread_count)        /* behind the workers and queues */
    r.row = HELPERS_ROW + crew->helpers;
  crew->helpers++;
  do {
    crew->helped++;
    sni_crews_wake(engine, NULL);        /* for what there is besides */
    run_task(&r, task);
    if (crew->defers && !sni_crew_is_short(crew))
      sni_crew_defers_no_more(crew);
  } while (engine->tasks->live_count > until && (task = take_any(crew)) != NULL);
  crew->helpers--;
  crew->unmeasured = r.unmeasured;
  sni_inside_end(&r.inside);
  sni_crews_wake(engine, NULL);  /* for what it leaves */
  return 1;
}

int sni_crews_help(sn_engine *engine)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;

  return crew && !crew->thread_count && help(engine, crew, INT64_MAX);
}

/* The same of who waits until there are no more than so many unfinished tasks, and may run any of
 * them until then: in place of workers that sleep too. */
static int help_until(sn_engine *engine, int64_t until)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;

  return crew && sni_crew_has_place(crew) && help(engine, crew, until);
}

/* So many more threads would help than before. */
static void count_idle(sni_crew *crew, int more)
{
  if (!crew)
    return;
  crew->idle_helpers += more;
  sni_engine_note_sleepers(crew->unit->engine);
}

/* While bodies are short it looks some times before it sleeps. */
void sni_engine_await_tasks(sn_engine *engine, int64_t until, int *idle)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;

  if (help_until(engine, until)) {
    *idle = 0;
    return;
  }
  count_idle(crew, 1);
  if (crew && sni_crew_is_short(crew) && ++*idle < SNI_LOOKS) {
    sni_mutex_unlock(&engine->lock);
    sni_thread_yield();
    sni_mutex_lock(&engine->lock);
  } else {
    *idle = 0;
    sni_engine_wait(engine);
  }
  count_idle(crew, -1);
}
