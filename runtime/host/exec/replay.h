/* Recordings of tasks, and their replays. */
#ifndef SNI_EXEC_REPLAY_H
#define SNI_EXEC_REPLAY_H

#include "runtime/host/exec/task.h"

/* Lock held.  Room for one more task, which is then added: nobody runs it.  0: no memory. */
int sni_recording_make_room(struct sn_recording *);
void sni_recording_add(struct sn_recording *, sni_task *);
/* Lock held: the task of a replay is gone. */
void sni_replay_over(const struct sni_replay *);

#endif
