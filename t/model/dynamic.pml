/* The protocol of a dynamic container (runtime/device/dynamic.h): APPENDERS threads that
 * each append OPERATIONS times, the first one writing position 0 instead of its first
 * append, EMPTIERS that empty it or read EMPTIES times, by every interleaving, with memory
 * for BODIES bodies, FIRSTS first chunks and SECONDS second ones.  Position 0 stands in the
 * body, position 1 in its first chunk, position 2 in its second.
 *
 * Checked: no position is dealt out twice; no cell is written that others have; a chunk
 * that is there has all before it; every wait ends; in the end each body is in the
 * container's slot or was recycled, once, each chunk is in one body, and of the cells below
 * the length, cut to the chunks, none is missing.  The memory is sequentially consistent here.
 *
 * BROKEN breaks the protocol in one place; each must be found:
 *   1 the length is loaded, then stored      5 a failed builder leaves its 1
 *   2 a chunk is built before those before   6 emptying stores 0 in the length
 *   3 emptying loads, then stores            7 the body is looked up again for the cell
 *   4 a recycled body is handed out again    8 a read takes a missing chunk for one
 *   9 a write sets the length that it wants
 */
#ifndef APPENDERS
#define APPENDERS 2
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#ifndef EMPTIERS
#define EMPTIERS 2
#endif
#ifndef EMPTIES
#define EMPTIES 1
#endif
#ifndef BODIES
#define BODIES 2
#endif
#ifndef FIRSTS
#define FIRSTS 2
#endif
#ifndef SECONDS
#define SECONDS 1
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define EXTENT 3
#define PARTS 2                  /* chunks of a body: parts 1 and 2 */
#define PART(body, part) parts[(body) * PARTS + (part) - 1]
#define CELL(body, p) cells[(body) * EXTENT + (p)]

byte slot;                       /* 0, 1, or a body + 2 */
byte reserved;
bool failed;                     /* a body could not be had */
byte free_body = 255;            /* BROKEN 4: recycled, and free at once */
byte handed[BODIES], recycled[BODIES];
byte length[BODIES];
byte parts[BODIES * PARTS];      /* 0, 1, or 2: there */
byte made[PARTS];
byte cells[BODIES * EXTENT];     /* values appended to them */
byte ahead[BODIES];              /* what a write has made active may be without a value */
byte done;

/* the body, activated: body + 2; 0: no memory */
inline activate_body(seen, won, body) {
  body = 0;
  do
  :: seen = slot;
     if
     :: seen > 1 -> body = seen; break
     :: seen == 1 -> (slot != 1)             /* waits, holding nothing */
     :: seen == 0 ->
        atomic { won = (slot == 0); if :: won -> slot = 1 :: else -> skip fi };
        if
        :: won ->
           if
           :: BROKEN == 4 && free_body != 255 ->
              body = free_body + 2; free_body = 255; handed[body - 2]++
           :: else ->
              atomic {
                if
                :: reserved < BODIES -> body = reserved + 2; reserved++; handed[body - 2]++
                :: else -> failed = true
                fi
              }
           fi;
           if
           :: body == 0 && BROKEN == 5 -> skip
           :: else -> slot = body
           fi;
           break
        :: else -> skip
        fi
     fi
  od;
  if
  :: body > 0 -> assert(handed[body - 2] == 1)
  :: else -> assert(failed)
  fi
}

/* one part of a body: there or not */
inline build_part(body, part, seen, won, there) {
  there = false;
  do
  :: seen = PART(body, part);
     if
     :: seen > 1 -> there = true; break
     :: seen == 1 -> (PART(body, part) != 1)
     :: seen == 0 ->
        atomic {
          won = (PART(body, part) == 0);
          if :: won -> PART(body, part) = 1 :: else -> skip fi
        };
        if
        :: won ->
           atomic {
             if
             :: made[part - 1] < (part == 1 -> FIRSTS : SECONDS) -> made[part - 1]++; there = true
             :: else -> skip
             fi
           };
           if
           :: there -> PART(body, part) = 2
           :: !there && BROKEN != 5 -> PART(body, part) = 0
           :: else -> skip
           fi;
           break
        :: else -> skip
        fi
     fi
  od
}

/* snd_dynamic_reach: the chunk of position p */
inline reach(body, p, seen, won, there) {
  if
  :: p == 0 -> there = true
  :: else ->
     if
     :: PART(body, p) > 1 -> there = true
     :: else ->
        there = true;
        if
        :: p == 2 && BROKEN != 2 && PART(body, 1) <= 1 -> build_part(body, 1, seen, won, there)
        :: else -> skip
        fi;
        if
        :: there -> build_part(body, p, seen, won, there)
        :: else -> skip
        fi
     fi;
     assert(!there || p == 1 || PART(body, 1) > 1)
  fi
}

/* snd_dynamic_append, and the value */
inline append(seen, won, there, body, p) {
  activate_body(seen, won, body);
  if
  :: body > 0 ->
     body = body - 2;
     if
     :: BROKEN == 1 -> p = length[body]; length[body] = p + 1
     :: else -> atomic { p = length[body]; length[body]++ }
     fi;
     if
     :: p < EXTENT ->
        reach(body, p, seen, won, there);
        if
        :: there ->
           if
           :: BROKEN == 7 && slot > 1 -> body = slot - 2
           :: else -> skip
           fi;
           atomic { CELL(body, p)++; assert(CELL(body, p) == 1) }
        :: else -> skip
        fi
     :: else -> skip
     fi
  :: else -> skip
  fi;
  body = 0; p = 0; seen = 0; won = false; there = false
}

/* snd_dynamic_activate of position 0 */
inline write(seen, won, body) {
  activate_body(seen, won, body);
  if
  :: body > 0 ->
     body = body - 2;
     if
     :: length[body] < 1 ->
        atomic {
          if
          :: length[body] < 1 || BROKEN == 9 -> length[body] = 1; ahead[body] = 1
          :: else -> skip
          fi
        }
     :: else -> skip
     fi;
     assert(length[body] >= 1)
  :: else -> skip
  fi;
  body = 0; seen = 0; won = false
}

/* snd_dynamic_deactivate */
inline clear(seen, won) {
  seen = slot;
  won = false;
  if
  :: seen > 1 ->
     if
     :: BROKEN == 3 -> slot = 0; won = true
     :: BROKEN == 6 -> length[seen - 2] = 0
     :: else -> atomic { if :: slot == seen -> slot = 0; won = true :: else -> skip fi }
     fi;
     if
     :: won ->
        recycled[seen - 2]++;
        assert(recycled[seen - 2] == 1);
        if
        :: BROKEN == 4 -> free_body = seen - 2
        :: else -> skip
        fi
     :: else -> skip
     fi
  :: else -> skip
  fi;
  seen = 0; won = false
}

/* snd_dynamic_peek of position 1: what it gives is a cell */
inline peek(seen) {
  seen = slot;
  if
  :: seen > 1 && length[seen - 2] > 1 ->
     if
     :: PART(seen - 2, 1) > 1 || BROKEN == 8 -> assert(PART(seen - 2, 1) == 2)
     :: else -> skip
     fi
  :: else -> skip
  fi;
  seen = 0
}

proctype appender(bool writes) {
  byte turn, seen, body, p;
  bool won, there;
  do
  :: turn < OPERATIONS ->
     if
     :: writes -> write(seen, won, body); writes = false
     :: else -> append(seen, won, there, body, p)
     fi;
     turn++
  :: else -> break
  od;
  done++
}

proctype emptier() {
  byte turn, seen;
  bool won;
  do
  :: turn < EMPTIES ->
     if
     :: clear(seen, won)
     :: peek(seen)
     fi;
     turn++
  :: else -> break
  od;
  done++
}

init {
  byte b, p, firsts, seconds;
  bool there;
  atomic {
    b = 0;
    do :: b < APPENDERS -> run appender(b == 0); b++ :: else -> break od;
    b = 0;
    do :: b < EMPTIERS -> run emptier(); b++ :: else -> break od
  };
  (done == APPENDERS + EMPTIERS);
  assert(slot != 1);
  b = 0;
  do
  :: b < BODIES ->
     assert(handed[b] <= 1);
     assert(recycled[b] + (slot == b + 2) == handed[b]);
     assert(PART(b, 1) != 1 && PART(b, 2) != 1);
     assert(PART(b, 2) == 0 || PART(b, 1) == 2);
     firsts = firsts + (PART(b, 1) == 2);
     seconds = seconds + (PART(b, 2) == 2);
     /* the end of the task cuts the length here */
     p = 0;
     do
     :: p < EXTENT ->
        there = (p == 0 || PART(b, p) == 2);
        assert(CELL(b, p) <= (there && p < length[b]));
        assert(CELL(b, p) == (there && p < length[b]) || p < ahead[b]);
        p++
     :: else -> break
     od;
     b++
  :: else -> break
  od;
  assert(firsts == made[0] && seconds == made[1])
}
