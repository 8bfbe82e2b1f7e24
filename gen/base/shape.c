/* Vectors and matrices: a constant table of all that there are, so that a type is
 * one object without a registry.
 */
#include "gen/base/type.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define VECTOR(kind, name, rows) \
  {TYPE_VECTOR, name "x" #rows, NULL, 0, false, &type_scalar[TYPE_##kind], rows, 1}
#define MATRIX(kind, name, rows, columns) \
  {TYPE_MATRIX, name "x" #rows "x" #columns, NULL, 0, false, &type_scalar[TYPE_##kind], rows, \
   columns}

/* A vector, then the matrices of as many rows. */
#define ROWS(kind, name, n)                                                             \
  {VECTOR(kind, name, n), MATRIX(kind, name, n, 1), MATRIX(kind, name, n, 2),           \
   MATRIX(kind, name, n, 3), MATRIX(kind, name, n, 4), MATRIX(kind, name, n, 5),        \
   MATRIX(kind, name, n, 6), MATRIX(kind, name, n, 7), MATRIX(kind, name, n, 8),        \
   MATRIX(kind, name, n, 9), MATRIX(kind, name, n, 10), MATRIX(kind, name, n, 11),      \
   MATRIX(kind, name, n, 12), MATRIX(kind, name, n, 13), MATRIX(kind, name, n, 14),     \
   MATRIX(kind, name, n, 15), MATRIX(kind, name, n, 16)}

#define SHAPES(kind, name)                                                      \
  [TYPE_##kind] = {                                                             \
    ROWS(kind, name, 1), ROWS(kind, name, 2), ROWS(kind, name, 3),              \
    ROWS(kind, name, 4), ROWS(kind, name, 5), ROWS(kind, name, 6),              \
    ROWS(kind, name, 7), ROWS(kind, name, 8), ROWS(kind, name, 9),              \
    ROWS(kind, name, 10), ROWS(kind, name, 11), ROWS(kind, name, 12),           \
    ROWS(kind, name, 13), ROWS(kind, name, 14), ROWS(kind, name, 15),           \
    ROWS(kind, name, 16)                                                        \
  }

/* By element, rows - 1, and columns: 0 of a vector. */
static const Type shapes[TYPE_F64 + 1][MAX_ELEMENTS][MAX_ELEMENTS + 1] = {
    SHAPES(BOOL, "bool"),
    SHAPES(I8, "i8"), SHAPES(I16, "i16"), SHAPES(I32, "i32"), SHAPES(I64, "i64"),
    SHAPES(U8, "u8"), SHAPES(U16, "u16"), SHAPES(U32, "u32"), SHAPES(U64, "u64"),
    SHAPES(F16, "f16"), SHAPES(F32, "f32"), SHAPES(F64, "f64"),
};

static const Type *find(const Type *element, int rows, int columns)
{
  bool is_element = element->kind > TYPE_VOID && element->kind <= TYPE_F64;
  if (!is_element || rows < 1 || rows > MAX_ELEMENTS || columns > MAX_ELEMENTS)
    return NULL;
  return &shapes[element->kind][rows - 1][columns];
}

const Type *type_vector(const Type *element, int count) { return find(element, count, 0); }

const Type *type_matrix(const Type *element, int rows, int columns)
{
  return columns < 1 ? NULL : find(element, rows, columns);
}

const Type *type_reshaped(const Type *like, const Type *element)
{
  if (!like->element)
    return element;
  return find(element, like->rows, type_is_vector(like) ? 0 : like->columns);
}

bool type_same_shape(const Type *a, const Type *b)
{
  if (type_is_struct(a) || type_is_struct(b))
    return a == b;
  bool are_scalars = !a->element && !b->element;
  return are_scalars || (a->kind == b->kind && a->rows == b->rows && a->columns == b->columns);
}

/* ---- names ---- */

/* "x3" at p: the number, and p goes behind it; -1 when there is none. */
static int read_extent(const char **p)
{
  if (**p != 'x' || !isdigit((unsigned char)(*p)[1]))
    return -1;
  char *end;
  long n = strtol(*p + 1, &end, 10);
  *p = end;
  return n > MAX_ELEMENTS ? MAX_ELEMENTS + 1 : (int)n;
}

/* The scalar at the beginning of name; NULL when it is none. */
static const Type *read_element(const char *name, const char **rest)
{
  const char *x = strchr(name, 'x');
  if (!x)
    return NULL;
  for (int kind = TYPE_BOOL; kind <= TYPE_F64; kind++)
    if (strlen(type_scalar[kind].name) == (size_t)(x - name) &&
        strncmp(type_scalar[kind].name, name, (size_t)(x - name)) == 0) {
      *rest = x;
      return &type_scalar[kind];
    }
  return NULL;
}

const Type *type_shaped_by_name(const char *name, bool *is_shape)
{
  const char *rest;
  const Type *element = read_element(name, &rest);
  int rows = element ? read_extent(&rest) : -1, columns = 1;
  bool is_vector = rows >= 0 && *rest == '\0';
  if (rows >= 0 && !is_vector)
    columns = read_extent(&rest);
  *is_shape = rows >= 0 && columns >= 0 && *rest == '\0';
  if (!*is_shape)
    return NULL;
  return is_vector ? type_vector(element, rows) : type_matrix(element, rows, columns);
}
