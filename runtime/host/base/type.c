/* What is known of the type of an element by its number. */
#include "runtime/host/base/type.h"

#include <stddef.h>

#include <snode/device/f16.h>

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

int sni_type_takes(sn_type type, double value)
{
  switch (type) {
  /* The greatest of 64 bits is no double: it rounds up by the 1 that the others get. */
#define ROW(type, text, c_type, sum, least, greatest)                   \
  case SN_TYPE_##type:                                                  \
    return (value >= (double)least || value > (double)least - 1) &&     \
           value < (double)greatest + 1;
  SNI_INTEGER_TYPES(ROW)
#undef ROW
  default: return 1;
  }
}

double sni_element_get(sn_type type, const void *at)
{
  switch (type) {
  case SN_TYPE_F16: return (double)sn_f16_float(*(const sn_f16 *)at);
  case SN_TYPE_BOOL: return *(const uint8_t *)at != 0;
#define GET(type, text, c_type, sum, least, greatest) \
  case SN_TYPE_##type: return (double)*(const c_type *)at;
  SNI_NUMBER_TYPES(GET)
#undef GET
  }
  return 0;
}

void sni_element_set(sn_type type, void *at, double value)
{
  switch (type) {
  case SN_TYPE_F16: *(sn_f16 *)at = sn_f16_of_double(value); break;
  case SN_TYPE_BOOL: *(uint8_t *)at = value < 0 || value > 0; break;
  case SN_TYPE_F32: *(float *)at = (float)value; break;
  case SN_TYPE_F64: *(double *)at = value; break;
#define SET(type, text, c_type, sum, least, greatest)                           \
  case SN_TYPE_##type:                                                          \
    *(c_type *)at = value > (double)least && value < (double)greatest           \
                    ? (c_type)value : value >= (double)greatest                 \
                    ? (c_type)greatest : value < 0 ? (c_type)least : (c_type)0; \
    break;
  SNI_INTEGER_TYPES(SET)
#undef SET
  }
}

double sni_type_epsilon(sn_type type)
{
  switch (type) {
  case SN_TYPE_F16: return 0x1p-11;
  case SN_TYPE_F32: return 0x1p-24;
  case SN_TYPE_F64: return 0x1p-53;
  default: return 0;
  }
}
