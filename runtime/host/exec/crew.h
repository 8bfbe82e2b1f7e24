/* The workers of a unit (worker.c), and the lines of tasks before them (crew.c). */
#ifndef SNI_EXEC_CREW_H
#define SNI_EXEC_CREW_H

#include <limits.h>

#include "runtime/host/exec/handoff.h"
#include "runtime/host/exec/task.h"

/* What the lines of a crew hold beside the tasks that were handed over: nothing; some to be handed
 * over next; some for which a worker has to take the lock now. */
typedef enum sni_lined { SNI_LINED_NONE, SNI_LINED_NEXT, SNI_LINED_NOW } sni_lined;

typedef struct sni_crew {        /* a unit's workers and what they have before them */
  sn_unit *unit;
  sni_line ready, preparing, prepared;
  int is_full;                   /* the first that is being prepared finds no room: no more */
  int demands;                   /* running tasks that wait for room: nobody else takes any */
  int ahead;                     /* how many are prepared before a worker asks for them */
  int running;
  double load;                   /* expected seconds of what was placed here and has not ended */
  int hands_over;                /* what its workers can take without the lock; the host's alone */
  sni_handoff handoff;           /* the host's: ready tasks that workers take without the lock */
  int64_t out;                   /* of those: handed over, and not yet collected */
  int out_priority;              /* of all that are in its ring */
  atomic_uint_least64_t taken;   /* from its lines, ever */
  uint64_t helped;               /* of those, by threads that wait */
  uint64_t distrusted;           /* helped, when something had been left to them in vain last */
  uint64_t begun;                /* of its tasks, ever, when a worker watched last */
  int unmeasured;                /* of those that help: bodies to go until one is measured */
  int helpers;                   /* threads that help now, each in place of a worker that sleeps */
  int idle_helpers;              /* ... that would, and wait for such a place or for a task */
  int processors;
  int is_measured;               /* the host's, where it has workers */
  atomic_uint grain;             /* nanoseconds of a body, lately; SNI_GRAIN_UNKNOWN */
  int defers;                    /* all workers sleep, and leave what comes to who submits */
  sni_condition work;
  atomic_int is_watched;         /* one of the sleeping looks again soon: not called yet */
  sni_mutex watch_lock;          /* taken with the engine's held, never the other way round */
  sni_condition watch;
  uint64_t calls;                /* of those that watch, ever; written with both locks held */
  atomic_int sleeping;           /* of its workers; tasks->sleeping: of all */
  int woken;                     /* of those: are on their way, and count as looking */
  atomic_int looking;            /* awake, with nothing to do yet */
  atomic_int lined;              /* what its lines hold: sni_lined; kept while a worker is awake */
  atomic_uint arrived;           /* what came to its lines, ever: idle workers look */
  sni_thread *threads;
  int thread_count, threads_wanted;
  int is_closing;
} sni_crew;

#define SNI_GRAIN_UNKNOWN UINT_MAX
enum { SNI_AHEAD = 2 };          /* tasks that are prepared ahead of their worker */

/* ---- tasks.c ---- */

int sni_tasks_create(sn_engine *);             /* lock held; SN_OK when they are there already */
void sni_tasks_destroy(sn_engine *);           /* no lock; nothing is live */

/* ---- crew.c, worker.c ---- */

/* Nothing stands in its way but buffers: its parent's, and its own. */
void sni_task_is_ready(sni_task *);
/* A task has released something: its children that this blocked are ready, or blocked again. */
void sni_blocked_release(sni_task *parent);
/* Its body is over; its commits are prepared on the unit where it ran. */
void sni_task_is_committing(sni_task *);
/* Lock held, both.  A running task finds no room on its unit: what is reserved there for tasks that
 * have not begun is given back, and nothing is reserved for others until it is withdrawn. */
void sni_room_demand(sn_unit *);
void sni_room_withdraw(sn_unit *);
/* Lock held: the beginning and the end of a stretch in which bodies that end need not wait for the
 * lock: the end collects them.  The lock is not let go in between.  0: none are under way: there is
 * no such stretch. */
int sni_crews_serve(sn_engine *);
void sni_crews_unserve(sn_engine *);
/* What waited for transfers, buffers or room tries again. */
void sni_crews_pump(sn_engine *);
/* Lock held, and let go meanwhile: the calling thread waits, and runs one of the host's tasks where
 * there are no workers.  0: there is none. */
int sni_crews_help(sn_engine *);

/* ---- between handover.c, crew.c and worker.c ---- */

/* Lock held, all but the last. */
/* One that can run now and counts as running from here on, or NULL: what cannot is being
 * prepared. */
sni_task *sni_crew_take(sni_crew *);
/* Tasks ahead of their worker: their transfers begin. */
void sni_crew_look_ahead(sni_crew *);
/* Of those that stand in its line, as many as there is room for go to where workers take them
 * without the lock. */
void sni_crew_hand_over_next(sni_crew *);
/* The same of one that is in no line, where a worker is awake; 0: it has to stand in one. */
int sni_crew_hand_over(sni_crew *, sni_task *);
/* What has been handed over, and nobody has taken, goes back into the line. */
void sni_crew_take_back(sni_crew *);
/* Whether tasks stand in the shared line that have a body for it. */
static inline int sni_crew_has_shared(const sni_crew *crew)
{
  return crew->unit->engine->tasks->shared_by[crew->unit->kind] > 0;
}
/* What its lines hold; and so it is told to workers without the lock. */
sni_lined sni_crew_lined(const sni_crew *);
void sni_crew_note_lines(sni_crew *);

/* A worker's thread; its argument is the crew. */
void *sni_crew_work(void *);

#endif
