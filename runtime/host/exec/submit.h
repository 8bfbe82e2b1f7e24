/* Submission: from a spec and what it requires of blocks to a task that is alive. */
#ifndef SNI_EXEC_SUBMIT_H
#define SNI_EXEC_SUBMIT_H

#include "runtime/host/exec/task.h"

struct sni_requirements;         /* uses.h */

int sni_task_submit(sn_engine *, sni_task *parent, const sn_task_spec *, sn_event **done);
/* The rest of it, when it is known what is wanted of which blocks. */
int sni_task_submit_requirements(const struct sni_requirements *, sni_task *parent,
                                 const sn_task_spec *, sn_event **done);
const char *sni_task_name(const sni_task *, char text[SNI_NAME]);
/* NONE: the task has none there. */
sni_permission sni_task_may(const sni_task *, const sni_tensor_block *);
/* As what it is ordered: deterministic sums are made in the order of the tasks, accumulating
 * excludes others. */
static inline sni_permission sni_order_of(const sn_engine *engine, sni_permission permission)
{
  return permission == SNI_ACCUMULATE && engine->options.deterministic ? SNI_WRITE : permission;
}
int sni_task_can_run_on(const sni_task *, const sn_unit *);

/* Lock held: a task, its pieces and its edges are made (edges: it waits for others); it is alive
 * from then on: in its scope, counted, ready when it waits for nobody. */
void sni_task_is_alive(sni_task *);
/* By how many tasks its tensors are used: once a tensor, whose parts are neighbours. */
void sni_task_hold_tensors(const sni_task *);
void sni_task_drop_tensors(const sni_task *);

#endif
