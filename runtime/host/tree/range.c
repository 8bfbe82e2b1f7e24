/* Ranges of indices: which they are, whether they hold an index, how they read. */
#include "runtime/host/tree/range.h"

#include <stdio.h>
#include <string.h>

/* The hash that divides the SNode's open axes. */
static const snd_snode_view *hash_above(const sn_tree *tree, const snd_snode_view *node)
{
  while (node->kind != SND_SNODE_HASH)
    node = sni_view_of(tree, node->parent);
  return node;
}

/* The k-th: axis `axis` of the SNode's cells, numbered from origin on. */
static void set_axis(const sn_tree *tree, sni_range *range, uint32_t k, const snd_snode_view *node,
                     int axis, int64_t origin)
{
  const int64_t total = node->total[axis];
  int64_t reach;

  if (!(node->open_axes >> axis & 1)) {
    range->lo[k] = origin;
    range->last[k] = origin + (total - 1);
    return;
  }
  reach = hash_above(tree, node)->reach[axis];
  range->open |= UINT32_C(1) << k;
  range->lo[k] = (-reach - 1) * total + origin;
  range->last[k] = reach * total + (total - 1) + origin;
}

sni_range sni_range_of_field(const sn_tree *tree, int field)
{
  const snd_field_info *info = &tree->info->fields[field];
  const snd_snode_view *node = sni_view_of(tree, info->snode);
  sni_range range = { 0 };

  range.axes = info->axis_count;
  for (uint32_t k = 0; k < range.axes; k++)
    set_axis(tree, &range, k, node, info->axes[k], info->origin[k]);
  return range;
}

static sni_range range_of(const sn_tree *tree, const snd_snode_view *node, uint32_t axes)
{
  sni_range range = { 0 };

  for (int a = 0; a < SN_MAX_AXES; a++)
    if (axes >> a & 1)
      set_axis(tree, &range, range.axes++, node, a, 0);
  return range;
}

sni_range sni_range_of_cells(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *node = sni_view_of(tree, snode);

  return range_of(tree, node, node->path_axes);
}

sni_range sni_range_of_containers(const sn_tree *tree, int32_t snode)
{
  const snd_snode_view *parent = sni_view_of(tree, sni_view_of(tree, snode)->parent);

  return range_of(tree, parent, parent->path_axes);
}

int sni_range_holds(const sni_range *range, const int64_t *index)
{
  for (uint32_t k = 0; k < range->axes; k++)
    if (index[k] < range->lo[k] || index[k] > range->last[k])
      return 0;
  return 1;
}

int64_t sni_range_end(const sni_range *range, uint32_t k)
{
  return range->last[k] < INT64_MAX ? range->last[k] + 1 : INT64_MAX;
}

void sni_index_text(const int64_t *index, uint32_t n, char *text, size_t bytes)
{
  size_t length = 0;

  text[0] = 0;
  for (uint32_t k = 0; k < n && length < bytes; k++)
    length += (size_t)snprintf(text + length, bytes - length, "%s%lld", k ? ", " : "",
                               (long long)index[k]);
}

static int is_plain(const sni_range *range)
{
  int plain = range->open == 0;

  for (uint32_t k = 0; k < range->axes; k++)
    plain &= range->lo[k] == 0;
  return plain;
}

void sni_range_text(const sni_range *range, char *text, size_t bytes)
{
  const int plain = is_plain(range);
  size_t length = 0;

  text[0] = 0;
  for (uint32_t k = 0; k < range->axes && length < bytes; k++) {
    const char *between = k ? " x " : "";
    char *at = text + length;
    const size_t room = bytes - length;

    if (plain)
      length += (size_t)snprintf(at, room, "%s%lld", between, (long long)sni_range_end(range, k));
    else
      length += (size_t)snprintf(at, room, "%s%lld .. %lld", between, (long long)range->lo[k],
                                 (long long)range->last[k]);
  }
}
