/* Scenario 5, on home and four more units, with 1, 2 and 4 workers: children have at most their
 * parent's permissions, and what follows the parent sees all that they did.
 */
#include "t/exec/course.h"
#include "t/exec/units/units.h"

enum { BLOCKS = 6, CHILDREN = 3 };

typedef struct family {
  sn_tensor *tensor;
  sn_unit *child_unit;
  sn_use wants[CHILDREN];        /* the children's */
  sn_body_fn body[CHILDREN];
  int children;
  int code[CHILDREN];            /* of their submission */
  char text[CHILDREN][120];      /* what was said then */
  uint64_t submitted, refused;   /* meanwhile */
  atomic_int gate, ran;          /* children wait at the gate; how many have passed it */
  int ran_before;                /* how many had when the successor began */
  int64_t read, seen[CHILDREN];
} family;

static void wait_at(family *f)
{
  const struct timespec pause = { 0, 100000 };

  while (!atomic_load(&f->gate)) nanosleep(&pause, NULL);
}

/* ---- the children ---- */

static int reads(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  wait_at(f);
  SN_TRY(sn_buffer_read(run, f->tensor, 0, &buffer));
  f->read = buffer_value(run, buffer, 0);
  atomic_fetch_add(&f->ran, 1);
  return sn_buffer_release(buffer);
}

static int adds(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  wait_at(f);
  SN_TRY(sn_buffer_acc(run, f->tensor, 1, &buffer));
  SN_TRY(buffer_change(run, buffer, 1, 5));
  atomic_fetch_add(&f->ran, 1);
  return sn_buffer_release_add(buffer);
}

static int writes(sn_run *run, void *user)
{
  const int64_t eight = 8;
  family *f = user;
  sn_buffer *buffer;

  wait_at(f);
  SN_TRY(sn_buffer_write(run, f->tensor, 2, &eight, &buffer));
  atomic_fetch_add(&f->ran, 1);
  return sn_buffer_release_put(buffer);
}

/* ---- the parent, and who comes after it ---- */

static int parent(sn_run *run, void *user)
{
  family *f = user;
  sn_engine *engine = sn_run_engine(run);
  sn_task_counters before = SN_TASK_COUNTERS_INIT, after = SN_TASK_COUNTERS_INIT;

  SN_TRY(sn_engine_counters(engine, &before));
  for (int k = 0; k < f->children; k++) {
    sn_task_spec spec = spec_with("child", f->body[k], f, &f->wants[k], 1);
    spec.unit = f->child_unit;
    f->code[k] = sn_task_submit_child(run, &spec, NULL);
    snprintf(f->text[k], sizeof f->text[k], "%s", sn_engine_error(engine));
    sn_engine_clear(engine);
  }
  SN_TRY(sn_engine_counters(engine, &after));
  f->submitted = after.submitted - before.submitted;
  f->refused = after.refused - before.refused;
  return SN_OK;
}

static int looks(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer;

  f->ran_before = atomic_load(&f->ran);
  for (int k = 0; k < CHILDREN; k++) {
    SN_TRY(sn_buffer_read(run, f->tensor, k, &buffer));
    f->seen[k] = buffer_value(run, buffer, 0);
    SN_TRY(sn_buffer_release(buffer));
  }
  return SN_OK;
}

static void child_wants(family *f, uint32_t kind, int64_t block, sn_body_fn body)
{
  f->wants[f->children] = sn_use_block(kind, f->tensor, block);
  f->body[f->children++] = body;
}

/* All refused, with these texts; their parent ends well, and nothing has changed. */
static void refuses(sn_engine *engine, sn_unit *unit, family *f, sn_use allowed,
                    const char *const *text)
{
  int64_t values[BLOCKS];
  int wrong = 0;

  is_int(sn_tensor_fill(f->tensor, 1), SN_OK, "ones");
  is_int(run_task(engine, unit, "parent", parent, f, &allowed, 1), SN_OK, "the parent ends well");
  for (int k = 0; k < f->children; k++) {
    is_int(f->code[k], SN_EPERMISSION, "its child is refused");
    is_str(f->text[k], text[k], "the text");
  }
  is_int(f->submitted, 0, "none was submitted");
  is_int(f->refused, f->children, "each is counted as refused");
  is_int(sn_tensor_read(f->tensor, values, sizeof values), SN_OK, "read");
  for (int k = 0; k < BLOCKS; k++) wrong += values[k] != 1;
  is_int(wrong, 0, "nothing has changed");
  f->children = 0;
}

static void test_refused(sn_engine *engine, sn_unit *unit, family *f)
{
  static const char *const of_reader[] = {
    "'child' wants write of A[2]; its parent 'parent' allows read",
    "'child' wants read of A[4]; its parent 'parent' allows nothing"
  };
  static const char *const of_adder[] = {
    "'child' wants read of A[1]; its parent 'parent' allows accumulate"
  };
  sn_use first_four = sn_use_whole(SN_PERMISSION_READ, f->tensor);

  first_four.where.hi[0] = 4;
  child_wants(f, SN_PERMISSION_WRITE, 2, writes);
  child_wants(f, SN_PERMISSION_READ, 4, reads);
  refuses(engine, unit, f, first_four, of_reader);
  child_wants(f, SN_PERMISSION_READ, 1, reads);
  refuses(engine, unit, f, sn_use_whole(SN_PERMISSION_ACCUMULATE, f->tensor), of_adder);
}

/* A body that asks for a block which it neither declared nor may read. */
static int asks(sn_run *run, void *user)
{
  family *f = user;
  sn_buffer *buffer = NULL;

  f->code[0] = sn_buffer_read(run, f->tensor, 5, &buffer);
  return buffer ? SN_EASSERT : SN_OK;
}

static void test_undeclared(sn_engine *engine, sn_unit *unit, family *f)
{
  sn_use use = sn_use_block(SN_PERMISSION_READ, f->tensor, 0);

  is_int(run_task(engine, unit, "asks", asks, f, &use, 1), SN_OK, "who asks for more ends well");
  is_int(f->code[0], SN_EPERMISSION, "and is refused");
  said(engine, "'asks' asks for a read buffer of A[5], which needs read; its permission there is "
               "nothing");
  is_int(value_of(f->tensor, 5), 1, "nothing has changed");
}

/* The gate opens when all are submitted. */
static void test_accepted(sn_engine *engine, sn_unit *unit, family *f)
{
  const sn_use all = sn_use_whole(SN_PERMISSION_WRITE, f->tensor);
  const sn_use reading = sn_use_whole(SN_PERMISSION_READ, f->tensor);
  sn_task_spec first = spec_with("parent", parent, f, &all, 1);
  sn_task_spec then = spec_with("looks", looks, f, &reading, 1);
  sn_event *done = NULL;
  int is_done = -1, codes = sn_tensor_fill(f->tensor, 1);

  child_wants(f, SN_PERMISSION_READ, 0, reads);
  child_wants(f, SN_PERMISSION_ACCUMULATE, 1, adds);
  child_wants(f, SN_PERMISSION_WRITE, 2, writes);
  atomic_store(&f->gate, 0);
  atomic_store(&f->ran, 0);
  first.unit = unit;
  codes |= sn_task_submit(engine, &first, NULL);
  codes |= sn_task_submit(engine, &then, &done);
  codes |= sn_event_is_done(done, &is_done);
  atomic_store(&f->gate, 1);
  codes |= sn_event_await(done);
  is_int(codes, SN_OK, "children on %s that read, add, write, of a parent on %s that may write",
         sn_unit_name(f->child_unit), sn_unit_name(unit));
  is_int(f->code[0] | f->code[1] | f->code[2], SN_OK, "are accepted");
  is_int(is_done, 0, "what follows the parent waits for them");
  is_int(f->ran_before, CHILDREN, "for all of them");
  is_int(f->read, 1, "what the first read");
  is_int(f->seen[0] * 100 + f->seen[1] * 10 + f->seen[2], 168, "and sees all of it");
  sn_event_release(done);
  f->children = 0;
}

static void test_with(int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  family f;

  options.workers = workers;
  if (units_engine(options, &engine) != SN_OK) bail("no engine");
  memset(&f, 0, sizeof f);
  f.tensor = tensor_named(engine, "A", BLOCKS, 1);
  for (int u = 0; u < UNITS; u++)
    for (int beside = 0; beside < 2; beside++) {
      sn_unit *unit = sn_engine_unit(engine, u);
      f.child_unit = sn_engine_unit(engine, (u + beside) % UNITS);
      test_refused(engine, unit, &f);
      test_undeclared(engine, unit, &f);
      test_accepted(engine, unit, &f);
    }
  is_str(sn_engine_error(engine), "", "without another error");
  is_int(sn_tensor_destroy(f.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  for (int workers = 1; workers < 5; workers *= 2) test_with(workers);
  return done_testing();
}
