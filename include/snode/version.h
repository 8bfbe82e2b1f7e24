/* snode/version.h: versions, each as a macro (what was compiled against) and as
 * a function (what is linked).
 *
 *   release   of the project
 *   API       raised when a declaration of these headers is taken away or changed
 *   ABI       raised when a layout of snode/device/abi.h, an option struct or the
 *             meaning of a call changes: generated files must be made again
 */
#ifndef SNODE_VERSION_H
#define SNODE_VERSION_H

#include <snode/declare.h>

#define SNODE_VERSION "0.1.0"
#define SNODE_VERSION_MAJOR 0
#define SNODE_VERSION_MINOR 1
#define SNODE_VERSION_PATCH 0
#define SNODE_API 1
#define SNODE_ABI 4

SN_BEGIN_DECLS

SN_API const char *sn_version(void);     /* "0.1.0"; static */
SN_API int sn_version_api(void);
SN_API int sn_version_abi(void);

SN_END_DECLS

#endif
