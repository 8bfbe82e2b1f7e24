/* Small pieces of memory for tasks, and the lines that tasks wait in.  All with the lock held. */
#ifndef SNI_EXEC_POOL_H
#define SNI_EXEC_POOL_H

#include "runtime/host/exec/task.h"

void *sni_pool_take(sn_engine *, size_t bytes);                /* not zeroed; NULL: no memory */
void sni_pool_give(sn_engine *, void *, size_t bytes);
void sni_pools_destroy(sn_engine *);
void sni_line_push(sni_line *, sni_task *);
void sni_line_push_ahead(sni_line *, sni_task *);              /* of those of its priority */
sni_task *sni_line_remove(sni_line *, sni_task *before);       /* the one behind; NULL: the head */

#endif
