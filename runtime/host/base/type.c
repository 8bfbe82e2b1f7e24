/* What is known of the type of an element by its number. */
#include "runtime/host/base/type.h"

#include <stddef.h>

static const struct {
  const char *name;
  uint32_t bytes;
} types[] = {
#define ROW(type, text, c_type, sum, least, greatest) [SN_TYPE_##type] = { text, sizeof(c_type) },
  SNI_TYPES(ROW)
#undef ROW
};

static int is_type(sn_type type)
{
  return (unsigned)type < sizeof types / sizeof *types;
}

uint32_t sni_type_bytes(sn_type type)
{
  return is_type(type) ? types[type].bytes : 0;
}

const char *sni_type_name(sn_type type)
{
  return is_type(type) ? types[type].name : NULL;
}

int sni_type_holds(sn_type type, int64_t value)
{
  int64_t least;
  uint64_t greatest;

  switch (type) {
#define ROW(type, text, c_type, sum, low, high) \
  case SN_TYPE_##type: least = low; greatest = high; break;
  SNI_INTEGER_TYPES(ROW)
#undef ROW
  default: return 1;
  }
  return value >= least && (value < 0 || (uint64_t)value <= greatest);
}
