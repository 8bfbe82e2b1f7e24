/* Whether a call overwrites what the adjoint of a noted one needs.
 *
 * Of a field an adjoint needs values, or none.  Its table (snd_span) says of an index from where
 * to where the cells go that it needs, and that its kernel assigns, where parameters tell: a call
 * that assigns x[t + 1, i] leaves alone what the adjoints of x[t + 1, i] = f(x[t, i]) need whose
 * t was less.
 */
#include "runtime/host/base/type.h"
#include "runtime/host/tree/tape.h"

static const sni_index_range none = { INT64_MAX, INT64_MIN }, all = { INT64_MIN, INT64_MAX };

/* ---- the table ---- */

static int64_t saturated_sum(int64_t a, int64_t b)
{
  if (b > 0 && a > INT64_MAX - b)
    return INT64_MAX;
  return b < 0 && a < INT64_MIN - b ? INT64_MIN : a + b;
}

/* Of a kernel without parameters they are NULL. */
static int64_t base_of(const snd_span *r, const void *params)
{
  const char *at = r->type < 0 ? NULL : (const char *)params + r->offset;

  switch (r->type) {
  case SN_TYPE_I8:  return *(const int8_t *)at;
  case SN_TYPE_I16: return *(const int16_t *)(const void *)at;
  case SN_TYPE_I32: return *(const int32_t *)(const void *)at;
  case SN_TYPE_U8:  return *(const uint8_t *)at;
  case SN_TYPE_U16: return *(const uint16_t *)(const void *)at;
  case SN_TYPE_U32: return *(const uint32_t *)(const void *)at;
  case SN_TYPE_I64: case SN_TYPE_U64: return *(const int64_t *)(const void *)at;
  default:          return 0;
  }
}

/* Of the index of a field that the row names; all: nothing is said of it. */
static sni_index_range span_of(const sn_kernel_info *gradient, const snd_permission *row,
                               uint32_t index, int is_assigned, const void *params)
{
  for (uint32_t k = 0; k < gradient->span_count; k++) {
    const snd_span *r = &gradient->spans[k];
    if (r->slot == row->slot && r->field == row->field && (uint32_t)r->index == index &&
        !r->is_assigned == !is_assigned) {
      const int64_t base = base_of(r, params);
      return (sni_index_range){ saturated_sum(base, r->lo), saturated_sum(base, r->hi) };
    }
  }
  return all;
}

/* ---- a field of a tape's tree ---- */

void sni_tape_need_none(sni_tape_tree *t)
{
  for (size_t k = 0; k < (size_t)t->field_count * SN_MAX_AXES; k++)
    t->needed[k] = none;
}

static sni_index_range *needed_of(sni_tape_tree *t, const snd_permission *row)
{
  return t->needed + (size_t)row->field * SN_MAX_AXES;
}

static uint32_t axes_of(const snd_permission *row, sn_tree *const *trees)
{
  return trees[row->slot]->info->fields[row->field].axis_count;
}

static int reads(const sn_kernel_info *gradient, const snd_permission *row)
{
  for (uint32_t k = 0; k < gradient->permission_count; k++) {
    const snd_permission *other = &gradient->permissions[k];
    if (other->slot == row->slot && other->field == row->field && other->use & SND_MAY_READ)
      return 1;
  }
  return 0;
}

/* ---- calls ---- */

/* One index at which they do not meet is enough. */
static int meets(const sni_index_range *needed, const sn_kernel_info *kernel,
                 const snd_permission *row, sn_tree *const *trees, const void *params)
{
  for (uint32_t k = 0; k < axes_of(row, trees); k++) {
    const sni_index_range assigned = span_of(kernel->gradient, row, k, 1, params);
    if (assigned.lo > needed[k].hi || assigned.hi < needed[k].lo)
      return 0;
  }
  return 1;
}

const snd_permission *sni_tape_overwrites(sn_tape *tape, const sn_kernel_info *kernel,
                                          sn_tree *const *trees, const void *params)
{
  for (uint32_t k = 0; k < kernel->permission_count; k++) {
    const snd_permission *row = &kernel->permissions[k];
    sni_tape_tree *t = sni_tape_use(row, trees) & SNI_TAPE_WRITES
                         ? sni_tape_find(tape, trees[row->slot]) : NULL;
    if (t && t->fields[row->field] & SNI_TAPE_NEEDED &&
        meets(needed_of(t, row), kernel, row, trees, params))
      return row;
  }
  return NULL;
}

void sni_tape_need(sn_tape *tape, const sn_kernel_info *kernel, sn_tree *const *trees,
                   const void *params)
{
  for (uint32_t k = 0; k < kernel->permission_count; k++) {
    const snd_permission *row = &kernel->permissions[k];
    sni_tape_tree *t;
    if (!sni_tape_use(row, trees) || !reads(kernel->gradient, row))
      continue;
    t = sni_tape_find(tape, trees[row->slot]);
    t->fields[row->field] |= SNI_TAPE_NEEDED;
    for (uint32_t index = 0; index < axes_of(row, trees); index++) {
      const sni_index_range more = span_of(kernel->gradient, row, index, 0, params);
      sni_index_range *span = &needed_of(t, row)[index];
      span->lo = more.lo < span->lo ? more.lo : span->lo;
      span->hi = more.hi > span->hi ? more.hi : span->hi;
    }
  }
}
