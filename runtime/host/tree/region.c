/* Boxes, strides and spans: checked once, then used by box.c. */
#include "runtime/host/tree/region.h"
#include "runtime/host/tree/range.h"

#include <string.h>

#define MOST_CELLS (UINT64_C(1) << 60)

static int invalid(sn_tree *tree, int field, const char *text)
{
  return sni_fail(tree->context, SN_EINVAL, "%s: %.*s: %s", tree->info->c_name,
                  SNI_FIELD_NAME(&tree->info->fields[field]), text);
}

/* The box, whole or given.  An empty one is inside wherever it is. */
static int take_box(sn_tree *tree, int field, const sni_range *range, const sn_box *box,
                    sni_region *region)
{
  if (!box && range->open)
    return invalid(tree, field, "it has no extents: a box must say which cells");
  region->axes = range->axes;
  region->cells = 1;
  for (uint32_t k = 0; k < range->axes; k++) {
    region->lo[k] = box ? box->lo[k] : range->lo[k];
    region->hi[k] = box ? box->hi[k] : sni_range_end(range, k);
    if (region->hi[k] <= region->lo[k])
      region->cells = 0;
  }
  return SN_OK;
}

static int resolve_box(sn_tree *tree, int field, const sn_box *box, sni_region *region)
{
  const sni_range range = sni_range_of_field(tree, field);

  SN_TRY(take_box(tree, field, &range, box, region));
  for (uint32_t k = 0; k < region->axes && region->cells; k++) {
    /* of an open axis the length may be more than an int64_t holds */
    const uint64_t length = (uint64_t)region->hi[k] - (uint64_t)region->lo[k];
    if (region->lo[k] < range.lo[k] || region->hi[k] - 1 > range.last[k])
      return sni_fail(tree->context, SN_EBOUNDS,
                      "%s: the box of %.*s goes from %lld to %lld on index %u, which goes from "
                      "%lld to %lld", tree->info->c_name,
                      SNI_FIELD_NAME(&tree->info->fields[field]), (long long)region->lo[k],
                      (long long)region->hi[k], k, (long long)range.lo[k],
                      (long long)sni_range_end(&range, k));
    if (length > MOST_CELLS / region->cells)
      return invalid(tree, field, "the box has more than 2^60 cells");
    region->cells *= length;
  }
  return SN_OK;
}

static int resolve_strides(sn_tree *tree, int field, int elements, const int64_t *stride,
                           int is_read, sni_region *region)
{
  int64_t dense = 1;

  region->is_dense = 1;
  region->reach = 1;
  for (uint32_t k = region->axes; k-- > 0;) {
    const int64_t extent = region->hi[k] - region->lo[k];
    region->dense[k] = dense;
    region->stride[k] = stride ? stride[k] : dense;
    dense *= extent;
    if (extent == 1)
      continue;
    if (region->stride[k] > INT64_MAX / 16 / elements)
      return invalid(tree, field, "the strides reach further than memory does");
    region->stride[k] *= elements;
    if (region->stride[k] < 0 || (is_read && region->stride[k] == 0))
      return invalid(tree, field, "a stride is below the least that makes sense");
    region->is_dense &= region->stride[k] == region->dense[k];
    if (region->stride[k] > (INT64_MAX / 16 - (int64_t)region->reach) / (extent - 1))
      return invalid(tree, field, "the strides reach further than memory does");
    region->reach += (uint64_t)(region->stride[k] * (extent - 1));
  }
  return SN_OK;
}

static int check_span(sn_tree *tree, int field, int elements, const sn_span *span,
                      const sni_region *region)
{
  const uint64_t needed = region->reach + (uint64_t)(elements - 1);
  const sni_memory *memory = &tree->context->memory;
  const uint32_t bytes = sni_type_bytes(tree->info->fields[field].type);

  if (!span->data)
    return invalid(tree, field, "the span's data is NULL");
  if (span->bytes / bytes < needed)
    return sni_fail(tree->context, SN_EINVAL,
                    "%s: %.*s: the span has %llu bytes, and the box needs %llu",
                    tree->info->c_name, SNI_FIELD_NAME(&tree->info->fields[field]),
                    (unsigned long long)span->bytes, (unsigned long long)(needed * bytes));
  if (sni_address(span->data) % bytes)
    return invalid(tree, field, "the span is not aligned to the values");
  if (span->device < 0 || (span->device && span->device - 1 >= memory->backend->devices()))
    return invalid(tree, field, "the span's device does not exist");
  return SN_OK;
}

int sni_region_resolve(sn_tree *tree, int field, int elements, const sn_box *box,
                       const sn_span *span, const int64_t *stride, int is_read, sni_region *region)
{
  memset(region, 0, sizeof *region);
  SN_TRY(resolve_box(tree, field, box, region));
  if (region->cells == 0)
    return SN_OK;
  SN_TRY(resolve_strides(tree, field, elements, stride, is_read, region));
  return check_span(tree, field, elements, span, region);
}

/* Walks the box row by row; to_dense says which side is written. */
static void repack(const sni_region *region, uint32_t bytes, char *dense, char *strided,
                   int to_dense)
{
  int64_t at[SN_MAX_AXES] = { 0 };
  uint64_t done = 0;

  while (done < region->cells) {
    int64_t offset = 0;
    for (uint32_t k = 0; k < region->axes; k++)
      offset += at[k] * region->stride[k];
    memcpy(to_dense ? dense + done * bytes : strided + offset * (int64_t)bytes,
           to_dense ? strided + offset * (int64_t)bytes : dense + done * bytes, bytes);
    done++;
    for (uint32_t k = region->axes; k-- > 0;) {
      if (++at[k] < region->hi[k] - region->lo[k])
        break;
      at[k] = 0;
    }
  }
}

void sni_region_gather(const sni_region *region, uint32_t bytes, void *dense, const void *strided)
{
  repack(region, bytes, dense, sni_pointer(sni_address(strided)), 1);
}

void sni_region_scatter(const sni_region *region, uint32_t bytes, void *strided, const void *dense)
{
  repack(region, bytes, sni_pointer(sni_address(dense)), strided, 0);
}
