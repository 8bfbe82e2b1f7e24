/* What the sequencer does between tasks, for kernels and for the host's access. */
#ifndef SNI_TREE_SEQUENCER_H
#define SNI_TREE_SEQUENCER_H

#include "runtime/host/tree/call.h"

/* list.c: makes the list of the SNode's containers fresh. */
void sni_list_refresh(sn_call *, int32_t slot, int32_t snode);
/* Its entries at least: for a task that reads no masks. */
void sni_list_refresh_entries(sn_call *, int32_t slot, int32_t snode);
/* How many cells a loop over the list goes to; below 0: not known, as on devices.  They are counted
 * once for each list: for the profile. */
double sni_list_cells(sn_tree *, int32_t snode);
/* collect.c: gives back what has been taken out of the SNode (0: the whole tree)
 * and below it; also when the call has failed, unless the device has. */
void sni_collect(sn_call *, int32_t slot, int32_t snode);
/* sequencer.c: deactivates every cell of the SNode (0: of the whole tree, and what
 * lies at its root gets its defaults), and collects. */
void sni_deactivate_all(sn_call *, int32_t slot, int32_t snode);
/* A kernel's call inside the context, in two: whether it can be made, and making it.  note: where a
 * tape notes it (tape.h); NULL: nowhere. */
int sni_kernel_check(sn_context *, const sn_kernel_info *, sn_tree *const *trees,
                     const void *result);
int sni_kernel_run(sn_context *, const sn_kernel_info *, sn_tree *const *trees, void *params,
                   void *result, struct sni_noted *note);

#endif
