/* Lines, names, types and constants of Fortran. */
#include "gen/bind/fortran.h"
#include "gen/model/evaluate.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { F90_COLUMNS = 100 };

/* Where the text is to be broken: behind the last comma before that column; its end: nowhere. */
static size_t break_at(const char *text, size_t room)
{
  size_t at = strlen(text), last = 0;

  if (at <= room)
    return at;
  for (size_t k = 0; k < at && (k < room || !last); k++)
    if (text[k] == ',' && text[k + 1] == ' ')
      last = k + 2;
  return last ? last : at;
}

void f90_line(Emit *e, const char *form, ...)
{
  Text line = { 0 };
  const char *rest;
  size_t indent = 2 * (size_t)e->indent;
  va_list args;

  va_start(args, form);
  text_vformat(&line, form, args);
  va_end(args);
  for (rest = line.data ? line.data : ""; *rest; ) {
    const size_t length = break_at(rest, F90_COLUMNS - 2 - indent);
    text_format(e->out, "%*s%.*s%s\n", (int)indent, "", (int)length, rest,
                rest[length] ? "&" : "");
    rest += length;
    indent = 2 * (size_t)e->indent + 4;
  }
  if (!line.length)
    text_add(e->out, "\n");
  text_free(&line);
}

void f90_comment(Emit *e, const char *text)
{
  while (text && *text) {
    const size_t length = strcspn(text, "\n");
    text_format(e->out, "%*s! %.*s\n", 2 * e->indent, "", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

/* Of iso_c_binding and the intrinsics that the module uses. */
static const char *const used[] = {
  "c_associated", "c_bool", "c_char", "c_double", "c_float", "c_int", "c_int16_t", "c_int32_t",
  "c_int64_t", "c_int8_t", "c_loc", "c_null_char", "c_null_ptr", "c_ptr", "c_size_t", "c_sizeof",
  "int", "max", "merge", "present", "size", "this", "ierr", "snode", NULL
};

static bool is_same_word(const char *a, const char *b)
{
  while (*a && tolower((unsigned char)*a) == *b)
    a++, b++;
  return !*a && !*b;
}

static const char *apart(Emit *e, const char *name, bool is_taken)
{
  if (name[0] == '_')
    name = format(e->arena, "x%s", name);
  for (int k = 0; used[k]; k++)
    is_taken = is_taken || is_same_word(name, used[k]);
  return is_taken ? format(e->arena, "%s_", name) : name;
}

const char *f90_name(Emit *e, const char *name)
{
  return apart(e, name, is_same_word(name, e->module->prefix));
}

const char *f90_module(Emit *e, const char *prefix)
{
  return apart(e, prefix, false);
}

/* ---- types ---- */

const char *f90_kind(const Type *type)
{
  static const char *const kinds[TYPE_SCALARS] = {
    [TYPE_BOOL] = "c_bool", [TYPE_I8] = "c_int8_t", [TYPE_I16] = "c_int16_t",
    [TYPE_I32] = "c_int32_t", [TYPE_I64] = "c_int64_t", [TYPE_U8] = "c_int8_t",
    [TYPE_U16] = "c_int16_t", [TYPE_U32] = "c_int32_t", [TYPE_U64] = "c_int64_t",
    [TYPE_F16] = "c_int16_t", [TYPE_F32] = "c_float", [TYPE_F64] = "c_double"
  };

  return kinds[type->kind];
}

const char *f90_type(Emit *e, const Type *type, const Struct *of)
{
  const bool is_real = type->kind == TYPE_F32 || type->kind == TYPE_F64;

  if (of)
    return format(e->arena, "type(%s)", f90_name(e, struct_type(e, of)));
  return format(e->arena, "%s(%s)",
                type->kind == TYPE_BOOL ? "logical" : is_real ? "real" : "integer", f90_kind(type));
}

const char *f90_call_type(Emit *e, const Type *type, const Struct *of)
{
  return !of && type->kind == TYPE_BOOL ? "integer(c_int)" : f90_type(e, type, of);
}

/* Of a type that Fortran has no unsigned one of: the number with the same bits. */
static const char *integer_text(Emit *e, int64_t value, const Type *type)
{
  const int bits = type->bits;
  const uint64_t sign = UINT64_C(1) << (bits - 1);
  const uint64_t low = (uint64_t)value & (sign | (sign - 1));
  const int64_t same = (int64_t)((low ^ sign) - sign);

  if (low == sign)
    return format(e->arena, "(%lld_%s - 1_%s)", (long long)(same + 1), f90_kind(type),
                  f90_kind(type));
  return format(e->arena, same < 0 ? "(%lld_%s)" : "%lld_%s", (long long)same, f90_kind(type));
}

const char *f90_constant(Emit *e, const Type *type, Value v)
{
  const char *kind = f90_kind(type);
  Value bits = { .i = (int64_t)evaluate_bits(type, v) };

  if (type->kind == TYPE_BOOL)
    return v.i ? ".true._c_bool" : ".false._c_bool";
  if (type->kind != TYPE_F32 && type->kind != TYPE_F64)
    return integer_text(e, bits.i, type);
  if (isfinite(v.f))
    return format(e->arena, v.f < 0 ? "(%s_%s)" : "%s_%s",
                  shortest_decimal(e->arena, v.f, type->kind == TYPE_F32), kind);
  return format(e->arena, "transfer(%s, 1.0_%s)",
                integer_text(e, bits.i, type->kind == TYPE_F32 ? TY(I32) : TY(I64)), kind);
}
