/* Chunks that a device's tasks make out of the context's pool (chunk_pool.h).
 *
 * Before a task the pool is refilled, and tables get places for as many chunks as can be made.
 * Behind it libsnode reads the tables, and so learns what was cut for whom; all else is free again.
 */
#ifndef SNI_TREE_TASK_CHUNKS_H
#define SNI_TREE_TASK_CHUNKS_H

#include "runtime/host/tree/call.h"
#include "runtime/host/tree/chunk_pool.h"

/* Before a task that may activate; nothing on hosts.  What cannot be had is left to the task to
 * miss. */
void sni_chunks_prepare(sn_call *);
/* The same after a task that has missed something; 1: there is more than it has left. */
int sni_chunks_refill(sn_call *);
/* Loops of a program's own (loops.c), during which other trees' tasks run and are accounted for,
 * have what was made ahead alone: from here on the tree's tasks make no chunks; they do again. */
void sni_chunks_withhold(sn_tree *);
void sni_chunks_allow(sn_tree *);
/* Behind a task, failed or not, when the counters are here.  Where it ran out of memory the pool is
 * to be larger from now on. */
void sni_chunks_account(sn_call *);

#endif
