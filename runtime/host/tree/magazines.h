/* Magazines of a tree's node managers: snode/device/magazine.h. */
#ifndef SNI_TREE_MAGAZINES_H
#define SNI_TREE_MAGAZINES_H

#include "runtime/host/tree/tree.h"

/* For the task that follows: so many threads have magazines.  One has none, nor have those of a
 * device, or where there is no memory for them: such threads use the counters. */
void sni_magazines_open(sn_tree *, int32_t threads);
/* None has: what the task leaves is not settled. */
void sni_magazines_close(sn_tree *);
void sni_magazines_destroy(sn_tree *);

#endif
