/* Imports: looked for in the importing file's folder, then in those of -I.
 *
 * A file is told by where it really is: what several files import, or one that imports
 * itself again, is read once.
 */
#define _XOPEN_SOURCE 700              /* realpath */

#include "gen/imports.h"
#include "gen/files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *place_of(Arena *arena, const char *path)
{
  char *real = realpath(path, NULL);
  const char *place = real ? intern(arena, real, strlen(real)) : NULL;

  free(real);
  return place;
}

static void add(Imports *i, const Source *source, const char *place)
{
  int count = i->count;

  vec_push(i->arena, i->sources, count, source);
  vec_push(i->arena, i->places, i->count, place);
}

void imports_begin(Imports *i, Arena *arena, const Options *options, const Source *named)
{
  *i = (Imports){ .arena = arena, .options = options };
  add(i, named, place_of(arena, named->path));
}

/* NULL: not in this folder. */
static const char *look_in(const Imports *i, const char *folder, const char *name)
{
  const char *path = joined_path(i->arena, folder, name);

  return access(path, R_OK) == 0 ? path : NULL;
}

static const char *folder_of(Arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/');

  return slash ? intern(arena, path, (size_t)(slash - path) + 1) : NULL;
}

static const char *find_path(const Imports *i, const Source *importing, const char *name)
{
  const char *path = look_in(i, folder_of(i->arena, importing->path), name);

  for (int k = 0; !path && k < i->options->include_count; k++)
    path = look_in(i, i->options->includes[k], name);
  return path;
}

const Source *imports_find(void *user, const Source *importing, const char *name)
{
  Imports *i = user;
  const char *path = find_path(i, importing, name), *place, *stem;
  Source *source;

  place = path ? place_of(i->arena, path) : NULL;
  for (int k = 0; place && k < i->count; k++)
    if (i->places[k] == place)         /* interned */
      return i->sources[k];
  source = NEW(i->arena, Source);
  if (!place || !read_source(i->arena, path, source))
    return NULL;
  stem = stem_of(i->arena, path);
  source->stem = is_identifier(stem) ? stem : NULL;
  source->file = i->count;
  add(i, source, place);
  return source;
}
