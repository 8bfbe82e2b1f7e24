/* Formats of print and assert: printf's conversions, checked against the
 * arguments, which are cast to what is printed.
 *
 * The format comes out without lengths (%ld is %d): the writer of C knows the
 * argument's type and puts its own.
 */
#include "gen/front/check.h"

#include <ctype.h>
#include <string.h>

/* Behind a width or a precision; NULL when nobody can mean it. */
static const char *skip_count(const char *p)
{
  size_t digits = strspn(p, "0123456789");
  return digits <= 3 ? p + digits : NULL;
}

/* One conversion at p, behind its '%': the end of it, or NULL when it is none.
 * Flags, width and precision are copied to out, lengths are not. */
static const char *copy_conversion(const char *p, Text *out, char *letter)
{
  const char *begin = p;
  p += strspn(p, "-+ #0");
  p = skip_count(p);
  if (p && *p == '.')
    p = skip_count(p + 1);
  if (!p)
    return NULL;
  text_format(out, "%%%.*s", (int)(p - begin), begin);
  p += strspn(p, "hljzt");
  if (*p == '\0' || !strchr("diuxXocfFeEgGaA", *p))
    return NULL;
  *letter = *p;
  text_add_char(out, *p);
  return p + 1;
}

/* Narrow integers are printed as an int is, which holds them, as C does. */
static const Type *unsigned_type(const Type *type)
{
  return type->bits == 64 ? TY(U64) : TY(U32);
}

static const Type *signed_type(const Type *type)
{
  return type->bits == 64 ? TY(I64) : TY(I32);
}

/* What a conversion prints of an argument of this type; NULL: it cannot. */
static const Type *printed_type(char letter, const Type *type)
{
  if (strchr("fFeEgGaA", letter))
    return type_is_float(type) ? TY(F64) : NULL;
  if (type == TY(BOOL))
    return letter == 'd' || letter == 'i' ? TY(I32) : NULL;
  if (!type_is_integer(type))
    return NULL;
  if (letter == 'c')
    return TY(I32);
  return letter == 'd' || letter == 'i' ? signed_type(type) : unsigned_type(type);
}

static Expr *check_printed(Check *c, Expr *e, char letter)
{
  e = check_operand(c, e);
  if (e->type && e->is_constant && strchr("fFeEgGaA", letter))
    return adapt(c, e, TY(F64));       /* a literal is what its context is */
  e = settle(c, e);
  if (!e->type)
    return e;
  const Type *type = printed_type(letter, type_element(e->type));
  if (type)
    return cast_expr(c, e, type_reshaped(e->type, type));
  char conversion[3] = {'%', letter, '\0'};
  diag(c->diag, DIAG_FORMAT_TYPE, e->loc, conversion, e->type->name);
  return fail_expr(e);
}

static void fail_conversion(Check *c, const Stmt *s, const char *p)
{
  char shown[16];
  int length = 0;
  while (p[length] && length < 8 && !isalpha((unsigned char)p[length]))
    length++;
  snprintf(shown, sizeof shown, "%%%.*s", length + (p[length] != '\0'), p);
  diag(c->diag, DIAG_FORMAT_CONVERSION, s->format_loc, shown);
}

/* The conversion that begins at `begin` stands for each element of the argument. */
static void repeat_conversion(Check *c, const Type *type, Text *out, int begin)
{
  const char *conversion = intern(c->arena, out->data + begin, out->length - (size_t)begin);
  for (int k = 1; type && k < type_count(type); k++)
    text_format(out, ", %s", conversion);
}

/* Rewrites the format and checks an argument for each conversion; -1 after a
 * message about one, else how many there are. */
static int check_conversions(Check *c, Stmt *s, Text *out)
{
  int count = 0;
  for (const char *p = s->format; *p;) {
    size_t plain = strcspn(p, "%");
    text_add_part(out, p, (size_t)plain);
    p += plain;
    if (*p == '\0')
      break;
    if (p[1] == '%') {
      text_add(out, "%%");
      p += 2;
      continue;
    }
    char letter;
    int begin = (int)out->length;
    const char *end = copy_conversion(p + 1, out, &letter);
    if (!end) {
      fail_conversion(c, s, p + 1);
      return -1;
    }
    if (count < s->arg_count) {
      s->args[count] = check_printed(c, s->args[count], letter);
      repeat_conversion(c, s->args[count]->type, out, begin);
    }
    count++;
    p = end;
  }
  return count;
}

void check_format(Check *c, Stmt *s)
{
  Text out = {0};
  text_add(&out, "");
  int count = check_conversions(c, s, &out);
  if (count >= 0 && count != s->arg_count)
    diag(c->diag, DIAG_FORMAT_COUNT, s->format_loc, count,
         count == 1 ? "argument" : "arguments", s->arg_count);
  s->format = intern(c->arena, out.data, out.length);
  text_free(&out);
}
