/* Hashes: keys put in by many threads at once, cells that come and go, chains, rehash,
 * and memory that runs out. */
#include "look.h"

static const node_spec nodes[] = {
  { SND_SNODE_ROOT, -1, 0, 0, 0, 0 },
  { SND_SNODE_HASH, 0, 1, 1, 4, 0x01020304 },
  { SND_SNODE_DENSE, 1, 2, 2, 2, 7 },
};
enum { HASH = 1, BLOCK = 2, NODES = 3, AXES = 2, DEFAULT = 0x01020304 };

SND_INLINE int64_t work_many(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 64;
}

SND_INLINE uint64_t worker_number(const snd_worker *worker)
{
  return (uint64_t)(worker->team * worker->threads + worker->thread);
}

/* A pseudo-random sequence for each worker: x = x * a + c. */
SND_INLINE uint64_t next_random(uint64_t *x)
{
  *x = *x * 6364136223846793005u + 1442695040888963407u;
  return *x >> 33;
}

static int64_t wrong_all(tree *t)
{
  count_keys(t);
  return wrong_ids(t, HASH) + wrong_ids(t, t->view->snode[HASH].pool);
}

/* The field in a cell. */
SND_INLINE SND_GLB uint32_t *value_in(const SND_GLB snd_tree_view *view, sn_addr cell)
{
  return SND_POINTER(uint32_t, cell + snd_field(view, HASH)->offset);
}

static sn_addr activate(tree *t, int64_t i, int64_t j)
{
  const int64_t key[AXES] = { i, j };
  return snd_hash_activate(t->view, HASH, t->launch, 0, key, AXES);
}

static sn_addr peek(const tree *t, int64_t i, int64_t j)
{
  const int64_t key[AXES] = { i, j };
  return snd_hash_peek(t->view, HASH, key, AXES);
}

static sn_addr read(const tree *t, int64_t i, int64_t j)
{
  const int64_t key[AXES] = { i, j };
  return snd_hash_read(t->view, HASH, key, AXES);
}

static void deactivate(const tree *t, int64_t i, int64_t j)
{
  const int64_t key[AXES] = { i, j };
  snd_hash_deactivate_key(t->view, HASH, key, AXES);
}

/* ---- how long chains are ---- */

/* What a search that finds costs: keys looked at, on average, times 100.  Keys dealt out
 * at random have 100 + 50 * keys / buckets. */
static int64_t cost_of(const tree *t)
{
  const snd_snode_view *node = &t->view->snode[HASH];
  int64_t cost = 0, keys = 0;

  for (int64_t b = 0; b < (int64_t)1 << node->log2_buckets; b++) {
    int64_t length = 0;
    for (sn_addr key = SND_POINTER(uint64_t, node->container)[b]; key > SND_CHAIN_END;
         key = *SND_POINTER(uint64_t, key))
      cost += ++length;
    keys += length;
  }
  return keys == 0 ? 0 : 100 * cost / keys;
}

/* 1024 keys of a lattice into 1024 buckets. */
static void test_chains(const char *name, int64_t rows, int64_t step, int64_t from)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 5, .buckets = 10 });
  int64_t wrong = 0, cost;

  for (int64_t k = 0; k < 1024; k++)
    wrong += activate(t, from + k % rows * step, from + k / rows * step) == 0;
  is_int(wrong, 0, "%s: keys", name);
  cost = cost_of(t);
  ok(cost < 170, "%s: a search looks at %d.%02d keys", name, (int)(cost / 100), (int)(cost % 100));
  tree_free(t);
}

static void test_all_chains(void)
{
  test_chains("a square", 32, 1, 0);
  test_chains("around zero", 32, 1, -16);
  test_chains("a row", 1024, 1, -5);
  test_chains("a column", 1, 1, 1000000);
  test_chains("a slim square", 4, 1, -100);
  for (int shift = 1; shift <= 40; shift += 3)
    test_chains("multiples of a power of two", 32, (int64_t)1 << shift, -((int64_t)1 << shift));
  test_chains("multiples of 1000", 32, 1000, -7);
}

/* ---- one thread ---- */

static void test_one_thread(unsigned buckets)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2, .buckets = buckets });
  const snd_snode_view *node = &t->view->snode[HASH];
  sn_addr first;
  int64_t wrong = 0;

  ok(peek(t, 0, 0) == 0 && read(t, 0, 0) == node->ambient, "%u buckets: nothing is active",
     1u << buckets);
  for (int64_t i = -10; i < 10; i++)
    for (int64_t j = -10; j < 10; j++) {
      const sn_addr cell = activate(t, i * 1000003, j);
      wrong += cell == 0 || *value_in(t->view, cell) != DEFAULT;
      if (cell != 0) *SND_POINTER(int64_t, cell) = i * 100 + j;
    }
  is_int(wrong, 0, "cells come with their defaults");
  for (int64_t i = -11; i < 11; i++)
    for (int64_t j = -11; j < 11; j++) {
      const sn_addr cell = peek(t, i * 1000003, j);
      const int inside = i >= -10 && i < 10 && j >= -10 && j < 10;
      wrong += inside ? cell == 0 || *SND_POINTER(int64_t, cell) != i * 100 + j : cell != 0;
      wrong += activate(t, 0, 0) != peek(t, 0, 0);
    }
  is_int(wrong, 0, "keys lead to their cells, and no others do");
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, HASH)->version, 1, "a version");

  first = peek(t, 0, 0);
  deactivate(t, 0, 0);
  deactivate(t, 0, 0);
  deactivate(t, 55, 55);
  ok(peek(t, 0, 0) == 0 && read(t, 0, 0) == node->ambient, "taken out");
  ok(activate(t, 0, 0) != first && activate(t, 0, 0) != 0, "a fresh cell for the same key");
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, HASH)->recycled, 1, "one was taken out, once");
  is_int(counters_of(t, node->pool)->reserved, 400, "the key stays");
  collect(t, HASH);
  is_int(wrong_all(t), 0, "ids, cells and keys agree after GC");
  is_int(t->launch->status.code, SN_OK, "no error");
  tree_free(t);
}

/* Keys as positions, and in tasks that change nothing. */
static void test_positions(void)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2, .buckets = 3 });
  const snd_snode_view *node = &t->view->snode[HASH];
  int64_t wrong = 0, visited = 0;

  for (int64_t k = 0; k < 100; k++) (void)activate(t, k * k, -k);
  for (int64_t k = 0; k < 100; k += 3) deactivate(t, k * k, -k);
  RUN_RT(t, TASK_END, 0);
  count_keys(t);
  is_int(snd_hash_nth_capacity(node), 100, "a position for each key");
  for (int64_t l = snd_hash_nth_iterate(node, node->container, 0); l < 100;
       l = snd_hash_nth_iterate(node, node->container, l + 1)) {
    const int64_t key[AXES] = { snd_hash_key(t->view, HASH, l, 0),
                                snd_hash_key(t->view, HASH, l, 1) };
    const sn_addr cell = snd_hash_nth_lookup(node, node->container, l, 0);
    wrong += key[0] != key[1] * key[1] || key[1] % 3 == 0 || peek(t, key[0], key[1]) != cell ||
             snd_hash_peek_settled(t->view, HASH, key, AXES) != cell ||
             snd_hash_read_settled(t->view, HASH, key, AXES) != cell;
    visited++;
  }
  is_int(visited, 66, "each active cell once");
  is_int(wrong, 0, "by its key");
  for (int64_t k = 0; k < 100; k += 3) {
    const int64_t key[AXES] = { k * k, -k };
    wrong += snd_hash_peek_settled(t->view, HASH, key, AXES) != 0 ||
             snd_hash_read_settled(t->view, HASH, key, AXES) != node->ambient;
  }
  is_int(wrong, 0, "inactive cells are found by none");
  snd_hash_nth_deactivate(t->view, HASH, node->container, 1);
  ok(peek(t, 1, -1) == 0, "deactivated by position");
  ok(snd_hash_nth_activate(t->view, HASH, t->launch, 0, node->container, 1) == peek(t, 1, -1) &&
       peek(t, 1, -1) != 0,
     "activated by position");
  make_lists(t, BLOCK);
  is_int(counters_of(t, BLOCK)->list_length, 66, "a list has as many containers");
  tree_free(t);
}

/* ---- rehash ---- */

static void test_rehash(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2, .buckets = 2,
                                                     .threads = threads });
  snd_snode_view *node = &t->view->snode[HASH];
  sn_addr cells[200];
  int64_t wrong = 0;

  for (int64_t k = 0; k < 200; k++) cells[k] = activate(t, k, k % 7);
  for (int64_t k = 0; k < 200; k += 2) deactivate(t, k, k % 7);
  RUN_RT(t, TASK_END, 0);
  node->log2_buckets = 7;
  node->container = address_of(tree_alloc(t, container_bytes(node)));
  RUN_RT(t, REHASH, HASH);
  for (int64_t k = 0; k < 200; k++) wrong += peek(t, k, k % 7) != (k % 2 ? cells[k] : 0);
  is_int(wrong, 0, "%d threads, more buckets: active cells are where they were", threads);
  ok(cost_of(t) < 180, "in shorter chains");
  is_int(counters_of(t, node->pool)->recycled, 100, "keys without a cell go");
  is_int(wrong_ids(t, node->pool), 0, "each key is in a chain, or goes");
  tidy_keys(t, HASH);
  is_int(counters_of(t, node->pool)->recycled, 100, "once");
  collect(t, HASH);
  is_int(counters_of(t, node->pool)->free, 100, "and are free");
  for (int64_t k = 200; k < 320; k++) wrong += activate(t, k, -k) == 0;
  for (int64_t k = 0; k < 320; k++)
    wrong += k < 200 ? (peek(t, k, k % 7) != 0) != (k % 2) : peek(t, k, -k) == 0;
  is_int(wrong, 0, "free keys serve others");
  RUN_RT(t, TASK_END, 0);
  is_int(counters_of(t, node->pool)->reserved, 220, "before fresh ones");
  is_int(wrong_all(t), 0, "ids, cells and keys agree");
  tree_free(t);
}

/* ---- many threads ---- */

/* Every worker wants every key, from another one on. */
SND_INLINE void
snd_all_want_all(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
                 int32_t slot, const snd_worker *worker)
{
  for (int64_t k = 0; k < 400; k++) {
    const int64_t n = (k + (int64_t)worker_number(worker) * 7) % 400;
    const int64_t key[AXES] = { n % 20 - 10, n / 20 - 10 };
    const sn_addr cell = snd_hash_activate(view, snode, launch, slot, key, AXES);
    if (cell == 0 || cell != snd_hash_peek(view, snode, key, AXES))
      snd_atomic_add_u64(&launch->vars[0], 1);
    else snd_atomic_add_u32(value_in(view, cell), 1);
  }
  snd_atomic_add_u64(&launch->vars[1], 1);
}
SND_RUNTIME_TASK(all_want_all, work_many)

static void test_same_keys(int threads, unsigned buckets)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 2, .threads = threads,
                                                     .buckets = buckets });
  int64_t wrong = 0;

  RUN(t, all_want_all, HASH);
  is_int(t->launch->vars[0], 0, "%d threads, %u buckets: all get the cell of the key", threads,
         1u << buckets);
  RUN_RT(t, TASK_END, 0);
  is_int(cells_ever(t, HASH), 400, "each cell is built once");
  for (int64_t k = 0; k < 400; k++)
    wrong += *value_in(t->view, peek(t, k % 20 - 10, k / 20 - 10)) - DEFAULT != t->launch->vars[1];
  is_int(wrong, 0, "by all the same");
  is_int(wrong_all(t), 0, "each key is in a chain once; those not needed were given back");
  is_int(t->launch->status.code, SN_OK, "no error");
  tree_free(t);
}

SND_INLINE void
snd_turmoil(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  uint64_t x = worker_number(worker) + launch->vars[0];

  for (int k = 0; k < 400; k++) {
    const int64_t key[AXES] = { (int64_t)(next_random(&x) % 16) - 8,
                                (int64_t)(next_random(&x) % 4) * ((int64_t)1 << 33) };
    if (next_random(&x) % 4 == 0) {
      snd_hash_deactivate_key(view, snode, key, AXES);
    } else {
      const sn_addr cell = snd_hash_activate(view, snode, launch, slot, key, AXES);
      if (cell == 0) return;
      snd_atomic_add_u32(value_in(view, cell), 1);
    }
  }
}
SND_RUNTIME_TASK(turmoil, work_many)

static int64_t spoilt_free_cells(const tree *t, int manager)
{
  const snd_snode_view *node = &t->view->snode[manager];
  const snd_snode_counters *c = counters_of(t, manager);
  int64_t spoilt = 0;

  for (uint64_t k = c->taken; k < c->ready; k++) {
    const char *cell =
      SND_POINTER(char, snd_node_cell(node, SND_POINTER(uint32_t, c->free_ids)[k]));
    spoilt += memcmp(cell, SND_POINTER(char, node->ambient), node->id_offset) != 0;
  }
  return spoilt;
}

static void test_turmoil(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 3, .threads = threads, .buckets = 3,
                                                     .keys = 40000 });
  const int pool = t->view->snode[HASH].pool;
  int64_t wrong = 0, spoilt = 0, idle = 0;

  for (int round = 0; round < 10; round++) {
    t->launch->vars[0] = (uint64_t)round * 1000;
    RUN(t, turmoil, HASH);
    RUN_RT(t, TASK_END, 0);
    idle += counters_of(t, HASH)->recycled == 0;
    wrong += wrong_all(t);
    collect(t, HASH);
    wrong += wrong_all(t);
    spoilt += spoilt_free_cells(t, HASH) + spoilt_free_cells(t, pool);
    wrong += active_cells(t, HASH) !=
             (int64_t)(counters_of(t, pool)->reserved -
                       (counters_of(t, pool)->free - counters_of(t, pool)->taken));
  }
  is_int(wrong, 0, "%d threads put in and take out: ids and keys are conserved", threads);
  is_int(spoilt, 0, "free cells and keys are blank");
  is_int(idle, 0, "cells were taken out in each round");
  is_int(t->launch->status.code, SN_OK, "no error");
  tree_free(t);
}

/* Cells for some only: those are there, with their keys, and nothing else is. */
static void test_short_of_cells(int threads)
{
  tree *t = tree_make(nodes, NODES, &(tree_options){ .chunk = 0, .threads = threads, .buckets = 4,
                                                     .capacity = 150 });
  int64_t found = 0;

  RUN(t, all_want_all, HASH);
  is_int(t->launch->status.code, ON_DEVICE ? SN_ENOMEM : SN_ECAPACITY,
         "%d threads, 150 cells: an error", threads);
  is_int(t->launch->status.snode, HASH, "of the SNode");
  RUN_RT(t, TASK_END, 0);
  for (int64_t k = 0; k < 400; k++) found += peek(t, k % 20 - 10, k / 20 - 10) != 0;
  is_int(found, 150, "as many were had");
  is_int(wrong_all(t), 0, "ids, cells and keys agree");
  tree_free(t);
}

int main(void)
{
  static const int threads[] = { 1, 3, 16 };

  test_all_chains();
  test_one_thread(0);
  test_one_thread(6);
  test_positions();
  for (int k = 0; k < 3; k++) {
    test_rehash(threads[k]);
    test_same_keys(threads[k], 0);
    test_same_keys(threads[k], 8);
    test_turmoil(threads[k]);
    test_short_of_cells(threads[k]);
  }
  return done_testing();
}
