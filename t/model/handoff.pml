/* Tasks that go between the holder of a lock and workers without the lock
 * (runtime/host/exec/handoff.c with its use in crew.c): the ring to the workers, the stack back with
 * the holder's promise in its word, and who wakes whom; every interleaving of a thread that submits
 * TASKS tasks, each under one hold of the lock, and WORKERS workers, of which all but one may run a
 * body that never ends.
 *
 * Checked: a task runs once and is collected once; when nobody can go on, every task whose body has
 * ended has been collected, every other one is being run, nobody counts as looking and the lock is
 * free: so nobody sleeps while a task waits, and what has come back is left to nobody, however
 * long the other bodies take.
 *
 * A worker that looks in vain goes to sleep after one look; the ring has PLACES places.
 *
 * BROKEN: 1 the last look only ends the promise   2 who returns a task always relies on the promise
 *         3 a claim does not look whether the place is still the first   4 the ring is never full
 *         5 who begins does not wake the next   6 who goes to sleep does not look again
 *         7 who begins looks at what is left before it ceases to look
 */
#ifndef BROKEN
#define BROKEN 0
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 3
#endif
#ifndef PLACES
#define PLACES 2
#endif

bool locked;
byte head, tail, place[PLACES];
byte list;                       /* tasks that have come back, a bit each */
bool promised;                   /* in the same word */
byte line;                       /* tasks that are ready and not in the ring: the first of them */
byte made;                       /* tasks submitted; line to made - 1 stand in the line */
byte ran[TASKS], collected[TASKS], ended;
byte looking, sleeping, woken, stuck;
bool asleep[WORKERS];

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* Lock held. */
inline collect(promise) {
  atomic {
    got = list;
    list = 0;
    promised = promise
  };
  k = 0;
  do
  :: k < TASKS ->
     if
     :: got & (1 << k) -> collected[k]++; assert(collected[k] == 1); ended++
     :: else -> skip
     fi;
     k++
  :: else -> break
  od;
  got = 0
}

inline hand_over() {
  do
  :: line < made && (tail - head < PLACES || BROKEN == 4) ->
     place[tail % PLACES] = line;
     line++;
     tail++
  :: else -> break
  od
}

inline wake_worker() {
  if
  :: sleeping > 0 && looking == 0 && (tail > head || line < made) ->
     sleeping--;
     looking++;
     woken++
  :: else -> skip
  fi
}

proctype submitter() {
  byte got, k, n;
  do
  :: n < TASKS ->
     lock();
     collect(true);
     made++;
     hand_over();
     wake_worker();
     if
     :: BROKEN == 1 -> promised = false
     :: else -> collect(false)
     fi;
     hand_over();
     wake_worker();
     unlock();
     n++
  :: else -> break
  od
}

/* task: NONE: nothing was there */
#define NONE 255
inline take() {
  first = head;
  task = NONE;
  if
  :: first < tail ->
     task = place[first % PLACES];
     atomic {
       if
       :: head == first || BROKEN == 3 -> head = first + 1
       :: else -> task = NONE
       fi
     }
  :: else -> skip
  fi
}

inline wake_next() {
  if
  :: BROKEN != 5 && sleeping > 0 && looking == 0 && (tail > head || line < made) ->
     lock();
     wake_worker();
     unlock()
  :: else -> skip
  fi
}

proctype worker(byte me) {
  byte got, k, task, first;
  bool has_promise;
  looking++;
looks:
  take();
  if
  :: task != NONE -> goto begins
  :: else -> skip
  fi;
  lock();
  collect(false);
  hand_over();
  if
  :: BROKEN != 6 && tail > head -> unlock(); goto looks
  :: else -> skip
  fi;
  looking--;
  sleeping++;
  asleep[me] = true;
  unlock();
end_asleep:
  atomic { woken > 0 -> woken--; asleep[me] = false };
  lock();
  unlock();
  goto looks;
begins:
  if
  :: BROKEN == 7 -> wake_next(); looking--
  :: else -> looking--; wake_next()
  fi;
runs:
  ran[task]++;
  assert(ran[task] == 1);
  if
  :: atomic { stuck < WORKERS - 1 -> stuck++ };
end_stuck:
     false
  :: skip
  fi;
  atomic {
    has_promise = promised;
    list = list | (1 << task)
  };
  if
  :: has_promise || BROKEN == 2 -> skip
  :: else ->
     lock();
     collect(false);
     hand_over();
     unlock()
  fi;
  take();
  if
  :: task != NONE -> wake_next(); goto runs
  :: else -> looking++; goto looks
  fi
}

/* when nobody can go on */
proctype watcher() {
  timeout;
  assert(ended + stuck == TASKS);
  assert(!locked && looking == 0 && woken == 0)
}

init {
  byte k;
  atomic {
    k = 0;
    do :: k < WORKERS -> run worker(k); k++ :: else -> break od;
    run submitter();
    run watcher()
  }
}
