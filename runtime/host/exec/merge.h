/* The buffers that merging routines read the other array from. */
#ifndef SNI_EXEC_MERGE_H
#define SNI_EXEC_MERGE_H

#include "runtime/host/exec/node.h"

/* In the queue's work: the buffer grows where it must, and holds the node's values from there. */
int sni_merge_fill(sn_queue *, sn_node *, sn_span source);
void sni_merge_free(sn_queue *);

#endif
