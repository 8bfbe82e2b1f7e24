/* Places in texts and names of files, as the protocol has them. */
#include "gen/lsp/place.h"

#include <string.h>

/* ---- lines and units ---- */

const char *place_line(const Source *s, int line, const char **end)
{
  const char *at = s->text, *last = s->text + s->length;

  for (int k = 1; k < line && at < last; k++) {
    const char *next = memchr(at, '\n', (size_t)(last - at));
    at = next ? next + 1 : last;
  }
  *end = memchr(at, '\n', (size_t)(last - at));
  if (!*end)
    *end = last;
  if (*end > at && (*end)[-1] == '\r')
    (*end)--;
  return at;
}

/* Bytes of the character at p, and how many units it has; what is no UTF-8 counts as one each. */
static int step(const char *p, const char *end, int *units)
{
  const int length = utf8_length(p, end);

  *units = length == 4 ? 2 : 1;
  return length ? length : 1;
}

Loc place_from(const Source *s, int line, int units)
{
  const char *end, *begin = place_line(s, line + 1, &end), *p = begin;
  int width;

  for (int passed = 0; p < end; passed += width) {
    const int length = step(p, end, &width);
    if (passed + width > units)
      break;
    p += length;
  }
  return (Loc){ line + 1, (int)(p - begin) + 1, 0 };
}

int place_units(const Source *s, Loc loc)
{
  const char *end, *begin = place_line(s, loc.line, &end), *p = begin;
  int units = 0, width;

  while (p < end && p - begin < loc.column - 1) {
    p += step(p, end, &width);
    units += width;
  }
  return units;
}

static void write_position(Json *j, const char *key, const Source *s, Loc loc)
{
  json_begin_flat(j, key, '{');
  json_integer(j, "line", loc.line > 0 ? loc.line - 1 : 0);
  json_integer(j, "character", loc.line > 0 ? place_units(s, loc) : 0);
  json_end(j, '}');
}

void place_write_range(Json *j, const char *key, const Source *s, Loc from, Loc to)
{
  json_begin_flat(j, key, '{');
  write_position(j, "start", s, from);
  write_position(j, "end", s, to);
  json_end(j, '}');
}

/* ---- URIs ---- */

static int digit_of(char c)
{
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  const char *found = c ? strchr(digits, c) : NULL;

  return found ? (int)(found - digits) % 16 : -1;
}

const char *place_path(Arena *arena, const char *uri)
{
  Text path = { 0 };
  const char *result;

  if (strncmp(uri, "file://", 7) != 0)
    return uri;
  uri += 7;
  uri += strcspn(uri, "/");              /* the host, "" or "localhost" */
  for (; *uri; uri++) {
    const int high = *uri == '%' ? digit_of(uri[1]) : -1, low = high < 0 ? -1 : digit_of(uri[2]);
    if (low >= 0 && (high || low))
      text_add_char(&path, (char)(16 * high + low));
    else
      text_add_char(&path, *uri);
    uri += low >= 0 && (high || low) ? 2 : 0;
  }
  result = intern(arena, path.data ? path.data : "", path.length);
  text_free(&path);
  return result;
}

const char *place_uri(Arena *arena, const char *path)
{
  static const char plain[] = "/-._~";
  Text uri = { 0 };
  const char *result;

  if (*path != '/')
    return path;
  text_add(&uri, "file://");
  for (; *path; path++) {
    const char c = *path;
    if (strchr(plain, c) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
        (c >= 'A' && c <= 'Z'))
      text_add_char(&uri, c);
    else
      text_format(&uri, "%%%02X", (unsigned char)c);
  }
  result = intern(arena, uri.data, uri.length);
  text_free(&uri);
  return result;
}
