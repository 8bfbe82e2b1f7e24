/* A growing text.  Always NUL-terminated once anything was written, also when
 * that was an empty string. */
#include "gen/base/base.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_LENGTH = 100 };             /* of what is formatted, at most: a line */

/* Room for `extra` more characters and the NUL. */
static void reserve(Text *text, size_t extra)
{
  size_t needed = text->length + extra + 1;
  if (needed <= text->capacity)
    return;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (capacity < needed)
    capacity *= 2;
  char *data = realloc(text->data, capacity);
  if (!data)
    out_of_memory();
  text->data = data;
  text->capacity = capacity;
}

void text_add_part(Text *text, const char *s, size_t length)
{
  reserve(text, length);
  memcpy(text->data + text->length, s, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void text_add(Text *text, const char *s)
{
  text_add_part(text, s, strlen(s));
}

void text_add_char(Text *text, char c)
{
  text_add_part(text, &c, 1);
}

/* Mostly it fits into the room that there is: it is formatted twice only where it does not. */
void text_vformat(Text *text, const char *format, va_list arguments)
{
  va_list again;
  reserve(text, USUAL_LENGTH);
  va_copy(again, arguments);
  const size_t room = text->capacity - text->length;
  const int length = vsnprintf(text->data + text->length, room, format, again);
  va_end(again);
  if (length < 0)
    ICE("cannot format '%s'", format);
  if ((size_t)length >= room) {
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
  }
  text->length += (size_t)length;
}

void text_format(Text *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  text_vformat(text, format, arguments);
  va_end(arguments);
}

void text_free(Text *text)
{
  free(text->data);
  *text = (Text){0};
}

int utf8_length(const char *p, const char *end)
{
  const unsigned char *u = (const unsigned char *)p;
  int length = u[0] < 0x80 ? 1 : u[0] >= 0xc2 && u[0] < 0xe0 ? 2
               : u[0] >= 0xe0 && u[0] < 0xf0 ? 3
               : u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : 0;
  if (length == 0 || end - p < length)
    return 0;
  for (int i = 1; i < length; i++)
    if ((u[i] & 0xc0) != 0x80)
      return 0;
  if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
      (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
    return 0;
  return length;
}

int utf8_mark(const char *p, const char *end)
{
  return end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void text_add_utf8(Text *out, const char *p, const char *end)
{
  while (p < end) {
    int length = utf8_length(p, end);
    if (length == 0) {
      text_add_char(out, (char)(0xc0 | (unsigned char)*p >> 6));
      text_add_char(out, (char)(0x80 | ((unsigned char)*p & 0x3f)));
    }
    text_add_part(out, p, (size_t)length);
    p += length ? length : 1;
  }
}

void text_add_json(Text *out, const char *s)
{
  text_add(out, "\"");
  for (const char *p = s, *end = s + strlen(s); p < end;) {
    int length = utf8_length(p, end);
    if (length == 0)
      text_format(out, "\\u%04x", (unsigned char)*p);
    else if (*p == '"' || *p == '\\')
      text_format(out, "\\%c", *p);
    else if ((unsigned char)*p < 0x20)
      text_format(out, "\\u%04x", (unsigned char)*p);
    else
      text_add_part(out, p, (size_t)length);
    p += length ? length : 1;
  }
  text_add(out, "\"");
}
