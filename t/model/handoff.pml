/* Tasks that go between the holder of a lock and workers without the lock
 * (runtime/host/exec/handoff.c with its use in handover.c and worker.c): the ring to the workers, the
 * stack back with the holder's promise in its word; and who wakes whom, who sleeps and who watches
 * (wake.c).  Every interleaving of a thread that submits tasks, each under one hold of the lock, and
 * then does something else for ever or, where HELPS, runs tasks itself, in place of a worker that
 * sleeps, until all have ended; and WORKERS workers.  All but one body that may run at a time may
 * never end.  Of TASKS tasks, the last LATER become ready when the first one has ended.
 *
 * Whether the line holds something is told to workers without the lock, in a hint that is kept
 * only while one of them is awake: in unlock() stands what it has to say then.
 *
 * What is measured may come out in any way: whether bodies are short, whether one more worker
 * pays.  A tick is over when nobody else can go on, and TICKS times earlier.
 *
 * Checked: a task runs once and is collected once; who has watched in vain brings something about;
 * who is woken is on its way, so that nobody waits for the end of a tick, and who watches is known;
 * when nobody can go on and nobody watches, every task whose body has ended has been collected, every
 * other one that is ready is being run, nobody counts as
 * looking and the lock is free: so nobody sleeps for ever while a task waits, and what has come back
 * is left to nobody, however long the other bodies take.
 *
 * A worker that looks in vain goes to sleep after one look; the ring has PLACES places.
 *
 * BROKEN: 1 the last look only ends the promise   2 who returns a task always relies on the promise
 *         3 a claim does not look whether the place is still the first   4 the ring is never full
 *         5 who begins does not wake the next   6 who goes to sleep does not look again
 *         7 who begins looks at what is left before it ceases to look
 *         8 nobody watches   9 who has watched in vain goes on watching
 *         10 who helps does not wake others   11 nobody is woken whether one watches or not
 *         12 who wakes does not tell what the line holds
 *         13 who begins to watch lets go of the lock before it heeds calls
 *         14 who was called ends another one's watch   15 who watches is not called
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
#ifndef TICKS
#define TICKS 0
#endif
#ifndef HELPS
#define HELPS 0
#endif
#ifndef LATER
#define LATER 0
#endif

bool locked;
byte head, tail, place[PLACES];
byte list;                       /* tasks that have come back, a bit each */
bool promised;                   /* in the same word */
byte line;                       /* tasks that are ready and not in the ring, a bit each */
bool lined;                      /* whether there are some, as a hint */
byte made, out;                  /* ready, ever; of those: handed over and not collected */
byte ran[TASKS], collected[TASKS], ended, begun;
byte looking, sleeping, woken, stuck, moves, ticks, vain;
byte waiting, signals;           /* at the condition, and how many of those are to go on; who
                                    watches is at one of its own, and takes no lock there */
byte helpers;
bool called[WORKERS];            /* who watches, to come */
byte who;                        /* where one is: its number */
bool watched, defers, trusts_helpers = true, idle_helper, changed;

#define NONE 255
#define AWAKE (sleeping < WORKERS)
#define WORK (tail > head || line != 0)
#define WORK_TOLD (tail > head || lined)

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { assert(!AWAKE || lined == (line != 0)); locked = false }

inline note_lines() { lined = (AWAKE -> line != 0 : lined) }

inline finish(t) {
  collected[t]++;
  assert(collected[t] == 1);
  ended++;
  if
  :: t == 0 ->
     do
     :: made < TASKS && made >= TASKS - LATER -> line = line | (1 << made); made++
     :: else -> break
     od;
     note_lines()
  :: else -> skip
  fi
}

/* Lock held. */
inline collect(promise) {
  d_step {
    got = list;
    list = 0;
    promised = promise
  };
  d_step {
    k = 0;
    do
    :: k < TASKS && (got & (1 << k)) -> out--; finish(k); k++
    :: k < TASKS && !(got & (1 << k)) -> k++
    :: k == TASKS -> break
    od;
    got = 0;
    k = 0
  }
}

/* The first of the line, which is not empty. */
inline first_of_line(t) {
  t = 0;
  do
  :: line & (1 << t) -> break
  :: else -> t++
  od;
  line = line & ~(1 << t)
}

/* A place is written before it is seen. */
inline hand_over() {
  do
  :: AWAKE && line && (tail - head < PLACES || BROKEN == 4) ->
     d_step {
       first_of_line(k);
       place[tail % PLACES] = k;
       out++;
       k = 0
     };
     tail++
  :: else -> break
  od;
  note_lines()
}

#define MAY_WAKE (sleeping > helpers && looking == 0 && WORK)

/* With some awake: they may find it without one more. */
inline wake_worker() {
  if
  :: MAY_WAKE && AWAKE && (watched || BROKEN == 11) -> skip
  :: MAY_WAKE && !AWAKE && (defers || BROKEN == 11) -> skip
  :: MAY_WAKE ->
     d_step {
       sleeping--;
       looking++;
       woken++;
       defers = false;
       if
       :: BROKEN != 12 -> note_lines()
       :: else -> skip
       fi;
       if
       :: sleeping >= watched && signals < waiting -> signals++
       :: sleeping >= watched && signals == waiting -> skip
       :: sleeping < watched && BROKEN != 15 -> watched = false; called[who] = true
       :: sleeping < watched && BROKEN == 15 -> skip
       fi
     }
  :: !MAY_WAKE -> skip
  fi
}

inline note_deferral() {
  if
  :: watched && !AWAKE && trusts_helpers -> defers = true
  :: defers = false
  fi
}

/* task: NONE: nothing was there */
inline take() {
  first = head;
  task = NONE;
  if
  :: first < tail ->
     task = place[first % PLACES];
     atomic {
       if
       :: head == first || BROKEN == 3 -> head = first + 1; begun++
       :: else -> task = NONE
       fi
     }
  :: else -> skip
  fi
}

/* Lock held. */
inline take_any() {
  take();
  if
  :: task != NONE -> out--
  :: task == NONE && line -> d_step { first_of_line(task); begun++; note_lines() }
  :: task == NONE && !line -> skip
  fi
}

inline begin_body() {
  ran[task]++;
  assert(ran[task] == 1)
}

proctype submitter() {
  byte got, k, task, first, n;
  bool serves;
  do
  :: n < TASKS - LATER ->
     lock();
     serves = out > 0;
     if
     :: serves -> collect(true)
     :: else -> skip
     fi;
     d_step {
       line = line | (1 << made);
       made++;
       n++
     };
     hand_over();
     wake_worker();
     if
     :: serves && BROKEN == 1 -> promised = false
     :: serves && BROKEN != 1 -> collect(false); hand_over(); wake_worker()
     :: else -> skip
     fi;
     unlock()
  :: else -> break
  od;
  n = 0;
  if
  :: HELPS -> goto helps
  :: skip
  fi;
end_elsewhere:
  false;
helps:
  lock();
  if
  :: sleeping > helpers -> take_any()
  :: else -> task = NONE
  fi;
  if
  :: task == NONE -> goto sleeps
  :: else -> skip
  fi;
  helpers++;
  trusts_helpers = true;
  if
  :: BROKEN != 10 -> wake_worker()
  :: else -> skip
  fi;
  unlock();
  begin_body();
  if
  :: atomic { stuck < WORKERS - 1 -> stuck++ };
end_stuck:
     false
  :: skip
  fi;
  lock();
  finish(task);
  helpers--;
  if
  :: defers = false
  :: skip
  fi;
  if
  :: BROKEN != 10 -> wake_worker()
  :: else -> skip
  fi;
  unlock();
  goto helps;
sleeps:
  idle_helper = true;
  changed = false;
  wake_worker();
  unlock();
end_waits:
  changed || ended == TASKS;
  lock();
  idle_helper = false;
  unlock();
  if
  :: ended == TASKS -> skip
  :: else -> goto helps
  fi
}

inline wake_next() {
  if
  :: BROKEN != 5 && sleeping > 0 && looking == 0 && WORK_TOLD && !watched ->
     lock();
     wake_worker();
     unlock()
  :: else -> skip
  fi
}

proctype worker(byte me) {
  byte got, k, task, first, seen;
  bool has_promise, has_run;
  looking++;
looks:
  take();
  if
  :: task != NONE -> goto begins
  :: else -> skip
  fi;
  lock();
again:
  collect(false);
  hand_over();
  if
  :: has_run && (trusts_helpers || idle_helper) -> goto sleeps
  :: BROKEN != 6 && tail > head -> unlock(); goto looks
  :: BROKEN == 6 || tail == head -> skip
  fi;
sleeps:
  looking--;
  sleeping++;
  has_run = false;
  do
  :: !AWAKE && tail > head ->
     d_step {
       line = line | (1 << place[head % PLACES]);
       head++;
       out--
     }
  :: else -> break
  od;
  note_deferral();
  if
  :: idle_helper && WORK -> changed = true
  :: else -> skip
  fi;
  do
  :: woken > 0 -> break
  :: woken == 0 && (watched || (!WORK && moves == begun) || BROKEN == 8) ->
     d_step { waiting++; locked = false };
end_asleep:
     atomic { signals > 0 -> signals--; waiting-- };
     lock()
  :: woken == 0 && !watched && (WORK || moves != begun) && BROKEN != 8 ->
     d_step {
       watched = true;
       who = me;
       called[me] = false
     };
     note_deferral();
     locked = false;
     if
     :: BROKEN == 13 -> called[me] = false
     :: BROKEN != 13 -> skip
     fi;
     do
     :: seen = begun;
        if
        :: called[me] -> break
        :: atomic { !called[me] && ticks < TICKS -> ticks++ }
        :: timeout ->
           vain = vain + (WORK && begun == seen);
           assert(vain <= TASKS && woken == 0)
        fi;
        if
        :: begun == seen -> break
        :: begun != seen -> skip
        fi
     od;
     lock();
     moves = begun;
     assert(called[me] || (watched && who == me));
     if
     :: !called[me] || BROKEN == 14 -> d_step { watched = false; defers = false }
     :: else -> skip
     fi;
     if
     :: !called[me] && WORK && begun == seen && BROKEN != 9 && woken == 0 ->
        trusts_helpers = false;
        wake_worker()
     :: else -> skip
     fi
  od;
  woken--;
  goto again;
begins:
  if
  :: BROKEN == 7 -> wake_next(); looking--
  :: else -> looking--; wake_next()
  fi;
runs:
  has_run = true;
  begin_body();
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
  has_promise = false;
  take();
  if
  :: task != NONE -> wake_next(); goto runs
  :: else -> looking++; goto looks
  fi
}

/* when nobody can go on */
proctype watcher() {
  byte k, n;
  timeout && !watched;
  d_step {
    k = 0;
    n = 0;
    do
    :: k < TASKS -> n = n + (ran[k] > 0); k++
    :: else -> break
    od
  };
  assert(n == made);
  assert(ended + stuck == made);
  assert(!locked && looking == 0 && woken == 0 && !list)
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
