/* The rows activate, gc_churn and append_*, in CUDA.
 *
 *   activate   a table of all slots; the lanes of a warp that find theirs empty take their cells by
 *              one atomic on a pool, and swap them in
 *   gc_churn   the same; who takes a cell out pushes it onto a stack, from which the next ones come
 *   append_*   arrays of the greatest length; for one list the lanes of a warp share one atomic
 */
#include "cuda.h"

#include <cooperative_groups.h>
#include <cstdlib>

namespace cg = cooperative_groups;

/* What a counter was before this lane's turn: one atomic for all lanes that call it together. */
template <typename T> __device__ static T take(T *counter)
{
  const cg::coalesced_group group = cg::coalesced_threads();
  T first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(counter, (T)group.size());
  return group.shfl(first, 0) + (T)group.thread_rank();
}

/* ---- activate, gc_churn; size: cells ---- */

enum { ALL = 16384 * 1024, CHURN_STEPS = 5, WANDER = 700001 };

struct churning {
  int64_t size, step;
  uint32_t *slot;               /* of all indices: 1 + the number of its cell; 0: there is none */
  float *cell;
  uint32_t *stack;              /* numbers of cells that were taken out: the first *stacked */
  unsigned *used, *stacked;     /* cells [0 .. *used) were taken once */
  double sum;
  cuda_total total;
};

/* The cells on the stack go first; *stacked is not changed meanwhile, and is set behind. */
__global__ static void come(churning c, int64_t first)
{
  const int64_t q = cuda_index();
  if (q >= c.size) return;
  const int64_t at = (first + q) & (ALL - 1);
  uint32_t seen = c.slot[at];
  if (seen == 0) {
    const unsigned turn = take(c.used), stacked = *c.stacked;
    const uint32_t mine = 1 + (turn < stacked ? c.stack[stacked - 1 - turn] : turn);
    seen = atomicCAS(&c.slot[at], 0u, mine);
    if (seen == 0) seen = mine;
  }
  c.cell[seen - 1] = (float)(q & 255);
}

__global__ static void go(churning c, double *total)
{
  double own = 0;
  for (int64_t at = cuda_index(); at < ALL; at += (int64_t)gridDim.x * blockDim.x) {
    const uint32_t seen = c.slot[at];
    if (seen == 0) continue;
    own += c.cell[seen - 1];
    c.slot[at] = 0;
    c.cell[seen - 1] = 0;
    c.stack[take(c.stacked)] = seen - 1;
  }
  cuda_add(own, total);
}

/* Behind come all cells are out of the stack, or were never in it, since go takes them all. */
__global__ static void empty_stack(churning c)
{
  *c.stacked = 0;
  *c.used = 0;
}

static int churn_create(void **state, int64_t size)
{
  churning *c = new churning();

  *state = c;
  c->size = size;
  return cuda_zeroed(&c->slot, ALL) || cuda_zeroed(&c->cell, ALL) || cuda_zeroed(&c->stack, ALL) ||
         cuda_zeroed(&c->used, 1) || cuda_zeroed(&c->stacked, 1) || c->total.create();
}

static int all_go(churning *c, double *sum)
{
  if (c->total.clear()) return -1;
  go<<<2048, BLOCK>>>(*c, c->total.at);
  return cuda_done() ? -1 : c->total.read(sum);
}

static int all_come(churning *c, int64_t first)
{
  come<<<blocks_for(c->size), BLOCK>>>(*c, first);
  empty_stack<<<1, 1>>>(*c);
  return cuda_done();
}

static int churn_run(void *state)
{
  churning *c = (churning *)state;
  double once;

  c->sum = 0;
  for (int s = 0; s < CHURN_STEPS; s++, c->step++) {
    if (all_come(c, c->step * WANDER % ALL) || all_go(c, &once)) return -1;
    c->sum += once;
  }
  return 0;
}

static int churn_after(void *state, double *result)
{
  *result = ((churning *)state)->sum;
  return 0;
}

static int activate_before(void *state)
{
  churning *c = (churning *)state;
  return all_go(c, &c->sum);
}

static int activate_run(void *state) { return all_come((churning *)state, 0); }

static int activate_after(void *state, double *result)
{
  return all_go((churning *)state, result);
}

/* ---- append_one; size: values ---- */

enum { ONE = 1 << 24, LISTS = 100000, LONGEST = 1024 };

struct appending {
  int64_t size;
  int32_t *values;
  unsigned *lengths;            /* of the one, or of each */
  cuda_total total;
};

__global__ static void to_one(appending a)
{
  const int64_t q = cuda_index();
  if (q >= a.size) return;
  const unsigned at = take(a.lengths);
  if (at < ONE) a.values[at] = (int32_t)q;
}

__global__ static void to_many(appending a, int scattered)
{
  const int64_t q = cuda_index();
  if (q >= a.size) return;
  const uint32_t list = (scattered ? cuda_scramble((uint32_t)q) : (uint32_t)q) % LISTS;
  const unsigned at = atomicAdd(&a.lengths[list], 1u);
  if (at < LONGEST) a.values[(int64_t)list * LONGEST + at] = (int32_t)q;
}

__global__ static void sum_lists(appending a, int64_t lists, int64_t longest, double *total)
{
  double own = 0;
  for (int64_t q = cuda_index(); q < lists * longest; q += (int64_t)gridDim.x * blockDim.x)
    if (q % longest < a.lengths[q / longest]) own += a.values[q];
  cuda_add(own, total);
}

static int append_create(void **state, int64_t size, size_t lists, size_t longest)
{
  appending *a = new appending();

  *state = a;
  a->size = size;
  return cuda_zeroed(&a->values, lists * longest) || cuda_zeroed(&a->lengths, lists) ||
         a->total.create();
}

static int one_create(void **state, int64_t size) { return append_create(state, size, 1, ONE); }

static int many_create(void **state, int64_t size)
{
  return append_create(state, size, LISTS, LONGEST);
}

static int one_clear(void *state)
{
  CUDA_TRY(cudaMemset(((appending *)state)->lengths, 0, sizeof(unsigned)));
  return cuda_done();
}

static int many_clear(void *state)
{
  CUDA_TRY(cudaMemset(((appending *)state)->lengths, 0, LISTS * sizeof(unsigned)));
  return cuda_done();
}

static int one_run(void *state)
{
  appending *a = (appending *)state;

  to_one<<<blocks_for(a->size), BLOCK>>>(*a);
  return cuda_done();
}

template <int SCATTERED> static int many_run(void *state)
{
  appending *a = (appending *)state;

  to_many<<<blocks_for(a->size), BLOCK>>>(*a, SCATTERED);
  return cuda_done();
}

template <int MANY> static int append_sum(void *state, double *result)
{
  appending *a = (appending *)state;

  if (a->total.clear()) return -1;
  sum_lists<<<2048, BLOCK>>>(*a, MANY ? LISTS : 1, MANY ? LONGEST : ONE, a->total.at);
  return cuda_done() ? -1 : a->total.read(result);
}

static const contender rows[] = {
  { "activate", "CUDA", churn_create, activate_before, activate_run, activate_after },
  { "gc_churn", "CUDA", churn_create, NULL, churn_run, churn_after },
  { "append_one", "CUDA", one_create, one_clear, one_run, append_sum<0> },
  { "append_many", "CUDA", many_create, many_clear, many_run<0>, append_sum<1> },
  { "append_scattered", "CUDA", many_create, many_clear, many_run<1>, append_sum<1> },
};
ROWS_OF_FILE(sparse_rows, rows)
