/* What the sides of a crew share: the lines of its tasks (crew.c), and its workers (worker.c). */
#ifndef SNI_EXEC_CREW_H
#define SNI_EXEC_CREW_H

#include "runtime/host/exec/task.h"

/* Lock held, all but the last. */
/* One that can run now, or NULL: what cannot is being prepared. */
sni_task *sni_crew_take(sni_crew *);
/* Tasks ahead of their worker: their transfers begin. */
void sni_crew_look_ahead(sni_crew *);
/* Of those that stand in its line, as many as there is room for go to where workers take them
 * without the lock. */
void sni_crew_hand_over_next(sni_crew *);
/* What its lines hold; and so it is told to workers without the lock. */
sni_lined sni_crew_lined(const sni_crew *);
void sni_crew_note_lines(sni_crew *);

/* A worker's thread; its argument is the crew. */
void *sni_crew_work(void *);

#endif
