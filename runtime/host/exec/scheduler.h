/* Where a task runs, and how long tasks of its name took. */
#ifndef SNI_EXEC_SCHEDULER_H
#define SNI_EXEC_SCHEDULER_H

#include "runtime/host/exec/task.h"

const sn_scheduler *sni_scheduler_named(const char *name);
sn_unit *sni_place(sni_task *);                /* NULL: whoever comes first */
int64_t sni_unit_load(const sn_unit *);        /* tasks that it has before it */
void sni_measure_add(sni_task *, const sn_unit *, double seconds);
void sni_measures_destroy(sn_engine *);

#endif
