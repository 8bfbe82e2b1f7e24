/* The scalar types, and what wrapping and casting do to a constant. */
#include "gen/base/type.h"

#include <math.h>
#include <string.h>

const Type type_scalar[TYPE_SCALARS] = {
    [TYPE_VOID] = {TYPE_VOID, "void", "void", 0, false, NULL, 0, 0},
    [TYPE_BOOL] = {TYPE_BOOL, "bool", "bool", 1, false, NULL, 0, 0},
    [TYPE_I8] = {TYPE_I8, "i8", "int8_t", 8, true, NULL, 0, 0},
    [TYPE_I16] = {TYPE_I16, "i16", "int16_t", 16, true, NULL, 0, 0},
    [TYPE_I32] = {TYPE_I32, "i32", "int32_t", 32, true, NULL, 0, 0},
    [TYPE_I64] = {TYPE_I64, "i64", "int64_t", 64, true, NULL, 0, 0},
    [TYPE_U8] = {TYPE_U8, "u8", "uint8_t", 8, false, NULL, 0, 0},
    [TYPE_U16] = {TYPE_U16, "u16", "uint16_t", 16, false, NULL, 0, 0},
    [TYPE_U32] = {TYPE_U32, "u32", "uint32_t", 32, false, NULL, 0, 0},
    [TYPE_U64] = {TYPE_U64, "u64", "uint64_t", 64, false, NULL, 0, 0},
    [TYPE_F16] = {TYPE_F16, "f16", "sn_f16", 16, true, NULL, 0, 0},
    [TYPE_F32] = {TYPE_F32, "f32", "float", 32, true, NULL, 0, 0},
    [TYPE_F64] = {TYPE_F64, "f64", "double", 64, true, NULL, 0, 0},
    [TYPE_CELL] = {TYPE_CELL, "cell", "char *", 64, false, NULL, 0, 0},
};

const Type *type_by_name(const char *name)
{
  for (int kind = TYPE_VOID; kind < TYPE_CELL; kind++)
    if (strcmp(type_scalar[kind].name, name) == 0)
      return &type_scalar[kind];
  return NULL;
}

Value value_wrap(const Type *t, Value v)
{
  if (t->kind == TYPE_F32)
    return (Value){.f = (double)(float)v.f};
  if (t->kind == TYPE_F16)
    return (Value){.f = half_round(v.f)};
  if (t->kind == TYPE_BOOL)
    return (Value){.i = v.i & 1};
  if (!type_is_integer(t) || t->bits == 64)
    return v;
  uint64_t mask = ((uint64_t)1 << t->bits) - 1;
  uint64_t low = (uint64_t)v.i & mask;
  bool is_negative = t->is_signed && (low >> (t->bits - 1)) != 0;
  return (Value){.i = (int64_t)(is_negative ? low | ~mask : low)};
}

/* Both bounds are powers of two (or one less), so that the comparison with the
 * upper one is exact in a double: hi is the first value that does not fit. */
static Value saturate(const Type *to, double f)
{
  double hi = ldexp(1.0, to->is_signed ? to->bits - 1 : to->bits);
  double lo = to->is_signed ? -hi : 0.0;
  if (isnan(f))
    return (Value){.i = 0};
  if (f <= lo)
    return (Value){.i = to->is_signed
                            ? (int64_t)(~(uint64_t)0 << (to->bits - 1)) : 0};
  if (f >= hi) {
    uint64_t all = ~(uint64_t)0 >> (64 - to->bits);
    return (Value){.i = (int64_t)(to->is_signed ? all >> 1 : all)};
  }
  return (Value){.i = to->is_signed ? (int64_t)f : (int64_t)(uint64_t)f};
}

static double as_float(const Type *from, Value v)
{
  if (type_is_float(from))
    return v.f;
  return from->kind == TYPE_U64 ? (double)(uint64_t)v.i : (double)v.i;
}

Value value_cast(const Type *to, const Type *from, Value v)
{
  if (to == from)
    return v;
  if (to->kind == TYPE_BOOL)
    return (Value){.i = type_is_float(from) ? v.f != 0.0 : v.i != 0};
  if (to->kind == TYPE_F32 && type_is_integer(from)) {
    /* directly: by way of a double it would be rounded twice */
    float f = from->kind == TYPE_U64 ? (float)(uint64_t)v.i : (float)v.i;
    return (Value){.f = (double)f};
  }
  if (type_is_float(to))
    return value_wrap(to, (Value){.f = as_float(from, v)});
  if (type_is_float(from))
    return saturate(to, v.f);
  return value_wrap(to, v);
}
