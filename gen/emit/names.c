/* Identifiers: those of the source where they can be kept.
 *
 * Needs nothing; guarantees that names taken from one scope, and from those
 * around it, differ from each other and from what C, C++ and the included
 * headers reserve there.
 */
#include "gen/emit/writer.h"

#include <ctype.h>
#include <string.h>

typedef enum Reserved {
  RESERVED_KEYWORD,
  RESERVED_MACRO,
  RESERVED_MATH,
  RESERVED_LIBRARY
} Reserved;

static const struct {
  Reserved kind;
  const char *name;
} reserved[] = {
#define RESERVED(kind, name) { RESERVED_##kind, #name },
#include "gen/emit/reserved.def"
#undef RESERVED
};

static bool has_prefix(const char *name, const char *prefix)
{
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Families of macros and types. */
static bool is_of_family(const char *name)
{
  static const char *const prefixes[] = {
    "__", "SN_", "sn_", "SND_", "snd_", "omp_", "OMP_", "kmp_", "KMP_", "INT", "UINT", "FP_",
    "HUGE_VAL", "M_", "FLT_", "DBL_", "LDBL_", "SIZE_MAX", "PTRDIFF_", "SIG_", "WCHAR_", "WINT_",
    "SNODE_", "FD_", "htobe", "htole", "be16", "be32", "be64", "le16", "le32", "le64"
  };
  size_t length = strlen(name);

  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
    if (has_prefix(name, prefixes[k]))
      return true;
  if (name[0] == '_' && isupper((unsigned char)name[1]))
    return true;
  return length > 2 && strcmp(name + length - 2, "_t") == 0;
}

/* sqrt, sqrtf and sqrtl for a MATH row. */
static bool is_form_of(const char *name, const char *function)
{
  size_t length = strlen(function);

  return has_prefix(name, function) &&
         (!name[length] || ((name[length] == 'f' || name[length] == 'l') && !name[length + 1]));
}

static bool is_reserved(NameScope scope, const char *name)
{
  if (is_of_family(name))
    return true;
  for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++) {
    Reserved kind = reserved[k].kind;
    if (kind == RESERVED_MATH ? scope == NAMES_MEMBER
                              : kind == RESERVED_LIBRARY && scope != NAMES_FILE)
      continue;
    if (kind == RESERVED_MATH ? is_form_of(name, reserved[k].name)
                              : strcmp(name, reserved[k].name) == 0)
      return true;
  }
  return scope == NAMES_FILE && name[0] == '_';
}

const char *names_escape(Arena *arena, NameScope scope, const char *wanted)
{
  return is_reserved(scope, wanted) ? format(arena, "%s_", wanted) : wanted;
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
