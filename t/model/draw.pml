/* The blocks of a loop, drawn from shares (snd_draw_blocks of runtime/device/loop.h), by every
 * interleaving of THREADS threads.  Each begins with its share and goes on to the next one when it
 * is empty.
 *
 * Checked: each block is drawn once, and all are when everybody has ended.
 *
 * BROKEN breaks the protocol in one place; each must be found:
 *   1 the number is loaded, then stored      3 a thread goes on to no other share
 *   2 a draw is not cut at the share's end   4 the look before the add is trusted
 */
#ifndef BROKEN
#define BROKEN 0
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifndef SHARES
#define SHARES 3
#endif
#define EACH 3
#define GRAB 2
#define BLOCKS (SHARES * EACH)

byte next[SHARES], drawn[BLOCKS];
byte ended;

proctype thread(byte number)
{
  byte share = number * SHARES / THREADS, passed, at, k;

  do
  :: passed == SHARES || (BROKEN == 3 && passed == 1) -> break
  :: else ->
    if
    :: next[share] < (share + 1) * EACH ->      /* the look */
      if
      :: BROKEN != 1 -> d_step { at = next[share]; next[share] = next[share] + GRAB }
      :: else -> at = next[share]; next[share] = at + GRAB
      fi;
      if
      :: at < (share + 1) * EACH || BROKEN == 4 ->
        k = at;
        do
        :: k < at + GRAB && (k < (share + 1) * EACH || BROKEN == 2 || BROKEN == 4) ->
          assert(k < BLOCKS && drawn[k] == 0);
          drawn[k] = 1;
          k++
        :: else -> break
        od
      :: else -> passed++; share = (share + 1) % SHARES
      fi
    :: else -> passed++; share = (share + 1) % SHARES
    fi
  od;
  ended++
}

init {
  byte k;

  atomic {
    for (k : 0 .. SHARES - 1) { next[k] = k * EACH }
    for (k : 0 .. THREADS - 1) { run thread(k) }
  }
  (ended == THREADS);
  for (k : 0 .. BLOCKS - 1) { assert(drawn[k] == 1) }
}
