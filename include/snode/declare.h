/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/declare.h: how the library's functions are declared.
 *
 * Guarantees: valid C99, C11 and C++11 under -pedantic; includes only standard
 * headers.
 */
#ifndef SNODE_DECLARE_H
#define SNODE_DECLARE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
# define SN_BEGIN_DECLS extern "C" {
# define SN_END_DECLS }
#else
# define SN_BEGIN_DECLS
# define SN_END_DECLS
#endif

/* SN_API: a symbol of the library.  SN_NODISCARD: the returned code is to be
 * looked at. */
#ifdef __GNUC__
# define SN_API __attribute__((visibility("default")))
# define SN_NODISCARD __attribute__((warn_unused_result))
#else
# define SN_API
# define SN_NODISCARD
#endif

/* Evaluates the call once; returns its code from the calling function unless it
 * is SN_OK. */
#define SN_TRY(call) \
  do { \
    const int sn_try_code_ = (call); \
    if (sn_try_code_ != 0) return sn_try_code_; \
  } while (0)

#endif
