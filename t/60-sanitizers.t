#!/bin/sh
# Threads, addresses and undefined behaviour, watched by clang's sanitizers: the programs
# of t/run and a libsnode built with them, on host threads; the thread sanitizer in
# the device image too. No -fwrapv: nothing may overflow. SN_LONG=1 churns for long, and
# compiles at -O1: at -O0 the sanitizers see no less, in a quarter of the time.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$TEST_CLANG" ] || skip_all "no clang with OpenMP"
echo 'int main(void) { return 0; }' >"$work/empty.c"
$TEST_CLANG -fsanitize=thread "$work/empty.c" -o "$work/empty" 2>/dev/null ||
  skip_all "clang has no sanitizers here (Debian: libclang-rt-19-dev)"
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the build has a sanitizer of its own"
. "$SN_SRCDIR/t/run/programs.sh"
backend_flags="-g1 -O1"

generate_programs omp && pass "generate" || fail "generate"

# libsnode FOLDER: built with $SANITIZER_CFLAGS and $compile_flags; $library is it from now on
libsnode() {
  library=
  mkdir -p "$work/$1"
  for f in "$SN_SRCDIR"/runtime/host/*/*.c; do
    object=$work/$1/lib-$(basename "$(dirname "$f")")-$(basename "$f" .c).o
    library="$library $object"
    at_once $TEST_CLANG -std=c11 $compile_flags $SANITIZER_CFLAGS -D_GNU_SOURCE -I"$SN_SRCDIR" $include \
      -I"$SN_BUILDDIR" -c "$f" -o "$object"
  done
  all_done
}

# with NAME FLAGS CONFIGURATION [BEFORE]: everything built with FLAGS; true when it was. Library and
# drivers are those of BEFORE, which were compiled by clang with the same flags just before.
with() {
  SANITIZER_CFLAGS=$2
  if [ -n "$SN_LONG" ]; then compile_flags="-g1 -O1"; else compile_flags="-g1 -O0"; fi
  if { [ -n "$4" ] || { libsnode "$1-library" && build_drivers "$3" "$1-drivers"; }; } &&
     build_programs "$3" "$1" "${4:-$1}-drivers" >"$work/build.out" 2>&1; then
    pass "$1: builds"
  else
    fail "$1: builds"
    diag "$(head -n 20 "$work/build.out")"
    return 1
  fi
}

# clean NAME CONFIGURATION WAY: each program prints what it should, and no report
clean() {
  for p in ${SN_PROGRAMS:-$programs}; do
    run_as "$2" "$3" "$work/$1/run" "$p" >"$work/out" 2>"$work/err"
    clean_status=$?
    if [ $clean_status -eq 0 ] && cmp -s "$work/out" "$run/$p.out"; then
      pass "$1, $3: $p"
    else
      fail "$1, $3: $p"
      diag "exit status $clean_status"
      diag "$(grep -v '^ *$' "$work/err" | head -n 30)"
    fi
  done
}

archer=$($TEST_CLANG -print-file-name=libarcher.so)
case $archer in
  /*) OMP_TOOL_LIBRARIES=$archer; export OMP_TOOL_LIBRARIES ;;
  *) diag "no libarcher: the thread sanitizer cannot see OpenMP's barriers" ;;
esac
# libomp itself is not instrumented
TSAN_OPTIONS="ignore_noninstrumented_modules=1 exitcode=66"
ASAN_OPTIONS="detect_leaks=1 exitcode=67"
UBSAN_OPTIONS="print_stacktrace=1"
export TSAN_OPTIONS ASAN_OPTIONS UBSAN_OPTIONS

# a race that is planted is seen: the sanitizer and archer are at work
cat >"$work/race.c" <<'END'
#include <stdio.h>
int main(void)
{
  int n = 0;
# pragma omp parallel num_threads(4)
  for (int i = 0; i < 1000; i++) n++;
  printf("%d\n", n);
  return 0;
}
END
$TEST_CLANG -g -O1 -fopenmp -fsanitize=thread "$work/race.c" -o "$work/race" $CLANG_OPENMP_LDFLAGS
"$work/race" >/dev/null 2>"$work/err"
is "a planted race is reported" $? 66

# churned NAME WAY STEPS: whirl, which holds a tree of all kinds against plain arrays and
# watches its memory, for so long
churned() {
  SN_STEPS=$3 run_seconds=3000 run_as host-clang "$2" "$work/$1/run" whirl >"$work/out" 2>"$work/err"
  churned_status=$?
  if [ $churned_status -eq 0 ] && cmp -s "$work/out" "$run/whirl.out"; then
    pass "$1, $2: $3 steps of a tree of all kinds"
  else
    fail "$1, $2: $3 steps of a tree of all kinds"
    diag "exit status $churned_status"
    diag "$(cat "$work/out")"
    diag "$(grep -v '^ *$' "$work/err" | head -n 30)"
  fi
}

choose trees
if with threads -fsanitize=thread host-clang; then
  clean threads host-clang threads=8
fi
# In the image: archer does not see that a league of teams has ended, and reports a
# region's teams against those of the region before. So one team, of 8 threads.
if why=$(available x86); then
  usual_path=$LD_LIBRARY_PATH
  LD_LIBRARY_PATH=$(dirname "$($TEST_CLANG -print-file-name=libclang_rt.tsan-x86_64.so)")
  export LD_LIBRARY_PATH
  before=threads                       # where one clang compiles both
  [ "$OFFLOAD_CC" = "$TEST_CLANG" ] || before=
  # the thread sanitizer has shadow memory of all that a device's pool is, and clears it for each context
  SNODE_POOL=8M
  export SNODE_POOL
  if with image "-fsanitize=thread -shared-libsan" x86 $before; then clean image x86 teams=1x8; fi
  unset SNODE_POOL
  LD_LIBRARY_PATH=$usual_path
else
  skip "image" "$why"
fi
choose all
if with addresses "-fsanitize=address,undefined -fno-sanitize-recover=all" host-clang; then
  clean addresses host-clang threads=4
  if [ -n "$SN_LONG" ]; then
    churned addresses threads=2 100000
    churned addresses threads=16 10000
  fi
fi
done_testing
