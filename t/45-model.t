#!/bin/sh
# The protocols of the sparse runtime and the replicas of the execution core, every interleaving
# (t/model): the models hold, no thread turns round for ever, and each way to break a protocol is found.
# SN_LONG=1 looks for endless turns in the large models too.
. "${SN_SRCDIR:-.}/t/lib.sh"
case $SPIN in no|'') skip_all "no spin" ;; esac
cd "$work" || exit 1
# to compile what spin writes takes longer than most searches
if [ -n "$SN_LONG" ]; then compiler="$CC -O2"; else compiler=${TEST_TCC:-$CC -O1}; fi
# and where the search takes ten seconds it does not
for_long="$CC -O1"
[ -z "$SN_LONG" ] || for_long=$compiler
# whole states are found again in half the time, where they need not be made small to fit in memory
small_states=${SN_LONG:+-DCOLLAPSE}
# of a way to break a model little is searched: a table of a quarter of a million entries, which grows,
# is cleared in no time, and the usual one of 16 million is not
few=-w18

# explore NAME PAN-CFLAGS PAN-OPTIONS MODEL-OPTION...: what pan found, in a line
explore() {
  explore_name=$1 explore_cflags=$2 explore_options=$3
  shift 3
  rm -f ./*.trail
  "$SPIN" "$@" -a "$SN_SRCDIR/t/model/$explore_name.pml" >spin.out 2>&1 &&
    $compiler -w $explore_cflags -o pan pan.c >cc.out 2>&1 || { echo "no pan"; return; }
  ./pan -m100000 $explore_options >pan.out 2>&1
  # incomplete searches do not count
  grep -e 'max search depth too small' -e 'out of memory' pan.out
  sed -n -e 's/.*\(errors: [0-9]*\).*/\1/p' pan.out
}

# how many ways to break a model its text names
ways_to_break() {
  sed -n -e 's/.*BROKEN == \([0-9]*\).*/\1/p' -e 's/.*BROKEN != \([0-9]*\).*/\1/p' \
    "$SN_SRCDIR/t/model/$1.pml" | sort -un
}

for model in pointer node magazine bitmasked dynamic hash draw pool; do
  is "$model: holds" "$(case $model in node|dynamic) compiler=$for_long ;; esac
    explore $model -DSAFETY '')" "errors: 0"
  if [ -n "$SN_LONG" ]; then small=; else small='-DOPERATIONS=2 -DTAKES=1 -DEMPTIERS=1'; fi
  is "$model: nobody turns round for ever" "$(case $model in hash) compiler=$for_long ;; esac
    explore $model -DNP -l $small)" "errors: 0"
  for b in $(ways_to_break $model); do
    is "$model: broken in way $b is found" "$(explore $model -DSAFETY $few -DBROKEN="$b")" "errors: 1"
  done
done

# Lanes of a GPU that go on together: none waits for what a sibling holds.
is "lockstep: holds" "$(explore lockstep -DSAFETY '')" "errors: 0"
for b in $(ways_to_break lockstep); do
  is "lockstep: broken in way $b is found" "$(explore lockstep -DSAFETY $few -DBROKEN="$b")" "errors: 1"
done

is "draw: holds with more threads than shares" \
  "$(explore draw -DSAFETY '' -DTHREADS=3 -DSHARES=2)" "errors: 0"

# Tasks that workers take and give back without the lock, as many as the ring holds and one more; and
# who wakes whom, also with a thread that helps, of whose tasks two are ordered behind the first.
is "handoff: holds" "$(explore handoff "-DSAFETY $small_states" '')" "errors: 0"
is "handoff: holds where ticks are short" "$(explore handoff "-DSAFETY $small_states" '' -DTICKS=1)" \
  "errors: 0"
helps='-DHELPS=1 -DLATER=2 -DTICKS=1'
is "handoff: holds with a thread that helps" "$(explore handoff "-DSAFETY $small_states" '' $helps)" \
  "errors: 0"
for b in $(ways_to_break handoff); do
  is "handoff: broken in way $b is found" \
    "$(explore handoff "-DSAFETY $small_states" $few -DBROKEN="$b" $([ "$b" != 10 ] || echo $helps))" \
    "errors: 1"
done

# The replicas of a block: state by state, and with evictions when there is time.
is "replica: holds" "$(explore replica "-DSAFETY $small_states" '')" "errors: 0"
is "replica: holds with evictions" "$(explore replica "-DSAFETY $small_states" '' -DEVICTIONS=1 \
  -DOPERATIONS=$([ -n "$SN_LONG" ] && echo 2 || echo 1))" "errors: 0"
is "replica: nobody turns round for ever" "$(explore replica "-DNP $small_states" -l \
  -DOPERATIONS=1)" "errors: 0"
for b in $(ways_to_break replica); do
  is "replica: broken in way $b is found" \
    "$(explore replica "-DSAFETY $small_states" $few -DBROKEN="$b")" "errors: 1"
done
done_testing
