/* Trees that loops of the program's own have been opened for (snode/loops.h). */
#ifndef SNI_TREE_LOOPS_H
#define SNI_TREE_LOOPS_H

#include "runtime/host/tree/tree.h"

/* SN_ESTATE and the text where the tree is open; what: what the text begins with. */
int sni_loops_closed(const sn_tree *, const char *what);
/* The memory of its loops goes with it. */
void sni_loops_destroy(sn_tree *);

#endif
