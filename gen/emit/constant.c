/* Constants and types as the generated C spells them. */
#include "gen/emit/writer.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

static const struct {
  const char *c, *array, *sn;
} spelled[TYPE_SCALARS] = {
  [TYPE_VOID] = { "void", "void", "" },
  [TYPE_BOOL] = { "bool", "uint8_t", "SN_TYPE_BOOL" },
  [TYPE_I8]   = { "int8_t", "int8_t", "SN_TYPE_I8" },
  [TYPE_I16]  = { "int16_t", "int16_t", "SN_TYPE_I16" },
  [TYPE_I32]  = { "int32_t", "int32_t", "SN_TYPE_I32" },
  [TYPE_I64]  = { "int64_t", "int64_t", "SN_TYPE_I64" },
  [TYPE_U8]   = { "uint8_t", "uint8_t", "SN_TYPE_U8" },
  [TYPE_U16]  = { "uint16_t", "uint16_t", "SN_TYPE_U16" },
  [TYPE_U32]  = { "uint32_t", "uint32_t", "SN_TYPE_U32" },
  [TYPE_U64]  = { "uint64_t", "uint64_t", "SN_TYPE_U64" },
  [TYPE_F16]  = { "sn_f16", "sn_f16", "SN_TYPE_F16" },
  [TYPE_F32]  = { "float", "float", "SN_TYPE_F32" },
  [TYPE_F64]  = { "double", "double", "SN_TYPE_F64" }
};

const char *c_type(const Type *t)       { return spelled[t->kind].c; }
const char *array_type(const Type *t)   { return spelled[t->kind].array; }
const char *sn_type_name(const Type *t) { return spelled[t->kind].sn; }

const char *array_mode_text(const IrVariable *v)
{
  static const char *const modes[] = { [ARRAY_IN] = "SND_ARRAY_IN", [ARRAY_OUT] = "SND_ARRAY_OUT",
                                       [ARRAY_INOUT] = "SND_ARRAY_INOUT" };

  return modes[v->mode];
}

const char *api_type(const Type *t)
{
  return t->kind == TYPE_BOOL ? "int" : spelled[t->kind].c;
}

/* A bool is a byte in memory, and the device headers have no functions of its own. */
const char *suffix(const Type *t)
{
  return t->kind == TYPE_BOOL ? "u8" : t->name;
}

/* ---- constants ---- */

const char *shortest_decimal(Arena *arena, double x, bool is_f32)
{
  char text[40];

  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if (is_f32 ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x)
      break;
  }
  if (!strpbrk(text, ".e"))
    strcat(text, ".0");
  return format(arena, "%s", text);
}

static const char *float_text(Arena *arena, const Type *t, double x)
{
  bool is_f32 = t->kind == TYPE_F32;

  if (isnan(x))
    return is_f32 ? "NAN" : "(double)NAN";
  if (isinf(x))
    return format(arena, "%s%sINFINITY", x < 0 ? "-" : "", is_f32 ? "" : "(double)");
  return format(arena, "%s%s", shortest_decimal(arena, x, is_f32), is_f32 ? "f" : "");
}

const char *constant_text(Arena *arena, const Type *t, Value v, bool bare)
{
  long long i = (long long)v.i;

  switch (t->kind) {
  case TYPE_BOOL:
    return v.i ? "true" : "false";
  case TYPE_F16:
    return format(arena, "0x%04x", (unsigned)half_bits(v.f));
  case TYPE_F32: case TYPE_F64:
    return float_text(arena, t, v.f);
  case TYPE_U32:
    return format(arena, "%lluu", (unsigned long long)v.i);
  case TYPE_U64:
    return bare && (uint64_t)v.i <= UINT32_MAX
               ? format(arena, "%lluu", (unsigned long long)v.i)
               : format(arena, "UINT64_C(%llu)", (unsigned long long)v.i);
  case TYPE_I32:
    return v.i == INT32_MIN ? "INT32_MIN" : format(arena, "%lld", i);
  case TYPE_I64:
    if (v.i == INT64_MIN)
      return "INT64_MIN";
    return bare && v.i > INT32_MIN && v.i <= INT32_MAX ? format(arena, "%lld", i)
                                                       : format(arena, "INT64_C(%lld)", i);
  default:
    return format(arena, "%lld", i);
  }
}

int log2_of(int64_t n)
{
  for (int k = 0; k < 62; k++)
    if (n == INT64_C(1) << k)
      return k;
  return -1;
}
