/* The workers of a crew: when they wake, and when they sleep.
 *
 * To wake a worker takes microseconds, and a task that another thread has made brings some hundreds
 * of nanoseconds of cache lines with it.  Whether that pays is measured for the host's crew, whose
 * grain is the time that a body takes lately.
 *
 * 1. Bodies are short, and threads that submit have run tasks themselves when they waited
 *    (worker.c): the workers sleep and leave what comes to those threads, so that it
 *    takes what it takes without workers.
 * 2. Else one is woken where none is awake; another one where what is ready takes longer than to
 *    wake it, and while there is a processor for it.  Long bodies may wait for something: of their
 *    workers there may be more than processors.
 *
 * Both may be wrong: who has submitted does something else, or the bodies that run take long all of
 * a sudden.  So one of the workers that sleep watches as long as something happens: it sleeps for a
 * tick at a time, and where something is ready and little was begun all that time, it works, the
 * grain is unknown, so that whoever wakes wakes the next, and nothing is left to others until one
 * of them helps again.  Only while one watches are others not woken.
 *
 * Who watches takes the engine's lock only where little was begun: else whoever submits would meet
 * it there at each tick.  So it sleeps at a condition with a lock of its own, and is called there:
 * `calls` counts, and is written with both locks held, so that who begins to watch, and reads it
 * with the engine's lock held, misses no call of later.
 */
#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/wake.h"

enum {
  SHORT = 300,                   /* nanoseconds of a body: what handing it over costs */
  LONG = 50000,
  WAKING = 5000,                 /* nanoseconds until a woken worker works */
  UNMEASURED = 255,              /* short bodies between two that are measured: a look at a clock
                                    takes longer than they do */
  FEW = 50,                      /* bodies in a tick: they take long */
  DEFERRED_MOST = 2048           /* unfinished tasks that are left to the threads that submit */
};
#define TICK 1e-3                /* seconds */

/* ---- the grain ---- */

/* Relaxed, here and below: it decides what is faster, and nothing else. */
static unsigned grain_of(const sni_crew *crew)
{
  return atomic_load_explicit(&crew->grain, memory_order_relaxed);
}

int sni_crew_is_short(const sni_crew *crew)
{
  return grain_of(crew) < SHORT;
}

int sni_crew_measure(sni_crew *crew, double seconds)
{
  const unsigned before = grain_of(crew);
  const double most = before == SNI_GRAIN_UNKNOWN ? 1e9 : 8.0 * before + 8 * SHORT;
  const double ns = 1e9 * seconds < most ? 1e9 * seconds : most;
  const double now = before == SNI_GRAIN_UNKNOWN ? ns : before + (ns - before) / 4;

  atomic_store_explicit(&crew->grain, (unsigned)now, memory_order_relaxed);
  if (ns < SHORT && before < SHORT)
    return UNMEASURED;
  return ns < 4 * SHORT && before >= SHORT ? UNMEASURED / 16 : 0;
}

/* Bodies do not take any more what they took: all that come are as long ones until one has been
 * measured. */
static void forget_grain(sni_crew *crew)
{
  atomic_store_explicit(&crew->grain, SNI_GRAIN_UNKNOWN, memory_order_relaxed);
}

/* ---- who is awake ---- */

static int count_awake(const sni_crew *crew)
{
  return crew->threads_wanted - atomic_load_explicit(&crew->sleeping, memory_order_relaxed);
}

static int is_watched(const sni_crew *crew)
{
  return atomic_load_explicit(&crew->is_watched, memory_order_relaxed);
}

static int has_work(const sni_crew *crew)
{
  return sni_crew_lined(crew) != SNI_LINED_NONE || sni_handoff_count(&crew->handoff);
}

int sni_crew_has_place(const sni_crew *crew)
{
  const int runners = count_awake(crew) + crew->helpers;

  return !crew->thread_count ||
         (runners < crew->threads_wanted &&
          (runners < crew->processors || sni_crew_is_short(crew)));
}

/* Whether one of them has helped since something was left to them in vain. */
static int trusts_helpers(const sni_crew *crew)
{
  return crew->helped != crew->distrusted;
}

int sni_crew_may_sleep(const sni_crew *crew)
{
  const sn_engine *engine = crew->unit->engine;

  return sni_crew_is_short(crew) && (crew->idle_helpers || trusts_helpers(crew)) &&
         engine->waiters <= crew->idle_helpers && engine->tasks->live_count <= DEFERRED_MOST;
}

/* Whether all workers sleep, and what comes is left to the threads that submit: none waits without
 * helping.  No more than DEFERRED_MOST tasks are left to them. */
static int is_deferring(const sni_crew *crew)
{
  return crew->defers && crew->unit->engine->waiters <= crew->idle_helpers;
}

/* One number, since it is looked at several times a task, and changes seldom. */
void sni_engine_note_sleepers(sn_engine *engine)
{
  sni_tasks *tasks = engine->tasks;
  const sni_crew *host;

  if (!tasks)
    return;
  host = &tasks->crews[0];
  if (engine->waiters && !host->thread_count)
    tasks->wakes_above = -1;
  else if (!tasks->sleeping)
    tasks->wakes_above = INT64_MAX;
  else
    tasks->wakes_above = engine->unit_count == 1 && is_deferring(host) ? DEFERRED_MOST : -1;
}

static void set_defers(sni_crew *crew, int defers)
{
  crew->defers = defers;
  sni_engine_note_sleepers(crew->unit->engine);
}

static void note_deferral(sni_crew *crew)
{
  set_defers(crew, is_watched(crew) && !sni_crew_is_awake(crew) && sni_crew_is_short(crew) &&
                     trusts_helpers(crew));
}

void sni_crew_defers_no_more(sni_crew *crew)
{
  set_defers(crew, 0);
}

/* ---- waking ---- */

/* Whether one more finds enough to do, beside those that are awake. */
static int pays(const sni_crew *crew, sni_lined lined)
{
  const double grain = grain_of(crew), ready = (double)sni_handoff_count(&crew->handoff);
  const int workers = count_awake(crew);

  return lined == SNI_LINED_NOW || grain >= LONG ||
         (workers < crew->processors && grain * ready >= (double)WAKING * workers);
}

/* Whether nobody is woken though there is work. */
static int is_spared(const sni_crew *crew)
{
  return sni_crew_is_awake(crew) ? is_watched(crew) && !pays(crew, sni_crew_lined(crew))
                                 : is_deferring(crew) &&
                                     crew->unit->engine->tasks->live_count <= DEFERRED_MOST;
}

/* The engine's lock held.  Nobody watches from here on. */
static void call_watcher(sni_crew *crew)
{
  atomic_store_explicit(&crew->is_watched, 0, memory_order_relaxed);
  sni_mutex_lock(&crew->watch_lock);
  crew->calls++;
  sni_condition_wake_all(&crew->watch);    /* one that was called before may be on its way */
  sni_mutex_unlock(&crew->watch_lock);
}

/* One at a time, and none while another one is looking: who finds something wakes the next, so that
 * as many are awake as find work.  Who watches is called only where no other one sleeps.
 *
 * The fence stands between what has come and the look at who is looking; a worker ceases to look
 * before it looks at what is left, both in the one order of all that is sequentially consistent.
 * So one of the two sees what the other has done.
 *
 * `sleeping` is written with the engine's lock held alone, so that a store takes one off; relaxed,
 * since who reads it without the lock looks again with it. */
static void wake_one(sni_crew *crew)
{
  const int sleeping = atomic_load_explicit(&crew->sleeping, memory_order_relaxed);

  if (sleeping <= crew->helpers || is_spared(crew))
    return;
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&crew->looking, memory_order_seq_cst) > 0 || !has_work(crew))
    return;
  atomic_store_explicit(&crew->sleeping, sleeping - 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&crew->looking, 1, memory_order_seq_cst);
  crew->unit->engine->tasks->sleeping--;
  sni_crew_note_lines(crew);
  crew->woken++;
  set_defers(crew, 0);
  if (sleeping > is_watched(crew))
    sni_condition_wake_one(&crew->work);
  else
    call_watcher(crew);
}

void sni_crew_close(sni_crew *crew)
{
  crew->is_closing = 1;
  sni_condition_wake_all(&crew->work);
  call_watcher(crew);
}

void sni_crew_wake_next(sni_crew *crew)
{
  sni_lined lined;

  if (!atomic_load_explicit(&crew->sleeping, memory_order_relaxed) ||
      atomic_load_explicit(&crew->looking, memory_order_seq_cst) > 0)
    return;
  lined = (sni_lined)atomic_load_explicit(&crew->lined, memory_order_seq_cst);
  if (lined == SNI_LINED_NONE && !sni_handoff_count(&crew->handoff))
    return;
  /* Whoever ceased to watch before what was seen above was there is seen to have done so: both were
   * done with the lock held, and what is seen was released.  Who ceases later sees it too. */
  if (is_watched(crew) && !pays(crew, lined))
    return;
  sni_mutex_lock(&crew->unit->engine->lock);
  wake_one(crew);
  sni_mutex_unlock(&crew->unit->engine->lock);
}

void sni_crews_wake_workers(sn_engine *engine, const sni_crew *caller)
{
  for (int k = 0; k < engine->unit_count; k++)
    if (&engine->tasks->crews[k] != caller)
      wake_one(&engine->tasks->crews[k]);
}

void sni_crews_wake_any(sn_engine *engine, const sni_crew *caller)
{
  if (engine->tasks->sleeping)
    sni_crews_wake_workers(engine, caller);
  if (engine->waiters && !engine->tasks->crews[0].thread_count)
    sni_engine_wake(engine);
}

/* ---- sleeping ---- */

/* Any thread.  What has been begun, ever.  Relaxed: who finds that it was little looks again with
 * the lock held. */
static uint64_t count_begun(const sni_crew *crew)
{
  return atomic_load_explicit(&crew->taken, memory_order_relaxed) +
         sni_handoff_taken(&crew->handoff);
}

/* No lock held.  Sleeps for a tick, or until it is called: 1. */
static int is_called(sni_crew *crew, uint64_t calls)
{
  int is_over = 0, result;

  sni_mutex_lock(&crew->watch_lock);
  while (crew->calls == calls && !is_over)
    is_over = !sni_condition_wait_for(&crew->watch, &crew->watch_lock, TICK);
  result = crew->calls != calls;
  sni_mutex_unlock(&crew->watch_lock);
  return result;
}

/* Lock held, and let go meanwhile: tick by tick, as long as enough is begun.  1: it was not called,
 * something is ready, and little has been begun. */
static int watch(sni_crew *crew)
{
  sni_mutex *lock = &crew->unit->engine->lock;
  const uint64_t calls = crew->calls;
  uint64_t begun;

  atomic_store_explicit(&crew->is_watched, 1, memory_order_relaxed);
  note_deferral(crew);
  sni_mutex_unlock(lock);
  do
    begun = count_begun(crew);
  while (!is_called(crew, calls) && count_begun(crew) - begun >= FEW);
  sni_mutex_lock(lock);
  crew->begun = count_begun(crew);
  if (crew->calls != calls)
    return 0;
  atomic_store_explicit(&crew->is_watched, 0, memory_order_relaxed);
  set_defers(crew, 0);
  return has_work(crew) && crew->begun - begun < FEW;
}

/* Until it is woken, by itself where nobody else works. */
static void sleep_and_watch(sni_crew *crew)
{
  while (!crew->woken && !crew->is_closing) {
    if (!crew->is_measured || is_watched(crew) ||
        (!has_work(crew) && crew->begun == count_begun(crew)))
      sni_condition_wait(&crew->work, &crew->unit->engine->lock);
    else if (watch(crew) && !crew->woken) {
      crew->distrusted = crew->helped;
      forget_grain(crew);
      wake_one(crew);
    }
  }
}

void sni_crew_sleep(sni_crew *crew)
{
  sni_tasks *tasks = crew->unit->engine->tasks;

  atomic_fetch_sub_explicit(&crew->looking, 1, memory_order_seq_cst);
  atomic_fetch_add_explicit(&crew->sleeping, 1, memory_order_relaxed);
  tasks->sleeping++;
  if (!sni_crew_is_awake(crew))
    sni_crew_take_back(crew);
  note_deferral(crew);
  if (crew->idle_helpers && has_work(crew))
    sni_engine_wake(crew->unit->engine);
  sleep_and_watch(crew);
  crew->woken--;
}

/* ---- threads that wait ---- */

/* What was left to the calling thread is so no more. */
void sni_engine_wait(sn_engine *engine)
{
  engine->waiters++;
  sni_engine_note_sleepers(engine);
  if (engine->tasks)
    sni_crews_wake_workers(engine, NULL);
  sni_condition_wait(&engine->changed, &engine->lock);
  engine->waiters--;
  sni_engine_note_sleepers(engine);
}

void sni_engine_changed(sn_engine *engine)
{
  if (engine->tasks)
    engine->tasks->calls->pump(engine);
  if (engine->moved_waiters)
    sni_condition_wake_all(&engine->moved);
}

void sni_engine_await_change(sn_engine *engine)
{
  if (!engine->tasks || !engine->tasks->calls->help(engine))
    sni_engine_wait(engine);
}
