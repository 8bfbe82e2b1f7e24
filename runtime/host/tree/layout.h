/* The shape of a tree, from its tables and extents. */
#ifndef SNI_TREE_LAYOUT_H
#define SNI_TREE_LAYOUT_H

#include "runtime/host/tree/tree.h"

/* Fills the view's shape, pools included; addresses stay 0.  SN_EINVAL: an extent below
 * 1, more than 2^62 cells. */
int sni_layout(sn_tree *, const int64_t *params);
void sni_layout_fields(const sn_tree *, snd_field_view *);
/* A view that describes nothing yet. */
void sni_begin_snode(sn_tree *, int32_t id);
/* Of one container; UINT64_MAX where that does not fit. */
uint64_t sni_container_bytes(const sn_tree *, int32_t snode);

#endif
