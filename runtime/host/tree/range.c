/* Ranges of indices: which they are, whether they hold an index, how they read. */
#include "runtime/host/tree/range.h"

#include <stdio.h>
#include <string.h>

sni_range sni_range_of_field(const sn_tree *tree, int field)
{
  const sn_field_info *info = &tree->info->fields[field];
  const sn_snode_view *node = sni_view_of(tree, info->snode);
  sni_range range = { 0 };

  range.axes = info->axis_count;
  for (uint32_t k = 0; k < range.axes; k++) {
    range.lo[k] = info->origin[k];
    range.extent[k] = node->total[info->axes[k]];
    range.open |= (node->open_axes >> info->axes[k] & 1) << k;
  }
  return range;
}

static sni_range range_of(const sn_snode_view *node, uint32_t axes)
{
  sni_range range = { 0 };

  for (int a = 0; a < SN_MAX_AXES; a++)
    if (axes >> a & 1) {
      range.extent[range.axes] = node->total[a];
      range.open |= (node->open_axes >> a & 1) << range.axes;
      range.axes++;
    }
  return range;
}

sni_range sni_range_of_cells(const sn_tree *tree, int32_t snode)
{
  const sn_snode_view *node = sni_view_of(tree, snode);

  return range_of(node, node->path_axes);
}

sni_range sni_range_of_containers(const sn_tree *tree, int32_t snode)
{
  const sn_snode_view *parent = sni_view_of(tree, sni_view_of(tree, snode)->parent);

  return range_of(parent, parent->path_axes);
}

/* Subtracted as unsigned numbers, which cannot overflow. */
int sni_range_holds(const sni_range *range, const int64_t *index)
{
  for (uint32_t k = 0; k < range->axes; k++)
    if (!(range->open >> k & 1) &&
        (index[k] < range->lo[k] ||
         (uint64_t)index[k] - (uint64_t)range->lo[k] >= (uint64_t)range->extent[k]))
      return 0;
  return 1;
}

int64_t sni_range_end(const sni_range *range, uint32_t k)
{
  return range->lo[k] + range->extent[k];
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
      length += (size_t)snprintf(at, room, "%s%lld", between, (long long)range->extent[k]);
    else if (range->open >> k & 1)
      length += (size_t)snprintf(at, room, "%sany", between);
    else
      length += (size_t)snprintf(at, room, "%s%lld .. %lld", between, (long long)range->lo[k],
                                 (long long)sni_range_end(range, k) - 1);
  }
}
