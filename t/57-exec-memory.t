#!/bin/sh
# Memory that runs out under the execution core: each allocation of each program of t/exec, libsnode's
# and the devices', fails once, until the program has none left that could, on the host and in the
# device image, under the address sanitizer: nothing crashes, hangs or leaks. A program ends at its
# first check that does not hold; that all can be taken down is t/exec/memory.c's matter.
# In the image are the programs of t/exec/device and those of t/exec that have memories, which are
# devices there; the others know the host alone.
# Every day some allocations of some programs; SN_LONG=1: all of all, hours of one processor;
# t/covered/57-exec-memory.txt says which were swept at which commit, and SN_SINCE=COMMIT carries on.
# SN_PROGRAMS="replay commits" chooses programs.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/covered.sh"
. "$SN_SRCDIR/t/failing.sh"
with_sanitizers

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if [ -z "$SN_LONG" ]; then
  some="arrays commits replay resources routines runs buffers contexts"
  some_in_image="buffers merges assign replay routines"
fi

# at_once COMMAND...: in the background, at most $jobs at a time
running=0
at_once() {
  "$@" >>"$work/log" 2>&1 &
  running=$((running + 1))
  if [ "$running" -ge "$jobs" ]; then wait; running=0; fi
}

flags="-std=c11 -O1 -g1 -D_GNU_SOURCE -I$SN_SRCDIR $include -I$SN_BUILDDIR"
mkdir "$work/library" "$work/host" "$work/image"
for f in "$SN_SRCDIR"/runtime/host/exec/*.c "$SN_SRCDIR"/runtime/host/base/*.c; do
  at_once $TEST_CLANG $flags $sanitize -DSN_DEBUG $failing_flags \
    -c "$f" -o "$work/library/$(echo "${f##*/host/}" | tr / -).o"
done
wait
running=0
is "the library builds" "$(ls "$work"/library/*.o | wc -l)" \
  "$(ls "$SN_SRCDIR"/runtime/host/exec/*.c "$SN_SRCDIR"/runtime/host/base/*.c | wc -l)" ||
  diag "$(head -n 20 "$work/log")"

# build WHERE FILE: the program, from the objects there and the library
build() {
  build_to=$work/$1/$(basename "$2" .c)
  if [ "$1" = image ]; then
    $TEST_CLANG $flags $sanitize -DTAP_STOP=failing_stop -c "$2" -o "$build_to.o" &&
      $OFFLOAD_CC "$build_to.o" "$work"/image/units/*.o "$work"/library/*.o "$asan" -o "$build_to" \
        $failing_ldflags,--wrap=omp_target_alloc,--wrap=sn_engine_create $OFFLOAD_CFLAGS $OFFLOAD_LDFLAGS \
        "-Wl,-rpath,$(dirname "$asan")" -lm -pthread
  else
    $TEST_CLANG $flags $sanitize -DTAP_STOP=failing_stop "$2" "$work"/host/units/*.o \
      "$work"/library/*.o -o "$build_to" $failing_ldflags -lm -pthread
  fi
}

# sweep_all WHERE CHOSEN FILE...
sweep_all() {
  case $1 in image) sweep_as="x86 teams=1" ;; *) sweep_as="serial-gcc one" ;; esac
  sweep_where=$1 sweep_chosen=${SN_PROGRAMS:-$2}
  shift 2
  sweep_names=
  for f; do
    name=$(basename "$f" .c)
    case " $sweep_chosen " in "  "|*" $name "*) ;; *) continue ;; esac
    if is_covered "$sweep_where,$name"; then continue; fi
    sweep_names="$sweep_names $name"
    at_once build "$sweep_where" "$f"
  done
  wait
  running=0
  sweep_started=
  for name in $sweep_names; do
    sweep_started="$sweep_started $name"
    [ -x "$work/$sweep_where/$name" ] || continue
    at_once sweep "$work/$sweep_where/$name" $sweep_as "$work/$sweep_where/$name"
    [ "$running" -ne 0 ] || tell_started
  done
  wait
  running=0
  tell_started
}

# tell_started: when they are done, not only behind the last one: a run that is broken off leaves in
# the table what it has swept
tell_started() {
  for name in $sweep_started; do
    swept "$sweep_where,$name" "$work/$sweep_where/$name" || diag "$(head -n 20 "$work/log")"
  done
  sweep_started=
}

covers 57-exec-memory
mkdir "$work/host/units" "$work/image/units"
failing=$SN_SRCDIR/t/exec/failing
units=$SN_SRCDIR/t/exec/units/units.c
ok "host: what all programs share builds" sh -c \
  "$TEST_CLANG $flags -c '$failing/memory.c' -o '$work/host/units/memory.o' &&
   $TEST_CLANG $flags -c '$failing/sweep.c' -o '$work/host/units/sweep.o' &&
   $TEST_CLANG $flags $sanitize -DSN_SERIAL -c '$units' -o '$work/host/units/units.o'"
sweep_all host "$some" "$SN_SRCDIR"/t/exec/*.c "$SN_SRCDIR"/t/exec/device/*.c
asan=$($TEST_CLANG -print-file-name=libclang_rt.asan-x86_64.so)
if ! why=$(available x86); then skip "image" "$why"
elif [ ! -e "$asan" ]; then skip "image" "clang has no shared address sanitizer here"
elif [ "$OFFLOAD_CC" != "$TEST_CLANG" ]; then skip "image" "$OFFLOAD_CC is another compiler"
else
  # what runs in the image is not instrumented: its host side frees what the library allocates
  ok "image: what all programs share builds" sh -c \
    "$TEST_CLANG $flags -DFAILING_DEVICES -c '$failing/memory.c' -o '$work/image/units/memory.o' &&
     cp '$work/host/units/sweep.o' '$work/image/units' &&
     $TEST_CLANG $flags -c '$failing/devices.c' -o '$work/image/units/devices.o' &&
     $OFFLOAD_CC $flags $OFFLOAD_CFLAGS -DSN_OFFLOAD -c '$units' -o '$work/image/units/units.o'"
  sweep_all image "$some_in_image" $(grep -l -w memories "$SN_SRCDIR"/t/exec/*.c) \
    "$SN_SRCDIR"/t/exec/device/*.c
fi
done_testing
