/* The defaults of fields in cells. */
#ifndef SNI_TREE_DEFAULTS_H
#define SNI_TREE_DEFAULTS_H

#include "runtime/host/tree/tree.h"

/* Whether all defaults in a cell of the SNode, down to what has memory of its own, are
 * zero bytes. */
int sni_defaults_are_zero(const sn_tree *, int32_t snode);
/* Writes them into a cell that is zero; host memory. */
void sni_write_defaults(const sn_tree *, int32_t snode, char *cell);

#endif
