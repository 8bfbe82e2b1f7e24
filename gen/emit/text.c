/* Texts of C: formatted, quoted, numbers, members of initialisers. */
#include "gen/emit/writer.h"

#include <ctype.h>
#include <string.h>

char *format(Arena *arena, const char *form, ...)
{
  char line[LINE_COLUMNS], *text;        /* most fit into it: those are formatted once */
  va_list args;
  int length;

  va_start(args, form);
  length = vsnprintf(line, sizeof line, form, args);
  va_end(args);
  text = arena_alloc(arena, (size_t)length + 1);
  if ((size_t)length < sizeof line)
    return memcpy(text, line, (size_t)length + 1);
  va_start(args, form);
  vsnprintf(text, (size_t)length + 1, form, args);
  va_end(args);
  return text;
}

const char *quote(Arena *arena, const char *text)
{
  Text out = { 0 };
  char *copy;

  if (!text)
    return "NULL";
  text_add(&out, "\"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      text_format(&out, "\\%c", c);
    else if (c == '\n')
      text_add(&out, "\\n");
    else if (c == '\t')
      text_add(&out, "\\t");
    else if (c == '?')                   /* no trigraphs */
      text_add(&out, text[1] == '?' ? "?\\" : "?");
    else if (c < 32 || c > 126)
      text_format(&out, "\\%03o", c);
    else
      text_add_char(&out, c);
  }
  text_add(&out, "\"");
  copy = format(arena, "%s", out.data);
  text_free(&out);
  return copy;
}

const char *decimal(Arena *arena, long long number)
{
  return format(arena, "%lld", number);
}

/* Whether an identifier may begin behind the text: there is neither a part of one nor the sign of a
 * member. */
static bool may_begin(const char *text, const char *at)
{
  if (at == text)
    return true;
  return !isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.' &&
         !(at[-1] == '>' && at - text > 1 && at[-2] == '-');
}

bool has_word(const char *text, const char *word)
{
  size_t length = strlen(word);

  for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
    bool begins = may_begin(text, at);
    bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
    if (begins && ends)
      return true;
  }
  return false;
}

const char *members(Arena *arena, ...)
{
  const char *list = "", *member;
  va_list args;

  va_start(args, arena);
  while ((member = va_arg(args, const char *)) != NULL) {
    const char *text = va_arg(args, const char *);
    if (strcmp(text, "0") != 0 && strcmp(text, "NULL") != 0)
      list = format(arena, "%s, .%s = %s", list, member, text);
  }
  va_end(args);
  return *list ? list + strlen(", ") : list;
}

const char *tables(Arena *arena, ...)
{
  const char *list = "", *row;
  va_list args;

  va_start(args, arena);
  while ((row = va_arg(args, const char *)) != NULL) {
    const char *table = va_arg(args, const char *);
    if (strcmp(table, "NULL") != 0)
      list = format(arena, "%s, SN_TABLE(%s, %s)", list, row, table);
  }
  va_end(args);
  return *list ? list + strlen(", ") : list;
}

const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? slash + 1 : path;
}
