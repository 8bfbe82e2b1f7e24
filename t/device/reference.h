/* What trees by hand are held against: the containers of an SNode by recursion over the
 * cells themselves, cells that are not as clean as they should be, and random growth.
 */
#ifndef SNODE_TEST_DEVICE_REFERENCE_H
#define SNODE_TEST_DEVICE_REFERENCE_H

#include "look.h"

/* A pseudo-random sequence for each worker: x = x * a + c. */
SND_INLINE uint64_t next_random(uint64_t *x)
{
  *x = *x * 6364136223846793005u + 1442695040888963407u;
  return *x >> 33;
}

/* ---- the list of an SNode, by recursion, in memory order ---- */

enum { ROW_AXES = 3 };

typedef struct row {
  sn_addr container;
  int64_t at[ROW_AXES];          /* of the containing cell, by axis */
  uint64_t piece[3];             /* dynamic: first, last, body */
} row;

typedef struct rows {
  const snd_tree_view *view;
  int snode;
  row *row;
  int64_t count, room;
} rows;

static inline void rows_add(rows *r, const row *add)
{
  if (r->count == r->room) {
    r->room = 2 * r->room + 64;
    r->row = realloc(r->row, (size_t)r->room * sizeof *r->row);
    if (r->row == NULL) bail("out of memory");
  }
  r->row[r->count++] = *add;
}

static inline void rows_add_container(rows *r, sn_addr container, const int64_t *at)
{
  const snd_snode_view *node = &r->view->snode[r->snode];
  row add = { container, { at[0], at[1], at[2] }, { 0, 0, 0 } };

  if (node->kind != SND_SNODE_DYNAMIC) {
    rows_add(r, &add);
    return;
  }
  for (int64_t p = 0; p < snd_dynamic_length(node, container); p += SND_PIECE_CELLS) {
    add.piece[0] = (uint64_t)p;
    add.piece[1] =
      (uint64_t)snd_min_i64(p + SND_PIECE_CELLS, snd_dynamic_length(node, container));
    add.piece[2] = snd_dynamic_body(node, *SND_POINTER(uint64_t, container));
    rows_add(r, &add);
  }
}

/* Coordinates of cell l of a container in a cell that has the coordinates `at`. */
static inline void
cell_coordinates(const snd_snode_view *node, int64_t l, const int64_t *at, int64_t *out)
{
  for (int a = ROW_AXES - 1; a >= 0; a--) {
    out[a] = at[a] * node->extent[a] + l % node->extent[a];
    l /= node->extent[a];
  }
}

static inline void key_coordinates(const snd_snode_view *node, int64_t l, int64_t *out)
{
  const int64_t *key = snd_hash_at(snd_hash_entry(node, l));
  for (int a = 0; a < ROW_AXES; a++) out[a] = node->own_axes >> a & 1 ? *key++ : 0;
}

static inline void rows_find(rows *r, int at, sn_addr cell, const int64_t *coordinates)
{
  const int next = snd_ancestor(r->view, r->snode, r->view->snode[at].depth + 1);
  const snd_snode_view *node = &r->view->snode[next];
  const sn_addr container = snd_container(node, cell);

  if (next == r->snode) {
    rows_add_container(r, container, coordinates);
    return;
  }
  for (int64_t l = 0; l < (int64_t)node->cells; l++) {
    const sn_addr below = snd_lookup(node, container, l, 0);
    int64_t own[ROW_AXES];
    if (below == 0) continue;
    if (node->kind == SND_SNODE_HASH) key_coordinates(node, l, own);
    else cell_coordinates(node, l, coordinates, own);
    rows_find(r, next, below, own);
  }
}

static inline int row_order(const void *a, const void *b) { return memcmp(a, b, sizeof(row)); }

/* Rows of the list of snode that are not those of the reference; on hosts in its order. */
static inline int64_t wrong_rows(const tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode], *parent = &t->view->snode[node->parent];
  static const int64_t origin[ROW_AXES] = { 0, 0, 0 };
  rows expected = { t->view, snode, NULL, 0, 0 }, listed = { t->view, snode, NULL, 0, 0 };
  int64_t wrong;

  rows_find(&expected, 0, t->view->root, origin);
  for (int64_t e = 0; e < snd_list_length(t->view, snode); e++) {
    const uint64_t *entry = snd_list_entry(node, e);
    row got = { entry[0], { 0, 0, 0 }, { 0, 0, 0 } };
    int k = 1;
    for (int a = 0; a < ROW_AXES; a++)
      if (parent->path_axes >> a & 1) got.at[a] = (int64_t)entry[k++];
    for (int p = 0; node->kind == SND_SNODE_DYNAMIC && p < 3; p++) got.piece[p] = entry[k++];
    rows_add(&listed, &got);
  }
  if (ON_DEVICE && expected.count > 0 && listed.count > 0) {
    qsort(expected.row, (size_t)expected.count, sizeof(row), row_order);
    qsort(listed.row, (size_t)listed.count, sizeof(row), row_order);
  }
  wrong = expected.count > listed.count ? expected.count - listed.count
                                        : listed.count - expected.count;
  for (int64_t k = 0; k < expected.count && k < listed.count; k++)
    wrong += row_order(&expected.row[k], &listed.row[k]) != 0;
  free(expected.row);
  free(listed.row);
  return wrong;
}

/* Bits of the list's masks that differ from what is active now. */
static inline int64_t wrong_masks(const tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode];
  int64_t wrong = 0;

  for (int64_t e = 0; e < snd_list_length(t->view, snode); e++)
    for (int64_t c = 0; c < (int64_t)node->mask_words * 64; c++) {
      const uint64_t *masks = SND_POINTER(uint64_t, node->masks) + e * node->mask_words;
      const int set = (int)(masks[c / 64] >> (c % 64) & 1);
      const int active = c < (int64_t)node->cells &&
                         snd_is_active(node, snd_list_container(t->view, snode, e), c);
      wrong += set != active;
    }
  return wrong;
}

/* ---- the invariant between tasks: inactive cells are as fresh ones ---- */

typedef struct dirt {
  const tree *t;
  int64_t cells;                 /* inactive cells that are not */
} dirt;

static inline void dirt_in(dirt *d, int snode, sn_addr cell, int active);

static inline void dirt_in_element(dirt *d, int snode, sn_addr cell)
{
  const snd_field_view *field = snd_field(d->t->view, snode);
  if ((int)field->snode == snode)
    d->cells += snd_value_load(cell + field->offset, field->bytes) != field->default_bits;
}

static inline void dirt_in_masks(dirt *d, const snd_snode_view *node, sn_addr container, int active)
{
  for (uint32_t w = 0; w < node->mask_words; w++) {
    d->cells += snd_bitmasked_words(node, container)[node->mask_words + w] != 0;
    d->cells += !active && snd_bitmasked_words(node, container)[w] != 0;
  }
}

/* Cells behind the last one are inactive too. */
static inline void dirt_in_body(dirt *d, int snode, uint64_t word)
{
  const snd_snode_view *node = &d->t->view->snode[snode];
  const int64_t length = (int64_t)snd_dynamic_counted(node, word);
  const sn_addr body = snd_dynamic_body(node, word);

  for (int64_t p = 0; p < (int64_t)node->cells; p++) {
    const snd_dynamic_place place = snd_dynamic_place_of(node, p);
    const sn_addr cells = snd_dynamic_cells(node, body, place.part, 1);
    if (cells == 0) d->cells += p < length;
    else if (p >= length)
      dirt_in_element(d, snode, cells + (uint64_t)(p - place.first) * node->cell_bytes);
  }
}

static inline void dirt_in_container(dirt *d, int snode, sn_addr container, int active)
{
  const snd_snode_view *node = &d->t->view->snode[snode];

  if (node->kind == SND_SNODE_BITMASKED) dirt_in_masks(d, node, container, active);
  for (int64_t k = 0; k < snd_slots(node); k++) {
    const uint64_t held = *snd_pointer_slot(container, k);
    d->cells += !active && held != 0;
    if (held > 1 && node->kind == SND_SNODE_POINTER) dirt_in(d, snode, held, active);
    else if (held > 1) dirt_in_body(d, snode, held);
  }
  if (snd_is_in_place(node))
    for (int64_t l = 0; l < (int64_t)node->cells; l++)
      dirt_in(d, snode, container + (uint64_t)l * node->cell_bytes,
              active && snd_is_active(node, container, l));
  if (node->kind == SND_SNODE_HASH)
    for (int64_t l = 0; l < (int64_t)node->cells; l++)
      if (snd_is_active(node, container, l))
        dirt_in(d, snode, snd_lookup(node, container, l, 0), 1);
}

static inline void dirt_in(dirt *d, int snode, sn_addr cell, int active)
{
  const snd_tree_view *view = d->t->view;

  if (!active) dirt_in_element(d, snode, cell);
  for (int c = snode + 1; c < (int)view->snode_count; c++)
    if (view->snode[c].parent == snode)
      dirt_in_container(d, c, snd_container(&view->snode[c], cell), active);
}

static inline int64_t dirty_cells(const tree *t)
{
  dirt d = { t, 0 };
  dirt_in(&d, 0, t->view->root, 1);
  return d.cells;
}

/* Cells in the free list that do not hold their defaults and id. */
static inline int64_t spoilt_free_cells(const tree *t, int snode)
{
  const snd_snode_view *node = &t->view->snode[snode];
  const snd_snode_counters *c = counters_of(t, snode);
  int64_t spoilt = 0;

  for (uint64_t k = c->taken; k < c->ready; k++) {
    const uint32_t id = SND_POINTER(uint32_t, c->free_ids)[k];
    const char *cell = SND_POINTER(char, snd_node_cell(node, id));
    const char *ambient = SND_POINTER(char, node->ambient);
    spoilt += memcmp(cell, ambient, node->id_offset) != 0;
    spoilt += *snd_node_id(node, address_of(cell)) != id;
  }
  return spoilt;
}

/* Of all node managers: ids that are lost, or twice somewhere; free cells that are not
 * fresh; ids that still wait for GC. */
static inline int64_t wrong_managers(const tree *t)
{
  int64_t wrong = 0;

  for (int s = 1; s < t->nodes; s++)
    if (has_manager(&t->view->snode[s]))
      wrong += wrong_ids(t, s) + spoilt_free_cells(t, s) +
               (int64_t)counters_of(t, s)->recycled;
  return wrong;
}

/* ---- random growth, by one thread ---- */

enum { GROWN_KEYS = 25 };

static inline void grow_in(tree *t, int snode, sn_addr cell, uint64_t *x, uint64_t percent);

static inline void
grow_container(tree *t, int snode, sn_addr container, uint64_t *x, uint64_t percent)
{
  const snd_tree_view *view = t->view;
  const snd_snode_view *node = &view->snode[snode];

  if (node->kind == SND_SNODE_HASH) {
    for (int k = 0; k < GROWN_KEYS; k++) {
      const int64_t key[2] = { (int64_t)(next_random(x) % 20) - 10,
                               (int64_t)(next_random(x) % 2000) - 1000 };
      grow_in(t, snode, snd_hash_activate(view, snode, t->launch, 0, key,
                                          snd_popcount(node->own_axes)), x, percent);
    }
    return;
  }
  if (node->kind == SND_SNODE_DYNAMIC) {
    const int64_t length = (int64_t)(next_random(x) % (node->cells + 1));
    for (int64_t p = 0; p < length && next_random(x) % 100 < 99; p++)
      grow_in(t, snode, snd_activate(view, snode, t->launch, 0, container, p), x, percent);
    return;
  }
  for (int64_t l = 0; l < (int64_t)node->cells; l++)
    if (node->kind == SND_SNODE_DENSE || next_random(x) % 100 < percent)
      grow_in(t, snode, snd_activate(view, snode, t->launch, 0, container, l), x, percent);
}

/* A value in the cell, and cells below it, `percent` of those there could be. */
static inline void grow_in(tree *t, int snode, sn_addr cell, uint64_t *x, uint64_t percent)
{
  const snd_tree_view *view = t->view;
  const snd_field_view *field = snd_field(view, snode);

  if (snode != 0 && cell == 0) bail("no memory for a cell");
  if ((int)field->snode == snode && cell != 0)
    snd_value_store(cell + field->offset, field->bytes, next_random(x));
  for (int c = snode + 1; c < (int)view->snode_count; c++)
    if (view->snode[c].parent == snode)
      grow_container(t, c, snd_container(&view->snode[c], cell), x, percent);
}

static inline void grow_tree(tree *t, uint64_t seed, uint64_t percent)
{
  uint64_t x = seed;
  grow_in(t, 0, t->view->root, &x, percent);
  RUN_RT(t, TASK_END, 0);
  count_keys(t);
}

#endif
