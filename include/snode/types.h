/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/types.h: the types of elements, and the names of what generated files bring.
 *
 * The lowest of the public headers: it includes nothing of the project.  The layouts that libsnode
 * and generated code share are snode/device/abi.h's, which no header brings but those that are for
 * generated code (snode/module.h, snode/interpreter.h).
 *
 * Guarantees: valid C99, C11 and C++11; device code reads it too.
 */
#ifndef SNODE_TYPES_H
#define SNODE_TYPES_H

#include <stdint.h>

/* An address in a unit's memory, which may be a device's. */
typedef uint64_t sn_addr;

enum { SN_MAX_AXES = 12 };     /* of a tree */

/* What an element is: of a field, an array parameter, a tensor. */
typedef enum sn_type {
  SN_TYPE_BOOL,                /* a byte in trees; int in C calls */
  SN_TYPE_I8, SN_TYPE_I16, SN_TYPE_I32, SN_TYPE_I64,
  SN_TYPE_U8, SN_TYPE_U16, SN_TYPE_U32, SN_TYPE_U64,
  SN_TYPE_F32, SN_TYPE_F64,
  SN_TYPE_F16                  /* an sn_f16 */
} sn_type;

/* IEEE 754 binary16, by its bits; snode/device/f16.h says what number they are. */
typedef uint16_t sn_f16;

/* The tables of a generated file, which calls take by address. */
typedef struct sn_backend sn_backend;
typedef struct sn_module sn_module;
typedef struct sn_tree_info sn_tree_info;
typedef struct sn_kernel_info sn_kernel_info;

/* A kernel's call in progress. */
typedef struct sn_call sn_call;

#endif
