/* Many short tasks, more of them than the workers are handed at a time, with fewer and with more
 * workers than processors: the order between them and their priorities hold, each runs once, no
 * more at a time than there are workers, and nobody sleeps while a task waits.
 */
#include <pthread.h>

#include "t/exec/course.h"

/* ---- the order: sums that only one order gives ---- */

enum { CELLS = 8 };

typedef struct mix {
  int64_t *cells;
  int left, own, right;
} mix;

static int mixes(sn_run *run, void *user)
{
  const mix *m = user;
  int64_t *v = m->cells;

  (void)run;
  v[m->own] = (3 * v[m->own] + 5 * v[m->left] + 7 * v[m->right] + 1) % 1000003;
  return SN_OK;
}

static mix mix_of(int64_t *cells, int task)
{
  const int own = task * 5 % CELLS;
  const mix m = { cells, (own + 1 + task % 3) % CELLS, own, (own + 5 + task % 2) % CELLS };

  return m;
}

static int submit_mix(sn_engine *engine, sn_tensor *tensor, mix m, int priority)
{
  const sn_use uses[3] = { sn_use_block(SN_PERMISSION_READ, tensor, m.left),
                           sn_use_block(SN_PERMISSION_WRITE, tensor, m.own),
                           sn_use_block(SN_PERMISSION_READ, tensor, m.right) };
  sn_task_spec spec = spec_with("mix", mixes, &m, uses, 3);

  spec.user_bytes = sizeof m;
  spec.priority = priority;
  return sn_task_submit(engine, &spec, NULL);
}

static void test_order(int workers, int most)
{
  const int tasks = tap_size(2000, 5000, 5000);
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  int64_t cells[CELLS] = { 1, 2, 3, 4, 5, 6, 7, 8 }, alone[CELLS] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  sn_engine *engine;
  sn_tensor *tensor;
  int codes = 0;

  options.workers = workers;
  options.most_tasks = most;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", CELLS, 1);
  for (int k = 0; k < tasks; k++) {
    mix m = mix_of(alone, k);
    (void)mixes(NULL, &m);
    codes |= submit_mix(engine, tensor, mix_of(cells, k), k % 7 == 0);
  }
  codes |= sn_engine_await(engine);
  is_int(codes, SN_OK, "%d tasks, %d workers, at most %d tasks (0: any number)", tasks, workers,
         most);
  ok(memcmp(cells, alone, sizeof cells) == 0, "as one after the other");
  if (sn_engine_counters(engine, &counters) != SN_OK) bail("no counters");
  is_int(counters.finished, tasks, "each ended once");
  is_int(counters.ready + counters.running + counters.waiting, 0, "and nothing is left");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- priorities: what comes later and is more urgent goes before what is ready ---- */

enum { READY = 400 };            /* more than are handed over at a time */

typedef struct list {
  atomic_int gate, has_begun;
  int order[2 * READY + 8], count;
} list;

typedef struct entry {
  list *list;
  int number;
} entry;

static int waits_at_gate(sn_run *run, void *user)
{
  list *l = user;

  (void)run;
  atomic_store(&l->has_begun, 1);
  while (!atomic_load(&l->gate)) nap(1);
  return SN_OK;
}

static int notes(sn_run *run, void *user)
{
  const entry *e = user;

  (void)run;
  e->list->order[e->list->count++] = e->number;
  return SN_OK;
}

static int submit_entry(sn_engine *engine, list *l, int number, int priority)
{
  entry e = { l, number };
  sn_task_spec spec = spec_with("entry", notes, &e, NULL, 0);

  spec.user_bytes = sizeof e;
  spec.priority = priority;
  return sn_task_submit(engine, &spec, NULL);
}

/* Numbers are given in the order in which they should run. */
static void test_priorities(void)
{
  static list l;
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  sn_task_spec gate = spec_with("gate", waits_at_gate, &l, NULL, 0);
  sn_engine *engine;
  int codes = 0, wrong = 0;

  options.workers = 1;
  engine = engine_by(&options);
  codes |= sn_task_submit(engine, &gate, NULL);
  while (!atomic_load(&l.has_begun) && !is_broken(engine)) nap(1);
  for (int k = 0; k < READY; k++) codes |= submit_entry(engine, &l, 4 + READY + k, 0);
  for (int k = 0; k < READY; k++) codes |= submit_entry(engine, &l, 2 + k, 1);
  codes |= submit_entry(engine, &l, 4 + 2 * READY, -1);
  codes |= submit_entry(engine, &l, 0, 3) | submit_entry(engine, &l, 2 + READY, 1);
  codes |= submit_entry(engine, &l, 1, 2) | submit_entry(engine, &l, 3 + READY, 1);
  if (sn_engine_counters(engine, &counters) != SN_OK) bail("no counters");
  is_int(counters.running, 1, "the gate runs");
  is_int(counters.ready, 2 * READY + 5, "the others are ready");
  atomic_store(&l.gate, 1);
  codes |= sn_engine_await(engine);
  for (int k = 0; k < l.count; k++) wrong += l.order[k] != k;
  is_int(codes, SN_OK, "tasks of five priorities");
  is_int(l.count, 2 * READY + 5, "all ran");
  is_int(wrong, 0, "the greatest priority first, then first come");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- nobody sleeps while something waits ---- */

typedef struct meeting {
  atomic_int come;
  int wanted;
} meeting;

static int meets(sn_run *run, void *user)
{
  meeting *m = user;

  atomic_fetch_add(&m->come, 1);
  while (atomic_load(&m->come) < m->wanted && !is_broken(sn_run_engine(run))) nap(1);
  return SN_OK;
}

/* Bodies that wait for each other: each worker has to be woken, or a thread that waits runs one in
 * its place.  Before each, short tasks. */
static void test_meeting(int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  int codes = 0;

  options.workers = workers;
  engine = engine_by(&options);
  for (int round = 0; round < tap_size(20, 100, 100); round++) {
    meeting m = { 0, workers };
    sn_task_spec short_one = spec_with("short", do_nothing, NULL, NULL, 0);
    sn_task_spec spec = spec_with("meets", meets, &m, NULL, 0);
    for (int k = 0; k < workers; k++) {
      for (int n = 0; n < round % 5; n++) codes |= sn_task_submit(engine, &short_one, NULL);
      codes |= sn_task_submit(engine, &spec, NULL);
    }
    codes |= sn_engine_await(engine);
  }
  is_int(codes, SN_OK, "%d workers met", workers);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- threads that wait run tasks too, in place of workers ---- */

typedef struct crowd {
  sn_engine *engine;
  pthread_t submitter;
  atomic_int running, most, by_submitter;
} crowd;

/* Relaxed: each count is read by itself, by who has waited for all of these.  Under the thread
 * sanitizer, too, that takes less than the 300 ns of a short body. */
static int counts(sn_run *run, void *user)
{
  crowd *c = user;
  const int running = atomic_fetch_add_explicit(&c->running, 1, memory_order_relaxed) + 1;
  int most = atomic_load_explicit(&c->most, memory_order_relaxed);

  (void)run;
  while (most < running &&
         !atomic_compare_exchange_weak_explicit(&c->most, &most, running, memory_order_relaxed,
                                                memory_order_relaxed)) { }
  if (pthread_equal(pthread_self(), c->submitter))
    atomic_fetch_add_explicit(&c->by_submitter, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&c->running, 1, memory_order_relaxed);
  return SN_OK;
}

static void *await_all(void *engine)
{
  return sn_engine_await(engine) == SN_OK ? engine : NULL;
}

/* They are short, so that workers sleep as soon as somebody helps. */
static int submit_crowd(crowd *c, int tasks)
{
  sn_task_spec spec = spec_with("counts", counts, c, NULL, 0);
  int codes = 0;

  for (int k = 0; k < tasks; k++) codes |= sn_task_submit(c->engine, &spec, NULL);
  return codes;
}

/* Tasks while others wait for all of them. */
static int run_crowd(crowd *c)
{
  enum { WAITING = 3 };
  pthread_t waiting[WAITING];
  void *waited;
  int codes = submit_crowd(c, 20000);

  for (int k = 0; k < WAITING; k++) pthread_create(&waiting[k], NULL, await_all, c->engine);
  codes |= submit_crowd(c, 20000);
  for (int k = 0; k < WAITING; k++) {
    pthread_join(waiting[k], &waited);
    codes |= waited != c->engine;
  }
  return codes | sn_engine_await(c->engine);
}

/* Where workers keep up with who submits, as may be under the thread sanitizer, that one has no
 * cause to help: in one of several rounds it has. */
static void test_helping(int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  crowd c = { .submitter = pthread_self() };
  int codes = 0;

  options.workers = workers;
  options.most_tasks = 100;
  c.engine = engine_by(&options);
  for (int round = 0; round < 30 && atomic_load(&c.by_submitter) == 0; round++)
    codes |= run_crowd(&c);
  is_int(codes, SN_OK, "%d workers, and threads that wait", workers);
  ok(atomic_load(&c.by_submitter) > 0, "which run tasks meanwhile: %d",
     atomic_load(&c.by_submitter));
  ok(atomic_load(&c.most) <= workers, "no more than that at a time: %d", atomic_load(&c.most));
  is_int(sn_engine_destroy(c.engine), SN_OK, "gone");
}

static int opens(sn_run *run, void *user)
{
  (void)run;
  atomic_store((atomic_int *)user, 1);
  return SN_OK;
}

/* Workers leave short tasks to who has submitted them and has helped so far, and come back when
 * that one does something else. */
static void test_going_away(int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  crowd c = { .submitter = pthread_self() };
  int codes = 0;

  options.workers = workers;
  options.most_tasks = 100;
  c.engine = engine_by(&options);
  for (int round = 0; round < 5; round++) {
    atomic_int gate = 0;
    sn_task_spec spec = spec_with("opens", opens, &gate, NULL, 0);
    codes |= submit_crowd(&c, 1000);
    codes |= sn_task_submit(c.engine, &spec, NULL);
    while (!atomic_load(&gate)) nap(1);
    codes |= sn_engine_await(c.engine);
  }
  is_int(codes, SN_OK, "%d workers, and who submits waits otherwise", workers);
  is_int(sn_engine_destroy(c.engine), SN_OK, "gone");
}

int main(void)
{
  static const int workers[] = { 1, 2, 4, 16 };

  for (int k = 0; k < 4; k++) {
    test_order(workers[k], 0);
    test_order(workers[k], 100);
    test_meeting(workers[k]);
    test_helping(workers[k]);
    test_going_away(workers[k]);
  }
  test_priorities();
  return done_testing();
}
