/* The protocol of a dynamic container (runtime/device/dynamic.h): APPENDERS threads that
 * each append OPERATIONS times, the first one writing position 0 instead of its first
 * append, EMPTIERS that empty it or read EMPTIES times, by every interleaving, with memory
 * for BODIES bodies, FIRSTS first chunks and SECONDS second ones.  Positions 0 and 1 stand
 * in the body, position 2 in its first chunk, position 3 in its second.  The container's word
 * is `number` and `length`, read and written together.
 *
 * Checked: no position is dealt out twice; no cell is written that others have; a chunk
 * that is there has all before it; every wait ends; a container is emptied by whoever set out
 * to, or by another; in the end each body is in the container's word or was recycled, once,
 * each chunk is in one body, of the cells below the length, cut to the chunks, none is
 * missing, and a word without a body is 0.  The memory is sequentially consistent here.
 *
 * BROKEN breaks the protocol in one place; each must be found:
 *   1 the word is loaded, then stored        7 the body is looked up again for the cell
 *   2 a chunk is built before those before   8 a read takes a missing chunk for one
 *   3 emptying loads, then stores            9 a write sets the length that it wants
 *   4 a recycled body is handed out again   10 a hint is believed whatever the body
 *   5 a failed builder leaves its 1         11 a builder keeps what late adds have counted
 *   6 an add that met no body counts        12 emptying gives up when an append meets it
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
#define EXTENT 4
#define FIRST 2                  /* cells of a body */
#define PARTS 2                  /* chunks of a body: parts 1 and 2, of one cell each */
#define PART_OF(p) ((p) - FIRST + 1)
#define PART(body, part) parts[(body) * PARTS + (part) - 1]
#define CELL(body, p) cells[(body) * EXTENT + (p)]
#define IS_THERE(body, p) ((p) < FIRST || PART(body, PART_OF(p)) > 1)

byte number;                     /* 0, 1, or a body + 2 */
byte length;
byte reserved;
bool failed;                     /* a body could not be had */
byte free_body = 255;            /* BROKEN 4: recycled, and free at once */
byte handed[BODIES], recycled[BODIES];
byte parts[BODIES * PARTS];      /* 0, 1, or 2: there */
byte made[PARTS];
byte cells[BODIES * EXTENT];     /* values appended to them */
byte ahead[BODIES];              /* what a write has made active may be without a value */
byte done;

/* snd_dynamic_open: the word with a body, as (body, p); body 0: no memory */
inline open(seen, won, body, p) {
  body = 0;
  do
  :: atomic { seen = number; p = length };
     if
     :: seen > 1 -> body = seen; break
     :: seen == 1 -> (number != 1)           /* waits, holding nothing */
     :: seen == 0 ->
        atomic {
          won = (number == 0 && length == p);
          if :: won -> number = 1; length = 0 :: else -> skip fi
        };
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
           :: BROKEN == 11 -> atomic { number = body; p = length }
           :: else -> atomic { number = body; length = 0; p = 0 }
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
  :: p < FIRST -> there = true
  :: else ->
     if
     :: PART(body, PART_OF(p)) > 1 -> there = true
     :: else ->
        there = true;
        if
        :: PART_OF(p) == 2 && BROKEN != 2 && PART(body, 1) <= 1 ->
           build_part(body, 1, seen, won, there)
        :: else -> skip
        fi;
        if
        :: there -> build_part(body, PART_OF(p), seen, won, there)
        :: else -> skip
        fi
     fi;
     assert(!there || PART_OF(p) == 1 || PART(body, 1) > 1)
  fi
}

/* snd_dynamic_add: what the word was */
inline add(body, p) {
  if
  :: BROKEN == 1 -> atomic { body = number; p = length }; length = p + 1
  :: else -> atomic { body = number; p = length; length++ }
  fi
}

/* The value, in a cell that was dealt out. */
inline fill(body, p) {
  if
  :: BROKEN == 7 && number > 1 -> body = number
  :: else -> skip
  fi;
  atomic { CELL(body - 2, p)++; assert(CELL(body - 2, p) == 1) }
}

/* snd_dynamic_append_far: (body, p) is what an add has given, body 0: none was done */
inline append_far(seen, won, there, body, p) {
  do
  :: body > 1 -> break
  :: body <= 1 ->
     seen = p;
     open(there, won, body, p);
     if
     :: body == 0 -> break
     :: body > 0 && BROKEN == 6 && seen < 255 -> p = seen; break
     :: else ->
        if
        :: p < EXTENT -> add(body, p)
        :: else -> skip
        fi
     fi
  od;
  if
  :: body > 1 && p < EXTENT ->
     reach(body - 2, p, seen, won, there);
     if
     :: there -> fill(body, p)
     :: else -> skip
     fi
  :: else -> skip
  fi
}

/* snd_dynamic_append_cell, and the value.  hint: the body whose own cells are known to be
 * there; the chunks have one cell each, so that none is left to remember. */
inline append(seen, won, there, body, p, hint) {
  if
  :: hint == 0 ->
     atomic { seen = number; p = length };
     if
     :: seen > 1 && p < EXTENT && IS_THERE(seen - 2, p) -> hint = seen
     :: else -> skip
     fi
  :: else -> skip
  fi;
  body = 0; p = 255;
  if
  :: hint > 0 -> add(body, p)
  :: else -> skip
  fi;
  if
  :: hint > 0 && p < FIRST && (body == hint || BROKEN == 10) -> body = hint; fill(body, p)
  :: else -> hint = 0; append_far(seen, won, there, body, p)
  fi;
  body = 0; p = 0; seen = 0; won = false; there = false
}

/* snd_dynamic_activate of position 0 */
inline write(seen, won, body, p) {
  open(seen, won, body, p);
  if
  :: body > 0 ->
     do
     :: number != body || length >= 1 && BROKEN != 9 -> break
     :: else ->
        atomic {
          if
          :: number == body && length == p -> length = 1; ahead[body - 2] = 1; break
          :: else -> p = length
          fi
        }
     od
  :: else -> skip
  fi;
  body = 0; p = 0; seen = 0; won = false
}

/* snd_dynamic_empty */
inline clear(seen, won, p) {
  atomic { seen = number; p = length };
  won = false;
  if
  :: seen > 1 ->
     if
     :: BROKEN == 3 -> atomic { number = 0; length = 0 }; won = true
     :: else ->
        do
        :: atomic {
             if
             :: number == seen && length == p -> number = 0; length = 0; won = true; break
             :: number == seen && length != p && BROKEN != 12 -> p = length
             :: else -> assert(number != seen); break
             fi
           }
        od
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
  seen = 0; won = false; p = 0
}

/* snd_dynamic_peek of position 2: what it gives is a cell */
inline peek(seen, p) {
  atomic { seen = number; p = length };
  if
  :: seen > 1 && p > 2 ->
     if
     :: PART(seen - 2, 1) > 1 || BROKEN == 8 -> assert(PART(seen - 2, 1) == 2)
     :: else -> skip
     fi
  :: else -> skip
  fi;
  seen = 0; p = 0
}

proctype appender(bool writes) {
  byte turn, seen, body, p, there, hint;
  bool won;
  do
  :: turn < OPERATIONS ->
     if
     :: writes -> write(seen, won, body, p); writes = false
     :: else -> append(seen, won, there, body, p, hint)
     fi;
     turn++
  :: else -> break
  od;
  done++
}

proctype emptier() {
  byte turn, seen, p;
  bool won;
  do
  :: turn < EMPTIES ->
     if
     :: clear(seen, won, p)
     :: peek(seen, p)
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
  assert(number > 1 || (number == 0 && length == 0));
  b = 0;
  do
  :: b < BODIES ->
     assert(handed[b] <= 1);
     assert(recycled[b] + (number == b + 2) == handed[b]);
     assert(PART(b, 1) != 1 && PART(b, 2) != 1);
     assert(PART(b, 2) == 0 || PART(b, 1) == 2);
     firsts = firsts + (PART(b, 1) == 2);
     seconds = seconds + (PART(b, 2) == 2);
     /* the end of the task cuts the length here; of a recycled body it is gone */
     p = 0;
     do
     :: p < EXTENT && number == b + 2 ->
        there = IS_THERE(b, p);
        assert(CELL(b, p) <= (there && p < length));
        assert(CELL(b, p) == (there && p < length) || p < ahead[b]);
        p++
     :: else -> break
     od;
     b++
  :: else -> break
  od;
  assert(firsts == made[0] && seconds == made[1])
}
