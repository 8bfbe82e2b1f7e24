/* Scenario 1, on home and four more units: every sequence of up to five tasks over {read, write,
 * accumulate} on one block keeps its order and comes to its values wherever its tasks are put; what
 * may run at once does; the edges themselves.
 */
#include "t/exec/course.h"
#include "t/exec/units/units.h"

enum { MOST = 5 };

static sn_engine *engine_with(int workers)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  options.workers = workers;
  if (units_engine(options, &engine) != SN_OK) bail("no engine");
  return engine;
}

/* ---- a task of a sequence ---- */

typedef struct meeting {
  atomic_int there;
  int wanted;
} meeting;

typedef struct step {
  sn_tensor *tensor;
  int64_t block;
  char kind;                     /* R, W (read_write), A; P: writes alone */
  int64_t amount;
  meeting *meeting;              /* NULL: it meets nobody */
  int64_t seen;
  int code;
  int begun, ended;              /* by the clock */
} step;

static atomic_int now;

/* Waits until all have come: a minute at most, so that a missing one is a failure and not a test
 * that hangs. */
static int meet(meeting *m)
{
  const struct timespec pause = { 0, 100000 };

  atomic_fetch_add(&m->there, 1);
  for (int turn = 0; turn < 600000 && atomic_load(&m->there) < m->wanted; turn++)
    nanosleep(&pause, NULL);
  return atomic_load(&m->there) >= m->wanted ? SN_OK : SN_EASSERT;
}

/* W: v = 3 v + amount, which does not commute; A: v += amount; P: v = amount. */
static int work(sn_run *run, step *s)
{
  sn_buffer *buffer;

  switch (s->kind) {
  case 'R':
    SN_TRY(sn_buffer_read(run, s->tensor, s->block, &buffer));
    s->seen = buffer_value(run, buffer, 0);
    return sn_buffer_release(buffer);
  case 'W':
    SN_TRY(sn_buffer_read_write(run, s->tensor, s->block, &buffer));
    SN_TRY(buffer_change(run, buffer, 3, s->amount));
    return sn_buffer_release_put(buffer);
  case 'P':
    SN_TRY(sn_buffer_write(run, s->tensor, s->block, &s->amount, &buffer));
    return sn_buffer_release_put(buffer);
  default:
    SN_TRY(sn_buffer_acc(run, s->tensor, s->block, &buffer));
    SN_TRY(buffer_change(run, buffer, 1, s->amount));
    return sn_buffer_release_add(buffer);
  }
}

static int body(sn_run *run, void *user)
{
  step *s = user;

  s->begun = atomic_fetch_add(&now, 1);
  s->code = s->meeting ? meet(s->meeting) : SN_OK;
  if (s->code == SN_OK) s->code = work(run, s);
  s->ended = atomic_fetch_add(&now, 1);
  return s->code;
}

static uint32_t access_of(char kind)
{
  return kind == 'R' ? SN_ACCESS_READ_BUFFER
         : kind == 'W' ? SN_ACCESS_READ_WRITE_BUFFER : SN_ACCESS_ACCUMULATE_BUFFER;
}

static uint32_t permission_of(char kind)
{
  return kind == 'R' ? SN_PERMISSION_READ
         : kind == 'W' ? SN_PERMISSION_WRITE : SN_PERMISSION_ACCUMULATE;
}

/* priority: what is ready and has more comes first. */
static int submit(sn_engine *engine, step *s, uint32_t kind, sn_unit *unit, int priority)
{
  const sn_use use = sn_use_block(kind, s->tensor, s->block);
  sn_task_spec spec = spec_with(NULL, body, s, &use, 1);

  spec.unit = unit;
  spec.priority = priority;
  return sn_task_submit(engine, &spec, NULL);
}

/* ---- every sequence, every placement ---- */

static int power(int base, int exponent)
{
  int result = 1;

  while (exponent--) result *= base;
  return result;
}

/* Sequence `code` of this length as text. */
static void spell(int code, int length, char *kinds)
{
  for (int k = 0; k < length; k++, code /= 3) kinds[k] = "RWA"[code % 3];
  kinds[length] = 0;
}

static int conflict(char a, char b)
{
  return a == 'W' || b == 'W' || a != b;
}

/* Of a sequence that has run: what came too early, and what was read that is not the value that
 * those before come to, which is left in *value. */
static int wrong_in(const step *steps, int length, int64_t *value)
{
  int wrong = 0;

  *value = 0;
  for (int j = 0; j < length; j++) {
    const step *s = &steps[j];
    for (int i = 0; i < j; i++)
      wrong += conflict(steps[i].kind, s->kind) && steps[i].ended > s->begun;
    wrong += s->code != SN_OK || (s->kind == 'R' && s->seen != *value);
    if (s->kind == 'W') *value = 3 * *value + s->amount;
    if (s->kind == 'A') *value += s->amount;
  }
  return wrong;
}

/* All sequences of a length on all placements on the units named, each on a block of its own and
 * all at once.  The later in its sequence, the greater a task's priority: one that is not held back
 * by an edge comes too early. */
static int run_length(sn_engine *engine, const int *units, int unit_count, int length)
{
  const int sequences = power(3, length), placements = power(unit_count, length);
  const int blocks = sequences * placements;
  sn_tensor *tensor = tensor_named(engine, "A", blocks, 1);
  step *steps = calloc((size_t)blocks * (size_t)length, sizeof *steps);
  int64_t *got = calloc((size_t)blocks, sizeof *got), value;
  int wrong = 0;
  char kinds[MOST + 1];

  if (!steps || !got) bail("no memory");
  wrong += sn_tensor_fill(tensor, 0) != SN_OK;
  for (int b = 0; b < blocks; b++) {
    spell(b / placements, length, kinds);
    for (int k = 0, place = b % placements; k < length; k++, place /= unit_count) {
      step *s = &steps[b * length + k];
      s->tensor = tensor;
      s->block = b;
      s->kind = kinds[k];
      s->amount = k + 1;
      wrong += submit(engine, s, access_of(s->kind),
                      sn_engine_unit(engine, units[place % unit_count]), k) != SN_OK;
    }
  }
  wrong += sn_engine_await(engine) != SN_OK;
  wrong += sn_tensor_read(tensor, got, (size_t)blocks * sizeof *got) != SN_OK;
  for (int b = 0; b < blocks; b++) {
    wrong += wrong_in(&steps[b * length], length, &value);
    wrong += got[b] != value;
  }
  wrong += sn_tensor_destroy(tensor) != SN_OK;
  free(steps);
  free(got);
  return wrong;
}

static void test_sequences(int workers, int first, int second, int most)
{
  const int units[2] = { first, second };
  sn_engine *engine = engine_with(workers);
  int sequences = 0, wrong = 0;

  for (int length = 1; length <= most; length++) {
    sequences += power(3, length);
    wrong += run_length(engine, units, 2, length);
  }
  is_int(sequences, (power(3, most + 1) - 3) / 2, "sequences");
  is_int(wrong, 0, "each on every placement on %s and %s, %d workers: none comes too early, all "
         "values", sn_unit_name(sn_engine_unit(engine, first)),
         sn_unit_name(sn_engine_unit(engine, second)), workers);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

static void test_all_units(int workers)
{
  static const int units[UNITS] = { 0, 1, 2, 3, 4 };
  const int most = tap_size(1, 3, 3);
  sn_engine *engine = engine_with(workers);
  int wrong = 0;

  for (int length = 1; length <= most; length++) wrong += run_length(engine, units, UNITS, length);
  is_int(wrong, 0, "those of up to %d on every placement on all units, %d workers", most, workers);
  is_int(sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- what may run at once does ---- */

/* Whether these two are a whole run of tasks that read, or accumulate. */
static int is_pair(const char *kinds, int at)
{
  const char kind = kinds[at];

  return kind != 'W' && kinds[at + 1] == kind && kinds[at + 2] != kind &&
         (at == 0 || kinds[at - 1] != kind);
}

static int pairs_in(const char *kinds)
{
  int pairs = 0;

  for (int k = 0; kinds[k]; k++) pairs += is_pair(kinds, k);
  return pairs;
}

/* The two of each pair have permissions, meet, and then work as ever: buffers of sums exclude each
 * other on a unit, permissions to accumulate do not. */
static int run_pairs(sn_engine *engine, sn_tensor *tensor, const char *kinds, sn_unit *const *units)
{
  const int length = (int)strlen(kinds);
  meeting m[MOST] = { { 0, 2 }, { 0, 2 }, { 0, 2 }, { 0, 2 }, { 0, 2 } };
  step steps[MOST];
  int64_t value, got = 0;
  int wrong = sn_tensor_fill(tensor, 0) != SN_OK;

  memset(steps, 0, sizeof steps);
  for (int k = 0; k < length; k++) {
    const int is_first = is_pair(kinds, k), is_second = k > 0 && is_pair(kinds, k - 1);
    steps[k].tensor = tensor;
    steps[k].kind = kinds[k];
    steps[k].amount = k + 1;
    steps[k].meeting = is_first ? &m[k] : is_second ? &m[k - 1] : NULL;
    wrong += submit(engine, &steps[k], permission_of(kinds[k]), units[is_second], 0) != SN_OK;
  }
  wrong += sn_engine_await(engine) != SN_OK;
  wrong += wrong_in(steps, length, &value);
  wrong += sn_tensor_read(tensor, &got, sizeof got) != SN_OK || got != value;
  return wrong;
}

static void test_pairs(int workers, int first, int second)
{
  sn_engine *engine = engine_with(workers);
  sn_unit *const units[2] = { sn_engine_unit(engine, first), sn_engine_unit(engine, second) };
  sn_tensor *tensor = tensor_named(engine, "A", 1, 1);
  const int most = tap_size(3, MOST, MOST);
  int pairs = 0, wrong = 0;
  char kinds[MOST + 1];

  for (int length = 2; length <= most; length++)
    for (int code = 0; code < power(3, length) && !wrong; code++) {
      spell(code, length, kinds);
      if (!pairs_in(kinds)) continue;
      pairs += pairs_in(kinds);
      wrong += run_pairs(engine, tensor, kinds, units);
    }
  is_int(pairs, most == MOST ? 2 + 8 + 32 + 120 : 2 + 8,
         "times just two in a row read, or accumulate");
  is_int(wrong, 0, "they meet, on %s and %s", sn_unit_name(units[0]), sn_unit_name(units[1]));
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* Two tasks that write two blocks of a tensor meet; one that writes all of it comes behind both and
 * before the two that follow. */
static void test_whole(int first, int second)
{
  sn_engine *engine = engine_with(2);
  sn_tensor *tensor = tensor_named(engine, "A", 2, 1);
  sn_unit *const units[2] = { sn_engine_unit(engine, first), sn_engine_unit(engine, second) };
  const sn_use whole = sn_use_whole(SN_PERMISSION_WRITE, tensor);
  meeting m[2] = { { 0, 2 }, { 0, 2 } };
  step steps[5];
  sn_task_spec spec = spec_with("all of it", body, &steps[2], &whole, 1);
  int64_t values[2] = { 0, 0 };
  int code = sn_tensor_fill(tensor, 1), early = 0;

  memset(steps, 0, sizeof steps);
  for (int k = 0; k < 5; k++) {
    steps[k].tensor = tensor;
    steps[k].kind = 'W';
    steps[k].amount = k + 1;
    steps[k].block = k > 2 ? k - 3 : k % 2;
    steps[k].meeting = k == 2 ? NULL : &m[k / 3];
    code |= k == 2 ? sn_task_submit(engine, &spec, NULL)
                   : submit(engine, &steps[k], SN_PERMISSION_WRITE, units[steps[k].block], k);
  }
  is_int(code | sn_engine_await(engine), SN_OK, "writers of two blocks meet, on %s and %s",
         sn_unit_name(units[0]), sn_unit_name(units[1]));
  for (int k = 0; k < 2; k++)
    early += steps[k].ended > steps[2].begun || steps[2].ended > steps[3 + k].begun;
  is_int(early, 0, "a writer of the whole tensor stands between them");
  is_int(sn_tensor_read(tensor, values, sizeof values), SN_OK, "read");
  is_int(values[0], 3 * (3 * (3 * 1 + 1) + 3) + 4, "the first block");
  is_int(values[1], 3 * (3 * 1 + 2) + 5, "the second");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* W W: the second write stands. */
static void test_two_writes(void)
{
  sn_engine *engine = engine_with(4);
  sn_tensor *tensor = tensor_named(engine, "A", UNITS * UNITS, 1);
  step steps[UNITS * UNITS][2];
  int64_t values[UNITS * UNITS];
  int code = sn_tensor_fill(tensor, 0), wrong = 0;

  memset(steps, 0, sizeof steps);
  for (int b = 0; b < UNITS * UNITS; b++)
    for (int k = 0; k < 2; k++) {
      steps[b][k].tensor = tensor;
      steps[b][k].block = b;
      steps[b][k].kind = 'P';
      steps[b][k].amount = k ? 20 : 10;
      code |= submit(engine, &steps[b][k], SN_ACCESS_WRITE_BUFFER,
                     sn_engine_unit(engine, k ? b / UNITS : b % UNITS), k);
    }
  is_int(code | sn_tensor_read(tensor, values, sizeof values), SN_OK, "W W, on any two units");
  for (int b = 0; b < UNITS * UNITS; b++) wrong += values[b] != 20;
  is_int(wrong, 0, "the second write stands");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- the edges ---- */

static void test_edges(void)
{
  static const char *const kinds = "WRRWAAR";
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine;
  sn_tensor *tensor;
  char text[8192] = "", *edges;
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;
  sn_use uses[4];
  sn_task_spec spec;
  sn_event *done = NULL;
  int codes = 0;

  options.workers = 0;                   /* nothing runs before it is awaited */
  options.record_graph = 1;
  engine = engine_by(&options);
  tensor = tensor_named(engine, "A", 4, 1);
  for (int k = 0; k < 7; k++) {
    const char name[] = { kinds[k], 0 };
    uses[0] = sn_use_block(kinds[k] == 'W' ? SN_PERMISSION_WRITE
                           : kinds[k] == 'R' ? SN_PERMISSION_READ : SN_PERMISSION_ACCUMULATE,
                           tensor, 0);
    spec = spec_with(name, do_nothing, NULL, uses, 1);
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_counters(engine, &counters), SN_OK, "W R R W A A R");
  is_int(counters.edges, 8, "eight edges");
  is_int(counters.waiting * 10 + counters.ready, 61, "one is ready");
  is_int(sn_engine_await(engine), SN_OK, "run");
  is_int(sn_engine_graph(engine, collect_text, text), SN_OK, "the graph");
  edges = strstr(text, "  t1 ->");
  is_str(edges ? edges : text,
         "  t1 -> t2;\n  t1 -> t3;\n  t2 -> t4;\n  t3 -> t4;\n  t4 -> t5;\n  t4 -> t6;\n"
         "  t5 -> t7;\n  t6 -> t7;\n}\n", "just these");
  ok(strstr(text, "t4 [label=\"W\"];") != NULL, "with names");

  /* over several blocks two tasks have one edge; a task has none to itself */
  uses[0] = sn_use_whole(SN_PERMISSION_WRITE, tensor);
  uses[1] = sn_use_block(SN_PERMISSION_READ, tensor, 2);
  spec = spec_with("all", do_nothing, NULL, uses, 2);
  codes |= sn_task_submit(engine, &spec, NULL);
  uses[0].where.hi[0] = 3;
  spec = spec_with("three", do_nothing, NULL, uses, 2);
  codes |= sn_task_submit(engine, &spec, NULL);
  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 3);
  spec = spec_with("the fourth", do_nothing, NULL, uses, 1);
  codes |= sn_task_submit(engine, &spec, NULL);
  is_int(codes | sn_engine_counters(engine, &counters), SN_OK, "all, three of four, the fourth");
  is_int(counters.edges, 8 + 2, "one edge each, from the first");

  /* what is refused leaves no trace in the order */
  uses[0].kind = SN_PERMISSION_WRITE;
  spec.body[SN_UNIT_HOST] = NULL;
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "one without a body");
  spec.body[SN_UNIT_HOST] = do_nothing;
  is_int(sn_task_submit(engine, &spec, &done) | sn_engine_counters(engine, &counters), SN_OK,
         "and with one");
  is_int(counters.edges, 8 + 3, "behind the reader");
  *text = 0;
  is_int(sn_task_explain(done, collect_text, text), SN_OK, "why it waits");
  is_str(text, "'the fourth' waits for read of A[3] by 'the fourth'\n", "for that alone");
  sn_event_release(done);
  is_int(sn_engine_await(engine), SN_OK, "run");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  static const int workers[] = { 1, 2, 4 };
  const int most = tap_size(2, MOST, MOST);

  test_edges();
  for (int first = 0; first < UNITS; first++)
    test_sequences(workers[first % 3], first, (first + 1) % UNITS, first < 2 ? most : most - 1);
  for (int k = 0; k < 3; k++) test_all_units(workers[k]);
  test_pairs(2, 0, 0);
  test_pairs(1, 0, 1);
  test_pairs(4, 2, 4);
  test_whole(0, 0);
  test_whole(0, 3);
  test_whole(4, 1);
  test_two_writes();
  return done_testing();
}
