/* When workers wake, and when they sleep. */
#ifndef SNI_EXEC_WAKE_H
#define SNI_EXEC_WAKE_H

#include "runtime/host/exec/crew.h"

/* How often a thread with nothing to do looks, and lets others run, before it sleeps. */
enum { SNI_LOOKS = 30 };

/* Lock held, all but what says otherwise. */

static inline int sni_crew_is_awake(const sni_crew *crew)
{
  return atomic_load_explicit(&crew->sleeping, memory_order_relaxed) < crew->threads_wanted;
}

/* Something came to its lines.  Nobody looks while all sleep: who is woken is told then. */
static inline void sni_crew_note_arrival(sni_crew *crew)
{
  if (!sni_crew_is_awake(crew))
    return;
  sni_crew_note_lines(crew);
  atomic_store_explicit(&crew->arrived,
                        atomic_load_explicit(&crew->arrived, memory_order_relaxed) + 1,
                        memory_order_relaxed);
}

/* Before something comes that workers look for in the lines. */
static inline void sni_crew_make_way(sni_crew *crew, const sni_task *task)
{
  if (task->priority > crew->out_priority && crew->out)
    sni_crew_take_back(crew);
}

/* Wakes a worker of each unit that has work for one more; but the calling one's own. */
void sni_crews_wake_workers(sn_engine *, const sni_crew *caller);
/* Also who waits and runs tasks, where the host has no workers. */
void sni_crews_wake_any(sn_engine *, const sni_crew *caller);
/* The same.  It is called several times a task, and most times there is nobody to wake. */
static inline void sni_crews_wake(sn_engine *engine, const sni_crew *caller)
{
  if (engine->tasks->live_count > engine->tasks->wakes_above)
    sni_crews_wake_any(engine, caller);
}
/* Who sleeps, who waits or what is left to whom has changed. */
void sni_engine_note_sleepers(sn_engine *);
/* A body has taken so long that what comes is not left to the threads that submit any more. */
void sni_crew_defers_no_more(sni_crew *);

/* No lock held: the calling worker has begun to work, and wakes another one where there is work for
 * one more. */
void sni_crew_wake_next(sni_crew *);

/* Lock held, and let go meanwhile: the calling worker, which looks for work, sleeps until it is to
 * look again. */
void sni_crew_sleep(sni_crew *);
/* Lock held: its workers end, which takes the lock. */
void sni_crew_close(sni_crew *);
/* Whether a worker may, though there is something to do: it is left to threads that wait. */
int sni_crew_may_sleep(const sni_crew *);
/* Whether such a thread may run tasks, and does better than to sleep.  No more bodies run at a time
 * than there are workers. */
int sni_crew_has_place(const sni_crew *);

/* Any thread: whether bodies are so short that handing them over costs more. */
int sni_crew_is_short(const sni_crew *);
/* Any thread: a body has taken so long.  How many need not be measured from here on. */
int sni_crew_measure(sni_crew *, double seconds);

#endif
