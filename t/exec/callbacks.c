/* The user's functions that the library calls: those that get text are called without a lock and
 * may call the engine; a scheduler's cost is called under one, and what it may not call is refused.
 */
#include <unistd.h>

#include <snode/routine.h>

#include "t/exec/course.h"

/* ---- texts ---- */

typedef struct listener {
  sn_engine *engine;
  sn_node *node;
  int lines, whole, codes;
} listener;

/* Takes what is the engine's lock, and what is that of links. */
static void hear(void *user, const char *text)
{
  listener *l = user;
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;

  l->lines++;
  l->whole += text[0] && strchr(text, '\n') == text + strlen(text) - 1;
  l->codes |= sn_engine_counters(l->engine, &counters);
  if (l->node) l->codes |= sn_node_mode(l->node) != SN_MODE_ON_DEVICE;
}

static void heard(listener *l, int code, int lines, const char *what)
{
  is_int(code, SN_OK, "%s", what);
  is_int(l->lines, lines, "lines of it");
  is_int(l->whole, lines, "one at a time");
  is_int(l->codes, SN_OK, "while the engine can be called");
  l->lines = l->whole = 0;
}

static int waits(sn_run *run, void *user)
{
  (void)run;
  while (!atomic_load((atomic_int *)user))
    ;
  return SN_OK;
}

static int runs_entry(const sn_arguments *arguments)
{
  (void)arguments;
  return SN_OK;
}

static void test_texts(void)
{
  sn_engine *engine = engine_by(NULL);
  listener l = { engine, NULL, 0, 0, 0 };
  sn_tensor *tensor = tensor_named(engine, "A", 1, 1);
  const sn_use use = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  atomic_int gate = 0;
  sn_task_spec first = spec_with("first", waits, &gate, &use, 1);
  sn_task_spec second = spec_with("second", do_nothing, NULL, &use, 1);
  sn_node_use node_use = { SN_NODE_WRITE, NULL };
  sn_entry entry = SN_ENTRY_INIT;
  sn_event *done = NULL;
  sn_context *context;
  sn_routine *routine;
  sn_code *code;

  is_int(sn_task_submit(engine, &first, NULL) | sn_task_submit(engine, &second, &done), SN_OK,
         "two tasks");
  heard(&l, sn_engine_graph(engine, hear, &l), 5, "the graph");
  heard(&l, sn_task_explain(done, hear, &l), 1, "why the second waits");
  atomic_store(&gate, 1);
  is_int(sn_node_create(engine, "x", SN_TYPE_I64, 1, NULL, &l.node) |
           sn_node_set_mode(l.node, SN_MODE_NEVER_VIRTUAL, "a test") |
           sn_node_set_mode(l.node, SN_MODE_ON_DEVICE, "a test"), SN_OK, "a node");
  heard(&l, sn_node_explain(l.node, hear, &l), 2, "what is known of it");
  node_use.node = l.node;
  entry.name = "entry";
  entry.run = runs_entry;
  entry.uses = &node_use;
  entry.use_count = 1;
  is_int(sn_code_create(engine, &entry, 1, &code) |
           sn_context_create_on(sn_engine_unit(engine, 0), NULL, NULL, &context) |
           sn_code_link(code, 0, context, NULL, &routine), SN_OK, "a routine");
  heard(&l, sn_routine_explain(routine, hear, &l), 1, "what it does");
  is_int(sn_event_await(done), SN_OK, "the tasks end");
  sn_event_release(done);
  is_int(sn_context_destroy(sn_routine_context(routine)) | sn_routine_destroy(routine) |
           sn_context_destroy(context) | sn_code_destroy(code) | sn_node_destroy(l.node) |
           sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- the cost of a task ---- */

static struct asked {
  sn_engine *engine, *other;
  sn_event *event;
  sn_tensor *tensor;
  int calls, refused, done;
  double load;
} asked;

static void refused(int code)
{
  asked.calls++;
  asked.refused += code == SN_ESTATE;
}

static double calls_everything(const sn_ready *task, const sn_unit *unit)
{
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  const sn_task_spec spec = spec_with("one more", do_nothing, NULL, NULL, 0);
  sn_space *space;
  sn_queue *queue;
  int64_t value = 0;

  if (asked.done || strcmp(sn_ready_name(task), "asked") != 0) return 0;
  asked.done = 1;
  refused(sn_engine_counters(asked.engine, &counters));
  refused(sn_engine_graph(asked.engine, collect_text, NULL));
  refused(sn_engine_await(asked.engine));
  refused(sn_engine_destroy(asked.engine));
  refused(sn_event_is_done(asked.event, &asked.done));
  refused(sn_task_explain(asked.event, collect_text, NULL));
  refused(sn_task_submit(asked.engine, &spec, NULL));
  refused(sn_tensor_read(asked.tensor, &value, sizeof value));
  refused(sn_tensor_destroy(asked.tensor));
  refused(sn_space_create(asked.engine, 1, 1, &space));
  refused(sn_queue_create(sn_engine_unit(asked.engine, 0), NULL, &queue));
  refused(sn_unit_await(sn_engine_unit(asked.engine, 0)));
  refused(sn_engine_counters(asked.other, &counters));   /* whose lock who wants ours may hold */
  sn_event_release(asked.event);                         /* which is refused too: it lives on */
  asked.load = sn_unit_load(unit) + sn_unit_expected(unit) + (double)sn_ready_missing(task, unit);
  return sn_ready_seconds(task, unit);
}

static void test_cost(void)
{
  static const sn_scheduler own = { "asks", calls_everything };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_use use;

  options.own_scheduler = &own;
  options.memories = 1;
  asked.other = engine_by(NULL);
  asked.engine = engine_by(&options);
  asked.tensor = tensor_named(asked.engine, "A", 1, 1);
  use = sn_use_block(SN_ACCESS_READ_BUFFER, asked.tensor, 0);
  {
    const sn_task_spec spec = spec_with("before", do_nothing, NULL, NULL, 0);
    is_int(sn_task_submit(asked.engine, &spec, &asked.event), SN_OK, "a task with an event");
    is_int(sn_event_await(asked.event), SN_OK, "which ends");
  }
  is_int(run_task(asked.engine, NULL, "asked", do_nothing, NULL, &use, 1), SN_OK,
         "a task that a scheduler asks the cost of");
  is_int(asked.refused, 13, "calls that are refused");
  is_int(asked.calls, 13, "of those that it makes");
  ok(asked.load >= 0, "what it may ask it is told");
  said(asked.engine, "a scheduler's cost function calls the library: it is called under an "
                     "engine's lock, and may call what snode/task.h names and nothing else");
  sn_event_release(asked.event);
  is_int(sn_tensor_destroy(asked.tensor), SN_OK, "afterwards all can be called");
  is_int(sn_engine_destroy(asked.engine) | sn_engine_destroy(asked.other), SN_OK, "gone");
}

/* From outside they are asked under the lock too: no race with those who change it. */
static void test_load(void)
{
  sn_engine *engine = engine_by(NULL);
  const sn_task_spec spec = spec_with("task", do_nothing, NULL, NULL, 0);
  int codes = 0, below = 0;

  for (int k = 0; k < 500; k++) {
    codes |= sn_task_submit(engine, &spec, NULL);
    below += sn_unit_load(sn_engine_unit(engine, 0)) < 0;
  }
  is_int(codes | sn_engine_await(engine), SN_OK, "many tasks");
  is_int(below, 0, "the load of their unit");
  ok(sn_unit_load(sn_engine_unit(engine, 0)) <= 0, "which is none at the end");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  alarm(120);                    /* what waits for itself waits for ever */
  test_texts();
  test_cost();
  test_load();
  return done_testing();
}
