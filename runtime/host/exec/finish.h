/* The end of a task. */
#ifndef SNI_EXEC_FINISH_H
#define SNI_EXEC_FINISH_H

#include "runtime/host/exec/task.h"

/* The body has returned, or never ran: task->code. */
void sni_task_body_returned(sni_task *);
/* Its commits are done too. */
void sni_task_body_over(sni_task *);

#endif
