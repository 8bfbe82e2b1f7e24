/* sn_tree_axes: from the indices of an SNode or a field to its axes, and to their order in memory.
 */
#include "runtime/host/base/numbers.h"
#include "runtime/host/base/sized.h"
#include "runtime/host/tree/access.h"

#include <string.h>

enum { WORD_BITS = 64 };

/* "v.x" is an element of v, and known by either name. */
static int is_named(const char *element, const char *name)
{
  const size_t length = strcspn(element, ".");

  return strcmp(element, name) == 0 || (strlen(name) == length && !strncmp(element, name, length));
}

static int field_named(const sn_tree_info *info, const char *name)
{
  for (uint32_t k = 0; k < info->field_count; k++)
    if (is_named(info->fields[k].name, name))
      return (int)k;
  return -1;
}

static int snode_named(const sn_tree_info *info, const char *name)
{
  for (uint32_t k = 1; k < info->snode_count; k++)
    if (strcmp(info->snodes[k].name, name) == 0)
      return (int)k;
  return -1;
}

/* Axes that SNodes above divide come first; those of one SNode lie row by row. */
static void place_axes(const sn_tree *tree, int32_t snode, sn_axes *out, int *placed)
{
  const snd_snode_view *node = sni_view_of(tree, snode);

  if (node->parent >= 0)
    place_axes(tree, node->parent, out, placed);
  for (int a = 0; a < SN_MAX_AXES; a++)
    if (node->own_axes >> a & 1 && out->axis[a].position < 0)
      out->axis[a].position = (*placed)++;
}

/* The least number of bits that hold 0 .. extent - 1. */
static int bits_of(int64_t extent)
{
  return extent == 0 ? WORD_BITS : (int)sni_log2((uint64_t)extent);
}

static void describe_axis(const snd_snode_view *node, int axis, int is_field, sn_axis *out)
{
  const int is_open = node->open_axes >> axis & 1;
  const int is_own_hash = node->kind == SND_SNODE_HASH && node->own_axes >> axis & 1;

  out->position = -1;
  out->extent = is_field ? 1 : is_own_hash ? 0 : node->extent[axis];
  out->total = is_open ? 0 : node->total[axis];
  out->bits = bits_of(out->extent);
  out->total_bits = bits_of(out->total);
}

static void describe_path(const sn_tree *tree, int32_t snode, int is_field, sn_axes *out)
{
  int placed = 0;

  for (int a = 0; a < SN_MAX_AXES; a++) {
    describe_axis(sni_view_of(tree, snode), a, is_field, &out->axis[a]);
    out->index[a] = -1;
    out->origin[a] = 0;
  }
  place_axes(tree, snode, out, &placed);
}

static void describe_snode(const sn_tree *tree, int32_t snode, sn_axes *out)
{
  describe_path(tree, snode, 0, out);
  out->count = 0;
  for (int a = 0; a < SN_MAX_AXES; a++)
    if (out->axis[a].position >= 0)
      out->index[out->count++] = a;
}

static void describe_field(const sn_tree *tree, const snd_field_info *field, sn_axes *out)
{
  describe_path(tree, field->snode, 1, out);
  out->count = (int)field->axis_count;
  for (int k = 0; k < out->count; k++) {
    out->index[k] = field->axes[k];
    out->origin[k] = field->origin[k];
  }
}

static int describe(sn_tree *tree, const char *name, sn_axes *out)
{
  const int snode = name ? snode_named(tree->info, name) : -1;
  const int field = name ? field_named(tree->info, name) : -1;
  sn_axes axes = SN_AXES_INIT;

  if (!name || !out)
    return sni_fail(tree->context, SN_EINVAL, "%s: sn_tree_axes: a name or a result is NULL",
                    tree->info->c_name);
  if (snode < 0 && field < 0)
    return sni_fail(tree->context, SN_EINVAL, "%s: there is no SNode or field '%s'",
                    tree->info->c_name, name);
  if (snode >= 0)
    describe_snode(tree, snode, &axes);
  else
    describe_field(tree, &tree->info->fields[field], &axes);
  sni_sized_fill(out, &axes, sizeof axes);
  return SN_OK;
}

int sn_tree_axes(sn_tree *tree, const char *name, sn_axes *out)
{
  int code;

  SN_TRY(sni_access_enter(tree, tree ? tree->info : NULL));
  code = describe(tree, name, out);
  sni_leave(tree->context);
  return code;
}
