/* The shape of a tree: what its view says before any memory is there. */
#include "runtime/host/tree/tree.h"

#include <string.h>

#define MOST_CELLS (INT64_C(1) << 62)

uint32_t sni_type_bytes(sn_type type)
{
  static const uint8_t bytes[] = {
    [SN_TYPE_BOOL] = 1, [SN_TYPE_I8] = 1, [SN_TYPE_I16] = 2, [SN_TYPE_I32] = 4, [SN_TYPE_I64] = 8,
    [SN_TYPE_U8] = 1, [SN_TYPE_U16] = 2, [SN_TYPE_U32] = 4, [SN_TYPE_U64] = 8,
    [SN_TYPE_F32] = 4, [SN_TYPE_F64] = 8
  };

  return bytes[type];
}

/* From one cell to the next: room for 64-bit slots, and large cells begin on
 * cache lines, so that rows of values do. */
static uint64_t cell_stride(const sn_snode_info *info)
{
  const uint64_t align = info->cell_bytes >= 256 ? 64 : 8;

  if (info->kind != SN_SNODE_POINTER)
    return info->cell_bytes;
  return (info->cell_bytes + align - 1) & ~(align - 1);
}

static void link_child(sn_tree_view *view, int32_t snode)
{
  sn_snode_view *parent = &view->snode[view->snode[snode].parent];
  int32_t *link = &parent->first_child;

  while (*link >= 0)
    link = &view->snode[*link].next_sibling;
  *link = snode;
}

/* The own axes: extents and totals.  The whole path has at most MOST_CELLS. */
static int lay_axes(const sn_tree *tree, sn_snode_view *node, const sn_snode_info *info,
                    const int64_t *params)
{
  int64_t path_cells = 1;

  for (uint32_t k = 0; k < info->axis_count; k++) {
    const sn_axis_info *axis = &info->axes[k];
    const int64_t extent = axis->size ? axis->size : axis->extent(params);

    if (extent < 1)
      return sni_fail(tree->context, SN_EINVAL, "%s: extent %lld of %s is below 1",
                      tree->info->c_name, (long long)extent, info->name);
    node->extent[axis->axis] = extent;
    node->own_axes |= UINT32_C(1) << axis->axis;
    if (extent > MOST_CELLS / node->total[axis->axis])
      return sni_fail(tree->context, SN_EINVAL, "%s: %s has more than 2^62 cells",
                      tree->info->c_name, info->name);
    node->total[axis->axis] *= extent;
    node->cells *= (uint64_t)extent;
  }
  node->path_axes |= node->own_axes;
  for (int a = 0; a < SN_MAX_AXES; a++) {
    if (node->total[a] > MOST_CELLS / path_cells)
      return sni_fail(tree->context, SN_EINVAL, "%s: %s has more than 2^62 cells",
                      tree->info->c_name, info->name);
    path_cells *= node->total[a];
  }
  return SN_OK;
}

static int count_axes(uint32_t axes)
{
  int count = 0;

  for (; axes; axes &= axes - 1)
    count++;
  return count;
}

static int lay_snode(sn_tree *tree, int32_t id, const int64_t *params)
{
  sn_tree_view *view = tree->view;
  const sn_snode_info *info = &tree->info->snodes[id];
  const sn_snode_view *parent = &view->snode[info->parent];
  sn_snode_view *node = &view->snode[id];

  node->kind = info->kind;
  node->parent = info->parent;
  node->depth = parent->depth + 1;
  node->holder = parent->kind == SN_SNODE_POINTER ? info->parent : parent->holder;
  node->path_axes = parent->path_axes;
  memcpy(node->total, parent->total, sizeof node->total);
  SN_TRY(lay_axes(tree, node, info, params));
  node->container_offset = info->container_offset;
  node->cell_bytes = cell_stride(info);
  node->id_offset = info->id_offset;
  node->entry_words = 1 + (uint32_t)count_axes(parent->path_axes);
  if (node->kind == SN_SNODE_POINTER) {
    if (node->cells > (uint64_t)UINT32_MAX * 64)
      return sni_fail(tree->context, SN_ENOMEM, "%s: a container of %s would have %llu slots",
                      tree->info->c_name, info->name, (unsigned long long)node->cells);
    node->mask_words = (uint32_t)((node->cells + 63) / 64);
  }
  link_child(view, id);
  return SN_OK;
}

int sni_layout(sn_tree *tree, const int64_t *params)
{
  sn_tree_view *view = tree->view;

  view->snode_count = tree->info->snode_count;
  view->field_count = tree->info->field_count;
  for (uint32_t k = 0; k < view->snode_count; k++) {
    sn_snode_view *node = &view->snode[k];
    node->id = (int32_t)k;
    node->parent = node->first_child = node->next_sibling = node->holder = -1;
    node->cells = 1;
    for (int a = 0; a < SN_MAX_AXES; a++)
      node->extent[a] = node->total[a] = 1;
  }
  view->snode[0].kind = SN_SNODE_ROOT;
  view->snode[0].entry_words = 1;
  view->snode[0].cell_bytes = tree->info->root_bytes;
  /* Parents stand before their children in the tables. */
  for (uint32_t k = 1; k < view->snode_count; k++)
    SN_TRY(lay_snode(tree, (int32_t)k, params));
  for (uint32_t k = 0; k < view->snode_count; k++)
    view->snode[k].ambient_is_zero = (uint32_t)sni_defaults_are_zero(tree, (int32_t)k);
  return SN_OK;
}

void sni_layout_fields(const sn_tree *tree, sn_field_view *views)
{
  for (uint32_t k = 0; k < tree->info->field_count; k++) {
    const sn_field_info *info = &tree->info->fields[k];
    sn_field_view *view = &views[k];

    memset(view, 0, sizeof *view);
    view->snode = (uint32_t)info->snode;
    view->type = info->type;
    view->bytes = sni_type_bytes(info->type);
    view->axis_count = info->axis_count;
    view->offset = info->offset;
    view->default_bits = info->default_bits;
    memcpy(view->axes, info->axes, sizeof view->axes);
  }
}

/* ---- defaults ---- */

/* The SNode whose cells are allocated and hold cells of `snode`: the nearest
 * pointer SNode, itself included; 0: none. */
static int32_t holder_of(const sn_tree *tree, int32_t snode)
{
  const sn_snode_view *node = sni_view_of(tree, snode);

  if (node->kind == SN_SNODE_POINTER)
    return snode;
  return node->holder < 0 ? 0 : node->holder;
}

static int is_below(const sn_tree *tree, int32_t snode, int32_t above)
{
  while (snode > above)
    snode = sni_view_of(tree, snode)->parent;
  return snode == above;
}

int sni_defaults_are_zero(const sn_tree *tree, int32_t snode)
{
  for (uint32_t k = 0; k < tree->info->field_count; k++) {
    const sn_field_info *field = &tree->info->fields[k];
    if (field->default_bits && is_below(tree, field->snode, snode) &&
        holder_of(tree, field->snode) == holder_of(tree, snode))
      return 0;
  }
  return 1;
}

/* The low bytes of a number, as a value of that many bytes lies in memory. */
static void put_bits(char *to, uint64_t bits, uint32_t bytes)
{
  const uint8_t b1 = (uint8_t)bits;
  const uint16_t b2 = (uint16_t)bits;
  const uint32_t b4 = (uint32_t)bits;

  memcpy(to, bytes == 1 ? (const void *)&b1 : bytes == 2 ? (const void *)&b2
           : bytes == 4 ? (const void *)&b4 : (const void *)&bits, bytes);
}

/* A dense container: its first cell, and copies of that. */
static void write_container(const sn_tree *tree, int32_t snode, char *container)
{
  const sn_snode_view *node = sni_view_of(tree, snode);

  sni_write_defaults(tree, snode, container);
  for (uint64_t c = 1; c < node->cells; c++)
    memcpy(container + c * node->cell_bytes, container, node->cell_bytes);
}

void sni_write_defaults(const sn_tree *tree, int32_t snode, char *cell)
{
  int32_t child = sni_view_of(tree, snode)->first_child;

  for (uint32_t k = 0; k < tree->info->field_count; k++) {
    const sn_field_info *field = &tree->info->fields[k];
    if (field->snode == snode)
      put_bits(cell + field->offset, field->default_bits, sni_type_bytes(field->type));
  }
  for (; child >= 0; child = sni_view_of(tree, child)->next_sibling)
    if (!sni_is_pointer(tree, child) && !sni_view_of(tree, child)->ambient_is_zero)
      write_container(tree, child, cell + sni_view_of(tree, child)->container_offset);
}
