/* Lines: indentation, breaking of long ones, comments, initialisers.
 *
 * Every line of the file goes through write_line(), which keeps it within
 * LINE_COLUMNS where C lets it: a line is broken behind a comma or before an
 * operator, where the fewest brackets are open.  What -g says is from one line of a
 * source stays on one line: no #line may stand within the arguments of a macro.
 */
#include "gen/emit/writer.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* ---- breaking ---- */

/* Where a line may be broken, the best places first: behind a mark, or before an
 * operator with a blank on each side. */
static const struct {
  const char *text;
  bool is_behind;
} breaks[] = { { ";", true },    { ",", true },   { " =", true },  { "|| ", false },
               { "&& ", false }, { "? ", false }, { ": ", false }, { "| ", false },
               { "^ ", false },  { "& ", false }, { "+ ", false }, { "- ", false },
               { "* ", false },  { "/ ", false }, { "% ", false } };

enum { BREAKS = sizeof breaks / sizeof *breaks };

/* The row of the break at text[at], BREAKS: none. */
static int break_at(const char *text, size_t at)
{
  if (at == 0 || text[at] != ' ')
    return BREAKS;
  for (int k = 0; k < BREAKS; k++) {
    size_t length = strlen(breaks[k].text);
    const char *from = breaks[k].is_behind ? text + at - length : text + at + 1;
    if (breaks[k].is_behind && at < length)
      continue;
    if (strncmp(from, breaks[k].text, length) == 0)
      return k;
  }
  return BREAKS;
}

/* The best place to break the first `room` characters: where the fewest brackets
 * are open, then by the table, then the last one.  0: none. */
static size_t find_break(const char *text, size_t room)
{
  size_t best = 0;
  int depth = 0, least = INT_MAX;
  bool in_string = false;

  for (size_t k = 0; text[k] && k <= room; k++) {
    if (in_string) {
      if (text[k] == '\\' && text[k + 1])
        k++;
      else if (text[k] == '"')
        in_string = false;
      continue;
    }
    if (text[k] == '"')
      in_string = true;
    else if (strchr("([{", text[k]))
      depth++;
    else if (strchr(")]}", text[k]))
      depth--;
    else if (k >= room / 3 && break_at(text, k) < BREAKS) {
      int badness = depth * BREAKS + break_at(text, k);
      if (badness > least)
        continue;
      best = k;
      least = badness;
    }
  }
  return best;
}

static void add_indent(Emit *e, int columns)
{
  text_format(e->out, "%*s", columns, "");
}

static void put_broken(Emit *e, const char *text)
{
  int indent = 2 * e->indent;
  bool is_first = true;

  for (;;) {
    int columns = indent + (is_first ? 0 : 4);
    size_t room = (size_t)(LINE_COLUMNS - columns), at = 0;
    if (strnlen(text, room + 1) > room && !is_marked(e))
      at = find_break(text, room);
    add_indent(e, columns);
    if (!at)
      break;
    text_format(e->out, "%.*s\n", (int)at, text);
    text += at + 1;
    is_first = false;
  }
  text_add(e->out, text);
  add_line_mark(e);
  text_add(e->out, "\n");
}

void write_line(Emit *e, const char *form, ...)
{
  Text line = { 0 };
  va_list args;

  va_start(args, form);
  text_vformat(&line, form, args);
  va_end(args);
  if (!line.data || !*line.data)
    text_add(e->out, "\n");
  else if (line.data[0] == '#') {        /* the preprocessor's stand at the left */
    text_add(e->out, line.data);
    text_add(e->out, "\n");
  } else
    put_broken(e, line.data);
  text_free(&line);
}

/* ---- comments ---- */

/* What would end a comment, begin another, or join lines, is taken apart. */
static void add_comment_text(Text *out, const char *text, size_t length)
{
  for (size_t k = 0; k < length; k++) {
    text_add_char(out, iscntrl((unsigned char)text[k]) ? ' ' : text[k]);
    if (k + 1 < length && ((text[k] == '*' && text[k + 1] == '/') ||
                           (text[k] == '/' && text[k + 1] == '*') ||
                           (text[k] == '?' && text[k + 1] == '?')))
      text_add(out, " ");
  }
  if (length && text[length - 1] == '\\')
    text_add(out, " ");
}

const char *cut_text(Emit *e, size_t begin)
{
  const char *rest = format(e->arena, "%s", e->out->data + begin);

  e->out->length = begin;
  e->out->data[begin] = '\0';
  return rest;
}

void write_comment(Emit *e, const char *text)
{
  bool is_first = true;

  while (*text) {
    size_t length = strcspn(text, "\n"), shown = length;
    while (shown && isspace((unsigned char)text[shown - 1]))
      shown--;
    if (!is_first) {
      add_line_mark(e);
      text_add(e->out, "\n");
    }
    add_indent(e, 2 * e->indent);
    text_add(e->out, is_first ? "/* " : " * ");
    add_comment_text(e->out, text, shown);
    is_first = false;
    text += length + (text[length] == '\n');
  }
  if (is_first)
    return;
  text_add(e->out, " */");
  add_line_mark(e);
  text_add(e->out, "\n");
}

void write_section(Emit *e, const char *title)
{
  write_line(e, "%s", "");
  text_add(e->out, "/* ---- ");
  add_comment_text(e->out, title, strlen(title));
  text_add(e->out, " ---- */\n\n");
}

/* ---- initialisers ---- */

void write_members(Emit *e, const char *members)
{
  if (*members)
    write_line(e, "%s,", members);
}
