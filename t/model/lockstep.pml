/* Lanes that share a program counter: the locks of the device headers where no lane goes on by
 * itself. A warp's lanes take the two sides of a branch one after the other and meet behind it; a
 * loop ends for a lane that is done, which then waits for its siblings. So a lane that waits, in a
 * loop, for what a sibling holds waits for ever, however fair the scheduler is to warps.
 *
 * Modelled: slots that lanes build (snd_slot_build in pointer.h; the word of a dynamic container and
 * of its parts are built alike, dynamic.h), in which chunks are made under the SNode's lock
 * (snd_node_touch_chunk in node.h), the first chunk for all. Each lane wants any of the slots, also the
 * same as a sibling, as where no leader is chosen. Between two turns of any warp's loop all others go on.
 *
 * Checked: at the end of each turn no lane holds what lanes of its warp may wait for; a slot is built
 * once, the chunk is made once, nobody takes a chunk that is not there; all come to an end.
 *
 * BROKEN: 1 who has the lock makes the chunk behind the loop   2 who builds a slot publishes it there
 *         3 nobody looks again under the lock   4 the slot is published before its chunk is there
 */
#ifndef WARPS
#define WARPS 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define LANES 2
#define SLOTS 2
#define NOBODY 255

#define FREE 0
#define BUILDING 1
#define READY 2

byte slot[SLOTS], builder[SLOTS], built[SLOTS];
byte lock = NOBODY;              /* the warp whose lane has it */
byte chunks;                     /* made */
bool chunk;                      /* its address is there */
byte done;                       /* warps */

/* What lanes of this warp hold, at the end of a turn in which some of them go round again. */
inline holds_nothing() {
  assert(lock != me);
  assert(!(slot[0] == BUILDING && builder[0] == me));
  assert(!(slot[1] == BUILDING && builder[1] == me))
}

/* The lane makes the chunk, under the lock, and gives it back. */
inline make_chunk() {
  if
  :: BROKEN == 3 || !chunk -> chunks++; assert(chunks == 1); chunk = true
  :: else -> skip
  fi;
  lock = NOBODY
}

proctype warp(byte me) {
  byte want[LANES];              /* of each lane: its slot */
  bool ready[LANES];             /* it has its cell */
  bool builds[LANES];            /* it is in the branch of who builds */
  bool has[LANES];               /* it has its chunk */
  bool locked[LANES];
  byte n;

  for (n : 0 .. LANES - 1) {
    if :: want[n] = 0 :: want[n] = 1 fi
  }
  do
  :: !ready[0] || !ready[1] ->
     /* a turn of snd_slot_build: each lane that is not done looks, and swaps where it is free */
     for (n : 0 .. LANES - 1) {
       atomic {
         if
         :: !ready[n] && slot[want[n]] == READY -> assert(chunk); ready[n] = true
         :: !ready[n] && slot[want[n]] == FREE ->
            slot[want[n]] = BUILDING; builder[want[n]] = me; builds[n] = true;
            if :: BROKEN == 4 -> slot[want[n]] = READY :: else -> skip fi
         :: else -> skip
         fi
       }
     };
     /* the side of those who build; the others wait where the sides meet */
     for (n : 0 .. LANES - 1) { has[n] = !builds[n] || chunk };
     do
     :: !has[0] || !has[1] ->
        for (n : 0 .. LANES - 1) {
          atomic {
            if
            :: !has[n] && lock == NOBODY -> lock = me; locked[n] = true
            :: else -> skip
            fi
          };
          if
          :: locked[n] && BROKEN != 1 -> make_chunk(); locked[n] = false; has[n] = true
          :: locked[n] && BROKEN == 1 -> has[n] = true
          :: !locked[n] && !has[n] && chunk -> has[n] = true
          :: else -> skip
          fi
        };
        if
        :: !has[0] || !has[1] -> assert(lock != me)
        :: else -> skip
        fi
     :: else -> break
     od;
     for (n : 0 .. LANES - 1) {
       if :: locked[n] -> make_chunk(); locked[n] = false :: else -> skip fi
     };
     for (n : 0 .. LANES - 1) {
       if
       :: builds[n] && BROKEN != 2 ->
          built[want[n]]++; assert(built[want[n]] == 1); assert(chunk);
          slot[want[n]] = READY; builds[n] = false; ready[n] = true
       :: else -> skip
       fi
     };
     if
     :: BROKEN == 2 && builds[0] -> ready[0] = true
     :: else -> skip
     fi;
     if
     :: BROKEN == 2 && builds[1] -> ready[1] = true
     :: else -> skip
     fi;
     if
     :: !ready[0] || !ready[1] -> holds_nothing()
     :: else -> skip
     fi
  :: else -> break
  od;
  done++
}

init {
  byte k;
  atomic {
    for (k : 0 .. WARPS - 1) { run warp(k) }
  };
  (done == WARPS);
  assert(chunk && chunks == 1 && lock == NOBODY)
}
