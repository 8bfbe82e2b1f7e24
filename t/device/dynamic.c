/* Dynamic containers: appends by many threads at once, cells in order, emptying, and
 * memory that runs out. */
#include "look.h"

/* A list at the root; lists in dense cells of pointer cells. */
static const node_spec nodes[] = {
  { SND_SNODE_ROOT, -1, 0, 0, 0, 0 },
  { SND_SNODE_DYNAMIC, 0, 3000, 0, 4, 0x0a0b0c0d },
  { SND_SNODE_POINTER, 0, 4, 2, 1, 0 },
  { SND_SNODE_DENSE, 2, 2, 0, 1, 3 },
  { SND_SNODE_DYNAMIC, 3, 77, 0, 8, 0 },
};
enum { LIST = 1, TILE = 2, NODE = 3, LISTS = 4, NODES = 5, MANY = 3000, FEW = 77 };
enum { DEFAULT = 0x0a0b0c0d };

static int64_t wrong_pools(const tree *t, int snode)
{
  int64_t wrong = 0;
  for (int k = 0; k < t->view->snode[snode].pool_count; k++)
    wrong += wrong_ids(t, t->view->snode[snode].pool + k);
  return wrong;
}

SND_INLINE int64_t work_many(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 64;
}

SND_INLINE int64_t worker_number(const snd_worker *worker)
{
  return worker->team * worker->threads + worker->thread;
}

SND_INLINE int64_t workers(const snd_worker *worker) { return worker->teams * worker->threads; }

/* A pseudo-random sequence for each worker: x = x * a + c. */
SND_INLINE uint64_t next_random(uint64_t *x)
{
  *x = *x * 6364136223846793005u + 1442695040888963407u;
  return *x >> 33;
}

static sn_addr body_of(const snd_snode_view *node, sn_addr container)
{
  return snd_dynamic_body(node, *SND_POINTER(uint64_t, container));
}

/* An append that remembers nothing, by one thread. */
static int64_t append_one(tree *t, int snode, sn_addr container, int32_t site)
{
  snd_dynamic_hint hint = SND_NO_HINT;
  return snd_dynamic_append(t->view, snode, t->launch, 0, container, site, &hint);
}

/* ---- one thread: every cut of a container into parts ---- */

/* Runs from p on cover the cells up to last, side by side, and are what `at` gives. */
static int64_t wrong_runs(const snd_snode_view *node, sn_addr body, int64_t p, int64_t last)
{
  int64_t wrong = 0;

  while (p < last) {
    sn_addr first;
    const int64_t count = snd_dynamic_run(node, body, p, last, &first);
    if (count < 1 || p + count > last || count != snd_dynamic_together(node, p, last)) return -1;
    for (int64_t k = 0; k < count; k++)
      wrong += snd_dynamic_at(node, body, p + k) != first + (uint64_t)k * node->cell_bytes;
    p += count;
  }
  return wrong;
}

static void test_parts(unsigned first, unsigned heads, unsigned tail)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 1, .first = first, .heads = heads,
                                                     .tail = tail });
  const snd_snode_view *node = &t->view->snode[LIST];
  const sn_addr container = node->container;
  snd_dynamic_hint hint = SND_NO_HINT;
  int64_t wrong = 0;

  ok(snd_dynamic_length(node, container) == 0 && !snd_dynamic_is_active(node, container, 0) &&
       snd_dynamic_read(node, container, 5) == node->ambient &&
       snd_dynamic_peek(node, container, 5) == 0 &&
       snd_dynamic_iterate(node, container, 0) == MANY,
     "%u %u %u: an empty container", first, heads, tail);
  for (int64_t p = 0; p < MANY; p++) {
    snd_dynamic_hint none = SND_NO_HINT;
    const snd_dynamic_end end =
      snd_dynamic_append_cell(t->view, LIST, t->launch, 0, container, 9, node->cell_bytes,
                              p % 9 == 0 ? &none : &hint);
    const sn_addr cell = snd_dynamic_peek(node, container, p);
    wrong += end.position != p || end.cell == 0 || end.cell != cell ||
             snd_dynamic_length(node, container) != p + 1 ||
             snd_dynamic_is_active(node, container, p + 1);
    if (cell == 0) break;
    wrong += *SND_POINTER(uint32_t, cell) != DEFAULT;
    *SND_POINTER(uint32_t, cell) = (uint32_t)p;
  }
  is_int(wrong, 0, "appends are in order, on cells that hold the default");
  is_int(t->launch->status.code, SN_OK, "no error");
  is_int(append_one(t, LIST, container, 9), -1, "past the extent");
  is_int(t->launch->status.code, SN_ECAPACITY, "is an error");
  for (int k = 0; k < 9; k++)
    wrong += snd_dynamic_append(t->view, LIST, t->launch, 0, container, 9, &hint) != -1;
  ok(wrong == 0 && snd_dynamic_counted(node, *SND_POINTER(uint64_t, container)) <= MANY + 1,
     "who remembers a place counts once past it");
  ok(t->launch->status.have == MANY && t->launch->status.want == MANY + 1 &&
       t->launch->status.site == 9 && t->launch->status.snode == LIST,
     "that says where, what there is and what was wanted");
  is_int(snd_dynamic_length(node, container), MANY, "and leaves the length at the extent");
  RUN_RT(t, TASK_END, 0);
  for (int64_t p = 0; p < MANY; p++)
    wrong += *SND_POINTER(uint32_t, snd_dynamic_read_settled(node, container, p)) != (uint32_t)p ||
             snd_dynamic_peek_settled(node, container, p) != snd_dynamic_peek(node, container, p) ||
             snd_dynamic_at(node, body_of(node, container), p) !=
               snd_dynamic_lookup(node, container, p, 0);
  is_int(wrong, 0, "every cell keeps its value");
  is_int(snd_dynamic_length_settled(node, container), MANY, "settled: the length");
  is_int(wrong_runs(node, body_of(node, container), 0, MANY) +
           wrong_runs(node, body_of(node, container), 13, 2500),
         0, "runs");
  is_int(wrong_pools(t, LIST), 0, "ids and parts agree");
  tree_free(t);
}

/* Rule 2: after an iteration has emptied a container it meets an empty one; rule 5: its
 * memory is not handed out again in the task. */
static void test_emptied(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 0 });
  const snd_snode_view *node = &t->view->snode[LIST];
  const sn_addr container = node->container;
  sn_addr before;

  for (int k = 0; k < 42; k++)
    (void)append_one(t, LIST, container, -1);
  before = snd_dynamic_peek(node, container, 0);
  *SND_POINTER(uint32_t, before) = 5;
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, LIST)->version, 1, "appends are a version");
  (void)append_one(t, LIST, container, -1);
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, LIST)->version, 2, "one to what is there is another");
  snd_dynamic_deactivate(t->view, LIST, container, 0);
  snd_dynamic_deactivate(t->view, LIST, container, 7);
  is_int(snd_dynamic_length(node, container), 0, "emptied: the length");
  is_int(*SND_POINTER(uint32_t, snd_dynamic_read(node, container, 0)), DEFAULT, "the default");
  is_int(append_one(t, LIST, container, -1), 0, "appends begin anew");
  ok(snd_dynamic_peek(node, container, 0) != before, "elsewhere");
  is_int(*SND_POINTER(uint32_t, snd_dynamic_peek(node, container, 0)), DEFAULT, "on a fresh cell");
  is_int(counters_of(t, node->pool)->recycled, 1, "one body was taken out, once");
  collect(t, LIST);
  is_int(counters_of(t, LIST)->version, 3, "emptying is a version");
  is_int(wrong_pools(t, LIST), 0, "ids and parts agree after GC");
  is_int(counters_of(t, node->pool)->free, 1, "the body is free");
  snd_dynamic_deactivate(t->view, LIST, container, 0);
  for (int k = 0; k < 40; k++)
    (void)append_one(t, LIST, container, -1);
  is_int(*SND_POINTER(uint32_t, snd_dynamic_peek(node, container, 0)), DEFAULT,
         "and blank when it comes back");
  is_int(append_one(t, LIST, 0, 4), -1, "no container: no append");
  tree_free(t);
}

/* Writing x[p] makes the length p + 1; the cells before are active, with the default. */
static void test_write_ahead(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2 });
  const snd_snode_view *node = &t->view->snode[LIST];
  const sn_addr container = node->container;
  const sn_addr cell = snd_dynamic_activate(t->view, LIST, t->launch, 0, container, 1000);
  int64_t wrong = 0;

  *SND_POINTER(uint32_t, cell) = 1;
  is_int(snd_dynamic_length(node, container), 1001, "a write ahead: the length");
  for (int64_t p = 0; p < 1000; p++) {
    const sn_addr skipped = snd_dynamic_peek(node, container, p);
    wrong += skipped == 0 || *SND_POINTER(uint32_t, skipped) != DEFAULT;
  }
  is_int(wrong, 0, "what was skipped is active and has the default");
  is_int(snd_dynamic_activate(t->view, LIST, t->launch, 0, container, 1000), cell,
         "the same cell again");
  (void)snd_dynamic_activate(t->view, LIST, t->launch, 0, container, 3);
  is_int(snd_dynamic_length(node, container), 1001, "no write shortens");
  is_int(append_one(t, LIST, container, -1), 1001, "appends go on");
  RUN_RT(t, TASK_END, 0);
  is_int(wrong_pools(t, LIST), 0, "ids and parts agree");
  tree_free(t);
}

/* ---- many threads, one list ---- */

/* All positions but vars[0] are filled, each with its worker and turn. */
SND_INLINE void
snd_append_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
               int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t all = (int64_t)launch->vars[0];

  snd_dynamic_hint hint = SND_NO_HINT;

  for (int64_t k = worker_number(worker); k < all; k += workers(worker)) {
    const int64_t p = snd_dynamic_append(view, snode, launch, slot, node->container, 2, &hint);
    if (p >= 0)
      *SND_POINTER(uint32_t, snd_dynamic_peek(node, node->container, p)) = (uint32_t)k;
    else snd_atomic_add_u64(&launch->vars[1], 1);
  }
}
SND_RUNTIME_TASK(append_all, work_many)

/* Values below `all`, each at most once; gives how many there are, -1: one twice. */
static int64_t distinct_values(const tree *t, int64_t all)
{
  const snd_snode_view *node = &t->view->snode[LIST];
  const int64_t length = snd_dynamic_length(node, node->container);
  unsigned char *seen = calloc((size_t)all, 1);
  int64_t count = 0;

  for (int64_t p = 0; p < length && count >= 0; p++) {
    const sn_addr cell = snd_dynamic_peek(node, node->container, p);
    const uint32_t value = cell != 0 ? *SND_POINTER(uint32_t, cell) : UINT32_MAX;
    if (value >= (uint32_t)all || seen[value]++) count = -1;
    else count++;
  }
  free(seen);
  return count;
}

static void test_one_list(int threads, const tree_options *cut)
{
  tree_options o = *cut;
  tree *t;

  o.threads = threads;
  t = tree_make(nodes, NODES, &o);
  t->launch->vars[0] = MANY;
  RUN(t, append_all, LIST);
  is_int(distinct_values(t, MANY), MANY, "%d threads append to one list: all are there", threads);
  is_int(t->launch->status.code, SN_OK, "no error");
  RUN(t, append_all, LIST);
  is_int(t->launch->vars[1], MANY, "a full list takes none");
  is_int(t->launch->status.code, SN_ECAPACITY, "and says so");
  RUN_RT(t, TASK_END, 0);
  is_int(wrong_pools(t, LIST), 0, "ids and parts agree");
  is_int(distinct_values(t, MANY), MANY, "all are still there");
  tree_free(t);
}

/* Threads append where they did before, and now and then one empties the list. */
SND_INLINE void
snd_append_and_empty(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                     int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  const int64_t all = (int64_t)launch->vars[0];
  snd_dynamic_hint hint = SND_NO_HINT;

  for (int64_t k = worker_number(worker); k < all; k += workers(worker)) {
    const snd_dynamic_end end = snd_dynamic_append_cell(view, snode, launch, slot, node->container,
                                                        2, node->cell_bytes, &hint);
    if (end.position >= 0) snd_store_u32(SND_POINTER(uint32_t, end.cell), (uint32_t)k);
    if (k % 61 == 60) snd_dynamic_deactivate(view, snode, node->container, 0);
  }
}
SND_RUNTIME_TASK(append_and_empty, work_many)

/* What is in the list in the end was appended to it, once, without a gap. */
static void test_emptied_meanwhile(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 1, .threads = threads });
  int64_t wrong = 0, left = 0;

  t->launch->vars[0] = MANY;
  for (int round = 0; round < 30; round++) {
    RUN(t, append_and_empty, LIST);
    left = distinct_values(t, MANY);
    wrong += left < 0;
    collect(t, LIST);
    wrong += wrong_pools(t, LIST) + (distinct_values(t, MANY) != left);
    snd_dynamic_deactivate(t->view, LIST, t->view->snode[LIST].container, 0);
    collect(t, LIST);
  }
  is_int(wrong, 0, "%d threads append and empty: nothing twice, no gap", threads);
  is_int(t->launch->status.code, SN_OK, "no error");
  tree_free(t);
}

/* Memory for some only: what could be had is there, in order, and nothing else. */
static void test_short_of_memory(int threads, const tree_options *cut)
{
  tree_options o = *cut;
  const snd_snode_view *node;
  tree *t;
  int64_t had;

  o.threads = threads;
  if (ON_DEVICE) o.ahead = 1;
  else o.arena = 6000;
  t = tree_make(nodes, NODES, &o);
  node = &t->view->snode[LIST];
  t->launch->vars[0] = MANY;
  RUN(t, append_all, LIST);
  had = MANY - (int64_t)t->launch->vars[1];
  ok(had > 0 && had < MANY, "%d threads, little memory: %d were had", threads, (int)had);
  is_int(t->launch->status.code, SN_ENOMEM, "an error");
  is_int(t->launch->status.snode, LIST, "of the SNode");
  RUN_RT(t, TASK_END, 0);
  is_int(snd_dynamic_length(node, node->container), had, "the length is what was had");
  is_int(distinct_values(t, MANY), had, "and holds it");
  is_int(wrong_pools(t, LIST), 0, "ids and parts agree");
  tree_free(t);
}

/* ---- many threads write ahead ---- */

/* All workers write behind the end, every fifth cell; what one has written is below the
 * length from then on. */
SND_INLINE void
snd_write_ahead(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];
  int64_t p = 0;

  (void)worker;
  while (p < 2500) {
    const sn_addr cell = snd_dynamic_activate(view, snode, launch, slot, node->container, p);
    if (cell == 0 || cell != snd_dynamic_peek(node, node->container, p)) launch->vars[0] = 1;
    else snd_store_u32(SND_POINTER(uint32_t, cell), (uint32_t)p);
    p = snd_max_i64(snd_dynamic_length(node, node->container), p + 1) + 4;
    p -= p % 5;
  }
}
SND_RUNTIME_TASK(write_ahead, work_many)

static void test_many_write_ahead(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 1, .threads = threads });
  const snd_snode_view *node = &t->view->snode[LIST];
  int64_t wrong = 0;

  for (int round = 0; round < 50; round++) {
    RUN(t, write_ahead, LIST);
    wrong += snd_dynamic_length(node, node->container) != 2496;
    for (int64_t p = 0; p < 2496; p++)
      wrong += *SND_POINTER(uint32_t, snd_dynamic_read(node, node->container, p)) !=
               (p % 5 == 0 ? (uint32_t)p : DEFAULT);
    snd_dynamic_deactivate(t->view, LIST, node->container, 0);
    collect(t, LIST);
    wrong += wrong_pools(t, LIST);
  }
  is_int(t->launch->vars[0], 0, "%d threads write ahead: all find their cells", threads);
  is_int(wrong, 0, "lengths, values, defaults between them, ids");
  tree_free(t);
}

/* ---- many threads append to and empty many lists ---- */

SND_INLINE void
snd_turmoil(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  const SND_GLB snd_snode_view *tile = &view->snode[TILE], *dense = &view->snode[NODE],
                              *node = &view->snode[LISTS];
  uint64_t x = (uint64_t)worker_number(worker) + launch->vars[0];
  snd_dynamic_hint hint = SND_NO_HINT;

  (void)snode;
  for (int k = 0; k < 300; k++) {
    const int64_t l = (int64_t)(next_random(&x) % 8), m = (int64_t)(next_random(&x) % 2);
    const sn_addr cell = snd_pointer_activate(view, TILE, launch, slot, tile->container, l);
    const sn_addr above = snd_dense_lookup(dense, snd_container(dense, cell), m, 0);
    const sn_addr container = snd_container(node, above);
    const uint64_t what = next_random(&x) % 32;
    sn_addr below = 0;

    if (cell == 0) return;
    if (what == 0) snd_dynamic_deactivate(view, LISTS, container, 0);
    else if (what == 1) snd_pointer_deactivate(view, TILE, tile->container, l);
    else if (what < 5)
      /* Well below the extent: it may come between another's look at the length and append. */
      below = snd_dynamic_activate(view, LISTS, launch, slot, container,
                                   (int64_t)(next_random(&x) % (FEW - 20)));
    else if (snd_dynamic_length(node, container) < FEW - 20) {
      /* What is appended may be emptied before it is looked at. */
      const int64_t p = snd_dynamic_append(view, LISTS, launch, slot, container, 0, &hint);
      below = p < 0 ? 0 : snd_dynamic_peek(node, container, p);
    }
    if (below != 0) snd_atomic_add_u64(SND_POINTER(uint64_t, below), 1);
  }
}
SND_RUNTIME_TASK(turmoil, work_many)

/* Free cells of a manager that are not as they were when they were first handed out. */
static int64_t spoilt_free_cells(const tree *t, int manager)
{
  const snd_snode_view *node = &t->view->snode[manager];
  const snd_snode_counters *c = counters_of(t, manager);
  int64_t spoilt = 0;

  for (uint64_t k = c->taken; k < c->ready; k++) {
    const uint32_t id = SND_POINTER(uint32_t, c->free_ids)[k];
    const char *cell = SND_POINTER(char, snd_node_cell(node, id));
    spoilt += memcmp(cell, SND_POINTER(char, node->ambient), node->id_offset) != 0 ||
              *snd_node_id(node, address_of(cell)) != id;
  }
  return spoilt;
}

static void test_turmoil(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 3, .threads = threads,
                                                     .capacity = 60000 });
  const snd_snode_view *node = &t->view->snode[LISTS];
  int64_t wrong = 0, spoilt = 0, idle = 0;

  for (int round = 0; round < 10; round++) {
    t->launch->vars[0] = (uint64_t)round * 1000;
    RUN(t, turmoil, 0);
    RUN_RT(t, TASK_END, 0);
    idle += counters_of(t, node->pool)->recycled == 0;
    wrong += wrong_ids(t, TILE);
    collect(t, TILE);
    wrong += wrong_ids(t, TILE) + wrong_pools(t, LISTS);
    for (int k = 0; k < node->pool_count; k++) spoilt += spoilt_free_cells(t, node->pool + k);
  }
  is_int(wrong, 0, "%d threads append and empty: ids are conserved", threads);
  is_int(spoilt, 0, "free parts are blank");
  is_int(idle, 0, "lists were emptied in each round");
  is_int(t->launch->status.code, SN_OK, "no error");
  tree_free(t);
}

int main(void)
{
  static const int threads[] = { 1, 3, 16 };
  static const tree_options growing = { .chunk = 1 }, fixed = { .heads = 1, .first = 4, .tail = 4 };

  test_parts(0, 1, 0);
  test_parts(2, 1, 2);
  test_parts(12, 1, 12);
  test_parts(2, 4, 4);
  test_parts(3, 10, 11);
  test_parts(5, 3, 9);
  test_emptied();
  test_write_ahead();
  for (int k = 0; k < 3; k++) {
    test_one_list(threads[k], &growing);
    test_one_list(threads[k], &fixed);
    test_short_of_memory(threads[k], &growing);
    test_short_of_memory(threads[k], &fixed);
    test_many_write_ahead(threads[k]);
    test_emptied_meanwhile(threads[k]);
    test_turmoil(threads[k]);
  }
  return done_testing();
}
