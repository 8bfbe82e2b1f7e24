/* What is reserved: the rows of reserved.def, and whole families. */
#include "gen/model/names.h"

#include <ctype.h>
#include <string.h>

typedef enum Reserved {
  RESERVED_C,
  RESERVED_CPP,
  RESERVED_MACRO,
  RESERVED_MATH,
  RESERVED_LIBRARY
} Reserved;

static const struct {
  Reserved kind;
  const char *name;
} reserved[] = {
#define RESERVED(kind, name) { RESERVED_##kind, #name },
#include "gen/model/reserved.def"
#undef RESERVED
};

/* Most rows differ from a name in the first character: it is looked at before all is compared. */
static bool has_prefix(const char *name, const char *prefix)
{
  return *name == *prefix && strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool is_name(const char *name, const char *other)
{
  return *name == *other && strcmp(name, other) == 0;
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
  const char *rest;

  if (!has_prefix(name, function))
    return false;
  rest = name + strlen(function);
  return !*rest || ((*rest == 'f' || *rest == 'l') && !rest[1]);
}

bool name_is_reserved(NameScope scope, const char *name)
{
  if (is_of_family(name))
    return true;
  for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++) {
    Reserved kind = reserved[k].kind;
    if (kind == RESERVED_MATH ? scope == NAMES_MEMBER
                              : kind == RESERVED_LIBRARY && scope != NAMES_FILE)
      continue;
    if (kind == RESERVED_MATH ? is_form_of(name, reserved[k].name)
                              : is_name(name, reserved[k].name))
      return true;
  }
  return scope == NAMES_FILE && name[0] == '_';
}

const char *name_keyword_of(const char *name)
{
  for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
    if (reserved[k].kind <= RESERVED_CPP && is_name(name, reserved[k].name))
      return reserved[k].kind == RESERVED_C ? "C" : "C++";
  return NULL;
}
