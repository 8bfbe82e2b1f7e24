/* The small phrases of IR text: strings, comments, places, numbers. */
#include "gen/ir/printer.h"
#include "gen/ir/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void printer_margin(Printer *p)
{
  text_format(p->out, "%*s", 2 * p->indent, "");
}

void printer_string(Text *out, const char *s)
{
  text_add(out, "\"");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_format(out, "\\%c", c);
    else if (c == '\n')
      text_add(out, "\\n");
    else if (c == '\t')
      text_add(out, "\\t");
    else if (c < ' ' || c == 127)
      text_format(out, "\\x%02x", c);
    else
      text_add_char(out, c);
  }
  text_add(out, "\"");
}

void printer_doc(Text *out, const char *doc)
{
  if (!doc)
    return;
  text_add(out, " doc ");
  printer_string(out, doc);
}

void printer_loc(Text *out, Loc loc)
{
  if (loc.line > 0)
    text_format(out, " @%d:%d", loc.line, loc.column);
}

static void print_nan(Text *out, double f)
{
  uint64_t bits;

  memcpy(&bits, &f, sizeof bits);
  if (bits == WORDS_NAN_BITS)
    text_add(out, "nan");
  else
    text_format(out, "nan(0x%016" PRIx64 ")", bits);
}

/* 100.0, not 1e+02: what has an exponent and is below 1e15 is whole. */
static void print_whole(char *digits, size_t bytes, double f)
{
  if (strchr(digits, 'e') && fabs(f) >= 1 && fabs(f) < 1e15)
    snprintf(digits, bytes, "%.0f", f);
}

static void print_float(Text *out, const Type *type, double f)
{
  char digits[40];

  if (isnan(f)) {
    print_nan(out, f);
    return;
  }
  if (isinf(f)) {
    text_add(out, f < 0 ? "-inf" : "inf");
    return;
  }
  for (int k = 1; k <= 17; k++) {
    snprintf(digits, sizeof digits, "%.*g", k, f);
    if (words_float(type, digits) == f)
      break;
  }
  print_whole(digits, sizeof digits, f);
  text_add(out, digits);
  if (!strpbrk(digits, ".e"))
    text_add(out, ".0");
}

void printer_value(Text *out, const Type *type, Value v)
{
  if (type_is_float(type))
    print_float(out, type, v.f);
  else if (type->kind == TYPE_BOOL)
    text_add(out, v.i ? "true" : "false");
  else if (type->kind == TYPE_U64)
    text_format(out, "%" PRIu64, (uint64_t)v.i);
  else
    text_format(out, "%" PRId64, v.i);
}

void printer_of(Text *out, const Struct *of)
{
  if (of)
    text_format(out, " of %s", of->type.name);
}
