/* Submission: from a spec and what it requires of blocks to a task that is alive. */
#ifndef SNI_EXEC_SUBMIT_H
#define SNI_EXEC_SUBMIT_H

#include "runtime/host/exec/task.h"

struct sni_requirements;         /* uses.h */

int sni_task_submit(sn_engine *, sni_task *parent, const sn_task_spec *, sn_event **done);
/* The rest of it, when it is known what is wanted of which blocks. */
int sni_task_submit_requirements(const struct sni_requirements *, sni_task *parent,
                                 const sn_task_spec *, sn_event **done);

/* Lock held: a task, its pieces and its edges are made (edges: it waits for others); it is alive
 * from then on: in its scope, counted, ready when it waits for nobody. */
void sni_task_is_alive(sni_task *);

#endif
