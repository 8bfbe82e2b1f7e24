/* The row transfer: work on a unit beside the copies that bring its blocks.  A memory unit with one
 * worker stands for a device: the engine brings the blocks of the tasks to come while one runs.
 *
 *   ours      the blocks stand at home; each task reads one, so that each is copied first
 *   compute   the same tasks, the blocks are there already
 *   copy      the blocks alone, by prefetch
 *
 * Ours may take 1.3 times the slower of the two: copies and work are hidden behind each other.
 * Threads are bound to processors, as StarPU's are: a system that packs threads which sleep and
 * wake onto one processor runs copies and work in turn there.
 */
#include "bench/contender.h"

#include <snode/task.h>

#include <stdlib.h>

enum { BLOCKS = 64, CELLS = 1 << 17 };

typedef struct bench {
  sn_engine *engine;
  sn_tensor *tensor;
  double sums[BLOCKS];
  int64_t turns;                 /* of work for each element */
} bench;

static int create(void **state, int64_t size)
{
  sn_engine_options engine = SN_ENGINE_OPTIONS_INIT;
  sn_space *space;
  bench *b = calloc(1, sizeof *b);

  if (!b) return -1;
  *state = b;
  b->turns = size;
  engine.workers = 0;
  engine.memories = 1;
  engine.bind = 1;
  SN_TRY(sn_engine_create(&engine, &b->engine));
  SN_TRY(sn_space_create(b->engine, (int64_t)BLOCKS * CELLS, CELLS, &space));
  SN_TRY(sn_tensor_create(b->engine, SN_TYPE_F64, 1, &space, NULL, &b->tensor));
  sn_space_release(space);
  return SN_OK;
}

/* Written anew, so that no replica is good. */
static int at_home(void *state)
{
  return sn_tensor_fill(((bench *)state)->tensor, 1.5);
}

static int prefetch(void *state)
{
  bench *b = state;
  const sn_slice all = sn_slice_whole(b->tensor);

  SN_TRY(sn_tensor_prefetch(&all, sn_engine_unit(b->engine, 1)));
  return sn_engine_await(b->engine);
}

static int over_there(void *state)
{
  SN_TRY(at_home(state));
  return prefetch(state);
}

typedef struct work {
  bench *bench;
  int64_t block;
} work;

static int run_work(sn_run *run, void *user)
{
  const work *w = user;
  double sum = 0;
  sn_buffer *buffer;
  const double *v;

  SN_TRY(sn_buffer_read(run, w->bench->tensor, w->block, &buffer));
  v = sn_buffer_data(buffer);
  for (int64_t n = 0; n < w->bench->turns; n++)
    for (int k = 0; k < CELLS; k++) sum = sum * 0.999 + v[k];
  w->bench->sums[w->block] = sum;
  return sn_buffer_release(buffer);
}

static int compute(void *state)
{
  bench *b = state;

  for (int64_t k = 0; k < BLOCKS; k++) {
    const sn_use use = sn_use_block(SN_ACCESS_READ_BUFFER, b->tensor, k);
    work w = { b, k };
    sn_task_spec spec = SN_TASK_SPEC_INIT;
    spec.body[SN_UNIT_MEMORY] = run_work;
    spec.user = &w;
    spec.user_bytes = sizeof w;
    spec.uses = &use;
    spec.use_count = 1;
    SN_TRY(sn_task_submit(b->engine, &spec, NULL));
  }
  return sn_engine_await(b->engine);
}

/* Of the last block alone: a copy computes nothing. */
static int after(void *state, double *result)
{
  bench *b = state;

  SN_TRY(compute(b));
  *result = b->sums[BLOCKS - 1];
  return SN_OK;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "transfer", "ours", create, at_home, compute, after },
    { "transfer", "compute", create, over_there, compute, after },
    { "transfer", "copy", create, at_home, prefetch, after },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
