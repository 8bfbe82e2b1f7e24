/* Tasks: nesting, refusals, failure, continuations, capacity, schedulers, what one can see.
 */
#include "runtime/host/exec/engine.h"

#include <unistd.h>

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

/* ---- nested tasks ---- */

typedef struct family {
  sn_tensor *tensor;
  int codes, refused[4];
  int64_t seen[4];
  sn_use allowed[4];             /* what its children want */
  int children;
} family;

static int child(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;
  nap(2);                                /* long enough for a parent's successor to overtake */
  SN_TRY(sn_buffer_acc(run, f->tensor, 1, &buffer));
  data(buffer)[0] += 5;
  return sn_buffer_release_add(buffer);
}

static int writing_child(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;
  nap(2);
  SN_TRY(sn_buffer_write(run, f->tensor, 2, NULL, &buffer));
  data(buffer)[0] = 8;
  return sn_buffer_release_put(buffer);
}

static int parent(sn_run *run, void *user)
{
  family *f = user;

  for (int k = 0; k < f->children; k++) {
    sn_task_spec spec = spec_with("child", k == 1 ? child : k == 2 ? writing_child : do_nothing,
                                  f, &f->allowed[k], 1);
    f->refused[k] = sn_task_submit_child(run, &spec, NULL);
  }
  return SN_OK;
}

static int looks(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  for (int k = 0; k < 3; k++) {
    SN_TRY(sn_buffer_read(run, f->tensor, k, &buffer));
    f->seen[k] = data(buffer)[0];
    SN_TRY(sn_buffer_release(buffer));
  }
  return SN_OK;
}

static void test_nested(sn_engine *engine)
{
  family f;
  sn_use use;
  sn_task_counters before, after;

  memset(&f, 0, sizeof f);
  f.tensor = tensor_named(engine, "A", 6, 1);
  f.children = 2;
  is_int(sn_tensor_fill(f.tensor, 1) | sn_engine_counters(engine, &before), SN_OK, "ones");

  use = sn_use_whole(SN_PERMISSION_READ, f.tensor);
  use.where.hi[0] = 4;
  f.allowed[0] = sn_use_block(SN_PERMISSION_WRITE, f.tensor, 2);
  f.allowed[1] = sn_use_block(SN_PERMISSION_READ, f.tensor, 4);
  is_int(run_task(engine, NULL, "parent", parent, &f, &use, 1), SN_OK, "a parent that may read");
  is_int(f.refused[0], SN_EPERMISSION, "its child may not write");
  is_int(f.refused[1], SN_EPERMISSION, "nor read elsewhere");
  said(engine, "'child' wants write of A[2]; its parent 'parent' allows read");
  use = sn_use_whole(SN_PERMISSION_ACCUMULATE, f.tensor);
  f.allowed[0] = sn_use_block(SN_PERMISSION_READ, f.tensor, 1);
  f.children = 1;
  is_int(run_task(engine, NULL, "parent", parent, &f, &use, 1), SN_OK, "one that may accumulate");
  is_int(f.refused[0], SN_EPERMISSION, "its child may not read");
  said(engine, "'child' wants read of A[1]; its parent 'parent' allows accumulate");
  is_int(sn_engine_counters(engine, &after), SN_OK, "counters");
  is_int(after.submitted - before.submitted, 2, "what was refused was not submitted");
  is_int(after.refused - before.refused, 3, "and is counted");

  use = sn_use_whole(SN_PERMISSION_WRITE, f.tensor);
  f.allowed[1] = sn_use_block(SN_PERMISSION_ACCUMULATE, f.tensor, 1);
  f.allowed[2] = sn_use_block(SN_PERMISSION_WRITE, f.tensor, 2);
  f.children = 3;
  {
    sn_use reads = sn_use_whole(SN_PERMISSION_READ, f.tensor);
    sn_task_spec first = spec_with("parent", parent, &f, &use, 1);
    is_int(sn_task_submit(engine, &first, NULL), SN_OK, "one that may write");
    is_int(run_task(engine, NULL, "looks", looks, &f, &reads, 1), SN_OK, "and its successor");
  }
  is_int(f.refused[0] | f.refused[1] | f.refused[2], SN_OK, "its children may read, add, write");
  is_int(f.seen[0] * 100 + f.seen[1] * 10 + f.seen[2], 168, "the successor sees all of it");
  is_int(sn_tensor_destroy(f.tensor), SN_OK, "gone");
}

/* ---- a child waits for its ancestors' buffers ---- */

static int reading_child(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read(run, f->tensor, 0, &buffer));
  f->seen[0] = data(buffer)[0];
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
    f.seen[0] = 0;
    is_int(run_task(engine, sn_engine_unit(engine, u), "holds", holding_parent, &f, &use, 1),
           SN_OK, "a parent that holds a buffer on %s", sn_unit_name(sn_engine_unit(engine, u)));
    is_int(f.seen[0], 77, "its child waits for it");
  }
  is_int(sn_tensor_destroy(f.tensor), SN_OK, "gone");
}

/* ---- refusals at submission ---- */

static void refuse(sn_engine *engine, const sn_task_spec *spec, int code, const char *text)
{
  sn_task_counters before, after;
  sn_event *done = NULL;

  if (sn_engine_counters(engine, &before) != SN_OK) bail("no counters");
  is_int(sn_task_submit(engine, spec, &done), code, "refused");
  said(engine, text);
  if (sn_engine_counters(engine, &after) != SN_OK) bail("no counters");
  is_int(after.submitted - before.submitted, 0, "nothing was submitted");
  is_int(after.refused - before.refused, 1, "but counted");
  ok(done == NULL, "no event");
}

static void test_refusals(sn_engine *engine, sn_engine *foreign)
{
  sn_tensor *tensor = tensor_named(engine, "A", 4, 1), *theirs = tensor_named(foreign, "F", 1, 1);
  sn_use uses[2];
  sn_task_spec spec = spec_with("task", do_nothing, NULL, uses, 1);

  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 4);
  refuse(engine, &spec, SN_EBOUNDS, "task: tiles 4 to 4 of dimension 0 of A, which has tiles 0 to 3");
  uses[0] = sn_use_block(SN_PERMISSION_READ, theirs, 0);
  refuse(engine, &spec, SN_EINVAL, "task: F belongs to another engine");
  uses[0] = sn_use_block(SN_PERMISSION_READ, NULL, 0);
  refuse(engine, &spec, SN_EINVAL, "task: a slice of no tensor");
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
    said(engine, "A is destroyed, and unfinished tasks name it");
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

/* ---- capacity ---- */

enum { MEBI = 1 << 20 };

typedef struct touch {
  sn_tensor *tensor;
  int64_t block;
} touch;

static int touches(sn_run *run, void *user)
{
  const touch *t = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, t->tensor, t->block, &buffer));
  data(buffer)[0]++;
  data(buffer)[sn_buffer_bytes(buffer) / 8 - 1]++;
  return sn_buffer_release_put(buffer);
}

static int asks_for_more(sn_run *run, void *user)
{
  sn_buffer *buffer;

  for (int64_t b = 0; b < 4; b++) SN_TRY(sn_buffer_read(run, user, b, &buffer));
  return SN_OK;
}

static void test_capacity(int writes)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_unit *unit;
  sn_unit_memory memory;
  sn_use uses[4];
  int codes = 0, wrong = 0;

  options.workers = 1;
  options.memories = 1;
  options.capacity = 3 * MEBI;
  engine = engine_by(&options);
  unit = sn_engine_unit(engine, 1);
  tensor = tensor_named(engine, "A", 10, MEBI / 8);
  for (int k = 0; k < 20; k++) {
    touch t = { tensor, k % 10 };
    sn_task_spec spec = spec_with("touch", writes ? touches : do_nothing, &t, uses, 1);
    uses[0] = sn_use_block(writes ? SN_ACCESS_READ_WRITE_BUFFER : SN_ACCESS_READ_BUFFER, tensor,
                           k % 10);
    spec.unit = unit;
    spec.user_bytes = sizeof t;
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_await(engine), SN_OK,
         "ten blocks twice, through a unit that holds three");
  is_int(sn_tensor_flush(tensor) | sn_unit_memory_of(unit, &memory), SN_OK, "flushed");
  is_int(memory.peak, 3 * MEBI, "at most three were there");
  is_int(memory.gets, 20, "Gets");
  is_int(memory.puts, writes ? 20 : 0, "Puts");
  is_int(memory.evictions, 17, "evictions");
  is_int(memory.bytes_in, 20 * MEBI, "bytes");
  for (int64_t b = 0; b < 10; b++) {
    static int64_t block[MEBI / 8];
    wrong += sn_tensor_read_block(tensor, b, block, MEBI) != SN_OK;
    wrong += block[0] != 2 * writes || block[MEBI / 8 - 1] != 2 * writes;
  }
  is_int(wrong, 0, "the values");
  for (int k = 0; k < 4; k++) uses[k] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, k);
  {
    sn_task_spec spec = spec_with("too large", do_nothing, NULL, uses, 4);
    spec.unit = unit;
    refuse(engine, &spec, SN_ECAPACITY,
           "'too large' declares buffers of 4194304 bytes, more than memory 1 holds");
    spec.unit = NULL;
    spec.body[SN_UNIT_HOST] = NULL;
    refuse(engine, &spec, SN_ECAPACITY, "'too large' declares buffers of 4194304 bytes, more than "
                                        "any unit that has a body for it holds");
  }
  is_int(run_task(engine, NULL, "placed", do_nothing, NULL, uses, 4), SN_OK, "the host holds it");
  for (int k = 0; k < 4; k++) uses[k].kind = SN_PERMISSION_READ;
  is_int(run_task(engine, unit, "asks", asks_for_more, tensor, uses, 4), SN_ECAPACITY,
         "who asks for too much on the spot is told");
  said(engine, "'asks' asks for a buffer of A[3], and memory 1 has no room for 1048576 bytes: "
               "submit a continuation that declares it");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- schedulers ---- */

static int where_am_i(sn_run *run, void *user)
{
  nap(sn_unit_index(sn_run_unit(run)) == 1 ? 4 : 0);
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
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
  file = fopen(path, "r");
  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (file) fclose(file);
  remove(path);
  ok(strstr(text, "{\"name\":\"read \\\"it\\\"\",\"cat\":\"task\",\"ph\":\"X\",\"pid\":0") != NULL,
     "the trace has the task");
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
  test_nested(engine);
  test_ancestors(engine);
  test_refusals(engine, foreign);
  test_strict();
  test_failure(engine);
  test_misuse(engine);
  test_continuations(engine);
  test_many(engine);
  is_int(sn_engine_destroy(engine) | sn_engine_destroy(foreign), SN_OK, "engines are gone");
  test_capacity(0);
  test_capacity(1);
  test_schedulers();
  test_seeing();
  test_deterministic();
  return done_testing();
}
