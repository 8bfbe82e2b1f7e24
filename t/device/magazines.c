/* Magazines: threads that take and give back cells in batches.  What a batch has left is lost to
 * nobody: others take it when there is no more, and the task's end gives it back.
 */
#include "reference.h"

static const node_spec nodes[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 4096, 0, 4, 0 },
};
enum { NODES = 2, CELL = 1, CELLS = 4096 };

static const node_spec defaults[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 4096, 0, 4, 9 },
};

static const node_spec large[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 4096, 0, 8, 9 },
  { SND_SNODE_DENSE, 1, 0, 2000, 8, 9 },
};

SND_INLINE int64_t work_many(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 8;
}

/* Takes cells first .. last - 1; counts those that it could not have. */
SND_INLINE void
take_cells(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
           int64_t first, int64_t last)
{
  for (int64_t l = first; l < last; l++)
    if (snd_pointer_activate(view, snode, launch, 0, view->snode[snode].container, l) == 0)
      snd_atomic_add_u64(&launch->vars[0], 1);
}

/* Each worker takes as many as vars[2] says, its number times as many more as vars[3]; all
 * together no more than there are. */
SND_INLINE void
snd_take_some(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const int64_t number = worker->team * worker->threads + worker->thread;
  const int64_t each = (int64_t)launch->vars[2], more = (int64_t)launch->vars[3];
  const int64_t first = number * each + number * (number - 1) / 2 * more;

  (void)slot;
  take_cells(view, snode, launch, first, snd_min_i64(first + each + number * more, CELLS));
}
SND_RUNTIME_TASK(take_some, work_many)

/* Each worker takes its share of all cells. */
SND_INLINE void
snd_take_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
               int32_t slot, const snd_worker *worker)
{
  const snd_share share = snd_share_of(worker, CELLS);

  (void)slot;
  for (int64_t l = share.first; l < share.last; l += share.step)
    take_cells(view, snode, launch, l, l + 1);
}
SND_RUNTIME_TASK(take_all, work_many)

/* The first worker takes cells 0 .. vars[2] - 1 and has the rest of a batch; when it is done
 * the last one takes all others. */
SND_INLINE void
snd_one_then_rest(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                  int32_t slot, const snd_worker *worker)
{
  const int64_t number = worker->team * worker->threads + worker->thread;
  const int64_t first = (int64_t)launch->vars[2];

  (void)slot;
  if (number == 0) {
    take_cells(view, snode, launch, 0, first);
    snd_store_release_u64(&launch->vars[1], 1);
  }
  if (number == worker->teams * worker->threads - 1) {
    while (snd_load_acquire_u64(&launch->vars[1]) == 0) snd_pause();
    take_cells(view, snode, launch, first, CELLS);
  }
}
SND_RUNTIME_TASK(one_then_rest, work_many)

/* Each worker takes out every vars[2]-th cell of its share, backwards. */
SND_INLINE void
snd_take_out(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
             int32_t slot, const snd_worker *worker)
{
  const snd_share share = snd_share_of(worker, CELLS);

  (void)slot;
  for (int64_t l = share.first; l < share.last; l += share.step) {
    const int64_t back = share.last - 1 - (l - share.first);
    if (back % (int64_t)launch->vars[2] == 0)
      snd_pointer_deactivate(view, snode, view->snode[snode].container, back);
  }
}
SND_RUNTIME_TASK(take_out, work_many)

/* ---- what is there is had, whoever had got it ---- */

static void test_all_is_had(uint64_t capacity, uint64_t first)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 6, .capacity = capacity });

  for (int round = 0; round < 3; round++) {
    launch_clear(t);
    t->launch->vars[2] = first;
    RUN(t, one_then_rest, CELL);
    is_int(t->launch->vars[0], CELLS - (int64_t)capacity,
           "of %d cells one thread takes %d, another all others", (int)capacity, (int)first);
    is_int(active_cells(t, CELL), (int64_t)capacity, "none is left over");
    RUN_RT(t, TASK_END, 0);
    is_int(wrong_ids(t, CELL), 0, "ids and cells agree");
    RUN_RT(t, LISTGEN, CELL);
    RUN_RT(t, DEACTIVATE_ALL, CELL);
    collect(t, CELL);
    is_int(counters_of(t, CELL)->free, (int64_t)capacity, "all of it is free again");
    is_int(wrong_managers(t), 0, "and as fresh");
  }
  tree_free(t);
}

/* Chunks that the arena has, less than the capacity. */
static void test_memory(uint64_t first)
{
  const int64_t chunk = 512, have = 5 * chunk;   /* cells of 8 bytes */
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 9, .arena = 5 * 4096 });

  t->launch->vars[2] = first;
  RUN(t, one_then_rest, CELL);
  is_int(t->launch->vars[0], CELLS - have, "memory for %d cells: so many are had", (int)have);
  is_int(t->launch->status.code, SN_ENOMEM, "the code");
  is_int(t->launch->status.have, have, "what it had");
  is_int(active_cells(t, CELL), have, "none is left over");
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, CELL)->reserved, have, "no id without memory is left");
  is_int(wrong_ids(t, CELL), 0, "ids and cells agree");
  tree_free(t);
}

/* ---- what is left over is given back ---- */

static void test_left_over(const node_spec *specs, int count, uint64_t each, uint64_t more,
                           int magazines)
{
  tree *t = tree_make(specs, count, &(tree_options){ .chunk = 4, .capacity = 3 * CELLS,
                                                     .magazines = magazines });
  const snd_snode_counters *c = counters_of(t, CELL);
  int64_t wrong = 0, active = 0;

  for (int round = 0; round < 4; round++) {
    launch_clear(t);
    t->launch->vars[2] = each;
    t->launch->vars[3] = more;
    RUN(t, take_some, CELL);
    active = active_cells(t, CELL);
    RUN_RT(t, TASK_END, 0);
    wrong += wrong_managers(t);
    wrong += (int64_t)(c->reserved - (c->free - c->taken)) != active;
    wrong += c->batched != 0;
    launch_clear(t);
    t->launch->vars[2] = (uint64_t)round + 1;
    RUN(t, take_out, CELL);
    RUN_RT(t, TASK_END, 0);
    wrong += wrong_ids(t, CELL);
    wrong += (int64_t)c->recycled != active - active_cells(t, CELL);
    collect(t, CELL);
    wrong += wrong_managers(t);
  }
  is_int(wrong, 0, "%d cells each, %d more: what is left over is free, as fresh", (int)each,
         (int)more);
  ok(ON_DEVICE || c->reserved <= (uint64_t)(2 * active + 8), "no more than was taken");
  is_int(cells_ever(t, CELL), active, "memory is used again, whoever had got it");
  tree_free(t);
}

/* ---- the free list is in the order of ids ---- */

static void test_order(void)
{
  tree *t = tree_make(defaults, NODES, &(tree_options){ .chunk = 4 });
  const uint32_t *ids;
  const snd_snode_counters *c = counters_of(t, CELL);
  int64_t wrong = 0;

  RUN(t, take_all, CELL);
  RUN_RT(t, TASK_END, 0);
  t->launch->vars[2] = 1;
  RUN(t, take_out, CELL);
  RUN_RT(t, TASK_END, 0);
  is_int(c->recycled, CELLS, "all is taken out");
  collect(t, CELL);
  ids = SND_POINTER(uint32_t, c->free_ids);
  for (uint64_t k = c->ready - CELLS; k + 1 < c->ready; k++) wrong += ids[k] >= ids[k + 1];
  ok(ON_DEVICE || wrong == 0, "and stands in the free list in the order of ids");
  is_int(wrong_managers(t), 0, "each once, and as fresh");
  for (uint64_t k = 0; !ON_DEVICE && k < (c->reserved + 63) / 64; k++)
    wrong += *snd_recycled_bits(&t->view->snode[CELL], (int64_t)k) != 0;
  ok(ON_DEVICE || wrong == 0, "no bit is left");
  tree_free(t);
}

int main(void)
{
  test_all_is_had(CELLS, 1);
  test_all_is_had(CELLS, 33);
  test_all_is_had(CELLS - 1, 100);
  test_all_is_had(10, 3);
  test_all_is_had(1, 1);
  if (!ON_DEVICE) {
    test_memory(1);
    test_memory(70);
  }
  test_left_over(nodes, NODES, 1, 0, 0);
  test_left_over(nodes, NODES, 100, 31, 0);
  test_left_over(nodes, NODES, 100, 31, 2);
  test_left_over(defaults, NODES, 7, 40, 0);
  test_left_over(large, 3, 20, 1, 0);
  test_order();
  return done_testing();
}
