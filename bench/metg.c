/* The row metg: the smallest task of a one-dimensional stencil that pays (ladder.h), two rows of
 * blocks read and written in turn.
 *
 *   ours     as many workers as OpenMP has threads, beside the thread that submits
 *   OpenMP   task depend, one thread of it submits
 */
#include "bench/contender.h"
#include "bench/ladder.h"

#include <snode/task.h>

#include <omp.h>
#include <stdlib.h>

typedef struct bench {
  double v[2][LADDER_WIDTH];
  int64_t steps, turns;
  sn_engine *engine;
  sn_tensor *row[2];
} bench;

static int start(bench *b)
{
  for (int k = 0; k < LADDER_WIDTH; k++) b->v[0][k] = scramble((uint32_t)k) % 1000;
  return 0;
}

/* What short tasks come to, which does not depend on where the ladder ended. */
static int sum(bench *b, double *result, int (*run)(void *, int64_t))
{
  start(b);
  if (run(b, 10)) return -1;
  *result = 0;
  for (int k = 0; k < LADDER_WIDTH; k++) *result += b->v[b->steps & 1][k];
  return 0;
}

static int create_plain(void **state, int64_t size)
{
  bench *b = calloc(1, sizeof *b);

  if (!b) return -1;
  *state = b;
  b->steps = size;
  return start(b);
}

/* ---- ours ---- */

static int create_ours(void **state, int64_t size)
{
  sn_engine_options engine = SN_ENGINE_OPTIONS_INIT;
  sn_tensor_options tensor = SN_TENSOR_OPTIONS_INIT;
  sn_space *space;
  bench *b;

  if (create_plain(state, size)) return -1;
  b = *state;
  engine.workers = omp_get_max_threads();
  SN_TRY(sn_engine_create(&engine, &b->engine));
  SN_TRY(sn_space_create(b->engine, LADDER_WIDTH, 1, &space));
  for (int k = 0; k < 2; k++) {
    tensor.home = b->v[k];
    SN_TRY(sn_tensor_create(b->engine, SN_TYPE_F64, 1, &space, &tensor, &b->row[k]));
  }
  sn_space_release(space);
  return 0;
}

typedef struct work {
  bench *bench;
  int to, column;
} work;

static int run_work(sn_run *run, void *user)
{
  const work *w = user;
  const double *from = w->bench->v[!w->to];
  const int i = w->column;

  (void)run;
  w->bench->v[w->to][i] = ladder_busy(from[ladder_left(i)], from[i], from[ladder_right(i)],
                                      w->bench->turns);
  return SN_OK;
}

static int run_ours(void *state, int64_t turns)
{
  bench *b = state;

  b->turns = turns;
  for (int64_t step = 0; step < b->steps; step++)
    for (int i = 0; i < LADDER_WIDTH; i++) {
      work w = { b, !(step & 1), i };
      sn_tensor *from = b->row[!w.to];
      const sn_use uses[4] = { sn_use_block(SN_PERMISSION_READ, from, ladder_left(i)),
                               sn_use_block(SN_PERMISSION_READ, from, i),
                               sn_use_block(SN_PERMISSION_READ, from, ladder_right(i)),
                               sn_use_block(SN_PERMISSION_WRITE, b->row[w.to], i) };
      sn_task_spec spec = SN_TASK_SPEC_INIT;
      spec.body[SN_UNIT_HOST] = run_work;
      spec.user = &w;
      spec.user_bytes = sizeof w;
      spec.uses = uses;
      spec.use_count = 4;
      SN_TRY(sn_task_submit(b->engine, &spec, NULL));
    }
  return sn_engine_await(b->engine);
}

static int metg_ours(void *state)
{
  return ladder_climb(run_ours, state, ((bench *)state)->steps, omp_get_max_threads());
}

static int after_ours(void *state, double *result) { return sum(state, result, run_ours); }

/* ---- OpenMP ---- */

static int run_openmp(void *state, int64_t turns)
{
  bench *b = state;

# pragma omp parallel
# pragma omp single
  for (int64_t step = 0; step < b->steps; step++)
    for (int i = 0; i < LADDER_WIDTH; i++) {
      double *from = b->v[step & 1], *to = b->v[!(step & 1)];
      const int l = ladder_left(i), r = ladder_right(i);
#     pragma omp task depend(in : from[l], from[i], from[r]) depend(out : to[i]) \
        firstprivate(from, to, i, l, r, turns)
      to[i] = ladder_busy(from[l], from[i], from[r], turns);
    }
  return 0;
}

static int metg_openmp(void *state)
{
  return ladder_climb(run_openmp, state, ((bench *)state)->steps, omp_get_max_threads());
}

static int after_openmp(void *state, double *result) { return sum(state, result, run_openmp); }

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "metg", "ours", create_ours, NULL, metg_ours, after_ours },
    { "metg", "OpenMP", create_plain, NULL, metg_openmp, after_openmp },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
