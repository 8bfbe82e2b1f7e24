/* The protocol of a hash's bucket (runtime/device/hash.h): THREADS threads that each do
 * OPERATIONS operations of any kind, all but the last on one key, that one on another key of
 * the same bucket, by every interleaving, with memory for KEYS keys.  What only one thread
 * can see happens in one step with what comes before it.
 *
 * Checked: a key is found only with its coordinates written; it is in the chain once, and
 * stays; none is lost; who finds no memory has found no key either; each cell is in the
 * slot of its key or was recycled, once; each key handed out is in the chain or was given
 * back, and says itself which.  Nobody waits for another but for a cell being built, which
 * pointer.pml is about: slots are activated in one step here.  The memory is sequentially
 * consistent here; hash.h argues the orders.
 *
 * BROKEN breaks the protocol in one place; each must be found:
 *   1 a key is pushed before it is written    5 the next key is not set anew
 *   2 after a lost race nobody looks again    6 deactivation takes the key out of its chain
 *   3 the push loads, then stores             7 a key given back still says it is in a chain
 *   4 a key not needed is not given back      8 only the first key of the chain is looked at
 */
#ifndef THREADS
#define THREADS 3
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#ifndef KEYS
#define KEYS 4
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define END 1                    /* SND_CHAIN_END */
#define FIRST 2                  /* a key's address: its id and this */
#define CELLS (THREADS * OPERATIONS)

byte bucket;                     /* 0, or the address of a key */
byte next[KEYS], at[KEYS];       /* at: 0: not written */
byte slot[KEYS];                 /* 0, or a cell + 1 */
byte handed, given_back[KEYS];
byte cells, recycled[CELLS];
bool put_in[3];                  /* by coordinate: somebody has seen the key in the chain */
byte done;

/* snd_hash_search: from `entry` to `last`: in one step with the look at the head, since
 * from a key on that is in the chain nothing changes */
inline search(entry, last, key) {
  do
  :: entry <= END || entry == last -> entry = 0; break
  :: else ->
     assert(at[entry - FIRST] != 0 && next[entry - FIRST] != 0);
     if
     :: at[entry - FIRST] == key -> break
     :: at[entry - FIRST] != key && BROKEN == 8 -> entry = 0; break
     :: else -> entry = next[entry - FIRST]
     fi
  od
}

/* snd_hash_insert */
inline insert(key, entry, own, head, looked, won) {
  own = 0; looked = 0;
  do
  :: atomic {
       head = bucket; entry = head;
       if
       :: BROKEN == 2 && looked != 0 -> entry = 0
       :: else -> search(entry, looked, key)
       fi;
       looked = head
     };
     if
     :: entry == 0 && own == 0 ->
        atomic {
          if
          :: handed < KEYS ->
             own = handed + FIRST; handed++;
             if
             :: BROKEN != 1 -> at[own - FIRST] = key
             :: else -> skip
             fi
          :: else -> skip
          fi
        }
     :: else -> skip
     fi;
     if
     :: entry != 0 || own == 0 -> break
     :: else ->
        atomic {
          won = (bucket == head || BROKEN == 3);
          if
          :: BROKEN != 5 || next[own - FIRST] == 0 ->
             next[own - FIRST] = (head != 0 -> head : END)
          :: else -> skip
          fi;
          if
          :: won -> bucket = own
          :: else -> skip
          fi
        };
        if
        :: won ->
           entry = own;
           if
           :: BROKEN == 1 -> at[own - FIRST] = key
           :: else -> skip
           fi;
           break
        :: else -> skip
        fi
     fi
  od;
  if
  :: own != 0 && entry != own && BROKEN != 4 ->
     atomic {
       if
       :: BROKEN != 7 -> next[own - FIRST] = 0
       :: else -> skip
       fi;
       given_back[own - FIRST]++; assert(given_back[own - FIRST] == 1)
     }
  :: else -> skip
  fi
}

/* snd_hash_activate */
inline activate(key, entry, own, head, looked, won) {
  atomic { entry = bucket; search(entry, 0, key) };
  if
  :: entry == 0 -> insert(key, entry, own, head, looked, won)
  :: else -> skip
  fi;
  if
  :: entry != 0 ->
     atomic {
       put_in[key] = true;
       if
       :: slot[entry - FIRST] == 0 -> cells++; slot[entry - FIRST] = cells
       :: else -> skip
       fi
     }
  :: else -> assert(handed == KEYS)
  fi
}

/* snd_hash_deactivate_key; the key stays */
inline deactivate(key, entry, head) {
  atomic { entry = bucket; search(entry, 0, key) };
  if
  :: entry != 0 ->
     head = slot[entry - FIRST];
     atomic {
       if
       :: head != 0 && slot[entry - FIRST] == head ->
          slot[entry - FIRST] = 0;
          recycled[head - 1]++;
          assert(recycled[head - 1] == 1)
       :: else -> skip
       fi
     };
     if
     :: BROKEN == 6 && bucket == entry ->
        bucket = (next[entry - FIRST] > END -> next[entry - FIRST] : 0)
     :: else -> skip
     fi
  :: else -> skip
  fi
}

/* a reader: snd_hash_peek; a key that was seen is found from then on */
inline peek(key, entry, won) {
  won = put_in[key];
  atomic { entry = bucket; search(entry, 0, key) };
  assert(entry != 0 || !won)
}

proctype worker(byte key) {
  byte turn, entry, own, head, looked;
  bool won;
  do
  :: turn < OPERATIONS ->
     if
     :: activate(key, entry, own, head, looked, won)
     :: deactivate(key, entry, head)
     :: peek(key, entry, won)
     fi;
     atomic { entry = 0; own = 0; head = 0; looked = 0; won = false; turn++ }
  :: else -> break
  od;
  done++
}

init {
  byte k, entry, chained[3];
  atomic {
    k = 0;
    do :: k < THREADS -> run worker((k + 1 < THREADS -> 1 : 2)); k++ :: else -> break od
  };
  (done == THREADS);
  /* the chain: each coordinate at most once; those seen in it are */
  entry = bucket;
  do
  :: entry > END ->
     chained[at[entry - FIRST]]++;
     assert(chained[at[entry - FIRST]] == 1);
     assert(given_back[entry - FIRST] == 0);
     entry = next[entry - FIRST]
  :: else -> break
  od;
  assert(chained[0] == 0);
  assert((!put_in[1] || chained[1] == 1) && (!put_in[2] || chained[2] == 1));
  /* what SND_RT_REHASH would find: next says which keys are in the chain */
  entry = chained[1] + chained[2];
  k = 0;
  do
  :: k < KEYS ->
     assert((next[k] != 0) + given_back[k] == (k < handed));
     if
     :: next[k] != 0 -> entry--
     :: else -> skip
     fi;
     k++
  :: else -> break
  od;
  assert(entry == 0);
  k = 0;
  do
  :: k < cells ->
     entry = 0;
     do :: entry < KEYS && slot[entry] != k + 1 -> entry++ :: else -> break od;
     assert(recycled[k] + (entry < KEYS) == 1);
     k++
  :: else -> break
  od
}
