/* Handles after their end.  A released buffer is refused by its name while its task runs; every
 * other one that is gone is refused as NULL is where the library was built with SN_DEBUG (as
 * t/52-exec.t builds it for the address sanitizer, which finds whoever looks at it all the same).
 */
#include "t/exec/course.h"

typedef struct kept {            /* what a body leaves behind */
  sn_tensor *tensor;
  sn_run *run;
  sn_buffer *declared, *extra;
} kept;

static int leave_all(sn_run *run, void *user)
{
  kept *k = user;

  k->run = run;
  SN_TRY(sn_buffer_read_write(run, k->tensor, 0, &k->declared));
  SN_TRY(sn_buffer_tmp(run, k->tensor, 0, NULL, &k->extra));
  SN_TRY(sn_buffer_release_put(k->declared));
  is_int(sn_buffer_release_put(k->declared), SN_ESTATE, "a buffer is released twice");
  said(sn_run_engine(run), "'leaves': release_put of a read_write buffer of A[0]: it was released "
                           "before");
  ok(sn_buffer_data(k->declared) == NULL && sn_buffer_bytes(k->declared) == 0 &&
       sn_buffer_block(k->declared) == -1, "it has no data any more");
  return sn_buffer_release(k->extra);
}

/* ---- a buffer of another task ---- */

typedef struct theft {
  sn_tensor *tensor;
  sn_buffer *buffer;
  atomic_int is_over;
} theft;

static int take_it(sn_run *run, void *user)
{
  theft *t = user;

  is_int(sn_buffer_release_put(t->buffer), SN_ESTATE, "a child releases its parent's buffer");
  said(sn_run_engine(run), "'owner': release_put of a write buffer of A[0]: another task's body "
                           "does that");
  atomic_store(&t->is_over, 1);
  return SN_OK;
}

static int let_it_be_taken(sn_run *run, void *user)
{
  theft *t = user;
  const int64_t one = 1;
  const sn_task_spec spec = spec_with("thief", take_it, t, NULL, 0);

  SN_TRY(sn_buffer_write(run, t->tensor, 0, &one, &t->buffer));
  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  spin_until(&t->is_over, sn_run_engine(run));
  return sn_buffer_release_put(t->buffer);
}

static void test_foreign(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  theft t = { NULL, NULL, 0 };
  sn_use use;

  options.workers = 2;
  engine = engine_by(&options);
  t.tensor = tensor_named(engine, "A", 1, 1);
  use = sn_use_block(SN_ACCESS_WRITE_BUFFER, t.tensor, 0);
  is_int(run_task(engine, NULL, "owner", let_it_be_taken, &t, &use, 1), SN_OK, "its owner does");
  is_int(value_of(t.tensor, 0), 1, "and it stands there");
  is_int(sn_tensor_destroy(t.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- after the end ---- */

#ifdef SN_DEBUG
static int work(void *user, int device)
{
  (void)user;
  (void)device;
  return SN_OK;
}

static void test_gone(kept *k, sn_engine *engine)
{
  sn_use use = sn_use_block(SN_PERMISSION_READ, k->tensor, 0);
  sn_task_spec spec = spec_with("late", do_nothing, NULL, &use, 1);
  sn_unit *unit = sn_engine_unit(engine, 0);
  sn_queue *queue;
  sn_event *event;
  sn_recording *recording;
  sn_space *space;
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  int64_t value;
  int answer;

  is_int(sn_buffer_release_put(k->declared), SN_EINVAL, "a buffer after its task");
  is_int(sn_buffer_release(k->extra), SN_EINVAL, "another one");
  ok(sn_buffer_data(k->extra) == NULL, "which has no data");
  is_int(sn_buffer_read(k->run, k->tensor, 0, &k->extra), SN_EINVAL, "a run after its body");
  is_int(sn_task_submit_child(k->run, &spec, NULL), SN_EINVAL, "no child of it either");
  is_int(sn_run_flush(k->run, k->tensor, 0), SN_EINVAL, "nor a flush");

  is_int(sn_queue_create(unit, NULL, &queue) | sn_queue_submit(queue, work, NULL, &event) |
           sn_queue_await(queue), SN_OK, "a queue");
  sn_event_release(event);
  is_int(sn_event_is_done(event, &answer), SN_EINVAL, "an event that was released");
  is_int(sn_event_await(event), SN_EINVAL, "nor awaited");
  is_int(sn_queue_wait(queue, event), SN_EINVAL, "by nobody");
  is_int(sn_task_explain(event, collect_text, NULL), SN_EINVAL, "nor explained");
  sn_event_release(event);
  is_int(sn_queue_destroy(queue), SN_OK, "the queue goes");
  is_int(sn_queue_submit(queue, work, NULL, NULL), SN_EINVAL, "it takes no work");
  is_int(sn_queue_await(queue), SN_EINVAL, "nor is it awaited");
  is_int(sn_queue_record(queue, &event), SN_EINVAL, "nor recorded");
  is_int(sn_queue_destroy(queue), SN_EINVAL, "nor destroyed again");

  is_int(sn_record(engine, leave_all, k, &recording), SN_ESTATE, "no recording");
  sn_engine_clear(engine);
  is_int(sn_space_create(engine, 4, 2, &space), SN_OK, "a space");
  sn_space_release(space);
  is_int(sn_space_extent(space), 0, "that was released");
  is_int(sn_tensor_create(engine, SN_TYPE_I64, 1, &space, NULL, &k->tensor), SN_EINVAL,
         "makes no tensor");
  sn_engine_clear(engine);

  is_int(sn_tensor_destroy(use.where.tensor), SN_OK, "the tensor goes");
  is_int(sn_tensor_read_block(use.where.tensor, 0, &value, sizeof value), SN_EINVAL,
         "it is not read");
  is_int(sn_tensor_fill(use.where.tensor, 1), SN_EINVAL, "nor filled");
  is_int(sn_tensor_flush(use.where.tensor), SN_EINVAL, "nor flushed");
  is_int(sn_tensor_blocks(use.where.tensor), 0, "it has no blocks");
  is_int(sn_tensor_destroy(use.where.tensor), SN_EINVAL, "nor is it destroyed again");
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "a task does not name it");
  said(engine, "'late': a use of no tensor");

  is_int(sn_engine_destroy(engine), SN_OK, "the engine goes");
  is_int(sn_engine_await(engine), SN_EINVAL, "it is not awaited");
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "it takes no task");
  is_str(sn_engine_error(engine), "no engine", "it has no text");
  is_int(sn_unit_memory_of(unit, &memory), SN_EINVAL, "its unit is gone with it");
  is_int(sn_queue_create(unit, NULL, &queue), SN_EINVAL, "and makes no queue");
  is_int(sn_engine_destroy(engine), SN_EINVAL, "nor is it destroyed again");
}
#else
static void test_gone(kept *k, sn_engine *engine)
{
  is_int(sn_tensor_destroy(k->tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}
#endif

int main(void)
{
  sn_engine *engine = engine_by(NULL);
  kept k = { tensor_named(engine, "A", 1, 1), NULL, NULL, NULL };
  const sn_use use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, k.tensor, 0);

  is_int(run_task(engine, NULL, "leaves", leave_all, &k, &use, 1), SN_OK, "a task");
  test_gone(&k, engine);
  test_foreign();
  return done_testing();
}
