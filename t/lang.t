#!/bin/sh
# The programs of t/run in every configuration: all print the same.
#
# t/run/NAME.sn is a module, NAME.c its driver, NAME.out what it prints (t/run/README).
# SN_CONFIGURATIONS="host-clang x86" and SN_PROGRAMS="dense" narrow the run down.
. "${SN_SRCDIR:-.}/t/lib.sh"

run=$SN_SRCDIR/t/run
programs=$(sed -n -e '/define PROGRAMS/,/[^\\]$/p' "$run/run.h" | grep -o 'P([a-z_0-9]*)' |
           sed -e 's/P(\(.*\))/\1/' | grep -v '^P$')
modules=$(cd "$run" && ls *.sn | sed 's/\.sn$//')
chosen=${SN_PROGRAMS:-$programs}
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
  if [ -s "$work/failed" ]; then
    diag "$(cat "$work/failed")"
    diag "$(head -n 60 "$work/log")"
    rm -f "$work/failed" "$work/log"
    return 1
  fi
  rm -f "$work/log"
}

# ---- what all configurations share ----

for target in omp interpreter; do
  mkdir "$work/$target"
  for m in $modules; do
    at_once generate "$work/$target" "$run/$m.sn" --target=$target -q
  done
  if all_done; then pass "generate: $target"; else fail "generate: $target"; fi
done
for m in $modules; do
  cmp -s "$work/omp/$m.h" "$work/interpreter/$m.h" || echo "$m" >>"$work/differ"
done
is "the interpreter's headers are the same" "$(cat "$work/differ" 2>/dev/null)" ""

# drivers for the configuration's kind of object: tcc's own, everyone else's
drivers() {
  mkdir -p "$work/$2"
  for p in $programs run; do
    compile_flags="-I$run -I$work/omp" at_once compile_driver "$1" "$run/$p.c" "$work/$2/$p.o"
  done
  all_done
}

drivers_of() {
  case $1 in serial-tcc) echo drivers-tcc ;; *) echo drivers ;; esac
}

# ---- one configuration ----

build() {
  build_objects=
  mkdir "$work/$1"
  for m in $modules; do
    at_once compile "$1" "$work/$(target_of "$1")/$m.c" "$work/$1/$m.o"
    build_objects="$build_objects $work/$1/$m.o"
  done
  all_done || return 1
  link "$1" "$work/$1/run" "$work/$(drivers_of "$1")"/*.o $build_objects
}

check() {
  check_out=$work/$1/$2.$3.out
  run_as "$1" "$3" "$work/$1/run" "$2" >"$check_out" 2>"$work/$1/err"
  check_status=$?
  if [ $check_status -ne 0 ]; then
    echo "(exit status $check_status)" >>"$check_out"
    cat "$work/$1/err" >>"$check_out"
  fi
  same "$1 $3: $2" "$check_out" "$run/$2.out"
}

drivers host-gcc drivers || { fail "drivers"; done_testing; }
pass "drivers"
if why=$(available serial-tcc); then
  ok "drivers with tcc" drivers serial-tcc drivers-tcc
fi
for c in ${SN_CONFIGURATIONS:-$configurations}; do
  if ! why=$(available "$c"); then
    skip "$c" "$why"
  elif build "$c" >"$work/build.out" 2>&1; then
    pass "$c: builds without a warning"
    for way in $(ways_of "$c"); do
      for p in $chosen; do check "$c" "$p" "$way"; done
    done
  else
    fail "$c: builds without a warning"
    diag "$(head -n 40 "$work/build.out")"
  fi
  rm -rf "${work:?}/$c"
done
done_testing
