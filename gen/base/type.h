/* Types of the language, shared by every stage of the compiler.
 *
 * A type is compared by pointer: there is one object for each.  Scalars are
 * rows of type_scalar[]; vectors, matrices and structs will join them here.
 */
#ifndef SNODEGEN_BASE_TYPE_H
#define SNODEGEN_BASE_TYPE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum TypeKind {
  TYPE_VOID,
  TYPE_BOOL,
  TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
  TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64,
  TYPE_F32, TYPE_F64,
  TYPE_CELL,              /* of the IR only: a place in a tree, a C pointer */
  TYPE_KINDS
} TypeKind;

typedef struct Type {
  TypeKind kind;
  const char *name;       /* as the language spells it: "f32" */
  const char *c_name;     /* as the generated C spells it: "float" */
  int bits;               /* 0 for void, 1 for bool */
  bool is_signed;
} Type;

extern const Type type_scalar[TYPE_KINDS];

#define TY(kind) (&type_scalar[TYPE_##kind])      /* TY(F32) */

static inline bool type_is_float(const Type *t) {
  return t->kind == TYPE_F32 || t->kind == TYPE_F64;
}
static inline bool type_is_integer(const Type *t) {
  return t->kind >= TYPE_I8 && t->kind <= TYPE_U64;
}

/* A constant of a scalar type.  Integers and bools are kept in i, sign or
 * zero extended from their width (u64 as its bit pattern); floats in f, already
 * rounded to their type.  The type travels beside the value. */
typedef union Value {
  int64_t i;
  double f;
} Value;

/* NULL when name is no type. */
const Type *type_by_name(const char *name);

/* The bits of v cut to t and extended again: what a wrap leaves. */
Value value_wrap(const Type *t, Value v);

/* The language's cast: floats to integers saturate, NaN gives 0; integers keep
 * their low bits; to bool is != 0. */
Value value_cast(const Type *to, const Type *from, Value v);

#endif
