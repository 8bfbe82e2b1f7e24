/* Cutting chunks off a pool (snd_arena_cut in runtime/device/node.h): look, swap, look again where
 * another one was faster; by every interleaving of THREADS threads that each want TAKES chunks, of
 * one or of two units, as node managers of two SNodes do, which hold different locks.
 *
 * Checked: no unit is given twice; the pool does not pass its end; who is refused could have had
 * nothing, since what was refused to others has taken nothing; what was cut is what was given.
 *
 * BROKEN: 1 a store and no swap   2 an add that is not taken back
 */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef TAKES
#define TAKES 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define END 6

byte next;                       /* units cut off */
byte owners[END];                /* of each unit */
byte given, done;                /* units; threads */

inline give(at, size) {
  assert(at + size <= END);
  owners[at]++;
  assert(owners[at] == 1);
  if
  :: size == 2 -> owners[at + 1]++; assert(owners[at + 1] == 1)
  :: else -> skip
  fi;
  given = given + size
}

proctype worker(byte size) {
  byte turn, seen;
  do
  :: turn < TAKES ->
     seen = next;
     do
     :: BROKEN == 2 ->
        atomic {
          seen = next; next = next + size;
          if
          :: seen + size <= END -> give(seen, size)
          :: else -> assert(END - given < size)
          fi
        };
        break
     :: BROKEN != 2 && seen + size > END -> assert(END - given < size); break
     :: BROKEN == 1 && seen + size <= END ->
        next = seen + size;
        d_step { give(seen, size) };
        break
     :: BROKEN != 1 && BROKEN != 2 && seen + size <= END ->
        atomic {
          if
          :: next == seen -> next = seen + size; give(seen, size); break
          :: else -> seen = next
          fi
        }
     od;
     seen = 0;
     turn++
  :: else -> break
  od;
  done++
}

init {
  byte k;
  atomic {
    k = 0;
    do :: k < THREADS -> run worker(1 + k % 2); k++ :: else -> break od
  };
  (done == THREADS);
  assert(BROKEN == 1 || BROKEN == 2 || next == given)
}
