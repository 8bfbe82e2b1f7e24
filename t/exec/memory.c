/* Memory that runs out: each allocation of some courses fails once.  What it hits says SN_ENOMEM,
 * all that was made can be taken down, and the address sanitizer finds nothing left.
 */
#include "runtime/host/exec/engine.h"

#include "t/exec/course.h"

typedef struct course {
  sn_engine *engine;
  sn_tensor *tensor;
  sn_tensor *wide;               /* of many blocks */
  int code;                      /* the first that is not SN_OK */
  int odd;                       /* codes that nobody should see */
  int is_strict;                 /* a body ends with what it was refused */
  int submitted;                 /* of many */
  atomic_int ran;
  uint64_t allocations;          /* of the engine, in all */
} course;

/* 1: the course goes on. */
static int fine(course *c, int code)
{
  if (c->code == SN_OK) c->code = code;
  c->odd += code != SN_OK && code != SN_ENOMEM && code != SN_ECANCELED && code != SN_ESTATE;
  return code == SN_OK;
}

static int tensor_of(course *c, int64_t tiles, sn_tensor **out)
{
  sn_space *space = NULL;
  int code = sn_space_create(c->engine, 2 * tiles, 2, &space);

  if (code == SN_OK) code = sn_tensor_create(c->engine, SN_TYPE_I64, 1, &space, NULL, out);
  sn_space_release(space);
  return code;
}

static int adds(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer, *copy;

  SN_TRY(sn_buffer_cacc(run, c->tensor, 1, &buffer));
  *(int64_t *)sn_buffer_data(buffer) = 3;
  SN_TRY(sn_buffer_copy(buffer, &copy));
  return sn_buffer_release_add(copy);
}

static int works(sn_run *run, void *user)
{
  course *c = user;
  const int64_t two = 2;
  sn_buffer *buffer;
  sn_use use = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE, c->tensor, 1);
  sn_task_spec spec = spec_with("child", adds, c, &use, 1);

  SN_TRY(sn_buffer_read_write(run, c->tensor, 0, &buffer));
  *(int64_t *)sn_buffer_data(buffer) += 1;
  SN_TRY(sn_buffer_release_put(buffer));
  SN_TRY(sn_buffer_tmp(run, c->tensor, 1, &two, &buffer));
  SN_TRY(sn_buffer_release_put(buffer));
  return sn_task_submit_child(run, &spec, NULL);
}

static int submit_adds(sn_run *run, void *user)
{
  course *c = user;
  sn_use use = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE,
                            sn_run_tensor(run, c->tensor), 1);
  sn_task_spec spec = spec_with("recorded", adds, c, &use, 1);

  SN_TRY(sn_task_submit_child(run, &spec, NULL));
  return sn_task_submit_child(run, &spec, NULL);
}

static int record_and_replay(course *c)
{
  sn_recording *recording = NULL;
  sn_event *done = NULL;
  int code;

  SN_TRY(sn_record(c->engine, submit_adds, c, &recording));
  code = sn_replay(recording, NULL, &done);
  sn_recording_destroy(recording);
  if (code == SN_OK)
    code = sn_event_await(done);
  sn_event_release(done);
  return code;
}

/* ---- one of each ---- */

static void use_each(course *c)
{
  int64_t values[4] = { 1, 1, 1, 1 };
  sn_use use = sn_use_whole(SN_PERMISSION_WRITE, c->tensor);

  if (!fine(c, sn_tensor_write(c->tensor, values, sizeof values))) return;
  for (int u = 0; u < 2; u++)
    (void)fine(c, run_task(c->engine, sn_engine_unit(c->engine, u), "works", works, c, &use, 1));
  if (c->code == SN_OK && fine(c, record_and_replay(c)) &&
      fine(c, sn_tensor_read(c->tensor, values, sizeof values)))
    c->odd += values[0] != 3 || values[2] != 11;
}

/* ---- many: what is collected, looked up and kept has to grow ---- */

enum { WIDE = 200, MANY = 60 };

static int counts(sn_run *run, void *user)
{
  (void)run;
  atomic_fetch_add(*(atomic_int **)user, 1);
  return SN_OK;
}

/* Forty readers and a writer behind them, other blocks, now and then the whole tensor.  A program
 * may go on after a refusal, and what was not refused stands. */
static int submit_many(sn_run *run, void *user)
{
  course *c = user;
  atomic_int *ran = &c->ran;

  for (int k = 0; k < MANY; k++) {
    const uint32_t kind = k < 40 ? SN_PERMISSION_READ : SN_PERMISSION_WRITE;
    const sn_use uses[3] = { sn_use_block(kind, c->wide, k < 40 ? 0 : (k - 40) * 7),
                             sn_use_block(SN_PERMISSION_READ, c->wide, k),
                             sn_use_whole(SN_PERMISSION_READ, c->wide) };
    sn_task_spec spec = spec_with(k % 3 ? NULL : "one of many", counts, &ran, uses,
                                  k % 20 == 19 ? 3 : 2);
    spec.user_bytes = sizeof ran;
    if (fine(c, sn_task_submit_child(run, &spec, NULL))) c->submitted++;
    else if (c->is_strict) return c->code;
  }
  return SN_OK;
}

static void submit_children(course *c)
{
  const sn_use use = sn_use_whole(SN_PERMISSION_WRITE, c->wide);

  (void)fine(c, run_task(c->engine, NULL, "parent", submit_many, c, &use, 1));
  c->odd += atomic_load(&c->ran) != c->submitted;
}

static void replay(course *c, sn_recording *recording, const sn_replay_spec *spec)
{
  sn_event *done = NULL;

  if (fine(c, sn_replay(recording, spec, &done))) (void)fine(c, sn_event_await(done));
  sn_event_release(done);
}

static void record_many(course *c)
{
  sn_recording *recording = NULL;
  sn_replay_spec spec = SN_REPLAY_SPEC_INIT;
  sn_tensor *other = NULL;

  if (!fine(c, sn_record(c->engine, submit_many, c, &recording))) return;
  c->odd += sn_recording_tasks(recording) != c->submitted;
  if (fine(c, tensor_of(c, WIDE, &other))) {
    spec.from = &c->wide;
    spec.to = &other;
    spec.tensor_count = 1;
    for (int k = 0; k < 2; k++) replay(c, recording, k ? &spec : NULL);
  }
  sn_recording_destroy(recording);
  if (c->code == SN_OK) c->odd += atomic_load(&c->ran) != 2 * c->submitted;
  c->odd += sn_tensor_destroy(other) != SN_OK;
}

/* ---- a course with an engine of its own; what records the graph loses a part of it and goes on
 * ---- */

static int make(course *c, int record_graph)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;

  options.workers = 1;
  options.memories = 1;
  options.record_graph = record_graph;
  return fine(c, sn_engine_create(&options, &c->engine)) && fine(c, tensor_of(c, 2, &c->tensor)) &&
         fine(c, tensor_of(c, WIDE, &c->wide));
}

static void take_down(course *c)
{
  if (!c->engine) return;
  c->odd += sn_engine_await(c->engine) != SN_OK;
  c->odd += sn_tensor_destroy(c->tensor) != SN_OK || sn_tensor_destroy(c->wide) != SN_OK;
  c->allocations = c->engine->accounts.allocations;
  c->odd += sn_engine_destroy(c->engine) != SN_OK;
}

/* With little to do: once, and nothing fails. */
static void test_course(const char *name, void (*go)(course *), int is_strict)
{
  const int first = tap_size(1000000, 1, 1);
  int failed = 0, odd = 0, n = first;

  for (;; n++) {
    char number[16];
    course c;
    memset(&c, 0, sizeof c);
    c.is_strict = is_strict;
    snprintf(number, sizeof number, "%d", n);
    setenv("SNODE_FAIL_ALLOCATION", number, 1);
    if (make(&c, is_strict)) go(&c);
    take_down(&c);
    if (c.odd && !odd++) diag("allocation %d is the first that goes wrong", n);
    if ((c.engine && c.allocations < (uint64_t)n) || n > first + 1000) break;
    failed += c.code != SN_OK;
  }
  unsetenv("SNODE_FAIL_ALLOCATION");
  ok(n < first + 1000, "%s needs %d allocations", name, n - 1);
  ok(failed > 20 || first > 1, "%d times it said that memory had run out", failed);
  is_int(odd, 0, "and was taken down");
}

int main(void)
{
  test_course("one of each", use_each, 0);
  for (int is_strict = 0; is_strict < 2; is_strict++) {
    test_course("many children", submit_children, is_strict);
    test_course("a recording of many", record_many, is_strict);
  }
  return done_testing();
}
