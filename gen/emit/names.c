/* Identifiers: those of the source where they can be kept.
 *
 * Needs nothing; guarantees that names taken from one scope, and from those
 * around it, differ from each other and from what C, C++ and the included
 * headers reserve there.
 */
#include "gen/emit/writer.h"

#include <ctype.h>
#include <string.h>

const char *names_escape(Arena *arena, NameScope scope, const char *wanted)
{
  return name_is_reserved(scope, wanted) ? format(arena, "%s_", wanted) : wanted;
}

/* ---- scopes ---- */

void names_init(Names *names, Arena *arena, NameScope scope, const Names *outer)
{
  *names = (Names){ .arena = arena, .scope = scope, .outer = outer };
}

static int slot_of(const char *const *taken, int capacity, const char *name)
{
  uint32_t hash = 2166136261u, mask = (uint32_t)capacity - 1;

  for (const char *c = name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  hash &= mask;
  while (taken[hash] && strcmp(taken[hash], name) != 0)
    hash = (hash + 1) & mask;
  return (int)hash;
}

static bool is_taken(const Names *names, const char *name)
{
  for (; names; names = names->outer)
    if (names->capacity && names->taken[slot_of(names->taken, names->capacity, name)])
      return true;
  return false;
}

static void add(Names *names, const char *name)
{
  if (2 * names->count >= names->capacity) {
    int capacity = names->capacity ? 2 * names->capacity : 64;
    const char **taken = NEW_ARRAY(names->arena, const char *, capacity);
    for (int k = 0; k < names->capacity; k++)
      if (names->taken[k])
        taken[slot_of(taken, capacity, names->taken[k])] = names->taken[k];
    names->taken = taken;
    names->capacity = capacity;
  }
  names->taken[slot_of(names->taken, names->capacity, name)] = name;
  names->count++;
}

/* The IR's "v.x" as an identifier. */
static const char *without_dots(Arena *arena, const char *name)
{
  char *copy;

  if (!ir_is_element(name))
    return name;
  copy = format(arena, "%s", name);
  for (char *c = copy; *c; c++)
    if (*c == '.')
      *c = '_';
  return copy;
}

const char *names_take(Names *names, const char *wanted)
{
  const char *plain = without_dots(names->arena, wanted);
  const char *base = names_escape(names->arena, names->scope, plain), *name = base;

  for (int k = 2; is_taken(names, name); k++)
    name = format(names->arena, "%s_%d", base, k);
  add(names, name);
  return name;
}

const char *names_fix(Names *names, const char *name)
{
  if (is_taken(names, name))
    ICE("the name '%s' is taken", name);
  add(names, name);
  return name;
}

const char *upper_case(Arena *arena, const char *text)
{
  char *copy = format(arena, "%s", text);

  for (char *c = copy; *c; c++)
    *c = (char)toupper((unsigned char)*c);
  return copy;
}
