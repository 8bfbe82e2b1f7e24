# Programs whose allocations fail one by one, under the address sanitizer: what t/57-exec-memory.t and
# t/58-run-memory.t share.  Read after t/lib.sh and t/covered.sh.
#
# They are linked with t/exec/failing/memory.c and sweep.c, by $failing_ldflags, and a libsnode compiled
# with $failing_flags; a program ends at its first check that does not hold by failing_stop.
ASAN_OPTIONS="detect_leaks=1:exitcode=99"
UBSAN_OPTIONS="print_stacktrace=1"
LSAN_OPTIONS="suppressions=$work/suppressions:print_suppressions=0"
SN_SMALL=1
# a quarter of the machine's memory as one block takes the sanitizer a while each time
SNODE_POOL=4M
export SNODE_POOL
export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS SN_SMALL
# what libomptarget keeps for itself
printf 'leak:libomptarget.so\nleak:libomp.so\n' >"$work/suppressions"

sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
failing_flags="-Dmalloc=failing_malloc -Dcalloc=failing_calloc -Dmmap=failing_mmap"
failing_ldflags=-Wl,--wrap=main
# every day some runs of a program; a run may have the machine only where nothing else wants it
if [ -n "$SN_LONG" ]; then FAIL_RUNS=0 FAIL_SECONDS=${SN_SECONDS:-1200}; else FAIL_RUNS=6 FAIL_SECONDS=120; fi
export FAIL_RUNS FAIL_SECONDS

# with_sanitizers: or the whole test is left out
with_sanitizers() {
  [ -n "$TEST_CLANG" ] || skip_all "no clang with OpenMP"
  echo 'int main(void) { return 0; }' >"$work/empty.c"
  $TEST_CLANG -fsanitize=address,undefined "$work/empty.c" -o "$work/empty" 2>/dev/null ||
    skip_all "clang has no sanitizers here (Debian: libclang-rt-19-dev)"
  [ -z "$SANITIZER_CFLAGS" ] || skip_all "the build has a sanitizer of its own"
}

# sweep FOLDER/NAME CONFIGURATION WAY COMMAND...: what went wrong in FOLDER/NAME.odd, how often it
# was run in FOLDER/NAME.d/runs
sweep() {
  sweep_to=$1 sweep_as=$2 sweep_way=$3
  shift 3
  mkdir "$sweep_to.d" && cd "$sweep_to.d" || return 1
  run_seconds=100000 run_as "$sweep_as" "$sweep_way" "$@" >"$sweep_to.odd" 2>&1 ||
    echo "exit status $?" >>"$sweep_to.odd"
}

# swept WHERE,NAME FOLDER/NAME: says what the sweep came to; in the table too (covered.sh), where
# it was of all allocations
swept() {
  swept_runs=$(cat "$2.d/runs" 2>/dev/null)
  is "$1: $swept_runs allocations fail" "$(head -n 60 "$2.odd" 2>&1)" ""
  swept_status=$?
  [ "$FAIL_RUNS" -ne 0 ] || [ -n "$FAIL_FROM$FAIL_UNTIL" ] ||
    cover "$1" "$([ $swept_status -eq 0 ] && echo ok || echo FAILED)" "${swept_runs:-none}"
  return $swept_status
}
