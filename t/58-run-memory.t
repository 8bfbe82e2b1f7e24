#!/bin/sh
# Memory that runs out under programs with trees: each allocation of each program of t/run, libsnode's
# and the device's, fails once, until the program has none left that could, on the host's threads and
# in the device image, under the address sanitizer: nothing crashes, hangs or leaks. A program ends at
# its first call that comes to something else than it should (t/run/run.h), with its trees alive.
# In make check-long alone (SN_LONG=1). SN_PROGRAMS="dense deep" chooses programs, SN_WHERE="host"
# where; each is run by one process at a time, so that what is printed last is what hangs.
# t/covered/58-run-memory.txt says which were swept at which commit, and SN_SINCE=COMMIT carries on.
# FAIL_FROM=1000 FAIL_UNTIL=1999 sweeps a part, which leaves no row: parts can go side by side.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/covered.sh"
[ -n "$SN_LONG" ] || skip_all "takes long: make check-long (SN_LONG=1)"
. "$SN_SRCDIR/t/failing.sh"
with_sanitizers
. "$SN_SRCDIR/t/run/programs.sh"

only ${SN_PROGRAMS:-$programs}
flags="-std=c11 -O0 -g1 -D_GNU_SOURCE -I$SN_SRCDIR $include -I$SN_BUILDDIR"

# library FOLDER FLAGS: libsnode and what fails, as $library
library() {
  library_to=$work/$1
  mkdir "$library_to"
  for f in "$SN_SRCDIR"/runtime/host/*/*.c; do
    at_once $TEST_CLANG $flags $sanitize -DSN_DEBUG $failing_flags -c "$f" \
      -o "$library_to/$(echo "${f##*/host/}" | tr / -).o"
  done
  for f in memory sweep; do
    at_once $TEST_CLANG $flags $2 -c "$SN_SRCDIR/t/exec/failing/$f.c" -o "$library_to/$f.o"
  done
  all_done && library="$(echo "$library_to"/*.o) $failing_ldflags"
}

# built WHERE CONFIGURATION FLAGS: all programs, in $work/WHERE/run
built() {
  library "$1-library" "$3" && SANITIZER_CFLAGS=$sanitize build_drivers host-clang "$1-drivers" &&
    build_programs "$2" "$1" "$1-drivers" >"$work/build.out" 2>&1 && return
  diag "$(head -n 20 "$work/build.out")"
  return 1
}

# sweep_programs WHERE CONFIGURATION WAY
sweep_programs() {
  for p in $programs; do
    if is_covered "$1,$p"; then continue; fi
    (sweep "$work/$1/$p" "$2" "$3" "$work/$1/run" "$p")
    swept "$1,$p" "$work/$1/$p"
  done
}

covers 58-run-memory
run_flags="$run_flags -DRUN_STOP=failing_stop"
generate_programs omp && pass "generate" || fail "generate"
case " ${SN_WHERE:-host} " in *" host "*)
  SANITIZER_CFLAGS=$sanitize compile_flags=-O0
  if built host host-clang ""; then
    pass "host: builds"
    sweep_programs host host-clang threads=2
  else
    fail "host: builds"
  fi ;;
esac

# what runs in the image is not instrumented: its host side calls what is
asan=$($TEST_CLANG -print-file-name=libclang_rt.asan-x86_64.so)
case " ${SN_WHERE:-image} " in
  *" image "*) ;;
  *) done_testing ;;
esac
if ! why=$(available x86); then skip "image" "$why"
elif [ ! -e "$asan" ]; then skip "image" "clang has no shared address sanitizer here"
elif [ "$OFFLOAD_CC" != "$TEST_CLANG" ]; then skip "image" "$OFFLOAD_CC is another compiler"
else
  SANITIZER_CFLAGS=
  OFFLOAD_LDFLAGS="$asan -Wl,--wrap=omp_target_alloc -Wl,-rpath,$(dirname "$asan") $OFFLOAD_LDFLAGS"
  if built image x86 -DFAILING_DEVICES; then
    pass "image: builds"
    sweep_programs image x86 teams=1
  else
    fail "image: builds"
  fi
fi
done_testing
