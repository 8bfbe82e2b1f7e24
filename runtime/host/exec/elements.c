/* Elements of a tensor's type: products, sums, text. */
#include "runtime/host/exec/tensor.h"

#include <snode/device/f16.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* An f16 is no number of C's: what is done to it is done to its value. */
static float half_at(const void *at, size_t k)
{
  return sn_f16_float(((const sn_f16 *)at)[k]);
}

/* An integer by an integer: exact, and wraps as a sum does.  0: the type is none. */
static int scale_integer(sn_type type, void *to, const void *from, int64_t factor)
{
  switch (type) {
#define SCALE(type, text, c_type, sum, least, greatest)                          \
  case SN_TYPE_##type:                                                           \
    *(c_type *)to = (c_type)((sum)*(const c_type *)from * (sum)factor);          \
    return 1;
  SNI_INTEGER_TYPES(SCALE)
#undef SCALE
  default: return 0;
  }
}

void sni_element_scale(sn_type type, void *to, const void *from, double factor)
{
  const int64_t whole = sni_type_takes(SN_TYPE_I64, factor) ? (int64_t)factor : 0;
  const int is_whole = factor >= (double)whole && factor <= (double)whole;

  if (is_whole && whole == 1)
    memcpy(to, from, sni_type_bytes(type));
  else if (!is_whole || !scale_integer(type, to, from, whole))
    sni_element_set(type, to, factor * sni_element_get(type, from));
}

void sni_element_print(sn_type type, const void *at, char text[SNI_ELEMENT_TEXT])
{
  switch (type) {
#define PRINT(type, name, c_type, sum, least, greatest)                                     \
  case SN_TYPE_##type:                                                                      \
    if (least < 0)                                                                          \
      snprintf(text, SNI_ELEMENT_TEXT, "%lld", (long long)*(const c_type *)at);             \
    else                                                                                    \
      snprintf(text, SNI_ELEMENT_TEXT, "%llu", (unsigned long long)*(const c_type *)at);    \
    break;
  SNI_INTEGER_TYPES(PRINT)
#undef PRINT
  default: snprintf(text, SNI_ELEMENT_TEXT, "%.17g", sni_element_get(type, at)); break;
  }
}

/* ---- accumulating ---- */

static void add(sn_type type, void *to, const void *from, size_t count)
{
  switch (type) {
  case SN_TYPE_F16:
    for (size_t k = 0; k < count; k++)
      ((sn_f16 *)to)[k] = sn_f16_of(half_at(to, k) + half_at(from, k));
    break;
  case SN_TYPE_BOOL:
    for (size_t k = 0; k < count; k++)
      ((uint8_t *)to)[k] |= ((const uint8_t *)from)[k];
    break;
#define ADD(type, text, c_type, sum, least, greatest)                                             \
  case SN_TYPE_##type:                                                                            \
    for (size_t k = 0; k < count; k++)                                                            \
      ((c_type *)to)[k] = (c_type)((sum)((c_type *)to)[k] + (sum)((const c_type *)from)[k]);      \
    break;
  SNI_NUMBER_TYPES(ADD)
#undef ADD
  }
}

/* A comparison with a NaN is false: it is left out. */
static void take_greater(sn_type type, void *to, const void *from, size_t count)
{
  switch (type) {
  case SN_TYPE_F16:
    for (size_t k = 0; k < count; k++)
      if (half_at(from, k) > half_at(to, k))
        ((sn_f16 *)to)[k] = ((const sn_f16 *)from)[k];
    break;
  case SN_TYPE_BOOL: add(type, to, from, count); break;
#define MAX(type, text, c_type, sum, least, greatest)                                             \
  case SN_TYPE_##type:                                                                            \
    for (size_t k = 0; k < count; k++)                                                            \
      if (((const c_type *)from)[k] > ((c_type *)to)[k])                                          \
        ((c_type *)to)[k] = ((const c_type *)from)[k];                                            \
    break;
  SNI_NUMBER_TYPES(MAX)
#undef MAX
  }
}

static void take_lesser(sn_type type, void *to, const void *from, size_t count)
{
  switch (type) {
  case SN_TYPE_F16:
    for (size_t k = 0; k < count; k++)
      if (half_at(from, k) < half_at(to, k))
        ((sn_f16 *)to)[k] = ((const sn_f16 *)from)[k];
    break;
  case SN_TYPE_BOOL:
    for (size_t k = 0; k < count; k++)
      ((uint8_t *)to)[k] &= ((const uint8_t *)from)[k];
    break;
#define MIN(type, text, c_type, sum, least, greatest)                                             \
  case SN_TYPE_##type:                                                                            \
    for (size_t k = 0; k < count; k++)                                                            \
      if (((const c_type *)from)[k] < ((c_type *)to)[k])                                          \
        ((c_type *)to)[k] = ((const c_type *)from)[k];                                            \
    break;
  SNI_NUMBER_TYPES(MIN)
#undef MIN
  }
}

void sni_elements_add(sn_type type, sni_commit_kind how, void *to, const void *from, size_t count)
{
  if (how == SNI_COMMIT_MAX)
    take_greater(type, to, from, count);
  else if (how == SNI_COMMIT_MIN)
    take_lesser(type, to, from, count);
  else
    add(type, to, from, count);
}

void sni_element_neutral(sn_type type, sni_commit_kind how, void *to)
{
  if (how != SNI_COMMIT_MAX && how != SNI_COMMIT_MIN) {
    memset(to, 0, sni_type_bytes(type));
    return;
  }
  switch (type) {
  case SN_TYPE_F16: *(sn_f16 *)to = how == SNI_COMMIT_MAX ? 0xfc00 : 0x7c00; break;
  case SN_TYPE_BOOL: *(uint8_t *)to = how == SNI_COMMIT_MIN; break;
#define NEUTRAL(type, text, c_type, sum, least, greatest) \
  case SN_TYPE_##type: \
    *(c_type *)to = how == SNI_COMMIT_MAX ? (c_type)least : (c_type)greatest; \
    break;
  SNI_NUMBER_TYPES(NEUTRAL)
#undef NEUTRAL
  }
}
