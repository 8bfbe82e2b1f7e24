/* Elements of a tensor's type: width, value, sums. */
#include "runtime/host/exec/tensor.h"

#include <string.h>

size_t sni_element_bytes(sn_type type)
{
  static const uint8_t bytes[] = { 1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8 };

  return (unsigned)type < sizeof bytes ? bytes[type] : 0;
}

/* TYPES(X): X(type's name, C type). */
#define TYPES(X) \
  X(SN_TYPE_I8, int8_t) X(SN_TYPE_I16, int16_t) X(SN_TYPE_I32, int32_t) X(SN_TYPE_I64, int64_t) \
  X(SN_TYPE_U8, uint8_t) X(SN_TYPE_U16, uint16_t) X(SN_TYPE_U32, uint32_t) \
  X(SN_TYPE_U64, uint64_t) X(SN_TYPE_F32, float) X(SN_TYPE_F64, double)

double sni_element_get(sn_type type, const void *at)
{
  switch (type) {
  case SN_TYPE_BOOL: return *(const uint8_t *)at != 0;
#define GET(name, c_type) case name: return (double)*(const c_type *)at;
  TYPES(GET)
#undef GET
  }
  return 0;
}

void sni_element_set(sn_type type, void *at, double value)
{
  switch (type) {
  case SN_TYPE_BOOL: *(uint8_t *)at = value < 0 || value > 0; break;
#define SET(name, c_type) case name: *(c_type *)at = (c_type)value; break;
  TYPES(SET)
#undef SET
  }
}

void sni_element_scale(sn_type type, void *to, const void *from, double factor)
{
  if (factor >= 1 && factor <= 1)
    memcpy(to, from, sni_element_bytes(type));
  else
    sni_element_set(type, to, factor * sni_element_get(type, from));
}

void sni_elements_add(sn_type type, void *to, const void *from, size_t count)
{
  switch (type) {
  case SN_TYPE_BOOL:
    for (size_t k = 0; k < count; k++)
      ((uint8_t *)to)[k] |= ((const uint8_t *)from)[k];
    break;
  /* Sums of signed integers wrap: they are made as unsigned ones. */
#define ADD(name, c_type, sum_type)                                                    \
  case name:                                                                           \
    for (size_t k = 0; k < count; k++)                                                 \
      ((c_type *)to)[k] = (c_type)((sum_type)((c_type *)to)[k] +                       \
                                   (sum_type)((const c_type *)from)[k]);               \
    break;
  ADD(SN_TYPE_I8, int8_t, uint64_t) ADD(SN_TYPE_I16, int16_t, uint64_t)
  ADD(SN_TYPE_I32, int32_t, uint64_t) ADD(SN_TYPE_I64, int64_t, uint64_t)
  ADD(SN_TYPE_U8, uint8_t, uint64_t) ADD(SN_TYPE_U16, uint16_t, uint64_t)
  ADD(SN_TYPE_U32, uint32_t, uint64_t) ADD(SN_TYPE_U64, uint64_t, uint64_t)
  ADD(SN_TYPE_F32, float, float) ADD(SN_TYPE_F64, double, double)
#undef ADD
  }
}
