/* Bitmasked cells: bits, resets and the sweep; what is below them; many threads. */
#include "reference.h"

static const node_spec nodes[] = {
  ROOT,
  { SND_SNODE_BITMASKED, 0, 9, 15, 4, 0x01020304 },    /* 135 cells: three mask words */
  { SND_SNODE_DENSE, 1, 1, 2, 1, 5 },
  { SND_SNODE_BITMASKED, 2, 1, 7, 2, 0 },              /* bits in a cell that has a bit */
  { SND_SNODE_POINTER, 3, 3, 1, 8, 77 },
  { SND_SNODE_BITMASKED, 4, 2, 2, 0, 0 },              /* no component: activity is the data */
};
enum { FLAG = 1, PAIR = 2, INNER = 3, CELL = 4, BARE = 5, NODES = 6 };

SND_INLINE int64_t work_many(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 64;
}

/* ---- one thread: the six functions, and the forms by name ---- */

static void test_functions(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2 });
  const snd_snode_view *node = &t->view->snode[FLAG];
  const sn_addr c = node->container;
  int64_t wrong = 0, met = 0;

  is_int(snd_bitmasked_capacity(node), 135, "capacity");
  is_int(snd_bitmasked_iterate(node, c, 0), 135, "an empty container has no active cell");
  for (int64_t l = 0; l < 135; l += 3) {
    const sn_addr cell = snd_bitmasked_activate(t->view, FLAG, t->launch, 0, c, l);
    wrong += cell != c + (uint64_t)l * node->cell_bytes;
  }
  for (int64_t l = 0; l < 135; l++) {
    const sn_addr cell = c + (uint64_t)l * node->cell_bytes;
    wrong += snd_bitmasked_is_active(node, c, l) != (l % 3 == 0);
    wrong += snd_bitmasked_read(node, c, l) != cell;
    wrong += snd_bitmasked_peek(node, c, l) != (l % 3 == 0 ? cell : 0);
    wrong += snd_bitmasked_peek_settled(node, c, l) != (l % 3 == 0 ? cell : 0);
    wrong += snd_bitmasked_lookup(node, c, l, 99) != (l % 3 == 0 ? cell : 99);
  }
  is_int(wrong, 0, "what is active, and where cells are");
  for (int64_t l = snd_bitmasked_iterate(node, c, 0); l < 135;
       l = snd_bitmasked_iterate(node, c, l + 1)) {
    wrong += l % 3 != 0;
    met++;
  }
  is_int(met, 45, "iterate meets each active cell");
  is_int(wrong, 0, "and no other");
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, FLAG)->version, 1, "a change of activity is a version");
  for (int64_t l = 0; l < 135; l += 3) snd_bitmasked_activate(t->view, FLAG, t->launch, 0, c, l);
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, FLAG)->version, 1, "no change is none");
  tree_free(t);
}

/* ---- of several deactivations exactly one takes a cell out ---- */

/* One worker: everything active, everything written. */
SND_INLINE void
snd_grow_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
             int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *flag = &view->snode[FLAG], *pair = &view->snode[PAIR],
                              *inner = &view->snode[INNER], *cells = &view->snode[CELL];

  (void)snode;
  if (!snd_is_first(worker)) return;
  for (int64_t l = 0; l < 135; l++) {
    const sn_addr cell = snd_bitmasked_activate(view, FLAG, launch, slot, flag->container, l);
    snd_value_store(cell + snd_field(view, FLAG)->offset, 4, 1);
    for (int64_t p = 0; p < 2; p++) {
      const sn_addr two = snd_dense_lookup(pair, snd_container(pair, cell), p, 0);
      snd_value_store(two + snd_field(view, PAIR)->offset, 1, 2);
      for (int64_t k = 0; k < 7; k++) {
        const sn_addr below =
          snd_bitmasked_activate(view, INNER, launch, slot, snd_container(inner, two), k);
        const sn_addr leaf =
          snd_pointer_activate(view, CELL, launch, slot, snd_container(cells, below), k % 3);
        snd_value_store(below + snd_field(view, INNER)->offset, 2, 3);
        if (leaf != 0) snd_value_store(leaf + snd_field(view, CELL)->offset, 8, 4);
      }
    }
  }
}
SND_RUNTIME_TASK(grow_all, snd_work_single)

/* Every worker takes every cell out. */
SND_INLINE void
snd_all_take_out(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                 int32_t slot, const snd_worker *worker)
{
  (void)launch;
  (void)slot;
  (void)worker;
  for (int64_t l = 0; l < 135; l++)
    snd_bitmasked_deactivate(view, snode, view->snode[snode].container, l);
}
SND_RUNTIME_TASK(all_take_out, work_many)

static void test_once(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2, .threads = threads });

  RUN(t, grow_all, 0);
  RUN_RT(t, TASK_END, 0);
  is_int(active_cells(t, CELL), 135 * 2 * 7, "%d threads: cells on every level", threads);
  RUN(t, all_take_out, FLAG);
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, CELL)->recycled, 135 * 2 * 7, "each is taken out once, with all below");
  is_int(counters_of(t, FLAG)->taken_out, 1, "which the sweep is told");
  is_int(active_cells(t, FLAG), 0, "none is active");
  collect(t, FLAG);
  is_int(dirty_cells(t), 0, "all is as fresh");
  is_int(wrong_ids(t, CELL), 0, "ids are conserved");
  is_int(counters_of(t, FLAG)->taken_out, 0, "the sweep is done");
  tree_free(t);
}

/* ---- the same iteration meets an inactive cell, and a fresh one after that ---- */

static void test_in_order(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2 });
  const snd_snode_view *flag = &t->view->snode[FLAG], *inner = &t->view->snode[INNER];
  const sn_addr cell = flag->container + 130 * flag->cell_bytes;
  sn_addr below;

  RUN(t, grow_all, 0);
  snd_bitmasked_deactivate(t->view, FLAG, flag->container, 130);
  ok(!snd_bitmasked_is_active(flag, flag->container, 130), "inactive at once");
  is_int(snd_value_load(cell + snd_field(t->view, FLAG)->offset, 4), 0x01020304,
         "reads give the default");
  below = snd_nth_container(t->view, FLAG, cell, INNER, 1);
  is_int(snd_bitmasked_iterate(inner, below, 0), 7, "nothing below is active");
  is_int(snd_value_load(below + 3 * inner->cell_bytes + snd_field(t->view, INNER)->offset, 2), 0,
         "what is below reads as its default");
  snd_bitmasked_activate(t->view, FLAG, t->launch, 0, flag->container, 130);
  is_int(snd_value_load(cell + snd_field(t->view, FLAG)->offset, 4), 0x01020304,
         "activated again it is fresh");
  is_int(snd_bitmasked_iterate(inner, below, 0), 7, "and nothing below is active");
  collect(t, FLAG);
  ok(snd_bitmasked_is_active(flag, flag->container, 130), "the sweep leaves active cells alone");
  is_int(dirty_cells(t), 0, "all inactive cells are as fresh");
  tree_free(t);
}

/* ---- what unordered writers leave behind is swept ---- */

static void test_sweep(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2 });
  const snd_snode_view *flag = &t->view->snode[FLAG], *inner = &t->view->snode[INNER],
                      *cells = &t->view->snode[CELL];
  const sn_addr cell = flag->container + 64 * flag->cell_bytes;
  const sn_addr container = snd_nth_container(t->view, FLAG, cell, INNER, 0);
  sn_addr below;

  RUN(t, grow_all, 0);
  snd_bitmasked_deactivate(t->view, FLAG, flag->container, 64);
  snd_bitmasked_deactivate(t->view, FLAG, flag->container, 65);
  snd_bitmasked_activate(t->view, FLAG, t->launch, 0, flag->container, 65);
  /* a writer that saw both active: stores, and activates below */
  snd_value_store(cell + snd_field(t->view, FLAG)->offset, 4, 9);
  snd_value_store(cell + flag->cell_bytes + snd_field(t->view, FLAG)->offset, 4, 8);
  below = snd_bitmasked_activate(t->view, INNER, t->launch, 0, container, 2);
  snd_value_store(below + snd_field(t->view, INNER)->offset, 2, 9);
  snd_pointer_activate(t->view, CELL, t->launch, 0, snd_container(cells, below), 0);
  ok(dirty_cells(t) > 0, "left behind in an inactive cell");
  collect(t, FLAG);
  is_int(dirty_cells(t), 0, "swept");
  is_int(wrong_ids(t, CELL), 0, "ids are conserved");
  is_int(snd_value_load(cell + flag->cell_bytes + snd_field(t->view, FLAG)->offset, 4), 8,
         "a cell that is active again keeps it");

  /* the same below a cell that is active again: the inner cell is swept by itself */
  snd_bitmasked_deactivate(t->view, FLAG, flag->container, 66);
  below = snd_nth_container(t->view, FLAG, cell + 2 * flag->cell_bytes, INNER, 0);
  snd_value_store(below + inner->cell_bytes + snd_field(t->view, INNER)->offset, 2, 9);
  snd_bitmasked_activate(t->view, FLAG, t->launch, 0, flag->container, 66);
  ok(dirty_cells(t) > 0, "left behind below an active cell");
  collect(t, FLAG);
  is_int(dirty_cells(t), 0, "swept too");
  tree_free(t);
}

/* ---- turmoil: activation, stores and deactivation on all levels at once ---- */

SND_INLINE void
snd_turmoil(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *flag = &view->snode[FLAG], *pair = &view->snode[PAIR],
                              *inner = &view->snode[INNER], *cells = &view->snode[CELL];
  uint64_t x = (uint64_t)(worker->team * worker->threads + worker->thread) + launch->vars[1];

  (void)snode;
  for (int k = 0; k < 300; k++) {
    const int64_t l = 60 + (int64_t)(next_random(&x) % 6), p = (int64_t)(next_random(&x) % 2);
    const int64_t i = (int64_t)(next_random(&x) % 7), c = (int64_t)(next_random(&x) % 3);
    const sn_addr one = snd_bitmasked_activate(view, FLAG, launch, slot, flag->container, l);
    const sn_addr two = snd_dense_lookup(pair, snd_container(pair, one), p, 0);
    const sn_addr container = snd_container(inner, two);
    const sn_addr three = snd_bitmasked_activate(view, INNER, launch, slot, container, i);
    const sn_addr slots = snd_container(cells, three);
    const sn_addr four = snd_pointer_activate(view, CELL, launch, slot, slots, c);

    snd_value_store(one + snd_field(view, FLAG)->offset, 4, 1);
    snd_value_store(two + snd_field(view, PAIR)->offset, 1, 2);
    snd_value_store(three + snd_field(view, INNER)->offset, 2, 3);
    if (four != 0) {
      const SND_GLB snd_snode_view *bare = &view->snode[BARE];
      snd_value_store(four + snd_field(view, CELL)->offset, 8, 4);
      snd_bitmasked_activate(view, BARE, launch, slot, snd_container(bare, four), k & 3);
    }
    if (next_random(&x) % 4 == 0) snd_pointer_deactivate(view, CELL, slots, c);
    if (next_random(&x) % 4 == 0) snd_bitmasked_deactivate(view, INNER, container, i);
    if (next_random(&x) % 8 == 0) snd_bitmasked_deactivate(view, FLAG, flag->container, l);
  }
}
SND_RUNTIME_TASK(turmoil, work_many)

static void test_turmoil(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 3, .threads = threads,
                                                     .capacity = 100000 });
  int64_t wrong = 0, dirty = 0, lost = 0;

  for (int round = 0; round < 20; round++) {
    t->launch->vars[1] = (uint64_t)round * 1000;
    RUN(t, turmoil, 0);
    lost += counters_of(t, FLAG)->taken_out == 0 || counters_of(t, INNER)->taken_out == 0;
    lost += counters_of(t, CELL)->recycled == 0;
    collect(t, FLAG);
    wrong += wrong_ids(t, CELL);
    dirty += dirty_cells(t);
  }
  is_int(t->launch->status.code, SN_OK, "%d threads: turmoil without an error", threads);
  is_int(lost, 0, "cells of all levels were taken out");
  is_int(wrong, 0, "each id is in a slot or once in the free list");
  is_int(dirty, 0, "inactive cells are as fresh ones");

  for (int s = 1; s <= FLAG; s++) RUN_RT(t, LISTGEN, s);
  RUN_RT(t, DEACTIVATE_ALL, FLAG);
  is_int(active_cells(t, FLAG), 0, "all are taken out");
  collect(t, FLAG);
  is_int(dirty_cells(t), 0, "and all are as fresh");
  is_int(counters_of(t, CELL)->free, counters_of(t, CELL)->reserved, "every cell below is free");
  tree_free(t);
}

int main(void)
{
  static const int threads[] = { 1, 2, 16 };

  test_functions();
  for (int k = 0; k < 3; k++) {
    test_once(threads[k]);
    test_turmoil(threads[k]);
  }
  test_in_order();
  test_sweep();
  return done_testing();
}
