/* Continuations: however deep a recursion at the end of bodies goes, and in whatever order the
 * bodies end, few of its tasks are alive at a time.
 */
#include "runtime/host/exec/engine.h"

#include "t/exec/course.h"

static int64_t *data(sn_buffer *buffer)
{
  return sn_buffer_data(buffer);
}

/* ---- on one block: in the memory of ten ---- */

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

static void test_memory(sn_engine *engine)
{
  const int64_t lengths[] = { 10, tap_size(1000, 100000, 100000) };
  uint64_t bytes[2];
  chain c;
  sn_use use;
  sn_task_counters before = SN_TASK_COUNTERS_INIT, after = SN_TASK_COUNTERS_INIT;

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

/* ---- over two units, where a body may end before its parent's ---- */

enum { WORKERS = 2, MEMORIES = 1 };

typedef struct walk {
  int waits;                     /* every third one, until the one after the next has begun */
  int64_t length, most_alive;
  atomic_llong begun, late;      /* the last one that has begun; the last one that was waited for */
} walk;

typedef struct stride {
  walk *walk;
  int64_t number;
} stride;

static void note_alive(sn_run *run, walk *w)
{
  sn_task_counters c = SN_TASK_COUNTERS_INIT;
  int64_t alive;

  if (sn_engine_counters(sn_run_engine(run), &c) != SN_OK) return;
  alive = (int64_t)(c.waiting + c.ready + c.running);
  if (alive > w->most_alive) w->most_alive = alive;
}

/* The memory's one worker begins a task when the one before it has returned: who waits at home
 * for the second task behind it there ends after the first. */
static int strides(sn_run *run, void *user)
{
  const stride *s = user;
  walk *w = s->walk;
  sn_engine *engine = sn_run_engine(run);
  stride next = { w, s->number + 1 };
  sn_task_spec spec = spec_with(NULL, strides, &next, NULL, 0);

  note_alive(run, w);
  atomic_store(&w->begun, s->number);
  if (next.number == w->length) return SN_OK;
  spec.user_bytes = sizeof next;
  spec.unit = sn_engine_unit(engine, w->waits ? next.number % 3 != 0 : next.number % 2);
  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  while (w->waits && s->number % 3 == 0 && s->number + 2 < w->length &&
         atomic_load(&w->begun) < s->number + 2 && !is_broken(engine))
    ;
  return SN_OK;
}

static void test_walk(sn_engine *engine, int waits, const char *name)
{
  const int length = tap_size(60, 6000, 6000);
  walk w = { waits, length, 0, -1, -1 };
  stride first = { &w, 0 };

  is_int(run_task(engine, sn_engine_unit(engine, 0), name, strides, &first, NULL, 0), SN_OK,
         "%d continuations, %s", length, name);
  is_int(atomic_load(&w.begun), length - 1, "each has run");
  /* the first; those whose bodies are not over, of which each thread runs one, and one below each;
   * the last, which has not begun */
  ok(w.most_alive <= 2 + 2 * (WORKERS + MEMORIES), "alive at a time: %d", (int)w.most_alive);
}

/* ---- a sibling that ends later ---- */

typedef struct gates {
  atomic_int open[2], entered;
  sn_event *first;               /* the end of the first child */
} gates;

static int waits_for_gate(sn_run *run, void *user)
{
  gates *g = *(gates **)user;
  atomic_int *gate = &g->open[sn_unit_index(sn_run_unit(run))];

  atomic_fetch_add(&g->entered, 1);
  while (!atomic_load(gate))
    ;
  return SN_OK;
}

/* One at home, one in the memory. */
static int has_two(sn_run *run, void *user)
{
  gates *g = *(gates **)user;
  sn_task_spec spec = spec_with("child", waits_for_gate, &g, NULL, 0);

  spec.user_bytes = sizeof g;
  for (int u = 0; u < 2; u++) {
    spec.unit = sn_engine_unit(sn_run_engine(run), u);
    SN_TRY(sn_task_submit_child(run, &spec, u ? NULL : &g->first));
  }
  return SN_OK;
}

static int goes_on_with_two(sn_run *run, void *user)
{
  gates *g = user;
  sn_task_spec spec = spec_with("two", has_two, &g, NULL, 0);

  spec.user_bytes = sizeof g;
  return sn_task_submit_child(run, &spec, NULL);
}

static void test_sibling(sn_engine *engine)
{
  gates g = { { 0, 0 }, 0, NULL };
  sn_task_spec spec = spec_with("top", goes_on_with_two, &g, NULL, 0);
  sn_task_counters before = SN_TASK_COUNTERS_INIT, after = SN_TASK_COUNTERS_INIT;
  sn_event *done = NULL;
  int codes = sn_engine_counters(engine, &before) | sn_task_submit(engine, &spec, &done);

  is_int(codes, SN_OK, "a task with a child that has two");
  do
    codes |= sn_engine_counters(engine, &after);
  while (codes == SN_OK && !is_broken(engine) &&
         (atomic_load(&g.entered) < 2 || after.running > 2));
  is_int(after.continuations - before.continuations, 0, "hands its place to neither");
  atomic_store(&g.open[0], 1);
  is_int(sn_event_await(g.first) | sn_engine_counters(engine, &after), SN_OK, "one has ended");
  is_int(after.continuations - before.continuations, 1, "the other takes over at once");
  atomic_store(&g.open[1], 1);
  is_int(sn_event_await(done), SN_OK, "it was waited for");
  sn_event_release(g.first);
  sn_event_release(done);
}

int main(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = WORKERS;
  options.memories = MEMORIES;
  engine = engine_by(&options);
  is_int(run_task(engine, NULL, "first", do_nothing, NULL, NULL, 0), SN_OK, "a task");
  test_memory(engine);
  test_walk(engine, 1, "where every third one ends after the next two");
  test_walk(engine, 0, "from unit to unit");
  test_sibling(engine);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
  return done_testing();
}
