/* The claims that --check=race verifies. */
#ifndef SNI_TREE_CLAIMS_H
#define SNI_TREE_CLAIMS_H

#include "runtime/host/tree/call.h"

/* Makes the table of claims where the kernel needs one, and writes its address into
 * the launch record; before a task that claims: empties it (SN_EDEVICE). */
int sni_claims_begin(sn_call *);
int sni_claims_next(sn_call *);

#endif
