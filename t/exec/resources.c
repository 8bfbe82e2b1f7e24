/* Resources, which order tasks and hold nothing, and tasks of queues. */
#include "t/exec/course.h"

enum { THINGS = 6, QUEUES = 4, TASKS = 400, USES = 3 };

/* ---- random programs: what the order of submission gives ---- */

typedef struct world {
  _Atomic uint64_t thing[THINGS];
  uint64_t plain[THINGS];        /* what only writers change: a sanitizer sees races */
  uint64_t seen[TASKS];
} world;

typedef struct step {
  world *world;
  int id, count;
  int thing[USES];
  uint32_t kind[USES];
} step;

static int take_step(sn_run *run, void *user)
{
  const step *s = user;
  world *w = s->world;

  (void)run;
  for (int k = 0; k < s->count; k++) {
    const int t = s->thing[k];
    if (s->kind[k] == SN_PERMISSION_ACCUMULATE) {
      atomic_fetch_add_explicit(&w->thing[t], (uint64_t)s->id, memory_order_relaxed);
    } else if (s->kind[k] == SN_PERMISSION_WRITE) {
      w->plain[t] = w->plain[t] * 31 + (uint64_t)s->id;
      atomic_store_explicit(&w->thing[t], w->plain[t], memory_order_relaxed);
    } else {
      w->seen[s->id] = w->seen[s->id] * 7 + w->plain[t] +
                       atomic_load_explicit(&w->thing[t], memory_order_relaxed);
    }
  }
  return SN_OK;
}

static uint32_t dice;

static int roll(int sides)
{
  dice = dice * 1664525u + 1013904223u;
  return (int)((dice >> 8) % (uint32_t)sides);
}

static step random_step(world *w, int id)
{
  static const uint32_t kinds[] = { SN_PERMISSION_READ, SN_PERMISSION_WRITE,
                                    SN_PERMISSION_ACCUMULATE };
  step s = { .world = w, .id = id, .count = 1 + roll(USES) };

  for (int k = 0; k < s.count; k++) {
    s.thing[k] = (roll(THINGS) / USES) * USES + k;       /* each once */
    s.kind[k] = kinds[roll(3)];
  }
  return s;
}

static int submit_step(sn_engine *engine, sn_tensor *things, sn_queue *queue, const step *s)
{
  sn_task_spec spec = spec_with(NULL, take_step, (void *)(uintptr_t)s, NULL, s->count);
  sn_use uses[USES];

  for (int k = 0; k < s->count; k++) uses[k] = sn_use_block(s->kind[k], things, s->thing[k]);
  spec.uses = uses;
  spec.user_bytes = sizeof *s;
  spec.queue = queue;
  return sn_task_submit(engine, &spec, NULL);
}

static void test_random(int workers)
{
  static world got, expected;
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_queue_options at_once = SN_QUEUE_OPTIONS_INIT;
  sn_queue *queue[QUEUES];
  sn_engine *engine;
  sn_tensor *things;
  int codes = SN_OK;

  memset(&got, 0, sizeof got);
  memset(&expected, 0, sizeof expected);
  options.workers = workers;
  options.memories = 1;
  at_once.immediate = 1;
  engine = engine_by(&options);
  is_int(sn_resource_create(engine, "things", THINGS, NULL, &things), SN_OK, "resources");
  for (int k = 0; k < QUEUES; k++)
    codes |= sn_queue_create(sn_engine_unit(engine, k % 2), k == 3 ? &at_once : NULL, &queue[k]);
  for (int id = 0; id < TASKS; id++) {
    const step s = random_step(&got, id);
    step same = s;
    const int where = roll(3 * QUEUES);
    same.world = &expected;
    codes |= take_step(NULL, &same);
    codes |= submit_step(engine, things, where < QUEUES - (id % 8 != 0) ? queue[where] : NULL, &s);
  }
  is_int(codes | sn_engine_await(engine), SN_OK, "%d workers, four queues", workers);
  ok(memcmp(&got, &expected, sizeof got) == 0, "what the order of submission gives");
  for (int k = 0; k < QUEUES; k++) codes |= sn_queue_destroy(queue[k]);
  is_int(codes | sn_tensor_destroy(things) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- places in queues ---- */

static int appends(sn_run *run, void *user)
{
  char *line = *(char **)user;
  char letter[2] = { ((char **)user)[1][0], 0 };

  (void)run;
  strcat(line, letter);
  return letter[0] == 'x' ? SN_EIO : SN_OK;
}

static int submit_letter(sn_engine *engine, sn_queue *queue, char *line, const char *letter,
                         const sn_use *use, sn_event **done)
{
  char *user[2] = { line, (char *)(uintptr_t)letter };
  sn_task_spec spec = spec_with(letter, appends, user, use, use != NULL);

  spec.user_bytes = sizeof user;
  spec.queue = queue;
  return sn_task_submit(engine, &spec, done);
}

/* In one queue tasks run one after the other, whether they conflict or not; what follows one that
 * failed in the order is canceled, what follows it in the queue is not. */
static void test_queue(void)
{
  static const char *const names[] = { "left", "right" };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_queue *queue;
  sn_tensor *sides;
  sn_event *done[5] = { NULL };
  char line[16] = "";
  sn_use left, right;
  int codes = SN_OK;

  options.workers = 1;
  engine = engine_by(&options);
  codes |= sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue);
  codes |= sn_resource_create(engine, "sides", 2, names, &sides);
  left = sn_use_block(SN_PERMISSION_WRITE, sides, 0);
  right = sn_use_block(SN_PERMISSION_WRITE, sides, 1);
  for (int k = 0; k < 4; k++)
    codes |= submit_letter(engine, queue, line, &"abcd"[k], k % 2 ? &left : NULL, NULL);
  is_int(codes | sn_queue_await(queue), SN_OK, "four tasks in a queue");
  is_str(line, "abcd", "in its order");

  codes |= submit_letter(engine, queue, line, "x", &left, &done[0]);
  is_int(sn_event_await(done[0]), SN_EIO, "one that fails");
  is_int(submit_letter(engine, queue, line, "e", NULL, NULL), SN_EIO,
         "what failed is told at the queue's next call");
  said(engine, "'x' has failed: a file could not be read or written");
  is_int(codes, SN_OK, "all were taken");
  sn_event_release(done[0]);
  is_int(sn_queue_destroy(queue), SN_OK, "told once");

  /* two queues, so that all are submitted before the first has failed */
  codes = sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue);
  codes |= submit_letter(engine, NULL, line, "x", &left, &done[0]);
  codes |= submit_letter(engine, queue, line, "f", &right, &done[2]);
  is_int(codes | sn_event_await(done[2]), SN_OK, "another resource is nobody's business");
  is_int(sn_event_await(done[0]), SN_EIO, "a worker's task fails");
  for (int k = 0; k < 3; k += 2) sn_event_release(done[k]);
  sn_engine_clear(engine);
  is_int(sn_queue_destroy(queue) | sn_tensor_destroy(sides) | sn_engine_destroy(engine), SN_OK,
         "gone");
}

/* What is found wrong when the body has returned is told by event and queue alike. */
static int keeps_a_write(sn_run *run, void *user)
{
  sn_buffer *buffer;

  return sn_buffer_read_write(run, user, 0, &buffer);
}

static void test_unreleased(void)
{
  sn_engine *engine = engine_by(NULL);
  sn_tensor *tensor = tensor_named(engine, "A", 1, 1);
  const sn_use use = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  sn_task_spec spec = spec_with("keeps", keeps_a_write, tensor, &use, 1);
  sn_event *done = NULL;
  sn_queue *queue;

  if (sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue)) bail("no queue");
  spec.queue = queue;
  is_int(sn_task_submit(engine, &spec, &done), SN_OK, "a queue's task that keeps a buffer");
  is_int(sn_event_await(done), SN_ESTATE, "its event tells it");
  is_int(sn_queue_await(queue), SN_ESTATE, "and its queue");
  said(engine, "'keeps' has ended with an unreleased write: its read_write buffer of A[0] was "
               "neither put nor added");
  sn_event_release(done);
  is_int(sn_queue_destroy(queue) | sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK,
         "gone");
}

/* ---- canceled, explained, refused ---- */

static int waits_for_flag(sn_run *run, void *user)
{
  struct timespec t = { 0, 1000000 };

  (void)run;
  while (!atomic_load((atomic_int *)user)) nanosleep(&t, NULL);
  return SN_EIO;
}

static void test_canceled(void)
{
  static const char *const names[] = { "rho", "topology tile" };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_queue *queue;
  sn_tensor *grid = NULL;
  sn_event *first, *behind, *beside;
  sn_task_spec spec;
  atomic_int flag = 0;
  char line[16] = "", text[8192] = "";
  sn_use use;

  options.workers = 1;
  engine = engine_by(&options);
  if (sn_queue_create(sn_engine_unit(engine, 0), NULL, &queue) ||
      sn_resource_create(engine, "grid", 2, names, &grid))
    bail("no queue");
  use = sn_use_block(SN_PERMISSION_WRITE, grid, 1);
  spec = spec_with("first", waits_for_flag, &flag, &use, 1);
  is_int(sn_task_submit(engine, &spec, &first), SN_OK, "one that will fail");
  is_int(submit_letter(engine, queue, line, "a", &use, &behind), SN_OK, "one behind it");
  is_int(submit_letter(engine, queue, line, "b", NULL, &beside), SN_OK, "one beside it");
  is_int(sn_task_explain(behind, collect_text, text), SN_OK, "why it waits");
  is_str(text, "'a' waits for write of grid.topology tile by 'first'\n", "resources have names");
  is_int(sn_tensor_destroy(grid), SN_ESTATE, "a resource that tasks name stays");
  atomic_store(&flag, 1);
  is_int(sn_event_await(first), SN_EIO, "it has failed");
  is_int(sn_event_await(behind), SN_ECANCELED, "what is ordered behind it is canceled");
  is_int(sn_event_await(beside), SN_OK, "what stands behind it in the queue is not");
  is_str(line, "b", "it alone has run");
  sn_event_release(first);
  sn_event_release(behind);
  sn_event_release(beside);
  is_int(sn_queue_await(queue), SN_ECANCELED, "the queue tells it too");
  sn_engine_clear(engine);
  is_int(sn_queue_destroy(queue) | sn_tensor_destroy(grid) | sn_engine_destroy(engine), SN_OK,
         "gone");
}

typedef struct inner {
  sn_queue *queue, *at_once;
  int child, immediate;
} inner;

static int submits_inside(sn_run *run, void *user)
{
  inner *in = user;
  sn_task_spec spec = spec_with("inner", do_nothing, NULL, NULL, 0);

  spec.queue = in->queue;
  in->child = sn_task_submit_child(run, &spec, NULL);
  spec.queue = in->at_once;
  in->immediate = sn_task_submit(sn_run_engine(run), &spec, NULL);
  return SN_OK;
}

static void test_refused(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_queue_options at_once = SN_QUEUE_OPTIONS_INIT;
  sn_engine *engine, *other;
  sn_task_spec spec = spec_with("it", do_nothing, NULL, NULL, 0);
  sn_queue *queue = NULL, *immediate = NULL;
  sn_tensor *tensor;
  inner in = { NULL, NULL, 0, 0 };
  sn_use use;

  options.workers = 1;
  options.memories = 1;
  at_once.immediate = 1;
  at_once.name = "at once";
  engine = engine_by(&options);
  other = engine_by(&options);
  tensor = tensor_named(engine, "A", 2, 1);
  if (sn_queue_create(sn_engine_unit(engine, 1), NULL, &queue) ||
      sn_queue_create(sn_engine_unit(engine, 0), &at_once, &immediate))
    bail("no queue");
  spec.queue = queue;
  is_int(sn_task_submit(other, &spec, NULL), SN_EINVAL, "a queue of another engine");
  said(other, "'it': its queue belongs to another engine");
  spec.unit = sn_engine_unit(engine, 0);
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "another unit than the queue's");
  said(engine, "'it': queue 0 is a queue of memory 1, not of host");
  spec.unit = NULL;
  use = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 0);
  spec.uses = &use;
  spec.use_count = 1;
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "a declared access");
  said(engine,
       "'it': a task of a queue declares permissions, and asks for its buffers when it runs");
  is_int(sn_resource_create(engine, "none", 0, NULL, &tensor), SN_EINVAL, "no things in a row");
  sn_engine_clear(engine);
  in.queue = queue;
  in.at_once = immediate;
  is_int(run_task(engine, NULL, "outer", submits_inside, &in, NULL, 0), SN_OK, "from a body");
  is_int(in.child, SN_EINVAL, "a child in a queue");
  is_int(in.immediate, SN_ESTATE, "a queue that would run it at once");
  said(engine, "'inner': a child runs by a worker, in no queue");
  is_int(sn_queue_destroy(queue) | sn_queue_destroy(immediate) | sn_tensor_destroy(tensor), SN_OK,
         "gone");
  is_int(sn_engine_destroy(engine) | sn_engine_destroy(other), SN_OK, "and the engines");
}

/* ---- buffers of a task of a queue ---- */

static int adds_one(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, user, 0, &buffer));
  ++*(int64_t *)sn_buffer_data(buffer);
  return sn_buffer_release_put(buffer);
}

static void test_buffers(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_queue *queue[2];
  sn_use use;
  int codes = SN_OK;

  options.workers = 1;
  options.memories = 1;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  for (int k = 0; k < 2; k++)
    codes |= sn_queue_create(sn_engine_unit(engine, k), NULL, &queue[k]);
  for (int k = 0; k < 20; k++) {
    sn_task_spec spec = spec_with("adds", adds_one, tensor, &use, 1);
    spec.queue = queue[k % 2];
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_await(engine), SN_OK, "a block that wanders between two queues' units");
  is_int(value_of(tensor, 0), 20, "and is counted up by each");
  for (int k = 0; k < 2; k++) codes |= sn_queue_destroy(queue[k]);
  is_int(codes | sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  static const int workers[] = { 0, 1, 4, 16 };

  for (int k = 0; k < 4; k++) {
    dice = (uint32_t)k;
    test_random(workers[k]);
  }
  test_queue();
  test_unreleased();
  test_canceled();
  test_refused();
  test_buffers();
  return done_testing();
}
