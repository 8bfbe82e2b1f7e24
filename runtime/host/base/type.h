/* The types of elements: SNI_TYPES has a row for each.
 *
 * A row is X(NAME, text, C type in memory, C type of sums, least, greatest).  Sums of signed
 * integers are made as unsigned ones, so that they wrap.  A bool and an f16 are no numbers of C's:
 * their rows have no sum and no limits, and code that does arithmetic treats them by themselves.
 */
#ifndef SNI_BASE_TYPE_H
#define SNI_BASE_TYPE_H

#include <math.h>
#include <stdint.h>

#include <snode/types.h>

#define SNI_INTEGER_TYPES(X) \
  X(I8, "i8", int8_t, uint64_t, INT8_MIN, INT8_MAX) \
  X(I16, "i16", int16_t, uint64_t, INT16_MIN, INT16_MAX) \
  X(I32, "i32", int32_t, uint64_t, INT32_MIN, INT32_MAX) \
  X(I64, "i64", int64_t, uint64_t, INT64_MIN, INT64_MAX) \
  X(U8, "u8", uint8_t, uint64_t, 0, UINT8_MAX) \
  X(U16, "u16", uint16_t, uint64_t, 0, UINT16_MAX) \
  X(U32, "u32", uint32_t, uint64_t, 0, UINT32_MAX) \
  X(U64, "u64", uint64_t, uint64_t, 0, UINT64_MAX)

#define SNI_NUMBER_TYPES(X) \
  SNI_INTEGER_TYPES(X) \
  X(F32, "f32", float, float, -HUGE_VALF, HUGE_VALF) \
  X(F64, "f64", double, double, -HUGE_VAL, HUGE_VAL)

#define SNI_TYPES(X) \
  X(BOOL, "bool", uint8_t, , , ) \
  SNI_NUMBER_TYPES(X) \
  X(F16, "f16", sn_f16, , , )

/* Bytes of an element in memory; 0: there is no such type. */
uint32_t sni_type_bytes(sn_type);
/* "bool", "i8", ...: static; NULL: there is no such type. */
const char *sni_type_name(sn_type);
/* Whether an integer type has the value; the others are said to have each. */
int sni_type_holds(sn_type, int64_t value);
/* Whether an integer type has the value once what is behind the point is left out; the others are
 * said to take each. */
int sni_type_takes(sn_type, double value);
/* The largest relative error of rounding to the type; 0 of integers and bool. */
double sni_type_epsilon(sn_type);

/* An element's value as a double, and the other way: of a bool whether it is not 0; of an integer
 * without what is behind the point, of its type the greatest or the least beyond, 0 of a NaN. */
double sni_element_get(sn_type, const void *at);
void sni_element_set(sn_type, void *at, double value);

#endif
