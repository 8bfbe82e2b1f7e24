/* The arrays of nodes. */
#ifndef SNI_EXEC_ARRAY_H
#define SNI_EXEC_ARRAY_H

#include "runtime/host/exec/node.h"

/* linking held.  Of no context, not zero; SN_ENOMEM.  destroy takes it from its node too. */
int sni_array_create(sn_unit *, sn_node *, sni_array **out);
void sni_array_destroy(sni_array *);
sn_span sni_array_span(const sni_array *);
/* Whether something that is enqueued uses it.  Lock not held. */
int sni_array_is_busy(sni_array *);

#endif
