# The Test Anything Protocol for tests in shell, and how they build and run
# generated files.  Read by a test's first line: . "${SN_SRCDIR:-.}/t/lib.sh"
#
# Needs: SN_BUILDDIR and SN_SRCDIR, the folders of the build and of the source
# (both the current one when unset); a build (make; for t/*.t in C: make check).
# Gives: a private folder $work, removed at the end; configure's results.
#
# Compilers and ways to run ("configurations"), one word each:
#   serial-gcc serial-tcc host-clang host-gcc x86
#   acc           OpenACC by gcc: its regions on the host device of its runtime
#   reference-clang reference-gcc reference-x86   atomic.h in plain OpenMP atomics, fill.h as on GPUs
#   interpreter
# build_NAME compiles once; run_NAME may run the result in several ways (threads,
# teams): see ways.

SN_BUILDDIR=${SN_BUILDDIR:-.}
SN_SRCDIR=${SN_SRCDIR:-.}
SN_BUILDDIR=$(cd "$SN_BUILDDIR" && pwd)
SN_SRCDIR=$(cd "$SN_SRCDIR" && pwd)
if [ ! -r "$SN_BUILDDIR/t/config.sh" ]; then
  echo "Bail out! no build in $SN_BUILDDIR: run configure and make, or set SN_BUILDDIR"
  exit 1
fi
. "$SN_BUILDDIR/t/config.sh"
snodegen=$SN_BUILDDIR/snodegen
LC_ALL=C
export LC_ALL

work=$(mktemp -d "${TMPDIR:-/tmp}/snode-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# ---- checks ----

tests_done=0
tests_failed=0
tests_planned=

plan() {
  tests_planned=$1
  echo "1..$1"
}

diag() {
  printf '%s\n' "$*" | sed 's/^/# /'
}

pass() {
  tests_done=$((tests_done + 1))
  printf 'ok %d - %s\n' "$tests_done" "$1"
}

fail() {
  tests_done=$((tests_done + 1))
  tests_failed=$((tests_failed + 1))
  printf 'not ok %d - %s\n' "$tests_done" "$1"
  return 1
}

# ok NAME COMMAND...: the command succeeds; its output is shown when it does not.
ok() {
  ok_name=$1
  shift
  if "$@" >"$work/ok.out" 2>&1; then pass "$ok_name"; else
    ok_status=$?
    fail "$ok_name"
    diag "exit status $ok_status: $*"
    diag "$(head -n 20 "$work/ok.out")"
    return 1
  fi
}

# fails NAME STATUS COMMAND...: ends with just that status; output in $work/out.
fails() {
  fails_name=$1 fails_status=$2
  shift 2
  "$@" >"$work/out" 2>&1
  is "$fails_name" "$?" "$fails_status" || diag "$(head -n 20 "$work/out")"
}

# is NAME GOT EXPECTED
is() {
  if [ "$2" = "$3" ]; then pass "$1"; else
    fail "$1"
    diag "got:      $2"
    diag "expected: $3"
    return 1
  fi
}

# same NAME FILE EXPECTED-FILE
same() {
  if cmp -s "$2" "$3"; then pass "$1"; else
    fail "$1"
    diag "$(diff -u "$3" "$2" | head -n 40)"
    return 1
  fi
}

# contains NAME FILE FIXED-TEXT
contains() {
  if grep -F -e "$3" "$2" >/dev/null; then pass "$1"; else
    fail "$1"
    diag "no \"$3\" in:"
    diag "$(head -n 20 "$2")"
    return 1
  fi
}

# record TEXT: a line of the log that SN_LOG names, where somebody wants one
record() {
  [ -z "$SN_LOG" ] || printf '%s\n' "$*" >>"$SN_LOG"
}

skip() {
  tests_done=$((tests_done + 1))
  printf 'ok %d - %s # SKIP %s\n' "$tests_done" "$1" "$2"
}

# take FILE: results of a part of the test that ran beside this one, with its own count.
take() {
  awk -v n="$tests_done" '/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) } { print }' "$1"
  tests_done=$((tests_done + $(grep -c -E '^(not )?ok ' "$1")))
  tests_failed=$((tests_failed + $(grep -c '^not ok ' "$1")))
}

skip_all() {
  echo "1..0 # SKIP $1"
  exit 0
}

done_testing() {
  [ -n "$tests_planned" ] || plan "$tests_done"
  [ "$tests_done" -eq "$tests_planned" ] || tests_failed=$((tests_failed + 1))
  [ "$tests_failed" -eq 0 ]
  exit $?
}

# installed_in FOLDER: make install with DESTDIR, one test at a time: libtool links libraries once more
# for that, in the build folder.  The lock of a test that was killed is nobody's.
installed_in() {
  installed_lock=$SN_BUILDDIR/t/install.lock
  until mkdir "$installed_lock" 2>/dev/null; do
    sleep 1
    installed_by=$(cat "$installed_lock/pid" 2>/dev/null)
    [ -z "$installed_by" ] || kill -0 "$installed_by" 2>/dev/null || rm -rf "$installed_lock"
  done
  echo $$ >"$installed_lock/pid"
  (unset MAKEFLAGS MFLAGS MAKELEVEL
   cd "$SN_BUILDDIR" && ${MAKE:-make} -s install DESTDIR="$1" >"$work/install.out" 2>&1)
  installed_status=$?
  rm -rf "$installed_lock"
  return $installed_status
}

# ---- generated files ----

werror=-Werror          # t/run/programs.sh counts warnings instead
warnings='-Wall -Wextra -Wshadow -Wstrict-prototypes -pedantic'
generated_warnings="$warnings -Wconversion"
# what programs made of chance are warned about, as a person's would be; and gcc's sanitizer makes
# conversions that it warns about
of_chance="-Wno-sign-conversion -Wno-unknown-warning-option -Wno-bool-compare -Wno-bool-operation \
-Wno-type-limits -Wno-tautological-compare -Wno-unused-parameter -Wno-array-bounds -Wno-literal-range"
include="-I$SN_SRCDIR/include"
library="$SN_BUILDDIR/.libs/libsnode.a"
interpreter_library="$SN_BUILDDIR/.libs/libsnode_interpreter.a"

# available CONFIGURATION: or prints why not and fails.
available() {
  case $1 in
    serial-gcc|host-gcc|reference-gcc|interpreter)
      [ -n "$TEST_GCC" ] || { echo "no gcc with OpenMP"; return 1; } ;;
    serial-tcc) [ -n "$TEST_TCC" ] || { echo "no tcc"; return 1; } ;;
    host-clang|reference-clang)
      [ -n "$TEST_CLANG" ] || { echo "no clang with OpenMP"; return 1; } ;;
    x86|reference-x86)
      [ "$OFFLOAD_KIND" != none ] || { echo "no device image"; return 1; }
      [ "$OFFLOAD_DEVICES" -gt 0 ] || { echo "no device"; return 1; } ;;
    acc) [ -n "$ACC_CC" ] || { echo "no gcc with OpenACC"; return 1; } ;;
    *) echo "no configuration $1"; return 1 ;;
  esac
}

# generated files: omp for all but the interpreter and OpenACC
target_of() {
  case $1 in interpreter|acc) echo "$1" ;; *) echo omp ;; esac
}

compiler_of() {
  case $1 in
    serial-gcc|host-gcc|reference-gcc|interpreter) echo "$TEST_GCC" ;;
    serial-tcc) echo "$TEST_TCC" ;;
    host-clang|reference-clang) echo "$TEST_CLANG" ;;
    x86|reference-x86) echo "$OFFLOAD_CC" ;;
    acc) echo "$ACC_CC" ;;
  esac
}

# where no other device is compiled for (runtime/device/platform.h)
acc_is_host() { case " $ACC_CFLAGS " in *" -foffload=disable "*) echo -DSND_DEVICE_IS_HOST ;; esac; }

# flags of generated files; a driver in C takes none of them.  A file for the interpreter is tables and
# calls: make check-long alone optimizes it.  The host device of OpenACC is taken
# for two teams of three lanes, whose turns one thread takes: that work is shared out right is seen
cflags_of() {
  case $1 in
    serial-gcc) echo "-std=c11 -O2 -DSN_SERIAL" ;;
    serial-tcc) echo "-DSN_SERIAL" ;;
    host-clang|host-gcc) echo "-std=c11 -O2 -fopenmp" ;;
    reference-clang|reference-gcc) echo "-std=c11 -O1 -fopenmp -DSND_ATOMIC_REFERENCE" ;;
    x86) echo "-std=c11 -O1 $OFFLOAD_CFLAGS -DSN_OFFLOAD" ;;
    reference-x86) echo "-std=c11 -O1 $OFFLOAD_CFLAGS -DSN_OFFLOAD -DSND_ATOMIC_REFERENCE" ;;
    interpreter) echo "-std=c11 ${SN_LONG:+-O2}" ;;
    acc) echo "-std=c11 -O1 $ACC_CFLAGS -DSN_ACC -DSND_ACC_HOST_TEAMS=2 -DSND_ACC_HOST_LANES=3 $(acc_is_host)" ;;
  esac
}

warnings_of() {
  case $1 in
    serial-tcc) echo "-Wall" ;;
    *) echo "$generated_warnings $werror" ;;
  esac
}

ldflags_of() {
  case $1 in
    serial-gcc|serial-tcc) echo "$library -lm" ;;
    host-gcc|reference-gcc) echo "-fopenmp $library -lm" ;;
    host-clang|reference-clang) echo "-fopenmp $CLANG_OPENMP_LDFLAGS $library -lm" ;;
    x86|reference-x86) echo "$OFFLOAD_CFLAGS $OFFLOAD_LDFLAGS $library -lm" ;;
    interpreter) echo "$interpreter_library $library -lm" ;;
    acc) echo "$ACC_CFLAGS $library -lm" ;;
  esac
}

# How often, and how, a configuration is run: words that run_as knows.  A launch in the image costs by
# the thread: every day two teams of two see what two of eight do, in two fifths of the time.
ways_of() {
  case $1 in
    serial-*|interpreter|acc) echo "one" ;;
    host-*) echo "threads=1 threads=2 threads=16" ;;
    reference-clang|reference-gcc) echo "threads=1 threads=16" ;;
    x86|reference-x86) if [ -n "$SN_LONG" ]; then echo "teams=1 teams=2"; else echo "teams=1 teams=2x2"; fi ;;
  esac
}

# everyday_level CONFIGURATION NAME: the level of optimization every day of what is built of the text
# NAME, where it is not as cflags_of says.  Compilers take most of the tests' time, and optimizers most
# of that.  Gcc and clang each optimize half of the texts for threads, where an optimizer finds what it
# may reorder; serial C, OpenACC and the reference form of the atomics are left as they are written.
# In make check-long each of them optimizes all.
everyday_level() {
  [ -z "$SN_LONG" ] || return
  case $1 in
    host-"$(optimizer_of "$2")") ;;
    host-*|serial-gcc|acc|reference-*) echo -O0 ;;
  esac
}

# optimizer_of NAME: gcc or clang, by the text's name; what there is where the other is missing.  Those
# that $clang_optimizes names are clang's.
clang_optimizes=
optimizer_of() {
  if [ -z "$TEST_CLANG" ]; then echo gcc; return; fi
  if [ -z "$TEST_GCC" ]; then echo clang; return; fi
  case " $clang_optimizes " in *" $1 "*) echo clang; return ;; esac
  if [ $(($(printf %s "$1" | cksum | cut -d " " -f 1) % 2)) -eq 0 ]; then echo gcc; else echo clang; fi
}

# compile CONFIGURATION FILE.c OBJECT: a generated file, warnings are errors
compile() {
  read_headers "$1" || return
  $(compiler_of "$1") $(cflags_of "$1") $(warnings_of "$1") $SANITIZER_CFLAGS ${one_backend:+$taken} \
    $include -I"$(dirname "$2")" $compile_flags $headers_read -c "$2" -o "$3"
}

# What generated files include is most of what clang reads, and a fifth of what gcc takes at -O0.  Where
# precompiled is set, it is read once for each set of flags, and once more for the device image:
# read_headers CONFIGURATION, as $headers_read.  For tests that compile many files, all of them generated
# and in other configurations too, host-gcc above all, which see an include that is missing.
precompiled=
read_headers() {
  headers_read=
  case $precompiled,$1,$OFFLOAD_KIND,$OFFLOAD_CC in
    ,*) return ;;
    *,host-clang,*|*,reference-clang,*) headers_sides=host ;;
    *,x86,x86,*clang*|*,reference-x86,x86,*clang*) headers_sides="host device" ;;
    *,serial-gcc,*|*,reference-gcc,*|*,acc,*) headers_sides=gcc ;;
    *) return ;;
  esac
  headers_flags="$(cflags_of "$1") $(warnings_of "$1") $SANITIZER_CFLAGS ${one_backend:+$taken} $include $compile_flags"
  headers=$work/headers-$(echo "$1 $headers_flags" | cksum | tr ' ' -)
  case $headers_sides in
    gcc) headers_read="-Winvalid-pch -include $headers/gcc" ;;
    *) headers_read="-Xclang -include-pch -Xclang $headers" ;;
  esac
  [ ! -d "$headers" ] || return 0
  headers_made=$(mktemp -d "$headers.XXXXXX") || return
  for headers_side in $headers_sides; do precompile "$1" "$headers_side" || return; done
  [ -d "$headers" ] || mv "$headers_made" "$headers"
}

# precompile CONFIGURATION SIDE: for clang's host or device, or for gcc
precompile() {
  case $2 in
    gcc) headers_to="-x c-header -o $headers_made/gcc.gch" ;;
    *) headers_to="--offload-$2-only -x c -Xclang -emit-pch -o $headers_made/$2" ;;
  esac
  $(compiler_of "$1") $headers_flags $headers_to -c "$SN_SRCDIR/t/precompiled.h"
}

# compile_driver CONFIGURATION FILE.c OBJECT: a person's C, without OpenMP
compile_driver() {
  case $1 in
    serial-tcc) $TEST_TCC -Wall $include $compile_flags -c "$2" -o "$3" ;;
    *) $(compiler_of "$1") -std=c11 -O1 $warnings $werror $SANITIZER_CFLAGS \
         $include $compile_flags -c "$2" -o "$3" ;;
  esac
}

# One backend for all files of a program (snode/device/backend.h): with the runtime's own tasks it is
# most of what a small file takes to compile.  compile_backend CONFIGURATION OBJECT; the others are
# compiled with $taken.  Where one_backend is set, compile and link do so, and the object is one for
# all programs and tests of a configuration, compiled with $backend_flags besides.
taken=-DSN_BACKEND_TAKEN
one_backend=
backend_flags=
compile_backend() (
  one_backend= precompiled= werror=-Werror
  compile_flags="$compile_flags -DSN_BACKEND_GIVEN"
  # as a file for the interpreter says itself
  case $1 in interpreter) compile_flags="$compile_flags -DSN_SERIAL" ;; esac
  compile "$1" "$SN_SRCDIR/t/backend.c" "$2"
)

# backend_of CONFIGURATION: the object for link.  Its name tells from what it was compiled; whoever
# comes first puts it there whole.
backend_of() {
  [ -n "$one_backend" ] || return
  backend_key=$({ echo "$1 $(compiler_of "$1") $(cflags_of "$1") $SANITIZER_CFLAGS $backend_flags $include"
    cat "$SN_SRCDIR"/runtime/device/*.h "$SN_SRCDIR"/include/snode/*.h; } | cksum | tr ' ' -)
  backend_object=$SN_BUILDDIR/t/backends/$1-$backend_key.o
  if [ ! -e "$backend_object" ]; then
    mkdir -p "$SN_BUILDDIR/t/backends"
    compile_flags=$backend_flags compile_backend "$1" "$work/backend-$1.o" >&2 &&
      mv "$work/backend-$1.o" "$backend_object.$$.${work##*/}" &&
      mv "$backend_object.$$.${work##*/}" "$backend_object"
  fi
  echo "$backend_object"
}

# link CONFIGURATION PROGRAM OBJECT...
link() {
  link_configuration=$1 link_program=$2
  shift 2
  $(compiler_of "$link_configuration") -o "$link_program" "$@" $(backend_of "$link_configuration") \
    $SANITIZER_CFLAGS \
    $(ldflags_of "$link_configuration")
}

# run_as CONFIGURATION WAY COMMAND...: for run_seconds at most (300; ten times as long in make
# check-long, which may have the machine only where nothing else wants it). On the device images
# each kernel must run in the image: MANDATORY makes a fallback to the host an error.
run_seconds=300
run_patience=${SN_LONG:+10}
run_as() {
  run_configuration=$1 run_way=$2 run_for=$((run_seconds * ${run_patience:-1}))
  shift 2
  case $run_configuration in
    x86|reference-x86)                 # teams=1, teams=N (of 8 threads), teams=NxM (of M)
      run_teams=${run_way#teams=}
      run_threads=8
      case $run_teams in
        1) run_threads=1 ;;
        *x*) run_threads=${run_teams#*x} run_teams=${run_teams%x*} ;;
      esac
      env SNODE_DEVICE=gpu:0 OMP_TARGET_OFFLOAD=MANDATORY \
        OMP_NUM_TEAMS=$run_teams OMP_NUM_THREADS=$run_threads \
        KMP_TEAMS_THREAD_LIMIT=$((run_teams * run_threads)) \
        KMP_WARNINGS=0 OMP_WAIT_POLICY=passive timeout "$run_for" $OFFLOAD_RUN "$@" ;;
    acc) env SNODE_DEVICE=gpu:0 ACC_DEVICE_TYPE=host timeout "$run_for" "$@" ;;
    *)
      case $run_way in threads=*) run_threads=${run_way#threads=} ;; *) run_threads=1 ;; esac
      env SNODE_DEVICE=host SNODE_THREADS="$run_threads" KMP_WARNINGS=0 \
        OMP_WAIT_POLICY=passive timeout "$run_for" "$@" ;;
  esac
}

# generate DIR FILE.sn [OPTION...]: FILE.c and FILE.h in DIR
generate() {
  generate_dir=$1 generate_file=$2
  shift 2
  "$snodegen" --output-dir="$generate_dir" "$@" "$generate_file"
}

configurations="serial-gcc serial-tcc host-clang host-gcc x86 acc \
reference-clang reference-gcc reference-x86 interpreter"

# unexpected EXPECTED GOT: how the messages in GOT differ from the lines of EXPECTED, which they
# begin with, in this order; notes count where there are some in EXPECTED
unexpected() {
  awk '
    FNR == NR { expected[++n] = $0; if (/(^| )note: /) notes = 1; next }
    /(^| )note: / && !notes { next }
    { m++
      if (m > n) print "not expected: " $0
      else if (substr($0, 1, length(expected[m])) != expected[m])
        print "expected: " expected[m] "\ngot:      " $0 }
    END { while (++m <= n) print "missing: " expected[m] }
  ' "$1" "$2"
}

# ---- packed for another machine ----

# t/gpu.sh: the device image alone, and no compiler where it runs
[ -z "$SN_GPU_MODE" ] || . "$SN_SRCDIR/t/gpu/configurations.sh"
