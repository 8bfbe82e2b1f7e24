/* The protocol of a pointer slot (runtime/device/pointer.h, node.h): activation,
 * deactivation and waiting, by every interleaving of THREADS threads that each do
 * OPERATIONS operations of any kind on one slot, with memory for CELLS cells.
 *
 * Checked: one builder at a time; no cell handed out twice; no cell seen before it
 * is filled; every wait ends; nobody goes without while there is memory; in the end
 * each cell handed out is in the slot or was recycled, once.  The memory is
 * sequentially consistent here: docs/sparse.md argues the orders.
 *
 * BROKEN breaks the protocol in one place; each must be found:
 *   1 deactivation takes 1 for a cell       4 publishes before it fills
 *   2 a recycled cell is handed out again   5 deactivation loads, then stores
 *   3 a failed builder leaves its 1         6 activation loads, then stores
 *   7 deactivation swaps on what it reads again, and recycles what it saw first
 *   8 exhausted is raised before an id is refused for good
 */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef OPERATIONS
#define OPERATIONS 3
#endif
#ifndef CELLS
#define CELLS 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define IDS (THREADS * OPERATIONS + 1)

byte slot;                       /* 0, 1, or a cell's id + 2 */
byte reserved;
bool exhausted, failed;
byte free_id = 255;              /* BROKEN 2: recycled, and free at once */
byte handed[IDS], recycled[IDS];
bool filled[IDS];
byte builders, done;

/* snd_node_take: cell is its id + 2, 0 when there is none */
inline take(cell, id) {
  cell = 0;
  if
  :: BROKEN == 2 && free_id != 255 ->
     cell = free_id + 2; free_id = 255;
     handed[cell - 2]++
  :: else ->
     if
     :: exhausted -> skip
     :: else ->
        if
        :: BROKEN == 8 && reserved + 1 >= CELLS -> exhausted = true
        :: else -> skip
        fi;
        atomic { id = reserved; reserved++ };
        if
        :: id < CELLS && !(BROKEN == 8 && exhausted) ->
           cell = id + 2;
           handed[id]++;
           if
           :: BROKEN != 4 -> filled[id] = true
           :: else -> skip
           fi
        :: else -> exhausted = true
        fi
     fi
  fi;
  if
  :: cell > 0 -> assert(handed[cell - 2] == 1)
  :: else -> failed = true
  fi
}

/* snd_pointer_activate */
inline activate(seen, won, cell, id) {
  do
  :: seen = slot;
     if
     :: seen > 1 -> cell = seen; break
     :: seen == 1 -> (slot != 1)             /* waits, holding nothing */
     :: seen == 0 ->
        won = false;
        if
        :: BROKEN == 6 -> slot = 1; won = true
        :: else -> atomic { if :: slot == 0 -> slot = 1; won = true :: else -> skip fi }
        fi;
        if
        :: won ->
           builders++; assert(builders == 1);
           take(cell, id);
           builders--;
           if
           :: cell > 0 || BROKEN != 3 -> slot = cell
           :: else -> skip
           fi;
           if
           :: BROKEN == 4 && cell > 0 -> filled[cell - 2] = true
           :: else -> skip
           fi;
           break
        :: else -> skip
        fi
     fi
  od;
  if
  :: cell > 0 -> assert(filled[cell - 2])
  :: else -> assert(failed && reserved > CELLS)
  fi;
  cell = 0
}

/* snd_pointer_deactivate */
inline deactivate(seen, won) {
  seen = slot;
  won = false;
  if
  :: seen > 1 || (seen == 1 && BROKEN == 1) ->
     if
     :: BROKEN == 5 -> slot = 0; won = true
     :: BROKEN == 7 -> atomic { if :: slot > 1 -> slot = 0; won = true :: else -> skip fi }
     :: else -> atomic { if :: slot == seen -> slot = 0; won = true :: else -> skip fi }
     fi;
     if
     :: won && seen > 1 ->
        recycled[seen - 2]++;
        assert(recycled[seen - 2] == 1);
        if
        :: BROKEN == 2 -> free_id = seen - 2
        :: else -> skip
        fi
     :: else -> skip
     fi
  :: else -> skip
  fi;
  seen = 0; won = false
}

/* a reader: snd_pointer_peek */
inline peek(seen) {
  seen = slot;
  if
  :: seen > 1 -> assert(filled[seen - 2])
  :: else -> skip
  fi;
  seen = 0
}

proctype worker() {
  byte turn, seen, cell, id;
  bool won;
  do
  :: turn < OPERATIONS ->
     if
     :: activate(seen, won, cell, id); seen = 0; id = 0; won = false
     :: deactivate(seen, won)
     :: peek(seen)
     fi;
     turn++
  :: else -> break
  od;
  done++
}

init {
  byte k;
  atomic {
    k = 0;
    do :: k < THREADS -> run worker(); k++ :: else -> break od
  };
  (done == THREADS);
  assert(slot != 1);
  assert(failed == (reserved > CELLS));
  k = 0;
  do
  :: k < IDS ->
     assert(handed[k] == (k < reserved && k < CELLS));
     assert(recycled[k] + (slot == k + 2) == handed[k]);
     k++
  :: else -> break
  od
}
