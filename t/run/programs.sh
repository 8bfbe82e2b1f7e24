# The programs of t/run, generated and built: what t/lang.t and t/60-sanitizers.t
# share. Read after t/lib.sh.
#
#   generate_programs TARGET      $work/TARGET/NAME.c and .h of all modules
#   choose all|trees              which of them: all at first
#   only PROGRAM...               these alone
#   build_drivers CONFIGURATION FOLDER
#   build_programs CONFIGURATION FOLDER DRIVERS   FOLDER/run, which takes a name
# each in $work, as many compilers at once as there are processors; what failed is
# in the diagnostics, what the compilers warned of in $work/warnings.
werror=
one_backend=yes
precompiled=yes
run=$SN_SRCDIR/t/run
programs_of() {
  sed -n -e "/define PROGRAMS_OF_$1(P)/,/[^\\\\]\$/p" "$run/run.h" | grep -o 'P([a-z_0-9]*)' |
    sed -e '/^P(P)$/d' -e 's/P(\(.*\))/\1/'
}

# choose all|trees: $programs, the $modules that their drivers include, run.c's flag and what the
# object of run.c is called, for which alone the choice makes a difference.
# Where memory is what is looked at, the trees alone are built; SN_LONG=1: all, everywhere.
choose() {
  programs=$(programs_of TREES) run_flags= run_object=run-all
  case $1$SN_LONG in
    trees) run_flags=-DRUN_TREES run_object=run-trees ;;
    *) programs="$programs $(programs_of LANGUAGE)" ;;
  esac
  find_modules
}

# only PROGRAM...: these
only() {
  programs=$* run_object=run-only run_flags="-DRUN_ONLY(P)=$(for p; do printf 'P(%s)' "$p"; done)"
  find_modules
}

find_modules() {
  modules=$(for p in $programs; do sed -n -e 's/^#include "\([a-z_0-9]*\)\.h".*/\1/p' "$run/$p.c"; done |
    grep -v -x run | sort -u)
}
choose all
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

# at_once COMMAND...: in the background, at most $jobs at a time.
running=0
at_once() {
  "$@" >>"$work/log" 2>&1 || echo "$*" >>"$work/failed" &
  running=$((running + 1))
  if [ "$running" -ge "$jobs" ]; then wait; running=0; fi
}

all_done() {
  wait
  running=0
  if [ -e "$work/log" ]; then grep 'warning:' "$work/log" >>"$work/warnings"; fi
  if [ -s "$work/failed" ]; then
    diag "failed: $(cat "$work/failed")"
    diag "$(head -n 60 "$work/log")"
    rm -f "$work/failed" "$work/log"
    return 1
  fi
  rm -f "$work/log"
}

generate_programs() {
  mkdir -p "$work/$1"
  for m in $modules; do
    at_once generate "$work/$1" "$run/$m.sn" --target="$1" -q
  done
  all_done
}

# those that are not there yet
build_drivers() {
  mkdir -p "$work/$2"
  build_flags="-I$run -I$work/omp $run_flags $compile_flags"
  for p in $programs; do
    [ -e "$work/$2/$p.o" ] || compile_flags=$build_flags at_once compile_driver "$1" "$run/$p.c" "$work/$2/$p.o"
  done
  compile_flags=$build_flags at_once compile_driver "$1" "$run/run.c" "$work/$2/$run_object.o"
  all_done
}

# level_of CONFIGURATION MODULE: how far it is optimized.  Every day the image is not, whose optimizer
# has t/device and t/rules, and clang has the two modules that gcc takes longest for; t/lang.t has gcc
# optimize one of them, attributes, at -O3.  The module large is about how many elements there are: an
# optimizer takes half a minute for their loops.
clang_optimizes="attributes tangent"
level_of() {
  [ -z "$SN_LONG" ] || return
  case $1,$2 in
    *,large) echo -O0 ;;
    host-*) everyday_level "$1" "$2" ;;
    *) echo -O0 ;;
  esac
}

# compile_once CONFIGURATION FILE.c OBJECT: as compile; where $kept names a folder, the same text with
# the same headers and flags is compiled once, and its object is there from then on.
kept=
compile_once() {
  if [ -z "$kept" ]; then compile "$@"; return; fi
  once=$kept/$1-$(basename "$2" .c)
  mkdir -p "$kept"
  { echo "$compile_flags $SANITIZER_CFLAGS"; cat "$2" "$(dirname "$2")"/*.h; } >"$once.text"
  once_count=0
  while [ -e "$once.$once_count.text" ]; do
    if cmp -s "$once.text" "$once.$once_count.text"; then cp "$once.$once_count.o" "$3"; return; fi
    once_count=$((once_count + 1))
  done
  compile "$@" && cp "$3" "$once.$once_count.o" && mv "$once.text" "$once.$once_count.text"
}

build_programs() {
  mkdir -p "$work/$2"
  build_objects= build_flags=$compile_flags
  for m in $modules; do
    compile_flags="$(level_of "$1" "$m") $build_flags" \
      at_once compile_once "$1" "$work/$(target_of "$1")/$m.c" "$work/$2/$m.o"
    build_objects="$build_objects $work/$2/$m.o"
  done
  for p in $programs $run_object; do build_objects="$build_objects $work/$3/$p.o"; done
  all_done || return 1
  link "$1" "$work/$2/run" $build_objects
}

# no_warnings NAME: a check, and a clean sheet
no_warnings() {
  is "$1: no warning" "$(sed -e 's|.*/||' "$work/warnings" 2>/dev/null | head -n 20)" ""
  rm -f "$work/warnings"
}
