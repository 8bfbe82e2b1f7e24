#!/bin/sh
# Memory inside a device's task: chunks that are cut off the context's pool (option pool), in the
# device image, against plain C (t/pool).
. "${SN_SRCDIR:-.}/t/lib.sh"
one_backend=yes
if ! why=$(available x86); then skip_all "$why"; fi
unset SNODE_POOL SNODE_RESERVE SNODE_MEMORY_LIMIT
cp "$SN_SRCDIR/t/pool/particles.sn" "$SN_SRCDIR/t/pool/pool.c" "$work"
cd "$work" || exit 1

ok "generate" generate . particles.sn -q
ok "compile" compile x86 particles.c particles.o
compile_flags=-I.
ok "the driver" compile_driver x86 pool.c pool.o
ok "link" link x86 pool pool.o particles.o

# runs NAME WAY ARGUMENT...: all checks of the driver hold, with the setting $with
with=
runs() {
  runs_name=$1 runs_way=$2
  shift 2
  run_as x86 "$runs_way" env $with ./pool "$@" >out 2>&1
  is "$runs_name" $? 0 || diag "$(head -n 20 out)"
}

# 10000 particles in 4096 lists: 620 MB of chunks, where 64 MiB for each SNode are made ahead
for way in teams=1 teams=2x4; do
  runs "$way: lists under two pointer levels, no option set" $way fill 10000
done

# the pool too small: which SNode, how much; a tree that is valid; a second run that passes
with=SNODE_POOL=64k
runs "a pool of 64 KiB" teams=2x4 twice 10000
contains "is memory that has run out" out "memory has run out: "
contains "of the lists" out "SNode list of particles_particles has "
contains "tells the bytes of a chunk" out "a chunk of 151552 bytes is more than "
contains "and of the pool" out "of the 65536 of the pool (option pool, SNODE_POOL)"
# what leaves the same when it is run twice is run again, until it has had enough
with=SNODE_POOL=64k
runs "more lists than there is memory for" teams=2x4 paint 4096
contains "sums are not made twice" out "gather: memory has run out"
contains "assignments are" out "paint: no error"
ok "which tasks those are" generate . "$SN_SRCDIR/t/pool/repeat.sn" -q
is "is what the compiler has proven" \
  "$(awk '/^static const snd_task/ { name = $4 } /SND_TASK_IDEMPOTENT/ { print name }' repeat.c |
    sed 's/_tasks.*//' | tr '\n' ' ')" \
  "$(sed -n 's/^kernel .* \(yes_[a-z_]*\)(.*/\1/p' "$SN_SRCDIR/t/pool/repeat.sn" | tr '\n' ' ')"
with=SNODE_POOL=0
runs "no pool" teams=2x4 limit 10000
contains "is memory that has run out, too" out "SNode list of particles_particles has "
is "of which no pool is told" "$(grep -c 'of the pool' out)" 0

with=
for way in teams=1 teams=2x8 teams=8x2; do
  runs "$way: threads that want the same tiles and keys" $way race 200000
  runs "$way: and take tiles out again" $way whirl 100000
done
# all of it out of the pool, cut by small steps
with=SNODE_POOL=1M
runs "a small pool, refilled between tasks" teams=2x4 whirl 3000

with=
runs "what trees had is given back" teams=2x4 again 12
runs "files and copies" teams=2x4 copy 6000
with=SNODE_MEMORY_LIMIT=200000000
runs "a memory limit holds" teams=2x4 limit 10000
contains "and is what the error tells" out "the memory limit (option memory_limit"

# each allocation of libsnode's fails once, up to those of what looks at the tree at the end
failed=
for n in $(seq 2 77); do
  with=SNODE_FAIL_ALLOCATION=$n
  run_as x86 teams=2x2 env $with ./pool failing 500 >out 2>&1 || {
    failed="$failed $n"
    diag "$n: $(head -n 5 out)"
  }
done
is "no failed allocation does harm" "$failed" ""
with=

# the option
for value in 0.3x 1.5 0. -1 lots 0.1234567 .5; do
  run_as x86 teams=1 env SNODE_POOL=$value ./pool fill 10 >out 2>&1
  contains "SNODE_POOL=$value is refused" out "SNODE_POOL=$value: expected a number of bytes"
done
for value in 0.01 0.000001 3M 1; do
  with=SNODE_POOL=$value
  runs "SNODE_POOL=$value" teams=1 fill 10
done
done_testing
