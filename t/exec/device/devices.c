/* Tasks on devices: their buffers are device memory, which bodies change by regions that run there;
 * values, sums and copies go through the same machine as anywhere else.  On home and four more
 * units, each with each.
 */
#include "t/exec/course.h"
#include "t/exec/units/units.h"

enum { LENGTH = 100 };

typedef struct course {
  sn_engine *engine;
  sn_tensor *tensor;
  int64_t seen;
  int equal[2];
} course;

static int fills(sn_run *run, void *user)
{
  const int64_t seven = 7;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_write(run, ((course *)user)->tensor, 0, &seven, &buffer));
  return sn_buffer_release_put(buffer);
}

static int doubles(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_read_write(run, ((course *)user)->tensor, 0, &buffer));
  SN_TRY(buffer_change(run, buffer, 2, 0));
  return sn_buffer_release_put(buffer);
}

static int adds(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, ((course *)user)->tensor, 0, &buffer));
  SN_TRY(buffer_change(run, buffer, 1, 100));
  return sn_buffer_release_add(buffer);
}

static int adds_maybe(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(sn_buffer_cacc(run, ((course *)user)->tensor, 0, &buffer));
  SN_TRY(buffer_change(run, buffer, 1, 1000));
  return sn_buffer_release_add(buffer);
}

static int compares(sn_run *run, void *user)
{
  course *c = user;
  sn_buffer *buffer, *other;

  SN_TRY(sn_buffer_read(run, c->tensor, 0, &buffer));
  SN_TRY(sn_buffer_copy(buffer, &other));
  SN_TRY(sn_buffer_equal(buffer, other, &c->equal[0]));
  SN_TRY(buffer_change(run, other, 1, 1));
  SN_TRY(sn_buffer_equal(buffer, other, &c->equal[1]));
  sn_buffer_free(other);
  return sn_buffer_release(buffer);
}

static int run_on(course *c, sn_unit *unit, sn_body_fn body, uint32_t kind)
{
  sn_use use = sn_use_block(kind, c->tensor, 0);
  sn_task_spec spec = spec_with("task", body, c, &use, 1);

  spec.unit = unit;
  return sn_task_submit(c->engine, &spec, NULL);
}

static void test_course(course *c, sn_unit *a, sn_unit *b)
{
  int64_t values[LENGTH];
  int wrong = 0, codes = 0;

  c->equal[0] = c->equal[1] = -1;
  codes |= run_on(c, a, fills, SN_ACCESS_WRITE_BUFFER);
  codes |= run_on(c, b, doubles, SN_ACCESS_READ_WRITE_BUFFER);
  for (int k = 0; k < 10; k++)
    codes |= run_on(c, k % 2 ? a : b, adds, k % 3 ? SN_ACCESS_ACCUMULATE_BUFFER
                                                 : SN_PERMISSION_ACCUMULATE);
  codes |= run_on(c, a, adds_maybe, SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE);
  codes |= run_on(c, b, adds_maybe, SN_PERMISSION_ACCUMULATE);
  codes |= run_on(c, b, compares, SN_ACCESS_READ_BUFFER);
  is_int(codes | sn_engine_await(c->engine), SN_OK, "%s and %s", sn_unit_name(a),
         sn_unit_name(b));
  is_int(sn_tensor_read(c->tensor, values, sizeof values), SN_OK, "read");
  for (int k = 0; k < LENGTH; k++) wrong += values[k] != 14 + 1000 + 2000;
  is_int(wrong, 0, "filled, doubled, added to");
  is_int(c->equal[0] * 10 + c->equal[1], 10, "a copy is equal, until it is changed");
  is_str(sn_engine_error(c->engine), "", "without an error");
}

int main(void)
{
  const sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  course c;

  memset(&c, 0, sizeof c);
  if (units_engine(options, &c.engine) != SN_OK) bail("no engine");
  c.tensor = tensor_named(c.engine, "A", 1, LENGTH);
  for (int a = 0; a < UNITS; a++)
    for (int b = 0; b < UNITS; b++)
      test_course(&c, sn_engine_unit(c.engine, a), sn_engine_unit(c.engine, b));
  is_int(sn_tensor_destroy(c.tensor) | sn_engine_destroy(c.engine), SN_OK, "gone");
  return done_testing();
}
