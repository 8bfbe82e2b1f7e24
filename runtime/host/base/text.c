/* UTF-8, as RFC 3629 has it, and JSON strings, as RFC 8259 has them. */
#include "runtime/host/base/text.h"

#include <stdio.h>
#include <string.h>

static int is_behind(char byte)
{
  return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Bytes of the character that begins with this one; 0: none does. */
static size_t bytes_from(unsigned char first)
{
  return first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3
         : first < 0xF5 ? 4 : 0;
}

/* Of the character that the text begins with; 0: these bytes are none. */
static size_t character(const char *text)
{
  const unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
  const size_t bytes = bytes_from(first);

  for (size_t k = 1; k < bytes; k++)
    if (!is_behind(text[k]))
      return 0;
  /* forms that are longer than need be, surrogates, numbers beyond the last character */
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  return bytes;
}

size_t sni_text_cut(const char *text, size_t length)
{
  size_t from = length;

  while (from > 0 && length - from < 3 && is_behind(text[from - 1]))
    from--;
  return from > 0 && bytes_from((unsigned char)text[from - 1]) > length - from + 1 ? from - 1
                                                                                   : length;
}

size_t sni_text_end(char *text, size_t length)
{
  length = sni_text_cut(text, length);
  text[length] = 0;
  return length;
}

size_t sni_text_copy(char *to, size_t bytes, const char *from)
{
  const size_t length = strlen(from);

  if (length < bytes) {
    memcpy(to, from, length + 1);
    return length;
  }
  memcpy(to, from, bytes - 1);
  return sni_text_end(to, bytes - 1);
}

size_t sni_text_vformat(char *to, size_t bytes, const char *format, va_list arguments)
{
  const int length = vsnprintf(to, bytes, format, arguments);

  if (length < 0) {
    to[0] = 0;
    return 0;
  }
  return (size_t)length < bytes ? (size_t)length : sni_text_end(to, bytes - 1);
}

size_t sni_text_format(char *to, size_t bytes, const char *format, ...)
{
  va_list arguments;
  size_t length;

  va_start(arguments, format);
  length = sni_text_vformat(to, bytes, format, arguments);
  va_end(arguments);
  return length;
}

void sni_text_json(const char **text, char piece[SNI_JSON_BYTES])
{
  const unsigned char c = (unsigned char)**text;
  const size_t bytes = character(*text);

  if (bytes == 0)
    strcpy(piece, "\\ufffd");
  else if (c == '"' || c == '\\')
    snprintf(piece, SNI_JSON_BYTES, "\\%c", c);
  else if (c < 0x20)
    snprintf(piece, SNI_JSON_BYTES, "\\u%04x", (unsigned)c);
  else {
    memcpy(piece, *text, bytes);
    piece[bytes] = 0;
  }
  *text += bytes ? bytes : 1;
}
