/* Magazines (runtime/device/magazine.h): numbers of cells dealt out by one counter, to threads
 * that get BATCH of them at once and keep the rest; by every interleaving of THREADS threads
 * that each take at most TAKES cells.  The last thread has no magazine.  Numbers below READY are
 * ready, the others fresh; those below MEMORY have memory, those from END on are none.
 *
 * Checked: a number is handed out once; a fresh one only when all that are ready are gone; a
 * thread is refused only when every number that has memory is handed out, whichever magazine it
 * was in; settling leaves each number in one place.
 *
 * BROKEN: 1 a magazine does not say that numbers are on their way   2 numbers are taken without
 * a swap   3 what others have left is not looked for   4 nobody waits for numbers that are on their
 * way   5 all that another has left is taken at once   6 what is left over is not settled
 * 7 fresh ones are dealt out while others have ready ones   8 a batch has both kinds
 */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef TAKES
#define TAKES 2
#endif
#ifndef BATCH
#define BATCH 3
#endif
#ifndef READY
#define READY 2
#endif
#ifndef MEMORY
#define MEMORY 5
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define END (MEMORY + 1)
#define NONE 255

byte taken, handed[END], ready_left = READY, tries, refused, done;
bool ready_gone, exhausted;
byte next[THREADS], end[THREADS];          /* one word each: read and swapped together */
bool refilling[THREADS];

/* a number is a thread's from here on */
inline hand_out(n) {
  handed[n]++;
  assert(handed[n] == 1);
  if
  :: n < READY -> ready_left--
  :: else -> assert(ready_left == 0)
  fi
}

/* number: the first of magazine m's, where it is below bound; or NONE */
inline pop(m, bound, number) {
  number = NONE;
  atomic { seen = next[m]; last = end[m] };
  do
  :: seen < last && seen < bound ->
     if
     :: BROKEN == 2 ->
        atomic { number = seen; hand_out(number) };
        next[m] = seen + 1;
        break
     :: BROKEN == 5 && m != me ->
        atomic {
          if
          :: next[m] == seen && end[m] == last -> number = seen; next[m] = last; hand_out(number)
          :: else -> seen = next[m]; last = end[m]
          fi
        };
        if
        :: number != NONE ->
           atomic { next[me] = number + 1; end[me] = last };
           break
        :: else -> skip
        fi
     :: BROKEN != 2 && !(BROKEN == 5 && m != me) ->
        atomic {
          if
          :: next[m] == seen && end[m] == last ->
             number = seen; next[m] = seen + 1; hand_out(number)
          :: else -> seen = next[m]; last = end[m]
          fi
        };
        if :: number != NONE -> break :: else -> skip fi
     fi
  :: else -> break
  od
}

/* number: the first of up to count numbers of the counter below bound, or NONE; last: behind the
 * last of them */
inline deal(bound, count, number) {
  atomic {
    if
    :: taken >= bound -> number = NONE
    :: else ->
       number = taken;
       last = (taken + count < bound -> taken + count : bound);
       taken = last;
       hand_out(number)
    fi
  }
}

inline refill(bound, number) {
  if :: BROKEN == 1 -> skip :: else -> refilling[me] = true fi;
  deal(bound, BATCH, number);
  atomic {
    if
    :: number == NONE -> next[me] = 0; end[me] = 0
    :: else -> next[me] = number + 1; end[me] = last
    fi;
    refilling[me] = false
  }
}

/* number: one that another has got, below bound; or NONE */
inline steal(bound, number) {
  number = NONE;
  m = 0;
  do
  :: m < THREADS - 1 && number == NONE ->
     if :: BROKEN == 4 -> skip :: else -> !refilling[m] fi;
     pop(m, bound, number);
     m++
  :: else -> break
  od
}

inline number_below(bound, number) {
  if
  :: me < THREADS - 1 -> refill(bound, number)
  :: else -> deal(bound, 1, number)
  fi
}

inline take(number) {
  number = NONE;
  if :: me < THREADS - 1 -> pop(me, END, number) :: else -> skip fi;
  if
  :: number == NONE && !exhausted ->
     if
     :: !ready_gone && BROKEN != 8 ->
        number_below(READY, number);
        if
        :: number == NONE && BROKEN != 7 -> steal(READY, number)
        :: else -> skip
        fi;
        if :: number == NONE -> ready_gone = true :: else -> skip fi
     :: else -> skip
     fi;
     if
     :: number == NONE -> number_below(END, number)
     :: else -> skip
     fi
  :: else -> skip
  fi;
  if
  :: number >= MEMORY ->                   /* none, or one without memory */
     exhausted = true;
     do
     :: BROKEN != 3 ->
        steal(END, number);
        if :: number < MEMORY || number == NONE -> break :: else -> skip fi
     :: BROKEN == 3 -> number = NONE; break
     od
  :: else -> skip
  fi
}

proctype worker(byte me) {
  byte turn, number, seen, last, m;
  do
  :: turn < TAKES ->
     tries++;
     take(number);
     if :: number >= MEMORY -> refused++ :: else -> skip fi;
     number = 0; seen = 0; last = 0; m = 0;
     turn++
  :: true -> break
  od;
  done++
}

init {
  byte k, m, all, left;
  atomic {
    do :: k < THREADS -> run worker(k); k++ :: else -> break od
  };
  (done == THREADS);
  /* snd_settle_numbers: those dealt out and not handed out */
  atomic {
    if :: taken > MEMORY -> taken = MEMORY :: else -> skip fi;
    k = 0;
    do
    :: k < taken ->
       left = 0;
       m = 0;
       do
       :: m < THREADS ->
          left = left + (BROKEN != 6 && next[m] <= k && k < end[m] -> 1 : 0);
          m++
       :: else -> break
       od;
       assert(handed[k] + left == 1);
       all = all + handed[k];
       k++
    :: else -> break
    od
  };
  assert(refused == 0 || all == MEMORY);
  assert(all + refused == tries)
}
