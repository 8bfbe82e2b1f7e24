/* Recordings of tasks, which replays copy. */
#ifndef SNI_EXEC_RECORDING_H
#define SNI_EXEC_RECORDING_H

#include "runtime/host/exec/task.h"
#include "runtime/host/exec/uses.h"

struct sn_recording {
  sn_engine *engine;
  sni_task root;                 /* their parent: a part of this struct, not of the pool's memory */
  sni_task **tasks;              /* by number - 1 */
  size_t count, capacity;
  sni_requirements all;          /* what they may do together */
  uint64_t references;           /* its owner, and replays that may still copy */
};

struct sni_replay {              /* user data of the replay's task; then pairs, then arguments,
                                    aligned */
  sn_recording *recording;
  size_t pair_count, argument_bytes;
};

/* Of a task that is the root of one. */
sn_recording *sni_recording_of(sni_task *root);
/* Lock held.  Room for one more task, which is then added: nobody runs it.  0: no memory. */
int sni_recording_make_room(sn_recording *);
void sni_recording_add(sn_recording *, sni_task *);
/* Lock held.  One reference less; the last one destroys it. */
void sni_recording_drop(sn_recording *);
/* Lock held: the task of a replay is gone. */
void sni_replay_over(const struct sni_replay *);

#endif
