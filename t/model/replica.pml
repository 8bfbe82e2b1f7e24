/* The replicas of one block on two units beside its home (runtime/host/exec/replica.c and
 * reserve.c: the table and the five rules): every interleaving of a task at a time on each unit and at home,
 * OPERATIONS of them each and AT_HOME, transfers that take their time, and EVICTIONS.
 *
 * The order between tasks is taken for granted: readers together, who accumulates together,
 * writers alone.  A value is one number; to write makes it 2, to read and write 3 v + 1, to
 * accumulate adds 1, all modulo 4.  Checked: who reads finds what running all in order comes to;
 * so does the home in the end; nobody waits for ever.
 *
 * BROKEN: 1 transfers home are not waited for (rule 1)   2 a cancel stays where it is (2)
 *         3 others are not flushed (3)   4 copies are not outdated by a write (3)
 *         5 nor by what comes home (3)   6 sums at home are made in place (4)
 *         7 they do not outdate copies (4)   8 the Get overtakes the sum (5)   9 sums meet (5)
 *         10 a replica that was worked in is what it was (2)
 *         11 what a cancel returns to has not gone home (2)
 */
#ifndef BROKEN
#define BROKEN 0
#endif
#if BROKEN == 6                  /* sums meet where one goes home by an eviction */
#define OPERATIONS 1
#define AT_HOME 2
#define EVICTIONS 1
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#ifndef AT_HOME
#define AT_HOME 1
#endif
#ifndef EVICTIONS
#define EVICTIONS 0
#endif
#define HOME 2
#define N 4

mtype = { UNALLOC, UNI, READY, DIRTY, DIRTYACC };
mtype = { NONE, GET, PUT, ACCALL, ACCALL_GET };
mtype = { READ, WRITE, RW, ACC };

typedef replica { mtype state, pending, before; byte count, value };
replica unit[2];
byte home, expected;             /* expected: by the tasks in order */
byte moving;                     /* transfers home under way */
byte readers, adders, writers;   /* tasks */
bool adding;                     /* one sum at a time */
byte ended;

#define other(u) (1 - u)
#define is_idle(u) (unit[u].count == 0 && unit[u].pending == NONE)

/* ---- steps: inside of atomic ---- */

inline begin_transfer(u, what) {
  unit[u].pending = what;
  if :: what != GET -> moving++ :: else -> skip fi
}

inline flush(u) {
  if
  :: is_idle(u) && unit[u].state == DIRTY -> unit[u].state = READY; begin_transfer(u, PUT)
  :: is_idle(u) && unit[u].state == DIRTYACC -> unit[u].state = UNI; begin_transfer(u, ACCALL)
  :: else -> skip
  fi
}

inline outdate(u) {
  if :: unit[u].state == READY -> unit[u].state = UNI :: else -> skip fi
}

/* rule 3, for a replica elsewhere */
inline let_pass(v, mode, passes) {
  if
  :: unit[v].state == DIRTYACC && mode == ACC -> skip
  :: unit[v].state == DIRTY || (unit[v].state == DIRTYACC && mode != ACC) ->
     flush(v);
     if :: BROKEN != 3 -> passes = false :: else -> skip fi
  :: unit[v].state == READY && mode != READ && !is_idle(v) -> passes = false
  :: else -> skip
  fi
}

inline look(u, mode, passes) {
  passes = true;
  if :: moving > 0 && BROKEN != 1 -> passes = false :: else -> skip fi;
  if
  :: u == HOME && passes -> let_pass(0, mode, passes); let_pass(1, mode, passes)
  :: u != HOME && passes -> let_pass(other(u), mode, passes)
  :: else -> skip
  fi;
  if
  :: u == HOME || unit[u].state == UNALLOC -> skip
  :: else ->
     if
     :: mode == READ && unit[u].state == READY ->
        if :: unit[u].pending == ACCALL || unit[u].pending == ACCALL_GET -> passes = false
           :: else -> skip fi
     :: else -> if :: !is_idle(u) -> passes = false :: else -> skip fi
     fi
  fi
}

inline grant_read(u) {
  if
  :: unit[u].state == UNI -> begin_transfer(u, GET)
  :: unit[u].state == DIRTY -> begin_transfer(u, PUT)
  :: unit[u].state == DIRTYACC -> begin_transfer(u, ACCALL_GET)
  :: else -> skip
  fi;
  unit[u].state = READY
}

inline grant_write(u) {
  if
  :: BROKEN == 2 -> unit[u].before = DIRTY
  :: BROKEN != 2 && (unit[u].state == READY || unit[u].state == DIRTY) ->
     unit[u].before = unit[u].state
  :: else -> unit[u].before = UNI
  fi;
  if :: unit[u].state == DIRTYACC -> begin_transfer(u, ACCALL) :: else -> skip fi;
  unit[u].state = DIRTY
}

inline grant_rw(u) {
  if
  :: BROKEN == 2 -> unit[u].before = DIRTY
  :: BROKEN != 2 && (unit[u].state == READY || unit[u].state == DIRTY) ->
     unit[u].before = unit[u].state
  :: else -> unit[u].before = READY
  fi;
  if
  :: unit[u].state == UNI -> begin_transfer(u, GET)
  :: unit[u].state == DIRTYACC -> begin_transfer(u, ACCALL_GET)
  :: else -> skip
  fi;
  unit[u].state = DIRTY
}

inline grant_acc(u, fills) {
  if
  :: unit[u].state == DIRTYACC -> unit[u].before = DIRTYACC
  :: else -> unit[u].before = UNI; fills = true
  fi;
  if :: BROKEN == 2 -> unit[u].before = DIRTY :: else -> skip fi;
  if :: unit[u].state == DIRTY -> begin_transfer(u, PUT) :: else -> skip fi;
  unit[u].state = DIRTYACC
}

inline grant(u, mode, fills) {
  fills = false;
  if
  :: (mode == WRITE || mode == RW) && BROKEN != 4 ->
     if :: u != 0 -> outdate(0) :: else -> skip fi;
     if :: u != 1 -> outdate(1) :: else -> skip fi
  :: else -> skip
  fi;
  if
  :: u == HOME -> skip
  :: else ->
     if :: unit[u].state == UNALLOC -> unit[u].state = UNI :: else -> skip fi;
     unit[u].count++;
     if
     :: mode == READ -> grant_read(u)
     :: mode == WRITE -> grant_write(u)
     :: mode == RW -> grant_rw(u)
     :: mode == ACC -> grant_acc(u, fills)
     fi
  fi
}

/* ---- tasks ---- */

/* what the next one does; it begins when the order lets it */
inline enter(mode) {
  atomic {
    if
    :: adders == 0 && writers == 0 -> mode = READ; readers++
    :: readers == 0 && writers == 0 -> mode = ACC; adders++
    :: readers == 0 && adders == 0 && writers == 0 -> mode = WRITE; writers++
    :: readers == 0 && adders == 0 && writers == 0 -> mode = RW; writers++
    fi
  }
}

inline leave(mode) {
  if
  :: mode == READ -> readers--
  :: mode == ACC -> adders--
  :: else -> writers--
  fi
}

/* what the task comes to, at its release */
inline expect(mode) {
  if
  :: mode == WRITE -> expected = 2
  :: mode == RW -> expected = (3 * expected + 1) % N
  :: mode == ACC -> expected = (expected + 1) % N
  :: else -> skip
  fi
}

/* A buffer that may be cancelled is the replica: what home has not goes there first. */
inline look_at_own(u, mode, may_cancel, passes) {
  if
  :: may_cancel && BROKEN != 11 && (unit[u].state == DIRTY || unit[u].state == DIRTYACC) ->
     flush(u); passes = false
  :: else -> skip
  fi;
  if :: passes -> look(u, mode, passes) :: else -> skip fi
}

proctype task(byte u) {
  byte turn;
  mtype mode;
  bool passes, fills, may_cancel;
  do
  :: turn < OPERATIONS ->
     enter(mode);
     if :: mode != READ -> may_cancel = true :: true -> skip fi;
     do
     :: atomic {
          passes = true;
          look_at_own(u, mode, may_cancel, passes);
          if
          :: passes -> grant(u, mode, fills); break
          :: else -> skip
          fi
        };
        atomic { moving == 0 && unit[0].pending == NONE && unit[1].pending == NONE }
     od;
     atomic {                    /* until it is there */
       unit[u].pending == NONE || (mode == READ && unit[u].pending == PUT);
       if :: fills -> unit[u].value = 0 :: else -> skip fi;
       assert((mode != READ && mode != RW) || unit[u].value == expected)
     };
     atomic {
       unit[u].count--;
       if
       :: mode != READ && !may_cancel -> unit[u].state = unit[u].before     /* nobody saw it */
       :: mode != READ && may_cancel ->          /* given up */
          if :: BROKEN == 10 -> unit[u].state = unit[u].before :: else -> unit[u].state = UNI fi;
          unit[u].value = (unit[u].value + 1) % N
       :: mode == READ -> skip
       :: mode == WRITE -> unit[u].value = 2; expect(mode)
       :: mode == RW -> unit[u].value = (3 * unit[u].value + 1) % N; expect(mode)
       :: mode == ACC -> unit[u].value = (unit[u].value + 1) % N; expect(mode)
       fi;
       leave(mode);
       mode = 0; passes = false; fills = false; may_cancel = false;
       turn++
     }
  :: else -> break
  od;
  ended++
}

proctype task_at_home() {
  byte turn, read;
  mtype mode;
  bool passes, fills;
  do
  :: turn < AT_HOME ->
     enter(mode);
     do
     :: atomic {
          look(HOME, mode, passes);
          if
          :: passes ->
             grant(HOME, mode, fills);
             read = home;
             assert((mode != READ && mode != RW) || home == expected);
             break
          :: else -> skip
          fi
        };
        atomic { moving == 0 && unit[0].pending == NONE && unit[1].pending == NONE }
     od;
     if
     :: mode == ACC ->
        if
        :: BROKEN == 6 -> skip   /* what it read when it began */
        :: else -> atomic { !adding; adding = true; read = home }
        fi;
        atomic {
          home = (read + 1) % N;
          if :: BROKEN != 6 -> adding = false :: else -> skip fi;
          expect(mode)
        }
     :: mode == WRITE -> atomic { home = 2; expect(mode) }
     :: mode == RW -> atomic { home = (3 * home + 1) % N; expect(mode) }
     :: else -> skip
     fi;
     atomic {
       if
       :: mode == ACC && BROKEN != 7 -> outdate(0); outdate(1)
       :: else -> skip
       fi;
       leave(mode);
       mode = 0; passes = false; fills = false; read = 0;
       turn++
     }
  :: else -> break
  od;
  ended++
}

/* ---- transfers and evictions ---- */

inline sum(u, read) {
  if :: BROKEN != 9 -> atomic { !adding; adding = true } :: else -> skip fi;
  read = home;
  atomic {
    home = (read + unit[u].value) % N;
    if :: BROKEN != 9 -> adding = false :: else -> skip fi
  }
}

proctype transfers(byte u) {
  byte read;
end:
  do
  :: unit[u].pending == GET ->
     atomic { unit[u].value = home; unit[u].pending = NONE }
  :: unit[u].pending == PUT || unit[u].pending == ACCALL || unit[u].pending == ACCALL_GET ->
     if
     :: unit[u].pending == PUT -> home = unit[u].value
     :: unit[u].pending == ACCALL -> sum(u, read)
     :: unit[u].pending == ACCALL_GET && BROKEN != 8 -> sum(u, read); unit[u].value = home
     :: unit[u].pending == ACCALL_GET && BROKEN == 8 ->
        d_step { read = home; home = (home + unit[u].value) % N; unit[u].value = read }
     fi;
     atomic {
       unit[u].pending = NONE;
       read = 0;
       moving--;
       if :: BROKEN != 5 -> outdate(other(u)) :: else -> skip fi
     }
  od
}

proctype evictions() {
  byte turn;
  do
  :: turn < EVICTIONS ->
     atomic {
       if
       :: is_idle(0) && (unit[0].state == UNI || unit[0].state == READY) -> unit[0].state = UNALLOC
       :: is_idle(1) && (unit[1].state == UNI || unit[1].state == READY) -> unit[1].state = UNALLOC
       :: true -> flush(0)
       :: true -> flush(1)
       fi;
       turn++
     }
  :: else -> break
  od;
  ended++
}

/* Everything goes home in the end. */
proctype last() {
  ended == 4;
  atomic { moving == 0 && unit[0].pending == NONE && unit[1].pending == NONE; flush(0) };
  atomic { moving == 0; flush(1) };
  moving == 0;
  assert(home == expected)
}

init {
  atomic {
    unit[0].state = UNALLOC; unit[1].state = UNALLOC;
    unit[0].pending = NONE; unit[1].pending = NONE;
    unit[0].before = UNI; unit[1].before = UNI;
    run task(0); run task(1); run task_at_home();
    run transfers(0); run transfers(1);
    run evictions();
    run last()
  }
}
