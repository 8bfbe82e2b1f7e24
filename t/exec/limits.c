/* Limits, and what they do not hold back: who submits goes on when half of the most tasks have
 * ended, and a task that needs nothing goes before those that wait for a block.
 */
#include "t/exec/course.h"

/* Whether it is set before two seconds are over. */
static int is_set_in_time(const atomic_int *flag, sn_engine *engine)
{
  for (int k = 0; k < 2000 && !atomic_load(flag) && !is_broken(engine); k++) nap(1);
  return atomic_load(flag);
}

/* ---- half of the most ---- */

/* A chain of continuations, first, second and third, beside others: what makes half of the most
 * have ended is that the second's body returns, and the third goes on in its place. */
typedef struct chain {
  sn_engine *engine;
  atomic_int all_in, third_in, goes_on, was_in_time;
} chain;

static int third(sn_run *run, void *user)
{
  chain *c = user;

  (void)run;
  atomic_store(&c->was_in_time, is_set_in_time(&c->goes_on, c->engine));
  return SN_OK;
}

static int second(sn_run *run, void *user)
{
  enum { BESIDE = 5 };
  chain *c = user;
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  const sn_task_spec spec = spec_with("third", third, c, NULL, 0);

  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  atomic_store(&c->third_in, 1);
  for (int k = 0; k < 2000 && counters.finished < BESIDE && !is_broken(c->engine); k++) {
    nap(1);
    SN_TRY(sn_engine_counters(c->engine, &counters));
  }
  return SN_OK;
}

static int first(sn_run *run, void *user)
{
  chain *c = user;
  const sn_task_spec spec = spec_with("second", second, c, NULL, 0);

  (void)is_set_in_time(&c->all_in, c->engine);
  nap(20);                       /* until who submits waits */
  return sn_task_submit_child(run, &spec, NULL);
}

static int after_third_is_in(sn_run *run, void *user)
{
  chain *c = user;

  (void)run;
  (void)is_set_in_time(&c->third_in, c->engine);
  return SN_OK;
}

static void test_half(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  chain c = { NULL, 0, 0, 0, 0 };
  sn_tensor *tensor;
  sn_use use;
  sn_task_spec spec;
  int codes = 0;

  options.workers = 3;
  options.most_tasks = 6;
  c.engine = engine_by(&options);
  tensor = tensor_named(c.engine, "A", 2, 1);
  use = sn_use_block(SN_PERMISSION_WRITE, tensor, 0);
  spec = spec_with("first", first, &c, &use, 1);
  codes |= sn_task_submit(c.engine, &spec, NULL);
  spec = spec_with("behind them", do_nothing, NULL, &use, 1);
  codes |= sn_task_submit(c.engine, &spec, NULL);
  use.block = 1;
  spec = spec_with("beside", after_third_is_in, &c, &use, 1);
  codes |= sn_task_submit(c.engine, &spec, NULL);
  spec = spec_with("beside", do_nothing, NULL, &use, 1);
  for (int k = 0; k < 3; k++) codes |= sn_task_submit(c.engine, &spec, NULL);
  atomic_store(&c.all_in, 1);
  codes |= sn_task_submit(c.engine, &spec, NULL);          /* the seventh */
  atomic_store(&c.goes_on, 1);
  is_int(codes | sn_engine_await(c.engine), SN_OK, "a chain of continuations within a limit");
  is_int(c.was_in_time, 1, "who submits goes on when half have ended, handed over or not");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(c.engine), SN_OK, "gone");
}

/* ---- a task that needs nothing, and those that wait for a block ---- */

typedef struct holder {
  sn_engine *engine;
  sn_tensor *tensor;
  atomic_int holds, ran, was_in_time;
} holder;

static int holds_sum(sn_run *run, void *user)
{
  holder *h = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, h->tensor, 0, &buffer));
  atomic_store(&h->holds, 1);
  atomic_store(&h->was_in_time, is_set_in_time(&h->ran, h->engine));
  return sn_buffer_release_add(buffer);
}

static int adds_one(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, ((holder *)user)->tensor, 0, &buffer));
  ++*(int64_t *)sn_buffer_data(buffer);
  return sn_buffer_release_add(buffer);
}

static int runs(sn_run *run, void *user)
{
  (void)run;
  atomic_store(&((holder *)user)->ran, 1);
  return SN_OK;
}

static void test_passing(void)
{
  enum { WAITING = 5 };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  holder h = { NULL, NULL, 0, 0, 0 };
  sn_queue *queue = NULL;
  sn_task_spec spec;
  sn_use use;
  int codes = 0;

  options.workers = 1;
  options.memories = 1;
  h.engine = engine_by(&options);
  h.tensor = tensor_named(h.engine, "A", 1, 1);
  is_int(sn_queue_create(sn_engine_unit(h.engine, 1), NULL, &queue), SN_OK, "a queue of a memory");
  use = sn_use_block(SN_PERMISSION_ACCUMULATE, h.tensor, 0);
  spec = spec_with("holds", holds_sum, &h, &use, 1);
  spec.queue = queue;
  codes |= sn_task_submit(h.engine, &spec, NULL);
  (void)is_set_in_time(&h.holds, h.engine);
  use.kind = SN_ACCESS_ACCUMULATE_BUFFER;
  spec = spec_with("waits", adds_one, &h, &use, 1);
  spec.unit = sn_engine_unit(h.engine, 1);
  for (int k = 0; k < WAITING; k++) codes |= sn_task_submit(h.engine, &spec, NULL);
  nap(10);                       /* until they have been looked at */
  spec = spec_with("needs nothing", runs, &h, NULL, 0);
  spec.unit = sn_engine_unit(h.engine, 1);
  spec.priority = 1;
  codes |= sn_task_submit(h.engine, &spec, NULL);
  is_int(codes | sn_engine_await(h.engine), SN_OK, "those that wait for a block");
  is_int(h.was_in_time, 1, "do not hold back one that needs nothing, of greater priority");
  is_int(value_of(h.tensor, 0), WAITING, "all ran");
  is_int(sn_queue_destroy(queue) | sn_tensor_destroy(h.tensor) | sn_engine_destroy(h.engine), SN_OK,
         "gone");
}

int main(void)
{
  test_half();
  test_passing();
  return done_testing();
}
