/* Looking at a tree made by hand from outside any task: what is active, whether each id is in one
 * place, what all tests do between tasks.
 */
#ifndef LOOK_H
#define LOOK_H

#include "tree.h"

/* Cells of snode that are active, by the slots themselves. */
typedef void visit_fn(void *what, sn_addr cell);

static inline void
visit_cells(const snd_tree_view *view, int snode, int at, sn_addr cell, visit_fn *visit, void *what)
{
  const int next = snd_ancestor(view, snode, view->snode[at].depth + 1);
  const snd_snode_view *node = &view->snode[next];
  const sn_addr container = snd_container(node, cell);

  for (int64_t l = snd_iterate(node, container, 0); l < snd_capacity(node);
       l = snd_iterate(node, container, l + 1)) {
    const sn_addr found = snd_lookup(node, container, l, 0);
    if (next == snode) visit(what, found);
    else visit_cells(view, snode, next, found, visit, what);
  }
}

static inline void count_cell(void *what, sn_addr cell)
{
  (void)cell;
  ++*(int64_t *)what;
}

static inline int64_t active_cells(const tree *t, int snode)
{
  int64_t count = 0;
  visit_cells(t->view, snode, 0, t->view->root, count_cell, &count);
  return count;
}

/* Every id below `reserved` is in exactly one place: a slot, what is left of the free
 * list, the recycled list.  Gives the number of ids that are not. */
typedef struct id_check {
  const snd_snode_view *node;
  unsigned char *seen;
  uint64_t reserved;
  int64_t wrong;
} id_check;

static inline void id_seen(id_check *check, uint64_t id)
{
  if (id >= check->reserved) check->wrong++;
  else if (check->seen[id]++) check->wrong++;
}

static inline void id_of_cell(void *what, sn_addr cell)
{
  id_check *check = what;
  id_seen(check, *snd_node_id(check->node, cell));
  if (snd_node_cell(check->node, *snd_node_id(check->node, cell)) != cell) check->wrong++;
}

/* The cells of a pool that are in use: parts of bodies, keys in chains. */
typedef struct pool_visit {
  const snd_tree_view *view;
  int snode, number;             /* whose pool, which of its pools */
  visit_fn *visit;
  void *what;
} pool_visit;

static inline void visit_slots(const pool_visit *v, sn_addr slots, uint64_t first, uint64_t last)
{
  for (uint64_t k = first; k < last; k++)
    if (SND_POINTER(uint64_t, slots)[k] > SND_BUILDING)
      v->visit(v->what, SND_POINTER(uint64_t, slots)[k]);
}

/* what: a pool_visit; cell: of the dynamic SNode's parent */
static inline void visit_parts(void *what, sn_addr cell)
{
  const pool_visit *v = what;
  const snd_snode_view *node = &v->view->snode[v->snode];
  const sn_addr container = snd_container(node, cell);
  const uint64_t word = *SND_POINTER(uint64_t, container);
  const uint64_t number = (uint64_t)v->number, heads = node->heads;
  sn_addr body;

  if (!snd_dynamic_has_body(node, word)) return;
  body = snd_dynamic_body(node, word);
  if (number == 0) v->visit(v->what, body);
  else if (number <= heads) visit_slots(v, body, number - 1, number);
  else if (SND_POINTER(uint64_t, body)[heads - 1] > SND_BUILDING)
    visit_slots(v, SND_POINTER(uint64_t, body)[heads - 1], 0, node->tail_slots);
}

static inline void visit_keys(const pool_visit *v)
{
  const snd_snode_view *node = &v->view->snode[v->snode];
  for (uint64_t b = 0; b < (uint64_t)1 << node->log2_buckets; b++)
    for (sn_addr key = SND_POINTER(uint64_t, node->container)[b]; key > SND_CHAIN_END;
         key = *SND_POINTER(uint64_t, key))
      v->visit(v->what, key);
}

static inline void
visit_pool(const snd_tree_view *view, int pool, visit_fn *visit, void *what)
{
  const int owner = view->snode[pool].parent, parent = view->snode[owner].parent;
  pool_visit v = { view, owner, pool - view->snode[owner].pool, visit, what };

  if (view->snode[owner].kind == SND_SNODE_HASH) visit_keys(&v);
  else if (parent == 0) visit_parts(&v, view->root);
  else visit_cells(view, parent, 0, view->root, visit_parts, &v);
}

/* snode: what has a node manager. */
static inline int64_t wrong_ids(const tree *t, int snode)
{
  const snd_snode_counters *c = counters_of(t, snode);
  id_check check = { &t->view->snode[snode], NULL, c->reserved, 0 };

  check.seen = calloc(c->reserved + 1, 1);
  if (check.seen == NULL) bail("out of memory");
  if (check.node->kind == SND_SNODE_POOL) visit_pool(t->view, snode, id_of_cell, &check);
  else visit_cells(t->view, snode, 0, t->view->root, id_of_cell, &check);
  for (uint64_t k = c->taken; k < c->free; k++)
    id_seen(&check, SND_POINTER(uint32_t, c->free_ids)[k]);
  for (uint64_t k = 0; k < c->recycled; k++)
    id_seen(&check, *snd_recycled_at(check.node, k));
  for (uint64_t k = 0; k < c->reserved; k++) check.wrong += check.seen[k] != 1;
  free(check.seen);
  return check.wrong;
}

/* Keys made in a task are positions from then on. */
static inline void count_keys(tree *t)
{
  for (int s = 1; s < (int)t->view->snode_count; s++) {
    snd_snode_view *node = &t->view->snode[s];
    if (node->kind != SND_SNODE_HASH) continue;
    node->cells = counters_of(t, node->pool)->reserved;
    node->mask_words = (uint32_t)((node->cells + 63) / 64);
  }
}

/* Lists of snode and of all above it, made anew. */
static inline void make_lists(tree *t, int snode)
{
  count_keys(t);
  if (t->view->snode[snode].parent > 0) make_lists(t, t->view->snode[snode].parent);
  if (snode > 0) RUN_RT(t, LISTGEN, snode);
}

static inline int is_below(const tree *t, int snode, int top)
{
  return t->view->snode[snode].depth >= t->view->snode[top].depth &&
         snd_ancestor(t->view, snode, t->view->snode[top].depth) == top;
}

static inline void reclaim(tree *t, int manager)
{
  RUN_RT(t, GC_MOVE, manager);
  RUN_RT(t, GC_ACCOUNT, manager);
  RUN_RT(t, GC_REFILL, manager);
}

/* The keys of a hash into their buckets, those without a cell set free. */
static inline void tidy_keys(tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode];
  memset(SND_POINTER(char, node->container), 0, container_bytes(node));
  RUN_RT(t, REHASH, snode);
}

/* What libsnode's sequencer does after a task: end, GC of top and all below it. */
static inline void collect(tree *t, int top)
{
  RUN_RT(t, TASK_END, 0);
  count_keys(t);
  for (int s = top; s < (int)t->view->snode_count; s++) {
    if (!is_below(t, s, top)) continue;
    if (counters_of(t, s)->taken_out) {
      make_lists(t, s);
      RUN_RT(t, SWEEP, s);
    }
    if (is_allocated(&t->view->snode[s]) || t->view->snode[s].kind == SND_SNODE_DYNAMIC)
      RUN_RT(t, GC_EXPAND, s);
  }
  for (int s = top; s < (int)t->view->snode_count; s++) {
    const snd_snode_view *node = &t->view->snode[s];
    if (!is_below(t, s, top)) continue;
    if (is_allocated(node)) reclaim(t, s);
    if (node->kind == SND_SNODE_HASH) tidy_keys(t, s);
    for (int k = 0; k < node->pool_count; k++) reclaim(t, node->pool + k);
  }
}

#endif
