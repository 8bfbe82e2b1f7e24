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

typedef struct ReservedRow {
  Reserved kind;
  const char *name;
} ReservedRow;

static const ReservedRow reserved[] = {
#define RESERVED(kind, name) { RESERVED_##kind, #name },
#include "gen/model/reserved.def"
#undef RESERVED
};

/* Most differ from a name in the first character: it is looked at before all is compared. */
static bool has_prefix(const char *name, const char *prefix)
{
  return *name == *prefix && strncmp(name, prefix, strlen(prefix)) == 0;
}

/* The row of the first `length` characters of the name, by halves; NULL: there is none. */
static const ReservedRow *find_row(const char *name, size_t length)
{
  size_t first = 0, end = sizeof reserved / sizeof *reserved;

  while (first < end) {
    const ReservedRow *row = &reserved[first + (end - first) / 2];
    int order = strncmp(name, row->name, length);
    if (order == 0 && !row->name[length])
      return row;
    if (order > 0)
      first = (size_t)(row - reserved) + 1;
    else
      end = (size_t)(row - reserved);
  }
  return NULL;
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

static bool is_reserved_in(NameScope scope, const ReservedRow *row)
{
  if (row->kind == RESERVED_MATH)
    return scope != NAMES_MEMBER;
  return row->kind != RESERVED_LIBRARY || scope == NAMES_FILE;
}

/* sqrtf and sqrtl, of a MATH row sqrt. */
static bool is_form_of_math(const char *name, size_t length)
{
  const ReservedRow *row;

  if (length < 2 || (name[length - 1] != 'f' && name[length - 1] != 'l'))
    return false;
  row = find_row(name, length - 1);
  return row && row->kind == RESERVED_MATH;
}

bool name_is_reserved(NameScope scope, const char *name)
{
  const size_t length = strlen(name);
  const ReservedRow *row = find_row(name, length);

  return (row && is_reserved_in(scope, row)) || is_of_family(name) ||
         (scope != NAMES_MEMBER && is_form_of_math(name, length)) ||
         (scope == NAMES_FILE && name[0] == '_');
}

const char *name_keyword_of(const char *name)
{
  const ReservedRow *row = find_row(name, strlen(name));

  if (!row || row->kind > RESERVED_CPP)
    return NULL;
  return row->kind == RESERVED_C ? "C" : "C++";
}
