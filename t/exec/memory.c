/* Memory that runs out: each allocation of a course fails once.  What it hits says SN_ENOMEM, all
 * that was made can be taken down, and the address sanitizer finds nothing left.
 */
#include "t/exec/course.h"

typedef struct course {
  sn_engine *engine;
  sn_tensor *tensor;
  int code;                      /* the first that is not SN_OK */
  int odd;                       /* codes that nobody should see */
} course;

/* 1: the course goes on. */
static int fine(course *c, int code)
{
  if (c->code == SN_OK) c->code = code;
  c->odd += code != SN_OK && code != SN_ENOMEM && code != SN_ECANCELED && code != SN_ESTATE;
  return code == SN_OK;
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

static void go(course *c)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_space *space = NULL;
  int64_t values[4] = { 1, 1, 1, 1 };

  options.workers = 1;
  options.memories = 1;
  if (!fine(c, sn_engine_create(&options, &c->engine))) return;
  if (fine(c, sn_space_create(c->engine, 4, 2, &space)) &&
      fine(c, sn_tensor_create(c->engine, SN_TYPE_I64, 1, &space, NULL, &c->tensor)) &&
      fine(c, sn_tensor_write(c->tensor, values, sizeof values))) {
    sn_use use = sn_use_whole(SN_PERMISSION_WRITE, c->tensor);
    for (int u = 0; u < 2; u++)
      (void)fine(c, run_task(c->engine, sn_engine_unit(c->engine, u), "works", works, c, &use, 1));
    if (c->code == SN_OK && fine(c, record_and_replay(c)) &&
        fine(c, sn_tensor_read(c->tensor, values, sizeof values)))
      c->odd += values[0] != 3 || values[2] != 11;
  }
  c->odd += sn_engine_await(c->engine) != SN_OK;
  sn_space_release(space);
  c->odd += sn_tensor_destroy(c->tensor) != SN_OK;
  c->odd += sn_engine_destroy(c->engine) != SN_OK;
}

int main(void)
{
  int failed = 0, odd = 0, n = 1;

  for (;; n++) {
    char number[16];
    course c;
    memset(&c, 0, sizeof c);
    snprintf(number, sizeof number, "%d", n);
    setenv("SNODE_FAIL_ALLOCATION", number, 1);
    go(&c);
    if (c.odd && !odd++) diag("allocation %d is the first that goes wrong", n);
    if (c.code == SN_OK || n > 1000) break;
    failed++;
  }
  ok(n < 1000, "the course needs %d allocations", n - 1);
  ok(failed > 20, "%d times it said that memory had run out", failed);
  is_int(odd, 0, "and was taken down");
  return done_testing();
}
