/* What families of contexts share.  All with engine->linking held. */
#ifndef SNI_EXEC_SHARE_H
#define SNI_EXEC_SHARE_H

#include "runtime/host/exec/array_set.h"

/* Whether a routine of that family, which has no array of the node and only reads it, may take
 * that of another one on its unit, when the node is shared across queues. */
int sni_share_is_candidate(const sni_array_set *asking, const sn_node *);

#endif
