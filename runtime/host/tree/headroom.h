/* Memory for cells that a device's task may activate, made before it. */
#ifndef SNI_TREE_HEADROOM_H
#define SNI_TREE_HEADROOM_H

#include "runtime/host/tree/call.h"

/* Devices: makes chunks so that `want` cells can be activated; what
 * cannot be had is left to the task to miss.  1: chunks were made. */
int sni_snode_grow(sn_call *, int32_t slot, int32_t snode, uint64_t want);
/* Cells to have ready before a task. */
uint64_t sni_headroom(const sn_tree *, int32_t snode);
/* Devices: 1: the task missed cells that there is room for now; its status is
 * taken back, and it can be run again where doing so twice does no harm. */
int sni_call_made_room(sn_call *);

#endif
