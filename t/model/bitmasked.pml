/* A bitmasked cell (runtime/device/bitmasked.h, reset.h, sweep.h): bits, resets in the
 * task and the sweep behind it, by every interleaving of THREADS threads that each do
 * OPERATIONS operations of any kind on one cell, while another one activates the cell
 * beside it, whose bit is in the same word.
 *
 * The cell has an element and, below it, a cell with a bit of its own and an element.
 * Every step is one word's: orders are not needed (docs/sparse.md).
 *
 * Or all THREADS take out a cell that is active and written when they begin.
 *
 * Checked: of several deactivations each bit that was set is cleared by one; the
 * neighbour stays active; in the end an inactive cell holds its default and has nothing
 * active below, an inactive cell below an active one its default; what is active at the
 * end keeps what it has.  Whoever has taken out a cell, or come too late for it, meets
 * an inactive one.
 *
 * BROKEN: 1 bits are loaded, then stored   2 who takes a cell out does not note it
 *         3 no sweep                       4 a reset does not note the cells below it
 *         5 the sweep resets what is active again
 *         6 the bit is cleared before the cell is reset
 */
#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPERATIONS
#define OPERATIONS 2
#endif
#ifndef BROKEN
#define BROKEN 0
#endif
#define DEFAULT 0

bool mask[2], out, inner_mask, inner_out;        /* mask: of one word; [1]: the neighbour */
byte element = DEFAULT, inner = DEFAULT;
byte activated, taken, done;     /* of the cell: how often 0 became 1, and 1 was taken out */

inline activate() {
  if
  :: BROKEN == 1 ->
     see[0] = mask[0]; see[1] = mask[1];
     if :: !see[0] -> activated++ :: else -> skip fi;
     atomic { mask[0] = true; mask[1] = see[1] }
  :: else ->
     atomic { if :: !mask[0] -> mask[0] = true; activated++ :: else -> skip fi }
  fi
}

/* snd_reset_in_place, in the task: element by element, bit by bit */
inline reset() {
  element = DEFAULT;
  inner = DEFAULT;
  atomic { was = inner_mask; inner_mask = false };
  if
  :: was && BROKEN != 4 -> inner_out = true
  :: else -> skip
  fi;
  was = false
}

inline clear() {
  if
  :: BROKEN == 1 ->
     see[0] = mask[0]; see[1] = mask[1];
     atomic { mask[0] = false; mask[1] = see[1] };
     was = see[0]
  :: else -> atomic { was = mask[0]; mask[0] = false }
  fi;
  if
  :: was ->
     was = false;
     taken++;
     if :: BROKEN != 2 -> out = true :: else -> skip fi
  :: else -> skip
  fi
}

inline deactivate() {
  if
  :: !mask[0] -> skip
  :: else ->
     if :: BROKEN == 6 -> clear() :: else -> skip fi;
     reset();
     if :: BROKEN != 6 -> clear() :: else -> skip fi
  fi
}

proctype remover() {
  bool was, see[2];
  deactivate();
  assert(!mask[0] && element == DEFAULT && !inner_mask && inner == DEFAULT);
  done++
}

/* A store that saw the cell active, below it too; it may come when that is over. */
proctype worker(byte me) {
  byte turn;
  bool was, see[2];
  do
  :: turn < OPERATIONS ->
     if
     :: true -> activate(); element = me
     :: true -> activate();
        atomic { inner_mask = true };
        inner = me
     :: true -> deactivate()
     fi;
     see[0] = false; see[1] = false; was = false;
     turn++
  :: else -> break
  od;
  done++
}

proctype neighbour() {
  atomic { mask[1] = true };
  done++
}

init {
  byte k, kept, kept_inner;
  atomic {
    k = 1;
    if
    :: true -> do :: k <= THREADS -> run worker(k); k++ :: else -> break od
    :: true ->
       mask[0] = true; inner_mask = true; element = 9; inner = 9; activated = 1;
       do :: k <= THREADS -> run remover(); k++ :: else -> break od
    fi;
    run neighbour()
  };
  (done == THREADS + 1);
  assert(mask[1]);
  assert(activated == taken + mask[0]);
  kept = element; kept_inner = inner;
  /* SND_RT_SWEEP, from above: a container below an inactive cell is swept with it */
  if
  :: BROKEN != 3 && out && (!mask[0] || BROKEN == 5) ->
     element = DEFAULT; inner = DEFAULT; inner_mask = false; inner_out = false
  :: else -> skip
  fi;
  out = false;
  if
  :: BROKEN != 3 && mask[0] && inner_out && !inner_mask -> inner = DEFAULT
  :: else -> skip
  fi;
  if :: mask[0] -> inner_out = false :: else -> skip fi;
  assert(mask[0] || (element == DEFAULT && !inner_mask && !inner_out));
  assert((mask[0] && inner_mask) || inner == DEFAULT);
  assert(!mask[0] || element == kept);
  assert(!(mask[0] && inner_mask) || inner == kept_inner)
}
