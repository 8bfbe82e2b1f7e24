#!/bin/sh
# Each of the five rules of the replica machine has a test that fails when the rule is broken:
# here it is broken, in a copy of the sources, and t/exec/replicas.c has to say so.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$TEST_GCC" ] || skip_all "no gcc"

# build FILE PREFIX: one of the sources, to an object named after it
build() {
  $TEST_GCC -std=c11 -O1 -w -DSN_SERIAL -D_GNU_SOURCE -I"$work" -I"$SN_SRCDIR" $include -c "$1" \
    -o "$work/objects/$2$(basename "$1" .c).o" >>"$work/build.out" 2>&1
}

patient=$((60 * ${run_patience:-1}))
# outcome SECONDS: of the test with the objects as they are now: passed, failed or unbuilt.  Some
# breaks make it wait for ever: those that shall pass get time, the others little.
outcome() {
  $TEST_GCC "$work"/objects/*.o -o "$work/program" -lm -pthread >>"$work/build.out" 2>&1 ||
    { echo unbuilt; return; }
  if timeout "$1" "$work/program" >"$work/said" 2>&1; then echo passed; else echo failed; fi
}

# edited OUTCOME NAME FILE EXPRESSION SECONDS: of sed, in one file alone
edited() {
  sed -e "$4" "$SN_SRCDIR/runtime/host/exec/$3" >"$work/$3"
  if cmp -s "$work/$3" "$SN_SRCDIR/runtime/host/exec/$3"; then
    fail "$2: the expression changes nothing"
    return
  fi
  build "$work/$3"
  is "$2" "$(outcome "$5")" "$1" || diag "$(head -n 20 "$work/build.out")"
  build "$SN_SRCDIR/runtime/host/exec/$3"
}

breaks() {
  edited failed "$@" 5
}

mkdir "$work/objects"
for f in "$SN_SRCDIR"/runtime/host/exec/*.c "$SN_SRCDIR/t/exec/replicas.c"; do
  build "$f" || { fail "$f builds"; diag "$(cat "$work/build.out")"; }
done
for f in "$SN_SRCDIR"/runtime/host/base/*.c; do
  build "$f" base- || { fail "$f builds"; diag "$(cat "$work/build.out")"; }
done
is "as they are" "$(outcome "$patient")" passed || diag "$(head -n 20 "$work/build.out")"

breaks "rule 1: transfers home are not waited for" reserve.c \
  's/if (block->moving)  .*/if (0)/'
breaks "rule 2: a cancel stays where it is" reserve.c \
  's/= sni_replica_before(request->mode, was)/= SNI_DIRTY/'
breaks "rule 2: what a cancel returns to has not gone home" reserve.c \
  's/^  if (!request->is_cancellable || !local ||/  if (1 || !local ||/'
breaks "rule 2: a replica that was worked in is what it was" request.c \
  's/^    replica->before = SNI_UNI;/    ;/'
breaks "rule 3: others are not flushed" reserve.c \
  's/^      passes = 0;/      passes = passes;/'
breaks "rule 3: copies elsewhere are not outdated by a write" reserve.c \
  '/^    sni_block_outdate(block, replica);/{N;s/.*\n  if (is_home/    ;\n  if (is_home/;}'
breaks "rule 3: copies elsewhere are not outdated by what comes home" replica.c \
  's/^  if (ended != SNI_GET)$/  if (0)/'
breaks "rule 4: at home sums are made in place" reserve.c \
  's/(request->mode == SNI_OP_ACC && !request->is_direct)/0/'
breaks "rule 4: sums at home do not outdate copies" request.c \
  's/^    sni_block_outdate(block, NULL);/    ;/'
breaks "rule 5: the Get overtakes the sum" transfer.c \
  's/^  if (replica->pending == SNI_ACCALL)$/  if (replica->then_get) code = sni_engine_copy(engine, here, home);\n&/; s/^  if (code == SN_OK \&\& (replica->pending == SNI_GET .*/  if (code == SN_OK \&\& replica->pending == SNI_GET)/'
# two sums meet when there is time between a sum's reading and its writing
wait='s/^    sni_elements_add(tensor->type, how, to, \(from.*\));$/    void *sum = malloc(from.bytes); memcpy(sum, to, from.bytes); usleep(500); sni_elements_add(tensor->type, how, sum, \1); memcpy(to, sum, from.bytes); free(sum);/'
edited passed "sums that take their time" transfer.c "$wait" "$patient"
breaks "rule 5: sums meet" transfer.c "$wait"'; s/^  sni_mutex_lock(lock);.*//; s/^  sni_mutex_unlock(lock);//'
done_testing
