/* Crews: which task their workers take, and how its buffers come.
 *
 * The lines of a unit: ready (placed there), preparing (its buffers are on their way), prepared.
 * The host's workers prepare what they take; other units prepare a few tasks ahead of their
 * worker, so that transfers run beside tasks.  A task that finds no room holds those behind
 * it back, so that it is not passed by for ever; one that waits for a block does not.
 *
 * A ready task of the host's that declares no buffers is handed to the workers through a ring, and
 * comes back through a stack (handoff.h): while somebody submits, the workers wait for no lock, and
 * what follows from the end of their tasks is done by who holds it, in whose caches it is.
 */
#include "runtime/host/base/text.h"
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/graph.h"
#include "runtime/host/exec/line.h"
#include "runtime/host/exec/pool.h"
#include "runtime/host/exec/scheduler.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/submit.h"
#include "runtime/host/exec/wake.h"

#include <string.h>

enum { AHEAD = 2 };

static sni_crew *crew_of(sn_unit *unit)
{
  return &unit->engine->tasks->crews[unit->index];
}

/* What can be handed to the crew's workers: a ready task that needs nothing but one of them. */
static int can_be_handed(const sni_crew *crew, const sni_task *task)
{
  return crew->hands_over && !task->buffer_count && task->code == SN_OK;
}

sni_lined sni_crew_lined(const sni_crew *crew)
{
  if (crew->prepared.head || crew->unit->engine->tasks->shared.head)
    return SNI_LINED_NOW;
  if (!crew->ready.head)
    return SNI_LINED_NONE;
  return can_be_handed(crew, crew->ready.head) ? SNI_LINED_NEXT : SNI_LINED_NOW;
}

/* Lock held, both.  Release: who sees that there is something sees what was done before with the
 * lock held (sni_crew_wake_next). */
void sni_crew_note_lines(sni_crew *crew)
{
  const int lined = crew->hands_over ? (int)sni_crew_lined(crew) : SNI_LINED_NOW;

  if (atomic_load_explicit(&crew->lined, memory_order_relaxed) != lined)
    atomic_store_explicit(&crew->lined, lined, memory_order_release);
}

/* Nobody looks while all sleep: who is woken is told then. */
static void note_arrival(sni_crew *crew)
{
  if (!sni_crew_is_awake(crew))
    return;
  sni_crew_note_lines(crew);
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
  task->state = SNI_TASK_PREPARED;
  sni_line_push(&crew->prepared, task);
  note_arrival(crew);
}

/* Whether room is wanted by who comes first: a task that found none, or one that runs. */
static int is_taken(const sni_crew *crew)
{
  return crew->is_full || crew->demands;
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
void sni_crew_look_ahead(sni_crew *crew)
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

void sni_room_demand(sn_unit *unit)
{
  sni_crew *crew = crew_of(unit);
  sni_task *before = NULL, *task = crew->prepared.head;

  crew->demands++;
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
    sni_crew_look_ahead(&tasks->crews[k]);
  }
  sni_crews_wake(engine, NULL);
}

/* Those that gave way try again now: a demand that was in vain is followed by no release. */
void sni_room_withdraw(sn_unit *unit)
{
  crew_of(unit)->demands--;
  sni_crews_pump(unit->engine);
}

/* ---- handing over ---- */

/* The ring is first come, first served, so all in it are of one priority. */
static int fits_in_ring(sni_crew *crew, int priority)
{
  if (priority != crew->out_priority && sni_handoff_count(&crew->handoff) > 0)
    return 0;
  return sni_handoff_has_room(&crew->handoff);
}

/* It is in no line, and a worker's from here on.  Only where one is awake: threads that help take
 * from the line. */
static void hand_over(sni_crew *crew, sni_task *task)
{
  crew->out_priority = task->priority;
  crew->out++;
  sni_handoff_give(&crew->handoff, task);
}

/* As many as there is room for. */
void sni_crew_hand_over_next(sni_crew *crew)
{
  while (sni_crew_is_awake(crew) && crew->ready.head &&
         !crew->unit->engine->tasks->shared.head &&
         can_be_handed(crew, crew->ready.head) && fits_in_ring(crew, crew->ready.head->priority))
    hand_over(crew, sni_line_remove(&crew->ready, NULL));
}

/* It stands in the line again, where it stood. */
void sni_crew_take_back(sni_crew *crew)
{
  sni_task *newest = NULL, *task;

  while ((task = sni_handoff_take(&crew->handoff)) != NULL) {
    task->next = newest;
    newest = task;
  }
  while ((task = newest) != NULL) {
    newest = task->next;
    crew->out--;
    sni_line_push_ahead(&crew->ready, task);
  }
  sni_crew_note_lines(crew);
}

/* Before something comes that workers look for in the lines. */
static void make_way(sni_crew *crew, const sni_task *task)
{
  if (task->priority > crew->out_priority && crew->out)
    sni_crew_take_back(crew);
}

static void line_up(sni_crew *crew, sni_task *task)
{
  make_way(crew, task);
  if (sni_crew_is_awake(crew) && can_be_handed(crew, task) && !crew->ready.head &&
      !crew->unit->engine->tasks->shared.head && fits_in_ring(crew, task->priority)) {
    hand_over(crew, task);
    return;
  }
  sni_line_push(&crew->ready, task);
  note_arrival(crew);
  if (crew->ahead)
    sni_crew_look_ahead(crew);
}

void sni_task_is_ready(sni_task *task)
{
  sni_tasks *tasks = task->engine->tasks;
  sn_unit *unit;

  if (task->parent && sni_task_is_blocked(task))
    return;
  unit = task->run.unit ? task->run.unit : sni_place(task);
  task->state = SNI_TASK_READY;
  if (task->queue) {             /* which looks again */
    sni_engine_wake(task->engine);
    return;
  }
  if (!unit) {
    make_way(&tasks->crews[0], task);
    sni_line_push(&tasks->shared, task);
    note_arrival(&tasks->crews[0]);
    for (int k = 1; k < task->engine->unit_count; k++)
      sni_crew_look_ahead(&tasks->crews[k]);
    return;
  }
  task->run.unit = unit;
  crew_of(unit)->load += task->expected;
  line_up(crew_of(unit), task);
}

void sni_task_is_committing(sni_task *task)
{
  sni_crew *crew = crew_of(task->run.unit);

  if (prepare(crew, task))
    set_prepared(crew, task);
}

/* ---- taking ---- */

/* One that can run now, or NULL: what cannot is being prepared. */
sni_task *sni_crew_take(sni_crew *crew)
{
  sni_task *task = NULL;

  if (crew->prepared.head)
    task = sni_line_remove(&crew->prepared, NULL);
  while (!task && !is_taken(crew) && crew->preparing.count < AHEAD + crew->thread_count &&
         (task = take_ready(crew)) != NULL)
    if (!prepare(crew, task))
      task = NULL;
  crew->taken += task != NULL;
  return task;
}

/* ---- making and destroying ---- */

static int crew_create(sni_crew *crew, sn_unit *unit)
{
  char name[SNI_NAME];

  crew->unit = unit;
  crew->ahead = unit->kind == SN_UNIT_HOST ? 0 : AHEAD;
  crew->threads_wanted = unit->kind == SN_UNIT_HOST ? unit->engine->options.workers : 1;
  crew->processors = sni_processors();
  crew->is_measured = unit->kind == SN_UNIT_HOST && crew->threads_wanted > 0;
  atomic_store_explicit(&crew->grain, SNI_GRAIN_UNKNOWN, memory_order_relaxed);
  /* A scheduler that measures is told of a task's end by its worker, in the lock. */
  crew->hands_over = unit->kind == SN_UNIT_HOST && crew->threads_wanted > 0 &&
                     !unit->engine->tasks->scheduler->cost;
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
                          sni_crew_work, crew))
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
  sni_graph_destroy(engine);
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
