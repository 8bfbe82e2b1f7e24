/* Types of the language, shared by every stage of the compiler.
 *
 * A type is compared by pointer: there is one object for each.  Scalars are
 * rows of type_scalar[]; vectors and matrices, called shaped, are rows of a
 * constant table too; a struct has an object of its own for each declaration.
 * What has several elements is an aggregate.  The IR knows scalars only: gen/lower
 * takes an aggregate apart into its elements, which are scalars: a matrix row by
 * row, a struct member by member.
 */
#ifndef SNODEGEN_BASE_TYPE_H
#define SNODEGEN_BASE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TypeKind {
  TYPE_VOID,
  TYPE_BOOL,
  TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
  TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64,
  TYPE_F16, TYPE_F32, TYPE_F64,
  TYPE_CELL,              /* of the IR only: a place in a tree, a C pointer */
  TYPE_VECTOR, TYPE_MATRIX, TYPE_STRUCT
} TypeKind;

enum { TYPE_SCALARS = TYPE_CELL + 1 };

enum { MAX_TABLE = 65536 };       /* scalars of a table of constants */
enum { MAX_ELEMENTS = 16,         /* of a vector; rows and columns of a matrix */
       MAX_STRUCT_ELEMENTS = 1024 };

typedef struct Type {
  TypeKind kind;
  const char *name;       /* as the language spells it: "f32" */
  const char *c_name;     /* as the generated C spells it: "float" */
  int bits;               /* 0 for void, 1 for bool */
  bool is_signed;
  const struct Type *element;  /* shaped: the scalar; else NULL */
  int rows, columns;      /* of a matrix; a vector has as many rows as elements
                             and one column, and so has a struct; 0 of a scalar */
} Type;

typedef struct Member {
  const char *name;
  const Type *type;
  int first;              /* the number of its first element in the struct */
} Member;

typedef struct Struct {
  Type type;              /* TYPE_STRUCT */
  Member *members;
  int member_count;
  const char *prefix;     /* of its name in C: of the file that declares it; NULL: the
                             module's own */
  const char *doc;        /* the /// lines before it, or NULL */
} Struct;

extern const Type type_scalar[TYPE_SCALARS];

#define TY(kind) (&type_scalar[TYPE_##kind])      /* TY(F32) */

static inline bool type_is_float(const Type *t)
{
  return t->kind >= TYPE_F16 && t->kind <= TYPE_F64;
}
static inline bool type_is_integer(const Type *t)
{
  return t->kind >= TYPE_I8 && t->kind <= TYPE_U64;
}

static inline bool type_is_aggregate(const Type *t) { return t->rows > 0; }
static inline bool type_is_shaped(const Type *t) { return t->element != NULL; }
static inline bool type_is_struct(const Type *t) { return t->kind == TYPE_STRUCT; }
static inline bool type_is_vector(const Type *t) { return t->kind == TYPE_VECTOR; }
static inline bool type_is_matrix(const Type *t) { return t->kind == TYPE_MATRIX; }

/* The scalar that it consists of; of a scalar, and of a struct, itself. */
static inline const Type *type_element(const Type *t)
{
  return t->element ? t->element : t;
}
/* How many elements it has; 1 of a scalar. */
static inline int type_count(const Type *t)
{
  return type_is_aggregate(t) ? t->rows * t->columns : 1;
}
/* The scalar that element k is; whatever the type. */
const Type *type_at(const Type *, int k);

/* ---- structs ---- */

static inline const Struct *type_struct(const Type *t) { return (const Struct *)t; }
/* NULL when it is none. */
static inline const Struct *type_if_struct(const Type *t)
{
  return type_is_struct(t) ? type_struct(t) : NULL;
}
/* The member that element k belongs to. */
const Member *struct_member_at(const Struct *, int k);
/* NULL when there is none. */
const Member *struct_member(const Struct *, const char *name);
/* The members are complete: numbers their elements and makes it a type; false where it has no
 * element, or more than MAX_STRUCT_ELEMENTS. */
bool struct_close(Struct *);

/* ---- layout: C's, where a scalar is aligned to its size and a bool is a byte ---- */
int64_t type_bytes(const Type *);
int64_t type_alignment(const Type *);
int64_t type_offset(const Type *, int k);      /* of element k */

/* ---- shapes ---- */

/* NULL when a number is none from 1 to MAX_ELEMENTS, or element no scalar that a
 * vector can have. */
const Type *type_vector(const Type *element, int count);
const Type *type_matrix(const Type *element, int rows, int columns);
/* The shape of `like` with other elements; of a scalar the element itself. */
const Type *type_reshaped(const Type *like, const Type *element);
/* Structs: whether it is the same one. */
bool type_same_shape(const Type *, const Type *);

/* A constant of a scalar type.  Integers and bools are kept in i, sign or
 * zero extended from their width (u64 as its bit pattern); floats in f, already
 * rounded to their type.  The type travels beside the value. */
typedef union Value {
  int64_t i;
  double f;
} Value;

/* NULL when name is no scalar type. */
const Type *type_by_name(const char *name);
/* NULL when name is no vector or matrix: "f32x3", "f32x3x2".  is_shape: it is spelled
 * as one, whatever its numbers. */
const Type *type_shaped_by_name(const char *name, bool *is_shape);

/* The bits of v cut to t and extended again: what a wrap leaves. */
Value value_wrap(const Type *t, Value v);

/* IEEE 754 binary16: the value nearest to x, to even where two are (half.c); its bits, and
 * what bits mean. */
double half_round(double x);
uint16_t half_bits(double half);
double half_value(uint16_t bits);

/* The language's cast: floats to integers saturate, NaN gives 0; integers keep
 * their low bits; to bool is != 0. */
Value value_cast(const Type *to, const Type *from, Value v);

#endif
