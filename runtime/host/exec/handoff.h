/* What passes between the holder of the engine's lock and the workers of a crew without the lock:
 * ready tasks to the workers, tasks whose bodies are over back.
 *
 * To the workers leads a ring with one producer, the holder of the lock, and many consumers, who
 * take a place by a compare-and-swap on `head`.  Both counters only grow, so that an exchange that
 * succeeds has read the place before it was filled again (the bounded queue of Vyukov, with the
 * producer's side simplified by the lock).
 *
 * Back leads a stack that is taken as a whole (Treiber's; nothing is popped, so nothing can come
 * back unnoticed), whose word also says whether the lock's holder will look again before it lets
 * go.  Who returns a task and finds that goes on; who does not takes the lock and collects.  That
 * promise and the list are one word: a task is either in the list that the last look has taken, or
 * its worker has seen that there will be none.  t/model/handoff.pml has every interleaving.
 */
#ifndef SNI_EXEC_HANDOFF_H
#define SNI_EXEC_HANDOFF_H

#include <stdatomic.h>
#include <stdint.h>

struct sni_task;

enum { SNI_HANDED_MOST = 256, SNI_CACHE_LINE = 64 };

/* Counters that different threads write lie a cache line apart. */
typedef struct sni_handoff {
  char apart[SNI_CACHE_LINE];
  atomic_uint_least64_t tail;    /* written by the lock's holder */
  uint64_t seen_head;            /* the holder's: head was there already */
  char apart_head[SNI_CACHE_LINE];
  atomic_uint_least64_t head;
  char apart_word[SNI_CACHE_LINE];
  atomic_uintptr_t returned;     /* the last one returned, linked by next; or SNI_IS_SERVED */
  char apart_places[SNI_CACHE_LINE];
  _Atomic(struct sni_task *) at[SNI_HANDED_MOST];
} sni_handoff;

/* Lock held: whether a place is free; one that is. */
int sni_handoff_has_room(sni_handoff *);
void sni_handoff_give(sni_handoff *, struct sni_task *);
/* Any thread.  NULL: there is none. */
struct sni_task *sni_handoff_take(sni_handoff *);
/* Any thread: how many there are, at some moment. */
int64_t sni_handoff_count(const sni_handoff *);
/* How many have been taken, ever. */
uint64_t sni_handoff_taken(const sni_handoff *);

/* By the worker that ran it.  1: the lock's holder takes care of it; 0: the caller has to take the
 * lock and collect. */
int sni_handoff_return(sni_handoff *, struct sni_task *);
/* Lock held: what was returned, linked by next.  is_served: the caller promises to collect once
 * more before it lets go of the lock. */
struct sni_task *sni_handoff_collect(sni_handoff *, int is_served);
/* Lock held: whether there is something to collect, as a hint. */
int sni_handoff_has_returned(const sni_handoff *);

#endif
