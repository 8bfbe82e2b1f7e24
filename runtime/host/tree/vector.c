/* Calls on fields of vectors and matrices: the calls on each element's field, one
 * after another, and between them the order of memory, where the elements of a value
 * stand side by side.  Boxes are in box.c.
 */
#include "runtime/host/tree/access.h"

#include <string.h>

/* As C calls pass one: a bool is an int. */
static size_t api_bytes(const sn_tree_info *info, int field)
{
  const sn_type type = info->fields[field].type;

  return type == SN_TYPE_BOOL ? sizeof(int) : sni_type_bytes(type);
}

static const void *element_at(const void *value, size_t k)
{
  return value ? (const char *)value + k : NULL;
}

int sn_vector_get(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                  const int64_t *index, void *out)
{
  const size_t bytes = api_bytes(info, field);

  for (int k = 0; k < elements; k++)
    SN_TRY(sn_field_get(tree, info, field + k, index,
                        out ? (char *)out + (size_t)k * bytes : NULL));
  return SN_OK;
}

int sn_vector_set(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                  const int64_t *index, const void *value)
{
  const size_t bytes = api_bytes(info, field);

  for (int k = 0; k < elements; k++)
    SN_TRY(sn_field_set(tree, info, field + k, index, element_at(value, (size_t)k * bytes)));
  return SN_OK;
}

int sn_vector_fill(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                   const void *value)
{
  const size_t bytes = api_bytes(info, field);

  for (int k = 0; k < elements; k++)
    SN_TRY(sn_field_fill(tree, info, field + k, element_at(value, (size_t)k * bytes)));
  return SN_OK;
}

/* ---- the active cells ---- */

/* Memory for one element of each cell. */
typedef struct column {
  sn_tree *tree;
  size_t cells, bytes;
  char *data;
} column;

static int column_open(column *c, sn_tree *tree, int field, int64_t cells)
{
  c->tree = tree;
  c->cells = (size_t)cells;
  c->bytes = sni_type_bytes(tree->info->fields[field].type);
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

/* Element k of the values of n cells. */
static void spread(const column *c, void *values, int k, int elements, size_t n)
{
  for (size_t cell = 0; cell < n; cell++)
    memcpy((char *)values + (cell * (size_t)elements + (size_t)k) * c->bytes,
           c->data + cell * c->bytes, c->bytes);
}

static void pick(const column *c, const void *values, int k, int elements)
{
  for (size_t cell = 0; cell < c->cells; cell++)
    memcpy(c->data + cell * c->bytes,
           (const char *)values + (cell * (size_t)elements + (size_t)k) * c->bytes, c->bytes);
}

/* A field's values at n indices, which are active cells of it. */
static int gather(const column *c, const sn_tree_info *info, int field, const int64_t *index,
                  size_t n)
{
  const size_t axes = info->fields[field].axis_count;
  const sni_operands operands = { 0 };
  sni_access access;
  int code;

  SN_TRY(sni_access_enter(c->tree, info));
  code = sni_access_open(&access, c->tree, "read_active", SN_ACCESS_GET, field, -1, &operands);
  if (code == SN_OK) {
    access.task.n = n;
    if (axes)
      sni_call_array(access.call, &access.task.index, index, n * axes * sizeof *index, 1);
    sni_call_array(access.call, &access.task.value, c->data, n * c->bytes, 2);
    sni_access_run(&access);
    code = sni_access_close(&access);
  }
  sni_leave(c->tree->context);
  return code;
}

/* The list is made once, with the first element: its order is the others' too. */
static int list_cells(const column *c, const sn_tree_info *info, int field, int elements,
                      int64_t *index, void *value, int64_t *n)
{
  size_t listed;

  SN_TRY(sn_field_read_active(c->tree, info, field, index, c->data, (int64_t)c->cells, n));
  listed = (uint64_t)*n < c->cells ? (size_t)*n : c->cells;
  for (int k = 0; k < elements && listed; k++) {
    if (k > 0)
      SN_TRY(gather(c, info, field + k, index, listed));
    spread(c, value, k, elements, listed);
  }
  return SN_OK;
}

int sn_vector_read_active(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                          int64_t *index, void *value, int64_t cap, int64_t *n)
{
  column c;
  int code;

  if (!tree || !value || !n || cap <= 0)           /* nothing to list: the checks are its own */
    return sn_field_read_active(tree, info, field, index, value, cap, n);
  SN_TRY(column_open(&c, tree, field, cap));
  code = list_cells(&c, info, field, elements, index, value, n);
  column_close(&c);
  return code;
}

static int set_cells(const column *c, const sn_tree_info *info, int field, int elements,
                     const int64_t *index, const void *value)
{
  for (int k = 0; k < elements; k++) {
    pick(c, value, k, elements);
    SN_TRY(sn_field_write_active(c->tree, info, field + k, index, c->data, (int64_t)c->cells));
  }
  return SN_OK;
}

int sn_vector_write_active(sn_tree *tree, const sn_tree_info *info, int field, int elements,
                           const int64_t *index, const void *value, int64_t n)
{
  column c;
  int code;

  if (!tree || !value || n <= 0)
    return sn_field_write_active(tree, info, field, index, value, n);
  SN_TRY(column_open(&c, tree, field, n));
  code = set_cells(&c, info, field, elements, index, value);
  column_close(&c);
  return code;
}
