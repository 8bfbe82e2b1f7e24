/* The rows task3, task0 and failing: what a task costs, beside OpenMP's of the compiler at hand
 * (gcc: libgomp, clang: libomp).  A task averages an element with its neighbours: it reads two
 * elements and writes one, along an array again and again, so that three tasks before
 * it are in its way.  The sums agree to the last bit, as the order is that of the program.
 *
 *   task3   ours         permissions on three blocks of one element; as many workers as
 *                        OpenMP has threads, beside the thread that submits
 *           no-worker    the same, run by the thread that submits, a thousand at a time
 *           buffers      the same with declared accesses: a buffer for each
 *           traced       with a span for each task
 *           replayed     a sweep recorded once and replayed again and again
 *           OpenMP       task depend, a thread of it submits
 *           OpenMP+1     with one thread more: as many workers as ours
 *   workers ours         task3's without a worker, a thousand at a time
 *           1 to 16      with so many workers, a thousand at a time: also more than processors
 *           OpenMP-2, OpenMP-16   as many threads as OpenMP has, and sixteen
 *   workers0             the same with tasks that nothing orders and that do nothing
 *   task0   ours         no permission, no worker: each adds to a number; a thousand at a time
 *           task3        three permissions, as many workers as OpenMP has threads
 *           alone        three permissions, no worker
 *           OpenMP       without depend, in one thread
 *   failing ours         task3's behind one that fails when all are submitted: each is cancelled
 *           run          behind one that does not fail: each runs
 */
#include "bench/contender.h"

#include <snode/task.h>

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1024, MOST_TASKS = 1024 };

typedef struct bench {
  double v[CELLS];
  int64_t size;
  sn_engine *engine;
  sn_tensor *tensor;
  sn_recording *sweep, *rest;
  atomic_int is_open;            /* the gate of the row failing */
  int threads;
} bench;

/* An element that has neighbours. */
static int cell_of(int64_t task) { return (int)(task % (CELLS - 2)) + 1; }

static void average(double *v, int i) { v[i] = 0.25 * v[i - 1] + 0.5 * v[i] + 0.25 * v[i + 1]; }

static int start(bench *b)
{
  for (int k = 0; k < CELLS; k++) b->v[k] = scramble((uint32_t)k) % 1000;
  return 0;
}

static int sum(bench *b, double *result)
{
  *result = 0;
  for (int k = 0; k < CELLS; k++) *result += b->v[k];
  return 0;
}

static int before(void *state) { return start(state); }
static int after(void *state, double *result) { return sum(state, result); }

/* ---- ours ---- */

static int create(void **state, int64_t size, int workers, int most, const char *trace)
{
  sn_engine_options engine = SN_ENGINE_OPTIONS_INIT;
  sn_tensor_options tensor = SN_TENSOR_OPTIONS_INIT;
  bench *b = calloc(1, sizeof *b);
  sn_space *space;

  if (!b) return -1;
  *state = b;
  b->size = size;
  engine.workers = workers;
  engine.most_tasks = most;
  engine.trace = trace;
  tensor.home = b->v;
  SN_TRY(sn_engine_create(&engine, &b->engine));
  SN_TRY(sn_space_create(b->engine, CELLS, 1, &space));
  SN_TRY(sn_tensor_create(b->engine, SN_TYPE_F64, 1, &space, &tensor, &b->tensor));
  sn_space_release(space);
  return 0;
}

static int create_ours(void **state, int64_t size)
{
  return create(state, size, omp_get_max_threads(), 0, NULL);
}

static int create_alone(void **state, int64_t size)
{
  return create(state, size, 0, MOST_TASKS, NULL);
}

/* As many unfinished tasks as without a worker. */
#define CREATE_WITH(workers)                                                                       \
  static int create_##workers(void **state, int64_t size)                                          \
  {                                                                                                \
    return create(state, size, workers, MOST_TASKS, NULL);                                         \
  }
CREATE_WITH(1)
CREATE_WITH(2)
CREATE_WITH(4)
CREATE_WITH(8)
CREATE_WITH(16)

static int create_traced(void **state, int64_t size)
{
  return create(state, size, omp_get_max_threads(), 0, "/dev/null");
}

typedef struct work {
  bench *bench;
  int cell;
} work;

static int run_average(sn_run *run, void *user)
{
  const work *w = user;

  (void)run;
  average(w->bench->v, w->cell);
  return SN_OK;
}

/* On the host a buffer is the block itself. */
static int run_buffers(sn_run *run, void *user)
{
  const work *w = user;
  sn_tensor *t = w->bench->tensor;
  sn_buffer *left, *own, *right;
  double *x;

  SN_TRY(sn_buffer_read(run, t, w->cell - 1, &left));
  SN_TRY(sn_buffer_read_write(run, t, w->cell, &own));
  SN_TRY(sn_buffer_read(run, t, w->cell + 1, &right));
  x = sn_buffer_data(own);
  *x = 0.25 * *(const double *)sn_buffer_data(left) + 0.5 * *x +
       0.25 * *(const double *)sn_buffer_data(right);
  SN_TRY(sn_buffer_release(left));
  SN_TRY(sn_buffer_release(right));
  return sn_buffer_release_put(own);
}

/* run: NULL, or who submits it as a child. */
static int submit(bench *b, sn_run *run, int i, sn_body_fn body, uint32_t reads, uint32_t writes)
{
  const sn_use uses[3] = { sn_use_block(reads, b->tensor, i - 1),
                           sn_use_block(writes, b->tensor, i),
                           sn_use_block(reads, b->tensor, i + 1) };
  work w = { b, i };
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  spec.body[SN_UNIT_HOST] = body;
  spec.user = &w;
  spec.user_bytes = sizeof w;
  spec.uses = uses;
  spec.use_count = 3;
  return run ? sn_task_submit_child(run, &spec, NULL) : sn_task_submit(b->engine, &spec, NULL);
}

static int submit_all(bench *b, sn_body_fn body, uint32_t reads, uint32_t writes)
{
  for (int64_t k = 0; k < b->size; k++)
    SN_TRY(submit(b, NULL, cell_of(k), body, reads, writes));
  return sn_engine_await(b->engine);
}

static int permissions(void *state)
{
  return submit_all(state, run_average, SN_PERMISSION_READ, SN_PERMISSION_WRITE);
}

static int buffers(void *state)
{
  return submit_all(state, run_buffers, SN_ACCESS_READ_BUFFER, SN_ACCESS_READ_WRITE_BUFFER);
}

/* ---- recorded ---- */

typedef struct stretch {
  bench *bench;
  int64_t tasks;
} stretch;

static int submit_stretch(sn_run *run, void *user)
{
  const stretch *s = user;

  for (int64_t k = 0; k < s->tasks; k++)
    SN_TRY(submit(s->bench, run, cell_of(k), run_average, SN_PERMISSION_READ,
                  SN_PERMISSION_WRITE));
  return SN_OK;
}

static int create_recorded(void **state, int64_t size)
{
  stretch s = { NULL, CELLS - 2 };

  SN_TRY(create_ours(state, size));
  s.bench = *state;
  SN_TRY(sn_record(s.bench->engine, submit_stretch, &s, &s.bench->sweep));
  s.tasks = size % (CELLS - 2);
  return sn_record(s.bench->engine, submit_stretch, &s, &s.bench->rest);
}

static int replay(void *state)
{
  bench *b = state;

  for (int64_t k = 0; k < b->size / (CELLS - 2); k++) SN_TRY(sn_replay(b->sweep, NULL, NULL));
  SN_TRY(sn_replay(b->rest, NULL, NULL));
  return sn_engine_await(b->engine);
}

/* ---- OpenMP ---- */

static int create_openmp(void **state, int64_t size)
{
  bench *b = calloc(1, sizeof *b);

  if (!b) return -1;
  *state = b;
  b->size = size;
  b->threads = omp_get_max_threads();
  return 0;
}

static int create_more(void **state, int64_t size)
{
  const int failed = create_openmp(state, size);

  if (!failed) ((bench *)*state)->threads++;
  return failed;
}

static int create_crowd(void **state, int64_t size)
{
  const int failed = create_openmp(state, size);

  if (!failed) ((bench *)*state)->threads = 16;
  return failed;
}

static int depend(void *state)
{
  bench *b = state;
  double *v = b->v;

# pragma omp parallel num_threads(b->threads)
# pragma omp single
  for (int64_t k = 0; k < b->size; k++) {
    const int i = cell_of(k);
#   pragma omp task depend(in : v[i - 1], v[i + 1]) depend(inout : v[i]) firstprivate(i)
    average(v, i);
  }
  return 0;
}

/* ---- task0: tasks that nothing orders ---- */

static int run_add(sn_run *run, void *user)
{
  (void)run;
  ((bench *)user)->v[0] += 1;
  return SN_OK;
}

/* Several workers may add to no number without an order. */
static int run_nothing(sn_run *run, void *user)
{
  (void)run;
  (void)user;
  return SN_OK;
}

static int submit_none(bench *b, sn_body_fn body)
{
  for (int64_t k = 0; k < b->size; k++) {
    sn_task_spec spec = SN_TASK_SPEC_INIT;
    spec.body[SN_UNIT_HOST] = body;
    spec.user = b;
    SN_TRY(sn_task_submit(b->engine, &spec, NULL));
  }
  return sn_engine_await(b->engine);
}

static int none(void *state) { return submit_none(state, run_add); }
static int nothing(void *state) { return submit_none(state, run_nothing); }

/* The same sum, so that the rows can be compared. */
static int run_add_at(sn_run *run, void *user)
{
  const work *w = user;

  (void)run;
  w->bench->v[w->cell] += 1;
  return SN_OK;
}

static int three(void *state)
{
  return submit_all(state, run_add_at, SN_PERMISSION_READ, SN_PERMISSION_WRITE);
}

/* ---- failing: tasks behind one that waits until all are submitted ---- */

static void wait_until_open(bench *b)
{
  while (!atomic_load_explicit(&b->is_open, memory_order_acquire))
    ;
}

static int pass(sn_run *run, void *user)
{
  (void)run;
  wait_until_open(user);
  return SN_OK;
}

static int fail(sn_run *run, void *user)
{
  (void)run;
  wait_until_open(user);
  return SN_EIO;
}

static int behind(bench *b, sn_body_fn gate)
{
  const sn_use all = sn_use_whole(SN_PERMISSION_WRITE, b->tensor);
  sn_task_spec spec = SN_TASK_SPEC_INIT;

  atomic_store_explicit(&b->is_open, 0, memory_order_relaxed);
  spec.body[SN_UNIT_HOST] = gate;
  spec.user = b;
  spec.uses = &all;
  spec.use_count = 1;
  SN_TRY(sn_task_submit(b->engine, &spec, NULL));
  for (int64_t k = 0; k < b->size; k++)
    SN_TRY(submit(b, NULL, cell_of(k), run_average, SN_PERMISSION_READ, SN_PERMISSION_WRITE));
  atomic_store_explicit(&b->is_open, 1, memory_order_release);
  return sn_engine_await(b->engine);
}

static int run_behind(void *state) { return behind(state, pass); }
static int fail_before(void *state) { return behind(state, fail); }

/* How many there have been, one way or the other. */
static int ended(void *state, double *result)
{
  bench *b = state;
  sn_task_counters c = SN_TASK_COUNTERS_INIT;

  SN_TRY(sn_engine_counters(b->engine, &c));
  *result = (double)(c.finished + c.failed + c.canceled);
  return SN_OK;
}

static int openmp_none(void *state)
{
  bench *b = state;

# pragma omp parallel num_threads(1)
# pragma omp single
  for (int64_t k = 0; k < b->size; k++) {
#   pragma omp task
    b->v[0] += 1;
  }
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "task3", "ours", create_ours, before, permissions, after },
    { "task3", "no-worker", create_alone, before, permissions, after },
    { "task3", "buffers", create_ours, before, buffers, after },
    { "task3", "traced", create_traced, before, permissions, after },
    { "task3", "replayed", create_recorded, before, replay, after },
    { "task3", "OpenMP", create_openmp, before, depend, after },
    { "task3", "OpenMP+1", create_more, before, depend, after },
    { "workers", "1", create_1, before, permissions, after },
    { "workers", "2", create_2, before, permissions, after },
    { "workers", "4", create_4, before, permissions, after },
    { "workers", "8", create_8, before, permissions, after },
    { "workers", "16", create_16, before, permissions, after },
    { "workers", "ours", create_alone, before, permissions, after },
    { "workers", "OpenMP-2", create_openmp, before, depend, after },
    { "workers", "OpenMP-16", create_crowd, before, depend, after },
    { "workers0", "1", create_1, before, nothing, after },
    { "workers0", "2", create_2, before, nothing, after },
    { "workers0", "4", create_4, before, nothing, after },
    { "workers0", "8", create_8, before, nothing, after },
    { "workers0", "16", create_16, before, nothing, after },
    { "workers0", "ours", create_alone, before, nothing, after },
    { "task0", "ours", create_alone, before, none, after },
    { "task0", "task3", create_ours, before, three, after },
    { "task0", "alone", create_alone, before, three, after },
    { "task0", "OpenMP", create_openmp, before, openmp_none, after },
    { "failing", "ours", create_ours, before, fail_before, ended },
    { "failing", "run", create_ours, before, run_behind, ended },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
