/* Workers: which task they take, how its buffers come, what wakes them.
 *
 * The lines of a unit: ready (placed there), preparing (its buffers are on their way), prepared.
 * The host's workers prepare what they take; other units prepare a few tasks ahead of their
 * worker, so that transfers run beside tasks.  A task that finds no room holds those behind
 * it back, so that it is not passed by for ever; one that waits for a block does not.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/task.h"

#include <string.h>

enum { AHEAD = 2, LOOKS = 30 };

static sni_crew *crew_of(sn_unit *unit)
{
  return &unit->engine->tasks->crews[unit->index];
}

/* Lock held.  Relaxed: it only hints; who finds it changed takes the lock and looks. */
static void note_arrival(sni_crew *crew)
{
  atomic_store_explicit(&crew->arrived,
                        atomic_load_explicit(&crew->arrived, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}

/* ---- preparing ---- */

static sni_request *set_of(sni_task *task)
{
  if (task->is_committing)
    return &task->commits->request;
  return task->buffer_count ? &task->buffers[0].request : NULL;
}

static int is_there(sni_task *task)
{
  for (const sni_request *request = set_of(task); request; request = request->next)
    if (!sni_request_is_there(request))
      return 0;
  return 1;
}

/* Reserves what is not; what cannot be had at all makes the task fail. */
static sni_outcome reserve(sni_crew *crew, sni_task *task)
{
  sni_outcome outcome;

  if (task->is_reserved || task->code != SN_OK)
    return SNI_GRANTED;
  if (!task->is_committing)
    for (sni_request *request = set_of(task); request; request = request->next)
      request->unit = crew->unit;
  outcome = sni_requests_reserve(set_of(task));
  crew->is_full |= outcome == SNI_ROOM_COMES || outcome == SNI_NO_ROOM;
  if (outcome == SNI_GRANTED)
    task->is_reserved = 1;
  if (outcome != SNI_NO_MEMORY)
    return outcome;
  task->code = sni_engine_fail(task->engine, SN_ENOMEM, "%s has no memory for a task's buffers",
                               crew->unit->name);
  return SNI_GRANTED;
}

/* 1: it can run; 0: it stands in the line of those that are being prepared. */
static int prepare(sni_crew *crew, sni_task *task)
{
  if (!set_of(task))
    return 1;
  if (reserve(crew, task) == SNI_GRANTED && (task->code != SN_OK || is_there(task)))
    return 1;
  task->state = SNI_TASK_PREPARING;
  sni_line_push(&crew->preparing, task);
  task->engine->tasks->preparing_count++;
  return 0;
}

/* The next one for the unit, of its own line or of the shared one. */
static sni_task *take_ready(sni_crew *crew)
{
  sni_tasks *tasks = crew->unit->engine->tasks;
  sni_task *own = crew->ready.head, *before = NULL, *shared = tasks->shared.head;

  while (shared && !sni_task_can_run_on(shared, crew->unit)) {
    before = shared;
    shared = shared->next;
  }
  if (own && (!shared || own->priority >= shared->priority))
    return sni_line_remove(&crew->ready, NULL);
  return shared ? sni_line_remove(&tasks->shared, before) : NULL;
}

static void set_prepared(sni_crew *crew, sni_task *task)
{
  note_arrival(crew);
  task->state = SNI_TASK_PREPARED;
  sni_line_push(&crew->prepared, task);
}

/* Whether room is wanted by who comes first: a task that found none, or one that runs. */
static int is_taken(const sni_crew *crew)
{
  return crew->is_full || crew->claims;
}

/* Whether that holds this task back: not what has its room, or needs none, since that is what may
 * give room. */
static int is_held_back(const sni_crew *crew, const sni_task *task)
{
  return is_taken(crew) && !task->is_reserved && !task->is_committing;
}

/* Those that wait for buffers try again. */
static void retry(sni_crew *crew)
{
  sni_task *before = NULL, *task = crew->preparing.head;

  crew->is_full = 0;
  while (task) {
    sni_task *next = task->next;
    if (!is_held_back(crew, task) && reserve(crew, task) == SNI_GRANTED &&
        (task->code != SN_OK || is_there(task))) {
      (void)sni_line_remove(&crew->preparing, before);
      task->engine->tasks->preparing_count--;
      set_prepared(crew, task);
    } else {
      before = task;
    }
    task = next;
  }
}

/* Tasks ahead of their worker: their transfers begin. */
static void look_ahead(sni_crew *crew)
{
  while (!is_taken(crew) && crew->preparing.count + crew->prepared.count < crew->ahead) {
    sni_task *task = take_ready(crew);
    if (!task)
      return;
    if (prepare(crew, task))
      set_prepared(crew, task);
  }
}

/* ---- room for who runs ---- */

/* A body has not begun: what was reserved for it is as if it had not been. */
static void unreserve(sni_task *task)
{
  if (!task->is_reserved || task->is_committing)
    return;
  for (sni_request *request = set_of(task); request; request = request->next)
    (void)sni_request_release(request, 0);
  task->is_reserved = 0;
}

void sni_room_claim(sn_unit *unit)
{
  sni_crew *crew = crew_of(unit);
  sni_task *before = NULL, *task = crew->prepared.head;

  crew->claims++;
  for (sni_task *each = crew->preparing.head; each; each = each->next)
    unreserve(each);
  while (task) {
    sni_task *next = task->next;
    if (task->is_reserved && !task->is_committing) {
      unreserve(task);
      (void)sni_line_remove(&crew->prepared, before);
      task->state = SNI_TASK_PREPARING;
      sni_line_push(&crew->preparing, task);
      task->engine->tasks->preparing_count++;
    } else {
      before = task;
    }
    task = next;
  }
}

void sni_crews_pump(sn_engine *engine)
{
  sni_tasks *tasks = engine->tasks;

  if (!tasks || !tasks->preparing_count)
    return;
  for (int k = 0; k < engine->unit_count; k++) {
    retry(&tasks->crews[k]);
    note_arrival(&tasks->crews[k]);      /* of room, if of nothing else */
    look_ahead(&tasks->crews[k]);
  }
  sni_crews_wake(engine, NULL);
}

/* Those that gave way try again now: a claim that was in vain is followed by no release. */
void sni_room_unclaim(sn_unit *unit)
{
  crew_of(unit)->claims--;
  sni_crews_pump(unit->engine);
}

void sni_task_is_ready(sni_task *task)
{
  sni_tasks *tasks = task->engine->tasks;
  sn_unit *unit;

  if (sni_task_is_kept(task))
    return;
  unit = task->unit ? task->unit : sni_place(task);
  task->state = SNI_TASK_READY;
  if (task->queue) {             /* which looks again */
    sni_engine_wake(task->engine);
    return;
  }
  if (!unit) {
    sni_line_push(&tasks->shared, task);
    note_arrival(&tasks->crews[0]);
    for (int k = 1; k < task->engine->unit_count; k++)
      look_ahead(&tasks->crews[k]);
    return;
  }
  task->unit = unit;
  crew_of(unit)->load += task->expected;
  sni_line_push(&crew_of(unit)->ready, task);
  note_arrival(crew_of(unit));
  look_ahead(crew_of(unit));
}

void sni_task_is_committing(sni_task *task)
{
  sni_crew *crew = crew_of(task->run.unit);

  if (prepare(crew, task))
    set_prepared(crew, task);
}

/* ---- waking ---- */

static void wake_workers(const sn_engine *engine, const sni_crew *caller)
{
  sni_tasks *tasks = engine->tasks;

  for (int k = 0; k < engine->unit_count; k++) {
    sni_crew *crew = &tasks->crews[k];
    int64_t work = crew->prepared.count + crew->ready.count + tasks->shared.count;
    for (work -= crew == caller; work > 0 && crew->sleeping > 0; work--) {
      crew->sleeping--;
      tasks->sleeping--;
      sni_condition_wake_one(&crew->work);
    }
  }
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

/* One that can run now, or NULL: what cannot is being prepared. */
static sni_task *take(sni_crew *crew)
{
  sni_task *task;

  if (crew->prepared.head)
    return sni_line_remove(&crew->prepared, NULL);
  while (!is_taken(crew) && crew->preparing.count < AHEAD + crew->thread_count &&
         (task = take_ready(crew)) != NULL)
    if (prepare(crew, task))
      return task;
  return NULL;
}

/* Lock held, and let go meanwhile: work comes in streams, and to be woken takes longer than to
 * look a few times.  1: something may have come. */
static int look_around(sni_crew *crew)
{
  sn_engine *engine = crew->unit->engine;
  const unsigned seen = atomic_load_explicit(&crew->arrived, memory_order_relaxed);
  int has_come = 0;

  sni_mutex_unlock(&engine->lock);
  for (int look = 0; look < LOOKS && !has_come; look++) {
    sni_thread_yield();
    has_come = atomic_load_explicit(&crew->arrived, memory_order_relaxed) != seen;
  }
  sni_mutex_lock(&engine->lock);
  return has_come || atomic_load_explicit(&crew->arrived, memory_order_relaxed) != seen;
}

static void *work(void *user)
{
  sni_crew *crew = user;
  sn_engine *engine = crew->unit->engine;
  int row;

  sni_mutex_lock(&engine->lock);
  row = engine->next_queue++;
  sni_engine_bind(crew->unit, 0);
  for (;;) {
    sni_task *task = take(crew);
    if (task) {
      look_ahead(crew);
      run_task(crew, task, row);
      sni_crews_wake(engine, crew);
    } else if (crew->is_closing) {
      break;
    } else if (!look_around(crew) && !crew->is_closing) {
      crew->sleeping++;
      engine->tasks->sleeping++;
      sni_condition_wait(&crew->work, &engine->lock);
    }
  }
  sni_mutex_unlock(&engine->lock);
  return NULL;
}

int sni_crews_help(sn_engine *engine)
{
  sni_crew *crew = engine->tasks ? &engine->tasks->crews[0] : NULL;
  sni_task *task = crew && !crew->thread_count ? take(crew) : NULL;

  if (task) {
    run_task(crew, task, 0);
    sni_crews_wake(engine, crew);
  }
  return task != NULL;
}

/* ---- making and destroying ---- */

static int crew_create(sni_crew *crew, sn_unit *unit)
{
  char name[SNI_NAME];

  crew->unit = unit;
  crew->ahead = unit->kind == SN_UNIT_HOST ? 0 : AHEAD;
  crew->threads_wanted = unit->kind == SN_UNIT_HOST ? unit->engine->options.workers : 1;
  sni_condition_create(&crew->work);
  if (!crew->threads_wanted)
    return SN_OK;
  crew->threads = sni_engine_new(unit->engine, (size_t)crew->threads_wanted,
                                 sizeof *crew->threads);
  if (!crew->threads)
    return sni_engine_fail(unit->engine, SN_ENOMEM, "no memory for the workers of %s",
                           unit->name);
  while (crew->thread_count < crew->threads_wanted) {
    (void)sni_text_format(name, sizeof name, "sn:%s %d", unit->name, crew->thread_count);
    if (!sni_thread_start(&crew->threads[crew->thread_count], name, unit->engine->options.stack,
                          work, crew))
      return sni_engine_fail(unit->engine, SN_ENOMEM, "no thread could be had for a worker of %s",
                             unit->name);
    crew->thread_count++;
  }
  return SN_OK;
}

/* Lock held, and let go while threads end. */
static void crew_destroy(sni_crew *crew)
{
  sn_engine *engine = crew->unit->engine;

  crew->is_closing = 1;
  sni_condition_wake_all(&crew->work);
  sni_mutex_unlock(&engine->lock);
  for (int k = 0; k < crew->thread_count; k++)
    sni_thread_join(crew->threads[k]);
  sni_mutex_lock(&engine->lock);
  if (crew->threads)
    sni_engine_delete(engine, crew->threads, (size_t)crew->threads_wanted,
                      sizeof *crew->threads);
  sni_condition_destroy(&crew->work);
}

static void free_tasks(sn_engine *engine, int crews)
{
  for (int k = 0; k < crews; k++)
    crew_destroy(&engine->tasks->crews[k]);
  sni_record_destroy(engine);
  sni_measures_destroy(engine);
  sni_pools_destroy(engine);
  sni_engine_delete(engine, engine->tasks->crews, (size_t)engine->unit_count,
                    sizeof *engine->tasks->crews);
  sni_engine_delete(engine, engine->tasks, 1, sizeof *engine->tasks);
  engine->tasks = NULL;
}

int sni_tasks_create(sn_engine *engine)
{
  sni_tasks *tasks;
  int code = SN_OK, crews = 0;

  if (engine->tasks)
    return SN_OK;
  tasks = sni_engine_new(engine, 1, sizeof *tasks);
  if (!tasks)
    return sni_engine_fail(engine, SN_ENOMEM, "no memory for tasks");
  engine->tasks = tasks;
  tasks->scheduler = &engine->scheduler;
  tasks->crews = sni_engine_new(engine, (size_t)engine->unit_count, sizeof *tasks->crews);
  if (!tasks->crews)
    code = sni_engine_fail(engine, SN_ENOMEM, "no memory for the workers");
  for (; code == SN_OK && crews < engine->unit_count; crews++)
    code = crew_create(&tasks->crews[crews], &engine->units[crews]);
  if (code != SN_OK)
    free_tasks(engine, crews);
  return code;
}

void sni_tasks_destroy(sn_engine *engine)
{
  sni_mutex_lock(&engine->lock);
  if (engine->tasks)
    free_tasks(engine, engine->unit_count);
  sni_mutex_unlock(&engine->lock);
}
