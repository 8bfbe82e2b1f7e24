/* The order of tasks: random graphs over blocks and slices against their sequential result.  (Every
 * short sequence, and the edges themselves: device/sequences.c.)
 */
#include <stdatomic.h>

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

static uint32_t access_of(char kind)
{
  return kind == 'R' ? SN_ACCESS_READ_BUFFER
         : kind == 'W' ? SN_ACCESS_READ_WRITE_BUFFER : SN_ACCESS_ACCUMULATE_BUFFER;
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
  sn_task_counters counters = SN_TASK_COUNTERS_INIT;

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

/* ---- many accesses of one task ---- */

static int sees_all(sn_run *run, void *user)
{
  *(int *)user = sn_run_uses(run, NULL, NULL);
  return SN_OK;
}

/* Each block twice. */
static void test_many(void)
{
  enum { MANY = 16000 };
  sn_engine *engine = engine_with(0, 0, 0, 0);
  sn_tensor *tensor = tensor_of(engine, MANY);
  sn_use *uses = calloc(2 * MANY, sizeof *uses);
  sn_task_spec spec = SN_TASK_SPEC_INIT;
  int seen = 0;

  if (!uses) bail("no memory");
  for (int k = 0; k < 2 * MANY; k++)
    uses[k] = sn_use_block(SN_ACCESS_READ_BUFFER, tensor, 7 * k % MANY);
  spec.name = "many";
  spec.body[SN_UNIT_HOST] = sees_all;
  spec.user = &seen;
  spec.uses = uses;
  spec.use_count = 2 * MANY;
  is_int(sn_task_submit(engine, &spec, NULL), SN_OK, "a task of many accesses");
  is_int(sn_engine_await(engine), SN_OK, "it runs");
  is_int(seen, 2 * MANY, "with a permission and a buffer of each block");
  uses[2 * MANY - 1].kind = SN_ACCESS_READ_WRITE_BUFFER;
  is_int(sn_task_submit(engine, &spec, NULL), SN_EINVAL, "the last excludes another");
  ok(strstr(sn_engine_error(engine), "'many' declares two buffers of A[") != NULL, "the text: %s",
     sn_engine_error(engine));
  sn_engine_clear(engine);
  is_int(sn_tensor_destroy(tensor) | sn_engine_destroy(engine), SN_OK, "gone");
  free(uses);
}

int main(void)
{
  static const int workers[] = { 1, 2, 4, 16 };
  const int tasks = tap_size(50, 10000, 100000);

  for (int k = 0; k < 4; k++) test_random(workers[k], k % 3, 0, tasks);
  test_random(0, 0, 0, tasks / 10);
  test_random(1, 1, 3, tasks / 10);
  test_random(2, 3, 4, tasks / 10);
  test_many();
  return done_testing();
}
