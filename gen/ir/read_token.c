/* IR text to tokens, and the small phrases that stand everywhere. */
#include "gen/ir/reader.h"
#include "gen/ir/words.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

void reader_fail(Reader *r, const char *format, ...)
{
  Text text = { 0 };
  va_list arguments;

  if (r->failed)
    return;
  r->failed = true;
  va_start(arguments, format);
  text_vformat(&text, format, arguments);
  va_end(arguments);
  if (r->diag)
    diag(r->diag, DIAG_IR_TEXT, r->token.loc, text.data);
  text_free(&text);
  r->token.kind = TOKEN_END;
  r->token.text = "";
}

/* ---- tokens ---- */

static bool is_name_char(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

static void take(Reader *r, TokenKind kind, const char *begin, const char *end)
{
  r->token.kind = kind;
  r->token.text = intern(r->arena, begin, (size_t)(end - begin));
  r->at = end;
}

static void skip_blanks(Reader *r)
{
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
    r->at++;
  if (r->end - r->at >= 2 && r->at[0] == '/' && r->at[1] == '/')
    while (r->at < r->end && *r->at != '\n')
      r->at++;
}

/* -1.5e-3, 0x7f, -inf: the sign belongs to the number. */
static void scan_number(Reader *r)
{
  const char *p = r->at + 1;

  while (p < r->end && (is_name_char(*p) || *p == '.' ||
                        ((*p == '-' || *p == '+') && (p[-1] == 'e' || p[-1] == 'E'))))
    p++;
  take(r, TOKEN_NUMBER, r->at, p);
}

static int hex_digit(char c)
{
  static const char digits[] = "0123456789abcdef";
  const char *at = c ? strchr(digits, c) : NULL;

  return at ? (int)(at - digits) : -1;
}

/* One character of a string, which may be escaped; -1 at a bad escape. */
static int string_char(Reader *r)
{
  char c = *r->at++;

  if (c != '\\' || r->at >= r->end)
    return (unsigned char)c;
  c = *r->at++;
  switch (c) {
  case 'n': return '\n';
  case 't': return '\t';
  case '"': case '\\': return c;
  case 'x':
    if (r->end - r->at >= 2 && hex_digit(r->at[0]) >= 0 && hex_digit(r->at[1]) >= 0) {
      r->at += 2;
      return 16 * hex_digit(r->at[-2]) + hex_digit(r->at[-1]);
    }
    return -1;
  default:  return -1;
  }
}

static void scan_string(Reader *r)
{
  Text text = { 0 };
  int c = 0;

  r->at++;
  text_add(&text, "");
  while (c >= 0 && r->at < r->end && *r->at != '"' && *r->at != '\n') {
    c = string_char(r);
    if (c > 0)
      text_add_char(&text, c);
  }
  if (c < 0 || r->at >= r->end || *r->at != '"') {
    text_free(&text);
    reader_fail(r, "this string is broken");
    return;
  }
  r->at++;
  r->token.kind = TOKEN_STRING;
  r->token.text = intern(r->arena, text.data, text.length);
  text_free(&text);
}

/* An SNode's: "S1pointer". */
static bool is_label(const Reader *r, const char *p)
{
  if (*p++ != 'S' || p >= r->end || !isdigit((unsigned char)*p))
    return false;
  while (p < r->end && isdigit((unsigned char)*p))
    p++;
  for (int kind = 0; kind < SNODE_KINDS; kind++) {
    size_t length = strlen(snode_kind[kind].word);
    if ((size_t)(r->end - p) >= length && strncmp(p, snode_kind[kind].word, length) == 0)
      return true;
  }
  return false;
}

/* A dot goes on in a name before an element's: "v.x", "A.0_1", "p.C.0_1".  What stands
 * behind one that is a mark is an SNode's label, "grid.S1pointer". */
static bool continues_name(const Reader *r, const char *p)
{
  if (*p == '.' && p + 1 < r->end)
    return is_name_char(p[1]) && !is_label(r, p + 1);
  return is_name_char(*p);
}

static void scan_word(Reader *r)
{
  const char *p = r->at;
  bool is_value = *p == '$';

  do
    p++;
  while (p < r->end && continues_name(r, p));
  if (is_value) {
    r->at++;
    take(r, TOKEN_VALUE, r->at, p);
  } else {
    take(r, TOKEN_NAME, r->at, p);
  }
}

void reader_advance(Reader *r)
{
  const char *p;

  if (r->failed)
    return;
  skip_blanks(r);
  p = r->at;
  r->token.loc = (Loc){ .line = r->line, .column = (int)(p - r->line_start) + 1 };
  if (p >= r->end) {
    r->token.kind = TOKEN_END;
    r->token.text = "";
  } else if (*p == '\n') {
    take(r, TOKEN_NEWLINE, p, p + 1);
    r->line++;
    r->line_start = r->at;
  } else if (*p == '"') {
    scan_string(r);
  } else if (isdigit((unsigned char)*p) ||
             (*p == '-' && r->end - p > 1 && (isdigit((unsigned char)p[1]) || p[1] == 'i'))) {
    scan_number(r);
  } else if (is_name_char(*p) || *p == '$') {
    scan_word(r);
  } else {
    take(r, TOKEN_MARK, p, r->end - p > 1 && p[0] == '-' && p[1] == '>' ? p + 2 : p + 1);
  }
}

/* ---- phrases ---- */

bool reader_sees(const Reader *r, TokenKind kind, const char *text)
{
  return r->token.kind == kind && (!text || strcmp(r->token.text, text) == 0);
}

bool reader_accept(Reader *r, const char *text)
{
  if (!reader_sees(r, TOKEN_NAME, text) && !reader_sees(r, TOKEN_MARK, text))
    return false;
  reader_advance(r);
  return true;
}

static const char *shown(const Reader *r)
{
  switch (r->token.kind) {
  case TOKEN_END:     return "the end";
  case TOKEN_NEWLINE: return "the end of the line";
  default:            return r->token.text;
  }
}

void reader_expect(Reader *r, const char *text)
{
  if (!reader_accept(r, text))
    reader_fail(r, "expected '%s', found '%s'", text, shown(r));
}

void reader_expect_line_end(Reader *r)
{
  if (r->token.kind != TOKEN_NEWLINE && r->token.kind != TOKEN_END)
    reader_fail(r, "expected the end of the line, found '%s'", shown(r));
  while (r->token.kind == TOKEN_NEWLINE)
    reader_advance(r);
}

const char *reader_expect_name(Reader *r, const char *what)
{
  const char *name = r->token.text;

  if (r->token.kind != TOKEN_NAME) {
    reader_fail(r, "expected %s, found '%s'", what, shown(r));
    return "";
  }
  reader_advance(r);
  return name;
}

const char *reader_expect_string(Reader *r)
{
  const char *text = r->token.text;

  if (r->token.kind != TOKEN_STRING) {
    reader_fail(r, "expected a string, found '%s'", shown(r));
    return "";
  }
  reader_advance(r);
  return text;
}

/* ---- numbers ---- */

static const char *expect_number(Reader *r)
{
  const char *text = r->token.text;

  if (r->token.kind != TOKEN_NUMBER) {
    reader_fail(r, "expected a number, found '%s'", shown(r));
    return "0";
  }
  return text;
}

int64_t reader_expect_integer(Reader *r, int64_t lo, int64_t hi)
{
  const char *text = expect_number(r);
  char *end;
  intmax_t value;

  errno = 0;
  value = strtoimax(text, &end, 10);
  if (*end || errno || value < lo || value > hi) {
    reader_fail(r, "'%s' is no integer that may stand here", text);
    return lo;
  }
  reader_advance(r);
  return value;
}

static Value expect_u64(Reader *r)
{
  const char *text = expect_number(r);
  Value value = { .i = 0 };
  char *end;

  errno = 0;
  value.i = (int64_t)strtoumax(text, &end, 0);
  if (*text == '-' || *end || errno)
    reader_fail(r, "'%s' is no u64", text);
  reader_advance(r);
  return value;
}

/* Behind the word nan: its bits, unless they are the usual ones. */
static Value expect_nan(Reader *r)
{
  Value bits = { .i = (int64_t)WORDS_NAN_BITS }, value;

  if (reader_accept(r, "(")) {
    bits = expect_u64(r);
    reader_expect(r, ")");
  }
  memcpy(&value.f, &bits.i, sizeof value.f);
  if (!r->failed && !isnan(value.f))
    reader_fail(r, "these bits are no NaN");
  return value;
}

static Value expect_float(Reader *r, const Type *type)
{
  Value value = { .f = 0 };
  const char *text;
  char *end;

  if (reader_accept(r, "nan"))
    return expect_nan(r);
  if (reader_accept(r, "inf")) {
    value.f = INFINITY;
    return value;
  }
  text = expect_number(r);
  value.f = words_float(type, text);
  strtod(text, &end);
  if (*end)
    reader_fail(r, "'%s' is no number", text);
  reader_advance(r);
  return value;
}

Value reader_expect_value(Reader *r, const Type *type)
{
  Value value = { .i = 0 };

  if (type_is_float(type))
    return expect_float(r, type);
  if (type->kind == TYPE_U64)
    return expect_u64(r);
  if (type->kind == TYPE_BOOL) {
    value.i = reader_sees(r, TOKEN_NAME, "true");
    if (!reader_accept(r, "true"))
      reader_expect(r, "false");
    return value;
  }
  if (!type_is_integer(type))
    reader_fail(r, "a constant cannot be '%s'", type->name);
  value.i = reader_expect_integer(r, INT64_MIN, INT64_MAX);
  if (value_wrap(type, value).i != value.i)
    reader_fail(r, "%" PRId64 " does not fit in '%s'", value.i, type->name);
  return value;
}

/* ---- types, places, comments ---- */

const Type *reader_expect_type(Reader *r)
{
  const char *name = reader_expect_name(r, "a type");
  const Type *type = strcmp(name, TY(CELL)->name) == 0 ? TY(CELL) : type_by_name(name);

  if (!type) {
    reader_fail(r, "unknown type '%s'", name);
    return TY(VOID);
  }
  return type;
}

Loc reader_accept_loc(Reader *r)
{
  Loc loc = { 0 };

  if (reader_accept(r, "@")) {
    loc.line = (int)reader_expect_integer(r, 1, INT32_MAX);
    reader_expect(r, ":");
    loc.column = (int)reader_expect_integer(r, 0, INT32_MAX);
  }
  return loc;
}

const char *reader_accept_doc(Reader *r)
{
  return reader_accept(r, "doc") ? reader_expect_string(r) : NULL;
}
