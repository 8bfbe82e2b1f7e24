# Programs whose allocations fail one by one, under the address sanitizer: what t/57-exec-memory.t and
# t/58-run-memory.t share.  Read after t/lib.sh.
#
# They are linked with t/exec/failing/memory.c and a libsnode compiled with $failing_flags; a program
# ends at its first check that does not hold by failing_stop.
ASAN_OPTIONS="detect_leaks=1:exitcode=99"
UBSAN_OPTIONS="print_stacktrace=1"
LSAN_OPTIONS="suppressions=$work/suppressions:print_suppressions=0"
SN_SMALL=1
export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS SN_SMALL
# what libomptarget keeps for itself
printf 'leak:libomptarget.so\nleak:libomp.so\n' >"$work/suppressions"

sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
failing_flags="-Dmalloc=failing_malloc -Dcalloc=failing_calloc -Dmmap=failing_mmap"
runs_each=6                      # of a program, every day

# with_sanitizers: or the whole test is left out
with_sanitizers() {
  [ -n "$TEST_CLANG" ] || skip_all "no clang with OpenMP"
  echo 'int main(void) { return 0; }' >"$work/empty.c"
  $TEST_CLANG -fsanitize=address,undefined "$work/empty.c" -o "$work/empty" 2>/dev/null ||
    skip_all "clang has no sanitizers here (Debian: libclang-rt-19-dev)"
  [ -z "$SANITIZER_CFLAGS" ] || skip_all "the build has a sanitizer of its own"
}

# once CONFIGURATION WAY NUMBER COMMAND...: with that allocation failing, in the folder where it is
# called; $allocations are those that there were, and says what nobody may see
once() {
  once_as=$1 once_way=$2 once_number=$3
  shift 3
  rm -f count
  FAIL_AT=$once_number FAIL_COUNT=count run_seconds=${SN_SECONDS:-120} run_as "$once_as" "$once_way" "$@" >said 2>err
  once_status=$?
  allocations=$(cat count 2>/dev/null || echo 0)
  case $once_number,$once_status in
    0,1) echo "no allocation fails, and it ends by itself: $(grep -m 1 '^not ok' said || tail -n 1 said)" ;;
    *,[01]) grep 'runtime error' err | sed "s/^/allocation $once_number: /" ;;
    *,124) echo "allocation $once_number: it hangs: $(tail -n 1 said)" ;;
    *) echo "allocation $once_number: exit status $once_status"; grep -v '^ *$' err | head -n 30 ;;
  esac
}

# sweep FOLDER/NAME CONFIGURATION WAY COMMAND...: what went wrong in FOLDER/NAME.odd, how often it
# was run in FOLDER/NAME.runs
sweep() {
  sweep_to=$1 sweep_as=$2 sweep_way=$3
  shift 3
  mkdir "$sweep_to.d" && cd "$sweep_to.d" || return 1
  once "$sweep_as" "$sweep_way" 0 "$@" >"$sweep_to.odd"
  sweep_all=$allocations sweep_step=1 sweep_number=1 sweep_runs=0
  [ -n "$SN_LONG" ] || sweep_step=$((sweep_all / runs_each + 1))
  # to the end, where none failed; or, when it comes to none, a little beyond
  while [ "$sweep_number" -le $((2 * sweep_all + 100)) ]; do
    once "$sweep_as" "$sweep_way" "$sweep_number" "$@" >>"$sweep_to.odd"
    [ "$allocations" -eq 0 ] || [ "$allocations" -ge "$sweep_number" ] || break
    sweep_number=$((sweep_number + sweep_step)) sweep_runs=$((sweep_runs + 1))
  done
  echo "$sweep_runs of $sweep_all" >"$sweep_to.runs"
}

# swept NAME FOLDER/NAME: says what the sweep came to, in the log too
swept() {
  swept_text="$1: $(cat "$2.runs" 2>/dev/null) allocations fail"
  if is "$swept_text" "$(head -n 60 "$2.odd" 2>&1)" ""; then
    record "$swept_text, nothing crashes, hangs or leaks"
  else
    record "$swept_text, something is wrong: $(head -n 1 "$2.odd" 2>&1)"
    return 1
  fi
}
