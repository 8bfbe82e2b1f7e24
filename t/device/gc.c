/* Collection phase by phase, and cells of every size and alignment. */
#include "look.h"

/* ---- filling: any size, any alignment, any number of threads together ---- */

static void test_fill(void)
{
  unsigned char from[80], to[96], expected[96];
  int64_t wrong = 0;

  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 7 + 1);
  for (int zero = 0; zero < 2; zero++)
    for (size_t bytes = 0; bytes <= 64; bytes++)
      for (size_t at = 0; at < 8; at++)
        for (size_t skew = 0; skew < 8; skew++)
          for (int parts = 1; parts <= 5; parts += 2) {
            memset(to, 0xee, sizeof to);
            memset(expected, 0xee, sizeof expected);
            for (size_t k = 0; k < bytes; k++)
              expected[16 + at + k] = zero ? 0 : from[skew + k];
            for (int part = 0; part < parts; part++)
              snd_fill(address_of(to + 16 + at), zero ? 0 : address_of(from + skew), bytes, part,
                       parts);
            wrong += memcmp(to, expected, sizeof to) != 0;
          }
  is_int(wrong, 0, "snd_fill: 0 to 64 bytes at each alignment, by 1, 3 and 5 threads");

  wrong = 0;
  for (size_t bytes = 0; bytes <= 64; bytes++)
    for (size_t at = 0; at < 8; at++) {
      memset(to, 0xee, sizeof to);
      memset(expected, 0xee, sizeof expected);
      memset(expected + 16 + at, 0x5a, bytes);
      for (int part = 0; part < 3; part++)
        snd_fill_pattern(address_of(to + 16 + at), 0x5a5a5a5a5a5a5a5au, bytes, part, 3);
      wrong += memcmp(to, expected, sizeof to) != 0;
    }
  is_int(wrong, 0, "snd_fill_pattern: the same");
}

/* The same by real teams: range r of FILLED bytes at most, r % 8 bytes behind a word, from
 * a copy that stands r / 8 % 8 behind one, or zeros.  vars: the ranges, the copy. */
enum { FILLED = 130, RANGES = 64 * (FILLED + 1), RANGE_BYTES = 256 };

SND_INLINE uint64_t range_bytes(int64_t r) { return (uint64_t)(r / 64); }
SND_INLINE uint64_t range_start(int64_t r) { return 64 + (uint64_t)(r % 8); }

SND_INLINE void
snd_fill_ranges(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                int32_t slot, const snd_worker *worker)
{
  const snd_share share = snd_team_share_of(worker, RANGES);

  (void)view;
  (void)slot;
  for (int64_t r = share.first; r < share.last; r += share.step)
    snd_fill(launch->vars[0] + (uint64_t)r * RANGE_BYTES + range_start(r),
             snode == 0 ? 0 : launch->vars[1] + (uint64_t)(r / 8 % 8), range_bytes(r),
             worker->thread, worker->threads);
}
SND_INLINE int64_t work_ranges(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 16;
}
SND_RUNTIME_TASK(fill_ranges, work_ranges)

static void test_team_fill(int copies)
{
  static const node_spec nodes[] = { ROOT, { SND_SNODE_DENSE, 0, 1, 0, 1, 0 } };
  static unsigned char ranges[RANGES][RANGE_BYTES], from[FILLED + 16];
  tree *t = tree_make(nodes, 2, &(tree_options){ .threads = 16 });
  int64_t wrong = 0;

  for (size_t k = 0; k < sizeof from; k++) from[k] = (unsigned char)(k * 7 + 1);
  memset(ranges, 0xee, sizeof ranges);
  t->launch->vars[0] = address_of(ranges);
  t->launch->vars[1] = address_of(from);
  RUN(t, fill_ranges, copies);
  for (int64_t r = 0; r < RANGES; r++) {
    unsigned char expected[RANGE_BYTES];
    memset(expected, 0xee, sizeof expected);
    for (uint64_t k = 0; k < range_bytes(r); k++)
      expected[range_start(r) + k] = copies ? from[(uint64_t)(r / 8 % 8) + k] : 0;
    wrong += memcmp(expected, ranges[r], sizeof expected) != 0;
  }
  is_int(wrong, 0, "teams fill 0 to %d bytes at each alignment %s", FILLED,
         copies ? "from each other" : "with zeros");
  tree_free(t);
}

/* ---- phase 0: the gap closes, whichever is longer ---- */

static const node_spec flat[] = { ROOT, { SND_SNODE_POINTER, 0, 64, 0, 4, 9 } };

static int in_free_list(const tree *t, uint64_t first, uint64_t last, uint32_t id)
{
  const uint32_t *ids = SND_POINTER(uint32_t, counters_of(t, 1)->free_ids);
  for (uint64_t k = first; k < last; k++)
    if (ids[k] == id) return 1;
  return 0;
}

static void test_move(uint64_t free, uint64_t taken)
{
  tree *t = tree_make(flat, 2, &(tree_options){ .chunk = 2 });
  snd_snode_counters *c = counters_of(t, 1);
  uint64_t left = free > taken ? free - taken : 0;
  int64_t missing = 0;

  make_id_lists(t, 1, free);
  for (uint64_t k = 0; k < free; k++)
    SND_POINTER(uint32_t, c->free_ids)[k] = (uint32_t)(100 + k);
  c->free = c->ready = free;
  c->taken = taken;
  RUN_RT(t, GC_MOVE, 1);
  RUN_RT(t, GC_ACCOUNT, 1);
  is_int(c->free, left, "move %d of %d: what is left", (int)taken, (int)free);
  is_int(c->taken, 0, "move: nothing is taken");
  for (uint64_t k = taken; k < free; k++) missing += !in_free_list(t, 0, left, (uint32_t)(100 + k));
  is_int(missing, 0, "move: each unused id is there");
  tree_free(t);
}

/* ---- cells of every size keep nothing of what was in them ---- */

SND_INLINE void
snd_fill_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
             int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const snd_share share = snd_share_of(worker, (int64_t)node->cells);

  for (int64_t l = share.first; l < share.last; l += share.step) {
    const sn_addr cell = snd_pointer_activate(view, snode, launch, slot, node->container, l);
    if (cell == 0) continue;
    for (uint64_t k = 0; k < node->id_offset; k++)
      SND_POINTER(unsigned char, cell)[k] = (unsigned char)(0xa0 + k);
  }
}
SND_INLINE int64_t work_some(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 8;
}
SND_RUNTIME_TASK(fill_all, work_some)

static int64_t spoilt_cells(const tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode];
  const snd_snode_counters *c = counters_of(t, snode);
  int64_t spoilt = 0;

  for (uint64_t k = c->taken; k < c->ready; k++) {
    const uint32_t id = SND_POINTER(uint32_t, c->free_ids)[k];
    const sn_addr cell = snd_node_cell(node, id);
    spoilt += memcmp(SND_POINTER(char, cell), SND_POINTER(char, node->ambient),
                     node->id_offset) != 0;
    spoilt += *snd_node_id(node, cell) != id;
  }
  return spoilt;
}

/* A dense container of `cells` values of `bytes` in each cell: 1, 2, 3, 40 ... bytes. */
static void test_size(unsigned bytes, int64_t cells, uint64_t def)
{
  const node_spec nodes[] = {
    ROOT,
    { SND_SNODE_POINTER, 0, 37, 0, 1, def & 0xff },
    { SND_SNODE_DENSE, 1, 0, cells, bytes, def },
  };
  tree *t = tree_make(nodes, 3, &(tree_options){ .chunk = 3 });

  for (int round = 0; round < 2; round++) {
    RUN(t, fill_all, 1);
    RUN_RT(t, TASK_END, 0);
    RUN_RT(t, LISTGEN, 1);
    RUN_RT(t, DEACTIVATE_ALL, 1);
    collect(t, 1);
  }
  is_int(active_cells(t, 1), 0, "%u x %d bytes: all taken out", bytes, (int)cells);
  is_int(counters_of(t, 1)->ready, 37, "all free again");
  is_int(wrong_ids(t, 1), 0, "ids are conserved");
  is_int(spoilt_cells(t, 1), 0, "cells of %d bytes hold their defaults again",
         (int)t->view->snode[1].cell_bytes);
  tree_free(t);
}

/* ---- expand: what lies below goes too, through dense SNodes and several levels ---- */

static const node_spec deep[] = {
  ROOT,
  { SND_SNODE_POINTER, 0, 6, 5, 4, 0 },
  { SND_SNODE_DENSE, 1, 2, 0, 1, 0 },
  { SND_SNODE_DENSE, 2, 0, 3, 2, 0 },
  { SND_SNODE_POINTER, 3, 2, 2, 2, 3 },
  { SND_SNODE_POINTER, 4, 3, 0, 4, 4 },
  { SND_SNODE_POINTER, 1, 70, 0, 8, 5 },         /* a second branch; more than a mask word */
};
enum { TOP = 1, MIDDLE = 4, BOTTOM = 5, SIDE = 6, DEEP = 7 };

/* Every third cell of each pointer SNode, from the root down. */
static void grow(const snd_tree_view *view, snd_launch *launch, int at, sn_addr cell, int64_t *turn)
{
  for (int s = at + 1; s < (int)view->snode_count; s++)
    if (view->snode[s].parent == at) {
      const sn_addr container = snd_container(&view->snode[s], cell);
      for (int64_t l = 0; l < snd_capacity(&view->snode[s]); l++)
        if (view->snode[s].kind == SND_SNODE_DENSE || (*turn)++ % 3 == 0)
          grow(view, launch, s, snd_activate(view, s, launch, 0, container, l), turn);
    }
}

static void test_expand(void)
{
  tree *t = tree_make(deep, DEEP, &(tree_options){ .chunk = 2 });
  int64_t turn = 0, before[DEEP], wrong = 0;

  grow(t->view, t->launch, 0, t->view->root, &turn);
  RUN_RT(t, TASK_END, 0);
  for (int s = 1; s < DEEP; s++) before[s] = active_cells(t, s);
  ok(before[BOTTOM] > 100 && before[SIDE] > 200, "cells on every level");

  snd_pointer_deactivate(t->view, TOP, t->view->snode[TOP].container, 0);
  snd_pointer_deactivate(t->view, TOP, t->view->snode[TOP].container, 3);
  collect(t, TOP);
  for (int s = 1; s < DEEP; s++)
    if (t->view->snode[s].kind == SND_SNODE_POINTER) {
      is_int(counters_of(t, s)->free + (uint64_t)active_cells(t, s), before[s],
             "S%d: what is not active is free", s);
      wrong += wrong_ids(t, s);
    }
  is_int(wrong, 0, "ids are conserved on every level");

  RUN_RT(t, LISTGEN, TOP);
  RUN_RT(t, DEACTIVATE_ALL, TOP);
  collect(t, TOP);
  wrong = 0;
  for (int s = 1; s < DEEP; s++)
    if (t->view->snode[s].kind == SND_SNODE_POINTER) {
      wrong += counters_of(t, s)->free != (uint64_t)before[s];
      wrong += spoilt_cells(t, s);
    }
  is_int(wrong, 0, "all levels are empty, and clean");
  tree_free(t);
}

/* ---- lists of ids that grow in a task, beyond several chunks ---- */

enum { MANY = 100000 };
static const node_spec many[] = { ROOT, { SND_SNODE_POINTER, 0, MANY, 0, 4, 9 } };

/* Activates every cell, and takes every second one out again: in chunks that are made meanwhile. */
SND_INLINE void
snd_come_and_go(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                int32_t slot, const snd_worker *worker)
{
  const sn_addr container = view->snode[snode].container;
  const snd_share share = snd_share_of(worker, MANY);

  for (int64_t l = share.first; l < share.last; l += share.step) {
    (void)snd_pointer_activate(view, snode, launch, slot, container, l);
    if (l % 2 != 0) snd_pointer_deactivate(view, snode, container, l);
  }
}
SND_RUNTIME_TASK(come_and_go, work_some)

static void test_growth(int threads)
{
  tree *t = tree_make(many, 2, &(tree_options){ .chunk = 6, .threads = threads });
  int64_t wrong = 0;

  for (int round = 0; round < 3; round++) {
    RUN(t, come_and_go, 1);
    RUN_RT(t, TASK_END, 0);
    wrong += active_cells(t, 1) != MANY / 2;
    wrong += wrong_ids(t, 1);
    collect(t, 1);
    wrong += wrong_ids(t, 1) + spoilt_cells(t, 1);
  }
  is_int(wrong, 0, "%d threads: lists of ids grow as cells are made", threads);
  RUN_RT(t, LISTGEN, 1);
  RUN_RT(t, DEACTIVATE_ALL, 1);
  collect(t, 1);
  is_int(counters_of(t, 1)->free, counters_of(t, 1)->reserved, "%d threads: all are free", threads);
  is_int(wrong_ids(t, 1) + spoilt_cells(t, 1), 0, "%d threads: and as fresh", threads);
  tree_free(t);
}

int main(void)
{
  test_fill();
  test_team_fill(0);
  test_team_fill(1);
  for (uint64_t taken = 0; taken <= 9; taken++) test_move(8, taken);
  test_move(0, 0);
  test_move(60, 29);
  for (int64_t cells = 1; cells <= 5; cells++) {
    test_size(1, cells, 0);
    test_size(1, cells, 0x11);
    test_size(2, cells, 0x1122);
    test_size(4, cells, 0x11223344);
    test_size(8, cells, 0x1122334455667788u);
  }
  test_size(1, 40, 0);
  test_size(8, 40, 1);
  test_size(1, 1021, 3);
  test_expand();
  test_growth(1);
  test_growth(8);
  return done_testing();
}
