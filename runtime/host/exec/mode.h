/* What is known of a node: its mode, and how it is shared.  All with engine->linking held. */
#ifndef SNI_EXEC_MODE_H
#define SNI_EXEC_MODE_H

#include "runtime/host/exec/node.h"

int sni_mode_is_hosted(sn_mode);
int sni_mode_is_constant(sn_mode);              /* it changes on no device */

/* linking held.  SN_ESTATE with both provenances, and nothing changed; SN_ENOMEM. */
int sni_node_refine(sn_node *, sn_mode, const char *provenance);
int sni_node_share(sn_node *, sn_sharing, const char *provenance);
/* Takes back what was learnt since then. */
void sni_node_forget(sn_node *, const sni_known *since);
/* The provenance of what is known; "nobody" at first. */
const char *sni_node_reason(const sn_node *);
sn_mode sni_node_mode(const sn_node *);
sn_sharing sni_node_sharing(const sn_node *);

#endif
