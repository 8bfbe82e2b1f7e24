/* Small pieces of memory for tasks.  All with the lock held. */
#ifndef SNI_EXEC_POOL_H
#define SNI_EXEC_POOL_H

#include "runtime/host/exec/task.h"

void *sni_pool_take(sn_engine *, size_t bytes);                /* not zeroed; NULL: no memory */
void sni_pool_give(sn_engine *, void *, size_t bytes);
void sni_pools_destroy(sn_engine *);

#endif
