/* What kernels have alike: equal tables and steps stand once in the file, under the name that the
 * first kernel gave them.
 */
#include "gen/emit/writer.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

static size_t hash_of(const char *text)
{
  uint64_t hash = UINT64_C(14695981039346656037);

  for (const char *c = text; *c; c++)
    hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
  return (size_t)hash;
}

/* Where the text stands, or may be put: capacities are powers of two, and half stays free. */
static SharedRow *row_of(const Shared *shared, const char *text)
{
  size_t at = hash_of(text) & (shared->capacity - 1);

  while (shared->rows[at].text && strcmp(shared->rows[at].text, text) != 0)
    at = (at + 1) & (shared->capacity - 1);
  return &shared->rows[at];
}

static void grow(Arena *arena, Shared *shared)
{
  const Shared old = *shared;

  shared->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  shared->rows = NEW_ARRAY(arena, SharedRow, shared->capacity);
  for (size_t k = 0; k < old.capacity; k++)
    if (old.rows[k].text)
      *row_of(shared, old.rows[k].text) = old.rows[k];
}

const char *write_shared(Emit *e, const char *before, const char *wanted, const char *after)
{
  Shared *shared = &e->shared;
  const char *text = format(e->arena, "%s %s", before, after);
  SharedRow *row;

  if (2 * (shared->count + 1) > shared->capacity)
    grow(e->arena, shared);
  row = row_of(shared, text);
  if (row->text)
    return row->name;
  *row = (SharedRow){ text, names_take(&e->names, wanted) };
  shared->count++;
  if (strchr(after, '\n'))
    text_format(e->out, "%s%s%s", before, row->name, after);
  else
    write_line(e, "%s%s%s", before, row->name, after);
  write_line(e, "%s", "");
  return row->name;
}
