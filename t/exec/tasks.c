/* Tasks: refusals, misuse, many of them.  (Nesting: device/nested.c, ancestors.c; room:
 * device/capacity.c; failure: failures.c.)
 */
#include "runtime/host/exec/engine.h"

#include "t/exec/course.h"

/* ---- refusals at submission ---- */

static void test_refusals(sn_engine *engine, sn_engine *foreign)
{
  sn_tensor *tensor = tensor_named(engine, "A", 4, 1), *theirs = tensor_named(foreign, "F", 1, 1);
  sn_use uses[2];
  sn_task_spec spec = spec_with("task", do_nothing, NULL, uses, 1);
  char text[128];

  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 4);
  refuse(engine, &spec, SN_EBOUNDS, "'task': A has blocks 0 to 3, and no block 4");
  uses[0] = sn_use_block(SN_PERMISSION_READ, theirs, 0);
  refuse(engine, &spec, SN_EINVAL, "'task': F belongs to another engine");
  uses[0] = sn_use_block(SN_PERMISSION_READ, NULL, 0);
  refuse(engine, &spec, SN_EINVAL, "'task': a use of no tensor");
  uses[0] = sn_use_whole(SN_ACCESS_READ_BUFFER, tensor);
  refuse(engine, &spec, SN_EINVAL, "'task': an access names one block, not 4 of A");
  uses[0] = sn_use_block(SN_PERMISSION_READ | SN_CANCELLABLE, tensor, 0);
  refuse(engine, &spec, SN_EINVAL, "'task': 0x100 is no kind of use");
  uses[0] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 1);
  uses[1] = sn_use_block(SN_ACCESS_WRITE_BUFFER, tensor, 1);
  spec.use_count = 2;
  refuse(engine, &spec, SN_EINVAL, "'task' declares two buffers of A[1] that exclude each other");
  spec.use_count = 0;
  spec.unit = sn_engine_unit(foreign, 0);
  refuse(engine, &spec, SN_EINVAL, "'task': its unit belongs to another engine");
  spec.unit = sn_engine_unit(engine, 1);
  spec.body[SN_UNIT_MEMORY] = NULL;
  refuse(engine, &spec, SN_EINVAL, "'task' has no body for memory 1");
  spec.unit = NULL;
  spec.body[SN_UNIT_HOST] = NULL;
  refuse(engine, &spec, SN_EINVAL, "'task' has no body for any unit of the engine");
  spec.use_count = -1;
  refuse(engine, &spec, SN_EINVAL, "'task': -1 uses, which are not there");
  spec.size = 1;
  snprintf(text, sizeof text, "a task's spec: its member size is 1, and such a struct has %zu "
           "bytes: begin with its INIT", sizeof spec);
  refuse(engine, &spec, SN_EINVAL, text);
  refuse(engine, NULL, SN_EINVAL, "a task's spec is NULL");
  is_int(sn_task_submit(NULL, &spec, NULL), SN_EINVAL, "no engine");
  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 0);
  is_int(run_task(engine, NULL, "task", do_nothing, NULL, uses, 1), SN_OK, "all goes on");
  is_int(sn_tensor_destroy(tensor) | sn_tensor_destroy(theirs), SN_OK, "gone");
}

static void test_strict(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_use uses[2];
  sn_task_spec spec = spec_with("task", do_nothing, NULL, uses, 2);

  options.strict = 1;
  options.workers = 1;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 2, 1);
  is_int(run_task(engine, NULL, "first", do_nothing, NULL, NULL, 0), SN_OK, "a strict engine");
  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 0);
  uses[1] = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER, tensor, 0);
  refuse(engine, &spec, SN_EPERMISSION,
         "'task' declares an access to A[0] that needs accumulate; its permission there is read "
         "(the engine is strict)");
  uses[0] = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  is_int(run_task(engine, NULL, "task", do_nothing, NULL, uses, 2), SN_OK, "with its permission");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- misuse ---- */

static int counts(sn_run *run, void *user)
{
  (void)run;
  atomic_fetch_add((atomic_int *)user, 1);
  return SN_OK;
}

static int failing_parent(sn_run *run, void *user)
{
  sn_task_spec spec = spec_with("fails", fails_at_gate, NULL, NULL, 0);

  (void)user;
  return sn_task_submit_child(run, &spec, NULL);
}

typedef struct waiter {
  sn_tensor *tensor;
  int refused[4];
} waiter;

static int waits_inside(sn_run *run, void *user)
{
  waiter *w = user;
  int64_t value;

  w->refused[0] = sn_engine_await(sn_run_engine(run));
  w->refused[1] = sn_tensor_read_block(w->tensor, 0, &value, sizeof value);
  w->refused[2] = sn_unit_await(sn_run_unit(run));
  w->refused[3] = sn_tensor_flush(w->tensor);
  return SN_OK;
}

static void test_misuse(sn_engine *engine)
{
  waiter w;
  sn_use use;

  memset(&w, 0, sizeof w);
  w.tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_whole(SN_PERMISSION_WRITE, w.tensor);
  is_int(run_task(engine, NULL, "parent", failing_parent, NULL, &use, 1), SN_EIO,
         "a child's failure is its parent's");
  sn_engine_clear(engine);
  is_int(run_task(engine, NULL, "waits", waits_inside, &w, &use, 1), SN_OK, "who waits inside");
  for (int k = 0; k < 4; k++) is_int(w.refused[k], SN_ESTATE, "is refused %d", k);
  said(engine, "sn_engine_await inside 'waits': a task waits for nobody: submit what follows as a "
               "task of its own");
  {
    atomic_int gate = 0;
    sn_task_spec spec = spec_with("fails", fails_at_gate, &gate, &use, 1);
    is_int(sn_task_submit(engine, &spec, NULL), SN_OK, "while a task names it");
    is_int(sn_tensor_destroy(w.tensor), SN_ESTATE, "a tensor stays");
    said(engine, "A is destroyed, and tasks that are unfinished or recorded name it");
    is_int(sn_engine_destroy(engine), SN_ESTATE, "its engine too");
    atomic_store(&gate, 1);
    is_int(sn_engine_await(engine), SN_OK, "until it has ended");
    sn_engine_clear(engine);
  }
  is_int(sn_tensor_destroy(w.tensor), SN_OK, "gone");
}

/* ---- many ---- */

static void test_many(sn_engine *engine)
{
  const int tasks = tap_size(20000, 50000, 1000000);
  atomic_int ran = 0;
  uint64_t before = 0, after;
  int codes = 0;

  for (int k = 0; k < tasks; k++) {
    sn_task_spec spec = spec_with(NULL, counts, &ran, NULL, 0);
    codes |= sn_task_submit(engine, &spec, NULL);
    if (k % 1000 == 999) codes |= sn_engine_await(engine);
    if (k == 9999) before = engine->accounts.bytes;
  }
  after = engine->accounts.bytes;
  is_int(codes, SN_OK, "%d tasks", tasks);
  is_int(atomic_load(&ran), tasks, "all ran");
  ok(after < before + 1000 * 1024, "in bounded memory: %d more bytes", (int)(after - before));
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine, *foreign;

  options.workers = 2;
  options.memories = 1;
  engine = engine_by(&options);
  foreign = engine_by(&options);
  is_int(run_task(engine, NULL, "first", do_nothing, NULL, NULL, 0), SN_OK, "a task");
  test_refusals(engine, foreign);
  test_strict();
  test_misuse(engine);
  test_many(engine);
  is_int(sn_engine_destroy(engine) | sn_engine_destroy(foreign), SN_OK, "engines are gone");
  return done_testing();
}
