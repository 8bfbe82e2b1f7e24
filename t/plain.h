/* A tree as plain arrays: what the tests hold the sparse runtime against.
 *
 * It is made from the tables of a generated file (sn_tree_info) and knows no slots,
 * masks, chunks or lists: each SNode has an array of truth values, one for every cell
 * there could be, each field an array of bits. A hash's axes are cut to a window of
 * `window` keys on each side of 0.
 *
 * A cell has a number in its SNode: row-major over the axes of its path, ascending.
 * Coordinates count cells of the SNode from the tree's origin, by axis.
 * Memory that is not there ends the program.
 */
#ifndef SN_T_PLAIN_H
#define SN_T_PLAIN_H

#include <snode/module.h>
#include <snode/snode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plain_snode {
  snd_snode_kind kind;
  int parent, own_axis;          /* dynamic: its axis; else -1 */
  unsigned axes;                 /* of the path: bit a: axis a */
  int64_t total[12];             /* cells on the axis, a hash's keys left out */
  int64_t span[12];              /* cells on the axis, in the window */
  int64_t low[12];               /* the least coordinate */
  int64_t cells;
  int64_t *above;                /* by number: the cell of the parent that holds it */
  char *active;                  /* by number; NULL: as the parent's */
} plain_snode;

typedef struct plain {
  const sn_tree_info *info;
  plain_snode *snode;
  uint64_t **value;              /* by field, by the number of the cell that holds it */
} plain;

static inline void *plain_array(int64_t n, size_t bytes)
{
  void *array = calloc((size_t)n, bytes);

  if (!array) {
    printf("Bail out! no memory for the plain model\n");
    exit(1);
  }
  return array;
}

static inline int plain_is_sparse(const plain *p, int s)
{
  return p->snode[s].kind != SND_SNODE_DENSE && p->snode[s].kind != SND_SNODE_ROOT;
}

/* ---- numbers and coordinates ---- */

static inline int64_t plain_number(const plain *p, int s, const int64_t *at)
{
  int64_t number = 0;
  for (int a = 0; a < 12; a++)
    if (p->snode[s].axes >> a & 1)
      number = number * p->snode[s].span[a] + at[a] - p->snode[s].low[a];
  return number;
}

static inline void plain_coordinates(const plain *p, int s, int64_t number, int64_t *at)
{
  for (int a = 11; a >= 0; a--) {
    at[a] = p->snode[s].low[a] + number % p->snode[s].span[a];
    number /= p->snode[s].span[a];
  }
}

/* The cell of the parent that holds it. */
static inline int64_t plain_find_above(const plain *p, int s, int64_t number)
{
  const plain_snode *node = &p->snode[s], *parent = &p->snode[node->parent];
  int64_t at[12];

  plain_coordinates(p, s, number, at);
  for (int a = 0; a < 12; a++)
    if (parent->axes >> a & 1)
      at[a] = parent->low[a] + (at[a] - node->low[a]) / (node->span[a] / parent->span[a]);
  return plain_number(p, node->parent, at);
}

/* Axes of a call's index: a field's in its own order, an SNode's ascending; of a dynamic
 * SNode's container without its own. Gives how many. */
static inline int plain_axes(const plain *p, int s, int of_container, int *axes)
{
  int count = 0;
  for (int a = 0; a < 12; a++)
    if (p->snode[s].axes >> a & 1 && !(of_container && a == p->snode[s].own_axis))
      axes[count++] = a;
  return count;
}

static inline void plain_lay(plain *p, int s, const int64_t *params, int64_t window)
{
  const snd_snode_info *info = &p->info->snodes[s];
  plain_snode *node = &p->snode[s];

  node->kind = info->kind;
  node->parent = s == 0 ? -1 : info->parent;
  node->own_axis = info->kind == SND_SNODE_DYNAMIC ? info->axes[0].axis : -1;
  for (int a = 0; a < 12; a++) {
    node->total[a] = s == 0 ? 1 : p->snode[node->parent].total[a];
    node->span[a] = s == 0 ? 1 : p->snode[node->parent].span[a];
    node->low[a] = s == 0 ? 0 : p->snode[node->parent].low[a];
  }
  node->axes = s == 0 ? 0 : p->snode[node->parent].axes;
  for (uint32_t k = 0; s > 0 && k < info->axis_count; k++) {
    const snd_axis_info *axis = &info->axes[k];
    const int64_t extent = axis->size ? axis->size : axis->extent(params);
    node->axes |= 1u << axis->axis;
    node->total[axis->axis] *= extent;
    node->span[axis->axis] *= info->kind == SND_SNODE_HASH ? 2 * window : extent;
    if (info->kind == SND_SNODE_HASH) node->low[axis->axis] = -window;
    else node->low[axis->axis] *= extent;
  }
  node->cells = 1;
  for (int a = 0; a < 12; a++) node->cells *= node->span[a];
  if (plain_is_sparse(p, s)) node->active = plain_array(node->cells, 1);
  node->above = plain_array(node->cells, sizeof *node->above);
  for (int64_t c = 0; s > 0 && c < node->cells; c++) node->above[c] = plain_find_above(p, s, c);
}

static inline plain *plain_create(const sn_tree_info *info, const int64_t *params, int64_t window)
{
  plain *p = plain_array(1, sizeof *p);

  p->info = info;
  p->snode = plain_array(info->snode_count, sizeof *p->snode);
  p->value = plain_array(info->field_count, sizeof *p->value);
  for (uint32_t s = 0; s < info->snode_count; s++) plain_lay(p, (int)s, params, window);
  for (uint32_t f = 0; f < info->field_count; f++) {
    const int64_t cells = p->snode[info->fields[f].snode].cells;
    p->value[f] = plain_array(cells, sizeof(uint64_t));
    for (int64_t c = 0; c < cells; c++) p->value[f][c] = info->fields[f].default_bits;
  }
  return p;
}

static inline void plain_destroy(plain *p)
{
  for (uint32_t s = 0; s < p->info->snode_count; s++) {
    free(p->snode[s].active);
    free(p->snode[s].above);
  }
  for (uint32_t f = 0; f < p->info->field_count; f++) free(p->value[f]);
  free(p->snode);
  free(p->value);
  free(p);
}

/* ---- activity ---- */

static inline int plain_alive(const plain *p, int s, int64_t number)
{
  for (; s > 0 && !p->snode[s].active; s = p->snode[s].parent) number = p->snode[s].above[number];
  return s <= 0 || p->snode[s].active[number];
}

/* Cells of a dynamic container, the one with this cell in it. */
static inline int64_t plain_length(const plain *p, int s, int64_t number)
{
  const plain_snode *node = &p->snode[s];
  int64_t at[12], length = 0;

  plain_coordinates(p, s, number, at);
  for (int64_t *k = &at[node->own_axis]; length < node->span[node->own_axis]; length++) {
    *k = length;
    if (!node->active[plain_number(p, s, at)]) break;
  }
  return length;
}

/* The cell and all above it; on a dynamic SNode all before it too. */
static inline void plain_activate(plain *p, int s, int64_t number)
{
  for (; s > 0; s = p->snode[s].parent) {
    plain_snode *node = &p->snode[s];
    if (node->active) node->active[number] = 1;
    if (node->kind == SND_SNODE_DYNAMIC) {
      int64_t at[12];
      plain_coordinates(p, s, number, at);
      while (at[node->own_axis] > 0) {
        at[node->own_axis]--;
        node->active[plain_number(p, s, at)] = 1;
      }
    }
    number = p->snode[s].above[number];
  }
}

/* Whether a cell of `below` lies in the cell of s, or is it; of a dynamic s: in its
 * container. */
static inline int plain_lies_in(const plain *p, int below, int64_t number, int s, int64_t in)
{
  while (below > s) {
    number = p->snode[below].above[number];
    below = p->snode[below].parent;
  }
  if (below != s) return 0;
  if (p->snode[s].kind == SND_SNODE_DYNAMIC) {
    int64_t a[12], b[12];
    plain_coordinates(p, s, number, a);
    plain_coordinates(p, s, in, b);
    a[p->snode[s].own_axis] = b[p->snode[s].own_axis];
    number = plain_number(p, s, a);
  }
  return number == in;
}

static inline void plain_deactivate(plain *p, int s, int64_t number)
{
  for (int below = s; below < (int)p->info->snode_count; below++) {
    for (int64_t c = 0; c < p->snode[below].cells; c++) {
      if (!plain_lies_in(p, below, c, s, number)) continue;
      if (p->snode[below].active) p->snode[below].active[c] = 0;
      for (uint32_t f = 0; f < p->info->field_count; f++)
        if (p->info->fields[f].snode == below) p->value[f][c] = p->info->fields[f].default_bits;
    }
  }
}

/* All cells of an SNode; of the root: of the tree, and what lies at the root is reset. */
static inline void plain_deactivate_all(plain *p, int s)
{
  for (int below = s; below < (int)p->info->snode_count; below++) {
    int above = below;
    while (above > s) above = p->snode[above].parent;
    if (above != s) continue;
    for (int64_t c = 0; c < p->snode[below].cells; c++) {
      if (p->snode[below].active) p->snode[below].active[c] = 0;
      for (uint32_t f = 0; f < p->info->field_count; f++)
        if (p->info->fields[f].snode == below) p->value[f][c] = p->info->fields[f].default_bits;
    }
  }
}

static inline int64_t plain_count(const plain *p, int s)
{
  int64_t count = 0;
  for (int64_t c = 0; c < p->snode[s].cells; c++) count += plain_alive(p, s, c);
  return count;
}

/* ---- values, as bits ---- */

static inline uint64_t plain_get(const plain *p, int f, int64_t number)
{
  return p->value[f][number];
}

static inline void plain_set(plain *p, int f, int64_t number, uint64_t bits)
{
  plain_activate(p, p->info->fields[f].snode, number);
  p->value[f][number] = bits;
}

/* The field's index of the cell, and the other way round. */
static inline void plain_index(const plain *p, int f, int64_t number, int64_t *index)
{
  const snd_field_info *field = &p->info->fields[f];
  int64_t at[12];

  plain_coordinates(p, field->snode, number, at);
  for (uint32_t k = 0; k < field->axis_count; k++)
    index[k] = at[field->axes[k]] + field->origin[k];
}

static inline int64_t plain_of_index(const plain *p, int f, const int64_t *index)
{
  const snd_field_info *field = &p->info->fields[f];
  int64_t at[12] = { 0 };

  for (uint32_t k = 0; k < field->axis_count; k++)
    at[field->axes[k]] = index[k] - field->origin[k];
  return plain_number(p, field->snode, at);
}

#endif
