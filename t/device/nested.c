/* Every kind above and below every other: lists, masks, GC and emptying, by many threads,
 * against recursion over the cells. */
#include "reference.h"

/* Containers of N cells, 1 to 1000 and a prime, under and above every kind; extents that
 * are powers of two and others; containers of one mask word and of more. */
enum { N = -1 };

typedef struct nest {
  const char *name;
  int count;
  node_spec nodes[7];
  tree_options options;
} nest;

static const nest nests[] = {
  { "dense, bitmasked, dense", 5,
    { ROOT, { SND_SNODE_DENSE, 0, N, 0, 2, 3 }, { SND_SNODE_BITMASKED, 1, 0, 3, 4, 9 },
      { SND_SNODE_DENSE, 2, 2, 2, 1, 0 }, { SND_SNODE_BITMASKED, 2, 1, 2, 0, 0 } },
    { .chunk = 3 } },
  { "bitmasked, pointer, bitmasked", 5,
    { ROOT, { SND_SNODE_BITMASKED, 0, N, 0, 0, 0 }, { SND_SNODE_POINTER, 1, 2, 3, 2, 0x1234 },
      { SND_SNODE_BITMASKED, 2, 1, 70, 1, 5 }, { SND_SNODE_DENSE, 3, 1, 2, 8, 6 } },
    { .chunk = 2 } },
  { "pointer, dense, dynamic", 4,
    { ROOT, { SND_SNODE_POINTER, 0, 0, N, 8, 1 }, { SND_SNODE_DENSE, 1, 3, 1, 4, 0 },
      { SND_SNODE_DYNAMIC, 2, 20, 0, 2, 0x5678 } },
    { .chunk = 4 } },
  { "bitmasked, dynamic beside pointer", 5,
    { ROOT, { SND_SNODE_BITMASKED, 0, N, 1, 4, 11 }, { SND_SNODE_DYNAMIC, 1, 9, 0, 1, 0 },
      { SND_SNODE_POINTER, 1, 2, 2, 8, 0 }, { SND_SNODE_DYNAMIC, 3, 17, 0, 4, 7 } },
    { .chunk = 1 } },
};
enum { NESTS = sizeof nests / sizeof *nests };

/* Trees that do not grow with an extent. */
static const nest others[] = {
  { "hash above all", 6,
    { ROOT, { SND_SNODE_HASH, 0, 1, 1, 4, 0x01020304 }, { SND_SNODE_BITMASKED, 1, 4, 2, 1, 8 },
      { SND_SNODE_POINTER, 2, 3, 1, 2, 0 }, { SND_SNODE_DENSE, 3, 2, 2, 4, 1 },
      { SND_SNODE_DYNAMIC, 1, 40, 0, 8, 2 } },
    { .chunk = 2, .buckets = 3, .keys = 64 } },
  { "hash of one axis, dense below", 3,
    { ROOT, { SND_SNODE_HASH, 0, 1, 0, 8, 0 }, { SND_SNODE_DENSE, 1, 3, 5, 2, 0 } },
    { .chunk = 2, .keys = 64 } },
  { "long lists in pieces", 4,
    { ROOT, { SND_SNODE_POINTER, 0, 3, 2, 4, 0 }, { SND_SNODE_DYNAMIC, 1, 5000, 0, 4, 3 },
      { SND_SNODE_DYNAMIC, 0, 2500, 0, 8, 0 } },
    { .chunk = 1, .first = 4, .heads = 5, .tail = 9 } },
};
enum { OTHERS = sizeof others / sizeof *others };

static tree *tree_of(const nest *from, int64_t n, int threads, uint64_t capacity)
{
  tree_options options = from->options;
  node_spec nodes[7];

  memcpy(nodes, from->nodes, sizeof nodes);
  if (nodes[1].i == N) nodes[1].i = n;
  if (nodes[1].j == N) nodes[1].j = n;
  options.threads = threads;
  options.capacity = capacity;
  return tree_make(nodes, from->count, &options);
}

/* ---- lists ---- */

static int64_t wrong_lists(tree *t)
{
  int64_t wrong = 0;

  count_keys(t);
  for (int s = 1; s < (int)t->view->snode_count; s++) {
    RUN_RT(t, LISTGEN, s);
    wrong += wrong_rows(t, s) + wrong_masks(t, s);
  }
  return wrong + (t->launch->status.code != SN_OK);
}

/* Of the lowest SNodes the activity changes: entries stand, the masks are made again. */
static int64_t wrong_remade_masks(tree *t)
{
  int64_t wrong = 0;

  for (int s = 1; s < (int)t->view->snode_count; s++) {
    const snd_snode_view *node = &t->view->snode[s];
    if (node->kind != SND_SNODE_BITMASKED && node->kind != SND_SNODE_POINTER) continue;
    make_lists(t, s);
    for (int64_t e = 0; e < snd_list_length(t->view, s); e++)
      for (int64_t l = e % 3; l < (int64_t)node->cells; l += 3) {
        const sn_addr container = snd_list_container(t->view, s, e);
        if (snd_is_active(node, container, l)) snd_deactivate(t->view, s, container, l);
        else (void)snd_activate(t->view, s, t->launch, 0, container, l);
      }
    if (t->view->snode[s].cells > 1 && snd_list_length(t->view, s) > 0)
      wrong += wrong_masks(t, s) == 0;         /* they were stale */
    RUN_RT(t, LISTMASKS, s);
    wrong += wrong_rows(t, s) + wrong_masks(t, s);
  }
  collect(t, 0);
  return wrong + dirty_cells(t) + wrong_managers(t);
}

/* ---- emptying: each SNode in turn ---- */

static int64_t wrong_emptied(tree *t)
{
  int64_t wrong = 0;

  for (int s = (int)t->view->snode_count - 1; s > 0; s--) {
    if (t->view->snode[s].kind == SND_SNODE_DENSE) continue;
    make_lists(t, s);
    RUN_RT(t, DEACTIVATE_ALL, s);
    wrong += active_cells(t, s) != 0;
    collect(t, s);
    wrong += dirty_cells(t) + wrong_managers(t);
  }
  for (int s = 1; s < t->nodes; s++)
    if (has_manager(&t->view->snode[s]))
      wrong += counters_of(t, s)->free - counters_of(t, s)->taken != counters_of(t, s)->reserved;
  return wrong;
}

/* ---- turmoil: many threads activate, store and take out, on every level ---- */

/* Child number n (modulo how many there are) of an SNode; -1: it has none. */
SND_INLINE int32_t child_of(const SND_GLB snd_tree_view *view, int32_t snode, uint64_t n)
{
  int32_t count = 0, which = -1;

  for (int32_t c = snode + 1; c < (int32_t)view->snode_count; c++)
    count += view->snode[c].parent == snode;
  if (count == 0) return -1;
  n %= (uint64_t)count;
  for (int32_t c = snode + 1; c < (int32_t)view->snode_count && which < 0; c++)
    if (view->snode[c].parent == snode && n-- == 0) which = c;
  return which;
}

/* A cell of the container, few enough that workers meet, made active. */
SND_INLINE sn_addr
some_cell(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
          int32_t slot, sn_addr container, uint64_t random)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  if (node->kind == SND_SNODE_HASH) {
    const int64_t key[2] = { (int64_t)(random % 5) - 2, (int64_t)(random / 5 % 3) };
    return snd_hash_activate(view, snode, launch, slot, key, snd_popcount(node->own_axes));
  }
  if (node->kind == SND_SNODE_DYNAMIC && random % 3 != 0) {
    snd_dynamic_hint hint = SND_NO_HINT;
    const int64_t p = snd_dynamic_append(view, snode, launch, slot, container, -1, &hint);
    return p < 0 ? 0 : snd_lookup(node, container, p, 0);
  }
  return snd_activate(view, snode, launch, slot, container,
                      (int64_t)(random % snd_min_u64(node->cells, 12)));
}

SND_INLINE void
some_taken_out(const SND_GLB snd_tree_view *view, int32_t snode, sn_addr container, uint64_t random)
{
  const SND_GLB snd_snode_view *node = &view->snode[snode];

  if (node->kind == SND_SNODE_HASH) {
    const int64_t key[2] = { (int64_t)(random % 5) - 2, (int64_t)(random / 5 % 3) };
    snd_hash_deactivate_key(view, snode, key, snd_popcount(node->own_axes));
  } else {
    snd_deactivate(view, snode, container, (int64_t)(random % snd_min_u64(node->cells, 12)));
  }
}

/* From the root down; on every level perhaps something is taken out. */
SND_INLINE void
snd_turmoil(const SND_GLB snd_tree_view *view, int32_t snode, SND_GLB snd_launch *launch,
            int32_t slot, const snd_worker *worker)
{
  uint64_t x = (uint64_t)(worker->team * worker->threads + worker->thread) + launch->vars[1];

  (void)snode;
  for (int k = 0; k < 200; k++) {
    sn_addr cell = view->root;
    int32_t at = child_of(view, 0, next_random(&x));

    while (at > 0) {
      const SND_GLB snd_field_view *field = snd_field(view, at);
      const sn_addr container = snd_container(&view->snode[at], cell);
      cell = some_cell(view, at, launch, slot, container, next_random(&x));
      if (cell == 0) break;
      if ((int32_t)field->snode == at)
        snd_value_store(cell + field->offset, field->bytes, next_random(&x));
      if (next_random(&x) % 6 == 0) some_taken_out(view, at, container, next_random(&x));
      at = child_of(view, at, next_random(&x));
    }
  }
}
SND_INLINE int64_t work_many(const SND_GLB snd_tree_view *view, int32_t snode)
{
  (void)view;
  (void)snode;
  return 64;
}
SND_RUNTIME_TASK(turmoil, work_many)

/* Appends past the extent are errors that a program sees; there should be no others. */
static int is_in_order(const tree *t)
{
  const snd_status *status = &t->launch->status;
  return status->code == SN_OK ||
         (status->code == SN_ECAPACITY &&
          status->have == (int64_t)t->view->snode[status->snode].cells);
}

static void check_turmoil(const nest *from, int threads)
{
  tree *t = tree_of(from, 10, threads, 20000);
  int64_t wrong = 0, dirty = 0, lists = 0;

  for (int round = 0; round < 6; round++) {
    t->launch->vars[1] = (uint64_t)round * 1000;
    RUN(t, turmoil, 0);
    collect(t, 0);
    wrong += wrong_managers(t) + !is_in_order(t);
    launch_clear(t);
    dirty += dirty_cells(t);
    lists += wrong_lists(t);
  }
  is_int(wrong, 0, "%s, %d threads: ids are conserved, free cells are fresh", from->name, threads);
  is_int(dirty, 0, "%s: so are inactive ones", from->name);
  is_int(lists, 0, "%s: lists and masks", from->name);
  tree_free(t);
}

/* ---- one tree ---- */

static void check_nest(const nest *from, int64_t n, int threads, uint64_t percent)
{
  tree *t = tree_of(from, n, threads, 0);

  is_int(wrong_lists(t), 0, "%s of %d, %d threads: lists of an empty tree", from->name, (int)n,
         threads);
  grow_tree(t, (uint64_t)n, percent);
  is_int(wrong_lists(t), 0, "%s: lists and masks, %d percent", from->name, (int)percent);
  is_int(wrong_remade_masks(t), 0, "%s: masks remade, and collected", from->name);
  is_int(wrong_lists(t), 0, "%s: lists after it", from->name);
  is_int(wrong_emptied(t), 0, "%s: emptied from below", from->name);
  tree_free(t);
}

int main(void)
{
  static const int extents[] = { 1, 3, 10, 100, 129, 343, 1000, 1009 };
  static const int threads[] = { 1, 3, 16 };
  static const uint64_t percents[] = { 100, 40, 5 };

  for (int k = 0; k < NESTS; k++)
    for (int n = 0; n < 8; n++)
      check_nest(&nests[k], extents[n], threads[(k + n) % 3], percents[(k + n / 3) % 3]);
  for (int k = 0; k < OTHERS; k++)
    for (int p = 0; p < 3; p++) check_nest(&others[k], 0, threads[p], percents[p]);
  for (int p = 0; p < 3; p++) {
    for (int k = 0; k < NESTS; k++) check_turmoil(&nests[k], threads[p]);
    for (int k = 0; k < OTHERS; k++) check_turmoil(&others[k], threads[p]);
  }
  return done_testing();
}
