/* StarPU in the rows task3 and metg: the same tasks with its handles, as many workers as OpenMP has
 * threads, the fewest steps of submission that its manual names (starpu_task_submit, no
 * performance model, the scheduler without one).  Built only where it is installed.
 */
#include "bench/contender.h"
#include "bench/ladder.h"

#include <omp.h>
#include <starpu.h>
#include <stdlib.h>

enum { CELLS = 1024 };

typedef struct bench {
  double v[2][CELLS];
  starpu_data_handle_t handle[2][CELLS];
  int64_t size;
} bench;

static int create(bench **out, int64_t size, int rows, int cells)
{
  struct starpu_conf conf;
  bench *b = calloc(1, sizeof *b);

  if (!b || starpu_conf_init(&conf)) return -1;
  conf.ncpus = omp_get_max_threads();
  conf.ncuda = conf.nopencl = 0;
  conf.sched_policy_name = "eager";
  setenv("STARPU_SILENT", "1", 1);
  if (starpu_init(&conf)) return -1;
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < cells; i++)
      starpu_variable_data_register(&b->handle[k][i], STARPU_MAIN_RAM, (uintptr_t)&b->v[k][i],
                                    sizeof(double));
  b->size = size;
  *out = b;
  return 0;
}

static int submit(struct starpu_codelet *codelet, starpu_data_handle_t *handles, int count,
                  void *argument)
{
  struct starpu_task *task = starpu_task_create();

  task->cl = codelet;
  for (int k = 0; k < count; k++) task->handles[k] = handles[k];
  task->cl_arg = argument;
  return starpu_task_submit(task);
}

/* StarPU keeps a variable that is read on the host where it is: no copies are made. */
static void add_up(const bench *b, int row, int cells, double *result)
{
  *result = 0;
  for (int k = 0; k < cells; k++) *result += b->v[row][k];
}

/* ---- task3 ---- */

static int create_task3(void **state, int64_t size)
{
  bench *b;

  if (create(&b, size, 1, CELLS)) return -1;
  *state = b;
  return 0;
}

static int before_task3(void *state)
{
  bench *b = state;

  for (int k = 0; k < CELLS; k++) b->v[0][k] = scramble((uint32_t)k) % 1000;
  return 0;
}

static void average(void *buffers[], void *argument)
{
  const double *left = (double *)STARPU_VARIABLE_GET_PTR(buffers[0]);
  double *own = (double *)STARPU_VARIABLE_GET_PTR(buffers[1]);
  const double *right = (double *)STARPU_VARIABLE_GET_PTR(buffers[2]);

  (void)argument;
  *own = 0.25 * *left + 0.5 * *own + 0.25 * *right;
}

static int run_task3(void *state)
{
  static struct starpu_codelet codelet = {
    .cpu_funcs = { average }, .nbuffers = 3, .modes = { STARPU_R, STARPU_RW, STARPU_R }
  };
  bench *b = state;

  for (int64_t k = 0; k < b->size; k++)
    if (submit(&codelet, &b->handle[0][k % (CELLS - 2)], 3, NULL)) return -1;
  return starpu_task_wait_for_all();
}

static int after_task3(void *state, double *result)
{
  add_up(state, 0, CELLS, result);
  return 0;
}

/* ---- metg ---- */

static int64_t turns;

static int create_metg(void **state, int64_t size)
{
  bench *b;

  if (create(&b, size, 2, LADDER_WIDTH)) return -1;
  for (int k = 0; k < LADDER_WIDTH; k++) b->v[0][k] = scramble((uint32_t)k) % 1000;
  *state = b;
  return 0;
}

static void work(void *buffers[], void *argument)
{
  (void)argument;
  *(double *)STARPU_VARIABLE_GET_PTR(buffers[3]) =
    ladder_busy(*(double *)STARPU_VARIABLE_GET_PTR(buffers[0]),
                *(double *)STARPU_VARIABLE_GET_PTR(buffers[1]),
                *(double *)STARPU_VARIABLE_GET_PTR(buffers[2]), turns);
}

static int run_grid(void *state, int64_t count)
{
  static struct starpu_codelet codelet = {
    .cpu_funcs = { work }, .nbuffers = 4, .modes = { STARPU_R, STARPU_R, STARPU_R, STARPU_W }
  };
  bench *b = state;

  turns = count;
  for (int64_t step = 0; step < b->size; step++)
    for (int i = 0; i < LADDER_WIDTH; i++) {
      starpu_data_handle_t *from = b->handle[step & 1];
      starpu_data_handle_t handles[4] = { from[ladder_left(i)], from[i], from[ladder_right(i)],
                                          b->handle[!(step & 1)][i] };
      if (submit(&codelet, handles, 4, NULL)) return -1;
    }
  return starpu_task_wait_for_all();
}

static int run_metg(void *state)
{
  return ladder_climb(run_grid, state, ((bench *)state)->size, omp_get_max_threads());
}

static int after_metg(void *state, double *result)
{
  bench *b = state;

  for (int k = 0; k < LADDER_WIDTH; k++) b->v[0][k] = scramble((uint32_t)k) % 1000;
  if (run_grid(b, 10)) return -1;
  add_up(b, b->size & 1, LADDER_WIDTH, result);
  return 0;
}

int main(int argc, char **argv)
{
  static const contender contenders[] = {
    { "task3", "StarPU", create_task3, before_task3, run_task3, after_task3 },
    { "metg", "StarPU", create_metg, NULL, run_metg, after_metg },
  };
  return contend(contenders, sizeof contenders / sizeof *contenders, argc, argv);
}
