/* Chunks of cells made inside a task (runtime/device/node.h): look, lock, look
 * again, make; by every interleaving of THREADS threads that each take TAKES ids,
 * with an arena that holds ARENA chunks of which another SNode may take some.
 *
 * Checked: a chunk is made once and in order; an id is handed out once; memory
 * that is there is handed out; settling at the end leaves just the ids that were
 * handed out.  A chunk has nothing to be filled with; who takes a fresh cell writes it
 * before publishing it, which pointer.pml has.  Who has taken a cell may give it back, and finds its
 * place in the recycled list.
 *
 * BROKEN: 1 no second look   2 not in order   3 ids are not settled   4 no lock   5 the recycled
 * list gets places for a chunk's cells when others can have taken them
 */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef TAKES
#define TAKES 2
#endif
#ifndef ARENA
#define ARENA 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define CHUNK 2                  /* cells; places of the recycled list */
#define IDS (THREADS * TAKES + 1)

byte chunk[IDS];                 /* times made */
bool found[IDS], listed[IDS];    /* chunks: of cells, of the list */
byte made, used;                 /* chunks; of the arena */
bool locked, exhausted;
byte reserved, recycled, handed[IDS], refused, done;

inline arena_take(k, got) {
  atomic {
    got = false;
    if :: used < ARENA -> used++; got = true :: else -> skip fi
  }
}

/* makes chunk number n; under the lock */
inline make(n, got) {
  arena_take(n, got);
  if
  :: got ->
     chunk[n]++;
     assert(chunk[n] == 1);
     assert(n == 0 || found[n - 1]);
     if :: BROKEN != 5 -> listed[n] = true :: else -> skip fi;
     found[n] = true;
     listed[n] = true;
     made++
  :: else -> skip
  fi
}

proctype worker() {
  byte turn, id, n, next, place;
  bool got, more;
  do
  :: turn < TAKES ->
     if
     :: exhausted -> refused++
     :: else ->
        atomic { id = reserved; reserved++ };
        n = id / CHUNK;
        if
        :: found[n] -> skip
        :: else ->
           if
           :: BROKEN == 4 -> skip
           :: else -> atomic { !locked -> locked = true }
           fi;
           more = true;
           do
           :: BROKEN == 1 -> make(n, got); break
           :: BROKEN != 1 && more && made <= n ->
              if :: BROKEN == 2 -> next = n :: else -> next = made fi;
              make(next, got);
              more = got
           :: BROKEN != 1 && !(more && made <= n) -> break
           od;
           if
           :: BROKEN == 4 -> skip
           :: else -> locked = false
           fi
        fi;
        if
        :: found[n] ->
           handed[id]++;
           if
           :: atomic { place = recycled; recycled++ };
              assert(listed[place / CHUNK])
           :: skip
           fi
        :: else -> exhausted = true; refused++
        fi
     fi;
     id = 0; n = 0; next = 0; place = 0; got = false; more = false;
     turn++
  :: else -> break
  od;
  done++
}

/* another SNode of the tree takes from the arena at any time, or does not */
proctype neighbour() {
  bool got;
  if
  :: arena_take(0, got)
  :: skip
  fi;
  done++
}

init {
  byte k, all;
  atomic {
    k = 0;
    do :: k < THREADS -> run worker(); k++ :: else -> break od;
    run neighbour()
  };
  (done == THREADS + 1);
  /* snd_settle */
  if
  :: BROKEN != 3 && reserved > made * CHUNK -> reserved = made * CHUNK
  :: else -> skip
  fi;
  assert(!locked);
  k = 0;
  do
  :: k < IDS ->
     assert(handed[k] == (k < reserved));
     all = all + handed[k];
     k++
  :: else -> break
  od;
  assert(all + refused == THREADS * TAKES);
  assert(refused == 0 || exhausted)
}
