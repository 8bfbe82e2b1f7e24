/* Where tasks go, what one can see of them, and sums that are the same every time. */
#include <sched.h>
#include <unistd.h>

#include "t/exec/course.h"

/* A task that adds one to its block. */
typedef struct touch {
  sn_tensor *tensor;
  int64_t block;
} touch;

static int touches(sn_run *run, void *user)
{
  const touch *t = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, t->tensor, t->block, &buffer));
  ++*(int64_t *)sn_buffer_data(buffer);
  return sn_buffer_release_put(buffer);
}

/* ---- schedulers ---- */

static int where_am_i(sn_run *run, void *user)
{
  nap(sn_unit_index(sn_run_unit(run)) == 1 ? 30 : 0);
  atomic_fetch_add(&((atomic_int *)user)[sn_unit_index(sn_run_unit(run))], 1);
  return SN_OK;
}

static double last_unit(const sn_ready *task, const sn_unit *unit)
{
  return strcmp(sn_ready_name(task), "mine") == 0 ? -sn_unit_index(unit) : 0;
}

static void test_scheduler(const char *name, const sn_scheduler *own)
{
  enum { TASKS = 12 };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_use use;
  atomic_int ran[3] = { 0 };
  touch t = { NULL, 2 };
  int codes = 0;

  options.workers = 1;
  options.memories = 2;
  options.scheduler = name;
  options.own_scheduler = own;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 3, 1);
  t.tensor = tensor;
  use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, tensor, 2);
  codes |= run_task(engine, sn_engine_unit(engine, 2), "moves", touches, &t, &use, 1);
  for (int k = 0; k < TASKS; k++)
    codes |= run_task(engine, NULL, "mine", where_am_i, ran, &use, 1);
  is_int(codes, SN_OK, "%s", name ? name : own->name);
  is_int(atomic_load(&ran[0]) + atomic_load(&ran[1]) + atomic_load(&ran[2]), TASKS, "all ran");
  if (own || strcmp(name, "movement") == 0)
    is_int(atomic_load(&ran[2]), TASKS, "where the block is, or where its own scheduler says");
  else if (strcmp(name, "measured") == 0)
    ok(atomic_load(&ran[1]) <= 2, "the slow unit was tried, and left: %d %d %d",
       atomic_load(&ran[0]), atomic_load(&ran[1]), atomic_load(&ran[2]));
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

static void test_schedulers(void)
{
  static const sn_scheduler own = { "the last unit", last_unit };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;
  const char *const *names = sn_engine_schedulers();

  for (; *names; names++) test_scheduler(*names, NULL);
  test_scheduler(NULL, &own);
  options.scheduler = "no such";
  is_int(sn_engine_create(&options, &engine), SN_EINVAL, "no such scheduler");
}

static int notes_order(sn_run *run, void *user)
{
  (void)run;
  strcat(((char **)user)[0], ((char **)user)[1]);
  return SN_OK;
}

/* ---- seeing it, and priorities ---- */

static int waits_for_gate(void *user, int device)
{
  (void)device;
  while (!atomic_load((atomic_int *)user)) sched_yield();
  return SN_OK;
}

/* Work of a queue, which is no task. */
static void see_work(sn_engine *engine)
{
  atomic_int gate = 0;
  sn_queue *queue = NULL;
  sn_event *done = NULL;
  char text[128] = "";

  is_int(sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue) |
           sn_queue_submit(queue, waits_for_gate, &gate, &done), SN_OK, "work");
  is_int(sn_task_explain(done, collect_text, text), SN_OK, "that runs");
  is_str(text, "it is no task's: a queue has not come to its end\n", "has not ended");
  atomic_store(&gate, 1);
  *text = 0;
  is_int(sn_event_await(done) | sn_task_explain(done, collect_text, text), SN_OK, "then");
  is_str(text, "it has ended\n", "it has");
  sn_event_release(done);
  is_int(sn_queue_destroy(queue), SN_OK, "the queue is gone");
}

static void test_seeing(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_event *done[4] = { NULL };
  sn_use use;
  char order[16] = "", text[8192] = "", path[64];
  char *low[2] = { order, "l" }, *high[2] = { order, "h" };
  sn_task_spec spec;
  int codes = 0;
  FILE *file;

  snprintf(path, sizeof path, "tasks-trace-%ld.json", (long)getpid());
  options.workers = 0;
  options.trace = path;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 2, 1);
  use = sn_use_block(SN_PERMISSION_WRITE, tensor, 1);
  spec = spec_with("fill", notes_order, low, &use, 1);
  codes |= sn_task_submit(engine, &spec, &done[0]);
  use.kind = SN_PERMISSION_READ;
  spec = spec_with("read \"it\"", notes_order, low, &use, 1);
  codes |= sn_task_submit(engine, &spec, &done[1]);
  spec = spec_with("first", notes_order, high, NULL, 0);
  spec.priority = 3;
  codes |= sn_task_submit(engine, &spec, &done[2]);
  is_int(codes, SN_OK, "three tasks and no worker");
  is_int(sn_task_explain(done[1], collect_text, text), SN_OK, "why the second waits");
  is_str(text, "'read \"it\"' waits for write of A[1] by 'fill'\n", "for the first");
  *text = 0;
  is_int(sn_task_explain(done[0], collect_text, text), SN_OK, "and the first");
  is_str(text, "'fill' is ready and waits for a worker\n", "for nobody");
  *text = 0;
  is_int(sn_engine_graph(engine, collect_text, text), SN_OK, "the graph of what has not ended");
  is_str(text, "digraph tasks {\n  t3 [label=\"first\"];\n"
               "  t2 [label=\"read \\\"it\\\"\", style=dashed];\n  t1 [label=\"fill\"];\n"
               "  t1 -> t2;\n}\n", "as Graphviz");
  is_int(sn_engine_await(engine), SN_OK, "who awaits runs them");
  is_str(order, "hll", "the greater priority first");
  *text = 0;
  is_int(sn_task_explain(done[1], collect_text, text), SN_OK, "afterwards");
  is_str(text, "it has ended\n", "nothing");
  for (int k = 0; k < 3; k++) sn_event_release(done[k]);
  see_work(engine);
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
  file = fopen(path, "r");
  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (file) fclose(file);
  remove(path);
  ok(strstr(text, "{\"name\":\"read \\\"it\\\"\",\"cat\":\"task\",\"ph\":\"X\",\"pid\":0") != NULL,
     "the trace has the task");
}

/* ---- units that are busy ---- */

enum { LONGEST = 10000 };        /* milliseconds until a task gives up what it waits for */

typedef struct others {
  atomic_int begun, ran;
  int is_enough;                 /* as many ran as were waited for, in time */
} others;

static int waits_for_two(sn_run *run, void *user)
{
  others *o = user;

  (void)run;
  atomic_store(&o->begun, 1);
  for (int k = 0; k < LONGEST && atomic_load(&o->ran) < 2; k++) nap(1);
  o->is_enough = atomic_load(&o->ran) == 2;
  return SN_OK;
}

static int counts_itself(sn_run *run, void *user)
{
  (void)run;
  atomic_fetch_add(&((others *)user)->ran, 1);
  return SN_OK;
}

/* A task that more than one unit can run does not wait for the busy one. */
static void test_busy(int workers, int memories)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  others o = { 0, 0, 0 };
  sn_engine *engine;
  int codes;

  options.workers = workers;
  options.memories = memories;
  engine = engine_by(&options);
  spec.user = &o;
  spec.body[SN_UNIT_MEMORY] = waits_for_two;
  codes = sn_task_submit(engine, &spec, NULL);
  while (codes == SN_OK && !atomic_load(&o.begun)) nap(1);
  spec.body[SN_UNIT_HOST] = spec.body[SN_UNIT_MEMORY] = counts_itself;
  for (int k = 0; k < 2; k++) codes |= sn_task_submit(engine, &spec, NULL);
  while (codes == SN_OK && atomic_load(&o.ran) < 2) nap(1);
  is_int(codes | sn_engine_await(engine), SN_OK, "%d workers and %d memories, one of them busy",
         workers, memories);
  ok(o.is_enough, "what the others can run they run meanwhile");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

typedef struct gate {
  atomic_int begun, is_open;
} gate;

static int waits_at_gate(sn_run *run, void *user)
{
  gate *g = user;

  (void)run;
  atomic_store(&g->begun, 1);
  while (!atomic_load(&g->is_open)) nap(1);
  return SN_OK;
}

/* What is prepared ahead gives way to what comes later and has a greater priority. */
static void test_ahead(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  char order[16] = "";
  char *low[2] = { order, "l" }, *high[2] = { order, "h" };
  gate g = { 0, 0 };
  sn_engine *engine;
  sn_task_spec spec = spec_with("gate", waits_at_gate, &g, NULL, 0);
  int codes;

  options.workers = 0;
  options.memories = 1;
  engine = engine_by(&options);
  spec.unit = sn_engine_unit(engine, 1);
  codes = sn_task_submit(engine, &spec, NULL);
  while (codes == SN_OK && !atomic_load(&g.begun)) nap(1);
  for (int k = 0; k < 6; k++) {
    spec = spec_with(NULL, notes_order, k < 4 ? low : high, NULL, 0);
    spec.unit = sn_engine_unit(engine, 1);
    spec.priority = k < 4 ? 0 : 1;
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  atomic_store(&g.is_open, 1);
  is_int(codes | sn_engine_await(engine), SN_OK, "priorities on a memory");
  is_str(order, "hhllll", "the greater one first, whatever was prepared");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* Until what is said of the task has these words. */
static int await_state(sn_event *done, const char *words)
{
  char text[256] = "";

  for (int k = 0; k < LONGEST && !strstr(text, words); k++) {
    *text = 0;
    if (sn_task_explain(done, collect_text, text) != SN_OK) return 0;
    nap(1);
  }
  return strstr(text, words) != NULL;
}

/* The same on the host, whose workers take what has no buffers without the lock: a task whose
 * buffer has come, behind a gate, and one of a greater priority. */
static void test_prepared(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  char order[16] = "";
  char *low[2] = { order, "l" }, *high[2] = { order, "h" };
  gate g[2] = { { 0, 0 }, { 0, 0 } };
  sn_event *done = NULL;
  sn_engine *engine;
  sn_task_spec spec;
  sn_tensor *tensor;
  touch t = { NULL, 0 };
  sn_use use;
  int codes;

  options.workers = options.memories = 1;
  engine = engine_by(&options);
  t.tensor = tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, tensor, 0);
  codes = run_task(engine, sn_engine_unit(engine, 1), "moves", touches, &t, &use, 1);
  use.kind = SN_ACCESS_READ_BUFFER;
  for (int k = 0; k < 3; k++) {
    spec = k == 1 ? spec_with("low", notes_order, low, &use, 1)
                  : spec_with("gate", waits_at_gate, &g[k / 2], NULL, 0);
    spec.unit = sn_engine_unit(engine, 0);
    codes |= sn_task_submit(engine, &spec, k == 1 ? &done : NULL);
    while (k == 0 && codes == SN_OK && !atomic_load(&g[0].begun)) nap(1);
  }
  atomic_store(&g[0].is_open, 1);
  ok(await_state(done, "is prepared"), "its buffer has come, and the worker is busy");
  spec = spec_with("high", notes_order, high, NULL, 0);
  spec.unit = sn_engine_unit(engine, 0);
  spec.priority = 1;
  codes |= sn_task_submit(engine, &spec, NULL);
  atomic_store(&g[1].is_open, 1);
  is_int(codes | sn_engine_await(engine), SN_OK, "priorities on the host");
  is_str(order, "hl", "the greater one first");
  sn_event_release(done);
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- sums that are the same every time ---- */

static int adds_tenth(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, *(sn_tensor **)user, 0, &buffer));
  *(double *)sn_buffer_data(buffer) += ((double *)user)[1];
  return sn_buffer_release_add(buffer);
}

static double sum_of(int memories)
{
  enum { TERMS = 40 };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  static struct { sn_tensor *tensor; double term; } terms[TERMS];
  sn_engine *engine;
  sn_tensor *tensor;
  double sum = -1;
  int codes = 0;

  options.workers = 2;
  options.memories = memories;
  options.deterministic = 1;
  engine = engine_by(&options);
  if (sn_tensor_create(engine, SN_TYPE_F64, 0, NULL, NULL, &tensor) != SN_OK) bail("no tensor");
  for (int k = 0; k < TERMS; k++) {
    sn_use use = sn_use_block(k % 3 ? SN_ACCESS_ACCUMULATE_BUFFER : SN_PERMISSION_ACCUMULATE,
                              tensor, 0);
    sn_task_spec spec = spec_with("adds", adds_tenth, &terms[k], &use, 1);
    terms[k].tensor = tensor;
    terms[k].term = (k % 2 ? -1e10 : 1e10) / (k + 1) + 0.1;
    spec.unit = memories ? sn_engine_unit(engine, k * 7 % (memories + 1)) : NULL;
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_await(engine), SN_OK, "a sum on %d more units", memories);
  is_int(sn_tensor_read(tensor, &sum, sizeof sum), SN_OK, "read");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
  return sum;
}

static void test_deterministic(void)
{
  double expected = 0;

  for (int k = 0; k < 40; k++) expected += (k % 2 ? -1e10 : 1e10) / (k + 1) + 0.1;
  for (int memories = 0; memories < 3; memories++)
    is_double(sum_of(memories), expected, "the sum in the order of its tasks");
}

/* ---- processors ---- */

static int processors(void)
{
#ifdef CPU_COUNT
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) return CPU_COUNT(&mine);
#endif
  return 0;
}

typedef struct place {
  int count, at;                 /* processors that the thread may use; where it is */
} place;

static int look_where(sn_run *run, void *user)
{
  place *p = user;

  (void)run;
  p->count = processors();
#ifdef CPU_COUNT
  p->at = sched_getcpu();
#endif
  return SN_OK;
}

static void test_bind(int bind)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  const int mine = processors();
  place places[3] = { { 0, 0 } };
  sn_engine *engine;

  options.workers = 1;
  options.memories = 2;
  options.bind = bind;
  engine = engine_by(&options);
  for (int u = 0; u < 3; u++)
    is_int(run_task(engine, sn_engine_unit(engine, u), "looks", look_where, &places[u], NULL, 0),
           SN_OK, "unit %d's worker looks where it is", u);
  for (int u = 0; u < 3; u++)
    is_int(places[u].count, bind && mine ? 1 : mine, "processors it may use");
  /* turns 0; 1 and 2 for its transfers; 3 and 4 */
  ok(!bind || mine < 2 || (places[0].at != places[1].at && places[0].at != places[2].at) ==
                            (3 % mine != 0), "the host's and the units' are not the same");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  is_int(processors(), mine, "who made the engine stays free");
}

/* ---- a limit of tasks ---- */

static void test_most_tasks(int workers)
{
  enum { TASKS = 2000, MOST = 16 };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_task_counters c = SN_TASK_COUNTERS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  uint64_t most = 0;
  int codes = 0;

  options.workers = workers;
  options.most_tasks = MOST;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 3, 1);
  for (int k = 0; k < TASKS; k++) {
    touch t = { tensor, k % 3 };
    const sn_use use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, tensor, t.block);
    sn_task_spec spec = spec_with(NULL, touches, &t, &use, 1);
    spec.user_bytes = sizeof t;
    codes |= sn_task_submit(engine, &spec, NULL) | sn_engine_counters(engine, &c);
    if (c.waiting + c.ready + c.running > most) most = c.waiting + c.ready + c.running;
  }
  is_int(codes, SN_OK, "%d workers: tasks within a limit", workers);
  ok(most <= MOST, "never more of them than %d: %d", MOST, (int)most);
  is_int(sn_engine_await(engine), SN_OK, "the last ones");
  is_int(value_of(tensor, 0) + value_of(tensor, 1) + value_of(tensor, 2), TASKS, "all ran");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  test_most_tasks(0);
  test_most_tasks(3);
  test_bind(0);
  test_bind(1);
  test_schedulers();
  test_seeing();
  test_busy(2, 1);
  test_busy(0, 2);
  test_ahead();
  test_prepared();
  test_deterministic();
  return done_testing();
}
