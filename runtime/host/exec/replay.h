/* Replays of recorded tasks. */
#ifndef SNI_EXEC_REPLAY_H
#define SNI_EXEC_REPLAY_H

#include "runtime/host/exec/task.h"

/* Lock held: the task of a replay is gone. */
void sni_replay_over(const struct sni_replay *);

#endif
