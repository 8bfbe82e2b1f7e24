/* Tasks: ancestors' buffers, refusals, failure, continuations.  (Nesting: device/nested.c; room:
 * device/capacity.c.)
 */
#include "runtime/host/exec/engine.h"

#include "t/exec/course.h"

static int64_t *data(sn_buffer *buffer)
{
  return sn_buffer_data(buffer);
}

static void nap(long milliseconds)
{
  struct timespec t = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
  nanosleep(&t, NULL);
}

/* ---- a child waits for its ancestors' buffers ---- */

typedef struct family {
  sn_tensor *tensor;
  int refused[4];
  int64_t seen;
} family;

static int reading_child(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read(run, f->tensor, 0, &buffer));
  f->seen = data(buffer)[0];
  return sn_buffer_release(buffer);
}

static int holding_parent(sn_run *run, void *user)
{
  family *f = user;
  sn_use use = sn_use_block(SN_ACCESS_READ_BUFFER, f->tensor, 0);
  sn_task_spec spec = spec_with("reading child", reading_child, f, &use, 1);
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, f->tensor, 0, &buffer));
  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  nap(5);                                /* the child could run, but for the buffer */
  data(buffer)[0] = 77;
  return sn_buffer_release_put(buffer);
}

static void test_ancestors(sn_engine *engine)
{
  family f;
  sn_use use;

  memset(&f, 0, sizeof f);
  f.tensor = tensor_named(engine, "A", 2, 1);
  use = sn_use_block(SN_PERMISSION_WRITE, f.tensor, 0);
  for (int u = 0; u < 2; u++) {
    f.seen = 0;
    is_int(run_task(engine, sn_engine_unit(engine, u), "holds", holding_parent, &f, &use, 1),
           SN_OK, "a parent that holds a buffer on %s", sn_unit_name(sn_engine_unit(engine, u)));
    is_int(f.seen, 77, "its child waits for it");
  }
  is_int(sn_tensor_destroy(f.tensor), SN_OK, "gone");
}

/* ---- refusals at submission ---- */

static void test_refusals(sn_engine *engine, sn_engine *foreign)
{
  sn_tensor *tensor = tensor_named(engine, "A", 4, 1), *theirs = tensor_named(foreign, "F", 1, 1);
  sn_use uses[2];
  sn_task_spec spec = spec_with("task", do_nothing, NULL, uses, 1);

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
  spec.size = 1;
  refuse(engine, &spec, SN_EINVAL, "a task's spec is NULL, of another size or empty");
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

/* ---- failure ---- */

/* When its gate is open; at once without one. */
static int fails(sn_run *run, void *user)
{
  atomic_int *gate = user;

  (void)run;
  while (gate && !atomic_load(gate)) nap(1);
  return SN_EIO;
}

static int counts(sn_run *run, void *user)
{
  (void)run;
  atomic_fetch_add((atomic_int *)user, 1);
  return SN_OK;
}

static void test_failure(sn_engine *engine)
{
  enum { CHAIN = 2000 };
  sn_tensor *tensor = tensor_named(engine, "A", 2, 1);
  sn_use uses[2];
  atomic_int gate = 0;
  sn_task_spec spec = spec_with("fails", fails, &gate, uses, 1);
  sn_event *first = NULL, *last = NULL, *other = NULL;
  sn_task_counters before, after;
  atomic_int ran = 0;
  int codes = sn_engine_counters(engine, &before);

  uses[0] = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  codes |= sn_task_submit(engine, &spec, &first);
  spec = spec_with("counts", counts, &ran, uses, 1);
  for (int k = 1; k < CHAIN; k++) codes |= sn_task_submit(engine, &spec, NULL);
  codes |= sn_task_submit(engine, &spec, &last);
  uses[0] = sn_use_block(SN_PERMISSION_WRITE, tensor, 1);
  codes |= sn_task_submit(engine, &spec, &other);
  atomic_store(&gate, 1);
  is_int(codes, SN_OK, "one that fails, and a chain behind it");
  is_int(sn_event_await(first), SN_EIO, "it says so");
  is_int(sn_event_await(last), SN_ECANCELED, "the last of the chain is canceled");
  is_int(sn_event_await(other), SN_OK, "another block's is not");
  is_int(atomic_load(&ran), 1, "only that one ran");
  said(engine, "'fails' has failed: a file could not be read or written");
  is_int(sn_engine_counters(engine, &after), SN_OK, "counters");
  is_int(after.failed - before.failed, 1, "one has failed");
  is_int(after.canceled - before.canceled, CHAIN, "the others were canceled");
  is_int(value_of(tensor, 0), -1, "the block is lost");
  sn_engine_clear(engine);
  uses[0] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 0);
  is_int(run_task(engine, NULL, "reads", do_nothing, NULL, uses, 1), SN_ESTATE, "declared or not");
  said(engine, "'reads' needs A[0], which is lost: the task that wrote it has failed");
  is_int(sn_tensor_fill(tensor, 4), SN_OK, "written whole");
  is_int(value_of(tensor, 0), 4, "it is there again");
  sn_event_release(first);
  sn_event_release(last);
  sn_event_release(other);
  is_int(sn_tensor_destroy(tensor), SN_OK, "gone");
}

static int failing_parent(sn_run *run, void *user)
{
  sn_task_spec spec = spec_with("fails", fails, NULL, NULL, 0);

  (void)user;
  return sn_task_submit_child(run, &spec, NULL);
}

static int waits_inside(sn_run *run, void *user)
{
  family *f = user;
  int64_t value;

  f->refused[0] = sn_engine_await(sn_run_engine(run));
  f->refused[1] = sn_tensor_read_block(f->tensor, 0, &value, sizeof value);
  f->refused[2] = sn_unit_await(sn_run_unit(run));
  f->refused[3] = sn_tensor_flush(f->tensor);
  return SN_OK;
}

static void test_misuse(sn_engine *engine)
{
  family f;
  sn_use use;

  memset(&f, 0, sizeof f);
  f.tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_whole(SN_PERMISSION_WRITE, f.tensor);
  is_int(run_task(engine, NULL, "parent", failing_parent, NULL, &use, 1), SN_EIO,
         "a child's failure is its parent's");
  sn_engine_clear(engine);
  is_int(run_task(engine, NULL, "waits", waits_inside, &f, &use, 1), SN_OK, "who waits inside");
  for (int k = 0; k < 4; k++) is_int(f.refused[k], SN_ESTATE, "is refused %d", k);
  said(engine, "a task or the work of a queue waits for its engine, and so for itself");
  {
    atomic_int gate = 0;
    sn_task_spec spec = spec_with("fails", fails, &gate, &use, 1);
    is_int(sn_task_submit(engine, &spec, NULL), SN_OK, "while a task names it");
    is_int(sn_tensor_destroy(f.tensor), SN_ESTATE, "a tensor stays");
    said(engine, "A is destroyed, and tasks that are unfinished or recorded name it");
    is_int(sn_engine_destroy(engine), SN_ESTATE, "its engine too");
    atomic_store(&gate, 1);
    is_int(sn_engine_await(engine), SN_OK, "until it has ended");
    sn_engine_clear(engine);
  }
  is_int(sn_tensor_destroy(f.tensor), SN_OK, "gone");
}

/* ---- continuations ---- */

typedef struct chain {
  sn_tensor *tensor;
  int64_t left;
  uint64_t most_bytes;
} chain;

static int goes_on(sn_run *run, void *user)
{
  chain *c = user;
  sn_engine *engine = sn_run_engine(run);
  sn_use use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, c->tensor, 0);
  sn_task_spec spec = spec_with(NULL, goes_on, c, &use, 1);
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, c->tensor, 0, &buffer));
  data(buffer)[0]++;
  SN_TRY(sn_buffer_release_put(buffer));
  sni_mutex_lock(&engine->memory_lock);
  if (engine->accounts.bytes > c->most_bytes) c->most_bytes = engine->accounts.bytes;
  sni_mutex_unlock(&engine->memory_lock);
  return --c->left ? sn_task_submit_child(run, &spec, NULL) : SN_OK;
}

static void test_continuations(sn_engine *engine)
{
  const int64_t lengths[] = { 10, 100000 };
  uint64_t bytes[2];
  chain c;
  sn_use use;
  sn_task_counters before, after;

  memset(&c, 0, sizeof c);
  c.tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_block(SN_PERMISSION_WRITE, c.tensor, 0);
  for (int k = 0; k < 2; k++) {
    c.left = lengths[k];
    c.most_bytes = 0;
    is_int(sn_tensor_fill(c.tensor, 0) | sn_engine_counters(engine, &before), SN_OK, "zero");
    is_int(run_task(engine, NULL, "goes_on", goes_on, &c, &use, 1), SN_OK, "%d continuations",
           (int)lengths[k]);
    is_int(value_of(c.tensor, 0), lengths[k], "each once");
    is_int(sn_engine_counters(engine, &after), SN_OK, "counters");
    ok(after.continuations - before.continuations >= (uint64_t)lengths[k] - 4,
       "places handed over: %d", (int)(after.continuations - before.continuations));
    bytes[k] = c.most_bytes;
  }
  is_int(bytes[1], bytes[0], "in the same memory");
  is_int(sn_tensor_destroy(c.tensor), SN_OK, "gone");
}

/* ---- many ---- */

static void test_many(sn_engine *engine)
{
  const char *slow = getenv("SN_LONG");
  const int tasks = slow && *slow ? 1000000 : 50000;
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
  test_ancestors(engine);
  test_refusals(engine, foreign);
  test_strict();
  test_failure(engine);
  test_misuse(engine);
  test_continuations(engine);
  test_many(engine);
  is_int(sn_engine_destroy(engine) | sn_engine_destroy(foreign), SN_OK, "engines are gone");
  return done_testing();
}
