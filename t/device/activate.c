/* Activation and deactivation by many threads at once, and memory that runs out. */
#include "reference.h"

static const node_spec nodes[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 16, 16, 2, 0 },
  { SND_SNODE_DENSE, 1, 2, 3, 1, 5 },
  { SND_SNODE_POINTER, 2, 4, 0, 4, 0x01020304 },
};
enum { TILE = 1, NODE = 2, LEAF = 3, NODES = 4 };

/* ---- many threads want the same cells ---- */

/* Every worker activates every cell of TILE and notes in the root's place how often
 * it was given another address than the one that stands in the slot. */
SND_INLINE void
snd_all_want_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                 int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  (void)worker;
  for (int64_t l = 0; l < (int64_t)node->cells; l++) {
    const sn_addr cell = snd_pointer_activate(view, snode, launch, slot, node->container, l);
    if (cell == 0 || cell != snd_pointer_peek(node, node->container, l))
      snd_atomic_add_u64(&launch->vars[0], 1);
  }
}
SND_INLINE int64_t work_many(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 64;
}
SND_RUNTIME_TASK(all_want_all, work_many)

/* Between tasks plain loads see what the atomic ones see. */
static void test_settled(const tree *t)
{
  const snd_snode_view *node = &t->view->snode[TILE];
  int64_t differ = 0;

  snd_pointer_deactivate(t->view, TILE, node->container, 5);
  for (int64_t l = 0; l < (int64_t)node->cells; l++) {
    differ += snd_pointer_read_settled(node, node->container, l) !=
              snd_pointer_read(node, node->container, l);
    differ += snd_pointer_peek_settled(node, node->container, l) !=
              snd_pointer_peek(node, node->container, l);
  }
  is_int(differ, 0, "settled slots read the same");
}

static void test_same_cells(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2, .threads = threads });

  RUN(t, all_want_all, TILE);
  is_int(t->launch->vars[0], 0, "%d threads: all get the cell that stands in the slot", threads);
  RUN_RT(t, TASK_END, 0);
  is_int(cells_ever(t, TILE), 256, "each cell is built once");
  is_int(wrong_ids(t, TILE), 0, "ids and cells agree");
  is_int(counters_of(t, TILE)->version, 1, "a change of activity is a version");
  RUN(t, all_want_all, TILE);
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, TILE)->version, 1, "no change is none");
  test_settled(t);
  is_int(t->launch->status.code, SN_OK, "no error");
  tree_free(t);
}

/* ---- activation and deactivation of the same cells in one task ---- */

/* Activates LEAF cells below TILE cells, and takes cells of both out again. */
SND_INLINE void
snd_turmoil(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *tile = &view->snode[TILE], *node = &view->snode[NODE],
                              *leaf = &view->snode[LEAF];
  uint64_t x = (uint64_t)(worker->team * worker->threads + worker->thread) + launch->vars[1];

  (void)snode;
  for (int k = 0; k < 300; k++) {
    const int64_t l = (int64_t)(next_random(&x) % 16), m = (int64_t)(next_random(&x) % 6);
    const int64_t c = (int64_t)(next_random(&x) % 4);
    const sn_addr cell = snd_pointer_activate(view, TILE, launch, slot, tile->container, l);
    const sn_addr container =
      snd_container(leaf, snd_dense_lookup(node, snd_container(node, cell), m, 0));
    sn_addr below;

    if (cell == 0) return;
    below = snd_pointer_activate(view, LEAF, launch, slot, container, c);
    /* Sums go to the cell as it was or is; only that they hit no other cell shows. */
    if (below != 0) snd_atomic_add_u32(SND_POINTER(uint32_t, below), 1);
    if (next_random(&x) % 8 == 0) snd_pointer_deactivate(view, LEAF, container, c);
    if (next_random(&x) % 16 == 0) snd_pointer_deactivate(view, TILE, tile->container, l);
  }
}
SND_RUNTIME_TASK(turmoil, work_many)

static void test_turmoil(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 3, .threads = threads,
                                                     .capacity = 400000 });
  int64_t wrong = 0, spoilt = 0, lost = 0;

  for (int round = 0; round < 10; round++) {
    uint64_t before = counters_of(t, LEAF)->reserved, recycled;
    t->launch->vars[1] = (uint64_t)round * 1000;
    RUN(t, turmoil, 0);
    RUN_RT(t, TASK_END, 0);
    recycled = counters_of(t, TILE)->recycled;
    if (recycled == 0 || counters_of(t, LEAF)->recycled == 0) lost++;
    if (round == 0) lost += counters_of(t, LEAF)->reserved == before;
    wrong += wrong_ids(t, TILE);
    collect(t, TILE);
    wrong += wrong_ids(t, TILE) + wrong_ids(t, LEAF);
    spoilt += spoilt_free_cells(t, TILE) + spoilt_free_cells(t, LEAF);
    wrong += counters_of(t, TILE)->recycled != 0 || counters_of(t, LEAF)->recycled != 0;
  }
  is_int(t->launch->status.code, SN_OK, "%d threads: turmoil without an error", threads);
  is_int(lost, 0, "cells were taken out and built");
  is_int(wrong, 0, "each id is in a slot or once in the free list");
  is_int(spoilt, 0, "free cells hold their defaults and ids");
  tree_free(t);
}

/* One worker: what it takes out is not handed out again in that task. */
SND_INLINE void
snd_in_and_out(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
               int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  if (!snd_is_first(worker)) return;
  for (int k = 0; k < 10; k++) {
    const sn_addr cell = snd_pointer_activate(view, snode, launch, slot, node->container, 3);
    for (int before = 0; before < k; before++)
      if (launch->vars[2 + before] == cell) snd_atomic_add_u64(&launch->vars[1], 1);
    launch->vars[2 + k] = cell;
    snd_pointer_deactivate(view, snode, node->container, 3);
    snd_pointer_deactivate(view, snode, node->container, 3);
    if (snd_pointer_is_active(node, node->container, 3) ||
        snd_pointer_read(node, node->container, 3) != node->ambient)
      snd_atomic_add_u64(&launch->vars[1], 1);
  }
}
SND_RUNTIME_TASK(in_and_out, snd_work_single)

static void test_in_and_out(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 1 });

  for (int round = 0; round < 3; round++) {
    t->launch->vars[1] = 0;
    RUN(t, in_and_out, TILE);
    RUN_RT(t, TASK_END, 0);
    is_int(t->launch->vars[1], 0, "round %d: nothing taken out is handed out again", round);
    is_int(counters_of(t, TILE)->recycled, 10, "the second deactivation does nothing");
    collect(t, TILE);
    is_int(counters_of(t, TILE)->reserved, 10, "memory is used again after GC");
    is_int(wrong_ids(t, TILE), 0, "ids are conserved");
  }
  tree_free(t);
}

/* ---- memory runs out ---- */

/* Each worker wants its share of the cells; counts those it could not have. */
SND_INLINE void
snd_want_more(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
              int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const snd_share share = snd_share_of(worker, (int64_t)node->cells);

  for (int64_t l = share.first; l < share.last; l += share.step)
    if (snd_pointer_activate(view, snode, launch, slot, node->container, l) == 0)
      snd_atomic_add_u64(&launch->vars[0], 1);
}
SND_RUNTIME_TASK(want_more, work_many)

static void test_exhausted(const char *name, const tree_options *o, int code, int64_t have)
{
  tree *t = tree_make(nodes, NODES, o);
  const snd_status *status = &t->launch->status;

  RUN(t, want_more, TILE);
  is_int(t->launch->vars[0], 256 - have, "%s: what could not be had was refused", name);
  is_int(status->code, code, "%s: the code", name);
  is_int(status->snode, TILE, "%s: the SNode", name);
  is_int(status->have, have, "%s: what it had", name);
  ok(status->want > status->have, "%s: what it wanted", name);
  is_int(active_cells(t, TILE), have, "%s: all else is active", name);
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, TILE)->reserved, have, "%s: no id without memory is left", name);
  is_int(wrong_ids(t, TILE), 0, "%s: ids and cells agree", name);

  /* and the tree goes on: take all out, collect, have as much again */
  launch_clear(t);
  RUN_RT(t, LISTGEN, TILE);
  RUN_RT(t, DEACTIVATE_ALL, TILE);
  collect(t, TILE);
  is_int(counters_of(t, TILE)->free, have, "%s: all of it is free after GC", name);
  RUN(t, want_more, TILE);
  is_int(active_cells(t, TILE), have, "%s: and is had again", name);
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, TILE)->taken, counters_of(t, TILE)->free, "%s: the free list is used up",
         name);
  is_int(wrong_ids(t, TILE), 0, "%s: ids and cells agree again", name);
  tree_free(t);
}

int main(void)
{
  static const int threads[] = { 1, 2, 16 };

  for (int k = 0; k < 3; k++) {
    test_same_cells(threads[k]);
    test_turmoil(threads[k]);
  }
  test_in_and_out();
  if (ON_DEVICE)
    test_exhausted("headroom", &(tree_options){ .chunk = 3, .ahead = 100 }, SN_ENOMEM, 104);
  else /* a chunk: 8 cells of 248 bytes, a page with what aligns it */
    test_exhausted("arena", &(tree_options){ .chunk = 3, .arena = 10 * 4096 + 1000 }, SN_ENOMEM,
                   80);
  test_exhausted("capacity", &(tree_options){ .chunk = 3, .capacity = 101 }, SN_ECAPACITY, 101);
  test_exhausted("capacity 1", &(tree_options){ .chunk = 0, .capacity = 1, .threads = 16 },
                 ON_DEVICE ? SN_ENOMEM : SN_ECAPACITY, 1);
  return done_testing();
}
