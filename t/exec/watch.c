/* A worker that watches (wake.c) is in nobody's way, and notices that bodies have become long;
 * threads of an engine that has nothing to do sleep: they wake no processor.
 *
 * How often threads have slept is what Linux tells of them; elsewhere nothing is checked.
 */
#include <dirent.h>
#include <stdio.h>

#include "runtime/host/exec/crew.h"
#include "runtime/host/exec/engine.h"
#include "t/exec/course.h"

/* A thread's file of its own folder of /proc/self/task; NULL: there is none. */
static FILE *status_of(const char *thread)
{
  char path[64];

  snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
  return fopen(path, "r");
}

/* How often it has slept; 0 of who is no thread of an engine. */
static long slept(const char *thread)
{
  FILE *file = status_of(thread);
  char line[200];
  int is_ours = 0;
  long times = 0;

  while (file && fgets(line, sizeof line, file)) {
    is_ours |= strncmp(line, "Name:\tsn:", 9) == 0;
    (void)sscanf(line, "voluntary_ctxt_switches: %ld", &times);
  }
  if (file) fclose(file);
  return is_ours ? times : 0;
}

/* All of them together; -1: that is not told here. */
static long all_slept(void)
{
  DIR *folder = opendir("/proc/self/task");
  long times = 0;

  if (!folder) return -1;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) times += slept(entry->d_name);
  closedir(folder);
  return times;
}

static sn_engine *engine_with(int workers, int memories)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;

  options.workers = workers;
  options.memories = memories;
  options.most_tasks = 100;
  return engine_by(&options);
}

static int run_some(sn_engine *engine)
{
  sn_task_spec spec = spec_with("short", do_nothing, NULL, NULL, 0);
  int codes = 0;

  spec.unit = sn_engine_unit(engine, 0);
  for (int k = 0; k < 1000; k++) codes |= sn_task_submit(engine, &spec, NULL);
  return codes | sn_engine_await(engine);
}

/* ---- nothing to do ---- */

enum { LOOKS = 50, LOOK = 100 }; /* milliseconds of each */

/* Whether there was a while in which nobody woke. */
static int is_quiet(void)
{
  for (int look = 0; look < LOOKS; look++) {
    const long before = all_slept();
    nap(LOOK);
    if (all_slept() == before) return 1;
  }
  return 0;
}

static void test_idle(int workers)
{
  sn_engine *engine = engine_with(workers, 1);
  sn_queue *queue = NULL;

  is_int(run_some(engine) | sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue), SN_OK,
         "%d workers have run tasks, and a queue waits for work", workers);
  ok(is_quiet(), "nobody wakes");
  is_int(sn_queue_destroy(queue) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- no lock ---- */

enum { TRIES = 1000, HELD = 10 };        /* milliseconds */

/* The first argument of the call that a thread waits in; 0: it runs; 1: that is not told here. */
static unsigned long address_in(const char *path)
{
  FILE *file = fopen(path, "r");
  unsigned long address = 1;
  int call;

  if (file && fscanf(file, "%d %lx", &call, &address) != 2) address = 0;
  if (file) fclose(file);
  return address;
}

/* The address of the lock or of the condition that the engine's one thread sleeps at. */
static unsigned long sleeps_at(void)
{
  DIR *folder = opendir("/proc/self/task");
  char path[64];
  unsigned long at = 1;

  for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
    if (slept(entry->d_name)) {
      snprintf(path, sizeof path, "/proc/self/task/%.20s/syscall", entry->d_name);
      at = address_in(path);
    }
  if (folder) closedir(folder);
  return at;
}

/* With the lock held where the result is 1: the worker watches. */
static int has_watcher(sn_engine *engine)
{
  if (run_some(engine) != SN_OK) return 0;
  sni_mutex_lock(&engine->lock);
  if (atomic_load(&engine->tasks->crews[0].is_watched)) return 1;
  sni_mutex_unlock(&engine->lock);
  return 0;
}

/* Lock held.  Tasks seem to be begun: whether the worker has looked at that, and sleeps again, and
 * does not wait for the lock.  Where the system keeps the caller from running for longer than a
 * tick, it does. */
static int goes_on(sn_engine *engine)
{
  const unsigned long lock = (unsigned long)(uintptr_t)&engine->lock;
  const double until = sni_seconds() + 1e-3 * (double)HELD;
  const long before = all_slept();
  unsigned long at;
  int has_looked;

  do {
    atomic_fetch_add(&engine->tasks->crews[0].taken, 1000);
    has_looked = all_slept() > before;
    at = sleeps_at();
  } while ((!has_looked || !at) && at != lock && at != 1 && sni_seconds() < until);
  return at == 1 || (has_looked && at && at != lock);
}

static void test_no_lock(void)
{
  sn_engine *engine = engine_with(1, 0);
  int watches = 0, is_seen = 0;

  for (int k = 0; k < TRIES && !is_seen; k++)
    if (has_watcher(engine)) {
      is_seen = goes_on(engine);
      sni_mutex_unlock(&engine->lock);
      watches++;
    }
  ok(watches > 0, "a worker watches");
  ok(is_seen, "while another thread holds the lock too");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- bodies that become long ---- */

enum { WORKERS = 4, LONGEST = 5000 };    /* milliseconds of a body */

typedef struct course {
  const atomic_uint *grain;
  atomic_int begun;
  atomic_int is_unknown;         /* one has seen it so while not all were under way */
} course;

/* Until all are under way, or the watcher has found that bodies take longer than was thought. */
static int takes_long(sn_run *run, void *user)
{
  course *c = user;

  (void)run;
  atomic_fetch_add(&c->begun, 1);
  for (int k = 0; k < LONGEST && atomic_load(&c->begun) < WORKERS; k++) {
    if (atomic_load(c->grain) == SNI_GRAIN_UNKNOWN) atomic_store(&c->is_unknown, 1);
    if (atomic_load(&c->is_unknown)) break;
    nap(1);
  }
  return SN_OK;
}

/* Who watches and finds little begun wakes all that find something: what bodies took is forgotten,
 * and each that wakes wakes the next. */
static void test_long(void)
{
  sn_engine *engine = engine_with(WORKERS, 0);
  course c = { NULL, 0, 0 };
  sn_task_spec spec = spec_with("long", takes_long, &c, NULL, 0);
  int codes = 0, tries = 0;

  for (; codes == SN_OK && tries < TRIES && !atomic_load(&c.is_unknown); tries++)
    if (has_watcher(engine)) {
      atomic_store(&engine->tasks->crews[0].grain, 1);
      sni_mutex_unlock(&engine->lock);
      c.grain = &engine->tasks->crews[0].grain;
      atomic_store(&c.begun, 0);
      for (int k = 0; k < WORKERS; k++) codes |= sn_task_submit(engine, &spec, NULL);
      while (codes == SN_OK && atomic_load(&c.begun) < WORKERS) nap(1);
      codes |= sn_engine_await(engine);
    }
  is_int(codes, SN_OK, "long bodies behind short ones");
  ok(atomic_load(&c.is_unknown), "what short ones took is not held against them: %d tries", tries);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  static const int workers[] = { 1, 2, 4, 16 };

  for (int k = 0; k < 4; k++) test_idle(workers[k]);
  test_no_lock();
  test_long();
  return done_testing();
}
