/* Messages framed by Content-Length. */
#include "gen/lsp/frame.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_LINE = 1024, MOST_BYTES = 1 << 28 };

/* Without its end; what is longer is cut.  False: the input has ended. */
static bool read_line(FILE *in, char line[MOST_LINE])
{
  size_t length = 0;
  int c;

  while ((c = getc(in)) != EOF && c != '\n')
    if (length + 1 < MOST_LINE)
      line[length++] = (char)c;
  if (length > 0 && line[length - 1] == '\r')
    length--;
  line[length] = '\0';
  return c != EOF;
}

/* -1: this is another header, or no length. */
static long length_in(const char *line)
{
  static const char name[] = "Content-Length:";
  char *end;
  long length;

  if (strncasecmp(line, name, sizeof name - 1) != 0)
    return -1;
  line += sizeof name - 1;
  length = strtol(line, &end, 10);
  end += strspn(end, " \t");
  return end > line && !*end && length >= 0 && length <= MOST_BYTES ? length : -1;
}

/* In parts, so that memory is asked for only as the bytes come. */
static bool read_body(FILE *in, Arena *arena, size_t length, const char **text)
{
  Text body = { 0 };
  char part[4096];
  char *copy;

  while (body.length < length) {
    const size_t left = length - body.length;
    const size_t got = fread(part, 1, left < sizeof part ? left : sizeof part, in);
    if (got == 0)
      break;
    text_add_part(&body, part, got);
  }
  if (body.length == length) {
    copy = arena_alloc(arena, length + 1);
    if (length)
      memcpy(copy, body.data, length);
    *text = copy;
  }
  text_free(&body);
  return *text != NULL;
}

FrameKind frame_read(FILE *in, Arena *arena, const char **text, size_t *length)
{
  char line[MOST_LINE];
  long found = -1;

  *text = NULL;
  for (;;) {
    if (!read_line(in, line))
      return FRAME_END;
    if (!*line)
      break;
    if (found < 0)
      found = length_in(line);
  }
  if (found < 0)
    return FRAME_BAD;
  *length = (size_t)found;
  return read_body(in, arena, *length, text) ? FRAME_MESSAGE : FRAME_END;
}

bool frame_write(FILE *out, const Text *text)
{
  fprintf(out, "Content-Length: %zu\r\n\r\n", text->length);
  fwrite(text->data, 1, text->length, out);
  return fflush(out) == 0 && !ferror(out);
}
