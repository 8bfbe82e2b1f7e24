#!/bin/sh
# Memory that runs out under the execution core: each allocation of each program of t/exec, libsnode's
# and the devices', fails once, until the program has none left that could, on the host and in the
# device image, under the address sanitizer: nothing crashes, hangs or leaks. A program ends at its
# first check that does not hold; that all can be taken down is t/exec/memory.c's matter.
# Every day some allocations of some programs; SN_LONG=1: all of all, more than an hour of one
# processor. SN_PROGRAMS="replay commits" chooses programs.
. "${SN_SRCDIR:-.}/t/lib.sh"
[ -n "$TEST_CLANG" ] || skip_all "no clang with OpenMP"
echo 'int main(void) { return 0; }' >"$work/empty.c"
$TEST_CLANG -fsanitize=address,undefined "$work/empty.c" -o "$work/empty" 2>/dev/null ||
  skip_all "clang has no sanitizers here (Debian: libclang-rt-19-dev)"
[ -z "$SANITIZER_CFLAGS" ] || skip_all "the build has a sanitizer of its own"

jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if [ -z "$SN_LONG" ]; then
  some="arrays commits replay resources routines runs buffers contexts"
  some_in_image="buffers merges"
fi
runs_each=6                      # of a program, every day

# at_once COMMAND...: in the background, at most $jobs at a time
running=0
at_once() {
  "$@" >>"$work/log" 2>&1 &
  running=$((running + 1))
  if [ "$running" -ge "$jobs" ]; then wait; running=0; fi
}

flags="-std=c11 -O1 -g1 -D_GNU_SOURCE -I$SN_SRCDIR $include -I$SN_BUILDDIR"
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
mkdir "$work/library" "$work/host" "$work/image"
for f in "$SN_SRCDIR"/runtime/host/exec/*.c "$SN_SRCDIR"/runtime/host/base/*.c; do
  at_once $TEST_CLANG $flags $sanitize -DSN_DEBUG -Dmalloc=failing_malloc -Dcalloc=failing_calloc \
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
        -Wl,--wrap=omp_target_alloc $OFFLOAD_CFLAGS $OFFLOAD_LDFLAGS "-Wl,-rpath,$(dirname "$asan")" \
        -lm -pthread
  else
    $TEST_CLANG $flags $sanitize -DTAP_STOP=failing_stop "$2" "$work"/host/units/*.o \
      "$work"/library/*.o -o "$build_to" -lm -pthread
  fi
}

ASAN_OPTIONS="detect_leaks=1:exitcode=99"
UBSAN_OPTIONS="print_stacktrace=1"
LSAN_OPTIONS="suppressions=$work/suppressions:print_suppressions=0"
SN_SMALL=1
export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS SN_SMALL
# what libomptarget keeps for itself
printf 'leak:libomptarget.so\nleak:libomp.so\n' >"$work/suppressions"

# once WHERE PROGRAM NUMBER: with that allocation failing, in a folder of its own; $allocations are
# those that there were, and says what nobody may see
once() {
  rm -f count
  case $1 in image) once_as=x86 once_way=teams=1 ;; *) once_as=serial-gcc once_way=one ;; esac
  FAIL_AT=$3 FAIL_COUNT=count run_seconds=120 run_as $once_as $once_way "$2" >said 2>err
  once_status=$?
  allocations=$(cat count 2>/dev/null || echo 0)
  case $once_status in
    0|1) grep 'runtime error' err | sed "s/^/allocation $3: /" ;;
    124) echo "allocation $3: it hangs: $(tail -n 1 said)" ;;
    *) echo "allocation $3: exit status $once_status"; grep -v '^ *$' err | head -n 30 ;;
  esac
}

# sweep WHERE NAME: what went wrong in $work/WHERE/NAME.odd, how often it was run in NAME.runs
sweep() {
  mkdir "$work/$1/$2.d" && cd "$work/$1/$2.d" || return 1
  once "$1" "$work/$1/$2" 0 >"../$2.odd"
  sweep_all=$allocations sweep_step=1 sweep_number=1 sweep_runs=0
  [ -n "$SN_LONG" ] || sweep_step=$((sweep_all / runs_each + 1))
  # to the end, where none failed; or, when it comes to none, a little beyond
  while [ "$sweep_number" -le $((2 * sweep_all + 100)) ]; do
    once "$1" "$work/$1/$2" "$sweep_number" >>"../$2.odd"
    [ "$allocations" -eq 0 ] || [ "$allocations" -ge "$sweep_number" ] || break
    sweep_number=$((sweep_number + sweep_step)) sweep_runs=$((sweep_runs + 1))
  done
  echo "$sweep_runs of $sweep_all" >"../$2.runs"
}

# sweep_all WHERE CHOSEN FILE...
sweep_all() {
  sweep_where=$1 sweep_chosen=${SN_PROGRAMS:-$2}
  shift 2
  sweep_names=
  for f; do
    name=$(basename "$f" .c)
    case " $sweep_chosen " in "  "|*" $name "*) sweep_names="$sweep_names $name" ;; *) continue ;; esac
    at_once build "$sweep_where" "$f"
  done
  wait
  running=0
  for name in $sweep_names; do
    if [ -x "$work/$sweep_where/$name" ]; then at_once sweep "$sweep_where" "$name"; fi
  done
  wait
  running=0
  for name in $sweep_names; do
    is "$sweep_where, $name: $(cat "$work/$sweep_where/$name.runs" 2>/dev/null) allocations fail" \
      "$(head -n 60 "$work/$sweep_where/$name.odd" 2>&1)" "" || diag "$(head -n 20 "$work/log")"
  done
}

mkdir "$work/host/units" "$work/image/units"
failing=$SN_SRCDIR/t/exec/failing/memory.c units=$SN_SRCDIR/t/exec/units/units.c
ok "host: what all programs share builds" sh -c \
  "$TEST_CLANG $flags -c '$failing' -o '$work/host/units/memory.o' &&
   $TEST_CLANG $flags $sanitize -DSN_SERIAL -c '$units' -o '$work/host/units/units.o'"
sweep_all host "$some" "$SN_SRCDIR"/t/exec/*.c "$SN_SRCDIR"/t/exec/device/*.c
asan=$($TEST_CLANG -print-file-name=libclang_rt.asan-x86_64.so)
if ! why=$(available x86); then skip "image" "$why"
elif [ ! -e "$asan" ]; then skip "image" "clang has no shared address sanitizer here"
elif [ "$OFFLOAD_CC" != "$TEST_CLANG" ]; then skip "image" "$OFFLOAD_CC is another compiler"
else
  # what runs in the image is not instrumented: its host side frees what the library allocates
  ok "image: what all programs share builds" sh -c \
    "$TEST_CLANG $flags -DFAILING_DEVICES -c '$failing' -o '$work/image/units/memory.o' &&
     $OFFLOAD_CC $flags $OFFLOAD_CFLAGS -DSN_OFFLOAD -c '$units' -o '$work/image/units/units.o'"
  sweep_all image "$some_in_image" "$SN_SRCDIR"/t/exec/device/*.c
fi
done_testing
