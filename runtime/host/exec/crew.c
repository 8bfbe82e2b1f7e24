/* Crews: which task their workers take, and how its buffers come.
 *
 * The lines of a unit: ready (placed there), preparing (its buffers are on their way), prepared.
 * The host's workers prepare what they take; other units prepare a few tasks ahead of their
 * worker, so that transfers run beside tasks.  Of the shared line a unit whose worker is busy takes
 * no task ahead that has no buffers, or that a free worker of another unit can run.  A task that
 * finds no room holds those behind it back, so that it is not passed by for ever; one that waits
 * for a block does not.
 */
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/scheduler.h"
#include "runtime/host/exec/scope.h"
#include "runtime/host/exec/wake.h"

static sni_crew *crew_of(sn_unit *unit)
{
  return &unit->engine->tasks->crews[unit->index];
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

/* Whether room is wanted by who comes first: a task that found none, or one that runs. */
static int is_taken(const sni_crew *crew)
{
  return crew->is_full || crew->demands;
}

static int may_prepare_more(const sni_crew *crew)
{
  return !is_taken(crew) && crew->preparing.count < SNI_AHEAD + crew->thread_count;
}

/* Whether one of its workers has nothing to run yet. */
static int is_free(const sni_crew *crew)
{
  return crew->running + crew->out + crew->ready.count + crew->prepared.count <
         crew->threads_wanted;
}

/* Whether a worker of another unit can take it now. */
static int can_begin_elsewhere(const sni_crew *crew, const sni_task *task)
{
  const sn_engine *engine = task->engine;

  for (int k = 0; k < engine->unit_count; k++) {
    const sni_crew *other = &engine->tasks->crews[k];
    if (other != crew && is_free(other) && may_prepare_more(other) &&
        sni_task_can_run_on(task, other->unit))
      return 1;
  }
  return 0;
}

/* Whether it is not to be taken ahead of the crew's worker, which is busy: another one is free, or
 * may be so earlier, and there is nothing to bring. */
static int is_left(const sni_crew *crew, const sni_task *task)
{
  return crew->running + crew->ready.count + crew->prepared.count + crew->preparing.count >=
           crew->threads_wanted &&
         (!task->buffer_count || can_begin_elsewhere(crew, task));
}

/* Of equal priority the one that was submitted first. */
static int comes_before(const sni_task *a, const sni_task *b)
{
  return a->priority != b->priority ? a->priority > b->priority : a->number < b->number;
}

/* So many more of its kind are in the shared line. */
static void count_shared(sni_tasks *tasks, const sni_task *task, int more)
{
  for (int kind = SN_UNIT_HOST; kind <= SN_UNIT_DEVICE; kind++)
    if (task->body[kind])
      tasks->shared_by[kind] += more;
}

/* The first of the shared line that the unit can run; *before: the one before it, where there is
 * one. */
static sni_task *find_shared(const sni_crew *crew, sni_task **before)
{
  sni_task *task = crew->unit->engine->tasks->shared.head;

  while (task && !sni_task_can_run_on(task, crew->unit)) {
    *before = task;
    task = task->next;
  }
  return task;
}

/* The next one for the unit, of its own line or of the shared one.  is_ahead: before a worker asks
 * for it. */
static sni_task *find_ready(const sni_crew *crew, int is_ahead, sni_task **before)
{
  sni_task *own = crew->ready.head, *shared;

  *before = NULL;
  if (!sni_crew_has_shared(crew))
    return own;
  shared = find_shared(crew, before);
  if (shared && is_ahead && is_left(crew, shared))
    shared = NULL;
  return own && (!shared || comes_before(own, shared)) ? own : shared;
}

static void remove_ready(sni_crew *crew, sni_task *task, sni_task *before)
{
  sni_tasks *tasks = crew->unit->engine->tasks;

  if (task == crew->ready.head) {
    (void)sni_line_remove(&crew->ready, NULL);
  } else {
    (void)sni_line_remove(&tasks->shared, before);
    count_shared(tasks, task, -1);
  }
}

static void set_prepared(sni_crew *crew, sni_task *task)
{
  task->state = SNI_TASK_PREPARED;
  sni_line_push(&crew->prepared, task);
  sni_crew_note_arrival(crew);
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
  sni_task *task, *before;

  while (!is_taken(crew) && crew->preparing.count + crew->prepared.count < crew->ahead &&
         (task = find_ready(crew, 1, &before)) != NULL) {
    remove_ready(crew, task, before);
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
    sni_crew_note_arrival(&tasks->crews[k]);      /* of room, if of nothing else */
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

/* ---- ready ---- */

static void line_up(sni_crew *crew, sni_task *task)
{
  sni_crew_make_way(crew, task);
  if (sni_crew_is_awake(crew) && sni_crew_hand_over(crew, task))
    return;
  sni_line_push(&crew->ready, task);
  sni_crew_note_arrival(crew);
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
    sni_crew_make_way(&tasks->crews[0], task);
    sni_line_push(&tasks->shared, task);
    count_shared(tasks, task, 1);
    for (int k = 0; k < task->engine->unit_count; k++) {
      sni_crew_note_arrival(&tasks->crews[k]);
      sni_crew_look_ahead(&tasks->crews[k]);
    }
    return;
  }
  task->run.unit = unit;
  crew_of(unit)->load += task->expected;
  line_up(crew_of(unit), task);
}

void sni_blocked_release(sni_task *parent)
{
  sni_line line;

  if (!parent->scope)
    return;
  line = sni_scope_take_blocked(parent);
  if (!line.head)
    return;
  while (line.head)
    sni_task_is_ready(sni_line_remove(&line, NULL));
  sni_crews_wake(parent->engine, NULL);
}

void sni_task_is_committing(sni_task *task)
{
  sni_crew *crew = crew_of(task->run.unit);

  if (prepare(crew, task))
    set_prepared(crew, task);
}

/* ---- taking ---- */

/* One that is prepared and comes before the ready one: what has begun is ended first. */
static int is_prepared_first(const sni_crew *crew, const sni_task *ready)
{
  const sni_task *task = crew->prepared.head;

  return task && (task->is_committing || task->priority >= ready->priority);
}

/* One that can run now, or NULL: what cannot is being prepared, no more than so many at a time. */
static sni_task *take(sni_crew *crew)
{
  sni_task *task, *before;

  while (!is_taken(crew) && (task = find_ready(crew, 0, &before)) != NULL &&
         (!set_of(task) || may_prepare_more(crew)) && !is_prepared_first(crew, task)) {
    remove_ready(crew, task, before);
    if (prepare(crew, task))
      return task;
  }
  return crew->prepared.head ? sni_line_remove(&crew->prepared, NULL) : NULL;
}

/* There is one free worker less: what was left to it others may take ahead. */
static void look_ahead_all(const sni_crew *crew)
{
  sni_tasks *tasks = crew->unit->engine->tasks;

  for (int k = 0; k < crew->unit->engine->unit_count; k++)
    sni_crew_look_ahead(&tasks->crews[k]);
}

sni_task *sni_crew_take(sni_crew *crew)
{
  sni_task *task = take(crew);

  if (!task)
    return NULL;
  crew->running++;
  /* Relaxed, under the lock: a worker that watches reads it without. */
  atomic_store_explicit(&crew->taken,
                        atomic_load_explicit(&crew->taken, memory_order_relaxed) + 1,
                        memory_order_relaxed);
  if (crew->ahead || crew->unit->engine->tasks->shared.head)
    look_ahead_all(crew);
  return task;
}
