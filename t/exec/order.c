/* The order of tasks: every short sequence over one block, on every placement; random graphs
 * over blocks and slices against their sequential result; the edges themselves.
 */
#include <stdatomic.h>
#include <time.h>

#include <snode/task.h>

#include "t/tap.h"

static sn_engine *engine_with(int workers, int memories, uint64_t capacity, int record)
{
  sn_engine_options options = SN_ENGINE_OPTIONS_INIT;
  sn_engine *engine = NULL;

  options.workers = workers;
  options.memories = memories;
  options.capacity = capacity;
  options.record_graph = record;
  if (sn_engine_create(&options, &engine) != SN_OK) bail("no engine");
  return engine;
}

static sn_tensor *tensor_of(sn_engine *engine, int64_t blocks)
{
  sn_tensor_options options = SN_TENSOR_OPTIONS_INIT;
  sn_space *space;
  sn_tensor *tensor;

  options.name = "A";
  if (sn_space_create(engine, blocks, 1, &space) != SN_OK) bail("no space");
  if (sn_tensor_create(engine, SN_TYPE_I64, 1, &space, &options, &tensor) != SN_OK)
    bail("no tensor");
  sn_space_release(space);
  return tensor;
}

/* ---- one step of a sequence: what it does to a value, and what it must have seen ---- */

typedef struct step {
  sn_tensor *tensor;
  int64_t block;
  char kind;                     /* R, W (read_write), A */
  int64_t amount;
  int64_t seen;
  int code;
} step;

/* W: v = 3 v + amount, which does not commute; A: v += amount. */
static int body(sn_run *run, void *user)
{
  step *s = user;
  sn_buffer *buffer;
  int64_t *value;

  switch (s->kind) {
  case 'R':
    SN_TRY(s->code = sn_buffer_read(run, s->tensor, s->block, &buffer));
    s->seen = *(int64_t *)sn_buffer_data(buffer);
    return s->code = sn_buffer_release(buffer);
  case 'W':
    SN_TRY(s->code = sn_buffer_read_write(run, s->tensor, s->block, &buffer));
    value = sn_buffer_data(buffer);
    *value = 3 * *value + s->amount;
    return s->code = sn_buffer_release_put(buffer);
  default:
    SN_TRY(s->code = sn_buffer_acc(run, s->tensor, s->block, &buffer));
    *(int64_t *)sn_buffer_data(buffer) += s->amount;
    return s->code = sn_buffer_release_add(buffer);
  }
}

static uint32_t access_of(char kind)
{
  return kind == 'R' ? SN_ACCESS_READ_BUFFER
         : kind == 'W' ? SN_ACCESS_READ_WRITE_BUFFER : SN_ACCESS_ACCUMULATE_BUFFER;
}

static sn_task_spec spec_of(step *s, sn_use *use, sn_unit *unit)
{
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  *use = sn_use_block(access_of(s->kind), s->tensor, s->block);
  spec.body[SN_UNIT_HOST] = spec.body[SN_UNIT_MEMORY] = body;
  spec.user = s;
  spec.uses = use;
  spec.use_count = 1;
  spec.unit = unit;
  return spec;
}

/* ---- every sequence up to five, every placement on two units ---- */

static int run_sequence(sn_engine *engine, sn_tensor *tensor, const char *kinds, int length,
                        int placement, int64_t *value)
{
  step steps[5];
  int64_t expected[5];
  int wrong = 0;

  for (int k = 0; k < length; k++) {
    step *s = &steps[k];
    sn_use use;
    sn_task_spec spec;
    memset(s, 0, sizeof *s);
    s->tensor = tensor;
    s->kind = kinds[k];
    s->amount = k + 1;
    spec = spec_of(s, &use, sn_engine_unit(engine, placement >> k & 1));
    expected[k] = *value;
    if (kinds[k] == 'W') *value = (3 * *value + s->amount) % 1000000007;
    if (kinds[k] == 'A') *value += s->amount;
    wrong += sn_task_submit(engine, &spec, NULL) != SN_OK;
  }
  wrong += sn_engine_await(engine) != SN_OK;
  for (int k = 0; k < length; k++)
    wrong += steps[k].code != SN_OK || (kinds[k] == 'R' && steps[k].seen != expected[k]);
  return wrong;
}

static void test_sequences(int workers)
{
  sn_engine *engine = engine_with(workers, 1, 0, 0);
  sn_tensor *tensor = tensor_of(engine, 1);
  int sequences = 0, wrong = 0;
  int64_t got = 0;

  for (int length = 1; length <= 5; length++)
    for (int code = 0, all = (int)pow(3, length); code < all; code++) {
      char kinds[6] = "";
      for (int k = 0, rest = code; k < length; k++, rest /= 3) kinds[k] = "RWA"[rest % 3];
      for (int placement = 0; placement < 1 << length; placement++) {
        int64_t value = 0;
        wrong += sn_tensor_fill(tensor, 0) != SN_OK;
        wrong += run_sequence(engine, tensor, kinds, length, placement, &value);
        wrong += sn_tensor_read(tensor, &got, sizeof got) != SN_OK || got != value;
      }
      sequences++;
    }
  is_int(sequences, 363, "sequences");
  is_int(wrong, 0, "each on every placement, with %d workers", workers);
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- the edges ---- */

static void collect(void *user, const char *text)
{
  strncat(user, text, 8000 - strlen(user));
}

static int nothing(sn_run *run, void *user)
{
  (void)run;
  (void)user;
  return SN_OK;
}

static sn_task_spec plain_spec(const char *name, const sn_use *uses, int count)
{
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  spec.name = name;
  spec.body[SN_UNIT_HOST] = nothing;
  spec.uses = uses;
  spec.use_count = count;
  return spec;
}

static void test_edges(void)
{
  static const char *const kinds = "WRRWAAR";
  sn_engine *engine = engine_with(0, 0, 0, 1);
  sn_tensor *tensor = tensor_of(engine, 4);
  char text[8192] = "", *edges;
  sn_task_counters counters;
  sn_use uses[4];
  sn_task_spec spec;
  sn_event *done = NULL;
  int codes = 0;

  for (int k = 0; k < 7; k++) {
    const char name[] = { kinds[k], 0 };
    uses[0] = sn_use_block(kinds[k] == 'W' ? SN_PERMISSION_WRITE
                           : kinds[k] == 'R' ? SN_PERMISSION_READ : SN_PERMISSION_ACCUMULATE,
                           tensor, 0);
    spec = plain_spec(name, uses, 1);
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_counters(engine, &counters), SN_OK, "W R R W A A R");
  is_int(counters.edges, 8, "eight edges");
  is_int(counters.waiting * 10 + counters.ready, 61, "one is ready");
  is_int(sn_engine_await(engine), SN_OK, "run");
  is_int(sn_engine_graph(engine, collect, text), SN_OK, "the graph");
  edges = strstr(text, "  t1 ->");
  is_str(edges ? edges : text,
         "  t1 -> t2;\n  t1 -> t3;\n  t2 -> t4;\n  t3 -> t4;\n  t4 -> t5;\n  t4 -> t6;\n"
         "  t5 -> t7;\n  t6 -> t7;\n}\n", "just these");
  ok(strstr(text, "t4 [label=\"W\"];") != NULL, "with names");

  /* over several blocks two tasks have one edge; a task has none to itself */
  uses[0] = sn_use_whole(SN_PERMISSION_WRITE, tensor);
  uses[1] = sn_use_block(SN_PERMISSION_READ, tensor, 2);
  spec = plain_spec("all", uses, 2);
  codes |= sn_task_submit(engine, &spec, NULL);
  uses[0].where.hi[0] = 3;
  spec = plain_spec("three", uses, 2);
  codes |= sn_task_submit(engine, &spec, NULL);
  uses[0] = sn_use_block(SN_PERMISSION_READ, tensor, 3);
  spec = plain_spec("the fourth", uses, 1);
  codes |= sn_task_submit(engine, &spec, NULL);
  is_int(codes | sn_engine_counters(engine, &counters), SN_OK, "all, three of four, the fourth");
  is_int(counters.edges, 8 + 2, "one edge each, from the first");

  /* what is refused leaves no trace in the order */
  uses[0].kind = SN_PERMISSION_WRITE;
  spec.body[SN_UNIT_HOST] = NULL;
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "one without a body");
  spec.body[SN_UNIT_HOST] = nothing;
  is_int(sn_task_submit(engine, &spec, &done) | sn_engine_counters(engine, &counters), SN_OK,
         "and with one");
  is_int(counters.edges, 8 + 3, "behind the reader");
  *text = 0;
  is_int(sn_task_explain(done, collect, text), SN_OK, "why it waits");
  is_str(text, "'the fourth' waits for read of A[3] by 'the fourth'\n", "for that alone");
  sn_event_release(done);
  is_int(sn_engine_await(engine), SN_OK, "run");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

/* ---- random graphs ---- */

enum { BLOCKS = 12, MOST_USES = 3 };

typedef struct work {
  sn_tensor *tensor;
  int64_t block[MOST_USES];
  char kind[MOST_USES];
  int count;
  int64_t amount, seen[MOST_USES];
} work;

/* What it does with all its blocks, in the order that the sequential run below has. */
static int do_work(sn_run *run, void *user)
{
  work *w = user;
  sn_buffer *buffer;

  for (int k = 0; k < w->count; k++) {
    int64_t *value;
    if (w->kind[k] == 'R') {
      SN_TRY(sn_buffer_read(run, w->tensor, w->block[k], &buffer));
      w->seen[k] = *(int64_t *)sn_buffer_data(buffer);
      SN_TRY(sn_buffer_release(buffer));
    } else if (w->kind[k] == 'W') {
      SN_TRY(sn_buffer_read_write(run, w->tensor, w->block[k], &buffer));
      value = sn_buffer_data(buffer);
      *value = (3 * *value + w->amount) % 1000003;
      SN_TRY(sn_buffer_release_put(buffer));
    } else {
      SN_TRY(sn_buffer_acc(run, w->tensor, w->block[k], &buffer));
      *(int64_t *)sn_buffer_data(buffer) += w->amount;
      SN_TRY(sn_buffer_release_add(buffer));
    }
  }
  return SN_OK;
}

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(seed >> 33) % below;
}

static void choose(work *w)
{
  const int64_t first = draw(BLOCKS);

  w->count = 1 + (int)draw(MOST_USES);
  w->amount = 1 + draw(9);
  for (int k = 0; k < w->count; k++) {
    w->block[k] = (first + 5 * k) % BLOCKS;
    w->kind[k] = "RRWA"[draw(4)];
  }
}

/* Declared, or only permitted: by a slice that holds the block, or block by block. */
static int uses_of(const work *w, sn_use *uses, int all_declared)
{
  const int how = all_declared ? 1 : (int)draw(4);

  for (int k = 0; k < w->count; k++) {
    if (how > 0) {
      uses[k] = sn_use_block(access_of(w->kind[k]), w->tensor, w->block[k]);
    } else {
      uses[k] = sn_use_slice(w->kind[k] == 'R' ? SN_PERMISSION_READ
                             : w->kind[k] == 'W' ? SN_PERMISSION_WRITE
                                                 : SN_PERMISSION_ACCUMULATE,
                             sn_slice_block(w->tensor, w->block[k]));
      if (w->block[k] + 1 < BLOCKS && draw(4) == 0) uses[k].where.hi[0]++;
    }
  }
  return w->count;
}

/* fit: blocks that a memory holds; 0: all. */
static void test_random(int workers, int memories, uint64_t fit, int tasks)
{
  sn_engine *engine = engine_with(workers, memories, fit * sizeof(int64_t), 0);
  sn_tensor *tensor = tensor_of(engine, BLOCKS);
  work *all = calloc((size_t)tasks, sizeof *all);
  int64_t value[BLOCKS] = { 0 }, got[BLOCKS];
  int64_t (*expected)[MOST_USES] = calloc((size_t)tasks, sizeof *expected);
  int codes = 0, wrong = 0;
  sn_task_counters counters;

  if (!all || !expected) bail("no memory");
  seed = (uint64_t)(100 * workers + memories);
  for (int t = 0; t < tasks; t++) {
    work *w = &all[t];
    sn_use uses[MOST_USES];
    sn_task_spec spec = SN_TASK_SPEC_INIT;
    w->tensor = tensor;
    choose(w);
    for (int k = 0; k < w->count; k++) {
      int64_t *v = &value[w->block[k]];
      expected[t][k] = *v;
      if (w->kind[k] == 'W') *v = (3 * *v + w->amount) % 1000003;
      if (w->kind[k] == 'A') *v += w->amount;
    }
    spec.body[SN_UNIT_HOST] = spec.body[SN_UNIT_MEMORY] = do_work;
    spec.user = w;
    spec.uses = uses;
    spec.use_count = uses_of(w, uses, fit != 0);
    if (memories && draw(2)) spec.unit = sn_engine_unit(engine, (int)draw(1 + (uint32_t)memories));
    spec.priority = (int)draw(3);
    codes |= sn_task_submit(engine, &spec, NULL);
  }
  is_int(codes | sn_engine_await(engine), SN_OK, "%d tasks, %d workers, %d more units of %d blocks",
         tasks, workers, memories, (int)fit);
  is_int(sn_tensor_read(tensor, got, sizeof got), SN_OK, "read");
  for (int b = 0; b < BLOCKS; b++) wrong += got[b] != value[b];
  is_int(wrong, 0, "the sequential result");
  for (int t = 0; t < tasks; t++)
    for (int k = 0; k < all[t].count; k++)
      wrong += all[t].kind[k] == 'R' && all[t].seen[k] != expected[t][k];
  is_int(wrong, 0, "each saw what it had to");
  is_int(sn_engine_counters(engine, &counters), SN_OK, "counters");
  is_int(counters.finished, tasks + 1, "all have ended well");
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
  free(all);
  free(expected);
}

/* ---- what may run at once does ---- */

typedef struct meeting {
  atomic_int there;
  int wanted, met;
} meeting;

static int meets(sn_run *run, void *user)
{
  meeting *m = user;
  struct timespec pause = { 0, 100000 };

  (void)run;
  atomic_fetch_add(&m->there, 1);
  for (int turn = 0; turn < 50000 && atomic_load(&m->there) < m->wanted; turn++)
    nanosleep(&pause, NULL);
  return atomic_load(&m->there) >= m->wanted ? SN_OK : SN_EASSERT;
}

static void test_meetings(void)
{
  static const uint32_t kinds[] = { SN_PERMISSION_READ, SN_PERMISSION_ACCUMULATE,
                                    SN_PERMISSION_WRITE };
  sn_engine *engine = engine_with(2, 0, 0, 0);
  sn_tensor *tensor = tensor_of(engine, 2);

  for (int k = 0; k < 3; k++) {
    meeting m;
    sn_event *done[2] = { NULL, NULL };
    int codes = 0;
    memset(&m, 0, sizeof m);
    m.wanted = 2;
    for (int t = 0; t < 2; t++) {
      sn_use use = sn_use_block(kinds[k], tensor, k == 2 ? t : 0);
      sn_task_spec spec = plain_spec("meets", &use, 1);
      spec.body[SN_UNIT_HOST] = meets;
      spec.user = &m;
      codes |= sn_task_submit(engine, &spec, &done[t]);
    }
    for (int t = 0; t < 2; t++) {
      codes |= sn_event_await(done[t]);
      sn_event_release(done[t]);
    }
    is_int(codes, SN_OK, k == 0 ? "readers meet" : k == 1 ? "accumulators meet"
                                                          : "writers of two blocks meet");
  }
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
}

int main(void)
{
  static const int workers[] = { 1, 2, 4, 16 };
  const char *slow = getenv("SN_LONG");
  const int tasks = slow && *slow ? 100000 : 10000;

  test_edges();
  test_meetings();
  test_sequences(2);
  for (int k = 0; k < 4; k++) test_random(workers[k], k % 3, 0, tasks);
  test_random(0, 0, 0, tasks / 10);
  test_random(1, 1, 3, tasks / 10);
  test_random(2, 3, 4, tasks / 10);
  return done_testing();
}
