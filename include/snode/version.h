/* SPDX-License-Identifier: BSD-3-Clause */
/* snode/version.h: versions, each as a macro (what was compiled against) and as
 * a function (what is linked).
 *
 *   release   of the project
 *   API       raised when a declaration of these headers is taken away or changed
 *   ABI       raised when a layout of snode/device/abi.h, an option struct or the
 *             meaning of a call changes: generated files must be made again.  The number
 *             stands here alone; SN_ABI_NAME puts it into the name of a symbol
 */
#ifndef SNODE_VERSION_H
#define SNODE_VERSION_H

#include <snode/declare.h>

#define SNODE_VERSION "0.1.0"
#define SNODE_VERSION_MAJOR 0
#define SNODE_VERSION_MINOR 1
#define SNODE_VERSION_PATCH 0
#define SNODE_API 1
#define SNODE_ABI 17

/* name and the ABI's number: of ABI 9 SN_ABI_NAME(sn_module_bind_abi_) is sn_module_bind_abi_9. */
#define SN_ABI_PASTE_(name, abi) name##abi
#define SN_ABI_EXPAND_(name, abi) SN_ABI_PASTE_(name, abi)
#define SN_ABI_NAME(name) SN_ABI_EXPAND_(name, SNODE_ABI)

SN_BEGIN_DECLS

SN_API const char *sn_version(void);     /* "0.1.0"; static */
SN_API int sn_version_api(void);
SN_API int sn_version_abi(void);

SN_END_DECLS

#endif
