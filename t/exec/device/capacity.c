/* Scenario 8, on each of four units: more blocks than a unit holds pass through it, what it cannot
 * hold at once is refused or placed at home; a running task comes before those that will run.
 */
#include "t/exec/course.h"
#include "t/exec/units/units.h"

/* ---- more blocks than fit ---- */

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
  SN_TRY(buffer_change(run, buffer, 1, 1));
  return sn_buffer_release_put(buffer);
}

static int adds_one(sn_run *run, void *user)
{
  const touch *t = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, t->tensor, t->block, &buffer));
  SN_TRY(buffer_change(run, buffer, 1, 1));
  return sn_buffer_release_add(buffer);
}

static int is_at_home(sn_run *run, void *user)
{
  (void)user;
  return sn_unit_index(sn_run_unit(run)) == 0 ? SN_OK : SN_EASSERT;
}

static int asks_for_more(sn_run *run, void *user)
{
  sn_buffer *buffer;

  for (int64_t b = 0; b < 4; b++) SN_TRY(sn_buffer_read(run, user, b, &buffer));
  return SN_OK;
}

static sn_engine *engine_that_holds(uint64_t bytes, int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  options.workers = workers;
  options.capacity = bytes;
  if (units_engine(options, &engine) != SN_OK) bail("no engine");
  return engine;
}

/* Four blocks are too many. */
static void test_too_many(sn_engine *engine, sn_unit *unit, sn_tensor *tensor)
{
  char text[160];
  sn_use uses[4];
  sn_task_spec spec = spec_with("too large", do_nothing, NULL, uses, 4);

  for (int k = 0; k < 4; k++) uses[k] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, k);
  spec.unit = unit;
  snprintf(text, sizeof text, "'too large' declares buffers of 4194304 bytes, more than %s holds",
           sn_unit_name(unit));
  refuse(engine, &spec, SN_ECAPACITY, text);
  spec.unit = NULL;
  spec.body[SN_UNIT_HOST] = NULL;
  refuse(engine, &spec, SN_ECAPACITY, "'too large' declares buffers of 4194304 bytes, more than "
                                      "any unit that has a body for it holds");
  is_int(run_task(engine, NULL, "placed", is_at_home, NULL, uses, 4), SN_OK, "the host holds it");
  for (int k = 0; k < 4; k++) uses[k].kind = SN_PERMISSION_READ;
  is_int(run_task(engine, unit, "asks", asks_for_more, tensor, uses, 4), SN_ECAPACITY,
         "who asks for too much on the spot is told");
  snprintf(text, sizeof text, "'asks' asks for a buffer of A[3], and %s has no room for 1048576 "
           "bytes: submit a continuation that declares it", sn_unit_name(unit));
  said(engine, text);
}

static void test_capacity(int place, int workers, int writes)
{
  sn_engine *engine = engine_that_holds(3 * MEBI, workers);
  sn_unit *unit = sn_engine_unit(engine, place);
  sn_tensor *tensor = tensor_named(engine, "A", 10, MEBI / 8);
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  sn_use use;
  int codes = 0, wrong = 0;

  for (int k = 0; k < 20; k++) {
    touch t = { tensor, k % 10 };
    sn_task_spec spec = spec_with("touch", writes ? touches : do_nothing, &t, &use, 1);
    use = sn_use_block(writes ? SN_ACCESS_READ_WRITE_BUFFER : SN_ACCESS_READ_BUFFER, tensor,
                           k % 10);
    spec.unit = unit;
    spec.user_bytes = sizeof t;
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_await(engine), SN_OK,
         "ten blocks twice, through %s, which holds three", sn_unit_name(unit));
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
  test_too_many(engine, unit, tensor);
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- who runs comes before who will ---- */

enum { ROOM = 3 };

static atomic_int is_refused;            /* one of those ahead was not taken */

/* Until they have two of the three blocks' room: for a while, since memory may run out for them. */
static int wait_for_those_ahead(sn_run *run)
{
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  const time_t end = time(NULL) + tap_size(3, 60, 60);

  while (memory.used < 2 * sizeof(int64_t)) {
    if (atomic_load(&is_refused) || time(NULL) > end) return SN_EASSERT;
    SN_TRY(sn_unit_memory_of(sn_run_unit(run), &memory));
  }
  return SN_OK;
}

/* When tasks ahead of it have all the room, it asks for all of it. */
static int wants_all(sn_run *run, void *user)
{
  sn_tensor *tensor = user;
  sn_buffer *buffers[ROOM];

  SN_TRY(wait_for_those_ahead(run));
  for (int64_t b = 0; b < ROOM; b++) SN_TRY(sn_buffer_read_write(run, tensor, b, &buffers[b]));
  for (int64_t b = 0; b < ROOM; b++) {
    SN_TRY(buffer_change(run, buffers[b], 1, 10));
    SN_TRY(sn_buffer_release_put(buffers[b]));
  }
  return SN_OK;
}

static void test_claim(int place, uint32_t kind)
{
  sn_engine *engine = engine_that_holds(ROOM * sizeof(int64_t), 1);
  sn_unit *unit = sn_engine_unit(engine, place);
  sn_tensor *tensor = tensor_named(engine, "A", ROOM + 2, 1);
  sn_use uses[ROOM];
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  int codes = 0;

  for (int k = 0; k < ROOM; k++) uses[k] = sn_use_block(SN_PERMISSION_WRITE, tensor, k);
  for (int k = 0; k < 3; k++) {            /* one that runs, and two ahead of the worker */
    touch t = { tensor, ROOM + k - 1 };
    sn_task_spec spec = k ? spec_with("ahead", kind == SN_ACCESS_READ_WRITE_BUFFER ? touches
                                               : do_nothing, &t, uses, 1)
                          : spec_with("wants all", wants_all, tensor, uses, ROOM);
    if (k) {
      uses[0] = sn_use_block(kind, tensor, ROOM + k - 1);
      spec.user_bytes = sizeof t;
    }
    spec.unit = unit;
    codes |= sn_task_submit(engine, &spec, NULL);
    if (codes) atomic_store(&is_refused, 1);
  }
  is_int(codes | sn_engine_await(engine), SN_OK, "a running task gets the room of those ahead");
  is_int(value_of(tensor, 0) + value_of(tensor, ROOM - 1), 20, "its values");
  is_int(value_of(tensor, ROOM), kind == SN_ACCESS_READ_WRITE_BUFFER, "theirs, later");
  is_int(sn_unit_memory_of(unit, &memory), SN_OK, "counted");
  is_int(memory.peak, ROOM * (int64_t)sizeof(int64_t), "and no more than there is");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* What cannot fit is refused; the task goes on without it, and those that gave way for it run. */
static int wants_more_than_all(sn_run *run, void *user)
{
  sn_buffer *buffer;

  SN_TRY(wait_for_those_ahead(run));
  return sn_buffer_read_write(run, user, 0, &buffer) == SN_ECAPACITY ? SN_OK : SN_EASSERT;
}

static void test_claim_in_vain(int place)
{
  sn_engine *engine = engine_that_holds(ROOM * sizeof(int64_t), 1);
  sn_tensor *small = tensor_named(engine, "A", 2, 1);
  sn_tensor *large = tensor_named(engine, "B", 1, ROOM + 1);
  const sn_use more = sn_use_block(SN_PERMISSION_WRITE, large, 0);
  sn_task_spec spec = spec_with("wants more", wants_more_than_all, large, &more, 1);
  sn_event *done = NULL;
  int codes;

  spec.unit = sn_engine_unit(engine, place);
  codes = sn_task_submit(engine, &spec, &done);
  for (int k = 0; k < 2; k++) {
    touch t = { small, k };
    const sn_use use = sn_use_block(SN_ACCESS_READ_WRITE_BUFFER, small, k);
    spec = spec_with("ahead", touches, &t, &use, 1);
    spec.user_bytes = sizeof t;
    spec.unit = sn_engine_unit(engine, place);
    codes |= sn_task_submit(engine, &spec, NULL);
    if (codes) atomic_store(&is_refused, 1);
  }
  is_int(sn_event_await(done), SN_OK, "more than there is");
  is_int(codes | sn_engine_await(engine), SN_OK, "those ahead run all the same");
  is_int(value_of(small, 0) + value_of(small, 1), 2, "each once");
  sn_event_release(done);
  is_int(sn_tensor_destroy(small) | sn_tensor_destroy(large) | sn_engine_destroy(engine), SN_OK,
         "gone");
}

/* ---- what may be given up takes its bytes once ---- */

typedef struct revision {
  sn_tensor *tensor;
  uint32_t kind;
  int commits;
  int64_t began_with;
} revision;

static int revises(sn_run *run, void *user)
{
  revision *r = user;
  const int64_t five = 5;
  sn_buffer *buffer, *look;

  switch (r->kind) {
  case SN_ACCESS_WRITE_BUFFER:
    SN_TRY(sn_buffer_cwrite(run, r->tensor, 0, &five, &buffer));
    break;
  case SN_ACCESS_READ_WRITE_BUFFER:
    SN_TRY(sn_buffer_cread_write(run, r->tensor, 0, &buffer));
    break;
  default:
    SN_TRY(sn_buffer_cacc(run, r->tensor, 0, &buffer));
  }
  r->began_with = buffer_value(run, buffer, 0);
  SN_TRY(buffer_change(run, buffer, 1, 5));
  if (r->kind != SN_ACCESS_ACCUMULATE_BUFFER) {  /* there is no other room */
    if (sn_buffer_read(run, r->tensor, 0, &look) != SN_ECAPACITY) return SN_EASSERT;
    sn_engine_clear(sn_run_engine(run));
  }
  if (!r->commits) return sn_buffer_release(buffer);
  return r->kind == SN_ACCESS_ACCUMULATE_BUFFER ? sn_buffer_release_add(buffer)
                                                : sn_buffer_release_put(buffer);
}

/* From every state that the replica may be in: not there, as at home, changed, a sum. */
static int64_t begin_in(sn_engine *engine, sn_unit *unit, sn_tensor *tensor, int state)
{
  static const uint32_t kinds[] = { 0, SN_ACCESS_READ_BUFFER, SN_ACCESS_READ_WRITE_BUFFER,
                                    SN_ACCESS_ACCUMULATE_BUFFER };
  touch t = { tensor, 0 };
  sn_use use = sn_use_block(kinds[state], tensor, 0);
  int code = sn_tensor_fill(tensor, 100);

  if (state) code |= run_task(engine, unit, "begins", state == 1 ? do_nothing
                                            : state == 2 ? touches : adds_one, &t, &use, 1);
  is_int(code, SN_OK, "state %d", state);
  return state > 1 ? 101 : 100;
}

static void test_cancellable(int place)
{
  static const uint32_t kinds[] = { SN_ACCESS_WRITE_BUFFER, SN_ACCESS_READ_WRITE_BUFFER,
                                    SN_ACCESS_ACCUMULATE_BUFFER };
  sn_engine *engine = engine_that_holds(sizeof(int64_t), 1);
  sn_unit *unit = sn_engine_unit(engine, place);
  revision r = { tensor_named(engine, "A", 1, 1), 0, 0, 0 };
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;

  for (int k = 0; k < 3; k++)
    for (int state = 0; state < 4; state++)
      for (r.commits = 0; r.commits < 2; r.commits++) {
        const int64_t begins = begin_in(engine, unit, r.tensor, state);
        const int64_t first[] = { 5, begins, 0 }, then[] = { 10, begins + 5, begins + 5 };
        const sn_use use = sn_use_block(kinds[k] | SN_CANCELLABLE, r.tensor, 0);
        r.kind = kinds[k];
        is_int(run_task(engine, unit, "revises", revises, &r, &use, 1), SN_OK,
               "a unit of one block holds a buffer of it that may be given up");
        is_int(r.began_with, first[k], "what it begins with");
        is_int(value_of(r.tensor, 0), r.commits ? then[k] : begins,
               r.commits ? "committed" : "given up: the block is as it was");
      }
  is_int(sn_unit_memory_of(unit, &memory), SN_OK, "counted");
  is_int(memory.peak, sizeof(int64_t), "never more than that one");
  is_int(sn_tensor_destroy(r.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  static const int workers[] = { 1, 2, 4 };

  for (int u = 1; u < tap_size(2, UNITS, UNITS); u++) {
    for (int writes = 0; writes < 2; writes++) test_capacity(u, workers[u % 3], writes);
    test_claim(u, SN_ACCESS_READ_BUFFER);
    test_claim(u, SN_ACCESS_READ_WRITE_BUFFER);
    test_claim(u, SN_ACCESS_ACCUMULATE_BUFFER | SN_CANCELLABLE);
    test_claim_in_vain(u);
    test_cancellable(u);
  }
  return done_testing();
}
