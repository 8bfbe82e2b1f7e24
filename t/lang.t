#!/bin/sh
# The programs of t/run in every configuration: all print the same.
#
# t/run/NAME.sn is a module, NAME.c its driver, NAME.out what it prints (t/run/README).
# SN_STORE=1 stores what is printed instead: read it line by line before committing it.
# SN_CONFIGURATIONS="host-clang x86" and SN_PROGRAMS="dense" narrow the run down.
. "${SN_SRCDIR:-.}/t/lib.sh"
. "$SN_SRCDIR/t/run/programs.sh"

accs=
if why=$(available acc); then accs=acc; fi
for target in omp interpreter $accs; do
  generate_programs $target && pass "generate: $target" || fail "generate: $target"
done
for m in $modules; do
  cmp -s "$work/omp/$m.h" "$work/interpreter/$m.h" || echo "$m" >>"$work/differ"
done
is "the interpreter's headers are the same" "$(cat "$work/differ" 2>/dev/null)" ""

# tcc's own headers say no to what gcc's object files bring: it builds its own drivers
drivers_of() {
  case $1 in
    serial-tcc) echo drivers-tcc ;;
    *) echo drivers ;;
  esac
}
build_drivers host-gcc drivers && pass "drivers" || fail "drivers"
if why=$(available serial-tcc); then
  build_drivers serial-tcc drivers-tcc && pass "drivers with tcc" || fail "drivers with tcc"
fi
# another form of the atomics, the same code around them: the trees
choose trees
build_drivers host-gcc drivers && pass "drivers of the trees" || fail "drivers of the trees"
no_warnings drivers

check() {
  check_out=$work/$1/$2.$3.out
  run_as "$1" "$3" "$work/$1/run" "$2" >"$check_out" 2>"$work/$1/err"
  check_status=$?
  if [ $check_status -ne 0 ]; then
    echo "(exit status $check_status)" >>"$check_out"
    cat "$work/$1/err" >>"$check_out"
  fi
  [ -z "$SN_STORE" ] || cp "$check_out" "$run/$2.out"
  same "$1 $3: $2" "$check_out" "$run/$2.out"
}

# build_and_check CONFIGURATION: the programs that were chosen
build_and_check() {
  if build_programs "$1" "$1" "$(drivers_of "$1")" >"$work/build.out" 2>&1; then
    no_warnings "$1"
    for way in $(ways_of "$1"); do
      for p in ${SN_PROGRAMS:-$programs}; do
        case " $(echo $programs) " in *" $p "*) check "$1" "$p" "$way" ;; esac
      done
    done
  else
    fail "$1: builds"
    diag "$(head -n 40 "$work/build.out")"
  fi
  rm -rf "${work:?}/$1"
}

# in_parts CONFIGURATION: in programs of a few modules each, for a GPU, where link-time optimisation of all
# of them at once had not ended after ten minutes
in_parts() {
  set -- "$1" $programs
  while [ $# -gt 1 ]; do
    part=$1
    parts=$2
    shift 2
    while [ $# -gt 0 ] && [ "$(echo "$parts" | wc -w)" -lt 5 ]; do
      parts="$parts $1"
      shift
    done
    only $parts
    build_drivers host-gcc drivers >"$work/build.out" 2>&1
    build_and_check "$part"
    set -- "$part" "$@"
  done
}

for c in ${SN_CONFIGURATIONS:-$configurations}; do
  case $c in reference-*) choose trees ;; *) choose all ;; esac
  if ! why=$(available "$c"); then
    skip "$c" "$why"
  elif [ -n "$SN_GPU_MODE" ] && [ "$SN_GPU_ARCH" != x86 ]; then
    in_parts "$c"
  else
    build_and_check "$c"
  fi
done

# ---- the highest level, which drops the bounds: arrays that staging writes and reads as words ----
one=$work/highest
highest() {
  mkdir -p "$one" && generate "$one" "$run/attributes.sn" -O3 -q &&
    compile_flags=-O3 compile host-gcc "$one/attributes.c" "$one/attributes.o" &&
    compile_flags="-DRUN_ATTRIBUTES -I$run -I$one" &&
    compile_driver host-gcc "$run/attributes.c" "$one/driver.o" &&
    compile_driver host-gcc "$run/run.c" "$one/main.o" &&
    link host-gcc "$one/run" "$one/main.o" "$one/driver.o" "$one/attributes.o"
}
case " ${SN_CONFIGURATIONS:-$configurations} ${SN_PROGRAMS:-attributes} " in
  *" host-gcc "*" attributes "*)
    ok "attributes at -O3: generated and built" highest
    for way in threads=1 threads=2; do
      run_as host-gcc "$way" "$one/run" attributes >"$one/out" 2>&1
      same "attributes at -O3, $way" "$one/out" "$run/attributes.out"
    done ;;
esac
done_testing
