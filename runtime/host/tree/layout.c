/* The shape of a tree: what its view says before any memory is there. */
#include "runtime/host/base/numbers.h"
#include "runtime/host/tree/defaults.h"
#include "runtime/host/tree/layout.h"
#include "runtime/host/tree/pools.h"

#include <string.h>

#define MOST_CELLS (INT64_C(1) << 62)

void sni_begin_snode(sn_tree *tree, int32_t id)
{
  snd_snode_view *node = &tree->view->snode[id];

  memset(node, 0, sizeof *node);
  node->id = id;
  node->parent = node->first_child = node->next_sibling = node->holder = node->pool = -1;
  node->cells = 1;
  node->parts = 1;
  for (int a = 0; a < SN_MAX_AXES; a++)
    node->extent[a] = node->total[a] = 1;
}

static void link_child(snd_tree_view *view, int32_t snode)
{
  snd_snode_view *parent = &view->snode[view->snode[snode].parent];
  int32_t *link = &parent->first_child;

  while (*link >= 0)
    link = &view->snode[*link].next_sibling;
  *link = snode;
}

/* ---- axes ---- */

/* One own axis: extent and total; of a hash, which is open, both leave it out. */
static int lay_axis(const sn_tree *tree, snd_snode_view *node, const snd_snode_info *info,
                    const snd_axis_info *axis, const int64_t *params)
{
  const int is_open = info->kind == SND_SNODE_HASH;
  const int64_t extent = is_open ? 1 : sni_extent_of(axis, params);

  if (extent < 1)
    return sni_fail(tree->context, SN_EINVAL, "%s: extent %lld of %s is below 1",
                    tree->info->c_name, (long long)extent, info->name);
  node->extent[axis->axis] = extent;
  node->own_axes |= UINT32_C(1) << axis->axis;
  if (is_open)
    node->open_axes |= UINT32_C(1) << axis->axis;
  if (extent > MOST_CELLS / node->total[axis->axis])
    return sni_fail(tree->context, SN_EINVAL, "%s: %s has more than 2^62 cells",
                    tree->info->c_name, info->name);
  node->total[axis->axis] *= extent;
  node->cells *= (uint64_t)extent;
  return SN_OK;
}

/* The whole path has at most MOST_CELLS. */
static int lay_axes(const sn_tree *tree, snd_snode_view *node, const snd_snode_info *info,
                    const int64_t *params)
{
  int64_t path_cells = 1;

  for (uint32_t k = 0; k < info->axis_count; k++)
    SN_TRY(lay_axis(tree, node, info, &info->axes[k], params));
  node->path_axes |= node->own_axes;
  for (int a = 0; a < SN_MAX_AXES; a++) {
    if (node->total[a] > MOST_CELLS / path_cells)
      return sni_fail(tree->context, SN_EINVAL, "%s: %s has more than 2^62 cells",
                      tree->info->c_name, info->name);
    path_cells *= node->total[a];
  }
  return SN_OK;
}

/* ---- cells in place ---- */

static uint64_t times(uint64_t a, uint64_t b)
{
  return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* Bytes of the cells of a container, without masks; UINT64_MAX: too many. */
static uint64_t bytes_in_place(const snd_snode_view *node)
{
  if (!node->row_cells)
    return times(node->cells, node->cell_bytes);
  return times((node->cells + node->row_cells - 1) / node->row_cells, node->row_bytes);
}

static void lay_rows(snd_snode_view *node, const snd_snode_info *info)
{
  if (!info->row_cells)
    return;
  node->row_cells = (uint64_t)info->row_cells;
  node->row_bytes = info->cell_bytes;
  node->cell_bytes = 0;
  if (info->row_cells != SND_ROW_OF_ALL)
    return;
  node->row_cells = SND_ARRAY_CELLS(node->cells);
  node->row_bytes = times(node->row_cells, info->cell_bytes);
}

/* ---- kinds ---- */

/* A mask word for each 64 cells of a container; for a hash as its keys come (hash.c). */
static int lay_masks(sn_tree *tree, snd_snode_view *node, const snd_snode_info *info)
{
  if (node->cells > (uint64_t)UINT32_MAX * 64)
    return sni_fail(tree->context, SN_ENOMEM, "%s: a container of %s would have %llu cells",
                    tree->info->c_name, info->name, (unsigned long long)node->cells);
  node->mask_words = (uint32_t)((node->cells + 63) / 64);
  return SN_OK;
}

static int lay_kind(sn_tree *tree, int32_t id, const int64_t *params)
{
  const snd_snode_info *info = &tree->info->snodes[id];
  snd_snode_view *node = &tree->view->snode[id];

  switch (info->kind) {
  case SND_SNODE_POINTER:
    return lay_masks(tree, node, info);
  case SND_SNODE_BITMASKED:
    if (bytes_in_place(node) > UINT64_MAX >> 1)
      return sni_fail(tree->context, SN_ENOMEM, "%s: no memory for %s", tree->info->c_name,
                      info->name);
    node->mask_offset = (bytes_in_place(node) + 7) & ~UINT64_C(7);
    return lay_masks(tree, node, info);
  case SND_SNODE_DYNAMIC:
    node->entry_words += 3;
    return sni_layout_dynamic(tree, id, params);
  case SND_SNODE_HASH:
    node->cells = 0;
    sni_layout_hash(tree, id);
    return SN_OK;
  default:
    return SN_OK;
  }
}

static int lay_snode(sn_tree *tree, int32_t id, const int64_t *params)
{
  snd_tree_view *view = tree->view;
  const snd_snode_info *info = &tree->info->snodes[id];
  const snd_snode_view *parent = &view->snode[info->parent];
  snd_snode_view *node = &view->snode[id];

  node->kind = info->kind;
  node->parent = info->parent;
  node->depth = parent->depth + 1;
  node->holder = sni_is_allocated(tree, info->parent) ? info->parent : parent->holder;
  node->path_axes = parent->path_axes;
  node->open_axes = parent->open_axes;
  memcpy(node->total, parent->total, sizeof node->total);
  SN_TRY(lay_axes(tree, node, info, params));
  node->container_offset = info->container_offset;
  node->cell_bytes = sni_is_allocated(tree, id) ? sni_cell_stride(info->cell_bytes)
                                                : info->cell_bytes;
  lay_rows(node, info);
  if (info->parts > 1) {
    node->parts = info->parts;
    node->log2_chunk = info->log2_chunk;         /* where its parts are stands in the tables */
  }
  node->id_offset = info->id_offset;
  node->entry_words = 1 + sni_count_bits(parent->path_axes);
  link_child(view, id);
  return lay_kind(tree, id, params);
}

/* ---- how far a hash reaches ---- */

/* Cells of a hash are at c where c * below .. (c + 1) * below - 1, moved by an origin, are numbers
 * of 64 bits: for c from -reach - 1 to reach. */
static int64_t reach_over(int64_t below, int64_t origin)
{
  const uint64_t moved = origin < 0 ? -(uint64_t)origin : (uint64_t)origin;

  return (int64_t)(((UINT64_C(1) << 63) - moved) / (uint64_t)below - 1);
}

static int64_t lesser(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t reach_on(const sn_tree *tree, int32_t hash, int axis)
{
  int64_t reach = INT64_MAX;

  for (uint32_t k = (uint32_t)hash; k < tree->info->snode_count; k++)
    if (sni_is_below(tree, (int32_t)k, hash))
      reach = lesser(reach, reach_over(sni_view_of(tree, (int32_t)k)->total[axis], 0));
  for (uint32_t f = 0; f < tree->info->field_count; f++) {
    const snd_field_info *field = &tree->info->fields[f];
    for (uint32_t k = 0; sni_is_below(tree, field->snode, hash) && k < field->axis_count; k++)
      if (field->axes[k] == axis)
        reach = lesser(reach, reach_over(sni_view_of(tree, field->snode)->total[axis],
                                         field->origin[k]));
  }
  return reach;
}

static void lay_reach(sn_tree *tree, int32_t hash)
{
  snd_snode_view *node = &tree->view->snode[hash];

  for (int a = 0; a < SN_MAX_AXES; a++)
    if (node->own_axes >> a & 1)
      node->reach[a] = reach_on(tree, hash, a);
}

int sni_layout(sn_tree *tree, const int64_t *params)
{
  snd_tree_view *view = tree->view;

  view->snode_count = tree->info->snode_count;
  view->field_count = tree->info->field_count;
  for (uint32_t k = 0; k < tree->node_count; k++)
    sni_begin_snode(tree, (int32_t)k);
  view->snode[0].kind = SND_SNODE_ROOT;
  view->snode[0].entry_words = 1;
  view->snode[0].cell_bytes = tree->info->root_bytes;
  /* Parents stand before their children in the tables. */
  for (uint32_t k = 1; k < view->snode_count; k++)
    SN_TRY(lay_snode(tree, (int32_t)k, params));
  for (uint32_t k = 1; k < view->snode_count; k++)
    if (view->snode[k].kind == SND_SNODE_HASH)
      lay_reach(tree, (int32_t)k);
  for (uint32_t k = 0; k < view->snode_count; k++)
    view->snode[k].ambient_is_zero = (uint32_t)sni_defaults_are_zero(tree, (int32_t)k);
  for (uint32_t k = view->snode_count; k < tree->node_count; k++)
    view->snode[k].ambient_is_zero = (uint32_t)sni_pool_is_zero(tree, (int32_t)k);
  return SN_OK;
}

uint64_t sni_container_bytes(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *node = sni_view_of(tree, snode);

  switch (node->kind) {
  case SND_SNODE_BITMASKED:
    return node->mask_offset + 2 * sizeof(uint64_t) * (uint64_t)node->mask_words;
  case SND_SNODE_DYNAMIC:
    return sizeof(uint64_t);
  case SND_SNODE_POINTER:
    return times(node->cells, sizeof(uint64_t));
  case SND_SNODE_HASH:
    return times(UINT64_C(1) << node->log2_buckets, sizeof(uint64_t));
  default:
    return bytes_in_place(node);
  }
}

void sni_layout_fields(const sn_tree *tree, snd_field_view *views)
{
  for (uint32_t k = 0; k < tree->info->field_count; k++) {
    const snd_field_info *info = &tree->info->fields[k];
    snd_field_view *view = &views[k];

    memset(view, 0, sizeof *view);
    view->snode = (uint32_t)info->snode;
    view->type = info->type;
    view->bytes = sni_type_bytes(info->type);
    view->axis_count = info->axis_count;
    view->offset = info->offset;
    if (tree->info->snodes[info->snode].row_cells == SND_ROW_OF_ALL)
      view->offset *= sni_view_of(tree, info->snode)->row_cells;
    view->default_bits = info->default_bits;
    memcpy(view->axes, info->axes, sizeof view->axes);
    memcpy(view->origin, info->origin, sizeof view->origin);
  }
}
