/* What families of contexts share.  All with engine->linking held. */
#ifndef SNI_EXEC_SHARE_H
#define SNI_EXEC_SHARE_H

#include "runtime/host/exec/array_set.h"

/* Whether a routine of that family, which has no array of the node and only reads it, may take
 * that of another one on its unit, when the node is shared across queues. */
int sni_share_is_candidate(const sni_array_set *asking, const sn_node *);
/* The arrays of the node: whose they are, and why they are shared or not. */
void sni_share_tell(const sn_node *, sni_page *);

#endif
