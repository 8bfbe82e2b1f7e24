/* Tasks of queues. */
#ifndef SNI_EXEC_ENQUEUE_H
#define SNI_EXEC_ENQUEUE_H

#include "runtime/host/exec/task.h"

int sni_queue_check_task(const sn_queue *, const sni_task *parent, const sn_task_spec *,
                         const char *name);
/* No lock held: by the queue, which has come to it. */
void sni_queue_run_task(sn_queue *, sni_task *);

#endif
