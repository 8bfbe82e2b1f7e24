/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/error.h: the codes that calls return.
 *
 * Every call of the library that can fail returns SN_OK (0) or one of these.
 * After an error: scalar results are untouched, the contents of arrays that the
 * call would have filled are unspecified, the context and its trees stay usable
 * and hold what was written.  The text is sn_context_error's (snode/context.h).
 *
 * Device code reads this header too: it holds nothing but the enumeration.
 */
#ifndef SNODE_ERROR_H
#define SNODE_ERROR_H

typedef enum sn_error {
#define SN_ERROR(name, number, text) name = number,
#include <snode/errors.def>
#undef SN_ERROR
  SN_ERROR_COUNT
} sn_error;

#endif
