/* Calls on fields of vectors, matrices and structs: the calls on each element's field, one
 * after another, and between them the order of memory, where the elements of a value
 * stand side by side; of a struct where C has them.
 * Boxes are in box.c.
 */
#include "runtime/host/tree/access.h"
#include "runtime/host/tree/arrays.h"

#include <string.h>

/* As C calls pass one: a bool is an int. */
static size_t api_bytes(const sn_tree_info *info, int field)
{
  const sn_type type = info->fields[field].type;

  return type == SN_TYPE_BOOL ? sizeof(int) : sni_type_bytes(type);
}

/* What the calls on each element would find too, before the tables are read. */
static int check(sn_tree *tree, const sn_tree_info *info, int field, int elements)
{
  int code;

  SN_TRY(sni_access_enter(tree, info));
  code = sni_access_check_fields(tree, field, elements);
  sni_leave(tree->context);
  return code;
}

static const void *element_at(const void *value, size_t k)
{
  return value ? (const char *)value + k : NULL;
}

int sn_vector_get(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                  const int64_t *index, void *out)
{
  size_t bytes;

  SN_TRY(check(tree, info, field, elements));
  bytes = api_bytes(info, field);
  for (int k = 0; k < elements; k++)
    SN_TRY(sn_field_get(tree, info, field + k, index,
                        out ? (char *)out + (size_t)k * bytes : NULL));
  return SN_OK;
}

int sn_vector_set(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                  const int64_t *index, const void *value)
{
  size_t bytes;

  SN_TRY(check(tree, info, field, elements));
  bytes = api_bytes(info, field);
  for (int k = 0; k < elements; k++)
    SN_TRY(sn_field_set(tree, info, field + k, index, element_at(value, (size_t)k * bytes)));
  return SN_OK;
}

int sn_vector_fill(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                   const void *value)
{
  size_t bytes;

  SN_TRY(check(tree, info, field, elements));
  bytes = api_bytes(info, field);
  for (int k = 0; k < elements; k++)
    SN_TRY(sn_field_fill(tree, info, field + k, element_at(value, (size_t)k * bytes)));
  return SN_OK;
}

/* ---- structs: a bool is a byte in them ---- */

/* Element k of the value: what a call on its field takes, an int of a bool. */
typedef union scalar {
  int truth;
  char bytes[sizeof(uint64_t)];
} scalar;

static size_t place_in(const sn_tree_info *info, int field, int k)
{
  return (size_t)info->fields[field + k].part;
}

static const void *pick_scalar(const sn_tree_info *info, int field, const void *from,
                               scalar *into)
{
  const sn_type type = info->fields[field].type;

  if (type != SN_TYPE_BOOL)
    return from;
  into->truth = *(const uint8_t *)from != 0;
  return into;
}

int sn_struct_get(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                  const int64_t *index, void *out)
{
  SN_TRY(check(tree, info, field, elements));
  for (int k = 0; k < elements; k++) {
    scalar value;
    SN_TRY(sn_field_get(tree, info, field + k, index, out ? &value : NULL));
    if (info->fields[field + k].type == SN_TYPE_BOOL)
      ((uint8_t *)out)[place_in(info, field, k)] = value.truth != 0;
    else
      memcpy((char *)out + place_in(info, field, k), &value,
             sni_type_bytes(info->fields[field + k].type));
  }
  return SN_OK;
}

int sn_struct_set(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                  const int64_t *index, const void *value)
{
  SN_TRY(check(tree, info, field, elements));
  for (int k = 0; k < elements; k++) {
    const void *from = element_at(value, place_in(info, field, k));
    scalar truth;
    SN_TRY(sn_field_set(tree, info, field + k, index,
                        from ? pick_scalar(info, field + k, from, &truth) : NULL));
  }
  return SN_OK;
}

int sn_struct_fill(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                   const void *value)
{
  SN_TRY(check(tree, info, field, elements));
  for (int k = 0; k < elements; k++) {
    const void *from = element_at(value, place_in(info, field, k));
    scalar truth;
    SN_TRY(sn_field_fill(tree, info, field + k,
                         from ? pick_scalar(info, field + k, from, &truth) : NULL));
  }
  return SN_OK;
}

/* ---- the active cells ---- */

/* Memory for one element of each cell, the widest there may be. */
typedef struct column {
  sn_tree *tree;
  size_t cells, bytes;
  char *data;
} column;

static int column_open(column *c, sn_tree *tree, int field, int64_t cells)
{
  c->tree = tree;
  c->cells = (size_t)cells;
  c->bytes = sizeof(uint64_t);
  c->data = sni_new(&tree->context->accounts, c->cells, c->bytes);
  if (c->data)
    return SN_OK;
  return sni_fail(tree->context, SN_ENOMEM, "%s: no memory for a list of %.*s", tree->info->c_name,
                  SNI_FIELD_NAME(&tree->info->fields[field]));
}

static void column_close(column *c)
{
  sni_delete(&c->tree->context->accounts, c->data, c->cells, c->bytes);
}

/* Fields from `field` on whose elements make one value, as box.c has it.  bytes 0: a
 * vector, they stand side by side. */
typedef struct value {
  const sn_tree_info *info;
  int field, elements;
  size_t bytes;
} value;

static size_t element_bytes(const value *v, int k)
{
  return sni_type_bytes(v->info->fields[v->field + k].type);
}

/* Where element k of cell's value is in memory. */
static size_t place(const value *v, int k, size_t cell)
{
  if (!v->bytes)
    return (cell * (size_t)v->elements + (size_t)k) * element_bytes(v, k);
  return cell * v->bytes + place_in(v->info, v->field, k);
}

/* Element k of the values of n cells. */
static void spread(const column *c, const value *v, void *values, int k, size_t n)
{
  const size_t bytes = element_bytes(v, k);

  for (size_t cell = 0; cell < n; cell++)
    memcpy((char *)values + place(v, k, cell), c->data + cell * bytes, bytes);
}

static void pick(const column *c, const value *v, const void *values, int k)
{
  const size_t bytes = element_bytes(v, k);

  for (size_t cell = 0; cell < c->cells; cell++)
    memcpy(c->data + cell * bytes, (const char *)values + place(v, k, cell), bytes);
}

/* Element k's values at n indices, which are active cells of it. */
static int gather(const column *c, const value *v, int k, const int64_t *index, size_t n)
{
  const int field = v->field + k;
  const size_t axes = v->info->fields[field].axis_count;
  const sni_operands operands = { 0 };
  sni_access access;
  int code;

  SN_TRY(sni_access_enter(c->tree, v->info));
  code = sni_access_open(&access, c->tree, "read_active", SND_ACCESS_GET, field, -1, &operands);
  if (code == SN_OK) {
    access.task.n = n;
    if (axes)
      sni_call_array(access.call, &access.task.index, index, n * axes * sizeof *index, 1);
    sni_call_array(access.call, &access.task.value, c->data, n * element_bytes(v, k), 2);
    sni_access_run(&access);
    code = sni_access_close(&access);
  }
  sni_leave(c->tree->context);
  return code;
}

/* The list is made once, with the first element: its order is the others' too. */
static int list_cells(const column *c, const value *v, int64_t *index, void *values, int64_t *n)
{
  size_t listed;

  SN_TRY(sn_field_read_active(c->tree, v->info, v->field, index, c->data, (int64_t)c->cells, n));
  listed = (uint64_t)*n < c->cells ? (size_t)*n : c->cells;
  for (int k = 0; k < v->elements && listed; k++) {
    if (k > 0)
      SN_TRY(gather(c, v, k, index, listed));
    spread(c, v, values, k, listed);
  }
  return SN_OK;
}

static int read_active(sn_tree *tree, const value *v, int64_t *index, void *values, int64_t cap,
                       int64_t *n)
{
  column c;
  int code;

  SN_TRY(check(tree, v->info, v->field, v->elements));
  if (!values || !n || cap <= 0)                 /* nothing to list: the checks are its own */
    return sn_field_read_active(tree, v->info, v->field, index, values, cap, n);
  SN_TRY(column_open(&c, tree, v->field, cap));
  code = list_cells(&c, v, index, values, n);
  column_close(&c);
  return code;
}

static int set_cells(const column *c, const value *v, const int64_t *index, const void *values)
{
  for (int k = 0; k < v->elements; k++) {
    pick(c, v, values, k);
    SN_TRY(sn_field_write_active(c->tree, v->info, v->field + k, index, c->data,
                                 (int64_t)c->cells));
  }
  return SN_OK;
}

static int write_active(sn_tree *tree, const value *v, const int64_t *index, const void *values,
                        int64_t n)
{
  column c;
  int code;

  SN_TRY(check(tree, v->info, v->field, v->elements));
  if (!values || n <= 0)
    return sn_field_write_active(tree, v->info, v->field, index, values, n);
  SN_TRY(column_open(&c, tree, v->field, n));
  code = set_cells(&c, v, index, values);
  column_close(&c);
  return code;
}

int sn_vector_read_active(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                          int64_t *index, void *values, int64_t cap, int64_t *n)
{
  const value v = { info, field, elements, 0 };

  return read_active(tree, &v, index, values, cap, n);
}

int sn_vector_write_active(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                           const int64_t *index, const void *values, int64_t n)
{
  const value v = { info, field, elements, 0 };

  return write_active(tree, &v, index, values, n);
}

int sn_struct_read_active(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                          size_t bytes, int64_t *index, void *values, int64_t cap, int64_t *n)
{
  const value v = { info, field, elements, bytes };

  return read_active(tree, &v, index, values, cap, n);
}

int sn_struct_write_active(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                           size_t bytes, const int64_t *index, const void *values, int64_t n)
{
  const value v = { info, field, elements, bytes };

  return write_active(tree, &v, index, values, n);
}
