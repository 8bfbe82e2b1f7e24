/* Calls on fields: one cell, the active cells. */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/arrays.h"
#include "runtime/host/tree/region.h"

#include <stdint.h>
#include <string.h>

static const snd_field_info *info_of(const sn_tree *tree, int field)
{
  return &tree->info->fields[field];
}

/* SN_EINVAL where a pointer is NULL. */
static int check_pointer(sn_tree *tree, int field, const void *pointer, const char *what)
{
  if (pointer)
    return SN_OK;
  return sni_fail(tree->context, SN_EINVAL, "%s: %.*s: the pointer to %s is NULL",
                  tree->info->c_name, SNI_FIELD_NAME(info_of(tree, field)), what);
}

static int check_index(sn_tree *tree, int field, const int64_t *index)
{
  const sni_range range = sni_range_of_field(tree, field);

  if (range.axes)
    SN_TRY(check_pointer(tree, field, index, "the index"));
  return sni_access_check(tree, info_of(tree, field)->name, index, &range);
}

/* A value as C calls pass it (bool: an int) to what memory holds, and back. */
static void take_value(const sn_tree *tree, int field, sni_operands *operands, const void *value)
{
  const sn_type type = info_of(tree, field)->type;

  if (type == SN_TYPE_BOOL) {
    const uint8_t byte = *(const int *)value != 0;
    memcpy(&operands->value, &byte, sizeof byte);
  } else {
    memcpy(&operands->value, value, sni_type_bytes(type));
  }
}

static void give_value(const sn_tree *tree, int field, const sni_operands *operands, void *out)
{
  const sn_type type = info_of(tree, field)->type;

  if (type == SN_TYPE_BOOL) {
    uint8_t byte;
    memcpy(&byte, &operands->value, sizeof byte);
    *(int *)out = byte != 0;
  } else {
    memcpy(out, &operands->value, sni_type_bytes(type));
  }
}

static void take_index(const sn_tree *tree, int field, sni_operands *operands, const int64_t *index)
{
  const uint32_t n = info_of(tree, field)->axis_count;

  memset(operands, 0, sizeof *operands);
  if (n && index)
    memcpy(operands->index, index, n * sizeof *index);
}

/* ---- one cell ---- */

static int get(sn_tree *tree, int field, const int64_t *index, void *out)
{
  sni_operands operands;
  sni_access access;

  SN_TRY(sni_access_check_fields(tree, field, 1));
  SN_TRY(check_index(tree, field, index));
  SN_TRY(check_pointer(tree, field, out, "the value"));
  take_index(tree, field, &operands, index);
  SN_TRY(sni_access_open(&access, tree, "get", SND_ACCESS_GET, field, -1, &operands));
  sni_access_run(&access);
  operands = *sni_access_operands(&access);
  SN_TRY(sni_access_close(&access));
  give_value(tree, field, &operands, out);
  return SN_OK;
}

static int set(sn_tree *tree, int field, const int64_t *index, const void *value)
{
  sni_operands operands;
  sni_access access;

  SN_TRY(sni_access_check_fields(tree, field, 1));
  SN_TRY(check_index(tree, field, index));
  SN_TRY(check_pointer(tree, field, value, "the value"));
  take_index(tree, field, &operands, index);
  take_value(tree, field, &operands, value);
  SN_TRY(sni_access_open(&access, tree, "set", SND_ACCESS_SET, field, -1, &operands));
  sni_access_change(&access);
  return sni_access_close(&access);
}

int sn_field_get(sn_tree *tree, const sn_tree_info *info, int field, const int64_t *index,
                 void *out)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = get(tree, field, index, out);
  sni_leave(tree->context);
  return code;
}

int sn_field_set(sn_tree *tree, const sn_tree_info *info, int field, const int64_t *index,
                 const void *value)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = set(tree, field, index, value);
  sni_leave(tree->context);
  return code;
}

/* ---- the active cells ---- */

int sni_field_fill(sn_tree *tree, int field, const void *value)
{
  sni_operands operands;
  sni_access access;
  int32_t snode;

  SN_TRY(sni_access_check_fields(tree, field, 1));
  SN_TRY(check_pointer(tree, field, value, "the value"));
  snode = info_of(tree, field)->snode;
  take_index(tree, field, &operands, NULL);
  take_value(tree, field, &operands, value);
  /* The root's one cell is in no list. */
  SN_TRY(sni_access_open(&access, tree, "fill", snode == 0 ? SND_ACCESS_SET : SND_ACCESS_FILL,
                         field, -1, &operands));
  sni_list_refresh(access.call, 0, snode);
  sni_access_run(&access);
  return sni_access_close(&access);
}

/* Through a fresh list; the call stays open. */
static uint64_t count_cells(sni_access *access, int32_t snode)
{
  const snd_access_params task = access->task;
  uint64_t result;

  sni_list_refresh(access->call, 0, snode);
  access->task.op = SND_ACCESS_COUNT;
  access->task.field = -1;
  access->task.snode = snode;
  sni_access_run(access);
  result = sni_access_operands(access)->result;
  access->task = task;
  return result;
}

static int count(sn_tree *tree, int field, int64_t *n)
{
  const sni_operands operands = { 0 };
  sni_access access;
  uint64_t cells = 1;

  SN_TRY(sni_access_check_fields(tree, field, 1));
  SN_TRY(check_pointer(tree, field, n, "the count"));
  if (info_of(tree, field)->snode != 0) {
    SN_TRY(sni_access_open(&access, tree, "count", SND_ACCESS_COUNT, -1,
                           info_of(tree, field)->snode, &operands));
    cells = count_cells(&access, info_of(tree, field)->snode);
    SN_TRY(sni_access_close(&access));
  }
  *n = (int64_t)cells;
  return SN_OK;
}

static int check_list(sn_tree *tree, int field, const int64_t *index, const void *value, int64_t n)
{
  SN_TRY(sni_access_check_fields(tree, field, 1));
  if (n < 0 || (uint64_t)n > SIZE_MAX / 2 / sizeof *index / SN_MAX_AXES)
    return sni_fail(tree->context, SN_EINVAL, "%s: %.*s: a list of %lld cells", tree->info->c_name,
                    SNI_FIELD_NAME(info_of(tree, field)), (long long)n);
  if (n == 0)
    return SN_OK;
  if (info_of(tree, field)->axis_count)
    SN_TRY(check_pointer(tree, field, index, "the indices"));
  return check_pointer(tree, field, value, "the values");
}

/* Counts, then lists at most cap of them: the device's arrays are as long as the
 * list will be. */
static void list_active(sni_access *access, int32_t snode, int64_t *index, void *value, int64_t cap,
                        uint64_t *cells)
{
  const snd_field_info *field = info_of(access->tree, access->task.field);
  const uint64_t n = *cells = count_cells(access, snode);

  if (n == 0 || cap == 0 || access->call->code != SN_OK)
    return;
  access->task.n = n < (uint64_t)cap ? n : (uint64_t)cap;
  sni_call_array(access->call, &access->task.index, index,
                 access->task.n * field->axis_count * sizeof *index, 2);
  sni_call_array(access->call, &access->task.value, value,
                 access->task.n * sni_type_bytes(field->type), 2);
  /* The result counts from where it stands. */
  if (sni_memory_zero(&access->tree->context->memory, access->task.result, sizeof(uint64_t)) !=
      SN_OK)
    sni_call_fail(access->call, SN_EDEVICE, "the launch record could not be written");
  sni_access_run(access);
}

/* ---- rows in order ---- */

typedef struct row_order {
  int64_t *index;
  char *value;
  uint32_t axes, bytes;          /* of a row */
} row_order;

static int is_less(const row_order *o, int64_t a, int64_t b)
{
  const int64_t *x = o->index + a * o->axes, *y = o->index + b * o->axes;

  for (uint32_t k = 0; k < o->axes; k++)
    if (x[k] != y[k])
      return x[k] < y[k];
  return 0;
}

static void swap_rows(const row_order *o, int64_t a, int64_t b)
{
  char *x = o->value + a * o->bytes, *y = o->value + b * o->bytes;
  char value[sizeof(uint64_t)];

  for (uint32_t k = 0; k < o->axes; k++) {
    const int64_t at = o->index[a * o->axes + k];
    o->index[a * o->axes + k] = o->index[b * o->axes + k];
    o->index[b * o->axes + k] = at;
  }
  memcpy(value, x, o->bytes);
  memcpy(x, y, o->bytes);
  memcpy(y, value, o->bytes);
}

/* The row sinks among those below it, as long as one of them is greater. */
static void sift_down(const row_order *o, int64_t row, int64_t end)
{
  int64_t child;

  while ((child = 2 * row + 1) < end) {
    child += child + 1 < end && is_less(o, child, child + 1);
    if (!is_less(o, row, child))
      return;
    swap_rows(o, row, child);
    row = child;
  }
}

/* Heapsort (Knuth, The Art of Computer Programming 3, 5.2.3): in place, so that it cannot fail. */
static void sort_rows(const row_order *o, int64_t n)
{
  for (int64_t row = n / 2; row-- > 0;)
    sift_down(o, row, n);
  for (int64_t end = n; end-- > 1;) {
    swap_rows(o, 0, end);
    sift_down(o, 0, end);
  }
}

int sni_field_read_active(sn_tree *tree, int field, int64_t *index, void *value, int64_t cap,
                          int64_t *n)
{
  const sni_operands operands = { 0 };
  sni_access access;
  uint64_t cells;

  SN_TRY(check_list(tree, field, index, value, cap));
  SN_TRY(check_pointer(tree, field, n, "the count"));
  SN_TRY(sni_access_open(&access, tree, "read_active", SND_ACCESS_LIST, field, -1, &operands));
  if (info_of(tree, field)->snode != 0) {
    list_active(&access, info_of(tree, field)->snode, index, value, cap, &cells);
  } else {
    cells = 1;
    access.task.op = SND_ACCESS_GET;
    if (cap > 0) {
      sni_call_array(access.call, &access.task.value, value,
                     sni_type_bytes(info_of(tree, field)->type), 2);
      sni_access_run(&access);
    }
  }
  SN_TRY(sni_access_close(&access));
  *n = (int64_t)cells;
  if (sni_is_deterministic(tree->context) && info_of(tree, field)->axis_count)
    sort_rows(&(row_order){ index, value, info_of(tree, field)->axis_count,
                            sni_type_bytes(info_of(tree, field)->type) },
              *n < cap ? *n : cap);
  return SN_OK;
}

int sni_field_write_active(sn_tree *tree, int field, const int64_t *index, const void *value,
                           int64_t n)
{
  const sni_operands operands = { 0 };
  sni_access access;
  uint32_t axes;

  SN_TRY(check_list(tree, field, index, value, n));
  axes = info_of(tree, field)->axis_count;
  for (int64_t k = 0; k < n && axes; k++)
    SN_TRY(check_index(tree, field, index + k * axes));
  if (n == 0)
    return SN_OK;
  SN_TRY(sni_access_open(&access, tree, "write_active", SND_ACCESS_SET, field, -1, &operands));
  access.task.n = (uint64_t)n;
  if (sni_is_deterministic(tree->context))
    access.call->threads = 1;    /* of two values for one cell the last one stays */
  if (axes)
    sni_call_array(access.call, &access.task.index, index, (size_t)n * axes * sizeof *index, 1);
  sni_call_array(access.call, &access.task.value, value,
                 (size_t)n * sni_type_bytes(info_of(tree, field)->type), 1);
  sni_access_change(&access);
  return sni_access_close(&access);
}

int sn_field_fill(sn_tree *tree, const sn_tree_info *info, int field, const void *value)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = sni_field_fill(tree, field, value);
  sni_leave(tree->context);
  return code;
}

int sn_field_count(sn_tree *tree, const sn_tree_info *info, int field, int64_t *n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = count(tree, field, n);
  sni_leave(tree->context);
  return code;
}

int sn_field_read_active(sn_tree *tree, const sn_tree_info *info, int field, int64_t *index,
                         void *value, int64_t cap, int64_t *n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = sni_field_read_active(tree, field, index, value, cap, n);
  sni_leave(tree->context);
  return code;
}

int sn_field_write_active(sn_tree *tree, const sn_tree_info *info, int field, const int64_t *index,
                          const void *value, int64_t n)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = sni_field_write_active(tree, field, index, value, n);
  sni_leave(tree->context);
  return code;
}

/* ---- extents ---- */

static int shape(sn_tree *tree, int field, int64_t *lo, int64_t *hi)
{
  sni_range range;

  SN_TRY(sni_access_check_fields(tree, field, 1));
  range = sni_range_of_field(tree, field);
  if (range.open)
    return sni_fail(tree->context, SN_EINVAL, "%s: %.*s has no extents: any index is inside",
                    tree->info->c_name, SNI_FIELD_NAME(info_of(tree, field)));
  if (range.axes == 0)
    return SN_OK;
  SN_TRY(check_pointer(tree, field, lo, "the lower bounds"));
  SN_TRY(check_pointer(tree, field, hi, "the upper bounds"));
  for (uint32_t k = 0; k < range.axes; k++) {
    lo[k] = range.lo[k];
    hi[k] = sni_range_end(&range, k);
  }
  return SN_OK;
}

int sn_field_shape(sn_tree *tree, const sn_tree_info *info, int field, int64_t *lo, int64_t *hi)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = shape(tree, field, lo, hi);
  sni_leave(tree->context);
  return code;
}
