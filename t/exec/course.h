/* What the tests of tasks share: engines, tensors of 64-bit integers named A, a task that is
 * awaited, the text of an error that is then cleared.
 */
#include <stdatomic.h>
#include <time.h>

#include <snode/task.h>

#include "t/tap.h"

TAP_UNUSED static sn_engine *engine_by(const sn_engine_options *options)
{
  sn_engine *engine = NULL;

  if (sn_engine_create(options, &engine) != SN_OK) bail("no engine");
  return engine;
}

TAP_UNUSED static sn_tensor *tensor_named(sn_engine *engine, const char *name, int64_t blocks,
                                          int64_t tile)
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_space *space;
  sn_tensor *tensor;

  options.name = name;
  if (sn_space_create(engine, blocks * tile, tile, &space) != SN_OK) bail("no space");
  if (sn_tensor_create(engine, SN_TYPE_I64, 1, &space, &options, &tensor) != SN_OK)
    bail("no tensor");
  sn_space_release(space);
  return tensor;
}

/* A task for every kind of unit. */
TAP_UNUSED static sn_task_spec spec_with(const char *name, sn_body_fn body, void *user,
                                         const sn_use *uses, int count)
{
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  spec.name = name;
  for (int kind = SN_UNIT_HOST; kind <= SN_UNIT_DEVICE; kind++) spec.body[kind] = body;
  spec.user = user;
  spec.uses = uses;
  spec.use_count = count;
  return spec;
}

/* Submitted on the unit (NULL: any) and awaited: what it came to. */
TAP_UNUSED static int run_task(sn_engine *engine, sn_unit *unit, const char *name, sn_body_fn body,
                               void *user, const sn_use *uses, int count)
{
  sn_task_spec spec = spec_with(name, body, user, uses, count);
  sn_event *done = NULL;
  int code;

  spec.unit = unit;
  SN_TRY(sn_task_submit(engine, &spec, &done));
  code = sn_event_await(done);
  sn_event_release(done);
  return code;
}

/* The first error's text is this; then it is forgotten. */
TAP_UNUSED static void said(sn_engine *engine, const char *text)
{
  is_str(sn_engine_error(engine), text, "the text");
  sn_engine_clear(engine);
}

/* Submitting this is refused, and counted, and changes nothing else. */
TAP_UNUSED static void refuse(sn_engine *engine, const sn_task_spec *spec, int code,
                              const char *text)
{
  sn_task_counters before = SN_TASK_COUNTERS_INIT, after = SN_TASK_COUNTERS_INIT;
  sn_event *done = NULL;

  if (sn_engine_counters(engine, &before) != SN_OK) bail("no counters");
  is_int(sn_task_submit(engine, spec, &done), code, "refused");
  said(engine, text);
  if (sn_engine_counters(engine, &after) != SN_OK) bail("no counters");
  is_int(after.submitted - before.submitted, 0, "nothing was submitted");
  is_int(after.refused - before.refused, 1, "but counted");
  ok(done == NULL, "no event");
}

TAP_UNUSED static int64_t value_of(sn_tensor *tensor, int64_t block)
{
  int64_t dims[SN_MAX_DIMENSIONS] = { 0 }, values[64] = { 0 };

  if (sn_tensor_block_dims(tensor, block, dims) != SN_OK || dims[0] > 64 ||
      sn_tensor_read_block(tensor, block, values, (size_t)dims[0] * 8) != SN_OK)
    return -1;
  return values[0];
}

TAP_UNUSED static void collect_text(void *user, const char *text)
{
  strncat(user, text, 8000 - strlen(user));
}

TAP_UNUSED static void nap(long milliseconds)
{
  struct timespec t = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
  nanosleep(&t, NULL);
}

/* Whether something went wrong, so that what is waited for may never come. */
TAP_UNUSED static int is_broken(sn_engine *engine)
{
  return *sn_engine_error(engine) != 0;
}

/* In a body: until another one sets the flag. */
TAP_UNUSED static void spin_until(const atomic_int *flag, sn_engine *engine)
{
  while (!atomic_load(flag) && !is_broken(engine))
    ;
}

TAP_UNUSED static int do_nothing(sn_run *run, void *user)
{
  (void)run;
  (void)user;
  return SN_OK;
}

/* When its gate is open; at once without one. */
TAP_UNUSED static int fails_at_gate(sn_run *run, void *user)
{
  atomic_int *gate = user;

  (void)run;
  while (gate && !atomic_load(gate)) nap(1);
  return SN_EIO;
}
