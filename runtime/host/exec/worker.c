/* Workers: what wakes them, how they run tasks, and what follows from the end of those.
 */
#include "runtime/host/exec/buffer.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/finish.h"
#include "runtime/host/exec/scheduler.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/submit.h"

enum { LOOKS = 30 };

/* ---- waking ---- */

/* Lock held.  One at a time, and none while another one is looking: who finds something wakes the
 * next (wake_next), so that as many are awake as find work.
 *
 * The fence stands between what has come and the look at who is looking; a worker ceases to look
 * before it looks at what is left, both in the one order of all that is sequentially consistent.
 * So one of the two sees what the other has done. */
static void wake_worker(sni_crew *crew)
{
  if (!atomic_load_explicit(&crew->sleeping, memory_order_relaxed))
    return;
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&crew->looking, memory_order_seq_cst) > 0 ||
      (sni_crew_lined(crew) == SNI_LINED_NONE && !sni_handoff_count(&crew->handoff)))
    return;
  atomic_fetch_sub_explicit(&crew->sleeping, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
  crew->unit->engine->tasks->sleeping--;
  crew->woken++;
  sni_condition_wake_one(&crew->work);
}

static void wake_workers(const sn_engine *engine, const sni_crew *caller)
{
  for (int k = 0; k < engine->unit_count; k++)
    if (&engine->tasks->crews[k] != caller)
      wake_worker(&engine->tasks->crews[k]);
}

void sni_crews_wake(sn_engine *engine, const sni_crew *caller)
{
  if (engine->tasks->sleeping)
    wake_workers(engine, caller);
  if (!engine->tasks->crews[0].thread_count)
    sni_engine_wake(engine);     /* who awaits runs the host's tasks */
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

static int run_body(sni_task *task, sni_crew *crew, int row)
{
  sn_engine *engine = task->engine;
  const double began = sni_trace_now(&engine->trace);
  char name[SNI_NAME];
  int code = sni_buffers_begin(task);

  sni_alive_begin(&task->run);
  if (code == SN_OK)
    code = task->body[crew->unit->kind](&task->run, task->user);
  sni_alive_end(&task->run);
  if (engine->trace.is_on)
    sni_trace_add(&engine->trace, sni_task_name(task, name), "task", crew->unit->index, row,
                  began, 0);
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

/* Lock held, and let go while the body runs. */
static void run_task(sni_crew *crew, sni_task *task, int row)
{
  sn_engine *engine = task->engine;
  const int is_measured = engine->tasks->scheduler->cost != NULL;
  double began = 0;

  task->state = SNI_TASK_RUNNING;
  crew->running++;
  task->run.unit = crew->unit;
  if (task->is_committing) {
    run_commits(task);
  } else {
    if (task->code == SN_OK && reads_what_is_lost(task))
      task->code = SN_ESTATE;
    if (task->code == SN_OK) {
      sni_inside inside;
      int code;
      hold_declared(task);
      sni_mutex_unlock(&engine->lock);
      if (is_measured)
        began = sni_seconds();
      sni_inside_body(&inside, &task->run);
      code = run_body(task, crew, row);
      sni_inside_end(&inside);
      if (is_measured)
        began = sni_seconds() - began;
      sni_mutex_lock(&engine->lock);
      task->code = code;
      if (is_measured)
        sni_measure_add(task, crew->unit, began);
    }
    crew->load -= task->expected;
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
  crew->load -= task->expected;
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

void sni_crews_serve(sn_engine *engine)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;

  if (!crew || !crew->out)
    return;
  crew->is_served = 1;
  finish_all(crew, sni_handoff_collect(&crew->handoff, 1));
}

/* The last look is short: what had come back before it is finished first. */
void sni_crews_unserve(sn_engine *engine)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;
  int has_changed;

  if (!crew || !crew->hands_over)
    return;
  has_changed = crew->is_served;
  if (crew->is_served && sni_handoff_has_returned(&crew->handoff))
    finish_all(crew, sni_handoff_collect(&crew->handoff, 1));
  if (crew->is_served) {
    crew->is_served = 0;
    finish_all(crew, sni_handoff_collect(&crew->handoff, 0));
  }
  if (crew->ready.head) {
    sni_crew_hand_over_next(crew);
    sni_crew_note_lines(crew);
  }
  if (has_changed)
    sni_crews_wake(engine, NULL);
}

/* ---- a worker ---- */

/* No lock held: for tasks that nobody is awake for. */
static void wake_next(sni_crew *crew)
{
  if (!atomic_load_explicit(&crew->sleeping, memory_order_relaxed) ||
      atomic_load_explicit(&crew->looking, memory_order_seq_cst) > 0 ||
      (atomic_load_explicit(&crew->lined, memory_order_seq_cst) == SNI_LINED_NONE &&
       !sni_handoff_count(&crew->handoff)))
    return;
  sni_mutex_lock(&crew->unit->engine->lock);
  wake_worker(crew);
  sni_mutex_unlock(&crew->unit->engine->lock);
}

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

  for (int look = 0; look < LOOKS && !task; look++) {
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
static void run_handed(sni_crew *crew, sni_task *task, int row)
{
  sni_inside inside;

  wake_next(crew);
  atomic_store_explicit(&task->has_begun, 1, memory_order_relaxed);
  sni_inside_body(&inside, &task->run);
  task->code = run_body(task, crew, row);
  sni_inside_end(&inside);
  give_back(crew, task);
}

/* Ceases to look: before wake_next looks at what is left. */
static void begin_work(sni_crew *crew)
{
  atomic_fetch_sub_explicit(&crew->looking, 1, memory_order_seq_cst);
}

/* Lock held.  Until somebody says that there is something, and counts it as looking. */
static void go_to_sleep(sni_crew *crew)
{
  begin_work(crew);
  atomic_fetch_add_explicit(&crew->sleeping, 1, memory_order_relaxed);
  crew->unit->engine->tasks->sleeping++;
  while (!crew->woken && !crew->is_closing)
    sni_condition_wait(&crew->work, &crew->unit->engine->lock);
  crew->woken--;
}

/* Lock held, and let go meanwhile.  A task by way of the lock: 0: there is none. */
static int work_in_lock(sni_crew *crew, int row)
{
  sn_engine *engine = crew->unit->engine;
  sni_task *task;

  settle(crew);
  task = crew->prepared.head ? NULL : sni_handoff_take(&crew->handoff);
  if (task) {
    begin_work(crew);
    sni_mutex_unlock(&engine->lock);
    run_handed(crew, task, row);
    sni_mutex_lock(&engine->lock);
  } else if ((task = sni_crew_take(crew)) != NULL) {
    begin_work(crew);
    sni_crew_look_ahead(crew);
    sni_crew_note_lines(crew);
    sni_crews_wake(engine, NULL);
    run_task(crew, task, row);
    sni_crews_wake(engine, crew);
  } else {
    return 0;
  }
  atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
  return 1;
}

void *sni_crew_work(void *user)
{
  sni_crew *crew = user;
  sn_engine *engine = crew->unit->engine;
  int row;

  sni_mutex_lock(&engine->lock);
  row = engine->next_queue++;
  sni_engine_bind(crew->unit, 0);
  atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
  for (;;) {
    sni_task *task;
    unsigned seen;
    while (work_in_lock(crew, row))
      ;
    if (crew->is_closing)
      break;
    seen = atomic_load_explicit(&crew->arrived, memory_order_relaxed);
    sni_mutex_unlock(&engine->lock);
    while ((task = look_around(crew, seen)) != NULL) {
      begin_work(crew);
      do
        run_handed(crew, task, row);
      while ((task = take_handed(crew)) != NULL);
      atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
    }
    sni_mutex_lock(&engine->lock);
    settle(crew);
    if (atomic_load_explicit(&crew->arrived, memory_order_relaxed) == seen &&
        !sni_handoff_count(&crew->handoff) && !crew->is_closing)
      go_to_sleep(crew);
  }
  sni_mutex_unlock(&engine->lock);
  return NULL;
}

int sni_crews_help(sn_engine *engine)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;
  sni_task *task = crew && !crew->thread_count ? sni_crew_take(crew) : NULL;

  if (task) {
    run_task(crew, task, 0);
    sni_crews_wake(engine, crew);
  }
  return task != NULL;
}

