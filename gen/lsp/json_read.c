/* JSON, read by recursive descent over bytes. */
#include "gen/lsp/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 100 };

typedef struct Reader {
  Arena *arena;
  const char *at, *end;
  int depth;
} Reader;

static JsonValue *read_value(Reader *r);

static void skip_blanks(Reader *r)
{
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
    r->at++;
}

static bool accept(Reader *r, char c)
{
  skip_blanks(r);
  if (r->at >= r->end || *r->at != c)
    return false;
  r->at++;
  return true;
}

static JsonValue *new_value(Reader *r, JsonKind kind)
{
  JsonValue *v = NEW(r->arena, JsonValue);

  v->kind = kind;
  return v;
}

/* ---- strings ---- */

static int hex_digit(char c)
{
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits behind \u; -1: there are none. */
static int read_unit(Reader *r)
{
  int unit = 0;

  for (int k = 0; k < 4; k++, r->at++) {
    const int digit = r->at < r->end ? hex_digit(*r->at) : -1;
    if (digit < 0)
      return -1;
    unit = 16 * unit + digit;
  }
  return unit;
}

static void add_character(Text *out, unsigned c)
{
  if (c < 0x80) {
    text_add_char(out, (char)c);
    return;
  }
  if (c >= 0x10000) {
    text_add_char(out, (char)(0xf0 | c >> 18));
    text_add_char(out, (char)(0x80 | (c >> 12 & 0x3f)));
  } else if (c >= 0x800) {
    text_add_char(out, (char)(0xe0 | c >> 12));
  }
  text_add_char(out, (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6));
  text_add_char(out, (char)(0x80 | (c & 0x3f)));
}

/* A unit that is half of a pair and has no other half stands for what cannot be shown. */
static bool read_escaped_unit(Reader *r, Text *out)
{
  int unit = read_unit(r), low;

  if (unit < 0)
    return false;
  if (unit >= 0xd800 && unit < 0xdc00 && r->end - r->at >= 6 && r->at[0] == '\\' &&
      r->at[1] == 'u') {
    r->at += 2;
    low = read_unit(r);
    if (low < 0)
      return false;
    if (low >= 0xdc00 && low < 0xe000)
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    else
      add_character(out, 0xfffd), unit = low;
  }
  add_character(out, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : (unsigned)unit);
  return true;
}

static bool read_escape(Reader *r, Text *out)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char c = r->at < r->end ? *r->at++ : '\0';
  const char *found = c ? strchr(from, c) : NULL;

  if (c == 'u')
    return read_escaped_unit(r, out);
  if (found)
    text_add_char(out, to[found - from]);
  return found != NULL;
}

/* Behind the first quote. */
static bool read_string(Reader *r, const char **text, size_t *length)
{
  Text out = { 0 };
  bool good = true;
  char *copy;

  while (good && r->at < r->end && *r->at != '"') {
    const char c = *r->at++;
    if (c == '\\')
      good = read_escape(r, &out);
    else if ((unsigned char)c < 0x20)
      good = false;
    else
      text_add_char(&out, c);
  }
  good = good && r->at < r->end;
  if (good) {
    r->at++;
    copy = arena_alloc(r->arena, out.length + 1);
    if (out.length)
      memcpy(copy, out.data, out.length);
    *text = copy;
    *length = out.length;
  }
  text_free(&out);
  return good;
}

/* ---- values ---- */

static bool skip_digits(Reader *r)
{
  const char *from = r->at;

  while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
    r->at++;
  return r->at > from;
}

static JsonValue *read_number(Reader *r)
{
  JsonValue *v = new_value(r, JSON_NUMBER);
  const char *from = r->at, *digits;

  r->at += *r->at == '-';
  digits = r->at;
  if (!skip_digits(r) || (*digits == '0' && r->at > digits + 1))
    return NULL;
  if (r->at < r->end && *r->at == '.') {
    r->at++;
    if (!skip_digits(r))
      return NULL;
  }
  if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    r->at += r->at < r->end && (*r->at == '+' || *r->at == '-');
    if (!skip_digits(r))
      return NULL;
  }
  v->length = (size_t)(r->at - from);
  v->text = intern(r->arena, from, v->length);
  v->number = strtod(v->text, NULL);
  return v;
}

static JsonValue *read_word(Reader *r)
{
  static const struct { const char *word; JsonKind kind; } words[] = {
    { "null", JSON_NULL }, { "false", JSON_FALSE }, { "true", JSON_TRUE }
  };

  for (int k = 0; k < 3; k++) {
    const size_t length = strlen(words[k].word);
    if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[k].word, length) == 0) {
      r->at += length;
      return new_value(r, words[k].kind);
    }
  }
  return NULL;
}

static bool read_item(Reader *r, JsonValue *into)
{
  const char *key = NULL;
  size_t length;
  int count = into->count;
  JsonValue *item;

  if (into->kind == JSON_OBJECT) {
    if (!accept(r, '"') || !read_string(r, &key, &length) || !accept(r, ':'))
      return false;
    vec_push(r->arena, into->keys, count, key);
  }
  item = read_value(r);
  if (item)
    vec_push(r->arena, into->items, into->count, item);
  return item != NULL;
}

static JsonValue *read_several(Reader *r, JsonKind kind, char close)
{
  JsonValue *v = new_value(r, kind);

  if (accept(r, close))
    return v;
  do
    if (!read_item(r, v))
      return NULL;
  while (accept(r, ','));
  return accept(r, close) ? v : NULL;
}

static JsonValue *read_by_first(Reader *r)
{
  JsonValue *v;

  if (accept(r, '{'))
    return read_several(r, JSON_OBJECT, '}');
  if (accept(r, '['))
    return read_several(r, JSON_ARRAY, ']');
  if (accept(r, '"')) {
    v = new_value(r, JSON_STRING);
    return read_string(r, &v->text, &v->length) ? v : NULL;
  }
  if (r->at < r->end && (*r->at == '-' || (*r->at >= '0' && *r->at <= '9')))
    return read_number(r);
  return read_word(r);
}

static JsonValue *read_value(Reader *r)
{
  JsonValue *v = NULL;

  if (++r->depth <= MOST_DEPTH)
    v = read_by_first(r);
  r->depth--;
  return v;
}

const JsonValue *json_read(Arena *arena, const char *text, size_t length)
{
  Reader r = { .arena = arena, .at = text, .end = text + length };
  const JsonValue *v = read_value(&r);

  skip_blanks(&r);
  return v && r.at == r.end ? v : NULL;
}

/* ---- what is in a value ---- */

const JsonValue *json_member(const JsonValue *v, const char *key)
{
  for (int k = 0; v && v->kind == JSON_OBJECT && k < v->count; k++)
    if (strcmp(v->keys[k], key) == 0)
      return v->items[k];
  return NULL;
}

const JsonValue *json_at(const JsonValue *v, const char *path)
{
  char key[64];

  while (*path) {
    const size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    v = json_member(v, key);
    path += length + (path[length] == '.');
  }
  return v;
}

const char *json_text(const JsonValue *v)
{
  return v && v->kind == JSON_STRING ? v->text : NULL;
}

bool json_count(const JsonValue *v, int *out)
{
  if (!v || v->kind != JSON_NUMBER || v->number < 0 || v->number > INT32_MAX ||
      v->number != floor(v->number))
    return false;
  *out = (int)v->number;
  return true;
}
