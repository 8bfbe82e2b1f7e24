/* Commits by max and min, beside put and add: values, units, order among each other, every type,
 * and what is refused.  A task's flush.
 */
#include <float.h>
#include <math.h>

#include <snode/device/f16.h>

#include "t/exec/course.h"

enum { BLOCKS = 8, TASKS = 400 };

/* ---- a random course over units ---- */

typedef struct step {
  sn_tensor *tensor;
  int64_t block, amount, seen;
  int kind;                      /* of the table below */
} step;

/* What a step does to its block: declared, or got on the spot; by itself or from a temporary. */
static const struct { uint32_t use; char how; } kinds[] = {
  { SN_ACCESS_READ_BUFFER, 'r' }, { SN_ACCESS_READ_WRITE_BUFFER, 'w' },
  { SN_ACCESS_ACCUMULATE_BUFFER, '+' }, { SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MAX, '>' },
  { SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MIN, '<' },
  { SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MAX | SN_CANCELLABLE, '>' },
  { SN_PERMISSION_ACCUMULATE | SN_BY_MAX, '>' }, { SN_PERMISSION_ACCUMULATE | SN_BY_MIN, '<' }
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int64_t combined(char how, int64_t value, int64_t amount)
{
  switch (how) {
  case 'w': return amount % 50;
  case '+': return value + amount;
  case '>': return amount > value ? amount : value;
  case '<': return amount < value ? amount : value;
  default: return value;
  }
}

static int commit(sn_buffer *buffer, char how)
{
  switch (how) {
  case 'w': return sn_buffer_release_put(buffer);
  case '+': return sn_buffer_release_add(buffer);
  case '>': return sn_buffer_release_max(buffer);
  case '<': return sn_buffer_release_min(buffer);
  default: return sn_buffer_release(buffer);
  }
}

static int get(sn_run *run, const step *s, sn_buffer **out)
{
  const uint32_t use = kinds[s->kind].use;

  if (use == SN_ACCESS_READ_BUFFER) return sn_buffer_read(run, s->tensor, s->block, out);
  if (use == SN_ACCESS_READ_WRITE_BUFFER)
    return sn_buffer_read_write(run, s->tensor, s->block, out);
  if (use == SN_ACCESS_ACCUMULATE_BUFFER) return sn_buffer_acc(run, s->tensor, s->block, out);
  /* a temporary commits as its permission says, or a buffer is got on the spot */
  if ((use & 0xff) == SN_PERMISSION_ACCUMULATE && s->amount % 2)
    return sn_buffer_tmp(run, s->tensor, s->block, &s->amount, out);
  return sn_buffer_acc_by(run, s->tensor, s->block,
                          use & (SN_BY_MAX | SN_BY_MIN | SN_CANCELLABLE), out);
}

static int run_step(sn_run *run, void *user)
{
  step *s = user;
  const char how = kinds[s->kind].how;
  sn_buffer *buffer;
  int64_t *value;

  SN_TRY(get(run, s, &buffer));
  value = sn_buffer_data(buffer);
  if (how == 'r') s->seen = *value;
  else *value = combined(how, *value, s->amount);
  return commit(buffer, how);
}

static void test_random(int workers, int memories, uint64_t capacity)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  static step all[TASKS];
  static int64_t expected[TASKS];
  int64_t value[BLOCKS] = { 0 }, got[BLOCKS];
  uint32_t seed = 11;
  sn_engine *engine;
  sn_tensor *tensor;
  int codes = 0, wrong = 0;

  options.workers = workers;
  options.memories = memories;
  options.capacity = capacity * sizeof(int64_t);
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", BLOCKS, 1);
  for (int t = 0; t < TASKS; t++) {
    step *s = &all[t];
    sn_use use;
    sn_task_spec spec;
    seed = seed * 1664525u + 1013904223u;
    s->tensor = tensor;
    s->kind = (int)((seed >> 8) % KINDS);
    s->block = (seed >> 12) % BLOCKS;
    s->amount = (int64_t)(seed >> 16) % 2000 - 1000;
    s->seen = 0;
    expected[t] = kinds[s->kind].how == 'r' ? value[s->block] : 0;
    value[s->block] = combined(kinds[s->kind].how, value[s->block], s->amount);
    use = sn_use_block(kinds[s->kind].use, tensor, s->block);
    spec = spec_with(NULL, run_step, s, &use, 1);
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  codes |= sn_tensor_read(tensor, got, sizeof got);
  for (int t = 0; t < TASKS; t++) wrong += all[t].seen != expected[t];
  is_int(codes, SN_OK, "%d workers, %d memories: all run", workers, memories);
  is_int(wrong, 0, "each reader saw what stood there");
  ok(memcmp(got, value, sizeof got) == 0, "and the end is that of running all in order");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- parallel maxima, units of every kind of commit ---- */

static int raise(sn_run *run, void *user)
{
  const step *s = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc_by(run, s->tensor, s->block, SN_BY_MAX, &buffer));
  if (*(int64_t *)sn_buffer_data(buffer) < s->amount)
    *(int64_t *)sn_buffer_data(buffer) = s->amount;
  return sn_buffer_release_max(buffer);
}

/* Maxima stay where they are made until somebody reads: one AccAll for each unit. */
static void test_parallel(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  step s[6];
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  int codes = 0;
  uint64_t adds = 0;

  options.workers = 1;
  options.memories = 2;
  engine = engine_by(&options);
  for (int k = 0; k < 6; k++) {
    sn_use use;
    sn_task_spec spec;
    s[k].tensor = k ? s[0].tensor : tensor_named(engine, "A", 1, 1);
    s[k].block = 0;
    s[k].amount = (k * 5) % 6 - 3;
    use = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER | SN_BY_MAX, s[k].tensor, 0);
    spec = spec_with(NULL, raise, &s[k], &use, 1);
    spec.unit = sn_engine_unit(engine, 1 + k % 2);
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  codes |= sn_engine_await(engine) | sn_engine_counters(engine, &counters);
  is_int(codes, SN_OK, "six maxima on two units");
  is_int(counters.edges, 0, "in any order");
  is_int(value_of(s[0].tensor, 0), 2, "the greatest");
  for (int u = 1; u <= 2; u++) {
    codes |= sn_unit_memory_of(sn_engine_unit(engine, u), &memory);
    adds += memory.adds;
  }
  is_int(codes | (int)adds, 2, "each unit's went home once");
  is_int(sn_tensor_destroy(s[0].tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- temporary buffers: what a unit commits is a transfer from it ---- */

typedef struct counted {
  sn_tensor *tensor;
  int holds;                     /* a buffer of the block is out: they commit after the body */
} counted;

static int commit_temporaries(sn_run *run, void *user)
{
  const counted *c = user;
  const int64_t four = 4;
  sn_buffer *held = NULL, *buffer;

  if (c->holds) SN_TRY(sn_buffer_read(run, c->tensor, 0, &held));
  SN_TRY(sn_buffer_tmp(run, c->tensor, 0, &four, &buffer));
  SN_TRY(sn_buffer_release_put(buffer));
  for (int k = 0; k < 2; k++) {
    SN_TRY(sn_buffer_tmp(run, c->tensor, 1, &four, &buffer));
    SN_TRY(k ? sn_buffer_release_max(buffer) : sn_buffer_release_add(buffer));
  }
  return held ? sn_buffer_release(held) : SN_OK;
}

static void test_counted(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_unit_memory memory = SN_UNIT_MEMORY_INIT;
  sn_engine *engine;
  counted c;
  sn_use use;

  options.workers = 1;
  options.memories = 1;
  engine = engine_by(&options);
  c.tensor = tensor_named(engine, "A", 2, 1);
  use = sn_use_whole(SN_PERMISSION_WRITE, c.tensor);
  for (int u = 0; u < 2; u++)
    for (c.holds = 0; c.holds < 2; c.holds++)
      is_int(run_task(engine, sn_engine_unit(engine, u), NULL, commit_temporaries, &c, &use, 1),
             SN_OK, "temporary buffers on unit %d", u);
  is_int(value_of(c.tensor, 0), 4, "put");
  is_int(value_of(c.tensor, 1), 16, "added, and at least 4");
  is_int(sn_unit_memory_of(sn_engine_unit(engine, 1), &memory), SN_OK, "counted");
  is_int(memory.puts, 2, "each put is one");
  is_int(memory.adds, 4, "each sum and each maximum");
  is_int(memory.gets, 1, "what was read");
  is_int(memory.bytes_out, 6 * (int64_t)sizeof(int64_t), "bytes");
  is_int(sn_unit_memory_of(sn_engine_unit(engine, 0), &memory), SN_OK, "at home");
  is_int(memory.puts + memory.adds, 0, "nothing moves");
  is_int(sn_tensor_destroy(c.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- every type ---- */

typedef struct typed {
  sn_tensor *tensor;
  double value;
  uint32_t by;
} typed;

static double element(sn_type type, const void *at)
{
  switch (type) {
  case SN_TYPE_BOOL: case SN_TYPE_U8: return *(const uint8_t *)at;
  case SN_TYPE_I8: return *(const int8_t *)at;
  case SN_TYPE_I16: return *(const int16_t *)at;
  case SN_TYPE_I32: return *(const int32_t *)at;
  case SN_TYPE_I64: return (double)*(const int64_t *)at;
  case SN_TYPE_U16: return *(const uint16_t *)at;
  case SN_TYPE_U32: return *(const uint32_t *)at;
  case SN_TYPE_U64: return (double)*(const uint64_t *)at;
  case SN_TYPE_F16: return (double)sn_f16_float(*(const sn_f16 *)at);
  case SN_TYPE_F32: return (double)*(const float *)at;
  case SN_TYPE_F64: return *(const double *)at;
  }
  return NAN;
}

/* What it is given is worth nothing: it commits that alone. */
static int leave_it(sn_run *run, void *user)
{
  typed *t = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc_by(run, t->tensor, 0, t->by, &buffer));
  t->value = element(sn_tensor_type(t->tensor), sn_buffer_data(buffer));
  return t->by == SN_BY_MAX ? sn_buffer_release_max(buffer) : sn_buffer_release_min(buffer);
}

static void test_types(void)
{
  static const struct { sn_type type; size_t bytes; double least, greatest; } rows[] = {
    { SN_TYPE_BOOL, 1, 0, 1 }, { SN_TYPE_I8, 1, -128, 127 }, { SN_TYPE_I16, 2, -32768, 32767 },
    { SN_TYPE_I32, 4, -2147483648.0, 2147483647.0 }, { SN_TYPE_I64, 8, -0x1p63, 0x1p63 },
    { SN_TYPE_U8, 1, 0, 255 }, { SN_TYPE_U16, 2, 0, 65535 }, { SN_TYPE_U32, 4, 0, 4294967295.0 },
    { SN_TYPE_U64, 8, 0, 0x1p64 }, { SN_TYPE_F32, 4, -HUGE_VAL, HUGE_VAL },
    { SN_TYPE_F64, 8, -HUGE_VAL, HUGE_VAL }, { SN_TYPE_F16, 2, -HUGE_VAL, HUGE_VAL }
  };
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  int wrong = 0;

  options.workers = 1;
  options.memories = 1;
  engine = engine_by(&options);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    for (int way = 0; way < 4; way++) {          /* at home and away, max and min */
      typed t = { NULL, 0, way % 2 ? SN_BY_MIN : SN_BY_MAX };
      sn_use use;
      uint64_t one = 0;
      if (sn_tensor_create(engine, rows[k].type, 0, NULL, NULL, &t.tensor) != SN_OK ||
          sn_tensor_fill(t.tensor, 1) != SN_OK)
        bail("no tensor");
      use = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER | t.by, t.tensor, 0);
      wrong += run_task(engine, sn_engine_unit(engine, way / 2), NULL, leave_it, &t, &use, 1) !=
               SN_OK;
      wrong += t.value < (way % 2 ? rows[k].greatest : rows[k].least) ||
               t.value > (way % 2 ? rows[k].greatest : rows[k].least);
      wrong += sn_tensor_flush(t.tensor) != SN_OK ||
               sn_tensor_read_block(t.tensor, 0, &one, rows[k].bytes) != SN_OK;
      wrong += element(rows[k].type, &one) < 1 || element(rows[k].type, &one) > 1;
      wrong += sn_tensor_destroy(t.tensor) != SN_OK;
    }
  is_int(wrong, 0, "of every type: from its least or greatest, which changes nothing");
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- refusals ---- */

typedef struct trial {
  sn_engine *engine;
  sn_tensor *tensor;
} trial;

static int ask(sn_run *run, void *user)
{
  trial *t = user;
  const int64_t nine = 9;
  sn_buffer *buffer;

  is_int(sn_buffer_acc(run, t->tensor, 0, &buffer), SN_EPERMISSION, "a sum where maxima are made");
  said(t->engine, "'asks' asks for an acc buffer of A[0], which needs accumulate; its permission "
                  "there is accumulate by max");
  is_int(sn_buffer_acc_by(run, t->tensor, 0, SN_BY_MIN, &buffer), SN_EPERMISSION, "minima too");
  sn_engine_clear(t->engine);
  is_int(sn_buffer_acc_by(run, t->tensor, 0, SN_BY_MAX | SN_BY_MIN, &buffer), SN_EINVAL, "by both");
  said(t->engine, "'asks': sn_buffer_acc_by takes SN_BY_MAX or SN_BY_MIN, and with it "
                  "SN_CANCELLABLE; 0x600 is none of that");
  is_int(sn_buffer_acc_by(run, t->tensor, 0, 0, &buffer), SN_EINVAL, "by nothing");
  sn_engine_clear(t->engine);
  SN_TRY(sn_buffer_acc_by(run, t->tensor, 0, SN_BY_MAX, &buffer));
  is_int(sn_buffer_release_add(buffer), SN_ESTATE, "a maximum is no sum");
  said(t->engine, "'asks': release_add of a max buffer of A[0]: it is committed by release_max");
  SN_TRY(sn_buffer_release_max(buffer));
  SN_TRY(sn_buffer_tmp(run, t->tensor, 0, &nine, &buffer));
  is_int(sn_buffer_release_min(buffer), SN_EPERMISSION, "a tmp commits what is permitted");
  said(t->engine, "'asks': release_min of a tmp buffer of A[0]: the task may not accumulate into "
                  "the block");
  return sn_buffer_release_max(buffer);
}

static void test_refused(void)
{
  sn_engine *engine = engine_by(NULL);
  trial t = { engine, tensor_named(engine, "A", 2, 1) };
  sn_use uses[2] = { sn_use_block(SN_PERMISSION_ACCUMULATE | SN_BY_MAX, t.tensor, 0),
                     sn_use_block(SN_PERMISSION_READ | SN_BY_MAX, t.tensor, 0) };
  sn_task_spec spec = spec_with("reads by max", do_nothing, NULL, &uses[1], 1);
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;

  is_int(run_task(engine, NULL, "asks", ask, &t, uses, 1), SN_OK, "max");
  is_int(value_of(t.tensor, 0), 9, "the greatest of none and 9");
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "reading has no way");
  said(engine, "'reads by max': 0x200 is no kind of use");
  uses[1].kind = SN_PERMISSION_ACCUMULATE | SN_BY_MAX | SN_BY_MIN;
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "two ways");
  sn_engine_clear(engine);
  /* together they are write: what comes next is ordered behind it */
  uses[0].kind = SN_PERMISSION_ACCUMULATE | SN_BY_MAX;
  uses[1].kind = SN_PERMISSION_ACCUMULATE;
  is_int(run_task(engine, NULL, "both", do_nothing, NULL, uses, 2), SN_OK, "a sum and a maximum");
  is_int(sn_engine_counters(engine, &counters), SN_OK, "counted");
  is_int(sn_tensor_destroy(t.tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- two commits of a block in one body ---- */

/* Puts 10, and then 7 or so much more; in between, a read buffer is out, or has been. */
typedef struct two {
  sn_tensor *tensor;
  int reads, releases_between, adds;
} two;

static int commit_twice(sn_run *run, void *user)
{
  const two *t = user;
  sn_buffer *reader = NULL, *first, *second;

  if (t->reads) SN_TRY(sn_buffer_read(run, t->tensor, 0, &reader));
  SN_TRY(sn_buffer_tmp(run, t->tensor, 0, NULL, &first));
  SN_TRY(sn_buffer_tmp(run, t->tensor, 0, NULL, &second));
  *(int64_t *)sn_buffer_data(first) = 10;
  *(int64_t *)sn_buffer_data(second) = 7;
  SN_TRY(sn_buffer_release_put(first));
  if (t->reads && t->releases_between) SN_TRY(sn_buffer_release(reader));
  SN_TRY(t->adds ? sn_buffer_release_add(second) : sn_buffer_release_put(second));
  return t->reads && !t->releases_between ? sn_buffer_release(reader) : SN_OK;
}

static void test_two(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;

  options.workers = 1;
  options.memories = 1;
  engine = engine_by(&options);
  for (int way = 0; way < 16; way++) {
    two t = { tensor_named(engine, "A", 1, 1), way & 1, way >> 1 & 1, way >> 2 & 1 };
    const sn_use use = sn_use_block(SN_PERMISSION_WRITE, t.tensor, 0);
    is_int(run_task(engine, sn_engine_unit(engine, way >> 3), "twice", commit_twice, &t, &use, 1),
           SN_OK, "two commits");
    is_int(value_of(t.tensor, 0), t.adds ? 17 : 7, "in the order of their releases (%d)", way);
    is_int(sn_tensor_destroy(t.tensor), SN_OK, "gone");
  }
  is_int(sn_engine_destroy(engine), SN_OK, "the engine too");
}

/* ---- flush by a task ---- */

typedef struct flusher {
  sn_engine *engine;
  sn_tensor *tensor;
  int64_t home[2];
  atomic_int holds, may_end;
} flusher;

static int write_five(sn_run *run, void *user)
{
  flusher *f = user;
  const int64_t five = 5;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_write(run, f->tensor, 0, &five, &buffer));
  return sn_buffer_release_put(buffer);
}

static int flush_both(sn_run *run, void *user)
{
  flusher *f = user;
  sn_buffer *buffer;

  is_int(f->home[0], 0, "what a unit holds has not come home");
  is_int(sn_run_flush(run, f->tensor, 0), SN_OK, "a task that reads the block flushes it");
  is_int(f->home[0], 5, "it has");
  is_int(sn_run_flush(run, f->tensor, 1), SN_EPERMISSION, "another block it may not");
  said(f->engine, "'flushes' flushes A[1], of which it has no permission");
  is_int(sn_run_flush(run, f->tensor, 2), SN_EBOUNDS, "nor one that is not there");
  sn_engine_clear(f->engine);
  SN_TRY(sn_buffer_read(run, f->tensor, 0, &buffer));
  is_int(sn_run_flush(run, f->tensor, 0), SN_ESTATE, "while it holds it");
  said(f->engine, "'flushes' flushes A[0]: it holds a buffer of it itself: release that first");
  return sn_buffer_release(buffer);
}

static int hold_it(sn_run *run, void *user)
{
  flusher *f = user;
  sn_buffer *buffer;

  SN_TRY(sn_buffer_acc(run, f->tensor, 1, &buffer));
  *(int64_t *)sn_buffer_data(buffer) += 7;
  atomic_store(&f->holds, 1);
  spin_until(&f->may_end, f->engine);
  return sn_buffer_release_add(buffer);
}

static int flush_what_is_held(sn_run *run, void *user)
{
  flusher *f = user;

  spin_until(&f->holds, f->engine);
  is_int(sn_run_flush(run, f->tensor, 1), SN_ESTATE, "while another task holds it");
  said(f->engine, "'flushes' flushes A[1]: another task holds a buffer of it, and tasks do not "
                  "wait");
  atomic_store(&f->may_end, 1);
  return SN_OK;
}

static void test_flush(void)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_tensor_options home = SN_TENSOR_OPTIONS_INIT;
  flusher f = { NULL, NULL, { 0, 0 }, 0, 0 };
  sn_space *space;
  sn_use use;
  sn_task_spec spec;

  options.workers = 1;
  options.memories = 2;
  f.engine = engine_by(&options);
  home.name = "A";
  home.home = f.home;
  is_int(sn_space_create(f.engine, 2, 1, &space) |
           sn_tensor_create(f.engine, SN_TYPE_I64, 1, &space, &home, &f.tensor), SN_OK, "a tensor");
  sn_space_release(space);
  use = sn_use_block(SN_ACCESS_WRITE_BUFFER, f.tensor, 0);
  is_int(run_task(f.engine, sn_engine_unit(f.engine, 1), "writes", write_five, &f, &use, 1), SN_OK,
         "written on a unit");
  use.kind = SN_PERMISSION_READ;
  is_int(run_task(f.engine, sn_engine_unit(f.engine, 2), "flushes", flush_both, &f, &use, 1),
         SN_OK, "flushed from another");
  use = sn_use_block(SN_ACCESS_ACCUMULATE_BUFFER, f.tensor, 1);
  spec = spec_with("holds", hold_it, &f, &use, 1);
  spec.unit = sn_engine_unit(f.engine, 1);
  is_int(sn_task_submit(f.engine, &spec, NULL), SN_OK, "one holds");
  use.kind = SN_PERMISSION_ACCUMULATE;
  is_int(run_task(f.engine, sn_engine_unit(f.engine, 2), "flushes", flush_what_is_held, &f, &use,
                  1), SN_OK, "another flushes");
  is_int(value_of(f.tensor, 1), 7, "what was held is added");
  is_int(sn_tensor_destroy(f.tensor) | sn_engine_destroy(f.engine), SN_OK, "gone");
}

int main(void)
{
  test_flush();
  test_two();
  test_random(0, 0, 0);
  test_random(2, 0, 0);
  test_random(2, 2, 0);
  test_random(1, 3, 6);          /* room for what a worker and those ahead of it hold */
  test_parallel();
  test_counted();
  test_types();
  test_refused();
  return done_testing();
}
