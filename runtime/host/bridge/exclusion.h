/* The exclusive use of a context that is attached to a unit: one thread or queue at a time.
 */
#ifndef SNI_BRIDGE_EXCLUSION_H
#define SNI_BRIDGE_EXCLUSION_H

#include "runtime/host/bridge/attachment.h"

/* What sni_enter_for, sni_enter_also and sni_leave do for such a context. */
int sni_exclusion_enter(sn_context *, const char *what);
int sni_exclusion_enter_also(sn_context *held, sn_context *other);
void sni_exclusion_leave(sn_context *);

#endif
