/* sn_field_read, sn_vector_read, sn_struct_read and the writes: a box of a field, from and
 * to any memory.
 *
 * Memory of the unit is used where it is, strides and all.  On a device other
 * memory goes through a dense copy there.  Memory of a device that is not the
 * context's goes through the host.
 */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/arrays.h"
#include "runtime/host/tree/region.h"

#include <string.h>

typedef struct transfer {
  sn_tree *tree;
  int field, is_read;
  sn_span span;
  uint32_t bytes;                /* of an element */
  sni_region region;
} transfer;

static sni_accounts *accounts_of(const transfer *t)
{
  return &t->tree->context->accounts;
}

/* Runs the task over memory of the unit, or (stage) over a dense copy of host
 * memory there. */
static int run(const transfer *t, const int64_t *stride, const void *memory, int is_staged)
{
  const sni_operands operands = { 0 };
  sni_access access;

  SN_TRY(sni_access_open(&access, t->tree, t->is_read ? "read" : "write",
                         t->is_read ? SND_ACCESS_GET : SND_ACCESS_SET_CHANGED, t->field, -1,
                         &operands));
  access.task.boxed = 1;
  access.task.n = t->region.cells;
  memcpy(access.task.lo, t->region.lo, sizeof access.task.lo);
  memcpy(access.task.hi, t->region.hi, sizeof access.task.hi);
  memcpy(access.task.stride, stride, sizeof access.task.stride);
  if (is_staged)
    sni_call_array(access.call, &access.task.value, memory, t->region.cells * t->bytes,
                   t->is_read ? 2 : 1);
  else
    access.task.value = sni_address(memory);
  if (access.call->code == SN_OK && t->is_read)
    sni_access_run(&access);
  else if (access.call->code == SN_OK)
    sni_access_change(&access);
  return sni_access_close(&access);
}

static int no_memory(const transfer *t)
{
  return sni_fail(t->tree->context, SN_ENOMEM, "%s: no memory for a copy of a box of %.*s",
                  t->tree->info->c_name, SNI_FIELD_NAME(&t->tree->info->fields[t->field]));
}

/* A device's context and host memory: a dense copy on the host where the caller's
 * is not dense. */
static int run_staged(const transfer *t, void *memory)
{
  const sni_region *region = &t->region;
  void *dense = memory;
  int code;

  if (!region->is_dense) {
    dense = sni_new(accounts_of(t), region->cells, t->bytes);
    if (!dense)
      return no_memory(t);
    if (!t->is_read)
      sni_region_gather(region, t->bytes, dense, memory);
  }
  code = run(t, region->dense, dense, 1);
  if (dense != memory) {
    if (t->is_read && code == SN_OK)
      sni_region_scatter(region, t->bytes, memory, dense);
    sni_delete(accounts_of(t), dense, region->cells, t->bytes);
  }
  return code;
}

static int run_host_memory(const transfer *t, void *memory)
{
  return sni_on_host(t->tree) ? run(t, t->region.stride, memory, 0) : run_staged(t, memory);
}

/* Memory of another device: a copy of all that the strides reach, which comes
 * first also for a read, because what lies between stays as it is. */
static int run_bounced(const transfer *t)
{
  const sn_backend *backend = t->tree->context->memory.backend;
  const int device = t->span.device - 1;
  const size_t bytes = t->region.reach * t->bytes;
  void *copy = sni_new(accounts_of(t), 1, bytes);
  int code;

  if (!copy)
    return no_memory(t);
  code = sni_raw_copy(backend, SNI_HOST, copy, device, t->span.data, bytes);
  if (code == SN_OK)
    code = run_host_memory(t, copy);
  if (code == SN_OK && t->is_read)
    code = sni_raw_copy(backend, device, t->span.data, SNI_HOST, copy, bytes);
  sni_delete(accounts_of(t), copy, 1, bytes);
  return code == SN_OK ? SN_OK : sni_fail(t->tree->context, code, "%s: memory of device %d: %s",
                                          t->tree->info->c_name, device, sn_strerror(code));
}

/* One element: of a scalar field all there is. */
static int move_element(const transfer *t)
{
  if (t->span.device == 0)
    return run_host_memory(t, t->span.data);
  if (t->span.device - 1 == t->tree->context->memory.device)
    return run(t, t->region.stride, t->span.data, 0);
  return run_bounced(t);
}

/* `elements` fields from `field` on; a value has `bytes`, in which they lie as C has them.
 * bytes 0: a vector, they stand side by side. */
typedef struct value {
  int field, elements;
  size_t bytes;
} value;

/* Which part of each value element k is: all of the span is tested with each. */
static int take_element(transfer *t, const value *v, int k, const sn_box *box, sn_span span,
                        const int64_t *stride)
{
  const snd_field_info *fields = t->tree->info->fields;
  size_t length = (size_t)v->elements, at;

  t->field = v->field + k;
  t->bytes = sni_type_bytes(fields[t->field].type);
  at = (size_t)k * t->bytes;
  if (v->bytes) {
    length = v->bytes / t->bytes;
    at = (size_t)fields[t->field].part;
  }
  SN_TRY(sni_region_resolve(t->tree, t->field, (int)length, box, &span, stride, t->is_read,
                            &t->region));
  t->span = span;
  t->span.data = (char *)span.data + at;
  return SN_OK;
}

/* All is tested before anything is moved. */
static int move(sn_tree *tree, const value *v, const sn_box *box, sn_span span,
                const int64_t *stride, int is_read)
{
  transfer t = { .tree = tree, .is_read = is_read };

  SN_TRY(sni_access_check_fields(tree, v->field, v->elements));
  for (int k = 0; k < v->elements; k++)
    SN_TRY(take_element(&t, v, k, box, span, stride));
  for (int k = 0; k < v->elements && t.region.cells; k++) {
    SN_TRY(take_element(&t, v, k, box, span, stride));
    SN_TRY(move_element(&t));
  }
  return SN_OK;
}

static int enter_and_move(sn_tree *tree, const sn_tree_info *info, value v, const sn_box *box,
                          sn_span span, const int64_t *stride, int is_read)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = move(tree, &v, box, span, stride, is_read);
  sni_leave(tree->context);
  return code;
}

int sn_field_read(sn_tree *tree, const sn_tree_info *info, int field, const sn_box *box,
                  sn_span dst, const int64_t *stride)
{
  return enter_and_move(tree, info, (value){ field, 1, 0 }, box, dst, stride, 1);
}

int sn_field_write(sn_tree *tree, const sn_tree_info *info, int field, const sn_box *box,
                   sn_span src, const int64_t *stride)
{
  return enter_and_move(tree, info, (value){ field, 1, 0 }, box, src, stride, 0);
}

int sn_vector_read(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                   const sn_box *box, sn_span dst, const int64_t *stride)
{
  return enter_and_move(tree, info, (value){ field, elements, 0 }, box, dst, stride, 1);
}

int sn_vector_write(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                    const sn_box *box, sn_span src, const int64_t *stride)
{
  return enter_and_move(tree, info, (value){ field, elements, 0 }, box, src, stride, 0);
}

int sn_struct_read(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                   size_t bytes, const sn_box *box, sn_span dst, const int64_t *stride)
{
  return enter_and_move(tree, info, (value){ field, elements, bytes }, box, dst, stride, 1);
}

int sn_struct_write(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                    size_t bytes, const sn_box *box, sn_span src, const int64_t *stride)
{
  return enter_and_move(tree, info, (value){ field, elements, bytes }, box, src, stride, 0);
}
