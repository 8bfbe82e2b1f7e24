/* -g: from which line of which source each line of the C file comes.
 *
 * While the file is put together a line carries that at its end, behind a byte that stands in
 * no text.  When all is in its place the marks are taken out, and a #line stands before each
 * line that a compiler would count wrong: it counts on from the last one.
 */
#include "gen/emit/writer.h"

#include <string.h>

enum { MARK = '\001', OWN_FILE = -1 };

/* NULL: not known. */
static const char *path_of(const IrModule *m, int file)
{
  if (file == 0)
    return m->path;
  return file < m->source_count ? m->sources[file] : NULL;
}

Loc write_from(Emit *e, Loc loc)
{
  const Loc before = e->from;

  if (loc.line > 0 && path_of(e->module, loc.file))
    e->from = loc;
  return before;
}

bool is_marked(const Emit *e)
{
  return e->options->lines && e->from.line > 0;
}

void add_line_mark(Emit *e)
{
  if (is_marked(e))
    text_format(e->out, "%c%d:%d", MARK, e->from.file, e->from.line);
}

/* What the compiler takes the next line for. */
typedef struct Count {
  const Emit *emit;
  const char *own_path;
  int file, line;
  int own;                         /* its number in the C file */
} Count;

static void put_directive(Count *c, int file, int line, Text *to)
{
  const char *path = file == OWN_FILE ? c->own_path : path_of(c->emit->module, file);

  c->own++;
  c->file = file;
  c->line = file == OWN_FILE ? c->own : line;
  text_format(to, "#line %d %s\n", c->line, quote(c->emit->arena, path));
}

static void put_line(Count *c, const char *line, int length, Text *to)
{
  const char *mark = memchr(line, MARK, (size_t)length);
  int file = OWN_FILE, number = c->own;

  if (mark)
    sscanf(mark + 1, "%d:%d", &file, &number);
  if (length > 0 && (file != c->file || number != c->line))
    put_directive(c, file, number, to);
  text_add_part(to, line, mark ? (size_t)(mark - line) : (size_t)length);
  text_add_char(to, '\n');
  c->own++;
  c->line++;
}

void resolve_line_marks(const Emit *e, const Text *from, const char *own_path, Text *to)
{
  Count c = { .emit = e, .own_path = own_path, .file = OWN_FILE, .line = 1, .own = 1 };

  for (const char *at = from->data; at && *at; ) {
    int length = (int)strcspn(at, "\n");
    put_line(&c, at, length, to);
    at += length + (at[length] == '\n');
  }
}
